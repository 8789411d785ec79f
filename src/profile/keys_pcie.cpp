// SPDX-License-Identifier: Apache-2.0
#include "profile/keys.hpp"

#include <array>

namespace fabric::profile {

namespace {

constexpr std::string_view kRegister =
    "ACS control register of PCIe bridges, in extended config space";

constexpr std::array kPcie{
    Key{.path = "acs",
        .shape = Shape::section,
        .meaning = "PCIe Access Control Services on the bridges between GPUs and NICs.",
        .touches = kRegister,
        .disturbs = "nothing",
        .owns = true},
    Key{.path = "acs.clear",
        .value = choiceOf("redirect|all|platform|none"),
        .standard = "redirect",
        .meaning = "Which bits go: redirect (request, completion, egress control), "
                   "all, platform (vendor masks for Grace and ConnectX-8), none.",
        .touches = kRegister,
        .disturbs = "nothing"},
    Key{.path = "acs.scope",
        .value = choiceOf("upstream|paths"),
        .standard = "upstream",
        .meaning = "upstream: every bridge above a GPU or RDMA NIC; paths: only those "
                   "between GPU and NIC pairs below one switch.",
        .touches = kRegister,
        .disturbs = "nothing"},
    Key{.path = "acs.endpoints",
        .shape = Shape::sections,
        .derivation = "NVIDIA, AMD and Intel GPUs, and RDMA NICs",
        .meaning = "The PCI functions whose bridges count.",
        .touches = "/sys/bus/pci (read)",
        .disturbs = "nothing",
        .nonEmpty = true},
    Key{.path = "acs.endpoints.vendor",
        .value = textOf(TextRule::hexGlob),
        .meaning = "PCI vendor, four hexadecimal digits.",
        .touches = "/sys/bus/pci (read)",
        .disturbs = "nothing"},
    Key{.path = "acs.endpoints.device",
        .value = textOf(TextRule::hexGlob),
        .meaning = "PCI device, four hexadecimal digits.",
        .touches = "/sys/bus/pci (read)",
        .disturbs = "nothing"},
    Key{.path = "acs.endpoints.class",
        .value = textOf(TextRule::hexGlob),
        .meaning = "PCI class code, six hexadecimal digits; 03* is a display device.",
        .touches = "/sys/bus/pci (read)",
        .disturbs = "nothing"},
    Key{.path = "acs.without-gpu",
        .value = choiceOf("skip|clear"),
        .standard = "skip",
        .meaning = "What happens on a host without a GPU, which gains nothing.",
        .touches = kRegister,
        .disturbs = "nothing"},
    Key{.path = "acs.on-translating-iommu",
        .value = choiceOf("refuse|warn|proceed"),
        .standard = "refuse",
        .meaning = "What happens when the IOMMU translates, where clearing is wrong.",
        .touches = kRegister,
        .disturbs = "nothing"},
    Key{.path = "acs.on-passthrough",
        .value = choiceOf("refuse|warn|proceed"),
        .standard = "refuse",
        .meaning =
            "What happens when a device below such a bridge is bound to vfio-pci.",
        .touches = kRegister,
        .disturbs = "nothing"},
    Key{.path = "acs.on-guest",
        .value = choiceOf("refuse|warn|proceed"),
        .standard = "warn",
        .meaning = "What happens in a virtual machine, where ACS is cosmetic.",
        .touches = kRegister,
        .disturbs = "nothing"},
};

}  // namespace

std::span<const Key> pcieKeys() {
    return kPcie;
}

}  // namespace fabric::profile
