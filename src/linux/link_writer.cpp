// SPDX-License-Identifier: Apache-2.0
#include "linux/link_writer.hpp"

#include "linux/link_names.hpp"

#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include <sys/socket.h>

#include <cerrno>
#include <utility>

namespace fabric::linux_host {

Result<void> RtnlLinkWriter::setMtu(IfIndex index, std::uint32_t mtu) {
    NetlinkRequest request{.type = RTM_SETLINK};
    appendValue(request.payload,
                ifinfomsg{.ifi_family = AF_UNSPEC,
                          .ifi_index = static_cast<int>(index.number)});
    appendAttribute(request.payload, IFLA_MTU, mtu);
    Result<void> done = netlink_->command(std::move(request));
    if (!done) {
        Error error = std::move(done.error());
        error.action = "set MTU " + std::to_string(mtu);
        error.subject = describe(index);
        if (error.sysErrno == EPERM) {
            error.advice = "needs CAP_NET_ADMIN: run as root";
        }
        return fail(std::move(error));
    }
    return {};
}

}  // namespace fabric::linux_host
