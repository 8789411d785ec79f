// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/address.hpp"
#include "base/quantity.hpp"
#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "linux/netlink_attributes.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace fabric::linux_host {

// A packet socket (packet(7)) of one EtherType on one link. The kernel writes and
// removes the Ethernet header.
class PacketSocket {
  public:
    // Needs CAP_NET_RAW. A link that is gone or down is an error.
    [[nodiscard]] static Result<PacketSocket> open(IfIndex link,
                                                   std::uint16_t protocol);

    [[nodiscard]] Result<void> broadcast(ByteView payload) const;
    // The payload of the next frame that came in, valid until the next call;
    // std::nullopt when none is queued. Frames that this host sent are passed over.
    [[nodiscard]] Result<std::optional<ByteView>> receiveNow();

    [[nodiscard]] int fd() const { return fd_.get(); }

    [[nodiscard]] IfIndex link() const { return link_; }

  private:
    PacketSocket(UniqueFd fd, IfIndex link, std::uint16_t protocol)
        : fd_(std::move(fd)), link_(link), protocol_(protocol) {}

    UniqueFd fd_;
    IfIndex link_;
    std::uint16_t protocol_ = 0;
    std::vector<std::byte> buffer_;
};

}  // namespace fabric::linux_host
