// SPDX-License-Identifier: Apache-2.0
#include "resource/acs/registers.hpp"

#include <linux/pci_regs.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <expected>
#include <utility>

namespace fabric::resource::acs {

namespace {

constexpr std::uint16_t kConventionalStart = 0x40;
constexpr std::uint16_t kExtendedStart = 0x100;
constexpr std::uint16_t kConfigSize = 0x1000;
constexpr std::uint32_t kAllOnes = 0xFFFFFFFF;

struct Trouble {
    Presence presence = Presence::unreadable;
    std::string detail;
};

template <typename T>
using Read = std::expected<T, Trouble>;

std::unexpected<Trouble> trouble(Presence presence, std::string detail) {
    return std::unexpected(Trouble{presence, std::move(detail)});
}

Trouble troubleOf(const Error& error) {
    switch (error.kind) {
        case ErrorKind::permission:
            return {Presence::unprivileged, error.message()};
        case ErrorKind::malformed:
            return {Presence::truncated, error.message()};
        case ErrorKind::notFound:
            return {Presence::gone, error.message()};
        default:
            return {Presence::unreadable, error.message()};
    }
}

Read<std::uint32_t> readDword(const ConfigSpace& space, std::uint16_t offset) {
    const auto bytes = space(offset, 4);
    if (!bytes) {
        return std::unexpected(troubleOf(bytes.error()));
    }
    if (bytes->size() != 4) {
        return trouble(Presence::truncated,
                       fmt::format("{} of 4 bytes at 0x{:x}", bytes->size(), offset));
    }
    std::uint32_t value = 0;
    for (unsigned at = 0; at < 4; ++at) {
        value |= std::to_integer<std::uint32_t>((*bytes)[at]) << (8 * at);
    }
    return value;
}

// A double word that an answering function never shows as all ones.
Read<std::uint32_t> readLiving(const ConfigSpace& space, std::uint16_t offset) {
    auto value = readDword(space, offset);
    if (value && *value == kAllOnes) {
        return trouble(Presence::noAnswer,
                       fmt::format("all ones at 0x{:x} of the config space", offset));
    }
    return value;
}

// Follows one capability list. Positions are multiples of four, so a list that meets
// one of them twice loops.
class ListWalk {
  public:
    ListWalk(const ConfigSpace& space, std::uint16_t begin, std::uint16_t end)
        : space_(space), begin_(begin), end_(end) {}

    // The double word at the next position.
    Read<std::uint32_t> visit(std::uint16_t position) {
        if (position < begin_ || position >= end_) {
            return trouble(
                Presence::damaged,
                fmt::format("a capability pointer leads to 0x{:x}", position));
        }
        if (seen_.test(position / 4U)) {
            return trouble(
                Presence::damaged,
                fmt::format("the capability list loops at 0x{:x}", position));
        }
        seen_.set(position / 4U);
        return readLiving(space_, position);
    }

  private:
    const ConfigSpace& space_;
    std::uint16_t begin_;
    std::uint16_t end_;
    std::bitset<kConfigSize / 4> seen_;
};

struct Header {
    std::uint16_t vendor = 0;
    std::uint16_t device = 0;
    std::uint16_t capabilities = 0;  // first position; 0: no list
};

Read<Header> readHeader(const ConfigSpace& space) {
    const auto ids = readLiving(space, PCI_VENDOR_ID);
    if (!ids) {
        return std::unexpected(ids.error());
    }
    Header header{.vendor = static_cast<std::uint16_t>(*ids & 0xFFFFU),
                  .device = static_cast<std::uint16_t>(*ids >> 16U),
                  .capabilities = 0};
    const auto commandStatus = readDword(space, PCI_COMMAND);
    if (!commandStatus) {
        return std::unexpected(commandStatus.error());
    }
    if (((*commandStatus >> 16U) & PCI_STATUS_CAP_LIST) == 0) {
        return header;
    }
    const auto pointer = readDword(space, PCI_CAPABILITY_LIST);
    if (!pointer) {
        return std::unexpected(pointer.error());
    }
    header.capabilities = static_cast<std::uint16_t>(*pointer & 0xFCU);
    return header;
}

// The port type, or empty for a function that is not PCI Express and therefore has no
// extended config space.
Read<std::optional<PortType>> findPortType(const ConfigSpace& space,
                                           std::uint16_t position) {
    ListWalk walk(space, kConventionalStart, kExtendedStart);
    while (position != 0) {
        const auto entry = walk.visit(position);
        if (!entry) {
            return std::unexpected(entry.error());
        }
        if ((*entry & 0xFFU) == PCI_CAP_ID_EXP) {
            return static_cast<PortType>((*entry >> 20U) & 0xFU);
        }
        position = static_cast<std::uint16_t>((*entry >> 8U) & 0xFCU);
    }
    return std::nullopt;
}

// The position of an extended capability, 0 when the list ends without it.
Read<std::uint16_t> findExtended(const ConfigSpace& space, std::uint16_t id) {
    ListWalk walk(space, kExtendedStart, kConfigSize);
    std::uint16_t position = kExtendedStart;
    while (position != 0) {
        const auto entry = walk.visit(position);
        if (!entry) {
            return std::unexpected(entry.error());
        }
        if ((*entry & 0xFFFFU) == id) {
            return position;
        }
        position = static_cast<std::uint16_t>((*entry >> 20U) & 0xFFCU);
    }
    return 0;
}

Read<std::uint16_t> locate(const ConfigSpace& space, Registers& registers) {
    const auto header = readHeader(space);
    if (!header) {
        return std::unexpected(header.error());
    }
    const auto type = findPortType(space, header->capabilities);
    if (!type) {
        return std::unexpected(type.error());
    }
    registers.portType = *type;
    if (!type->has_value()) {
        return 0;
    }
    registers.doubleWords = *type == PortType::rootPort &&
                            isSunrisePointPort(header->vendor, header->device);
    return findExtended(space, PCI_EXT_CAP_ID_ACS);
}

Read<void> readControl(const ConfigSpace& space, Registers& registers) {
    const std::uint16_t first = registers.offset + PCI_ACS_CAP;
    const auto value = readLiving(space, first);
    if (!value) {
        return std::unexpected(value.error());
    }
    registers.capability = static_cast<std::uint16_t>(*value & 0xFFFFU);
    registers.control = static_cast<std::uint16_t>(*value >> 16U);
    if (registers.doubleWords) {
        const auto control = readLiving(space, static_cast<std::uint16_t>(first + 4));
        if (!control) {
            return std::unexpected(control.error());
        }
        registers.control = static_cast<std::uint16_t>(*control & 0xFFFFU);
    }
    return {};
}

}  // namespace

std::string_view toString(PortType type) {
    switch (type) {
        case PortType::endpoint:
            return "endpoint";
        case PortType::legacyEndpoint:
            return "legacy endpoint";
        case PortType::rootPort:
            return "root port";
        case PortType::upstreamPort:
            return "switch upstream port";
        case PortType::downstreamPort:
            return "switch downstream port";
        case PortType::expressToPciBridge:
            return "PCI Express to PCI bridge";
        case PortType::pciToExpressBridge:
            return "PCI to PCI Express bridge";
        case PortType::integratedEndpoint:
            return "root complex integrated endpoint";
        case PortType::eventCollector:
            return "root complex event collector";
    }
    return "reserved port type";
}

unsigned Registers::egressVectorSize() const {
    if ((capability & PCI_ACS_EC) == 0) {
        return 0;
    }
    const unsigned bits = capability >> 8U;
    return bits == 0 ? 256 : bits;
}

Registers readRegisters(const ConfigSpace& space) {
    Registers registers;
    const auto offset = locate(space, registers);
    if (!offset) {
        registers.presence = offset.error().presence;
        registers.detail = offset.error().detail;
        return registers;
    }
    if (*offset == 0) {
        return registers;
    }
    registers.offset = *offset;
    const auto read = readControl(space, registers);
    registers.presence = read ? Presence::present : read.error().presence;
    registers.detail = read ? std::string{} : read.error().detail;
    return registers;
}

std::optional<bool> translationServicesEnabled(const ConfigSpace& space) {
    const auto offset = findExtended(space, PCI_EXT_CAP_ID_ATS);
    if (!offset) {
        return std::nullopt;
    }
    if (*offset == 0) {
        return false;
    }
    const auto value =
        readLiving(space, static_cast<std::uint16_t>(*offset + PCI_ATS_CAP));
    if (!value) {
        return std::nullopt;
    }
    return ((*value >> 16U) & PCI_ATS_CTRL_ENABLE) != 0;
}

bool isSunrisePointPort(std::uint16_t vendor, std::uint16_t device) {
    // drivers/pci/quirks.c: 100 and 200 series chipsets, 7th and 8th generation mobile.
    constexpr std::array<std::pair<std::uint16_t, std::uint16_t>, 5> kDevices{{
        {0xA110, 0xA11F},
        {0xA167, 0xA16A},
        {0xA290, 0xA29F},
        {0xA2E7, 0xA2EE},
        {0x9D10, 0x9D1B},
    }};
    return vendor == 0x8086 && std::ranges::any_of(kDevices, [&](const auto& range) {
               return range.first <= device && device <= range.second;
           });
}

}  // namespace fabric::resource::acs
