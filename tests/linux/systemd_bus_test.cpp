// SPDX-License-Identifier: Apache-2.0
#include "linux/systemd_bus.hpp"

#include "linux/bus_systemd.hpp"
#include "linux/private_bus.hpp"
#include "linux/systemd_service_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>

namespace fabric::linux_host {
namespace {

using testing::BusSystemd;
using ::testing::HasSubstr;
using testing::PrivateBus;

constexpr const char* kUnit = "minio.service";
constexpr BusDeadlines kShort{.call = std::chrono::milliseconds(300),
                              .reload = std::chrono::milliseconds(300),
                              .job = std::chrono::milliseconds(300)};
// For what must happen in time, however busy the machine is.
constexpr BusDeadlines kLong{};

class SystemdBusTest : public ::testing::Test {
  protected:
    BusSystemd& systemd(BusSystemd::Behaviour behaviour = {}) {
        return systemd_.emplace(bus_.address(), std::move(behaviour));
    }

    PrivateBus bus_;
    std::optional<BusSystemd> systemd_;
};

TEST_F(SystemdBusTest, every_property_arrives_with_its_meaning) {
    systemd();
    const SystemdBus bus(kLong);
    const auto unit = bus.unit(kUnit);
    ASSERT_TRUE(unit) << unit.error().message();
    EXPECT_EQ(unit->loadState, "loaded");
    EXPECT_EQ(unit->activeState, "active");
    EXPECT_EQ(unit->unitFileState, "enabled");
    EXPECT_EQ(unit->fragmentPath, "/usr/lib/systemd/system/minio.service");
    EXPECT_EQ(unit->dropInPaths.size(), 1U);
    EXPECT_TRUE(unit->needDaemonReload);
    EXPECT_EQ(unit->after, std::vector<std::string>{"fabricctl.service"});
    EXPECT_EQ(unit->inactiveExitUs, 5U);
    EXPECT_EQ(unit->activeEnterUs, 6U);
    EXPECT_EQ(unit->limitMemlock,
              (host::ResourceLimit{.soft = 8388608, .hard = host::kNoLimit}));
    EXPECT_EQ(
        unit->execStart,
        (std::vector<host::ServiceCommand>{{.path = "/usr/local/bin/minio.rdma",
                                            .arguments = {"minio.rdma", "server"}}}));
    EXPECT_EQ(unit->asserts,
              (std::vector<host::ServiceAssert>{{.type = "AssertFileIsExecutable",
                                                 .trigger = false,
                                                 .negate = true,
                                                 .parameter = "/x"}}));
    EXPECT_EQ(unit->environmentFiles,
              (std::vector<host::ServiceEnvironmentFile>{
                  {.path = "/etc/default/minio", .optional = true}}));
    EXPECT_EQ(unit->user, "minio-user");
    EXPECT_EQ(unit->mainPid, 4711U);
    EXPECT_EQ(bus.systemState(), "running");
}

TEST_F(SystemdBusTest, no_bus_is_not_found_and_says_so) {
    bus_.end();
    const auto unit = SystemdBus(kShort).unit(kUnit);
    ASSERT_FALSE(unit);
    EXPECT_EQ(unit.error().kind, ErrorKind::notFound);
    EXPECT_THAT(unit.error().message(), HasSubstr("no system bus"));
}

TEST_F(SystemdBusTest, a_bus_without_systemd_is_not_found_and_says_so) {
    const auto unit = SystemdBus(kLong).unit(kUnit);
    ASSERT_FALSE(unit);
    EXPECT_EQ(unit.error().kind, ErrorKind::notFound);
    EXPECT_THAT(unit.error().advice, HasSubstr("/run/systemd/system"));
}

TEST_F(SystemdBusTest, no_answer_is_a_timeout) {
    systemd({.silent = true});
    const auto unit = SystemdBus(kShort).unit(kUnit);
    ASSERT_FALSE(unit);
    EXPECT_EQ(unit.error().kind, ErrorKind::timeout);
}

TEST_F(SystemdBusTest, another_type_is_malformed_and_names_the_property) {
    for (const char* property : {"LoadError",
                                 "ActiveState",
                                 "SubState",
                                 "UnitFileState",
                                 "FragmentPath",
                                 "DropInPaths",
                                 "NeedDaemonReload",
                                 "After",
                                 "InactiveExitTimestampMonotonic",
                                 "ActiveEnterTimestampMonotonic",
                                 "Asserts",
                                 "ExecStart",
                                 "LimitMEMLOCKSoft",
                                 "LimitMEMLOCK",
                                 "Environment",
                                 "EnvironmentFiles",
                                 "User",
                                 "MainPID"}) {
        systemd({.otherType = property});
        const auto unit = SystemdBus(kLong).unit(kUnit);
        ASSERT_FALSE(unit) << property;
        EXPECT_EQ(unit.error().kind, ErrorKind::malformed);
        EXPECT_THAT(unit.error().message(), HasSubstr(property));
    }
}

TEST_F(SystemdBusTest, a_bus_that_comes_back_is_used_again) {
    const SystemdBus bus(kLong);
    ASSERT_FALSE(bus.unit(kUnit));
    systemd();
    EXPECT_TRUE(bus.unit(kUnit));
}

TEST_F(SystemdBusTest, a_reload_says_what_became_of_the_unit) {
    BusSystemd& manager = systemd({.loadStateAfterReload = "bad-setting"});
    const SystemdBus bus(kLong);
    const auto reloaded = SystemdServiceWriter(bus).reload(kUnit);
    ASSERT_FALSE(reloaded);
    EXPECT_EQ(reloaded.error().kind, ErrorKind::refused);
    EXPECT_THAT(reloaded.error().detail, HasSubstr("bad-setting Unit has a bad"));
    EXPECT_EQ(manager.reloads(), 1);
}

TEST_F(SystemdBusTest, a_reload_without_an_answer_is_a_timeout) {
    systemd({.silentReload = true});
    const SystemdBus bus(kShort);
    EXPECT_EQ(SystemdServiceWriter(bus).reload(kUnit).error().kind, ErrorKind::timeout);
}

TEST_F(SystemdBusTest, a_restart_ends_with_its_own_job_before_or_after_the_reply) {
    for (const auto end :
         {BusSystemd::JobEnd::beforeReply, BusSystemd::JobEnd::afterReply}) {
        BusSystemd& manager = systemd({.jobEnd = end});
        const SystemdBus bus(kLong);
        EXPECT_TRUE(SystemdServiceWriter(bus).restart({.unit = kUnit}));
        EXPECT_EQ(manager.restarts(), 1);
        // Else it waits for fabricctl.service, which may be waiting for it.
        EXPECT_EQ(manager.restartMode(), "ignore-dependencies");
    }
}

TEST_F(SystemdBusTest, a_job_that_fails_is_refused_with_its_result) {
    systemd({.jobResult = "dependency"});
    const SystemdBus bus(kLong);
    const auto restarted = SystemdServiceWriter(bus).restart({.unit = kUnit});
    ASSERT_FALSE(restarted);
    EXPECT_EQ(restarted.error().kind, ErrorKind::refused);
    EXPECT_THAT(restarted.error().detail, HasSubstr("'dependency'"));
}

TEST_F(SystemdBusTest, S14_a_job_without_an_end_is_given_up_and_the_state_is_read) {
    systemd({.jobEnd = BusSystemd::JobEnd::never, .jobStays = true});
    const SystemdBus bus({.job = std::chrono::milliseconds(300)});
    const auto restarted = SystemdServiceWriter(bus).restart({.unit = kUnit});
    ASSERT_FALSE(restarted);
    EXPECT_EQ(restarted.error().kind, ErrorKind::timeout);
    EXPECT_THAT(restarted.error().detail, HasSubstr("the unit is active"));
}

TEST_F(SystemdBusTest, S14_a_job_whose_end_was_not_told_is_judged_by_the_unit) {
    systemd({.jobEnd = BusSystemd::JobEnd::never, .jobStays = false});
    const SystemdBus bus({.job = std::chrono::milliseconds(300)});
    EXPECT_TRUE(SystemdServiceWriter(bus).restart({.unit = kUnit}));
}

TEST_F(SystemdBusTest, nothing_is_restarted_while_the_system_is_starting) {
    BusSystemd& manager = systemd({.systemState = "starting"});
    const SystemdBus bus(kLong);
    const auto restarted = SystemdServiceWriter(bus).restart({.unit = kUnit});
    ASSERT_FALSE(restarted);
    EXPECT_THAT(restarted.error().detail, HasSubstr("the system is starting"));
    EXPECT_EQ(manager.restarts(), 0);
}

TEST_F(SystemdBusTest, a_restart_that_would_not_help_is_not_sent) {
    BusSystemd& manager = systemd();
    const SystemdBus bus(kLong);
    SystemdServiceWriter writer(bus);
    EXPECT_FALSE(writer.restart({.unit = kUnit, .program = "/usr/local/bin/other"}));
    EXPECT_FALSE(writer.restart({.unit = kUnit,
                                 .program = "/usr/local/bin/minio.rdma",
                                 .limitMemlock = host::ResourceLimit{
                                     .soft = host::kNoLimit, .hard = host::kNoLimit}}));
    EXPECT_EQ(manager.restarts(), 0);
}

}  // namespace
}  // namespace fabric::linux_host
