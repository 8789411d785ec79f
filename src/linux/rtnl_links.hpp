// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/links.hpp"
#include "linux/link_decode.hpp"
#include "linux/netlink_channel.hpp"

#include <deque>
#include <set>

namespace fabric::linux_host {

// Links, addresses and routes over the process's route socket.
class RtnlLinks : public host::LinkReader, public host::LinkWatcher {
  public:
    explicit RtnlLinks(NetlinkChannel& netlink) : netlink_(&netlink) {}

    [[nodiscard]] Result<std::vector<host::Link>> links() const override;
    [[nodiscard]] Result<host::Link> link(IfIndex index) const override;
    [[nodiscard]] Result<std::vector<IfIndex>> defaultRouteLinks() const override;
    [[nodiscard]] Result<std::vector<host::LinkAddress>> addresses() const override;
    // Opens a socket of its own: notifications must not mix with answers.
    [[nodiscard]] Result<std::unique_ptr<host::LinkWatch>> watch() const override;

  private:
    [[nodiscard]] Result<void> addDefaultRoutes(unsigned char family,
                                                std::set<IfIndex>& links) const;
    [[nodiscard]] Result<void> addNexthops(std::vector<std::uint32_t> ids,
                                           std::set<IfIndex>& links) const;
    [[nodiscard]] Result<Nexthop> askNexthop(std::uint32_t id) const;

    NetlinkChannel* netlink_;
};

// Link changes as they are told on a subscribed socket.
class RtnlLinkWatch : public host::LinkWatch {
  public:
    explicit RtnlLinkWatch(NetlinkSocket socket) : socket_(std::move(socket)) {}

    [[nodiscard]] Result<std::optional<host::Link>> next(
        std::chrono::steady_clock::time_point deadline) override;

  private:
    [[nodiscard]] Result<void> take(ByteView datagram);

    NetlinkSocket socket_;
    std::deque<host::Link> pending_;  // told, and not yet handed out
};

}  // namespace fabric::linux_host
