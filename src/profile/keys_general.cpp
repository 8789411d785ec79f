// SPDX-License-Identifier: Apache-2.0
#include "profile/keys.hpp"

#include <array>

namespace fabric::profile {

namespace {

constexpr ValueType kVersionType{
    .form = Form::number, .noun = "version", .min = 1, .max = 1};
constexpr ValueType kRailCountType{
    .form = Form::number, .noun = "number of rails", .min = 1, .max = 1024};
constexpr ValueType kWaitType{
    .form = Form::duration, .noun = "duration", .min = 0, .max = 3'600'000};
constexpr ValueType kModuleType{
    .form = Form::text, .noun = "module", .rule = TextRule::moduleName};

constexpr std::array kGeneral{
    Key{.path = "version",
        .value = kVersionType,
        .meaning = "Version of the profile language; this program reads version 1.",
        .touches = "nothing",
        .disturbs = "nothing",
        .required = true},
    Key{.path = "name",
        .value = textOf(TextRule::line),
        .derivation = "the profile named by extends",
        .meaning = "Name of the profile, printed in reports.",
        .touches = "nothing",
        .disturbs = "nothing"},
    Key{.path = "description",
        .value = textOf(TextRule::prose),
        .meaning = "Free text for people.",
        .touches = "nothing",
        .disturbs = "nothing"},
    Key{.path = "extends",
        .value = textOf(TextRule::path),
        .meaning = "Profile that this one is layered over: maps merge by key, lists "
                   "replace, null un-owns. At most 8 deep.",
        .touches = "nothing",
        .disturbs = "nothing"},
    Key{.path = "rails",
        .shape = Shape::section,
        .meaning = "Which network interfaces are RoCE rails.",
        .touches = "nothing; it selects what the other sections act on",
        .disturbs = "nothing"},
    Key{.path = "rails.match",
        .shape = Shape::sections,
        .derivation =
            "every physical Ethernet RDMA port, without VF, SF and representor",
        .meaning = "Selectors; an interface that any of them matches is a rail.",
        .touches = "nothing",
        .disturbs = "nothing",
        .fields = "selector",
        .nonEmpty = true},
    Key{.path = "rails.exclude",
        .shape = Shape::sections,
        .meaning = "Selectors; an interface that any of them matches is no rail.",
        .touches = "nothing",
        .disturbs = "nothing",
        .fields = "selector"},
    Key{.path = "rails.expect",
        .value = kRailCountType,
        .meaning = "How many rails there must be: a number, or min and max.",
        .touches = "nothing; with too many rails none is written",
        .disturbs = "nothing",
        .orSection = true,
        .nonEmpty = true},
    Key{.path = "rails.expect.min",
        .value = kRailCountType,
        .meaning = "Fewest rails that are right.",
        .touches = "nothing",
        .disturbs = "nothing"},
    Key{.path = "rails.expect.max",
        .value = kRailCountType,
        .meaning = "Most rails that are right.",
        .touches = "nothing",
        .disturbs = "nothing"},
    Key{.path = "rails.wait",
        .value = kWaitType,
        .standard = "0s",
        .meaning = "How long apply waits for the rails to appear. The boot unit (apply "
                   "--boot) waits 60s where this is not written, and not at all for "
                   "0s or for a profile that looks at no rail.",
        .touches = "nothing",
        .disturbs = "nothing"},
    Key{.path = "rails.default-route",
        .value = choiceOf("refuse|include"),
        .standard = "refuse",
        .meaning = "What becomes of a rail that carries the default route: refuse "
                   "leaves it untouched and reports it as failed.",
        .touches = "nothing",
        .disturbs = "nothing"},
    Key{.path = "modules",
        .shape = Shape::list,
        .value = kModuleType,
        .meaning = "Kernel modules that are loaded now and listed for every boot.",
        .touches = "/sys/module, /etc/modules-load.d",
        .disturbs = "nothing",
        .owns = true},
    Key{.path = "selector.rdma",
        .value = textOf(TextRule::glob),
        .meaning = "RDMA device name, such as mlx5_*; matches RDMA ports only.",
        .touches = "/sys/class/infiniband (read)",
        .disturbs = "nothing"},
    Key{.path = "selector.interface",
        .value = textOf(TextRule::glob),
        .meaning = "Interface name, such as ens*f0np0.",
        .touches = "rtnetlink (read)",
        .disturbs = "nothing"},
    Key{.path = "selector.pci",
        .value = textOf(TextRule::glob),
        .meaning = "PCI address, such as 0000:1a:00.0.",
        .touches = "/sys/bus/pci (read)",
        .disturbs = "nothing"},
    Key{.path = "selector.driver",
        .value = textOf(TextRule::glob),
        .meaning = "Driver name, such as mlx5_core.",
        .touches = "ethtool (read)",
        .disturbs = "nothing"},
    Key{.path = "selector.vendor",
        .value = textOf(TextRule::hexGlob),
        .meaning = "PCI vendor, four hexadecimal digits, such as 15b3.",
        .touches = "/sys/bus/pci (read)",
        .disturbs = "nothing"},
    Key{.path = "selector.mac",
        .value = textOf(TextRule::glob),
        .meaning = "MAC address, such as b8:ce:f6:*.",
        .touches = "rtnetlink (read)",
        .disturbs = "nothing"},
    Key{.path = "selector.numa-node",
        .value = textOf(TextRule::glob),
        .meaning = "NUMA node number.",
        .touches = "/sys/bus/pci (read)",
        .disturbs = "nothing"},
};

constexpr std::array kOverrides{
    Key{.path = "overrides",
        .shape = Shape::sections,
        .meaning = "Per rail: sections that are merged over the ones above for every "
                   "rail that match selects. Two that set one key for one rail are an "
                   "error.",
        .touches = "what the overridden sections touch",
        .disturbs = "what the overridden sections disturb"},
    Key{.path = "overrides.match",
        .shape = Shape::section,
        .meaning = "The selector of the rails that this override is for.",
        .touches = "nothing",
        .disturbs = "nothing",
        .fields = "selector",
        .required = true,
        .nonEmpty = true},
};

}  // namespace

std::span<const Key> generalKeys() {
    return kGeneral;
}

std::span<const Key> overrideKeys() {
    return kOverrides;
}

}  // namespace fabric::profile
