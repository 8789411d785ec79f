// SPDX-License-Identifier: Apache-2.0
#include "linux/neighbours.hpp"

#include "linux/neighbour_decode.hpp"

#include <linux/neighbour.h>
#include <linux/rtnetlink.h>

#include <sys/socket.h>

#include <utility>

namespace fabric::linux_host {

// The kernel lists entries or proxies, never both (net/core/neighbour.c,
// neigh_dump_info).
Result<void> RtnlNeighbours::addDump(const Question& question,
                                     std::vector<host::Neighbour>& entries) const {
    NetlinkRequest request{.type = RTM_GETNEIGH};
    appendValue(request.payload,
                ndmsg{.ndm_family = question.family, .ndm_flags = question.flags});
    if (!question.link.none()) {
        appendAttribute(request.payload, NDA_IFINDEX, question.link.number);
    }
    auto parts = netlink_->dump(std::move(request));
    if (!parts) {
        Error error = std::move(parts.error());
        error.action = "list neighbour entries";
        return fail(std::move(error));
    }
    for (const auto& part : *parts) {
        if (auto entry = TRY(decodeNeighbour(part))) {
            entries.push_back(std::move(*entry));
        }
    }
    return {};
}

Result<std::vector<host::Neighbour>> RtnlNeighbours::neighbours() const {
    std::vector<host::Neighbour> entries;
    TRY(addDump({.family = AF_INET}, entries));
    TRY(addDump({.family = AF_INET6}, entries));
    TRY(addDump({.family = AF_UNSPEC, .flags = NTF_PROXY}, entries));
    return entries;
}

Result<std::vector<host::Neighbour>> RtnlNeighbours::neighboursOn(IfIndex link) const {
    std::vector<host::Neighbour> entries;
    TRY(addDump({.family = AF_INET, .link = link}, entries));
    TRY(addDump({.family = AF_INET6, .link = link}, entries));
    // Kernels before 4.6 do not know the filter.
    std::erase_if(entries, [link](const host::Neighbour& entry) {
        return entry.key.link != link;
    });
    return entries;
}

Result<std::unique_ptr<host::NeighbourWatch>> RtnlNeighbours::watch() const {
    NetlinkSocket socket = TRY(NetlinkSocket::open(NETLINK_ROUTE));
    TRY(socket.join(RTNLGRP_NEIGH));
    return std::make_unique<RtnlNeighbourWatch>(std::move(socket));
}

Result<std::optional<host::NeighbourEvent>> RtnlNeighbourWatch::next(
    std::chrono::steady_clock::time_point deadline) {
    while (pending_.empty()) {
        const auto datagram = TRY(socket_.receive(deadline));
        if (!datagram) {
            return std::nullopt;
        }
        const auto messages = TRY(messagesOf(*datagram));
        for (const NetlinkMessage& message : messages) {
            if (message.type != RTM_NEWNEIGH && message.type != RTM_DELNEIGH) {
                continue;
            }
            if (const auto entry = TRY(decodeNeighbour(message.payload))) {
                pending_.insert(
                    pending_.begin(),
                    {.entry = *entry, .removed = message.type == RTM_DELNEIGH});
            }
        }
    }
    const host::NeighbourEvent event = pending_.back();
    pending_.pop_back();
    return event;
}

}  // namespace fabric::linux_host
