// SPDX-License-Identifier: Apache-2.0
// Netlink datagrams: what is an answer, what a refusal, what a dump. Every family's
// answers pass here first.
#include "fuzz/property.hpp"
#include "linux/netlink_message.hpp"

#include <linux/netlink.h>

namespace fabric::linux_host {
namespace {

using fuzz::require;

constexpr NetlinkIdentity kOurs{.sequence = 7, .portId = 0x1234};

bool isInside(ByteView part, ByteView whole) {
    return part.empty() || (part.data() >= whole.data() &&
                            part.data() + part.size() <= whole.data() + whole.size());
}

void judgeMessages(ByteView datagram) {
    const auto messages = messagesOf(datagram);
    if (!messages) {
        require(messages.error().kind == ErrorKind::malformed, "bytes are malformed");
        return;
    }
    require(!messages->empty(), "an empty datagram is an error");
    for (const NetlinkMessage& message : *messages) {
        require(isInside(message.payload, datagram), "payloads lie in the datagram");
        const auto bytes =
            encode({.type = message.type,
                    .flags = message.flags,
                    .payload = {message.payload.begin(), message.payload.end()}},
                   message.identity);
        const auto again = messagesOf(bytes);
        require(again && again->size() == 1, "a message of ours is one message");
        require(again->front().type == message.type &&
                    std::ranges::equal(again->front().payload, message.payload) &&
                    again->front().identity.sequence == message.identity.sequence,
                "type, payload and sequence survive");
    }
}

void judgeReply(ByteView datagram) {
    const auto reply = readReply(datagram, kOurs);
    if (!reply) {
        require(reply.error().kind == ErrorKind::malformed, "bytes are malformed");
        fuzz::requirePrintable(reply.error().message());
        return;
    }
    require(isInside(reply->payload, datagram), "the answer lies in the datagram");
    if (reply->kind == ReplyKind::refused) {
        require(reply->refusal.sysErrno > 0, "a refusal has an errno");
        fuzz::requirePrintable(reply->refusal.message());
    }
    if (reply->kind == ReplyKind::answer) {
        require(reply->type >= NLMSG_MIN_TYPE, "a control message is no answer");
    }
}

// The datagram as a whole dump, and as the second half of one.
void judgeDump(ByteView datagram) {
    DumpCollector collector(kOurs);
    const auto ended = collector.add(datagram);
    if (!ended) {
        require(ended.error().kind == ErrorKind::malformed, "bytes are malformed");
        fuzz::requirePrintable(ended.error().message());
        return;
    }
    if (collector.refusal()) {
        require(*ended, "a refusal ends the dump");
        require(collector.refusal()->sysErrno > 0, "a refusal has an errno");
        fuzz::requirePrintable(collector.refusal()->message());
    }
    const auto parts = collector.takeParts();
    require(parts.size() * sizeof(nlmsghdr) <= datagram.size(), "no part from nowhere");
}

void judgeAttributes(ByteView datagram) {
    const auto attributes = Attributes::parse(datagram);
    if (!attributes) {
        require(attributes.error().kind == ErrorKind::malformed, "bytes are malformed");
        return;
    }
    for (std::uint16_t type = 0; type < 16; ++type) {
        const auto payload = attributes->find(type);
        require(!payload || isInside(*payload, datagram), "payloads lie in the bytes");
        require(!attributes->text(type).contains('\0'), "text ends at 0");
    }
}

}  // namespace

FABRIC_FUZZ_TARGET(input) {
    const ByteView datagram = input.bytes();
    judgeMessages(datagram);
    judgeReply(datagram);
    judgeDump(datagram);
    judgeAttributes(datagram);
}

}  // namespace fabric::linux_host
