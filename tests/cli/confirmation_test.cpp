// SPDX-License-Identifier: Apache-2.0
#include "cli/confirmation.hpp"

#include "fake/fake_host.hpp"
#include "report/confirm_record.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cerrno>
#include <functional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace fabric::cli {
namespace {

using namespace std::chrono_literals;
using engine::ConfirmRecord;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr const char* kId = "20260131T120000Z-000001";

// Keeps what is armed, and refuses what a test wants.
class Keepers : public host::DelayedCommands {
  public:
    [[nodiscard]] Result<host::CommandKeeper> arm(
        const host::DelayedCommand& command) override {
        if (refusesToArm) {
            return fail(systemError("arm", command.name, EPERM));
        }
        armed.push_back(command);
        return host::CommandKeeper{.timer = command.name + ".timer"};
    }

    [[nodiscard]] Result<void> disarm(const host::CommandKeeper& keeper) override {
        if (refusesToDisarm) {
            return fail(systemError("stop", keeper.timer, EPERM));
        }
        disarmed.push_back(keeper.timer);
        return {};
    }

    [[nodiscard]] Result<void> release(const host::CommandKeeper& keeper) override {
        released.push_back(keeper.timer);
        return {};
    }

    bool refusesToArm = false;
    bool refusesToDisarm = false;
    std::vector<host::DelayedCommand> armed;
    std::vector<std::string> disarmed;
    std::vector<std::string> released;
};

class ConfirmationTest : public ::testing::Test {
  protected:
    ConfirmationTest() { host_.files.addDirectory("/var/lib"); }

    Confirmation inBoot(std::string boot) {
        return {host_.reader_, host_.files, keepers_, std::move(boot)};
    }

    [[nodiscard]] std::optional<ConfirmRecord> record() const {
        return report::readConfirmRecord(host_.files).value();
    }

    // What looks at the host sees the units that are armed.
    struct Units : host::ServiceReader {
        [[nodiscard]] Result<host::ServiceUnit> unit(
            std::string_view name) const override {
            if (silent) {
                return fail(systemError("ask", "systemd", ETIMEDOUT));
            }
            return host::ServiceUnit{
                .name = std::string(name),
                .loadState = "loaded",
                .activeState = active.contains(name) ? "active" : "inactive"};
        }

        [[nodiscard]] Result<std::string> systemState() const override {
            return "running";
        }

        std::set<std::string, std::less<>> active{std::string("fabricctl-confirm-") +
                                                  kId + ".timer"};
        bool silent = false;
    };

    struct Machine : fake::FakeHost {
        Machine() { reader_.services = &units; }

        Units units;
        host::Reader reader_ = reader();
    };

    Machine host_;
    Keepers keepers_;
    Confirmation now_{host_.reader_, host_.files, keepers_, "boot"};
};

TEST_F(ConfirmationTest, the_restore_is_armed_before_anything_is_recorded) {
    const auto armed = now_.arm("/usr/bin/fabricctl", kId, 120s);
    ASSERT_TRUE(armed) << armed.error().message();
    EXPECT_EQ(armed->id, kId);
    ASSERT_EQ(keepers_.armed.size(), 1U);
    EXPECT_EQ(keepers_.armed[0].name, std::string("fabricctl-confirm-") + kId);
    EXPECT_EQ(keepers_.armed[0].delay, 120s);
    EXPECT_THAT(keepers_.armed[0].arguments,
                ElementsAre("/usr/bin/fabricctl",
                            "restore",
                            kId,
                            "--unconfirmed",
                            "--lock-wait",
                            "24h"));
    ASSERT_TRUE(record());
    EXPECT_EQ(record()->deadline, armed->deadline);
    EXPECT_EQ(record()->state, ConfirmRecord::State::pending);
}

TEST_F(ConfirmationTest, what_cannot_be_armed_is_not_recorded) {
    keepers_.refusesToArm = true;
    EXPECT_FALSE(now_.arm("/usr/bin/fabricctl", kId, 120s));
    EXPECT_FALSE(record());
}

TEST_F(ConfirmationTest, what_cannot_be_recorded_is_not_left_armed) {
    host_.files.failWrite(engine::kConfirmRecord, ENOSPC);
    const auto armed = now_.arm("/usr/bin/fabricctl", kId, 120s);
    ASSERT_FALSE(armed);
    EXPECT_EQ(armed.error().sysErrno, ENOSPC);
    EXPECT_EQ(keepers_.disarmed.size(), 1U);
}

TEST_F(ConfirmationTest, what_cannot_be_put_back_is_not_begun) {
    const auto armed = now_.arm("/usr/bin/fabricctl", "", 120s);
    ASSERT_FALSE(armed);
    EXPECT_EQ(armed.error().kind, ErrorKind::refused);
    EXPECT_TRUE(keepers_.armed.empty());
    EXPECT_FALSE(record());
}

TEST_F(ConfirmationTest, whoever_looks_is_told_of_what_waits_and_until_when) {
    const auto told = [&](const std::string& boot) {
        const auto findings = report::confirmFindings(host_.reader_, boot);
        return findings.empty() ? resource::Finding{} : findings.front();
    };
    EXPECT_EQ(told("boot").id, "");
    const auto armed = now_.arm("/usr/bin/fabricctl", kId, 120s);
    ASSERT_TRUE(armed);
    EXPECT_EQ(told("boot").id, "confirm.pending");
    EXPECT_THAT(told("boot").summary, HasSubstr(armed->deadline));
    EXPECT_THAT(told("boot").fix, HasSubstr("fabricctl confirm"));
    EXPECT_EQ(told("next").id, "confirm.cut-off");
    ASSERT_TRUE(now_.beginUndo(kId).value());
    EXPECT_EQ(told("boot").id, "confirm.restoring");
    ASSERT_TRUE(now_.endUndo(engine::ExitCode::asWanted));
    EXPECT_EQ(told("boot").id, "");
    host_.files.addFile(engine::kConfirmRecord, "{}");
    EXPECT_EQ(told("boot").id, "confirm.unreadable");
}

TEST_F(ConfirmationTest, that_nothing_is_left_which_would_undo_it_is_told) {
    const auto told = [&] {
        const auto findings = report::confirmFindings(host_.reader_, "boot");
        return findings.empty() ? std::string() : findings.front().id;
    };
    ASSERT_TRUE(now_.arm("/usr/bin/fabricctl", kId, 120s));
    EXPECT_EQ(told(), "confirm.pending");
    host_.units.active = {std::string("fabricctl-confirm-") + kId + ".service"};
    EXPECT_EQ(told(), "confirm.pending") << "its time has come, and it waits or works";
    host_.units.active.clear();
    EXPECT_EQ(told(), "confirm.not-armed");
    const auto pending = now_.nothingPending();
    ASSERT_FALSE(pending) << "what was applied is still not confirmed";
    EXPECT_THAT(pending.error().message(), HasSubstr("nothing is undone by itself"));
    EXPECT_THAT(pending.error().message(), HasSubstr("fabricctl confirm"));
    host_.units.silent = true;
    EXPECT_EQ(told(), "confirm.pending") << "unknown is not gone";
}

TEST_F(ConfirmationTest, a_process_that_is_gone_or_another_undoes_nothing) {
    const auto told = [&](const std::string& stat) {
        if (!stat.empty()) {
            host_.files.addFile("/proc/4711/stat", stat);
        }
        ConfirmRecord record{.id = kId, .bootId = "boot", .deadline = "d"};
        record.keeper = {.timer = "", .process = 4711, .processStart = 99};
        return engine::holdOf(host_.reader_, record);
    };
    const auto stat = [](const std::string& state, const std::string& start) {
        return "4711 (a) b) " + state + " 1 1 1 0 -1 0 0 0 0 0 0 0 0 0 20 0 1 0 " +
               start + " 0 0\n";
    };
    EXPECT_EQ(told(""), engine::Hold::unknown) << "/proc may hide it";
    host_.files.addFile("/proc/1/stat", "1 (init) S");
    EXPECT_EQ(told(""), engine::Hold::gone);
    EXPECT_EQ(told(stat("S", "99")), engine::Hold::armed);
    EXPECT_EQ(told(stat("S", "100")), engine::Hold::gone);
    EXPECT_EQ(told(stat("Z", "99")), engine::Hold::gone);
}

TEST_F(ConfirmationTest, undone_by_hand_nothing_goes_on_waiting) {
    ASSERT_TRUE(now_.arm("/usr/bin/fabricctl", kId, 120s));
    ASSERT_TRUE(now_.beginUndo(kId).value());
    EXPECT_TRUE(keepers_.released.empty()) << "until it was undone, it may be killed";
    ASSERT_TRUE(now_.endUndo(engine::ExitCode::asWanted));
    EXPECT_THAT(keepers_.released,
                ElementsAre(std::string("fabricctl-confirm-") + kId + ".timer"));
    EXPECT_TRUE(keepers_.disarmed.empty()) << "it may be the one that undid it";
}

TEST_F(ConfirmationTest, kept_on_a_read_only_disk_it_says_that_nothing_will_be_undone) {
    ASSERT_TRUE(now_.arm("/usr/bin/fabricctl", kId, 120s));
    host_.files.failWrite(engine::kConfirmRecord, EROFS);
    const auto kept = now_.keep();
    ASSERT_FALSE(kept);
    EXPECT_THAT(kept.error().message(), HasSubstr("nothing will be undone"));
}

TEST_F(ConfirmationTest, a_record_that_others_may_write_ends_no_unit_and_no_process) {
    ASSERT_TRUE(now_.arm("/usr/bin/fabricctl", kId, 120s));
    fake::FakeNode& file =
        host_.files.addFile(engine::kConfirmRecord, report::toJson(*record()));
    file.owner = 1000;
    EXPECT_FALSE(now_.keep());
    EXPECT_FALSE(now_.nothingPending());
    file.owner = 0;
    file.mode = 0666;
    EXPECT_FALSE(now_.keep());
    EXPECT_TRUE(keepers_.disarmed.empty());
}

TEST_F(ConfirmationTest, a_record_that_was_edited_by_hand_ends_no_unit_and_no_process) {
    ASSERT_TRUE(now_.arm("/usr/bin/fabricctl", kId, 120s));
    const ConfirmRecord whole = *record();
    for (const auto& spoil : std::vector<std::function<void(ConfirmRecord&)>>{
             [](ConfirmRecord& edited) { edited.keeper.timer = "sshd.service"; },
             [](ConfirmRecord& edited) { edited.keeper.timer.clear(); },
             [](ConfirmRecord& edited) { edited.keeper.process = 7; },
             [](ConfirmRecord& edited) { edited.keeper = {.process = 1}; },
             [](ConfirmRecord& edited) { edited.id = "../../etc/passwd"; },
         }) {
        ConfirmRecord edited = whole;
        spoil(edited);
        host_.files.addFile(engine::kConfirmRecord, report::toJson(edited));
        EXPECT_FALSE(now_.keep()) << report::toJson(edited);
        EXPECT_FALSE(now_.nothingPending());
        EXPECT_TRUE(now_.beginUndo(kId).value()) << "nor is anything confirmed";
        EXPECT_FALSE(now_.endUndo(engine::ExitCode::asWanted));
    }
    EXPECT_TRUE(keepers_.disarmed.empty());
    EXPECT_TRUE(keepers_.released.empty());
}

TEST_F(ConfirmationTest, a_damaged_record_keeps_nothing_from_being_undone) {
    for (const char* const damaged : {"", "{", "null", "[]", R"({"schema":"x"})"}) {
        host_.files.addFile(engine::kConfirmRecord, damaged);
        EXPECT_FALSE(now_.keep()) << damaged;
        EXPECT_FALSE(now_.nothingPending()) << "nobody else may write";
        EXPECT_TRUE(now_.beginUndo(kId).value()) << damaged;
    }
}

// fsync(2) of the directory fails with EIO after the record was renamed into place.
struct Unsynced : host::FileWriter {
    explicit Unsynced(host::FileWriter& real) : real_(real) {}

    Result<void> writeAttribute(std::string_view path, std::string_view text) override {
        return real_.writeAttribute(path, text);
    }

    Result<void> replaceFile(std::string_view path,
                             std::string_view text,
                             const host::FileAccess& access) override {
        const auto replaced = real_.replaceFile(path, text, access);
        return replaced ? fail(systemError("replace", std::string(path), EIO))
                        : replaced;
    }

    Result<void> makeDirectory(std::string_view path, mode_t mode) override {
        return real_.makeDirectory(path, mode);
    }

    Result<void> removeFile(std::string_view path) override {
        return real_.removeFile(path);
    }

    host::FileWriter& real_;
};

TEST_F(ConfirmationTest, a_record_that_was_not_synced_does_not_wait_for_nothing) {
    Unsynced disk(host_.files);
    Confirmation confirmation(host_.reader_, disk, keepers_, "boot");
    ASSERT_FALSE(confirmation.arm("/usr/bin/fabricctl", kId, 120s));
    EXPECT_EQ(keepers_.disarmed.size(), 1U);
    EXPECT_FALSE(record()) << "nothing was written, and nobody is to confirm it";
}

TEST_F(ConfirmationTest, undone_on_a_full_disk_it_does_not_go_on_waiting) {
    ASSERT_TRUE(now_.arm("/usr/bin/fabricctl", kId, 120s));
    ASSERT_TRUE(now_.beginUndo(kId).value());
    host_.files.failWriteAt(1, ENOSPC);
    ASSERT_TRUE(now_.endUndo(engine::ExitCode::asWanted));
    const auto kept = now_.keep();
    ASSERT_FALSE(kept) << "it would say that nothing is undone";
    EXPECT_EQ(kept.error().kind, ErrorKind::notFound);
}

TEST_F(ConfirmationTest, undone_in_part_on_a_full_disk_it_is_still_told) {
    ASSERT_TRUE(now_.arm("/usr/bin/fabricctl", kId, 120s));
    ASSERT_TRUE(now_.beginUndo(kId).value());
    host_.files.failWriteAt(1, ENOSPC);
    EXPECT_FALSE(now_.endUndo(engine::ExitCode::someFailed));
    EXPECT_FALSE(now_.nothingPending());
}

TEST_F(ConfirmationTest, what_was_undone_in_part_is_told_until_it_is_settled) {
    const auto undoneInPart = [&] {
        EXPECT_TRUE(now_.arm("/usr/bin/fabricctl", kId, 120s));
        EXPECT_TRUE(now_.beginUndo(kId).value());
        EXPECT_TRUE(now_.endUndo(engine::ExitCode::someFailed));
    };
    undoneInPart();
    const auto told = now_.nothingPending();
    ASSERT_TRUE(told && *told);
    EXPECT_EQ((*told)->id, "confirm.not-undone");
    ASSERT_TRUE(now_.restoredByHand(kId));
    EXPECT_FALSE(record());
    undoneInPart();
    ASSERT_TRUE(now_.superseded());
    EXPECT_FALSE(record());
    ASSERT_TRUE(now_.arm("/usr/bin/fabricctl", kId, 120s));
    ASSERT_TRUE(now_.superseded());
    EXPECT_TRUE(record()) << "what waits is nobody's to remove";
}

TEST_F(ConfirmationTest, nobody_else_writes_while_it_waits_and_is_told_what_to_do) {
    EXPECT_TRUE(now_.nothingPending());
    ASSERT_TRUE(now_.arm("/usr/bin/fabricctl", kId, 120s));
    const auto pending = now_.nothingPending();
    ASSERT_FALSE(pending);
    EXPECT_EQ(pending.error().kind, ErrorKind::busy);
    EXPECT_THAT(pending.error().message(), HasSubstr(kId));
    EXPECT_THAT(pending.error().message(), HasSubstr("fabricctl confirm"));
}

TEST_F(ConfirmationTest, confirmed_the_restore_is_gone_and_so_is_the_record) {
    ASSERT_TRUE(now_.arm("/usr/bin/fabricctl", kId, 120s));
    const auto kept = now_.keep();
    ASSERT_TRUE(kept) << kept.error().message();
    EXPECT_EQ(kept->id, kId);
    EXPECT_EQ(keepers_.disarmed.size(), 1U);
    EXPECT_FALSE(record());
    EXPECT_TRUE(now_.nothingPending());
    EXPECT_FALSE(now_.beginUndo(kId).value()) << "a late timer must undo nothing";
}

TEST_F(ConfirmationTest, a_restore_that_cannot_be_stopped_is_not_confirmed) {
    ASSERT_TRUE(now_.arm("/usr/bin/fabricctl", kId, 120s));
    keepers_.refusesToDisarm = true;
    EXPECT_FALSE(now_.keep());
    EXPECT_TRUE(now_.beginUndo(kId).value()) << "it is still to be undone";
}

TEST_F(ConfirmationTest, with_nothing_pending_confirm_is_an_error) {
    const auto kept = now_.keep();
    ASSERT_FALSE(kept);
    EXPECT_THAT(kept.error().message(), HasSubstr("nothing waits to be confirmed"));
    EXPECT_EQ(kept.error().kind, ErrorKind::notFound)
        << "told from a wait that was lost";
}

TEST_F(ConfirmationTest, after_the_deadline_confirm_says_when_it_was_undone) {
    ASSERT_TRUE(now_.arm("/usr/bin/fabricctl", kId, 120s));
    ASSERT_TRUE(now_.beginUndo(kId).value());
    const auto during = now_.keep();
    ASSERT_FALSE(during);
    EXPECT_THAT(during.error().message(), HasSubstr("has begun"));
    EXPECT_FALSE(now_.nothingPending());
    ASSERT_TRUE(now_.endUndo(engine::ExitCode::someFailed));
    const auto late = now_.keep();
    ASSERT_FALSE(late);
    EXPECT_THAT(late.error().message(), HasSubstr("was undone at"));
    EXPECT_THAT(late.error().message(), HasSubstr("exit 3"));
    EXPECT_TRUE(now_.nothingPending()) << "what is over keeps nobody from writing";
}

TEST_F(ConfirmationTest, an_interrupted_restore_can_be_begun_again) {
    ASSERT_TRUE(now_.arm("/usr/bin/fabricctl", kId, 120s));
    ASSERT_TRUE(now_.beginUndo(kId).value());
    EXPECT_TRUE(now_.beginUndo(kId).value());
}

TEST_F(ConfirmationTest,
       the_timer_of_another_run_undoes_nothing_and_hears_which_waits) {
    ASSERT_TRUE(now_.arm("/usr/bin/fabricctl", kId, 120s));
    const auto begun = now_.beginUndo("20260131T120000Z-000002");
    ASSERT_FALSE(begun);
    EXPECT_NE(begun.error().detail.find(kId), std::string::npos)
        << begun.error().detail;
    EXPECT_EQ(record()->state, ConfirmRecord::State::pending);
}

TEST_F(ConfirmationTest, a_boot_ends_the_wait_and_is_told_until_it_is_settled) {
    ASSERT_TRUE(now_.arm("/usr/bin/fabricctl", kId, 120s));
    Confirmation next = inBoot("next");
    const auto told = next.nothingPending();
    ASSERT_TRUE(told);
    ASSERT_TRUE(told->has_value());
    EXPECT_EQ((*told)->id, "confirm.cut-off");
    EXPECT_FALSE(next.beginUndo(kId).value());
    keepers_.refusesToDisarm = true;  // its timer went with the boot
    EXPECT_TRUE(next.keep());
    EXPECT_FALSE(record());
}

TEST_F(ConfirmationTest, a_restore_by_hand_after_a_boot_settles_it) {
    ASSERT_TRUE(now_.arm("/usr/bin/fabricctl", kId, 120s));
    Confirmation next = inBoot("next");
    ASSERT_TRUE(next.restoredByHand("20260131T120000Z-000002"));
    EXPECT_TRUE(record());
    ASSERT_TRUE(next.restoredByHand(kId));
    EXPECT_FALSE(record());
}

TEST_F(ConfirmationTest, a_damaged_record_stops_whoever_would_write) {
    for (const char* text : {"",
                             "{}",
                             "null",
                             "[[[[",
                             R"({"schema":"fabricctl/confirm/1","state":"odd"})"}) {
        host_.files.addFile(engine::kConfirmRecord, text);
        const auto pending = now_.nothingPending();
        ASSERT_FALSE(pending) << text;
        EXPECT_EQ(pending.error().kind, ErrorKind::malformed);
        EXPECT_FALSE(now_.keep());
    }
}

TEST(ConfirmRecordText, reads_back_as_the_same) {
    for (const auto state : {ConfirmRecord::State::pending,
                             ConfirmRecord::State::restoring,
                             ConfirmRecord::State::restored}) {
        const ConfirmRecord record{
            .id = kId,
            .bootId = "b",
            .state = state,
            .deadline = "d",
            .keeper = {.timer = "", .process = 7, .processStart = 1ULL << 40U},
            .ended = "e",
            .exitCode = 3};
        EXPECT_EQ(report::parseConfirmRecord(report::toJson(record)), record);
    }
}

}  // namespace
}  // namespace fabric::cli
