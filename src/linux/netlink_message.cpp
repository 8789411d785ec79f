// SPDX-License-Identifier: Apache-2.0
#include "linux/netlink_message.hpp"

#include "base/text.hpp"

#include <linux/netlink.h>

#include <algorithm>
#include <string>

namespace fabric::linux_host {

namespace {

constexpr std::size_t kHeader = sizeof(nlmsghdr);

std::size_t aligned(std::size_t length) {
    return (length + NLMSG_ALIGNTO - 1U) & ~std::size_t{NLMSG_ALIGNTO - 1U};
}

std::unexpected<Error> malformed(std::string detail) {
    return fail(Error{.kind = ErrorKind::malformed,
                      .action = "read netlink answer",
                      .detail = std::move(detail)});
}

// The kernel's own words, when it gave any (NETLINK_EXT_ACK).
std::string extendedText(const NetlinkMessage& message) {
    if ((message.flags & NLM_F_ACK_TLVS) == 0) {
        return {};
    }
    const ByteView rest = message.payload.subspan(sizeof(int));
    const auto request = valueAt<nlmsghdr>(rest);
    const bool capped = (message.flags & NLM_F_CAPPED) != 0;
    if (!request || request->nlmsg_len < kHeader) {
        return {};
    }
    const std::size_t echoed = capped ? kHeader : aligned(request->nlmsg_len);
    if (echoed > rest.size()) {
        return {};
    }
    const auto attributes = Attributes::parse(rest.subspan(echoed));
    return attributes ? escapeForTerminal(attributes->text(NLMSGERR_ATTR_MSG))
                      : std::string();
}

// Success or a negated errno (include/linux/err.h, MAX_ERRNO). Nothing else is a code
// of the kernel's, and the smallest int has no counterpart to negate it to.
bool isCode(int number) {
    constexpr int kMaxErrno = 4095;
    return -kMaxErrno <= number && number <= 0;
}

Error refusalOf(const NetlinkMessage& message, int code) {
    Error error = systemError("netlink request", {}, -code);
    if (error.kind == ErrorKind::io) {
        error.kind = ErrorKind::refused;
    }
    error.detail = extendedText(message);
    return error;
}

// Earlier in the circle of 32-bit sequence numbers.
bool isEarlier(std::uint32_t sequence, std::uint32_t than) {
    const std::uint32_t distance = than - sequence;
    return distance != 0 && distance < 0x80000000U;
}

Result<Reply> judgeError(const NetlinkMessage& message) {
    const auto code = valueAt<int>(message.payload);
    if (!code || !isCode(*code)) {
        return malformed("an error message without a valid code");
    }
    if (*code == 0) {
        return Reply{.kind = ReplyKind::acknowledged};
    }
    return Reply{.kind = ReplyKind::refused, .refusal = refusalOf(message, *code)};
}

}  // namespace

std::vector<std::byte> encode(const NetlinkRequest& request, NetlinkIdentity identity) {
    const nlmsghdr header{
        .nlmsg_len = static_cast<std::uint32_t>(kHeader + request.payload.size()),
        .nlmsg_type = request.type,
        .nlmsg_flags = static_cast<std::uint16_t>(request.flags | NLM_F_REQUEST),
        .nlmsg_seq = identity.sequence,
        .nlmsg_pid = identity.portId};
    std::vector<std::byte> bytes;
    bytes.reserve(header.nlmsg_len);
    appendValue(bytes, header);
    appendBytes(bytes, request.payload);
    return bytes;
}

Result<std::vector<NetlinkMessage>> messagesOf(ByteView datagram) {
    std::vector<NetlinkMessage> messages;
    while (!datagram.empty()) {
        const auto header = valueAt<nlmsghdr>(datagram);
        if (!header || header->nlmsg_len < kHeader ||
            header->nlmsg_len > datagram.size()) {
            return malformed(
                "a message of " + std::to_string(header ? header->nlmsg_len : 0) +
                " bytes with " + std::to_string(datagram.size()) + " bytes left");
        }
        messages.push_back(
            {.type = header->nlmsg_type,
             .flags = header->nlmsg_flags,
             .identity = {.sequence = header->nlmsg_seq, .portId = header->nlmsg_pid},
             .payload = datagram.subspan(kHeader, header->nlmsg_len - kHeader)});
        datagram =
            datagram.subspan(std::min(datagram.size(), aligned(header->nlmsg_len)));
    }
    if (messages.empty()) {
        return malformed("an empty datagram");
    }
    return messages;
}

Result<Reply> readReply(ByteView datagram, NetlinkIdentity identity) {
    const std::vector<NetlinkMessage> messages = TRY(messagesOf(datagram));
    const NetlinkMessage& message = messages.front();
    if (message.identity.portId != identity.portId) {
        return malformed("addressed to port " +
                         std::to_string(message.identity.portId) + ", not to " +
                         std::to_string(identity.portId));
    }
    if (isEarlier(message.identity.sequence, identity.sequence)) {
        return Reply{.kind = ReplyKind::stale};
    }
    if (message.identity.sequence != identity.sequence) {
        return malformed("sequence " + std::to_string(message.identity.sequence) +
                         " was never sent");
    }
    if (messages.size() > 1) {
        return malformed("several messages where one was expected");
    }
    if (message.type == NLMSG_ERROR) {
        return judgeError(message);
    }
    if (message.type < NLMSG_MIN_TYPE) {
        return malformed("control message " + std::to_string(message.type) +
                         " where an answer was expected");
    }
    return Reply{
        .kind = ReplyKind::answer, .type = message.type, .payload = message.payload};
}

Result<bool> DumpCollector::take(const NetlinkMessage& message) {
    interrupted_ = interrupted_ || (message.flags & NLM_F_DUMP_INTR) != 0;
    if (message.type == NLMSG_ERROR || message.type == NLMSG_DONE) {
        const int code = valueAt<int>(message.payload).value_or(0);
        if (!isCode(code)) {
            return malformed("the end of a dump without a valid code");
        }
        if (code == 0 && message.type == NLMSG_ERROR) {
            return malformed("an acknowledgement in a dump");
        }
        if (code < 0) {
            refusal_ = refusalOf(message, code);
        }
        return true;
    }
    if (message.type < NLMSG_MIN_TYPE) {
        return malformed("control message " + std::to_string(message.type) +
                         " in a dump");
    }
    parts_.emplace_back(message.payload.begin(), message.payload.end());
    return false;
}

Result<bool> DumpCollector::add(ByteView datagram) {
    const std::vector<NetlinkMessage> messages = TRY(messagesOf(datagram));
    for (const NetlinkMessage& message : messages) {
        const std::uint32_t sequence = message.identity.sequence;
        const bool stale = isEarlier(sequence, identity_.sequence);
        if (message.identity.portId != identity_.portId ||
            (sequence != identity_.sequence && !stale)) {
            return malformed("a part of somebody else's dump");
        }
        if (!stale && TRY(take(message))) {
            return true;
        }
    }
    return false;
}

}  // namespace fabric::linux_host
