// SPDX-License-Identifier: Apache-2.0
#include "harness.hpp"

#include <gtest/gtest.h>

namespace fabric::resource::dcb {
namespace {

using fake::DcbDriver;
using fake::DcbSetter;
using profile::Origin;

void ownSize(Machine& machine, std::uint8_t buffer, std::uint64_t bytes) {
    machine.wanted.bufferSize = {{{BufferIndex::of(buffer), Bytes{bytes}}}};
}

TEST(DcbBuffers, D02_without_an_operation_derived_is_excused_and_explicit_is_not) {
    Machine machine(DcbDriver::bnxt);
    const Comparison derived = machine.look();
    EXPECT_EQ(verdictOf(derived, "priority-to-buffer"), Verdict::notApplicable);
    ASSERT_NE(findingOf(derived, "dcb.uncontrollable"), nullptr);
    EXPECT_EQ(findingOf(derived, "dcb.uncontrollable")->severity, Severity::warn);
    machine.wanted.priorityToBuffer->origin = Origin::explicitly;
    EXPECT_EQ(verdictOf(machine.look(), "priority-to-buffer"), Verdict::unsupported);
    ownSize(machine, 1, 262144);
    EXPECT_EQ(verdictOf(machine.apply(), "buffer-size"), Verdict::unsupported);
    EXPECT_EQ(machine.port().calls[DcbSetter::buffer], 0U);
}

TEST(DcbBuffers, an_explicit_map_keeps_priorities_that_it_does_not_list) {
    Machine machine(DcbDriver::mlx5);
    machine.wanted.priorityToBuffer = {{{Priority::of(3), BufferIndex::of(1)}},
                                       Origin::explicitly};
    machine.port().buffer.prio2buffer[5] = 4;
    EXPECT_EQ(verdictOf(machine.apply(), "priority-to-buffer"), Verdict::inSync);
    EXPECT_EQ(machine.port().buffer.prio2buffer[5], 4);
    EXPECT_EQ(machine.port().buffer.prio2buffer[3], 1);
}

TEST(DcbBuffers, a_derived_map_sends_every_other_priority_to_buffer_0) {
    Machine machine(DcbDriver::mlx5);
    machine.port().buffer.prio2buffer[5] = 1;
    const Comparison before = machine.look();
    EXPECT_EQ(verdictOf(before, "priority-to-buffer"), Verdict::differs);
    machine.apply();
    EXPECT_EQ(machine.port().buffer.prio2buffer[5], 0);
}

TEST(DcbBuffers, sizes_that_are_not_owned_are_preserved) {
    Machine machine(DcbDriver::mlx5);
    machine.port().buffer.buffer_size[6] = 1440;
    machine.port().buffer.buffer_size[0] = 129600;
    machine.apply();
    EXPECT_EQ(machine.port().buffer.buffer_size[6], 1440U);
    EXPECT_EQ(machine.port().buffer.buffer_size[1], 130896U);
}

TEST(DcbBuffers, a_size_is_equal_when_at_most_1_kib_below) {
    Machine machine(DcbDriver::mlx5);
    ownSize(machine, 1, 100000);
    machine.port().buffer.buffer_size[1] = 100000 - 1024;
    EXPECT_EQ(verdictOf(machine.look(), "buffer-size"), Verdict::inSync);
    machine.port().buffer.buffer_size[1] = 100000 - 1025;
    EXPECT_EQ(verdictOf(machine.look(), "buffer-size"), Verdict::differs);
    machine.port().buffer.buffer_size[1] = 100001;
    EXPECT_EQ(verdictOf(machine.look(), "buffer-size"), Verdict::differs);
}

TEST(DcbBuffers, map_and_sizes_go_in_one_message) {
    Machine machine(DcbDriver::mlx5);
    ownSize(machine, 1, 100000);
    const Comparison before = machine.look();
    EXPECT_EQ(stepFor(before, "priority-to-buffer"), stepFor(before, "buffer-size"));
    EXPECT_EQ(stepFor(before, "buffer-size")->writes.size(), 1U);
}

TEST(DcbBuffers, D05_too_small_for_lossless_fails_as_enomem_or_enotsupp) {
    Machine machine(DcbDriver::mlx5);
    ownSize(machine, 1, 20000);
    const Comparison after = machine.apply();
    ASSERT_EQ(machine.last.errors.size(), 1U);
    EXPECT_NE(machine.last.errors[0].find("ENOMEM or ENOTSUPP"), std::string::npos);
    EXPECT_EQ(verdictOf(after, "buffer-size"), Verdict::differs);
}

TEST(DcbBuffers, a_size_that_the_message_cannot_carry_is_not_cut_off) {
    Machine machine(DcbDriver::mlx5);
    ownSize(machine, 1, (std::uint64_t{1} << 32U) + 100000);
    const Comparison look = machine.look();
    EXPECT_EQ(verdictOf(look, "buffer-size"), Verdict::unsupported);
    EXPECT_EQ(stepFor(look, "buffer-size"), nullptr);
}

}  // namespace
}  // namespace fabric::resource::dcb
