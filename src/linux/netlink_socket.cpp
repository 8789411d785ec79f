// SPDX-License-Identifier: Apache-2.0
#include "linux/netlink_socket.hpp"

#include <netlink/netlink.h>
#include <netlink/socket.h>

#include <linux/netlink.h>

#include <poll.h>
#include <signal.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

namespace fabric::linux_host {

namespace {

// The kernel builds no larger datagram: NLMSG_GOODSIZE is a page, dumps grow to 32 KiB
// (net/netlink/af_netlink.c, netlink_dump).
constexpr std::size_t kLargestDatagram = std::size_t{64} * 1024;

timespec remaining(NetlinkSocket::Deadline deadline) {
    using std::chrono::nanoseconds;
    const auto left = std::max(nanoseconds{0},
                               std::chrono::duration_cast<nanoseconds>(
                                   deadline - std::chrono::steady_clock::now()));
    const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(left);
    return {.tv_sec = seconds.count(), .tv_nsec = (left - seconds).count()};
}

Error openError(int error) {
    Error failure = systemError("open netlink socket", {}, error == 0 ? EIO : error);
    if (error == EPROTONOSUPPORT || error == EAFNOSUPPORT) {
        failure.kind = ErrorKind::unsupported;
    }
    return failure;
}

bool fromKernel(const sockaddr_storage& sender, socklen_t length) {
    if (length < sizeof(sockaddr_nl) || sender.ss_family != AF_NETLINK) {
        return sender.ss_family != AF_NETLINK;  // an adopted descriptor
    }
    sockaddr_nl address{};
    std::memcpy(&address, &sender, sizeof address);
    return address.nl_pid == 0;
}

}  // namespace

void NetlinkSocket::Closer::operator()(nl_sock* socket) const {
    nl_socket_free(socket);
}

Result<bool> waitReadable(int fd, NetlinkSocket::Deadline deadline, Signals signals) {
    sigset_t none;
    sigemptyset(&none);
    const bool letIn = signals == Signals::letIn;
    while (true) {
        const timespec left = remaining(deadline);
        pollfd waiting{.fd = fd, .events = POLLIN, .revents = 0};
        const int ready = ::ppoll(&waiting, 1, &left, letIn ? &none : nullptr);
        if (ready >= 0) {
            return ready > 0;
        }
        if (errno != EINTR) {
            return fail(systemError("wait for netlink", {}, errno));
        }
        if (letIn) {
            return false;
        }
    }
}

Result<NetlinkSocket> NetlinkSocket::open(int protocol) {
    NetlinkSocket opened;
    opened.library_.reset(nl_socket_alloc());
    if (opened.library_ == nullptr) {
        return fail(openError(ENOMEM));
    }
    errno = 0;
    if (nl_connect(opened.library_.get(), protocol) < 0) {
        return fail(openError(errno));
    }
    opened.fd_ = nl_socket_get_fd(opened.library_.get());
    opened.portId_ = nl_socket_get_local_port(opened.library_.get());
    // Kernels before 4.12 have no extended acknowledgements; errors then come without
    // text.
    const int on = 1;
    (void)::setsockopt(opened.fd_, SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof on);
    return opened;
}

NetlinkSocket NetlinkSocket::adopt(UniqueFd fd, std::uint32_t portId) {
    NetlinkSocket adopted;
    adopted.fd_ = fd.get();
    adopted.adopted_ = std::move(fd);
    adopted.portId_ = portId;
    return adopted;
}

Result<void> NetlinkSocket::join(int group) {
    if (::setsockopt(fd_, SOL_NETLINK, NETLINK_ADD_MEMBERSHIP, &group, sizeof group) !=
        0) {
        return fail(systemError("join netlink group", std::to_string(group), errno));
    }
    return {};
}

Result<void> NetlinkSocket::send(ByteView message) const {
    ssize_t sent = 0;
    do {
        sent = ::send(fd_, message.data(), message.size(), MSG_NOSIGNAL);
    } while (sent < 0 && errno == EINTR);
    if (sent < 0) {
        return fail(systemError("send netlink request", {}, errno));
    }
    if (static_cast<std::size_t>(sent) != message.size()) {
        return fail(systemError("send netlink request", {}, EMSGSIZE));
    }
    return {};
}

Result<std::optional<ByteView>> NetlinkSocket::receiveNow() {
    buffer_.resize(kLargestDatagram);
    sockaddr_storage sender{};
    iovec part{.iov_base = buffer_.data(), .iov_len = buffer_.size()};
    msghdr message{};
    message.msg_name = &sender;
    message.msg_namelen = sizeof sender;
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    const ssize_t got = ::recvmsg(fd_, &message, MSG_DONTWAIT);
    if (got < 0) {
        if (errno == EAGAIN || errno == EINTR) {
            return std::nullopt;
        }
        Error error = systemError("read netlink answer", {}, errno);
        error.kind = error.sysErrno == ENOBUFS ? ErrorKind::busy : error.kind;
        return fail(std::move(error));
    }
    const char* wrong = nullptr;
    if ((message.msg_flags & MSG_TRUNC) != 0) {
        wrong = "a datagram longer than 64 KiB";
    } else if (!fromKernel(sender, message.msg_namelen)) {
        wrong = "sent by a process, not by the kernel";
    }
    if (wrong != nullptr) {
        return fail(Error{.kind = ErrorKind::malformed,
                          .action = "read netlink answer",
                          .detail = wrong});
    }
    return ByteView(buffer_.data(), static_cast<std::size_t>(got));
}

Result<std::optional<ByteView>> NetlinkSocket::receive(Deadline deadline,
                                                       Signals signals) {
    // The kernel answers within send(2), so that the first look usually succeeds.
    while (true) {
        const auto datagram = TRY(receiveNow());
        if (datagram) {
            return datagram;
        }
        if (!TRY(waitReadable(fd_, deadline, signals))) {
            return std::nullopt;
        }
    }
}

}  // namespace fabric::linux_host
