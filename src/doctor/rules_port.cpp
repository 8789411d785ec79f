// SPDX-License-Identifier: Apache-2.0
// One rail at a time: its GIDs, its MTU, its way to the processor.
#include "base/text.hpp"
#include "doctor/evidence.hpp"
#include "doctor/judgement.hpp"
#include "doctor/rail_view.hpp"
#include "doctor/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <set>

namespace fabric::doctor {

namespace {

constexpr unsigned kFastLink = 200'000;             // Mbit/s
constexpr std::uint16_t kRelaxedOrdering = 0x0010;  // PCI_EXP_DEVCTL_RELAX_EN
constexpr std::uint16_t kReadRequest = 0x7000;      // PCI_EXP_DEVCTL_READRQ
constexpr unsigned kReadRequestShift = 12;
constexpr std::uint32_t kFullMtu = 4096;

std::string textOf(const host::LinkAddress& address) {
    return IpAddress{.ipv6 = address.ipv6, .octets = address.octets}.text();
}

Judgement judgeAddress(const RailEvidence& rail, const host::LinkAddress& address) {
    const Value expected = "a RoCE v2 GID of " + textOf(address);
    const std::string wanted =
        inventory::gidOf({.ipv6 = address.ipv6, .octets = address.octets});
    bool older = false;
    for (const Gid& gid : *rail.gids) {
        if (gid.gid != wanted) {
            continue;
        }
        if (gid.type == "RoCE v2") {
            return passed(expected, fmt::format("index {}", gid.index));
        }
        older = true;
    }
    return older ? warned(expected, "RoCE v1 only", "routed RoCE needs version 2")
                 : failed(expected, Value{}, textOf(address) + " has no GID");
}

Judgement judgeGidsOf(const RailEvidence& rail) {
    if (rail.rail.rdma->linkLayer != host::LinkLayer::ethernet) {
        return notApplicable(rail.rail.name + " is InfiniBand");
    }
    if (!rail.gids) {
        return unreadable(rail.gids.error());
    }
    Judged addresses;
    for (const host::LinkAddress& address : rail.addresses) {
        if (!address.ipv6) {
            addresses.add(textOf(address), judgeAddress(rail, address));
        }
    }
    return addresses.worst(rail.rail.name + " has no IPv4 address");
}

Judgement judgeGids(const Evidence& evidence) {
    return worstRail(evidence, "there is no RoCE rail", judgeGidsOf);
}

const EarlierGids* earlierOf(const EarlierLook& look, const host::RdmaPort& port) {
    const auto found = std::ranges::find_if(look.ports, [&](const EarlierGids& one) {
        return one.device == port.device && one.port == port.port;
    });
    return found == look.ports.end() ? nullptr : &*found;
}

// Whoever was told an index sends from another address once it moved.
Judgement judgeIndexesOf(const RailEvidence& rail, const EarlierLook& look) {
    const host::RdmaPort& port = *rail.rail.rdma;
    if (port.linkLayer != host::LinkLayer::ethernet) {
        return notApplicable(rail.rail.name + " is InfiniBand");
    }
    const EarlierGids* const before = earlierOf(look, port);
    if (before == nullptr) {
        return inconclusive(fmt::format(
            "{} was not there when the earlier facts were taken", port.device));
    }
    if (!before->gids || !rail.gids) {
        return unreadable(rail.gids ? before->gids.error() : rail.gids.error());
    }
    Value::Object moved;
    for (const Gid& gid : *before->gids) {
        const auto now = std::ranges::find_if(*rail.gids, [&](const Gid& one) {
            return one.gid == gid.gid && one.type == gid.type;
        });
        if (now == rail.gids->end()) {
            moved.emplace(gid.gid, fmt::format("from {} to none", gid.index));
        } else if (now->index != gid.index) {
            moved.emplace(gid.gid, fmt::format("from {} to {}", gid.index, now->index));
        }
    }
    const Value expected = "the indexes of " + look.taken;
    return moved.empty()
               ? passed(expected, expected)
               : warned(expected,
                        std::move(moved),
                        "GIDs are not where they were; a job with a fixed index uses "
                        "another address");
}

Judgement judgeIndexes(const Evidence& evidence) {
    return worstRail(evidence, "there is no RoCE rail", [&](const RailEvidence& rail) {
        return evidence.earlier ? judgeIndexesOf(rail, *evidence.earlier)
                                : inconclusive(
                                      "an earlier look is needed to compare with: "
                                      "fabricctl facts --output FILE, and later "
                                      "fabricctl doctor --before FILE");
    });
}

Judgement judgeMtuOf(const RailEvidence& rail) {
    if (!rail.attributes) {
        return unreadable(rail.attributes.error());
    }
    const std::uint32_t active = rail.attributes->activeMtu;
    const Value expected = "4096 bytes";
    const Value found = fmt::format("{} bytes", active);
    return active < kFullMtu
               ? warned(expected,
                        found,
                        "RDMA packets are smaller than they could be: a link MTU of "
                        "4200 or more carries 4096")
               : passed(expected, found);
}

Judgement judgeMtu(const Evidence& evidence) {
    Judgement judgement = worstRail(evidence, "there is no RDMA device", judgeMtuOf);
    std::set<std::uint32_t> different;
    for (const RailEvidence& rail : evidence.rails) {
        different.insert(rail.attributes ? rail.attributes->activeMtu : 0);
    }
    if (different.size() > 1 && judgement.verdict == Verdict::warn) {
        judgement.reason += "; rails of this host differ";
    }
    return judgement;
}

Judgement judgeLinkOf(const PcieLink& link) {
    constexpr unsigned kUnknownWidth = 255;
    const bool told = link.width != 0 && link.maxWidth != 0 &&
                      link.width != kUnknownWidth && link.maxWidth != kUnknownWidth;
    if (!told) {
        return notApplicable("the device tells no PCI Express link");
    }
    const Value expected = fmt::format("x{} at {}", link.maxWidth, link.maxSpeed);
    const Value found = fmt::format("x{} at {}", link.width, link.speed);
    if (link.width < link.maxWidth) {
        return failed(expected, found, "fewer lanes than the adapter has");
    }
    return link.speed != link.maxSpeed
               ? warned(expected, found, "the link is slower than the adapter can be")
               : passed(expected, found);
}

Judgement judgePcieLink(const Evidence& evidence) {
    return worstPciRail(
        evidence, "no rail is a PCI device", [](const RailEvidence& rail) {
            return judgeLinkOf(*rail.pcie);
        });
}

using JudgeControl = Judgement (*)(std::uint16_t control);

// Of the adapters that are fast enough for it to matter.
Judgement judgeControl(const Evidence& evidence, JudgeControl judge) {
    return worstPciRail(
        evidence, "no rail is a PCI device", [&](const RailEvidence& rail) {
            if (rail.speedMbps < kFastLink) {
                return notApplicable("no rail with 200 Gb/s or more");
            }
            const auto& control = rail.pcie->deviceControl;
            if (control) {
                return judge(*control);
            }
            return control.error().sysErrno == ENODATA
                       ? notApplicable(rail.rail.name +
                                       " has no PCI Express capability")
                       : unreadable(control.error());
        });
}

Judgement judgeReadRequest(const Evidence& evidence) {
    return judgeControl(evidence, [](std::uint16_t control) {
        constexpr unsigned kSmallest = 128;
        constexpr unsigned kLargest = 4096;
        const unsigned bytes =
            kSmallest << ((unsigned{control} & kReadRequest) >> kReadRequestShift);
        const Value expected = "4096 bytes";
        const Value found = fmt::format("{} bytes", bytes);
        return bytes < kLargest
                   ? warned(expected, found, "small read requests cost line rate")
                   : passed(expected, found);
    });
}

Judgement judgeRelaxed(const Evidence& evidence) {
    return judgeControl(evidence, [](std::uint16_t control) {
        return (control & kRelaxedOrdering) != 0
                   ? passed("on", "on")
                   : warned("on",
                            "off",
                            "without relaxed ordering writes wait for each other on "
                            "some processors");
    });
}

// None of the processors that the server may use is at the adapter's node.
bool isFarFromServer(const Evidence& evidence, const RailEvidence& rail) {
    const auto& process = evidence.server.status;
    if (!process || !*process || !rail.interrupts || !*rail.interrupts) {
        return false;
    }
    const auto& allowed = (*process)->processors;
    const auto& near = (*rail.interrupts)->near;
    return !allowed.empty() && !near.empty() &&
           std::ranges::none_of(
               near, [&](unsigned processor) { return allowed.contains(processor); });
}

Judgement judgeNuma(const Evidence& evidence) {
    if (!evidence.numaNodes) {
        const Error& error = evidence.numaNodes.error();
        return error.kind == ErrorKind::notFound
                   ? notApplicable("this kernel knows no NUMA nodes")
                   : unreadable(error);
    }
    const std::string& nodes = *evidence.numaNodes;
    if (nodes.find_first_of(",-") == std::string::npos) {
        return notApplicable("there is one NUMA node");
    }
    return worstPciRail(
        evidence, "no rail is a PCI device", [&](const RailEvidence& rail) {
            const Value expected = "a node of " + nodes;
            if (!rail.rail.numaNode) {
                return warned(expected,
                              -1,
                              "the firmware does not say to which processor the "
                              "adapter belongs");
            }
            return isFarFromServer(evidence, rail)
                       ? warned(
                             fmt::format("a server that may use processors of node {}",
                                         *rail.rail.numaNode),
                             "none of them",
                             evidence.server.unit +
                                 " is kept from every processor next to the adapter")
                       : passed(expected, *rail.rail.numaNode);
        });
}

Judgement judgeSpread(const RailEvidence& rail) {
    if (!rail.interrupts) {
        return notApplicable("its node is not known, or there is one only");
    }
    if (!*rail.interrupts) {
        return unreadable(rail.interrupts->error());
    }
    const InterruptSpread& spread = **rail.interrupts;
    if (spread.vectors == 0) {
        return inconclusive("no interrupt of its own is in use");
    }
    const Value expected = fmt::format("most at node {}", spread.node);
    const Value found =
        fmt::format("{} of {} elsewhere", spread.remote, spread.vectors);
    return spread.remote * 2 > spread.vectors
               ? warned(expected,
                        found,
                        "most interrupts of the adapter go to processors that are "
                        "not next to it")
               : passed(expected, found);
}

Judgement judgeInterrupts(const Evidence& evidence) {
    return worstPciRail(evidence, "no rail is a PCI device", judgeSpread);
}

constexpr auto kRules = std::to_array<Rule>({
    {.id = "gid.ipv4",
     .worst = Verdict::fail,
     .cause = "a rail's address has no RoCE v2 GID",
     .source = "Troubleshoot RDMA: multi-rail host",
     .look = "grep -r . /sys/class/infiniband/*/ports/1/gids/ "
             "/sys/class/infiniband/*/ports/1/gid_attrs/types/ 2>/dev/null | grep ffff",
     .fix = "put the address on the rail's own interface and bring it up",
     .action = {},
     .restart = Restart::thisNode,
     .judge = judgeGids},
    {.id = "gid.index_move",
     .worst = Verdict::warn,
     .cause = "the GID index of an address moved",
     .source = "experience",
     .look = "show_gids, before and after a link flap",
     .fix = "look GIDs up by address, never by a fixed index",
     .action = {},
     .restart = Restart::thisNode,
     .judge = judgeIndexes,
     .unobserved = "GID indexes of an earlier look (--before)"},
    {.id = "mtu.mismatch",
     .worst = Verdict::warn,
     .cause = "the RDMA path MTU is below 4096, or rails differ",
     .source = "experience",
     .look = "ibv_devinfo | grep -E 'hca_id|active_mtu'",
     .fix = "the same link MTU on all nodes and switch ports, 4200 or more",
     .action = "{apply} --only mtu",
     .restart = Restart::allNodes,
     .judge = judgeMtu,
     .unobserved = "the MTU of peers"},
    {.id = "pcie.link",
     .worst = Verdict::fail,
     .cause = "the adapter's PCI Express link is narrower or slower than it can be",
     .source = "experience",
     .look = "lspci -vv -s {pci} | grep -E 'LnkCap:|LnkSta:'",
     .fix = "reseat the adapter, or use a slot with all lanes",
     .action = {},
     .restart = Restart::thisNode,
     .judge = judgePcieLink},
    {.id = "pcie.mrrs",
     .worst = Verdict::warn,
     .cause = "the adapter asks for memory in small pieces",
     .source = "experience",
     .look = "lspci -vv -s {pci} | grep MaxReadReq",
     .fix = "set MaxReadReq to 4096; it is lost at a reboot",
     .action = {},
     .restart = Restart::none,
     .judge = judgeReadRequest},
    {.id = "pcie.relaxed",
     .worst = Verdict::warn,
     .cause = "relaxed ordering is off for the adapter",
     .source = "experience",
     .look = "lspci -vv -s {pci} | grep RlxdOrd",
     .fix = "turn it on in the firmware of the host and of the adapter",
     .action = {},
     .restart = Restart::thisNode,
     .judge = judgeRelaxed},
    {.id = "numa.rail",
     .worst = Verdict::warn,
     .cause = "an adapter's NUMA node is not known, or not the server's",
     .source = "experience",
     .look = "cat /sys/class/net/*/device/numa_node; grep Cpus_allowed_list "
             "/proc/$(systemctl show {unit} --property=MainPID --value)/status",
     .fix = "update the firmware of the host, or move the adapter; CPUAffinity= and "
            "AllowedCPUs= with processors of every adapter's node",
     .action = {},
     .restart = Restart::none,
     .judge = judgeNuma},
    {.id = "irq.affinity",
     .worst = Verdict::warn,
     .cause = "interrupts of an adapter go to the other processor",
     .source = "experience",
     .look = "for n in $(ls /sys/bus/pci/devices/{pci}/msi_irqs); do echo $n "
             "$(cat /proc/irq/$n/effective_affinity_list); done",
     .fix = "stop irqbalance for the adapter, or set its affinity",
     .action = {},
     .restart = Restart::none,
     .judge = judgeInterrupts},
});

}  // namespace

std::span<const Rule> portRules() {
    return kRules;
}

}  // namespace fabric::doctor
