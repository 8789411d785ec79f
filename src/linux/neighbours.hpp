// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/neighbours.hpp"
#include "linux/netlink_channel.hpp"

#include <vector>

namespace fabric::linux_host {

// The neighbour cache over the process's route socket.
class RtnlNeighbours : public host::NeighbourReader {
  public:
    explicit RtnlNeighbours(NetlinkChannel& netlink) : netlink_(&netlink) {}

    [[nodiscard]] Result<std::vector<host::Neighbour>> neighbours() const override;
    [[nodiscard]] Result<std::vector<host::Neighbour>> neighboursOn(
        IfIndex link) const override;
    // Opens a socket of its own: notifications must not mix with answers.
    [[nodiscard]] Result<std::unique_ptr<host::NeighbourWatch>> watch() const override;

  private:
    struct Question {
        unsigned char family = 0;
        unsigned char flags = 0;
        IfIndex link;  // none: every link
    };

    [[nodiscard]] Result<void> addDump(const Question& question,
                                       std::vector<host::Neighbour>& entries) const;

    NetlinkChannel* netlink_;
};

// Cache changes as they are told on a subscribed socket.
class RtnlNeighbourWatch : public host::NeighbourWatch {
  public:
    explicit RtnlNeighbourWatch(NetlinkSocket socket) : socket_(std::move(socket)) {}

    [[nodiscard]] Result<std::optional<host::NeighbourEvent>> next(
        std::chrono::steady_clock::time_point deadline) override;

  private:
    NetlinkSocket socket_;
    std::vector<host::NeighbourEvent> pending_;  // of the last datagram, newest first
};

}  // namespace fabric::linux_host
