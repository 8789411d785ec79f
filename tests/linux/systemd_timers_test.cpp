// SPDX-License-Identifier: Apache-2.0
#include "linux/systemd_timers.hpp"

#include "linux/bus_timers.hpp"
#include "linux/delayed_commands.hpp"
#include "linux/private_bus.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <linux/capability.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <fstream>
#include <map>
#include <optional>
#include <sstream>
#include <string>

namespace fabric::linux_host {
namespace {

using testing::BusTimers;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

using Elapse = sdbus::Struct<std::string, std::uint64_t>;
using Command = sdbus::Struct<std::string, std::vector<std::string>, bool>;

// The numbers that capabilities(7) gives the names of the units.
const std::map<std::string, unsigned> kCapabilities{
    {"CAP_NET_ADMIN", CAP_NET_ADMIN},
    {"CAP_NET_RAW", CAP_NET_RAW},
    {"CAP_SYS_ADMIN", CAP_SYS_ADMIN},
    {"CAP_SYS_MODULE", CAP_SYS_MODULE},
    {"CAP_DAC_READ_SEARCH", CAP_DAC_READ_SEARCH},
    {"CAP_SYS_PTRACE", CAP_SYS_PTRACE},
    {"CAP_SETUID", CAP_SETUID},
    {"CAP_SETGID", CAP_SETGID}};

host::DelayedCommand undo() {
    return {.name = "fabricctl-confirm-20260131T120000Z-000001",
            .what = "undo it",
            .arguments = {"/usr/bin/fabricctl", "restore", "20260131T120000Z-000001"},
            .delay = std::chrono::seconds(120)};
}

class SystemdTimersTest : public ::testing::Test {
  protected:
    BusTimers& systemd(BusTimers::Behaviour behaviour = {}) {
        return systemd_.emplace(bus_.address(), std::move(behaviour));
    }

    testing::PrivateBus bus_;
    std::optional<BusTimers> systemd_;
    SystemdBus connection_;
    SystemdTimers timers_{connection_};
};

TEST_F(SystemdTimersTest, a_command_becomes_a_timer_and_its_service) {
    const BusTimers& bus = systemd();
    const auto keeper = timers_.arm(undo());
    ASSERT_TRUE(keeper) << keeper.error().message();
    EXPECT_EQ(keeper->timer, undo().name + ".timer");
    EXPECT_EQ(keeper->process, 0U);
    const BusTimers::Asked asked = bus.asked();
    EXPECT_EQ(asked.timer, keeper->timer);
    EXPECT_EQ(asked.mode, "fail");
    EXPECT_EQ(asked.service, undo().name + ".service");
    const auto elapse =
        asked.timerProperties.at("TimersMonotonic").get<std::vector<Elapse>>();
    ASSERT_EQ(elapse.size(), 1U);
    EXPECT_EQ(elapse[0].get<0>(), "OnActiveSec");
    EXPECT_EQ(elapse[0].get<1>(), 120'000'000U);
    EXPECT_LE(asked.timerProperties.at("AccuracyUSec").get<std::uint64_t>(),
              1'000'000U);
    const auto command =
        asked.serviceProperties.at("ExecStart").get<std::vector<Command>>();
    ASSERT_EQ(command.size(), 1U);
    EXPECT_EQ(command[0].get<0>(), "/usr/bin/fabricctl");
    EXPECT_EQ(command[0].get<1>(), undo().arguments);
    EXPECT_TRUE(asked.stopped.empty());
}

TEST_F(SystemdTimersTest, a_refusal_is_an_error) {
    systemd({.refuses = true});
    const auto keeper = timers_.arm(undo());
    ASSERT_FALSE(keeper);
    EXPECT_THAT(keeper.error().message(), HasSubstr("it is there already"));
}

TEST_F(SystemdTimersTest, what_was_started_without_an_answer_is_taken_back) {
    const BusTimers& bus = systemd({.noAnswer = true});
    EXPECT_FALSE(timers_.arm(undo()));
    EXPECT_THAT(bus.asked().stopped,
                ElementsAre(undo().name + ".timer", undo().name + ".service"));
}

// The sandbox of the restore is that of the unit which applies; three lines differ, see
// commandSandbox().
class RestoreSandbox : public SystemdTimersTest {
  protected:
    RestoreSandbox() {
        systemd();
        EXPECT_TRUE(timers_.arm(undo()));
        asked_ = systemd_->asked().serviceProperties;
        std::ifstream unit(FABRIC_APPLY_UNIT);
        for (std::string line; std::getline(unit, line);) {
            const std::size_t equals = line.find('=');
            // A restore also gives files back to their owners: it keeps all sets.
            const bool narrower = line.starts_with("SystemCallFilter=~");
            if (equals != std::string::npos && line.front() != '#' && !narrower) {
                inUnit_[line.substr(0, equals)] = line.substr(equals + 1);
            }
        }
    }

    [[nodiscard]] std::string words(const std::string& name) const {
        using Filter = sdbus::Struct<bool, std::vector<std::string>>;
        const sdbus::Variant& value = asked_.at(name);
        return fmt::format("{}",
                           fmt::join(value.containsValueOfType<Filter>()
                                         ? value.get<Filter>().get<1>()
                                         : value.get<std::vector<std::string>>(),
                                     " "));
    }

    std::map<std::string, sdbus::Variant> asked_;
    std::map<std::string, std::string> inUnit_;
};

TEST_F(RestoreSandbox, holds_each_line_of_the_unit_that_applies) {
    ASSERT_GT(inUnit_.size(), 20U) << FABRIC_APPLY_UNIT;
    for (const char* aboutTheStart : {"Description",
                                      "Documentation",
                                      "ConditionPathExists",
                                      "After",
                                      "Wants",
                                      "Before",
                                      "WantedBy",
                                      "RemainAfterExit",
                                      "NotifyAccess",
                                      "TimeoutStartSec",
                                      // Where the program lies, it must be found.
                                      "PrivateTmp"}) {
        inUnit_.erase(aboutTheStart);
    }
    for (const auto& [name, value] : inUnit_) {
        ASSERT_TRUE(asked_.contains(name)) << name << "=" << value;
        if (value == "yes" && asked_.at(name).containsValueOfType<bool>()) {
            EXPECT_TRUE(asked_.at(name).get<bool>()) << name;
        }
    }
    for (const char* list : {"SystemCallFilter",
                             "SystemCallArchitectures",
                             "RestrictAddressFamilies",
                             "ReadWritePaths",
                             "RuntimeDirectory",
                             "StateDirectory"}) {
        EXPECT_EQ(words(list), inUnit_.at(list)) << list;
    }
    for (const char* word : {"ProtectSystem", "KeyringMode", "DevicePolicy"}) {
        EXPECT_EQ(asked_.at(word).get<std::string>(), inUnit_.at(word)) << word;
    }
}

TEST_F(RestoreSandbox, has_the_capabilities_of_the_unit_and_those_to_give_files_back) {
    std::uint64_t wanted =
        (std::uint64_t{1} << CAP_CHOWN) | (std::uint64_t{1} << CAP_FOWNER);
    std::istringstream names(inUnit_.at("CapabilityBoundingSet"));
    for (std::string name; names >> name;) {
        ASSERT_TRUE(kCapabilities.contains(name)) << name;
        wanted |= std::uint64_t{1} << kCapabilities.at(name);
    }
    EXPECT_EQ(asked_.at("CapabilityBoundingSet").get<std::uint64_t>(), wanted);
}

TEST_F(RestoreSandbox, finds_a_program_in_a_home_directory) {
    EXPECT_EQ(asked_.at("ProtectHome").get<std::string>(), "read-only");
    EXPECT_FALSE(asked_.contains("PrivateTmp"));
}

TEST_F(SystemdTimersTest, a_job_that_failed_is_an_error) {
    systemd({.jobResult = "failed"});
    EXPECT_FALSE(timers_.arm(undo()));
}

TEST_F(SystemdTimersTest, a_timer_that_is_not_active_is_taken_back) {
    const BusTimers& bus = systemd({.stateAfterStart = "failed"});
    const auto keeper = timers_.arm(undo());
    ASSERT_FALSE(keeper);
    EXPECT_THAT(keeper.error().message(), HasSubstr("it is failed"));
    EXPECT_THAT(bus.asked().stopped,
                ElementsAre(undo().name + ".timer", undo().name + ".service"));
}

TEST_F(SystemdTimersTest, an_elapse_that_is_over_or_too_late_is_taken_back) {
    for (const std::int64_t shift : {-121'000'000LL, 60'000'000LL}) {
        const BusTimers& bus = systemd({.elapseShiftUs = shift});
        SystemdBus connection;
        const auto keeper = SystemdTimers(connection).arm(undo());
        ASSERT_FALSE(keeper) << shift;
        EXPECT_THAT(keeper.error().message(), HasSubstr("it elapses at"));
        EXPECT_EQ(bus.asked().stopped.size(), 2U);
        systemd_.reset();
    }
}

TEST_F(SystemdTimersTest, a_service_that_would_run_something_else_is_taken_back) {
    systemd({.otherCommand = true});
    EXPECT_FALSE(timers_.arm(undo()));
    systemd_.reset();
    systemd({.serviceLoadState = "bad-setting"});
    SystemdBus connection;
    EXPECT_THAT(SystemdTimers(connection).arm(undo()).error().message(),
                HasSubstr("bad-setting"));
}

TEST_F(SystemdTimersTest, disarming_is_seen_in_the_unit) {
    const BusTimers& bus = systemd();
    const auto keeper = timers_.arm(undo());
    ASSERT_TRUE(keeper);
    ASSERT_TRUE(timers_.disarm(*keeper));
    EXPECT_THAT(bus.asked().stopped,
                ElementsAre(undo().name + ".timer", undo().name + ".service"));
    // Gone already: NoSuchUnit.
    EXPECT_TRUE(timers_.disarm(*keeper));
}

TEST_F(SystemdTimersTest, the_wait_alone_is_released_and_not_the_command) {
    const BusTimers& bus = systemd();
    const auto keeper = timers_.arm(undo());
    ASSERT_TRUE(keeper) << keeper.error().message();
    ASSERT_TRUE(timers_.release(*keeper));
    EXPECT_THAT(bus.asked().stopped, ElementsAre(keeper->timer))
        << "the service may be what asks";
}

TEST_F(SystemdTimersTest, a_timer_that_does_not_stop_is_an_error) {
    systemd({.stateAfterStop = "active"});
    const auto keeper = timers_.arm(undo());
    ASSERT_TRUE(keeper);
    const auto gone = timers_.disarm(*keeper);
    ASSERT_FALSE(gone);
    EXPECT_THAT(gone.error().message(), HasSubstr("still active"));
}

TEST_F(SystemdTimersTest, without_systemd_a_process_of_our_own_waits) {
    TimersOrWatchdog commands(connection_);
    const auto keeper = commands.arm(undo());
    ASSERT_TRUE(keeper) << keeper.error().message();
    EXPECT_EQ(keeper->timer, "");
    EXPECT_NE(keeper->process, 0U);
    EXPECT_TRUE(commands.disarm(*keeper));
}

TEST_F(SystemdTimersTest, a_systemd_that_refuses_is_not_replaced_by_a_process) {
    systemd({.refuses = true});
    EXPECT_FALSE(TimersOrWatchdog(connection_).arm(undo()));
}

}  // namespace
}  // namespace fabric::linux_host
