// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "inventory/link_graph.hpp"

#include <algorithm>
#include <ranges>
#include <string>
#include <string_view>
#include <utility>

namespace fabric::inventory {

namespace {

// The kernel stacks at most this many devices (include/linux/netdevice.h,
// MAX_NEST_DEV).
constexpr unsigned kMaxNesting = 8;

std::string_view afterDigits(std::string_view text) {
    const auto end = text.find_first_not_of("0123456789");
    return end == std::string_view::npos ? std::string_view{} : text.substr(end);
}

bool dropPrefixAndDigits(std::string_view& text, std::string_view prefix) {
    if (!text.starts_with(prefix)) {
        return false;
    }
    const std::string_view number = text.substr(prefix.size());
    const std::string_view rest = afterDigits(number);
    if (rest.size() == number.size()) {
        return false;
    }
    text = rest;
    return true;
}

enum class PortName { other, pciFunction, virtualFunction, subfunction };

// "pf0vf1", "c1pf0sf88", "c1pf0": what devlink calls a port that stands for a function
// (net/devlink, __devlink_port_phys_port_name_get).
PortName parsePortName(std::string_view name) {
    dropPrefixAndDigits(name, "c");
    if (!dropPrefixAndDigits(name, "pf")) {
        return PortName::other;
    }
    if (name.empty()) {
        return PortName::pciFunction;
    }
    if (dropPrefixAndDigits(name, "vf") && name.empty()) {
        return PortName::virtualFunction;
    }
    if (dropPrefixAndDigits(name, "sf") && name.empty()) {
        return PortName::subfunction;
    }
    return PortName::other;
}

std::string pciPath(PciAddress address, std::string_view entry) {
    return "/sys/bus/pci/devices/" + address.text() + "/" + std::string(entry);
}

// The PCI function of which `address` is a virtual function.
Result<std::optional<PciAddress>> physicalFunction(const host::FileReader& files,
                                                   PciAddress address) {
    const auto target = files.readLink(pciPath(address, "physfn"));
    if (!target.has_value()) {
        if (target.error().kind == ErrorKind::notFound) {
            return std::optional<PciAddress>{};
        }
        return fail(target.error());
    }
    return PciAddress::parse(split(*target, '/').back());
}

// The PCI function that a subfunction was cut from: the last one on the sysfs path of
// its auxiliary device.
std::optional<PciAddress> subfunctionParent(const host::FileReader& files,
                                            const host::Link& link) {
    if (const auto parent = pciParent(link)) {
        return parent;
    }
    if (link.parentDevice.empty() || link.parentDevice.contains('/')) {
        return std::nullopt;
    }
    const auto path =
        files.resolve("/sys/bus/" + link.parentBus + "/devices/" + link.parentDevice);
    if (!path.has_value()) {
        return std::nullopt;
    }
    std::optional<PciAddress> parent;
    for (const std::string_view part : split(*path, '/')) {
        if (const auto address = PciAddress::parse(part)) {
            parent = address;
        }
    }
    return parent;
}

std::optional<unsigned long long> devicePort(const host::FileReader& files,
                                             const host::Link& link) {
    const auto text = files.read("/sys/class/net/" + link.name + "/dev_port");
    return text.has_value() ? parseUnsigned(trimmed(*text)) : std::nullopt;
}

// The net device of the port that `link` shares on the function `address`. Several
// ports on one function are told apart by dev_port.
const host::Link* portOnFunction(const host::FileReader& files,
                                 const LinkGraph& graph,
                                 PciAddress address,
                                 const host::Link& link) {
    LinkGraph::Links candidates = graph.onFunction(address);
    std::erase_if(candidates, [&](const host::Link* candidate) {
        const auto kind = functionKind(files, *candidate);
        return candidate == &link || !kind.has_value() ||
               *kind != FunctionKind::physical;
    });
    if (candidates.size() > 1) {
        const auto wanted = devicePort(files, link);
        std::erase_if(candidates, [&](const host::Link* candidate) {
            return devicePort(files, *candidate) != wanted;
        });
    }
    return candidates.size() == 1 ? candidates.front() : nullptr;
}

PortResolution onFunction(const host::FileReader& files,
                          const LinkGraph& graph,
                          std::optional<PciAddress> parent,
                          const host::Link& link,
                          std::string_view what) {
    const std::string word(what);
    if (!parent) {
        return {{}, word + " of a function that sysfs does not name"};
    }
    const host::Link* const port = portOnFunction(files, graph, *parent, link);
    if (port == nullptr) {
        return {{},
                word + " of " + parent->text() +
                    ", whose port has no net device in this network namespace"};
    }
    return {{port}, word + " of " + port->name};
}

std::string nameOfKind(const host::Link& link) {
    return link.kind == "vlan" ? "VLAN" : link.kind;
}

void addOnce(const LinkGraph::Links& links, LinkGraph::Links& to) {
    std::ranges::copy_if(links, std::back_inserter(to), [&to](const host::Link* link) {
        return std::ranges::find(to, link) == to.end();
    });
}

class Resolver {
  public:
    Resolver(const host::FileReader& files, const LinkGraph& graph)
        : files_(files), graph_(graph) {}

    [[nodiscard]] Result<PortResolution> resolve(const host::Link& link,
                                                 unsigned depth) const {
        const FunctionKind kind = TRY(functionKind(files_, link));
        switch (kind) {
            case FunctionKind::physical:
                return PortResolution{{&link}, ""};
            case FunctionKind::virtualFunction:
                return resolveVirtualFunction(link);
            case FunctionKind::subfunction:
                return onFunction(
                    files_, graph_, subfunctionParent(files_, link), link, "SF");
            case FunctionKind::representor:
                return PortResolution{{}, "representor " + link.physPortName};
            case FunctionKind::stacked:
                return resolveStacked(link, depth);
            case FunctionKind::software:
                break;
        }
        // Hardware on another bus (platform, virtio, netdevsim) is its own port.
        if (link.kind.empty() || !link.parentBus.empty()) {
            return PortResolution{{&link}, ""};
        }
        return PortResolution{{}, link.kind + ", which has no physical port"};
    }

  private:
    [[nodiscard]] Result<PortResolution> resolveVirtualFunction(
        const host::Link& link) const {
        const auto own = pciParent(link);
        const auto parent = own ? TRY(physicalFunction(files_, *own)) : own;
        return onFunction(files_, graph_, parent, link, "VF");
    }

    [[nodiscard]] Result<PortResolution> resolveStacked(const host::Link& link,
                                                        unsigned depth) const {
        const LinkGraph::Links below =
            link.kind == "bridge" ? LinkGraph::Links{} : graph_.directlyBelow(link);
        if (below.empty() || depth >= kMaxNesting) {
            return PortResolution{{}, nameOfKind(link) + ", whose port is not known"};
        }
        const bool group = link.kind == "bond" || link.kind == "team";
        PortResolution found{{}, nameOfKind(link) + (group ? " of " : " on ")};
        std::string more;
        for (const host::Link* lower : below) {
            const auto next = resolve(*lower, depth + 1);
            if (!next) {
                return fail(next.error());
            }
            found.how += (lower == below.front() ? "" : ", ") + lower->name;
            more += next->how.empty() || group ? "" : ", " + next->how;
            addOnce(next->ports, found.ports);
        }
        found.how += more;
        return found;
    }

    const host::FileReader& files_;
    const LinkGraph& graph_;
};

Result<LinkGraph::Links> nextBelow(const host::FileReader& files,
                                   const LinkGraph& graph,
                                   const host::Link& link) {
    LinkGraph::Links below = graph.directlyBelow(link);
    if (!below.empty()) {
        return below;
    }
    return TRY(resolvePorts(files, graph, link)).ports;
}

}  // namespace

Result<FunctionKind> functionKind(const host::FileReader& files,
                                  const host::Link& link) {
    if (isStacked(link)) {
        return FunctionKind::stacked;
    }
    const PortName name = parsePortName(link.physPortName);
    if (name != PortName::other && !link.physSwitchId.empty()) {
        return FunctionKind::representor;
    }
    if (link.parentBus == "auxiliary" || name == PortName::subfunction) {
        return FunctionKind::subfunction;
    }
    const auto parent = pciParent(link);
    if (!parent) {
        return FunctionKind::software;
    }
    return TRY(physicalFunction(files, *parent)).has_value()
               ? FunctionKind::virtualFunction
               : FunctionKind::physical;
}

Result<PortResolution> resolvePorts(const host::FileReader& files,
                                    const LinkGraph& graph,
                                    const host::Link& link) {
    return Resolver(files, graph).resolve(link, 0);
}

Result<std::set<IfIndex>> linksUnder(const host::FileReader& files,
                                     const LinkGraph& graph,
                                     const host::Link& link) {
    std::set<IfIndex> seen{link.index};
    LinkGraph::Links pending{&link};
    for (std::size_t next = 0; next < pending.size(); ++next) {
        const auto below = nextBelow(files, graph, *pending[next]);
        if (!below) {
            return fail(below.error());
        }
        std::ranges::copy_if(
            *below, std::back_inserter(pending), [&seen](const host::Link* lower) {
                return seen.insert(lower->index).second;
            });
    }
    return seen;
}

}  // namespace fabric::inventory
