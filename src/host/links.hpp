// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/address.hpp"
#include "base/quantity.hpp"
#include "base/result.hpp"

#include <array>
#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace fabric::host {

// One net device as RTM_NEWLINK describes it (linux/if_link.h). Fields that the kernel
// left out are empty.
struct Link {
    IfIndex index;
    std::string name;
    std::optional<MacAddress> mac;
    std::optional<MacAddress> permanentMac;  // IFLA_PERM_ADDRESS
    std::uint32_t mtu = 0;                   // bytes
    std::uint32_t minMtu = 0;                // 0: not told
    std::uint32_t maxMtu = 0;                // 0: not told
    bool adminUp = false;
    bool carrier = false;  // IFLA_CARRIER
    std::uint32_t carrierDownCount =
        0;                  // IFLA_CARRIER_DOWN_COUNT: rises with each loss
    std::string kind;       // IFLA_INFO_KIND: "vlan", "bond", "veth", "" for hardware
    IfIndex master;         // bond, bridge or team above it
    IfIndex lower;          // IFLA_LINK in this namespace: the device below a VLAN
    std::string parentBus;  // IFLA_PARENT_DEV_BUS_NAME: "pci", "auxiliary"
    std::string parentDevice;  // IFLA_PARENT_DEV_NAME: "0000:1a:00.0"
    std::string physPortName;  // IFLA_PHYS_PORT_NAME: "p0", "pf0vf1"
    std::string physSwitchId;  // IFLA_PHYS_SWITCH_ID in hexadecimal
};

// One address on a link. IPv4 uses the first four octets.
struct LinkAddress {
    IfIndex link;
    bool ipv6 = false;
    std::array<std::uint8_t, 16> octets{};
    std::uint8_t prefixLength = 0;
};

class LinkReader {
  public:
    virtual ~LinkReader() = default;

    // Every link of this network namespace: one dump, repeated when the kernel marks it
    // as interrupted (NLM_F_DUMP_INTR). Sorted by ifindex.
    [[nodiscard]] virtual Result<std::vector<Link>> links() const = 0;
    // One link by index, fresh.
    [[nodiscard]] virtual Result<Link> link(IfIndex index) const = 0;
    // The links that IPv4 and IPv6 default routes of any table leave by (also each hop
    // of a multipath route), sorted, without repeats.
    [[nodiscard]] virtual Result<std::vector<IfIndex>> defaultRouteLinks() const = 0;
    [[nodiscard]] virtual Result<std::vector<LinkAddress>> addresses() const = 0;
};

class LinkWriter {
  public:
    virtual ~LinkWriter() = default;
    // RTM_SETLINK with IFLA_MTU, by ifindex. `mtu` in bytes.
    [[nodiscard]] virtual Result<void> setMtu(IfIndex index, std::uint32_t mtu) = 0;
};

// A subscription to link changes (RTNLGRP_LINK). It is opened before the write whose
// effect is awaited, so that no event is lost.
class LinkWatch {
  public:
    virtual ~LinkWatch() = default;
    // The next change of any link, or std::nullopt at the deadline and when a signal
    // came, also one that the caller keeps blocked elsewhere. An overrun of the
    // socket (ENOBUFS) is reported as ErrorKind::busy: read the link again.
    [[nodiscard]] virtual Result<std::optional<Link>> next(
        std::chrono::steady_clock::time_point deadline) = 0;
};

class LinkWatcher {
  public:
    virtual ~LinkWatcher() = default;
    [[nodiscard]] virtual Result<std::unique_ptr<LinkWatch>> watch() const = 0;
};

}  // namespace fabric::host
