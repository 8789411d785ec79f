// SPDX-License-Identifier: Apache-2.0
#include "linux/neighbour_decode.hpp"

#include <linux/neighbour.h>

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <utility>

namespace fabric::linux_host {

namespace {

using host::NeighbourState;

// NDA_CACHEINFO counts in USER_HZ, which is 100 wherever RDMA runs (asm/param.h).
constexpr std::chrono::milliseconds kTick{10};

constexpr std::array<std::pair<unsigned, NeighbourState>, 8> kStates{
    {{NUD_INCOMPLETE, NeighbourState::incomplete},
     {NUD_REACHABLE, NeighbourState::reachable},
     {NUD_STALE, NeighbourState::stale},
     {NUD_DELAY, NeighbourState::delay},
     {NUD_PROBE, NeighbourState::probe},
     {NUD_FAILED, NeighbourState::failed},
     {NUD_NOARP, NeighbourState::noArp},
     {NUD_PERMANENT, NeighbourState::permanent}}};

NeighbourState stateOf(unsigned bits) {
    const auto* const found =
        std::ranges::find(kStates, bits, &std::pair<unsigned, NeighbourState>::first);
    return found == kStates.end() ? NeighbourState::none : found->second;
}

// InfiniBand has 20 octets; those are no Ethernet address.
std::optional<MacAddress> macOf(const std::optional<ByteView>& bytes) {
    MacAddress mac;
    if (!bytes || bytes->size() != mac.octets.size()) {
        return std::nullopt;
    }
    std::ranges::transform(*bytes, mac.octets.begin(), [](std::byte byte) {
        return std::to_integer<std::uint8_t>(byte);
    });
    return mac;
}

}  // namespace

Result<std::optional<host::Neighbour>> decodeNeighbour(ByteView payload) {
    const auto header = valueAt<ndmsg>(payload);
    if (!header) {
        return fail(Error{.kind = ErrorKind::malformed,
                          .action = "decode neighbour",
                          .detail = "the message is cut off"});
    }
    if (header->ndm_family != AF_INET && header->ndm_family != AF_INET6) {
        return std::nullopt;
    }
    const Attributes attributes =
        TRY(Attributes::parse(payload.subspan(sizeof *header)));
    const auto address =
        IpAddress::fromBytes(attributes.find(NDA_DST).value_or(ByteView{}));
    if (!address || address->ipv6 != (header->ndm_family == AF_INET6)) {
        return std::nullopt;
    }
    host::Neighbour entry;
    entry.key = {.link = IfIndex{static_cast<std::uint32_t>(header->ndm_ifindex)},
                 .address = *address};
    entry.state = stateOf(header->ndm_state);
    entry.mac = macOf(attributes.find(NDA_LLADDR));
    entry.externLearned = (header->ndm_flags & NTF_EXT_LEARNED) != 0;
    entry.proxy = (header->ndm_flags & NTF_PROXY) != 0;
    entry.managed = (attributes.value<std::uint32_t>(NDA_FLAGS_EXT).value_or(0) &
                     NTF_EXT_MANAGED) != 0;
    if (const auto info = attributes.value<nda_cacheinfo>(NDA_CACHEINFO)) {
        entry.sinceUpdate = info->ndm_updated * kTick;
    }
    return entry;
}

}  // namespace fabric::linux_host
