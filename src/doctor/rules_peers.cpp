// SPDX-License-Identifier: Apache-2.0
// Whether the servers of other nodes can be reached from each rail.
#include "doctor/evidence.hpp"
#include "doctor/judgement.hpp"
#include "doctor/peers.hpp"
#include "doctor/rules.hpp"

#include <fmt/format.h>

#include <array>
#include <cerrno>

namespace fabric::doctor {

namespace {

// What the network answered, as against what this host could not do itself.
bool isAnswer(const Error& error) {
    return error.kind == ErrorKind::refused || error.kind == ErrorKind::timeout ||
           error.sysErrno == EHOSTUNREACH || error.sysErrno == ENETUNREACH ||
           error.sysErrno == ECONNRESET;
}

Judgement judgePair(const PeerPair& pair) {
    const Value expected = fmt::format("TCP port {} takes connections", kPeerPort);
    if (pair.connected) {
        return passed(expected, "open");
    }
    const Error& error = pair.connected.error();
    if (!isAnswer(error)) {
        return unreadable(error);
    }
    if (error.kind == ErrorKind::refused) {
        return failed(expected, "refused", "nothing listens there, or it is rejected");
    }
    return error.kind == ErrorKind::timeout
               ? failed(expected,
                        "no answer",
                        "no answer in time: it is filtered on the way, or the peer is "
                        "down")
               : failed(expected, "no way", "there is no way to it from this rail");
}

Judgement judgePeerPort(const Evidence& evidence) {
    if (!evidence.peers) {
        return inconclusive("peers are asked with --peers INVENTORY only");
    }
    Judged pairs;
    for (const PeerPair& pair : evidence.peers->pairs) {
        pairs.add(
            fmt::format(
                "{} to {} ({})", pair.way.from.text(), pair.way.to.text(), pair.peer),
            judgePair(pair));
    }
    Judgement judgement = pairs.worst({});
    return judgement.verdict == Verdict::notApplicable
               ? inconclusive("no peer of the inventory is in the network of a rail")
               : judgement;
}

constexpr auto kRules = std::to_array<Rule>({
    {.id = "peer.port",
     .worst = Verdict::fail,
     .cause = "a peer's port 5555 is closed",
     .source = "Troubleshoot RDMA: operations time out",
     .look = "ping PEER; nc -zv PEER 5555",
     .fix = "open TCP port 5555 between all nodes",
     .action = {},
     .restart = Restart::none,
     .judge = judgePeerPort,
     .unobserved = "peers that no inventory lists (--peers)"},
});

}  // namespace

std::span<const Rule> peerRules() {
    return kRules;
}

}  // namespace fabric::doctor
