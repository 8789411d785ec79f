// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/lossless_parts.hpp"

#include "harness.hpp"
#include "resource/dcb/observe.hpp"

#include <gtest/gtest.h>

namespace fabric::resource::dcb {
namespace {

LosslessParts partsOf(Machine& machine) {
    const inventory::PhysicalPort& port = machine.rail.rail.ports.front();
    return losslessParts(*observe(machine.host.reader(), port),
                         driverFacts(port.driver));
}

TEST(DcbLosslessParts, of_a_converged_mlx5_port) {
    Machine machine(fake::DcbDriver::mlx5);
    machine.apply();
    const LosslessParts parts = partsOf(machine);
    EXPECT_EQ(parts.dcbx, DcbxControl::host);
    EXPECT_EQ(parts.trust, TrustState::dscp);
    EXPECT_EQ(parts.pfc, std::set{Priority::of(3)});
    EXPECT_EQ(parts.priorityOf(Dscp::of(26)), Priority::of(3));
    EXPECT_EQ(parts.dscpsOn(Priority::of(3)).size(), 8U);
    EXPECT_TRUE(parts.everyDscpKnown);
    EXPECT_TRUE(parts.listProvesHardware);
    EXPECT_EQ(parts.cableLength, 7);
    const auto buffer = parts.bufferOf(Priority::of(3));
    ASSERT_TRUE(buffer.has_value());
    EXPECT_EQ(buffer->buffer, 1);
    EXPECT_EQ(buffer->bytes, 130896U);
    EXPECT_TRUE(buffer->lossless);
    EXPECT_TRUE(buffer->sharedWith.empty());
}

TEST(DcbLosslessParts, D09_a_fresh_mlx5_port_has_a_map_that_is_not_known) {
    Machine machine(fake::DcbDriver::mlx5);
    const LosslessParts parts = partsOf(machine);
    EXPECT_EQ(parts.dcbx, DcbxControl::firmware);
    EXPECT_EQ(parts.trust, TrustState::pcp);
    EXPECT_FALSE(parts.everyDscpKnown);
    EXPECT_EQ(parts.priorityOf(Dscp::of(26)), std::nullopt);
}

TEST(DcbLosslessParts, a_buffer_that_is_shared_with_a_lossy_priority_is_not_lossless) {
    Machine machine(fake::DcbDriver::mlx5);
    machine.port().pfc.pfc_en = 0x08;
    const auto buffer = partsOf(machine).bufferOf(Priority::of(3));
    ASSERT_TRUE(buffer.has_value());
    EXPECT_FALSE(buffer->lossless);
    EXPECT_EQ(buffer->sharedWith.size(), 7U);
}

TEST(DcbLosslessParts, D07_what_is_not_told_is_unknown) {
    Machine machine(fake::DcbDriver::bnxt);
    machine.port().faults.unreadable = {fake::DcbSetter::pfc, fake::DcbSetter::dcbx};
    const LosslessParts parts = partsOf(machine);
    EXPECT_EQ(parts.pfc, std::nullopt);
    EXPECT_EQ(parts.dcbx, DcbxControl::unknown);
    EXPECT_EQ(parts.bufferOf(Priority::of(3)), std::nullopt);
    EXPECT_EQ(parts.cableLength, std::nullopt);
}

TEST(DcbLosslessParts, D08_a_list_that_is_edited_first_proves_nothing) {
    Machine machine(fake::DcbDriver::bnxt);
    machine.apply();
    EXPECT_FALSE(partsOf(machine).listProvesHardware);
}

TEST(DcbLosslessParts, D12_two_priorities_are_no_answer) {
    State state;
    state.apps = std::vector<AppEntry>{
        {.selector = kSelectorDscp, .protocol = 26, .priority = 0},
        {.selector = kSelectorDscp, .protocol = 26, .priority = 3}};
    const LosslessParts parts = losslessParts(state, driverFacts("mlx5_core"));
    EXPECT_EQ(parts.priorityOf(Dscp::of(26)), std::nullopt);
    EXPECT_EQ(parts.dscpToPriority.at(Dscp::of(26)).size(), 2U);
}

}  // namespace
}  // namespace fabric::resource::dcb
