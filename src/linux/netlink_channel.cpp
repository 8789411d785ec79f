// SPDX-License-Identifier: Apache-2.0
#include "linux/netlink_channel.hpp"

#include <linux/netlink.h>

#include <cerrno>
#include <utility>

namespace fabric::linux_host {

namespace {

constexpr int kDumpAttempts = 8;
// A full routing table takes longer than one answer.
constexpr int kDumpPatience = 6;

Error unexpectedReply(std::string detail) {
    return Error{.kind = ErrorKind::malformed,
                 .action = "read netlink answer",
                 .detail = std::move(detail)};
}

Error noAnswer() {
    return Error{.kind = ErrorKind::timeout,
                 .action = "wait for netlink answer",
                 .sysErrno = ETIMEDOUT,
                 .detail = "the kernel's answer did not come in time"};
}

// A peer that keeps talking must not hold the program either.
Result<void> checkTime(NetlinkSocket::Deadline until) {
    if (std::chrono::steady_clock::now() >= until) {
        return fail(noAnswer());
    }
    return {};
}

}  // namespace

NetlinkChannel::Opener kernelProtocol(int protocol) {
    return [protocol] { return NetlinkSocket::open(protocol); };
}

NetlinkSocket::Deadline NetlinkChannel::deadline() const {
    return std::chrono::steady_clock::now() + patience_;
}

Result<NetlinkIdentity> NetlinkChannel::send(const NetlinkRequest& request) {
    if (socket_ == nullptr) {
        Result<NetlinkSocket> opened = opener_();
        if (!opened) {
            return fail(std::move(opened.error()));
        }
        socket_ = std::make_unique<NetlinkSocket>(std::move(*opened));
    }
    const NetlinkIdentity identity{.sequence = ++sequence_,
                                   .portId = socket_->portId()};
    TRY(socket_->send(encode(request, identity)));
    return identity;
}

Result<ByteView> NetlinkChannel::receive(NetlinkSocket::Deadline deadline) {
    const auto datagram = TRY(socket_->receive(deadline));
    if (!datagram) {
        return fail(noAnswer());
    }
    return *datagram;
}

Result<Reply> NetlinkChannel::converse(const NetlinkRequest& request) {
    const NetlinkIdentity identity = TRY(send(request));
    const auto until = deadline();
    while (true) {
        const ByteView datagram = TRY(receive(until));
        Reply reply = TRY(readReply(datagram, identity));
        if (reply.kind != ReplyKind::stale) {
            return reply;
        }
        TRY(checkTime(until));
    }
}

Result<std::vector<std::byte>> NetlinkChannel::ask(const NetlinkRequest& request,
                                                   std::uint16_t answerType) {
    Result<Reply> reply = converse(request);
    if (reply && reply->kind == ReplyKind::refused) {
        return fail(std::move(reply->refusal));
    }
    if (reply && (reply->kind != ReplyKind::answer || reply->type != answerType)) {
        reply = fail(
            unexpectedReply(reply->kind == ReplyKind::acknowledged
                                ? "an acknowledgement where an answer was "
                                  "expected"
                                : "a message of type " + std::to_string(reply->type)));
    }
    if (!reply) {
        socket_.reset();
        return fail(std::move(reply.error()));
    }
    return std::vector<std::byte>(reply->payload.begin(), reply->payload.end());
}

Result<void> NetlinkChannel::command(NetlinkRequest request) {
    request.flags |= NLM_F_ACK;
    Result<Reply> reply = converse(request);
    if (reply && reply->kind == ReplyKind::refused) {
        return fail(std::move(reply->refusal));
    }
    if (reply && reply->kind != ReplyKind::acknowledged) {
        reply =
            fail(unexpectedReply("an answer where an acknowledgement was expected"));
    }
    if (!reply) {
        socket_.reset();
        return fail(std::move(reply.error()));
    }
    return {};
}

Result<DumpCollector> NetlinkChannel::collect(const NetlinkRequest& request) {
    DumpCollector collector(TRY(send(request)));
    const auto until = deadline() + (kDumpPatience - 1) * patience_;
    while (true) {
        const ByteView datagram = TRY(receive(until));
        if (TRY(collector.add(datagram))) {
            return collector;
        }
        TRY(checkTime(until));
    }
}

Result<std::vector<std::vector<std::byte>>> NetlinkChannel::dump(
    NetlinkRequest request) {
    request.flags |= NLM_F_DUMP;
    for (int attempt = 0; attempt < kDumpAttempts; ++attempt) {
        Result<DumpCollector> collected = collect(request);
        if (!collected) {
            socket_.reset();
            return fail(std::move(collected.error()));
        }
        if (const auto& refusal = collected->refusal()) {
            return fail(*refusal);
        }
        if (!collected->interrupted()) {
            return collected->takeParts();
        }
    }
    return fail(Error{.kind = ErrorKind::busy,
                      .action = "read netlink dump",
                      .detail = "the kernel's table changed during each of " +
                                std::to_string(kDumpAttempts) + " attempts",
                      .advice = "run again when the host is quieter"});
}

}  // namespace fabric::linux_host
