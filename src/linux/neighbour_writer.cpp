// SPDX-License-Identifier: Apache-2.0
#include "linux/neighbour_writer.hpp"

#include "linux/link_names.hpp"

#include <linux/neighbour.h>
#include <linux/rtnetlink.h>

#include <sys/socket.h>

#include <cerrno>
#include <utility>

namespace fabric::linux_host {

namespace {

NetlinkRequest requestFor(const host::NeighbourKey& key,
                          std::uint16_t type,
                          std::uint8_t flags) {
    NetlinkRequest request{.type = type};
    const unsigned family = key.address.ipv6 ? AF_INET6 : AF_INET;
    appendValue(request.payload,
                ndmsg{.ndm_family = static_cast<std::uint8_t>(family),
                      .ndm_ifindex = static_cast<int>(key.link.number),
                      .ndm_state = NUD_NONE,
                      .ndm_flags = flags});
    appendAttribute(request.payload, NDA_DST, std::as_bytes(key.address.bytes()));
    return request;
}

Error about(Error error, std::string action, const host::NeighbourKey& key) {
    error.action = std::move(action) + " " + key.address.text();
    error.subject = describe(key.link);
    if (error.sysErrno == EPERM) {
        error.advice = "needs CAP_NET_ADMIN: run as root";
    }
    return error;
}

}  // namespace

Result<void> RtnlNeighbourWriter::remove(const host::NeighbourKey& key) {
    Result<void> done = netlink_->command(requestFor(key, RTM_DELNEIGH, 0));
    if (!done && done.error().sysErrno != ENOENT) {
        return fail(about(std::move(done.error()), "delete neighbour", key));
    }
    return {};
}

// The state must be NUD_NONE: with NUD_PERMANENT the kernel refuses NTF_USE
// (net/core/neighbour.c, neigh_add).
Result<void> RtnlNeighbourWriter::resolve(const host::NeighbourKey& key) {
    NetlinkRequest request = requestFor(key, RTM_NEWNEIGH, NTF_USE);
    request.flags = NLM_F_CREATE | NLM_F_REPLACE;
    Result<void> done = netlink_->command(std::move(request));
    if (!done) {
        return fail(about(std::move(done.error()), "resolve neighbour", key));
    }
    return {};
}

}  // namespace fabric::linux_host
