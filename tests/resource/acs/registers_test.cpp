// SPDX-License-Identifier: Apache-2.0
#include "resource/acs/registers.hpp"

#include "hosts/captured_host.hpp"
#include "resource/acs/observation.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace fabric::resource::acs {
namespace {

constexpr PciAddress kPort{.domain = 0, .bus = 0x17, .device = 1, .function = 0};
constexpr std::uint16_t kExpress = 0x68;
constexpr std::uint16_t kAcs = 0x170;

// Config space of one switch port: power management, MSI and PCI Express, then AER,
// power budgeting and ACS.
struct PortSpace {
    fake::FakePci pci;
    fake::FakeFunction* port = nullptr;
    mutable std::vector<std::pair<std::uint16_t, std::uint16_t>> reads;

    PortSpace() {
        port = &pci.add({.address = kPort, .vendor = 0x1000, .device = 0xC030});
        port->setWord(0x40, 0x4801);
        port->setWord(0x48, 0x6805);
        port->setWord(kExpress, 0x0010);
        port->setWord(kExpress + 2, 0x0062);  // downstream port
        port->addExtendedCapability(0x100, 0x0001, 0x138);
        port->addExtendedCapability(0x138, 0x0004, kAcs);
        port->addExtendedCapability(kAcs, 0x000D, 0);
        port->setDword(kAcs + 4, 0x001D005F);
    }

    [[nodiscard]] ConfigSpace space() const {
        return [this](std::uint16_t offset, std::uint16_t length) {
            reads.emplace_back(offset, length);
            // A walk without a bound fails here instead of never ending.
            constexpr std::size_t kTooMany = 2000;
            return reads.size() < kTooMany
                       ? pci.readConfig(kPort, offset, length)
                       : fail(systemError("read config space", "", ELOOP));
        };
    }

    [[nodiscard]] Registers read() const { return readRegisters(space()); }
};

TEST(AcsRegisters, finds_the_capability_by_walking_both_lists) {
    const PortSpace config;
    const Registers registers = config.read();
    EXPECT_EQ(registers.presence, Presence::present);
    EXPECT_EQ(registers.portType, PortType::downstreamPort);
    EXPECT_EQ(registers.offset, kAcs);
    EXPECT_EQ(registers.capability, 0x005F);
    EXPECT_EQ(registers.control, 0x001D);
}

TEST(AcsRegisters, reads_words_and_not_the_whole_space) {
    const PortSpace config;
    EXPECT_EQ(config.read().presence, Presence::present);
    std::size_t bytes = 0;
    for (const auto& [offset, length] : config.reads) {
        bytes += length;
    }
    // Three of the header, three conventional, three extended capabilities, one
    // register.
    EXPECT_EQ(config.reads.size(), 10U);
    EXPECT_EQ(bytes, 40U);
}

TEST(AcsRegisters, a_real_intel_root_port_is_decoded) {
    const auto bytes = hosts::loadConfig("intel-5520-root-port");
    const Registers registers =
        readRegisters([&](std::uint16_t offset, std::uint16_t length) {
            const auto first = bytes.begin() + offset;
            return Result<std::vector<std::byte>>(
                std::vector<std::byte>(first, first + length));
        });
    EXPECT_EQ(registers.portType, PortType::rootPort);
    EXPECT_EQ(registers.offset, 0x150);
    EXPECT_EQ(registers.capability, 0x001F);
    EXPECT_EQ(registers.control, 0x0000);
    EXPECT_FALSE(registers.doubleWords);
}

TEST(AcsRegisters, A02_without_privilege_the_answer_is_not_absent) {
    PortSpace config;
    config.port->visible = 64;
    EXPECT_EQ(config.read().presence, Presence::unprivileged);
}

TEST(AcsRegisters, A04_all_ones_are_no_answer_and_not_absent) {
    PortSpace config;
    config.port->allOnes = true;
    EXPECT_EQ(config.read().presence, Presence::noAnswer);
    EXPECT_EQ(config.reads.size(), 1U);
}

TEST(AcsRegisters, A04_a_function_that_dies_during_the_walk_is_no_answer) {
    const PortSpace config;
    const Registers registers =
        readRegisters([&](std::uint16_t offset, std::uint16_t length) {
            config.port->allOnes = offset >= kAcs + 4;
            return config.pci.readConfig(kPort, offset, length);
        });
    EXPECT_EQ(registers.presence, Presence::noAnswer);
}

TEST(AcsRegisters, A05_a_looping_extended_list_is_damaged_and_bounded) {
    PortSpace config;
    config.port->addExtendedCapability(0x138, 0x0004, 0x100);
    EXPECT_EQ(config.read().presence, Presence::damaged);
    EXPECT_LT(config.reads.size(), 12U);
}

TEST(AcsRegisters, A05_a_looping_conventional_list_is_damaged_and_bounded) {
    PortSpace config;
    config.port->setWord(0x48, 0x4005);
    EXPECT_EQ(config.read().presence, Presence::damaged);
    EXPECT_LT(config.reads.size(), 8U);
}

TEST(AcsRegisters, A05_pointers_out_of_their_region_are_damage) {
    PortSpace extended;
    extended.port->addExtendedCapability(0x138, 0x0004, 0x0FC);
    EXPECT_EQ(extended.read().presence, Presence::damaged);
    PortSpace conventional;
    conventional.port->setWord(0x48, 0x1005);
    EXPECT_EQ(conventional.read().presence, Presence::damaged);
}

TEST(AcsRegisters, A05_the_longest_possible_list_is_walked_once) {
    PortSpace config;
    for (std::uint16_t at = 0x100; at < 0xFFC;
         at = static_cast<std::uint16_t>(at + 4)) {
        config.port->addExtendedCapability(
            at, 0x000B, static_cast<std::uint16_t>(at + 4));
    }
    config.port->addExtendedCapability(0xFFC, 0x000B, 0x100);
    EXPECT_EQ(config.read().presence, Presence::damaged);
    EXPECT_LE(config.reads.size(), 960U + 6U);
}

TEST(AcsRegisters, A06_an_ended_list_without_the_capability_is_absent) {
    PortSpace config;
    config.port->addExtendedCapability(0x138, 0x0004, 0);
    EXPECT_EQ(config.read().presence, Presence::absent);
    EXPECT_EQ(config.read().portType, PortType::downstreamPort);
}

TEST(AcsRegisters, A06_an_empty_extended_space_is_absent) {
    PortSpace config;
    config.port->setDword(0x100, 0);
    EXPECT_EQ(config.read().presence, Presence::absent);
}

TEST(AcsRegisters, A06_a_conventional_function_has_no_acs) {
    PortSpace noList;
    noList.port->setWord(0x06, 0);
    EXPECT_EQ(noList.read().presence, Presence::absent);
    PortSpace noExpress;
    noExpress.port->setWord(0x48, 0x0005);
    noExpress.port->config.resize(256);
    EXPECT_EQ(noExpress.read().presence, Presence::absent);
    EXPECT_EQ(noExpress.read().portType, std::nullopt);
}

TEST(AcsRegisters, an_express_function_with_256_bytes_is_truncated_and_not_absent) {
    PortSpace config;
    config.port->config.resize(256);
    EXPECT_EQ(config.read().presence, Presence::truncated);
}

TEST(AcsRegisters, a_removed_function_is_gone) {
    PortSpace config;
    config.port->gone = true;
    EXPECT_EQ(config.read().presence, Presence::gone);
}

TEST(AcsRegisters, any_other_failure_keeps_its_words) {
    const Registers registers = readRegisters(
        [](std::uint16_t, std::uint16_t) -> Result<std::vector<std::byte>> {
            return fail(systemError("read config space", "0000:17:01.0", EIO));
        });
    EXPECT_EQ(registers.presence, Presence::unreadable);
    EXPECT_NE(registers.detail.find("0000:17:01.0"), std::string::npos);
}

TEST(AcsRegisters, a_short_answer_is_truncated) {
    const Registers registers = readRegisters(
        [](std::uint16_t, std::uint16_t) -> Result<std::vector<std::byte>> {
            return std::vector<std::byte>(2);
        });
    EXPECT_EQ(registers.presence, Presence::truncated);
}

TEST(AcsRegisters, egress_vector_size_counts_only_with_egress_control) {
    Registers registers{.capability = 0x085F};
    EXPECT_EQ(registers.egressVectorSize(), 0U);
    registers.capability = 0x087F;
    EXPECT_EQ(registers.egressVectorSize(), 8U);
    registers.capability = 0x007F;
    EXPECT_EQ(registers.egressVectorSize(), 256U);
}

TEST(AcsRegisters, A15_sunrise_point_control_is_read_at_8) {
    auto bytes = hosts::loadConfig("sunrise-point-root-port");
    const ConfigSpace space = [&](std::uint16_t offset, std::uint16_t length) {
        const auto first = bytes.begin() + offset;
        return Result<std::vector<std::byte>>(
            std::vector<std::byte>(first, first + length));
    };
    EXPECT_TRUE(readRegisters(space).doubleWords);
    EXPECT_EQ(readRegisters(space).offset, 0x140);
    EXPECT_EQ(readRegisters(space).capability, 0x000F);
    bytes[0x148] = std::byte{0x0D};
    EXPECT_EQ(readRegisters(space).control, 0x000D);
    EXPECT_EQ(readRegisters(space).presence, Presence::present);
}

TEST(AcsRegisters, A15_only_the_listed_intel_ports_have_double_words) {
    EXPECT_TRUE(isSunrisePointPort(0x8086, 0xA110));
    EXPECT_TRUE(isSunrisePointPort(0x8086, 0xA2EE));
    EXPECT_TRUE(isSunrisePointPort(0x8086, 0x9D1B));
    EXPECT_FALSE(isSunrisePointPort(0x8086, 0xA120));
    EXPECT_FALSE(isSunrisePointPort(0x8086, 0x352A));
    EXPECT_FALSE(isSunrisePointPort(0x1000, 0xA110));
}

TEST(TranslationServices, are_off_on_or_unknown) {
    PortSpace config;
    EXPECT_EQ(translationServicesEnabled(config.space()), false);
    config.port->addExtendedCapability(kAcs, 0x000F, 0);
    config.port->setDword(kAcs + 4, 0x80000000);
    EXPECT_EQ(translationServicesEnabled(config.space()), true);
    config.port->setDword(kAcs + 4, 0x001F0000);
    EXPECT_EQ(translationServicesEnabled(config.space()), false);
    config.port->visible = 64;
    EXPECT_EQ(translationServicesEnabled(config.space()), std::nullopt);
}

}  // namespace
}  // namespace fabric::resource::acs
