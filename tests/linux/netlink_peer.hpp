// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "linux/netlink_channel.hpp"

#include <linux/netlink.h>

#include <sys/socket.h>

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

// The other end of a netlink conversation, scripted. What it says is queued before it
// is asked, so that no thread is needed: the sequence numbers of a channel start at 1.
namespace fabric::linux_host::testing {

using Bytes = std::vector<std::byte>;

inline constexpr std::uint32_t kPort = 4711;

inline Bytes bytesOf(std::string_view text) {
    const auto view = std::as_bytes(std::span(text.data(), text.size()));
    return {view.begin(), view.end()};
}

inline Bytes message(std::uint16_t type,
                     std::uint32_t sequence,
                     const Bytes& payload,
                     std::uint16_t flags = 0,
                     std::uint32_t port = kPort) {
    Bytes bytes;
    appendValue(bytes,
                nlmsghdr{.nlmsg_len = static_cast<std::uint32_t>(sizeof(nlmsghdr) +
                                                                 payload.size()),
                         .nlmsg_type = type,
                         .nlmsg_flags = flags,
                         .nlmsg_seq = sequence,
                         .nlmsg_pid = port});
    appendBytes(bytes, payload);
    return bytes;
}

// NLMSG_ERROR with this code (0, or a negative errno), capped, with an optional text.
inline Bytes errorMessage(std::uint32_t sequence,
                          int code,
                          std::string_view text = {}) {
    Bytes payload;
    appendValue(payload, code);
    appendValue(payload, nlmsghdr{.nlmsg_len = 36, .nlmsg_seq = sequence});
    if (text.empty()) {
        return message(NLMSG_ERROR, sequence, payload, NLM_F_CAPPED);
    }
    Bytes terminated = bytesOf(text);
    terminated.push_back(std::byte{0});
    appendAttribute(payload, NLMSGERR_ATTR_MSG, ByteView(terminated));
    return message(NLMSG_ERROR, sequence, payload, NLM_F_CAPPED | NLM_F_ACK_TLVS);
}

inline Bytes doneMessage(std::uint32_t sequence,
                         int code = 0,
                         std::uint16_t flags = 0) {
    Bytes payload;
    appendValue(payload, code);
    return message(
        NLMSG_DONE, sequence, payload, static_cast<std::uint16_t>(NLM_F_MULTI | flags));
}

class NetlinkPeer {
  public:
    using Script = std::vector<Bytes>;

    // What is said on the first socket, on the second, ... ; silence after that.
    explicit NetlinkPeer(std::vector<Script> scripts) : scripts_(std::move(scripts)) {}

    NetlinkChannel::Opener opener() {
        return [this] { return open(); };
    }

    [[nodiscard]] std::size_t openings() const { return ends_.size(); }

    // The peer's own end of the latest socket.
    [[nodiscard]] int end() const { return ends_.back().get(); }

    // Every request that was sent to the latest socket and not yet taken.
    [[nodiscard]] std::vector<Bytes> takeRequests() const {
        std::vector<Bytes> requests;
        Bytes buffer(65536);
        while (true) {
            const ssize_t got =
                ::recv(end(), buffer.data(), buffer.size(), MSG_DONTWAIT);
            if (got <= 0) {
                return requests;
            }
            requests.emplace_back(buffer.begin(), buffer.begin() + got);
        }
    }

  private:
    Result<NetlinkSocket> open() {
        std::array<int, 2> pair{};
        if (::socketpair(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0, pair.data()) != 0) {
            return fail(systemError("socketpair", {}, errno));
        }
        UniqueFd mine(pair[0]);
        ends_.emplace_back(pair[1]);
        const std::size_t nth = ends_.size() - 1;
        for (const Bytes& datagram : nth < scripts_.size() ? scripts_[nth] : Script{}) {
            if (::send(pair[1], datagram.data(), datagram.size(), MSG_DONTWAIT) < 0) {
                return fail(systemError("queue datagram", {}, errno));
            }
        }
        return NetlinkSocket::adopt(std::move(mine), kPort);
    }

    std::vector<Script> scripts_;
    std::vector<UniqueFd> ends_;
};

}  // namespace fabric::linux_host::testing
