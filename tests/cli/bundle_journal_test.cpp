// SPDX-License-Identifier: Apache-2.0
// A bundle of a node in memory: its journal, and secrets in each place of it. What the
// built program packs of a real host is in bundle_test.py.
#include "cli/bundle.hpp"
#include "engine/boot.hpp"
#include "facts/journal_text.hpp"
#include "facts/take.hpp"
#include "facts/unpacked.hpp"
#include "scenario/storage_node.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <map>
#include <string>

namespace fabric::cli {
namespace {

using scenario::StorageNode;
using ::testing::AllOf;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

// Each planted secret contains this.
constexpr const char* kSecret = "S3CR3T";

class FakeJournal : public host::JournalReader {
  public:
    [[nodiscard]] Result<std::vector<host::JournalEntry>> managerProblems()
        const override {
        return std::vector<host::JournalEntry>{};
    }

    [[nodiscard]] Result<host::JournalLines> lines(
        const host::JournalQuery& query) const override {
        asked = query;
        return answer;
    }

    mutable host::JournalQuery asked;
    Result<host::JournalLines> answer;
};

class BundleOfANode : public ::testing::Test {
  protected:
    BundleOfANode() {
        fake::FakeFiles& files = node.host.files;
        files.addFile("/usr/lib/systemd/system/minio.service",
                      "[Service]\nUser=jane\nEnvironmentFile=/etc/default/minio\n"
                      "Environment=TOKEN=S3CR3T-unit\n"
                      "ExecStart=/usr/local/bin/minio server "
                      "https://me:S3CR3T-argument@node{1...4}/disk\n");
        files.addFile("/etc/default/minio",
                      "MINIO_ROOT_PASSWORD=S3CR3T-file\nMINIO_RDMA_INTERNODE=on\n"
                      "MINIO_KMS=plain-words\n");
        files.addFile(engine::kBootRecord, R"({"x":"MINIO_KMS is plain-words"})");
        node.host.services.daemonReload();
        node.host.services.start("minio.service");
        journal.answer->lines = {
            {.wallUs = 1'700'000'000'000'001,
             .source = "kernel",
             .message = "mlx5_core 0000:10:00.0 rail0: Link up"},
            {.wallUs = 1'700'000'000'000'002,
             .source = "minio.service",
             .message = "MINIO_ROOT_PASSWORD=S3CR3T-line\nRootPass: S3CR3T-banner\n"
                        "\x1b[31mdial https://me:S3CR3T-url@node7:9000 via 10.0.0.1"}};
    }

    [[nodiscard]] Bundle bundle(bool anonymise) {
        host::Reader reader = node.reader();
        reader.journal = &journal;
        const facts::Facts facts = facts::takeFacts(reader, {});
        std::optional<facts::Disguise> disguise;
        if (anonymise) {
            disguise.emplace(facts, "salt");
        }
        auto made =
            bundleOf(reader, facts, std::nullopt, disguise ? &*disguise : nullptr);
        EXPECT_TRUE(made) << made.error().message();
        return made ? std::move(*made) : Bundle{};
    }

    [[nodiscard]] std::map<std::string, std::string> members(bool anonymise = false) {
        std::map<std::string, std::string> found;
        for (auto& [name, text] : facts::unpacked(bundle(anonymise).bytes)) {
            found.emplace(name.substr(name.find('/') + 1), std::move(text));
        }
        return found;
    }

    StorageNode node{2};
    FakeJournal journal;
};

TEST_F(BundleOfANode, holds_no_secret_in_any_member) {
    const auto found = members();
    EXPECT_THAT(found, SizeIs(5));
    for (const auto& [name, text] : found) {
        EXPECT_THAT(text, Not(HasSubstr(kSecret))) << name;
        EXPECT_THAT(text, Not(HasSubstr("plain-words"))) << name;
    }
    EXPECT_THAT(found.at("facts.json"), HasSubstr("MINIO_RDMA_INTERNODE"));
}

TEST_F(BundleOfANode, tells_of_the_journal_line_by_line) {
    EXPECT_EQ(
        members().at("journal.txt"),
        "2023-11-14T22:13:20.000001Z kernel: mlx5_core 0000:10:00.0 rail0: Link up\n"
        "2023-11-14T22:13:20.000002Z minio.service: MINIO_ROOT_PASSWORD=left-out\n"
        "    RootPass: left-out\n"
        "    \\x1b[31mdial https://left-out@node7:9000 via 10.0.0.1\n");
    EXPECT_THAT(journal.asked.units, Contains("minio.service"));
    EXPECT_GE(journal.asked.lines, 1000U);
    EXPECT_LE(journal.asked.bytes, std::size_t{1} << 20U);
    journal.answer->cut = true;
    EXPECT_THAT(members().at("journal.txt"), HasSubstr("older lines were left out"));
}

TEST_F(BundleOfANode, says_that_the_journal_could_not_be_read) {
    journal.answer = fail(systemError("find the journal", "this system", EACCES));
    EXPECT_THAT(members().at("journal.txt"), HasSubstr("# find the journal"));
    EXPECT_THAT(members().at("fabricctl.txt"), HasSubstr("find the journal"));
    EXPECT_THAT(bundle(false).unread, Contains(HasSubstr("find the journal")));
}

TEST_F(BundleOfANode, without_a_report_misses_nothing) {
    EXPECT_THAT(bundle(false).unread, IsEmpty());
}

TEST_F(BundleOfANode, has_other_names_everywhere_when_it_is_asked_for) {
    for (const auto& [name, text] : members(true)) {
        for (const char* const word :
             {"rail0", "rail1", "node1", "node7", "10.0.0.1", "jane", kSecret}) {
            EXPECT_THAT(text, Not(HasSubstr(word))) << name;
        }
    }
    EXPECT_THAT(members(true).at("journal.txt"),
                AllOf(HasSubstr("na0: Link up"), HasSubstr(":9000")));
}

TEST(JournalText, lines_of_the_kernel_about_rdma_are_told_from_others) {
    for (const char* const about : {"mlx5_core 0000:1a:00.0: firmware version: 1",
                                    "bnxt_en 0000:1a:00.0: Link up",
                                    "ice 0000:1a:00.0: DCB is enabled",
                                    "infiniband rocep26s0f0: port 1 down",
                                    "RDMA CMA: cma_listen_on_dev",
                                    "Loading iw_cm"}) {
        EXPECT_TRUE(facts::isAboutRdma(about)) << about;
    }
    for (const char* const other : {"usb 1-1: new device",
                                    "device service price",
                                    "EXT4-fs (sda1): mounted",
                                    ""}) {
        EXPECT_FALSE(facts::isAboutRdma(other)) << other;
    }
}

TEST(JournalText, a_time_that_no_calendar_has_is_no_end_of_the_program) {
    host::JournalLines journal;
    journal.lines = {{.wallUs = std::numeric_limits<std::int64_t>::max(),
                      .source = "kernel",
                      .message = "a"},
                     {.wallUs = -1, .source = "kernel", .message = "b"}};
    EXPECT_THAT(facts::journalText(journal),
                AllOf(HasSubstr("9999-12-31"), HasSubstr("1970-01-01")));
}

}  // namespace
}  // namespace fabric::cli
