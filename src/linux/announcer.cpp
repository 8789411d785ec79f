// SPDX-License-Identifier: Apache-2.0
#include "linux/announcer.hpp"

#include "linux/arp_frame.hpp"
#include "linux/packet_socket.hpp"

#include <utility>

namespace fabric::linux_host {

Result<void> PacketAnnouncer::announce(IfIndex link, MacAddress mac, IpAddress ipv4) {
    auto sent = [&]() -> Result<void> {
        const PacketSocket socket = TRY(PacketSocket::open(link, kArpProtocol));
        return socket.broadcast(arpRequest(mac, ipv4, ipv4));
    }();
    if (!sent) {
        Error error = std::move(sent.error());
        error.action = "announce " + ipv4.text();
        return fail(std::move(error));
    }
    return {};
}

}  // namespace fabric::linux_host
