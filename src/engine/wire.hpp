// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/host.hpp"
#include "host/prober.hpp"
#include "inventory/rail.hpp"
#include "profile/profile.hpp"
#include "resource/finding.hpp"

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// Questions to the wire, asked only on request: they send frames.
namespace fabric::engine {

// How long answers are collected. A switch floods a broadcast in microseconds; a peer
// answers ARP from its interrupt.
inline constexpr std::chrono::milliseconds kProbeWindow{1000};

enum class Sharing { shared, notObserved, couldNotTell };

[[nodiscard]] std::string_view toString(Sharing sharing);

// What a probe says of one interface. `notObserved` is weak: storm control, port
// isolation or ARP suppression may have kept the frame.
struct InterfaceSharing {
    std::string interface;
    Sharing sharing = Sharing::couldNotTell;
    std::vector<std::string> with;  // the interfaces in one broadcast domain with it
    std::string reason;             // why it could not be told
};

// Pure: a frame heard in one direction is proof for both interfaces. `names` in the
// order of `probed`.
[[nodiscard]] std::vector<InterfaceSharing> judgeDomains(
    std::span<const host::ProbedLink> probed, std::span<const std::string> names);

// Probes every interface of these rails that owns an address (the rail's own when none
// does).
[[nodiscard]] Result<std::vector<InterfaceSharing>> probeDomains(
    const host::Reader& host,
    host::Prober& prober,
    std::span<const inventory::Rail> rails);

// The same as findings `arp.shared-l2`: info, and warn for what could not be told.
[[nodiscard]] std::vector<resource::Finding> sharingFindings(
    const Result<std::vector<InterfaceSharing>>& seen);

// Who answers for an address on one interface, and what that did to this host's own
// cache.
struct AuditAnswer {
    std::string interface;
    std::vector<MacAddress> macs;
    std::optional<MacAddress> cachedBefore;
    std::optional<MacAddress> cachedAfter;
    std::optional<Error> error;

    // The first answer overwrites an entry: asking a bad peer may have made ours wrong.
    [[nodiscard]] bool cacheChanged() const { return cachedBefore != cachedAfter; }
};

struct Audit {
    IpAddress address;
    std::vector<AuditAnswer> answers;  // of each interface in whose subnet it lies
};

// Asks who has `address` on every interface of these rails in whose subnet it lies. An
// address that is this host's own, IPv6, or in none of the subnets is an error.
[[nodiscard]] Result<Audit> auditPeer(const host::Reader& host,
                                      host::Prober& prober,
                                      std::span<const inventory::Rail> rails,
                                      const IpAddress& address);

// The rails of a profile, or without one every rail that carries an RDMA port and the
// one named `filter`.
[[nodiscard]] Result<std::vector<inventory::Rail>> probedRails(
    const host::Reader& host,
    const profile::Profile* profile,
    const std::string& filter);

}  // namespace fabric::engine
