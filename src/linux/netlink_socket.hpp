// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"
#include "base/unique_fd.hpp"
#include "linux/netlink_attributes.hpp"

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

struct nl_sock;  // NOLINT(readability-identifier-naming): of netlink/socket.h

namespace fabric::linux_host {

// What a wait does about signals. One that is let in ends it, also one that the caller
// keeps blocked, so that none is missed between his look and the wait.
enum class Signals { sitOut, letIn };

// A datagram socket that speaks netlink. libnl opens, binds and subscribes it; sending
// and receiving is done here, since libnl's receive loop stops at the first datagram
// and leaves an acknowledgement behind for the next request (libnl-3, lib/nl.c,
// recvmsgs).
class NetlinkSocket {
  public:
    using Deadline = std::chrono::steady_clock::time_point;

    // A socket of this protocol (NETLINK_ROUTE, NETLINK_RDMA), bound to a free port,
    // with extended acknowledgements. A kernel without the protocol is
    // ErrorKind::unsupported.
    [[nodiscard]] static Result<NetlinkSocket> open(int protocol);
    // Any connected datagram descriptor in the place of a kernel.
    [[nodiscard]] static NetlinkSocket adopt(UniqueFd fd, std::uint32_t portId);

    // Subscribes to a multicast group (RTNLGRP_*).
    [[nodiscard]] Result<void> join(int group);
    [[nodiscard]] Result<void> send(ByteView message) const;
    // The next datagram from the kernel, valid until the next call; std::nullopt at the
    // deadline, and when a signal was let in. ENOBUFS (messages were lost) is
    // ErrorKind::busy; a datagram longer than 64 KiB, or one that another process sent,
    // is malformed.
    [[nodiscard]] Result<std::optional<ByteView>> receive(
        Deadline deadline, Signals signals = Signals::sitOut);

    [[nodiscard]] std::uint32_t portId() const { return portId_; }

  private:
    struct Closer {
        void operator()(nl_sock* socket) const;
    };

    NetlinkSocket() = default;
    [[nodiscard]] Result<std::optional<ByteView>> receiveNow();

    std::unique_ptr<nl_sock, Closer> library_;  // none for an adopted descriptor
    UniqueFd adopted_;
    int fd_ = -1;
    std::uint32_t portId_ = 0;
    std::vector<std::byte> buffer_;
};

// Waits until `fd` can be read: false at the deadline, and when a signal was let in.
[[nodiscard]] Result<bool> waitReadable(int fd,
                                        NetlinkSocket::Deadline deadline,
                                        Signals signals = Signals::sitOut);

}  // namespace fabric::linux_host
