// SPDX-License-Identifier: Apache-2.0
#include "resource/service/service_fixture.hpp"

namespace fabric::resource::service {
namespace {

using ::testing::HasSubstr;

class ServiceHazards : public ServiceFixture {};

TEST_F(ServiceHazards, S15_memlock_in_limits_conf_is_said_to_have_no_effect) {
    host.files.addFile("/etc/security/limits.conf", "# * - memlock unlimited\n");
    EXPECT_FALSE(finding(check(), "service.login-limits"));
    host.files.addFile("/etc/security/limits.d/rdma.conf", "* - memlock unlimited\n");
    const auto found = finding(check(), "service.login-limits");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->evidence, "/etc/security/limits.d/rdma.conf");
    static_cast<void>(apply());
    EXPECT_FALSE(finding(check(), "service.login-limits"));
}

TEST_F(ServiceHazards, S06_an_assert_that_comes_back_after_ours_is_named) {
    settle();
    EXPECT_FALSE(finding(check(), "service.assert"));
    host.files.addFile("/etc/systemd/system/minio.service.d/zz.conf",
                       "[Unit]\nAssertFileIsExecutable=/usr/local/bin/minio\n");
    host.services.daemonReload();
    const auto found = finding(check(), "service.assert");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->evidence,
              "AssertFileIsExecutable=/usr/local/bin/minio in "
              "/etc/systemd/system/minio.service.d/zz.conf");
}

TEST_F(ServiceHazards, a_value_that_the_server_ignores_is_named) {
    host.files.addFile(kEnvironment,
                       "MINIO_RDMA_INTERNODE=ON\nMINIO_RDMA_DEBUG=off\n"
                       "MINIO_RDMA_TIMEOUT=long\nMINIO_RDMA_POOL_COUNT=12\n");
    const auto found = finding(check(), "service.environment-value");
    ASSERT_TRUE(found);
    EXPECT_EQ(
        found->evidence,
        "MINIO_RDMA_INTERNODE=ON in /etc/default/minio, MINIO_RDMA_TIMEOUT=long in "
        "/etc/default/minio");
}

TEST_F(ServiceHazards, a_name_that_the_server_does_not_know_is_named_with_its_nearest) {
    host.files.addFile(kEnvironment,
                       "MINIO_RDMA_INTERNDOE=on\nMINIO_RDMA_FUTURE_THING=1\n");
    const auto found = finding(check(), "service.environment-value");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->evidence,
              "MINIO_RDMA_INTERNDOE (did you mean MINIO_RDMA_INTERNODE?) in "
              "/etc/default/minio");
}

TEST_F(ServiceHazards, a_server_that_is_down_is_not_passed_over) {
    host.services.stop(kUnit);
    EXPECT_FALSE(finding(check(), "service.down")) << "nobody enabled it";
    host.services.unitFileState = "enabled";
    const auto found = finding(check(), "service.down");
    ASSERT_TRUE(found);
    EXPECT_EQ(found->severity, Severity::fail);
    EXPECT_THAT(found->evidence, HasSubstr("ActiveState=inactive"));
    host.services.state = "starting";
    EXPECT_FALSE(finding(check(), "service.down")) << "its turn will come";
    host.services.whenDown = "failed";
    EXPECT_TRUE(finding(check(), "service.down"));
    host.services.start(kUnit);
    EXPECT_FALSE(finding(check(), "service.down"));
}

TEST_F(ServiceHazards, a_server_that_has_pinned_nothing_after_a_minute_is_named) {
    settle();
    host.clock.advance(std::chrono::minutes(5));
    host.services.activeSince = host.clock.now() - std::chrono::seconds(59);
    EXPECT_FALSE(finding(check(), "service.nothing-pinned"));
    host.services.activeSince = host.clock.now() - std::chrono::seconds(61);
    EXPECT_TRUE(finding(check(), "service.nothing-pinned"));
    host.files.addFile(
        "/proc/" + std::to_string(host.services.pidOf(kUnit)) + "/status",
        "VmPin:\t  41943040 kB\n");
    EXPECT_FALSE(finding(check(), "service.nothing-pinned"));
}

// The time is 64 bits without a sign, of a bus or a file that may say anything.
TEST_F(ServiceHazards, a_server_that_is_active_since_a_time_to_come_did_not_run_yet) {
    settle();
    host.clock.advance(std::chrono::minutes(5));
    const std::chrono::microseconds wrapped(-1);
    host.services.activeSince = std::chrono::steady_clock::time_point(wrapped);
    EXPECT_FALSE(finding(check(), "service.nothing-pinned"));
}

}  // namespace
}  // namespace fabric::resource::service
