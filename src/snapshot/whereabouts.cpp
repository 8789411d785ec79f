// SPDX-License-Identifier: Apache-2.0
#include "snapshot/whereabouts.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace fabric::snapshot {

namespace {

using inventory::LinkGraph;

std::string functionDirectory(PciAddress address) {
    return "/sys/bus/pci/devices/" + address.text();
}

// "0x15b3\n" of sysfs. What cannot be read or decoded does not say that this is another
// device.
Result<std::uint16_t> hexadecimal(const host::FileReader& files,
                                  const std::string& path) {
    const std::string text = TRY(files.read(path));
    std::string_view digits = trimmed(text);
    digits.remove_prefix(digits.starts_with("0x") ? 2 : 0);
    const auto number = parseUnsigned(digits, 16);
    if (!number || *number > 0xffff) {
        return fail({.kind = ErrorKind::malformed,
                     .action = "read",
                     .subject = path,
                     .sysErrno = 0,
                     .detail = "no hexadecimal number of 16 bits: '" +
                               escapeForTerminal(trimmed(text)) + "'",
                     .advice = {}});
    }
    return static_cast<std::uint16_t>(*number);
}

Error gone(const std::string& what) {
    return {.kind = ErrorKind::notFound,
            .action = "find",
            .subject = what,
            .sysErrno = 0,
            .detail = "it is not in this machine now",
            .advice = {}};
}

Error ambiguous(const std::string& what) {
    return {.kind = ErrorKind::refused,
            .action = "find",
            .subject = what,
            .sysErrno = 0,
            .detail = "more than one device answers to it",
            .advice = {}};
}

}  // namespace

Result<const LinkGraph*> Whereabouts::graph() {
    if (!graph_) {
        auto links = host_.links.links();
        graph_ = links ? Result<LinkGraph>(LinkGraph(std::move(*links)))
                       : fail(std::move(links.error()));
    }
    return *graph_ ? Result<const LinkGraph*>(&**graph_) : fail(graph_->error());
}

Result<const std::vector<host::RdmaPort>*> Whereabouts::rdmaPorts() {
    if (!rdma_) {
        rdma_ = host_.rdma.ports();
    }
    return *rdma_ ? Result<const std::vector<host::RdmaPort>*>(&**rdma_)
                  : fail(rdma_->error());
}

bool Whereabouts::isSoftware(const host::Link& link) const {
    return !link.kind.empty() || link.parentBus.empty();
}

Result<std::optional<NicIdentity>> Whereabouts::nicOf(const host::Link& link) const {
    if (isSoftware(link) || !link.permanentMac) {
        return std::optional<NicIdentity>();
    }
    NicIdentity nic{.permanentMac = *link.permanentMac};
    if (const auto function = inventory::pciParent(link)) {
        const std::string directory = functionDirectory(*function);
        nic.vendor = TRY(hexadecimal(host_.files, directory + "/vendor"));
        nic.device = TRY(hexadecimal(host_.files, directory + "/device"));
    }
    return std::optional(nic);
}

Result<LinkIdentity> Whereabouts::softwareIdentity(const LinkGraph& graph,
                                                   const host::Link& link) const {
    LinkIdentity identity{.nic = {}, .kind = link.kind, .name = link.name};
    LinkGraph::Links below = graph.directlyBelow(link);
    for (std::size_t at = 0; at < below.size(); ++at) {
        if (const auto nic = TRY(nicOf(*below[at]))) {
            identity.on.push_back(*nic);
            continue;
        }
        for (const host::Link* lower : graph.directlyBelow(*below[at])) {
            if (std::ranges::find(below, lower) == below.end()) {
                below.push_back(lower);
            }
        }
    }
    std::ranges::sort(identity.on);
    return identity;
}

Result<LinkIdentity> Whereabouts::identityOf(IfIndex index) {
    const LinkGraph& links = *TRY(graph());
    const host::Link* const link = links.find(index);
    if (link == nullptr) {
        return fail(gone("interface index " + std::to_string(index.number)));
    }
    if (isSoftware(*link)) {
        return softwareIdentity(links, *link);
    }
    if (auto nic = TRY(nicOf(*link))) {
        const auto sameMac = std::ranges::count(
            links.links(), link->permanentMac, &host::Link::permanentMac);
        // Two devices of one identity: a restore would refuse them.
        if (sameMac > 1) {
            TRY(findNic(links, *nic));
        }
        return LinkIdentity{.nic = nic};
    }
    return fail({.kind = ErrorKind::unsupported,
                 .action = "identify",
                 .subject = escapeForTerminal(link->name),
                 .sysErrno = 0,
                 .detail = "the device has no permanent MAC address",
                 .advice = {}});
}

Result<host::Link> Whereabouts::findNic(const LinkGraph& links,
                                        const NicIdentity& nic) const {
    const host::Link* found = nullptr;
    std::optional<NicIdentity> other;
    for (const host::Link& link : links.links()) {
        if (link.permanentMac != nic.permanentMac || isSoftware(link)) {
            continue;
        }
        const auto present = TRY(nicOf(link));
        if (present != nic) {
            other = present;
        } else if (found != nullptr) {
            return fail(ambiguous(nic.text()));
        } else {
            found = &link;
        }
    }
    if (found != nullptr) {
        return *found;
    }
    if (other) {
        return fail({.kind = ErrorKind::mismatch,
                     .action = "find",
                     .subject = nic.text(),
                     .sysErrno = 0,
                     .detail = "the device with this MAC address is another one now: " +
                               other->text(),
                     .advice = {}});
    }
    return fail(gone(nic.text()));
}

Result<host::Link> Whereabouts::find(const LinkIdentity& identity) {
    const LinkGraph& links = *TRY(graph());
    if (identity.nic) {
        return findNic(links, *identity.nic);
    }
    const auto named =
        std::ranges::find(links.links(), identity.name, &host::Link::name);
    if (named == links.links().end()) {
        return fail(gone(identity.text()));
    }
    if (!isSoftware(*named) || TRY(softwareIdentity(links, *named)) != identity) {
        return fail({.kind = ErrorKind::mismatch,
                     .action = "find",
                     .subject = escapeForTerminal(identity.text()),
                     .sysErrno = 0,
                     .detail =
                         "the interface of this name is of another kind or stands "
                         "on other adapters now",
                     .advice = {}});
    }
    return *named;
}

std::string Whereabouts::driverOf(const host::Link& link) const {
    if (const auto function = inventory::pciParent(link)) {
        const auto target =
            host_.files.readLink(functionDirectory(*function) + "/driver");
        if (target) {
            return std::string(split(*target, '/').back());
        }
    }
    const auto told = host_.ethtool.driver(link.index);
    return told ? told->driver : std::string();
}

std::string Whereabouts::railOf(const host::Link& link) {
    const auto links = graph();
    const host::Link* at = &link;
    // A loop of links cannot be longer than there are links.
    for (std::size_t hop = 0; links && hop < (*links)->links().size(); ++hop) {
        const host::Link* const master = (*links)->find(at->master);
        const bool grouped =
            master != nullptr && (master->kind == "bond" || master->kind == "team");
        const host::Link* const next = grouped ? master
                                       : inventory::isStacked(*at) && !at->lower.none()
                                           ? (*links)->find(at->lower)
                                           : nullptr;
        if (next == nullptr) {
            break;
        }
        at = next;
    }
    return at->name;
}

Result<const inventory::PciTopology*> Whereabouts::functions() {
    if (pci_ == nullptr) {
        ownPci_ = TRY(inventory::observePci(host_));
        pci_ = &*ownPci_;
    }
    return pci_;
}

PciIdentity Whereabouts::identityOf(const inventory::PciTopology& pci,
                                    const host::PciFunction& function) {
    PciIdentity identity{.root = function.hostBridge};
    auto [known, isNew] = firmwareRoots_.try_emplace(function.hostBridge);
    if (isNew) {
        const auto path = host_.files.read("/sys/devices/" + function.hostBridge +
                                           "/firmware_node/path");
        known->second = path ? std::string(trimmed(*path)) : std::string();
    }
    identity.firmwareRoot = known->second;
    const auto add = [&](const host::PciFunction& step) {
        identity.way.push_back({.device = step.address.device,
                                .function = step.address.function,
                                .vendor = step.vendor,
                                .deviceId = step.device});
    };
    for (const PciAddress bridge : function.bridges) {
        if (const host::PciFunction* const step = pci.find(bridge)) {
            add(*step);
        }
    }
    add(function);
    return identity;
}

Result<PciIdentity> Whereabouts::identityOf(PciAddress address) {
    const inventory::PciTopology& pci = *TRY(functions());
    const host::PciFunction* const function = pci.find(address);
    if (function == nullptr) {
        return fail(gone(address.text()));
    }
    return identityOf(pci, *function);
}

Result<PciAddress> Whereabouts::find(const PciIdentity& identity) {
    const inventory::PciTopology& pci = *TRY(functions());
    std::optional<PciAddress> found;
    for (const host::PciFunction& function : pci.functions()) {
        const bool mayBe = function.bridges.size() + 1 == identity.way.size() &&
                           function.address.device == identity.way.back().device &&
                           function.address.function == identity.way.back().function;
        if (!mayBe || !identityOf(pci, function).sameAs(identity)) {
            continue;
        }
        if (found) {
            return fail(ambiguous(identity.text()));
        }
        found = function.address;
    }
    return found ? Result<PciAddress>(*found) : fail(gone(identity.text()));
}

}  // namespace fabric::snapshot
