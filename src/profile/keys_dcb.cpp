// SPDX-License-Identifier: Apache-2.0
#include "profile/keys.hpp"

#include <array>
#include <limits>

namespace fabric::profile {

namespace {

constexpr std::string_view kNetlink = "dcbnl netlink of the physical port";
constexpr std::string_view kOwnFlow = "traffic of the rail, for a moment";
constexpr std::string_view kBounce =
    "link: an mlx5 port goes down and up when the PFC bits change";

// struct dcbnl_buffer in linux/dcbnl.h holds a size in 32 bits.
constexpr ValueType kBufferSizeType{.form = Form::size,
                                    .noun = "size",
                                    .min = 0,
                                    .max = std::numeric_limits<std::uint32_t>::max()};
constexpr ValueType kCableType{
    .form = Form::length, .noun = "length", .min = 1, .max = 999};
constexpr ValueType kPercentType{
    .form = Form::number, .noun = "percentage", .min = 0, .max = 100};
constexpr ValueType kRateType{
    .form = Form::rate, .noun = "rate", .min = 1, .max = 10'000'000'000};

constexpr std::array kDcb{
    Key{.path = "dcb",
        .shape = Shape::section,
        .meaning = "Data Center Bridging of each rail's physical port.",
        .touches = kNetlink,
        .disturbs = kBounce,
        .perRail = true,
        .owns = true},
    Key{.path = "dcb.dcbx",
        .value = choiceOf("host|keep"),
        .standard = "host",
        .meaning = "Who owns DCBX: host takes it from NIC firmware where the driver "
                   "allows, keep leaves it.",
        .touches = kNetlink,
        .disturbs = "nothing",
        .owns = true},
    Key{.path = "dcb.trust",
        .value = choiceOf("dscp|pcp|keep"),
        .standard = "dscp",
        .meaning = "Which mark of a frame decides its priority. dscp or pcp in the "
                   "profile is consent to flip it.",
        .touches = "dcbnl netlink: APP table or app-trust table; qos/trust in sysfs",
        .disturbs = kOwnFlow,
        .owns = true},
    Key{.path = "dcb.lossless",
        .shape = Shape::section,
        .meaning = "The usual case in two numbers: pfc, dscp-to-priority, "
                   "priority-to-buffer and ecn follow from it.",
        .touches = kNetlink,
        .disturbs = kBounce,
        .owns = true},
    Key{.path = "dcb.lossless.priority",
        .value = kPriorityType,
        .standard = "3",
        .meaning = "The lossless priority.",
        .touches = kNetlink,
        .disturbs = kBounce},
    Key{.path = "dcb.lossless.dscp",
        .value = kDscpType,
        .standard = "26",
        .meaning = "The DSCP that RDMA traffic carries.",
        .touches = kNetlink,
        .disturbs = kOwnFlow},
    Key{.path = "dcb.lossless.buffer",
        .value = kBufferType,
        .standard = "1",
        .meaning = "The receive buffer of the lossless priority.",
        .touches = kNetlink,
        .disturbs = kOwnFlow},
    Key{.path = "dcb.pfc",
        .shape = Shape::list,
        .value = kPriorityType,
        .derivation = "[dcb.lossless.priority]",
        .meaning = "The full list of priorities with priority flow control.",
        .touches = kNetlink,
        .disturbs = kBounce,
        .owns = true},
    Key{.path = "dcb.dscp-to-priority",
        .shape = Shape::mapping,
        .value = kPriorityType,
        .index = kDscpType,
        .derivation = "{dcb.lossless.dscp: dcb.lossless.priority}",
        .meaning = "The DSCP entries that the profile owns.",
        .touches = "dcbnl netlink: APP table",
        .disturbs = kOwnFlow,
        .owns = true},
    Key{.path = "dcb.other-dscp",
        .value = choiceOf("default|exclusive|keep|zero"),
        .standard = "default",
        .meaning = "What the 64-entry map holds elsewhere: default is dscp>>3; "
                   "exclusive is that with the other DSCPs of the lossless block at 0.",
        .touches = "dcbnl netlink: APP table",
        .disturbs = kOwnFlow,
        .owns = true},
    Key{.path = "dcb.priority-to-buffer",
        .shape = Shape::mapping,
        .value = kBufferType,
        .index = kPriorityType,
        .derivation = "dcb.lossless.priority to dcb.lossless.buffer, all others to 0",
        .meaning = "Receive buffer per priority; unlisted ones are kept.",
        .touches = kNetlink,
        .disturbs = kOwnFlow,
        .owns = true},
    Key{.path = "dcb.buffer-size",
        .shape = Shape::mapping,
        .value = kBufferSizeType,
        .index = kBufferType,
        .meaning = "Size per receive buffer; met within 1 KiB below.",
        .touches = kNetlink,
        .disturbs = kOwnFlow,
        .owns = true},
    Key{.path = "dcb.cable-length",
        .value = kCableType,
        .meaning = "Cable length from which the driver computes PFC headroom.",
        .refusal = "mlx5 ignores other lengths without an error",
        .touches = kNetlink,
        .disturbs = kOwnFlow,
        .owns = true},
    Key{.path = "dcb.ets",
        .shape = Shape::section,
        .meaning = "Enhanced transmission selection.",
        .touches = kNetlink,
        .disturbs = kOwnFlow,
        .owns = true},
    Key{.path = "dcb.ets.priority-to-tc",
        .shape = Shape::mapping,
        .value = kTrafficClassType,
        .index = kPriorityType,
        .meaning = "Traffic class per priority; unlisted ones are kept.",
        .touches = kNetlink,
        .disturbs = kOwnFlow,
        .owns = true},
    Key{.path = "dcb.ets.tsa",
        .shape = Shape::mapping,
        .value = choiceOf("strict|ets"),
        .index = kTrafficClassType,
        .meaning = "Scheduling per traffic class; unlisted ones are kept.",
        .touches = kNetlink,
        .disturbs = kOwnFlow,
        .owns = true},
    Key{.path = "dcb.ets.bandwidth",
        .shape = Shape::mapping,
        .value = kPercentType,
        .index = kTrafficClassType,
        .meaning = "Percent per ETS traffic class; the sum is 100.",
        .touches = kNetlink,
        .disturbs = kOwnFlow,
        .owns = true},
    Key{.path = "dcb.max-rate",
        .shape = Shape::mapping,
        .value = kRateType,
        .index = kTrafficClassType,
        .meaning = "Rate limit per traffic class; met within one hardware step below.",
        .touches = kNetlink,
        .disturbs = kOwnFlow,
        .owns = true},
};

}  // namespace

std::span<const Key> dcbKeys() {
    return kDcb;
}

}  // namespace fabric::profile
