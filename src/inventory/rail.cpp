// SPDX-License-Identifier: Apache-2.0
#include "inventory/rail.hpp"

#include "base/text.hpp"
#include "inventory/link_graph.hpp"

#include <algorithm>
#include <map>
#include <ranges>
#include <set>
#include <string_view>
#include <utility>

namespace fabric::inventory {

namespace {

using host::Link;
using host::RdmaPort;

// What sysfs tells about the PCI function of a rail. Empty: not told.
struct FunctionFacts {
    std::string vendor;
    std::string device;
    std::string driver;
    std::optional<int> numaNode;
};

std::string identifier(const host::FileReader& files, const std::string& path) {
    const auto text = files.read(path);
    if (!text.has_value()) {
        return {};
    }
    std::string_view digits = trimmed(*text);
    if (digits.starts_with("0x")) {
        digits.remove_prefix(2);
    }
    return std::string(digits);
}

FunctionFacts readFunction(const host::FileReader& files, PciAddress address) {
    const std::string folder = "/sys/bus/pci/devices/" + address.text();
    FunctionFacts facts;
    facts.vendor = identifier(files, folder + "/vendor");
    facts.device = identifier(files, folder + "/device");
    if (const auto target = files.readLink(folder + "/driver"); target.has_value()) {
        facts.driver = split(*target, '/').back();
    }
    // "-1" is the kernel's word for "not known" and does not parse.
    if (const auto text = files.read(folder + "/numa_node"); text.has_value()) {
        if (const auto node = parseUnsigned(trimmed(*text))) {
            facts.numaNode = static_cast<int>(*node);
        }
    }
    return facts;
}

// ARPHRD_INFINIBAND, linux/if_arp.h.
constexpr std::string_view kInfinibandType = "32";

// Finds the net device of each RDMA port.
class Attachment {
  public:
    Attachment(const host::FileReader& files,
               const LinkGraph& graph,
               const std::vector<RdmaPort>& ports)
        : files_(files), graph_(graph) {
        for (const RdmaPort& port : ports) {
            claimedLinks_.insert(port.link);
            claimedFunctions_.insert(port.pci);
        }
    }

    // The net device whose rail `port` is; nullptr when it has none here.
    [[nodiscard]] const Link* linkOf(const RdmaPort& port) const {
        const Link* const told = graph_.find(port.link);
        if (told == nullptr) {
            return port.linkLayer == host::LinkLayer::infiniband ? ipoib(port)
                                                                 : nullptr;
        }
        const Link* const bond = graph_.find(told->master);
        const bool bonded = bond != nullptr && bond->kind == "bond";
        return bonded && isSharedBy(port, *told, *bond) ? bond : told;
    }

  private:
    // An RDMA LAG is one RDMA device over two functions of one NIC; older kernels name
    // the active member as its net device (drivers/infiniband/hw/mlx5/main.c,
    // mlx5_ib_get_netdev). It is known by a second member on the same PCI device that
    // has no RDMA port of its own.
    [[nodiscard]] bool isSharedBy(const RdmaPort& port,
                                  const Link& told,
                                  const Link& bond) const {
        const auto own = PciAddress::parse(port.pci);
        const auto isSibling = [&](const Link* member) {
            const auto address = pciParent(*member);
            return own && address && member != &told &&
                   address->domain == own->domain && address->bus == own->bus &&
                   address->device == own->device &&
                   !claimedLinks_.contains(member->index) &&
                   !claimedFunctions_.contains(member->parentDevice);
        };
        return std::ranges::any_of(graph_.members(bond.index), isSibling);
    }

    // RDMA netlink tells no net device for InfiniBand. IPoIB keeps the port number,
    // from 0, in dev_port (drivers/infiniband/ulp/ipoib/ipoib_main.c).
    [[nodiscard]] const Link* ipoib(const RdmaPort& port) const {
        const auto function = PciAddress::parse(port.pci);
        if (!function) {
            return nullptr;
        }
        const auto reads = [&](const Link& link, const char* name, const auto& wanted) {
            const auto text = files_.read("/sys/class/net/" + link.name + "/" + name);
            return text.has_value() && trimmed(*text) == wanted;
        };
        const LinkGraph::Links links = graph_.onFunction(*function);
        const auto found = std::ranges::find_if(links, [&](const Link* link) {
            return link->kind.empty() && reads(*link, "type", kInfinibandType) &&
                   reads(*link, "dev_port", std::to_string(port.port - 1));
        });
        return found == links.end() ? nullptr : *found;
    }

    const host::FileReader& files_;
    const LinkGraph& graph_;
    std::set<IfIndex> claimedLinks_;
    std::set<std::string> claimedFunctions_;
};

class RailBuilder {
  public:
    RailBuilder(const host::Reader& host, const LinkGraph& graph)
        : host_(host), graph_(graph) {}

    Result<void> readDefaultRoutes() {
        const std::vector<IfIndex> routes = TRY(host_.links.defaultRouteLinks());
        for (const IfIndex index : routes) {
            const Link* const link = graph_.find(index);
            if (link == nullptr) {
                continue;
            }
            const auto under = linksUnder(host_.files, graph_, *link);
            if (!under) {
                return fail(under.error());
            }
            for (const IfIndex below : *under) {
                routeOver_.emplace(below, link->name);
            }
        }
        return {};
    }

    // The rail of one net device; `rdma` are the RDMA ports on it, the leading one
    // first.
    Result<Rail> onLink(const Link& link, std::vector<RdmaPort> rdma) {
        Rail rail;
        rail.name = link.name;
        rail.link = link.index;
        rail.kind = TRY(functionKind(host_.files, link));
        rail.mac = link.mac;
        rail.permanentMac = link.permanentMac;
        rail.carrier = link.carrier;
        rail.pci = pciParent(link);
        takeRdma(rail, std::move(rdma));

        const PortResolution resolved = TRY(resolvePorts(host_.files, graph_, link));
        rail.resolution = resolved.how;
        for (const Link* port : resolved.ports) {
            rail.ports.push_back(physicalPort(*port));
        }
        if (TRY(isHardwareBond(rail, link, resolved))) {
            rail.kind = FunctionKind::physical;
        }
        for (const Link* above : graph_.withInterfacesAbove(link)) {
            rail.interfaces.push_back({above->index, above->name, above->kind});
        }
        rail.defaultRouteVia = defaultRouteVia(rail);
        describe(rail, link);
        return rail;
    }

    // The rail of an RDMA port without a net device.
    Result<Rail> withoutLink(const RdmaPort& port) {
        Rail rail;
        rail.name = port.device + "/" + std::to_string(port.port);
        rail.resolution = rail.name + " has no net device in this network namespace";
        rail.firmware = port.firmware;
        rail.pci = PciAddress::parse(port.pci);
        rail.rdma = port;
        if (!rail.pci) {
            return rail;
        }
        Link function;
        function.parentBus = "pci";
        function.parentDevice = port.pci;
        rail.kind = TRY(functionKind(host_.files, function));
        describeFunction(rail);
        return rail;
    }

  private:
    static void takeRdma(Rail& rail, std::vector<RdmaPort> rdma) {
        if (rdma.empty()) {
            return;
        }
        rail.rdma = std::move(rdma.front());
        rail.otherRdma.assign(std::make_move_iterator(rdma.begin() + 1),
                              std::make_move_iterator(rdma.end()));
        if (!rail.pci) {
            rail.pci = PciAddress::parse(rail.rdma->pci);
        }
    }

    // A bond that carries a hardware RDMA port over physical ports is that hardware.
    [[nodiscard]] Result<bool> isHardwareBond(const Rail& rail,
                                              const Link& link,
                                              const PortResolution& resolved) const {
        if (link.kind != "bond" || !rail.rdma || rail.rdma->pci.empty() ||
            resolved.ports.empty()) {
            return false;
        }
        for (const Link* member : graph_.members(link.index)) {
            const auto kind = functionKind(host_.files, *member);
            if (!kind || *kind != FunctionKind::physical) {
                return kind ? Result<bool>(false) : fail(kind.error());
            }
        }
        return true;
    }

    [[nodiscard]] std::string defaultRouteVia(const Rail& rail) const {
        const auto via = [this](IfIndex index) {
            const auto found = routeOver_.find(index);
            return found == routeOver_.end() ? std::string() : found->second;
        };
        std::string name = via(rail.link);
        for (const PhysicalPort& port : rail.ports) {
            name = name.empty() ? via(port.link) : name;
        }
        return name;
    }

    void describe(Rail& rail, const Link& link) {
        describeFunction(rail);
        const bool hardware = link.kind.empty() || !link.parentBus.empty();
        const PhysicalPort own = hardware ? physicalPort(link) : PhysicalPort{};
        if (rail.driver.empty()) {
            rail.driver = hardware ? own.driver : link.kind;
        }
        rail.firmware = own.firmware;
        if (rail.firmware.empty() && rail.rdma) {
            rail.firmware = rail.rdma->firmware;
        }
    }

    void describeFunction(Rail& rail) {
        if (!rail.pci) {
            return;
        }
        const FunctionFacts& facts = function(*rail.pci);
        rail.vendor = facts.vendor;
        rail.device = facts.device;
        rail.driver = facts.driver;
        rail.numaNode = facts.numaNode;
    }

    const FunctionFacts& function(PciAddress address) {
        const auto found = functions_.find(address);
        if (found != functions_.end()) {
            return found->second;
        }
        return functions_.emplace(address, readFunction(host_.files, address))
            .first->second;
    }

    const PhysicalPort& physicalPort(const Link& link) {
        const auto found = ports_.find(link.index);
        if (found != ports_.end()) {
            return found->second;
        }
        PhysicalPort port{link.index, link.name, pciParent(link), "", ""};
        if (port.pci) {
            port.driver = function(*port.pci).driver;
        }
        if (const auto told = host_.ethtool.driver(link.index); told.has_value()) {
            port.driver = port.driver.empty() ? told->driver : port.driver;
            port.firmware = told->firmware;
        }
        return ports_.emplace(link.index, std::move(port)).first->second;
    }

    const host::Reader& host_;
    const LinkGraph& graph_;
    std::map<IfIndex, std::string> routeOver_;  // by every link below a default route
    std::map<PciAddress, FunctionFacts> functions_;
    std::map<IfIndex, PhysicalPort> ports_;
};

// The RDMA ports by the net device whose rail they are.
struct AttachedPorts {
    std::map<IfIndex, std::vector<RdmaPort>> byLink;
    std::vector<RdmaPort> withoutLink;
};

AttachedPorts attach(const host::FileReader& files,
                     const LinkGraph& graph,
                     std::vector<RdmaPort> ports) {
    // Hardware leads where rxe or siw shares its net device.
    std::ranges::stable_partition(
        ports, [](const RdmaPort& port) { return !port.pci.empty(); });
    const Attachment attachment(files, graph, ports);
    AttachedPorts attached;
    for (const RdmaPort& port : ports) {
        const Link* const link = attachment.linkOf(port);
        auto& place =
            link == nullptr ? attached.withoutLink : attached.byLink[link->index];
        place.push_back(port);
    }
    return attached;
}

Result<std::vector<Rail>> build(RailBuilder& builder,
                                const LinkGraph& graph,
                                AttachedPorts attached) {
    std::vector<Rail> rails;
    for (const RdmaPort& port : attached.withoutLink) {
        auto rail = builder.withoutLink(port);
        if (!rail) {
            return fail(std::move(rail.error()));
        }
        rails.push_back(std::move(*rail));
    }
    for (const Link& link : graph.links()) {
        if (isLoopback(link) && !attached.byLink.contains(link.index)) {
            continue;
        }
        auto rail = builder.onLink(link, std::move(attached.byLink[link.index]));
        if (!rail) {
            return fail(std::move(rail.error()));
        }
        rails.push_back(std::move(*rail));
    }
    return rails;
}

}  // namespace

Result<std::vector<Rail>> observeRails(const host::Reader& host) {
    const LinkGraph graph(TRY(host.links.links()));
    std::vector<RdmaPort> ports = TRY(host.rdma.ports());
    RailBuilder builder(host, graph);
    TRY(builder.readDefaultRoutes());
    auto rails =
        TRY(build(builder, graph, attach(host.files, graph, std::move(ports))));
    std::ranges::sort(rails, {}, &Rail::name);
    return rails;
}

}  // namespace fabric::inventory
