// SPDX-License-Identifier: Apache-2.0
#include "profile/keys.hpp"

#include <array>

namespace fabric::profile {

namespace {

constexpr std::string_view kEcnFiles =
    "/sys/class/net/IF/ecn, debugfs cc_params (read)";

// linux/if_ether.h: ETH_MIN_MTU is 68, ETH_MAX_MTU 65535.
constexpr ValueType kMtuType{
    .form = Form::number, .noun = "MTU in bytes", .min = 68, .max = 65535};
constexpr ValueType kTosType{
    .form = Form::number, .noun = "ToS byte", .min = 0, .max = 255};
constexpr ValueType kSwitchType{.form = Form::onOff, .noun = "on or off"};

constexpr std::array kLink{
    Key{.path = "ecn",
        .shape = Shape::section,
        .meaning = "DCQCN congestion control per priority.",
        .touches = kEcnFiles,
        .disturbs = "nothing",
        .perRail = true,
        .owns = true},
    Key{.path = "ecn.reaction-point",
        .shape = Shape::list,
        .value = kPriorityType,
        .derivation = "[dcb.lossless.priority]",
        .meaning = "Priorities on which the sender slows down; enabled exactly there.",
        .touches = kEcnFiles,
        .disturbs = "nothing",
        .owns = true},
    Key{.path = "ecn.notification-point",
        .shape = Shape::list,
        .value = kPriorityType,
        .derivation = "[dcb.lossless.priority]",
        .meaning = "Priorities on which the receiver answers congestion marks with "
                   "CNPs; enabled exactly there.",
        .touches = kEcnFiles,
        .disturbs = "nothing",
        .owns = true},
    Key{.path = "ecn.cnp-dscp",
        .value = kDscpType,
        .meaning = "DSCP of congestion notification packets.",
        .touches = "/sys/class/net/IF/ecn/roce_np/cnp_dscp",
        .disturbs = "nothing",
        .owns = true},
    Key{.path = "ecn.when-uncontrollable",
        .value = choiceOf("report|fail"),
        .standard = "report",
        .meaning = "What a derived ECN setting is on a driver without per-priority "
                   "control: a warning, or unsupported.",
        .touches = "nothing",
        .disturbs = "nothing"},
    Key{.path = "pause",
        .shape = Shape::section,
        .meaning = "Global (IEEE 802.3x) pause, which must not fight PFC.",
        .touches = "ethtool pause parameters",
        .disturbs = "link: many drivers renegotiate",
        .perRail = true,
        .owns = true},
    Key{.path = "pause.rx",
        .value = kSwitchType,
        .standard = "off",
        .meaning = "Whether received pause frames stop sending.",
        .touches = "ethtool pause parameters",
        .disturbs = "link: many drivers renegotiate",
        .owns = true},
    Key{.path = "pause.tx",
        .value = kSwitchType,
        .standard = "off",
        .meaning = "Whether pause frames are sent.",
        .touches = "ethtool pause parameters",
        .disturbs = "link: many drivers renegotiate",
        .owns = true},
    Key{.path = "mtu",
        .value = kMtuType,
        .meaning = "MTU of the rail's interfaces: a number, or min for at least.",
        .touches = "rtnetlink IFLA_MTU",
        .disturbs = "link: many drivers restart the port",
        .orSection = true,
        .perRail = true,
        .owns = true},
    Key{.path = "mtu.min",
        .value = kMtuType,
        .meaning = "Smallest MTU that is right.",
        .touches = "rtnetlink IFLA_MTU",
        .disturbs = "link: many drivers restart the port",
        .required = true},
    Key{.path = "rdma-cm-tos",
        .value = kTosType,
        .meaning = "Default ToS of connections made through rdma_cm; DSCP times 4.",
        .touches = "/sys/kernel/config/rdma_cm/DEV/ports/N/default_roce_tos",
        .disturbs = "nothing; it counts for new connections",
        .perRail = true,
        .owns = true},
};

}  // namespace

std::span<const Key> linkKeys() {
    return kLink;
}

}  // namespace fabric::profile
