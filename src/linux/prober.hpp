// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/links.hpp"
#include "host/prober.hpp"

namespace fabric::linux_host {

// Probes over packet sockets. `links` tells the MAC that an ARP request needs.
class PacketProber : public host::Prober {
  public:
    explicit PacketProber(const host::LinkReader& links) : links_(&links) {}

    [[nodiscard]] Result<std::vector<host::ProbedLink>> probeDomains(
        std::span<const IfIndex> links, std::chrono::milliseconds window) override;
    [[nodiscard]] Result<std::vector<MacAddress>> whoAnswers(
        IfIndex link, IpAddress ipv4, std::chrono::milliseconds window) override;

  private:
    const host::LinkReader* links_;
};

}  // namespace fabric::linux_host
