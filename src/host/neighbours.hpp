// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/address.hpp"
#include "base/ip_address.hpp"
#include "base/quantity.hpp"
#include "base/result.hpp"

#include <chrono>
#include <memory>
#include <optional>
#include <vector>

namespace fabric::host {

// NUD_* of linux/neighbour.h.
enum class NeighbourState {
    none,
    incomplete,
    reachable,
    stale,
    delay,
    probe,
    failed,
    noArp,
    permanent,
};

// What names an entry of the neighbour cache.
struct NeighbourKey {
    IfIndex link;
    IpAddress address;
    auto operator<=>(const NeighbourKey&) const = default;
};

// One entry of the neighbour cache, as RTM_NEWNEIGH describes it.
struct Neighbour {
    NeighbourKey key;
    NeighbourState state = NeighbourState::none;
    std::optional<MacAddress> mac;  // NDA_LLADDR, when it has six octets
    bool externLearned = false;     // NTF_EXT_LEARNED: a control plane put it there
    bool managed = false;           // NTF_EXT_MANAGED: the kernel keeps it resolved
    bool proxy = false;             // NTF_PROXY: answered for, not resolved
    // Since state or MAC changed last, in steps of 10 ms (NDA_CACHEINFO, USER_HZ).
    std::optional<std::chrono::milliseconds> sinceUpdate;

    // The kernel sends to its MAC (NUD_VALID of net/neighbour.h).
    [[nodiscard]] bool isUsable() const {
        return state != NeighbourState::none && state != NeighbourState::incomplete &&
               state != NeighbourState::failed;
    }
};

struct NeighbourEvent {
    Neighbour entry;
    bool removed = false;
};

// A subscription to changes of the cache (RTNLGRP_NEIGH). Opened before the write whose
// effect is awaited.
class NeighbourWatch {
  public:
    virtual ~NeighbourWatch() = default;
    // The next change, or std::nullopt at the deadline. An overrun of the socket is
    // ErrorKind::busy: read the cache again.
    [[nodiscard]] virtual Result<std::optional<NeighbourEvent>> next(
        std::chrono::steady_clock::time_point deadline) = 0;
};

class NeighbourReader {
  public:
    virtual ~NeighbourReader() = default;
    // Every entry of every link of this namespace, IPv4 then IPv6: one dump per family
    // and one for the proxies, each repeated while the kernel marks it as interrupted.
    [[nodiscard]] virtual Result<std::vector<Neighbour>> neighbours() const = 0;
    // The entries of one link without the proxies, likewise.
    [[nodiscard]] virtual Result<std::vector<Neighbour>> neighboursOn(
        IfIndex link) const = 0;
    [[nodiscard]] virtual Result<std::unique_ptr<NeighbourWatch>> watch() const = 0;
};

class NeighbourWriter {
  public:
    virtual ~NeighbourWriter() = default;
    // RTM_DELNEIGH. An entry that is already gone is success.
    [[nodiscard]] virtual Result<void> remove(const NeighbourKey& key) = 0;
    // RTM_NEWNEIGH with NTF_USE: asks for the address on this link at once, without any
    // packet of data. Returns before the answer.
    [[nodiscard]] virtual Result<void> resolve(const NeighbourKey& key) = 0;
};

}  // namespace fabric::host
