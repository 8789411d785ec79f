// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "linux/netlink_message.hpp"
#include "linux/netlink_socket.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <vector>

namespace fabric::linux_host {

// One request, one answer, over one socket that is opened at the first request. After a
// broken conversation (timeout, malformed or foreign bytes, lost messages) the socket
// is thrown away and the next request opens a new one, so that nothing left in the old
// queue can be read. Not for use from several threads.
class NetlinkChannel {
  public:
    using Opener = std::function<Result<NetlinkSocket>()>;

    static constexpr std::chrono::milliseconds kPatience{5000};

    explicit NetlinkChannel(Opener opener,
                            std::chrono::milliseconds patience = kPatience)
        : opener_(std::move(opener)), patience_(patience) {}

    // Sends without NLM_F_ACK, so that exactly one datagram comes back: the answer, of
    // `answerType`, or a refusal.
    [[nodiscard]] Result<std::vector<std::byte>> ask(const NetlinkRequest& request,
                                                     std::uint16_t answerType);
    // Sends with NLM_F_ACK a request that has no other answer.
    [[nodiscard]] Result<void> command(NetlinkRequest request);
    // Every part of a dump (NLM_F_DUMP), repeated a bounded number of times while the
    // kernel reports it as interrupted.
    [[nodiscard]] Result<std::vector<std::vector<std::byte>>> dump(
        NetlinkRequest request);

  private:
    [[nodiscard]] Result<NetlinkIdentity> send(const NetlinkRequest& request);
    [[nodiscard]] Result<ByteView> receive(NetlinkSocket::Deadline deadline);
    [[nodiscard]] Result<Reply> converse(const NetlinkRequest& request);
    [[nodiscard]] Result<DumpCollector> collect(const NetlinkRequest& request);
    [[nodiscard]] NetlinkSocket::Deadline deadline() const;

    Opener opener_;
    std::chrono::milliseconds patience_;
    std::unique_ptr<NetlinkSocket> socket_;
    std::uint32_t sequence_ = 0;
};

// The opener of a kernel protocol.
[[nodiscard]] NetlinkChannel::Opener kernelProtocol(int protocol);

}  // namespace fabric::linux_host
