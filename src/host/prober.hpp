// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/address.hpp"
#include "base/ip_address.hpp"
#include "base/quantity.hpp"
#include "base/result.hpp"

#include <chrono>
#include <optional>
#include <set>
#include <span>
#include <vector>

// What sends frames of its own making. No reader reaches it.
namespace fabric::host {

// Tells the peers of a link where one of its addresses lives.
class Announcer {
  public:
    virtual ~Announcer() = default;
    // One gratuitous ARP request (RFC 5227, section 3): sender and target are `ipv4`.
    [[nodiscard]] virtual Result<void> announce(IfIndex link,
                                                MacAddress mac,
                                                IpAddress ipv4) = 0;
};

// One link of a probe for shared broadcast domains.
struct ProbedLink {
    IfIndex link;
    std::set<IfIndex> heardFrom;  // the other links whose frame arrived here
    std::optional<Error> error;   // it could not send or listen
};

// Questions to the wire that only a person asks for.
class Prober {
  public:
    virtual ~Prober() = default;
    // Sends one broadcast frame with a nonce on each link (EtherType 0x88B5, IEEE 802
    // local experimental 1) and listens on all of them until everybody heard everybody
    // or `window` is over. In the order of `links`.
    [[nodiscard]] virtual Result<std::vector<ProbedLink>> probeDomains(
        std::span<const IfIndex> links, std::chrono::milliseconds window) = 0;
    // Asks on one link who has `ipv4`, with sender 0.0.0.0 (RFC 5227, section 2.1.1),
    // and collects the different MACs that answer within `window`, sorted.
    [[nodiscard]] virtual Result<std::vector<MacAddress>> whoAnswers(
        IfIndex link, IpAddress ipv4, std::chrono::milliseconds window) = 0;
};

}  // namespace fabric::host
