// SPDX-License-Identifier: Apache-2.0
#include "fake/fake_pci.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace fabric::fake {
namespace {

const PciAddress kPort{.domain = 0x10000, .bus = 1, .device = 2, .function = 0};
constexpr std::uint16_t kAcs = 0x148;

FakePci machine() {
    FakePci pci;
    FakeFunction& port =
        pci.add({.address = kPort, .vendor = 0x8086, .device = 0x352a});
    port.addExtendedCapability(kAcs, 0x000D, 0);
    port.setWord(kAcs + 4, 0x005F);
    port.setWord(kAcs + 6, 0x001D);
    port.readOnly[kAcs + 6] = 0xFFA0;
    return pci;
}

host::PciCapabilityWrite clearing(std::uint16_t bits) {
    return {.address = kPort,
            .capabilityId = 0x000D,
            .capability = kAcs,
            .registerOffset = 6,
            .clear = bits,
            .set = 0};
}

TEST(FakePci, a_masked_write_keeps_the_other_bits) {
    FakePci pci = machine();
    const auto done = pci.update(clearing(0x002C)).value();
    EXPECT_EQ(done.before, 0x001D);
    EXPECT_EQ(done.written, 0x0011);
    EXPECT_EQ(pci.find(kPort)->word(kAcs + 6), 0x0011);
}

TEST(FakePci, a_fixed_bit_does_not_move) {
    FakePci pci = machine();
    pci.find(kPort)->readOnly[kAcs + 6] = 0x0004;
    EXPECT_TRUE(pci.update(clearing(0x002C)));
    EXPECT_EQ(pci.find(kPort)->word(kAcs + 6), 0x0015);
}

TEST(FakePci, refusals_and_a_moved_capability) {
    FakePci pci = machine();
    pci.find(kPort)->refuseWrite = EPERM;
    EXPECT_EQ(pci.update(clearing(0x002C)).error().kind, ErrorKind::permission);
    pci.find(kPort)->addExtendedCapability(kAcs, 0x0001, 0);
    EXPECT_EQ(pci.update(clearing(0x002C)).error().kind, ErrorKind::mismatch);
}

TEST(FakePci, what_cannot_be_read_is_told_apart) {
    FakePci pci = machine();
    FakeFunction& port = *pci.find(kPort);
    port.visible = 64;
    EXPECT_EQ(pci.readConfig(kPort, 0x100, 4).error().kind, ErrorKind::permission);
    port.visible = 4096;
    port.config.resize(256);
    EXPECT_EQ(pci.readConfig(kPort, 0x100, 4).error().kind, ErrorKind::malformed);
    port.allOnes = true;
    EXPECT_EQ(pci.readConfig(kPort, 0, 2).value(),
              std::vector<std::byte>(2, std::byte{0xFF}));
    port.gone = true;
    EXPECT_EQ(pci.readConfig(kPort, 0, 2).error().kind, ErrorKind::notFound);
}

}  // namespace
}  // namespace fabric::fake
