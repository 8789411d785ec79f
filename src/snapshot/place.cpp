// SPDX-License-Identifier: Apache-2.0
#include "snapshot/place.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>

namespace fabric::snapshot {

namespace {

constexpr std::string_view kInterface = "{interface}";
constexpr std::string_view kRdma = "{rdma}";
constexpr std::string_view kPci = "{pci}";

// The directories whose entries are called after a device, with what they are called.
struct Folder {
    std::string_view path;
    std::string_view stands;
};

constexpr std::array<Folder, 6> kFolders{{
    {"/sys/class/net/", kInterface},
    {"/sys/class/infiniband/", kRdma},
    {"/sys/kernel/config/rdma_cm/", kRdma},
    {"/sys/kernel/config/bnxt_re/", kRdma},
    {"/sys/kernel/debug/mlx5/", kPci},
    {"/sys/kernel/debug/bnxt_re/", kPci},
}};

Error noSuchDevice(std::string_view name) {
    return {.kind = ErrorKind::notFound,
            .action = "find the device of an attribute",
            .subject = escapeForTerminal(name),
            .sysErrno = 0,
            .detail = "no device is called so now",
            .advice = {}};
}

std::optional<IfIndex> byInterface(const inventory::LinkGraph& graph,
                                   std::string_view name) {
    const auto found = std::ranges::find(graph.links(), name, &host::Link::name);
    return found == graph.links().end() ? std::nullopt : std::optional(found->index);
}

Result<std::optional<IfIndex>> owner(Whereabouts& where,
                                     std::string_view stands,
                                     std::string_view name,
                                     IfIndex link) {
    if (stands == kRdma) {
        const auto& ports = *TRY(where.rdmaPorts());
        const auto port = std::ranges::find(ports, name, &host::RdmaPort::device);
        return port == ports.end() || port->link.none() ? std::nullopt
                                                        : std::optional(port->link);
    }
    const inventory::LinkGraph& graph = *TRY(where.graph());
    if (stands == kInterface) {
        return byInterface(graph, name);
    }
    const auto address = PciAddress::parse(name);
    const auto on =
        address ? graph.onFunction(*address) : inventory::LinkGraph::Links{};
    const auto own = std::ranges::find(on, link, &host::Link::index);
    if (own != on.end()) {
        return link;
    }
    return on.size() == 1 ? std::optional(on.front()->index) : std::nullopt;
}

Result<std::string> nameFor(Whereabouts& where,
                            std::string_view stands,
                            const host::Link& link) {
    if (stands == kInterface) {
        return link.name;
    }
    if (stands == kPci) {
        const auto function = inventory::pciParent(link);
        return function ? Result<std::string>(function->text())
                        : fail(noSuchDevice(link.name));
    }
    // rxe may stand beside the hardware on the same net device.
    const host::RdmaPort* found = nullptr;
    for (const host::RdmaPort& port : *TRY(where.rdmaPorts())) {
        if (port.link == link.index && (found == nullptr || found->pci.empty())) {
            found = &port;
        }
    }
    return found != nullptr ? Result<std::string>(found->device)
                            : fail(noSuchDevice(link.name));
}

}  // namespace

Result<Place> placeOf(Whereabouts& where, std::string_view path, IfIndex link) {
    for (const Folder& folder : kFolders) {
        if (!path.starts_with(folder.path)) {
            continue;
        }
        const std::string_view rest = path.substr(folder.path.size());
        const std::string_view name = rest.substr(0, rest.find('/'));
        const auto index = TRY(owner(where, folder.stands, name, link));
        if (!index) {
            return fail(noSuchDevice(name));
        }
        return Place{.link = index,
                     .text = std::string(folder.path) + std::string(folder.stands) +
                             std::string(rest.substr(name.size()))};
    }
    return Place{.link = {}, .text = std::string(path)};
}

Result<std::string> pathAt(Whereabouts& where,
                           std::string_view place,
                           const host::Link* link) {
    for (const std::string_view stands : {kInterface, kRdma, kPci}) {
        const auto at = place.find(stands);
        if (at == std::string_view::npos) {
            continue;
        }
        if (link == nullptr) {
            return fail(noSuchDevice(stands));
        }
        return std::string(place.substr(0, at)) + TRY(nameFor(where, stands, *link)) +
               std::string(place.substr(at + stands.size()));
    }
    return std::string(place);
}

bool isAttributePlace(std::string_view place) {
    const bool ofDevice = std::ranges::any_of(kFolders, [&](const Folder& folder) {
        return place.starts_with(std::string(folder.path) + std::string(folder.stands) +
                                 "/");
    });
    return ofDevice &&
           std::ranges::none_of(split(place, '/'), [](std::string_view part) {
               return part == ".." || part == ".";
           });
}

}  // namespace fabric::snapshot
