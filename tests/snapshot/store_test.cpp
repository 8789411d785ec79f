// SPDX-License-Identifier: Apache-2.0
#include "snapshot/store.hpp"

#include "fake/fake_host.hpp"
#include "snapshot/in_effect.hpp"
#include "snapshot/json.hpp"
#include "snapshot/save.hpp"
#include "snapshot/things.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace fabric::snapshot {
namespace {

class Store : public ::testing::Test {
  protected:
    Store() { files.addDirectory("/var/lib"); }

    Result<Saved> saveMtu(std::uint32_t bytes) {
        Snapshot snapshot = emptySnapshot();
        snapshot.items = {{.kind = resource::Kind::mtu,
                           .label = "rail0",
                           .from = {},
                           .thing = Mtu{.link = sampleLink(), .bytes = bytes}}};
        return save(files, files, std::move(snapshot));
    }

    static std::uint32_t mtuOf(const Snapshot& snapshot) {
        return std::get<Mtu>(snapshot.items.front().thing).bytes;
    }

    fake::FakeHost host;
    fake::FakeFiles& files = host.files;
};

TEST_F(Store, what_is_saved_is_loaded_and_belongs_to_root_alone) {
    const auto saved = saveMtu(1500);
    ASSERT_TRUE(saved) << saved.error().message();
    EXPECT_TRUE(isSnapshotId(saved->id));
    EXPECT_EQ(mtuOf(*load(files, saved->id)), 1500U);
    EXPECT_EQ(files.find(pathOf(saved->id))->mode, 0600U);
    EXPECT_EQ(files.find(kSnapshotDirectory)->mode, 0700U);
    EXPECT_EQ(files.find(kStateDirectory)->mode, 0755U);
}

TEST_F(Store, the_newest_is_that_of_the_last_run_whatever_the_clock_said) {
    Snapshot late = emptySnapshot();
    late.taken += std::chrono::years(3);
    ASSERT_TRUE(save(files, files, late));
    ASSERT_TRUE(saveMtu(4200));
    EXPECT_EQ(mtuOf(**loadLatest(host.reader())), 4200U);
}

TEST_F(Store, the_baseline_keeps_what_was_read_first) {
    ASSERT_TRUE(saveMtu(1500));
    ASSERT_TRUE(saveMtu(9000));
    const auto baseline = load(files, kBaselineId);
    ASSERT_TRUE(baseline);
    ASSERT_EQ(baseline->items.size(), 1U);
    EXPECT_EQ(mtuOf(*baseline), 1500U);
}

TEST_F(Store, only_so_many_are_kept_and_the_baseline_is_none_of_them) {
    std::vector<std::string> ids;
    for (std::uint32_t run = 0; run < kKeptSnapshots + 3; ++run) {
        ids.push_back(saveMtu(1500 + run)->id);
    }
    const auto kept = storedIds(files);
    ASSERT_TRUE(kept);
    EXPECT_EQ(*kept, std::vector<std::string>(ids.begin() + 3, ids.end()));
    EXPECT_EQ(mtuOf(*load(files, kBaselineId)), 1500U);
}

TEST_F(Store, a_write_that_fails_leaves_everything_as_it_was) {
    const std::string first = saveMtu(1500)->id;
    const std::string baseline = files.content(kBaselinePath);
    for (const std::size_t nth : {1U, 2U, 3U, 4U}) {
        files.failWriteAt(nth, ENOSPC);
        EXPECT_EQ(saveMtu(9000).error().sysErrno, ENOSPC) << nth;
        EXPECT_EQ(storedIds(files).value(), std::vector{first});
        EXPECT_EQ(files.content(kBaselinePath), baseline);
    }
}

TEST_F(Store, an_old_one_that_cannot_go_does_not_undo_the_new_one) {
    for (std::size_t run = 0; run < kKeptSnapshots; ++run) {
        ASSERT_TRUE(saveMtu(1500));
    }
    files.failWrite(pathOf(storedIds(files)->front()), EIO);
    const auto saved = saveMtu(9000);
    ASSERT_TRUE(saved);
    EXPECT_EQ(saved->leftovers.size(), 1U);
    EXPECT_EQ(mtuOf(**loadLatest(host.reader())), 9000U);
}

TEST_F(Store, a_symbolic_link_in_place_of_a_directory_is_refused) {
    files.addDirectory("/tmp/theirs");
    files.addLink(kStateDirectory, "/tmp/theirs");
    EXPECT_EQ(saveMtu(1500).error().kind, ErrorKind::refused);
    files.erase(kStateDirectory);
    files.addDirectory(kStateDirectory).mode = 0700;
    files.addLink(kSnapshotDirectory, "/tmp/theirs");
    EXPECT_EQ(saveMtu(1500).error().kind, ErrorKind::refused);
    EXPECT_TRUE(files.list("/tmp/theirs")->empty());
}

TEST_F(Store, a_symbolic_link_in_place_of_the_baseline_is_not_followed) {
    ASSERT_TRUE(saveMtu(1500));
    files.erase(kBaselinePath);
    files.addFile("/etc/victim", "text");
    files.addLink(kBaselinePath, "/etc/victim");
    EXPECT_FALSE(saveMtu(9000));
    EXPECT_EQ(files.content("/etc/victim"), "text");
}

TEST_F(Store, a_directory_of_somebody_else_is_refused) {
    files.addDirectory(kStateDirectory).owner = 1000;
    EXPECT_EQ(saveMtu(1500).error().kind, ErrorKind::refused);
}

TEST_F(Store, a_directory_that_others_may_write_is_refused) {
    files.addDirectory(kStateDirectory).mode = 0777;
    EXPECT_EQ(saveMtu(1500).error().kind, ErrorKind::refused);
}

TEST_F(Store, a_snapshot_that_others_may_write_is_not_believed) {
    const std::string id = saveMtu(1500)->id;
    files.find(pathOf(id))->mode = 0666;
    EXPECT_EQ(load(files, id).error().kind, ErrorKind::refused);
    files.find(pathOf(id))->mode = 0600;
    files.find(pathOf(id))->owner = 1000;
    EXPECT_EQ(load(files, id).error().kind, ErrorKind::refused);
}

TEST_F(Store, one_under_the_name_of_another_is_not_believed) {
    const std::string first = saveMtu(1500)->id;
    const std::string second = saveMtu(9000)->id;
    files.find(pathOf(second))->content = files.content(pathOf(first));
    EXPECT_EQ(load(files, second).error().kind, ErrorKind::refused);
}

TEST_F(Store, a_broken_baseline_is_an_error_and_is_not_written_over) {
    ASSERT_TRUE(saveMtu(1500));
    files.find(kBaselinePath)->content = "{\"schema\":";
    EXPECT_EQ(saveMtu(9000).error().kind, ErrorKind::malformed);
    EXPECT_EQ(files.content(kBaselinePath), "{\"schema\":");
    files.find(kBaselinePath)->content = R"({"schema": "fabricctl/snapshot/7"})";
    EXPECT_EQ(saveMtu(9000).error().kind, ErrorKind::unsupported);
}

TEST_F(Store, a_file_beyond_the_limit_is_not_read) {
    const std::string id = saveMtu(1500)->id;
    files.find(pathOf(id))->content.append(kLargestSnapshot, ' ');
    EXPECT_EQ(load(files, id).error().sysErrno, EFBIG);
}

TEST_F(Store, a_snapshot_beyond_the_limit_is_not_written) {
    Snapshot huge = emptySnapshot();
    huge.items = {{.kind = resource::Kind::service,
                   .label = "x",
                   .from = {},
                   .thing = File{.path = "/etc/x",
                                 .content = FileContent{
                                     .bytes = std::string(kLargestSnapshot, 'x'),
                                     .mode = 0644}}}};
    EXPECT_EQ(save(files, files, huge).error().kind, ErrorKind::refused);
    EXPECT_TRUE(storedIds(files)->empty());
    EXPECT_FALSE(files.exists(kBaselinePath));
}

TEST_F(Store, a_number_that_no_other_can_follow_is_told_and_not_counted_past) {
    const Saved first = *saveMtu(1500);
    files.addFile(pathOf("20260101T000000Z-999999999999999999"), "{}");
    const auto saved = saveMtu(9000);
    ASSERT_FALSE(saved) << "it would be kept under a name that nobody finds: "
                        << saved->id;
    EXPECT_NE(saved.error().message().find("999999999999999999"), std::string::npos);
    EXPECT_TRUE(load(files, first.id));
}

TEST_F(Store, what_could_not_be_read_again_is_not_kept) {
    Snapshot foreign = emptySnapshot();
    foreign.items = {{.kind = resource::Kind::arp,
                      .label = "a",
                      .from = {},
                      .thing = File{.path = "/etc/passwd", .content = {}}}};
    const auto saved = save(files, files, foreign);
    ASSERT_FALSE(saved);
    EXPECT_EQ(saved.error().kind, ErrorKind::malformed);
    EXPECT_TRUE(storedIds(files)->empty());
}

TEST_F(Store, foreign_files_in_the_directory_are_no_snapshots) {
    ASSERT_TRUE(saveMtu(1500));
    for (const char* name :
         {"notes.txt", "x.json", ".20261130T084512Z-000009.json.tmp"}) {
        files.addFile(std::string(kSnapshotDirectory) + "/" + name, "{}");
    }
    EXPECT_EQ(storedIds(files)->size(), 1U);
}

TEST_F(Store, an_unknown_id_is_no_path) {
    for (const char* id : {"",
                           "../baseline",
                           "20261130T084512Z-",
                           "x",
                           "baseline.json",
                           "20261130T084512Z-000001/../../x"}) {
        EXPECT_EQ(load(files, id).error().kind, ErrorKind::notFound) << id;
    }
    EXPECT_EQ(loadLatest(host.reader()).error().kind, ErrorKind::notFound);
}

TEST(RestoredRecord, is_read_as_it_was_written_and_a_foreign_line_makes_it_damaged) {
    const std::vector<Restored> restores{
        {.after = "20261130T084512Z-000002", .target = "20261130T084512Z-000001"},
        {.after = "20261130T084512Z-000003", .target = "baseline"}};
    const std::string good = toText(restores);
    EXPECT_EQ(parseRestored(good).value(), restores);
    for (const std::string& damaged : {std::string(),
                                       good.substr(0, good.size() - 1),
                                       good + "\n",
                                       good + "x\n",
                                       "20261130T084512Z-000002 /etc/passwd\n" + good,
                                       std::string(good.size(), '\0')}) {
        const auto read = parseRestored(damaged);
        ASSERT_FALSE(read) << damaged;
        EXPECT_EQ(read.error().kind, ErrorKind::malformed);
    }
    EXPECT_NE(parseRestored(good + "x\n").error().message().find("line 3"),
              std::string::npos);
}

TEST_F(Store, a_record_of_restores_stays_as_short_as_the_store) {
    const std::string oldest = saveMtu(1500)->id;
    ASSERT_TRUE(noteRestored(files, files, oldest));
    for (std::size_t run = 0; run < kKeptSnapshots + 2; ++run) {
        ASSERT_TRUE(saveMtu(1500));
        ASSERT_TRUE(noteRestored(files, files, kBaselineId));
        ASSERT_TRUE(noteRestored(files, files, kBaselineId));
    }
    const auto kept = readRestored(files).value();
    EXPECT_EQ(kept.size(), kKeptSnapshots);
    EXPECT_NE(kept.front().target, oldest);
    EXPECT_EQ(files.find(kRestoredPath)->mode, 0600U);
}

}  // namespace
}  // namespace fabric::snapshot
