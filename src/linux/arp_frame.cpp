// SPDX-License-Identifier: Apache-2.0
#include "linux/arp_frame.hpp"

#include <linux/if_arp.h>
#include <linux/if_ether.h>

#include <endian.h>

#include <algorithm>
#include <string_view>

namespace fabric::linux_host {

namespace {

// RFC 826 for Ethernet and IPv4, in network order.
struct [[gnu::packed]] ArpPacket {
    std::uint16_t hardware;
    std::uint16_t protocol;
    std::uint8_t hardwareLength;
    std::uint8_t protocolLength;
    std::uint16_t operation;
    std::array<std::uint8_t, 6> senderMac;
    std::array<std::uint8_t, 4> senderIp;
    std::array<std::uint8_t, 6> targetMac;
    std::array<std::uint8_t, 4> targetIp;
};

constexpr std::string_view kMagic = "fabricctl-probe1";

ByteView magic() {
    return std::as_bytes(std::span(kMagic));
}

std::array<std::uint8_t, 4> ipv4Of(const IpAddress& address) {
    std::array<std::uint8_t, 4> octets{};
    std::ranges::copy_n(address.octets.begin(), octets.size(), octets.begin());
    return octets;
}

}  // namespace

std::vector<std::byte> arpRequest(const MacAddress& sender,
                                  const IpAddress& senderIp,
                                  const IpAddress& targetIp) {
    std::vector<std::byte> bytes;
    appendValue(bytes,
                ArpPacket{.hardware = htobe16(ARPHRD_ETHER),
                          .protocol = htobe16(ETH_P_IP),
                          .hardwareLength = sizeof(ArpPacket::senderMac),
                          .protocolLength = sizeof(ArpPacket::senderIp),
                          .operation = htobe16(ARPOP_REQUEST),
                          .senderMac = sender.octets,
                          .senderIp = ipv4Of(senderIp),
                          .targetMac = {},
                          .targetIp = ipv4Of(targetIp)});
    return bytes;
}

std::optional<ArpAnswer> decodeArpReply(ByteView payload) {
    const auto packet = valueAt<ArpPacket>(payload);
    if (!packet || be16toh(packet->hardware) != ARPHRD_ETHER ||
        be16toh(packet->protocol) != ETH_P_IP ||
        packet->hardwareLength != sizeof packet->senderMac ||
        packet->protocolLength != sizeof packet->senderIp ||
        be16toh(packet->operation) != ARPOP_REPLY) {
        return std::nullopt;
    }
    ArpAnswer answer{.mac = MacAddress{packet->senderMac}, .ipv4 = {}};
    const std::array<std::uint8_t, 4> senderIp = packet->senderIp;
    std::ranges::copy(senderIp, answer.ipv4.octets.begin());
    return answer;
}

std::vector<std::byte> probePayload(const ProbeNonce& nonce, IfIndex sender) {
    std::vector<std::byte> bytes;
    appendBytes(bytes, magic());
    appendBytes(bytes, nonce);
    appendValue(bytes, htobe32(sender.number));
    return bytes;
}

std::optional<IfIndex> decodeProbe(ByteView payload, const ProbeNonce& nonce) {
    const std::size_t head = magic().size() + nonce.size();
    if (payload.size() < head + sizeof(std::uint32_t) ||
        !std::ranges::equal(payload.first(magic().size()), magic()) ||
        !std::ranges::equal(payload.subspan(magic().size(), nonce.size()), nonce)) {
        return std::nullopt;
    }
    const auto number = valueAt<std::uint32_t>(payload.subspan(head)).value_or(0);
    return IfIndex{be32toh(number)};
}

}  // namespace fabric::linux_host
