// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "linux/netlink_attributes.hpp"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

// Netlink messages as bytes, without any socket.
namespace fabric::linux_host {

// One request. NLM_F_REQUEST is always set; `flags` are the others. `payload` starts
// with the family's fixed header (struct ifinfomsg, struct dcbmsg, ...).
struct NetlinkRequest {
    std::uint16_t type = 0;
    std::uint16_t flags = 0;
    std::vector<std::byte> payload;
};

// What ties an answer to its request.
struct NetlinkIdentity {
    std::uint32_t sequence = 0;
    std::uint32_t portId = 0;
};

[[nodiscard]] std::vector<std::byte> encode(const NetlinkRequest& request,
                                            NetlinkIdentity identity);

struct NetlinkMessage {
    std::uint16_t type = 0;
    std::uint16_t flags = 0;
    NetlinkIdentity identity;
    ByteView payload;
};

// Every message of a datagram; ErrorKind::malformed when one is cut off, claims less
// than its header, or bytes are left over.
[[nodiscard]] Result<std::vector<NetlinkMessage>> messagesOf(ByteView datagram);

// What one datagram is to a request that expects one answer.
enum class ReplyKind {
    answer,        // payload is the answer
    acknowledged,  // NLMSG_ERROR with 0
    refused,       // NLMSG_ERROR with an errno: `refusal`
    stale,         // belongs to an earlier request of this socket: read on
};

struct Reply {
    ReplyKind kind = ReplyKind::stale;
    std::uint16_t type = 0;
    ByteView payload;
    Error refusal;
};

// Judges a datagram. Anything but exactly one message for `identity` is malformed,
// except a message of an earlier sequence of ours, which is stale: an acknowledgement
// left over from a previous request is never taken for an answer.
[[nodiscard]] Result<Reply> readReply(ByteView datagram, NetlinkIdentity identity);

// Collects a multi-part answer.
class DumpCollector {
  public:
    explicit DumpCollector(NetlinkIdentity identity) : identity_(identity) {}

    // True when the end was in this datagram: NLMSG_DONE, or the kernel's refusal.
    [[nodiscard]] Result<bool> add(ByteView datagram);

    [[nodiscard]] const std::optional<Error>& refusal() const { return refusal_; }

    // The kernel changed the table meanwhile (NLM_F_DUMP_INTR): the parts are not one
    // state.
    [[nodiscard]] bool interrupted() const { return interrupted_; }

    [[nodiscard]] std::vector<std::vector<std::byte>> takeParts() {
        return std::move(parts_);
    }

  private:
    [[nodiscard]] Result<bool> take(const NetlinkMessage& message);

    NetlinkIdentity identity_;
    bool interrupted_ = false;
    std::optional<Error> refusal_;
    std::vector<std::vector<std::byte>> parts_;
};

}  // namespace fabric::linux_host
