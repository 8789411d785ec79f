// SPDX-License-Identifier: Apache-2.0
#include "profile/keys.hpp"

#include <array>

namespace fabric::profile {

namespace {

constexpr std::string_view kSysctl = "/proc/sys/net/ipv4/conf/IF";
constexpr std::string_view kCache = "neighbour cache of the rails";

// Documentation/networking/ip-sysctl.rst: arp_ignore, arp_announce.
constexpr ValueType kIgnoreType{
    .form = Form::number, .noun = "arp_ignore", .min = 1, .max = 2};
constexpr ValueType kAnnounceType{
    .form = Form::number, .noun = "arp_announce", .min = 2, .max = 2};

// What IFLA_MTU can hold of an Ethernet device, and the MTUs of InfiniBand.
constexpr ValueType kPeerMtuType{
    .form = Form::number, .noun = "MTU", .min = 68, .max = 65535};
constexpr ValueType kActiveMtuType{
    .form = Form::number, .noun = "active MTU", .min = 256, .max = 4096};

constexpr std::array kAddress{
    Key{.path = "arp",
        .shape = Shape::section,
        .meaning = "Interface-scoped ARP, so that no rail answers for another.",
        .touches = kSysctl,
        .disturbs = "nothing",
        .perRail = true,
        .owns = true},
    Key{.path = "arp.ignore",
        .value = kIgnoreType,
        .standard = "1",
        .meaning = "arp_ignore: 1 answers only for addresses of the receiving "
                   "interface, 2 also demands the sender's subnet.",
        .refusal = "0 answers for every local address on any rail, 3 to 7 and above 8 "
                   "still answer for other interfaces' addresses, 8 answers nothing",
        .touches = "/proc/sys/net/ipv4/conf/IF/arp_ignore",
        .disturbs = "nothing",
        .owns = true},
    Key{.path = "arp.announce",
        .value = kAnnounceType,
        .standard = "2",
        .meaning = "arp_announce: 2 asks with the best local address of the rail.",
        .refusal = "0 and 1 may ask with another rail's address, above 2 the kernel "
                   "acts as with 0",
        .touches = "/proc/sys/net/ipv4/conf/IF/arp_announce",
        .disturbs = "nothing",
        .owns = true},
    Key{.path = "arp.rp-filter",
        .value = choiceOf("keep|0|1|2"),
        .standard = "keep",
        .meaning = "Reverse path filter: keep leaves it, 0 is off, 1 strict, 2 loose.",
        .touches = "/proc/sys/net/ipv4/conf/IF/rp_filter",
        .disturbs = "traffic: strict filtering may drop what arrives on another rail",
        .owns = true},
    Key{.path = "arp.scope",
        .value = choiceOf("rails|all"),
        .standard = "rails",
        .meaning = "rails sets each rail's own values, all sets conf/all too.",
        .touches = kSysctl,
        .disturbs = "all also changes the management interface"},
    Key{.path = "arp.persist",
        .value = kFlagType,
        .standard = "true",
        .meaning = "Whether the values are also written for the next boot.",
        .touches = "/etc/sysctl.d/99-zz-fabricctl.conf",
        .disturbs = "nothing"},
    Key{.path = "neighbours",
        .shape = Shape::section,
        .meaning = "The neighbour cache: wrong or stale MAC addresses of peers.",
        .touches = kCache,
        .disturbs = "traffic: flushed entries are resolved again",
        .perRail = true,
        .owns = true},
    Key{.path = "neighbours.flush",
        .value = choiceOf("when-changed|always|never"),
        .standard = "when-changed",
        .meaning = "When dynamic entries of the rails are flushed.",
        .touches = kCache,
        .disturbs = "traffic: flushed entries are resolved again"},
    Key{.path = "neighbours.static",
        .value = choiceOf("report|delete"),
        .standard = "report",
        .meaning =
            "What becomes of permanent and noarp entries, which survive a flush.",
        .touches = kCache,
        .disturbs = "traffic to those peers"},
    Key{.path = "neighbours.announce",
        .value = kFlagType,
        .standard = "true",
        .meaning = "One gratuitous ARP per rail address after a change, so that peers "
                   "heal.",
        .touches = "sends ARP on the rail",
        .disturbs = "nothing"},
    Key{.path = "neighbours.peers",
        .shape = Shape::sections,
        .meaning = "Inventory of the peers' rails, for the wrong-rail check.",
        .touches = "nothing",
        .disturbs = "nothing"},
    Key{.path = "neighbours.peers.host",
        .value = textOf(TextRule::line),
        .meaning = "Name of the peer.",
        .touches = "nothing",
        .disturbs = "nothing",
        .required = true},
    Key{.path = "neighbours.peers.rail",
        .value = textOf(TextRule::line),
        .meaning = "The peer's interface.",
        .touches = "nothing",
        .disturbs = "nothing",
        .required = true},
    Key{.path = "neighbours.peers.address",
        .value = textOf(TextRule::ipAddress),
        .meaning = "The address that this interface owns.",
        .touches = "nothing",
        .disturbs = "nothing",
        .required = true},
    Key{.path = "neighbours.peers.mac",
        .value = textOf(TextRule::macAddress),
        .meaning = "The MAC address that it must resolve to.",
        .touches = "nothing",
        .disturbs = "nothing",
        .required = true},
    Key{.path = "neighbours.peers.mtu",
        .value = kPeerMtuType,
        .meaning = "MTU of this interface, for doctor --peers.",
        .touches = "nothing",
        .disturbs = "nothing"},
    Key{.path = "neighbours.peers.active-mtu",
        .value = kActiveMtuType,
        .meaning = "Active MTU of its RDMA port, for doctor --peers.",
        .touches = "nothing",
        .disturbs = "nothing"},
    Key{.path = "neighbours.peers.gid",
        .value = textOf(TextRule::line),
        .meaning = "RoCE v2 GID of the address, or none, for doctor --peers.",
        .touches = "nothing",
        .disturbs = "nothing"},
    Key{.path = "neighbours.peers-from",
        .value = textOf(TextRule::absolutePath),
        .meaning = "File or directory of what 'fabricctl peers export' printed on the "
                   "peers, instead of peers.",
        .touches = "that file or directory (read)",
        .disturbs = "nothing"},
};

}  // namespace

std::span<const Key> addressKeys() {
    return kAddress;
}

}  // namespace fabric::profile
