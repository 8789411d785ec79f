// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/observe.hpp"

#include "fake/fake_dcb.hpp"
#include "fake/fake_host.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace fabric::resource::dcb {
namespace {

class DcbObserve : public testing::Test {
  protected:
    DcbObserve() {
        machine_.useDcb(dcb_, dcb_);
        machine_.links.add(7, "rail0");
    }

    static inventory::PhysicalPort port(std::string driver) {
        return {.link = {7}, .name = "rail0", .driver = std::move(driver)};
    }

    fake::FakeHost machine_;
    fake::FakeDcb dcb_;
};

TEST_F(DcbObserve, one_request_tells_everything) {
    dcb_.add({7}, fake::DcbDriver::mlx5);
    const auto state = observe(machine_.reader(), port("mlx5_core"));
    ASSERT_TRUE(state.has_value());
    EXPECT_EQ(dcb_.getCalls(), 1U);
    EXPECT_EQ(state->dcbx, kDcbxCee | kDcbxIeee);
    EXPECT_EQ(state->pfc->delay, 7);
    EXPECT_EQ(state->buffers->totalBytes, 262016U);
    EXPECT_FALSE(state->appTrust.has_value());
    EXPECT_FALSE(state->sysfs.has_value());
}

TEST_F(DcbObserve, D07_a_getter_that_fails_leaves_its_value_untold) {
    dcb_.add({7}, fake::DcbDriver::mlx5).faults.unreadable = {fake::DcbSetter::pfc};
    const auto state = observe(machine_.reader(), port("mlx5_core"));
    ASSERT_TRUE(state.has_value());
    EXPECT_FALSE(state->pfc.has_value());
    EXPECT_TRUE(state->ets.has_value());
}

TEST_F(DcbObserve, no_dcb_at_all_is_unsupported) {
    dcb_.add({7}, fake::DcbDriver::none);
    const auto state = observe(machine_.reader(), port("ionic"));
    ASSERT_FALSE(state.has_value());
    EXPECT_EQ(state.error().kind, ErrorKind::unsupported);
}

TEST_F(DcbObserve, truncated_answers_are_malformed_on_that_port_only) {
    dcb_.add({7}, fake::DcbDriver::mlx5).faults.mangleGet = [](host::DcbAnswer answer) {
        answer.resize(answer.size() / 2);
        return answer;
    };
    const auto state = observe(machine_.reader(), port("mlx5_core"));
    ASSERT_FALSE(state.has_value());
    EXPECT_EQ(state.error().kind, ErrorKind::malformed);
}

TEST_F(DcbObserve, old_ofed_shows_trust_and_map_in_sysfs) {
    dcb_.add({7}, fake::DcbDriver::mlx5);
    machine_.files.addFile("/sys/class/net/rail0/qos/trust", "dscp\n");
    machine_.files.addFile("/sys/class/net/rail0/qos/dscp2prio",
                           "dscp\tprio\n0\t0\n26\t3\n99\t1\n");
    const auto state = observe(machine_.reader(), port("mlx5_core"));
    ASSERT_TRUE(state.has_value());
    ASSERT_TRUE(state->sysfs.has_value());
    EXPECT_EQ(state->sysfs->trust, "dscp");
    const std::map<Dscp, std::uint8_t> map{{Dscp::of(0), 0}, {Dscp::of(26), 3}};
    EXPECT_EQ(state->sysfs->dscpToPriority, map);
    EXPECT_EQ(state->sysfs->error, "");
}

TEST_F(DcbObserve, a_sysfs_file_that_cannot_be_read_is_said) {
    dcb_.add({7}, fake::DcbDriver::mlx5);
    machine_.files.addFile("/sys/class/net/rail0/qos/trust", "dscp\n");
    machine_.files.failRead("/sys/class/net/rail0/qos/trust", EIO);
    const auto state = observe(machine_.reader(), port("mlx5_core"));
    ASSERT_TRUE(state.has_value());
    ASSERT_TRUE(state->sysfs.has_value());
    EXPECT_NE(state->sysfs->error, "");
}

TEST_F(DcbObserve, D18_the_files_of_a_renamed_port_are_found_under_its_present_name) {
    dcb_.add({7}, fake::DcbDriver::mlx5);
    machine_.links.find({7})->name = "swp7";
    machine_.files.addFile("/sys/class/net/rail0/qos/trust", "dscp\n");
    machine_.files.addFile("/sys/class/net/swp7/qos/trust", "pcp\n");
    machine_.files.addFile("/sys/class/net/swp7/qos/dscp2prio", "");
    const auto state = observe(machine_.reader(), port("mlx5_core"));
    ASSERT_TRUE(state.has_value());
    EXPECT_EQ(state->sysfs->trust, "pcp");
}

TEST_F(DcbObserve, D18_a_port_that_goes_meanwhile_is_not_a_port_without_ofed_files) {
    dcb_.add({7}, fake::DcbDriver::mlx5);
    machine_.links.remove({7});
    EXPECT_FALSE(observe(machine_.reader(), port("mlx5_core")).has_value());
}

TEST_F(DcbObserve, other_drivers_are_not_asked_for_ofed_files) {
    dcb_.add({7}, fake::DcbDriver::ice);
    machine_.files.addFile("/sys/class/net/rail0/qos/trust", "dscp\n");
    EXPECT_FALSE(observe(machine_.reader(), port("ice"))->sysfs.has_value());
    EXPECT_EQ(machine_.files.readCount(), 0U);
}

}  // namespace
}  // namespace fabric::resource::dcb
