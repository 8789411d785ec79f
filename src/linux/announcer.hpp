// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/prober.hpp"

namespace fabric::linux_host {

// Gratuitous ARP over a packet socket that lives for one frame.
class PacketAnnouncer : public host::Announcer {
  public:
    [[nodiscard]] Result<void> announce(IfIndex link,
                                        MacAddress mac,
                                        IpAddress ipv4) override;
};

}  // namespace fabric::linux_host
