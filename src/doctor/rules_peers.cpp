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

// Of each pair by what `judge` says of it.
template <typename Judge>
Judgement worstPair(const Evidence& evidence, Judge judge) {
    if (!evidence.peers) {
        return inconclusive("peers are asked with --peers INVENTORY only");
    }
    Judged pairs;
    for (const PeerPair& pair : evidence.peers->pairs) {
        pairs.add(nameOf(pair), judge(pair));
    }
    Judgement judgement = pairs.worst({});
    return judgement.verdict == Verdict::notApplicable
               ? inconclusive("no peer of the inventory is in the network of a rail")
               : judgement;
}

Judgement judgePeerPort(const Evidence& evidence) {
    return worstPair(evidence, judgePair);
}

// RC takes the smaller one only where both ends were told of it; many programs take
// their own (ibv_modify_qp, path_mtu).
Judgement judgeMtus(const PeerPair& pair) {
    if (pair.peerActiveMtu == 0) {
        return inconclusive(
            "the inventory says nothing of its MTU: take it anew with fabricctl peers "
            "export");
    }
    if (!pair.ownActiveMtu) {
        return unreadable(pair.ownActiveMtu.error());
    }
    const auto text = [](std::uint32_t active, std::uint32_t mtu) {
        return mtu == 0 ? fmt::format("active MTU {}", active)
                        : fmt::format("active MTU {}, interface {}", active, mtu);
    };
    const Value expected = text(*pair.ownActiveMtu, pair.ownMtu);
    const Value found = text(pair.peerActiveMtu, pair.peerMtu);
    if (*pair.ownActiveMtu != pair.peerActiveMtu) {
        return failed(expected,
                      found,
                      "the ends of a connection take different MTUs: the first large "
                      "transfer fails");
    }
    const bool differs =
        pair.ownMtu != 0 && pair.peerMtu != 0 && pair.ownMtu != pair.peerMtu;
    return differs ? warned(expected,
                            found,
                            "the interfaces' MTUs differ: TCP between them may stall")
                   : passed(expected, found);
}

Judgement judgeMtu(const Evidence& evidence) {
    return worstPair(evidence, judgeMtus);
}

Judgement judgePeerGid(const PeerPair& pair) {
    if (!pair.ownGid) {
        return unreadable(pair.ownGid.error());
    }
    if (pair.ownGid->empty()) {
        return notApplicable("InfiniBand addresses by LID");
    }
    if (*pair.ownGid == "none") {
        return inconclusive("this end has none itself: see gid.ipv4");
    }
    if (pair.peerGid.empty()) {
        return inconclusive(
            "the inventory says nothing of its GID: take it anew with fabricctl peers "
            "export");
    }
    const Value expected = inventory::gidOf(pair.way.to);
    const Value found = pair.peerGid;
    return expected == found
               ? passed(expected, found)
               : failed(expected,
                        found,
                        "the peer has no RoCE v2 GID of this address: nothing that is "
                        "sent to it is taken");
}

Judgement judgeGid(const Evidence& evidence) {
    return worstPair(evidence, judgePeerGid);
}

constexpr auto kRules = std::to_array<Rule>({
    {.id = "peer.port",
     .worst = Verdict::fail,
     .cause = "a peer's port 5555 is closed",
     .source = "Troubleshoot RDMA: operations time out",
     .look = "ping -c 3 {peer}; nc -zv {peer} 5555",
     .fix = "open TCP port 5555 between all nodes",
     .action = {},
     .restart = Restart::none,
     .judge = judgePeerPort,
     .unobserved = "peers that no inventory lists (--peers)"},
    {.id = "peer.mtu",
     .worst = Verdict::fail,
     .cause = "the two ends of a rail have different MTUs",
     .source = "experience",
     .look =
         "ibv_devinfo | grep active_mtu, and ip link show {interface}, at both ends",
     .fix = "the same MTU on every rail of every node and on the switch",
     .action = "{apply} --only mtu",
     .restart = Restart::allNodes,
     .judge = judgeMtu,
     .unobserved = "peers that no inventory lists, or lists without MTU (--peers)"},
    {.id = "peer.gid",
     .worst = Verdict::fail,
     .cause = "a peer has no RoCE v2 GID of the address that is sent to",
     .source = "Troubleshoot RDMA: multi-rail host",
     .look = "show_gids, at the peer",
     .fix = "at the peer: what gid.ipv4 says there",
     .action = {},
     .restart = Restart::allNodes,
     .judge = judgeGid,
     .unobserved = "peers that no inventory lists, or lists without GID (--peers)"},
});

}  // namespace

std::span<const Rule> peerRules() {
    return kRules;
}

}  // namespace fabric::doctor
