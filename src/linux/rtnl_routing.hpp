// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/routing.hpp"
#include "linux/netlink_channel.hpp"

namespace fabric::linux_host {

// Routes and rules over the process's route socket.
class RtnlRouting : public host::RoutingReader {
  public:
    explicit RtnlRouting(NetlinkChannel& netlink) : netlink_(&netlink) {}

    [[nodiscard]] Result<host::Routes> routes() const override;
    [[nodiscard]] Result<std::vector<host::RoutingRule>> rules() const override;

  private:
    [[nodiscard]] Result<void> addRoutes(unsigned char family,
                                         host::Routes& found) const;
    [[nodiscard]] Result<void> addRules(unsigned char family,
                                        std::vector<host::RoutingRule>& found) const;

    NetlinkChannel* netlink_;
};

}  // namespace fabric::linux_host
