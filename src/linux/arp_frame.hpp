// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/address.hpp"
#include "base/ip_address.hpp"
#include "base/quantity.hpp"
#include "linux/netlink_attributes.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

// Ethernet frames that the prober sends and hears, as bytes without any socket.
namespace fabric::linux_host {

// IEEE 802 local experimental EtherType 1 (linux/if_ether.h, ETH_P_802_EX1).
inline constexpr std::uint16_t kProbeProtocol = 0x88B5;
inline constexpr std::uint16_t kArpProtocol = 0x0806;

// A broadcast ARP request (RFC 826) without the Ethernet header.
[[nodiscard]] std::vector<std::byte> arpRequest(const MacAddress& sender,
                                                const IpAddress& senderIp,
                                                const IpAddress& targetIp);

// Who answers for an address.
struct ArpAnswer {
    MacAddress mac;
    IpAddress ipv4;
};

// The sender of an ARP reply over Ethernet and IPv4; std::nullopt for anything else,
// requests among them.
[[nodiscard]] std::optional<ArpAnswer> decodeArpReply(ByteView payload);

using ProbeNonce = std::array<std::byte, 16>;

// The payload of a probe frame: who sent it in which run.
[[nodiscard]] std::vector<std::byte> probePayload(const ProbeNonce& nonce,
                                                  IfIndex sender);
// The sender of a probe frame of this run; std::nullopt for every other frame.
[[nodiscard]] std::optional<IfIndex> decodeProbe(ByteView payload,
                                                 const ProbeNonce& nonce);

}  // namespace fabric::linux_host
