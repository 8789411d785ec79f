// SPDX-License-Identifier: Apache-2.0
#include "linux/packet_socket.hpp"

#include "linux/link_names.hpp"

#include <linux/if_ether.h>
#include <linux/if_packet.h>

#include <endian.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace fabric::linux_host {

namespace {

// No frame of ours is longer; what is cut off cannot be one.
constexpr std::size_t kLargestFrame = 256;

sockaddr_ll addressOf(IfIndex link, std::uint16_t protocol) {
    return {.sll_family = AF_PACKET,
            .sll_protocol = htobe16(protocol),
            .sll_ifindex = static_cast<int>(link.number),
            .sll_hatype = 0,
            .sll_pkttype = 0,
            .sll_halen = 0,
            .sll_addr = {}};
}

Error failed(const char* action, IfIndex link, int error) {
    Error failure = systemError(action, describe(link), error);
    if (error == EPERM) {
        failure.advice = "needs CAP_NET_RAW: run as root";
    }
    return failure;
}

}  // namespace

Result<PacketSocket> PacketSocket::open(IfIndex link, std::uint16_t protocol) {
    // Without a protocol nothing is queued before the socket is bound to its link.
    UniqueFd fd(::socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!fd.valid()) {
        return fail(failed("open packet socket", link, errno));
    }
    const sockaddr_ll address = addressOf(link, protocol);
    if (::bind(fd.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) !=
        0) {
        return fail(failed("listen", link, errno));
    }
    return PacketSocket(std::move(fd), link, protocol);
}

Result<void> PacketSocket::broadcast(ByteView payload) const {
    sockaddr_ll to = addressOf(link_, protocol_);
    to.sll_halen = ETH_ALEN;
    std::fill_n(to.sll_addr, ETH_ALEN, std::uint8_t{0xff});
    ssize_t sent = 0;
    do {
        sent = ::sendto(fd_.get(),
                        payload.data(),
                        payload.size(),
                        0,
                        reinterpret_cast<const sockaddr*>(&to),
                        sizeof to);
    } while (sent < 0 && errno == EINTR);
    if (sent < 0) {
        return fail(failed("send frame", link_, errno));
    }
    return {};
}

Result<std::optional<ByteView>> PacketSocket::receiveNow() {
    buffer_.resize(kLargestFrame);
    while (true) {
        sockaddr_ll sender{};
        socklen_t length = sizeof sender;
        const ssize_t got = ::recvfrom(fd_.get(),
                                       buffer_.data(),
                                       buffer_.size(),
                                       MSG_DONTWAIT,
                                       reinterpret_cast<sockaddr*>(&sender),
                                       &length);
        if (got < 0 && (errno == EAGAIN || errno == EINTR)) {
            return std::nullopt;
        }
        if (got < 0) {
            return fail(failed("read frame", link_, errno));
        }
        if (sender.sll_pkttype != PACKET_OUTGOING) {
            return ByteView(buffer_).first(static_cast<std::size_t>(got));
        }
    }
}

}  // namespace fabric::linux_host
