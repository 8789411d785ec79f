// SPDX-License-Identifier: Apache-2.0
#include "resource/acs/matrix.hpp"

#include "resource/acs/mask.hpp"
#include "resource/acs/observation.hpp"

#include <algorithm>
#include <map>

namespace fabric::resource::acs {

namespace {

class RegisterCache {
  public:
    explicit RegisterCache(const host::PciReader& reader) : reader_(reader) {}

    const Registers& of(PciAddress address) {
        const auto known = known_.find(address);
        if (known != known_.end()) {
            return known->second;
        }
        return known_.emplace(address, readRegisters(reader_, address)).first->second;
    }

  private:
    const host::PciReader& reader_;
    std::map<PciAddress, Registers> known_;
};

GpuNicPath pathBetween(const inventory::PciTopology& pci,
                       const host::PciFunction& gpu,
                       const host::PciFunction& nic,
                       RegisterCache& registers) {
    GpuNicPath path{.gpu = gpu.address,
                    .nic = nic.address,
                    .relation = pci.relation(gpu, nic),
                    .between = {}};
    const auto [onGpu, onNic] = std::ranges::mismatch(gpu.bridges, nic.bridges);
    for (auto bridge = onGpu; bridge != gpu.bridges.end(); ++bridge) {
        path.between.push_back({*bridge, registers.of(*bridge)});
    }
    for (auto bridge = onNic; bridge != nic.bridges.end(); ++bridge) {
        path.between.push_back({*bridge, registers.of(*bridge)});
    }
    return path;
}

std::vector<const host::PciFunction*> ofKind(std::span<const Endpoint> endpoints,
                                             EndpointKind kind) {
    std::vector<const host::PciFunction*> functions;
    for (const Endpoint& endpoint : endpoints) {
        if (endpoint.kind == kind) {
            functions.push_back(endpoint.function);
        }
    }
    return functions;
}

std::string_view presenceText(Presence presence) {
    switch (presence) {
        case Presence::present:
            return "present";
        case Presence::absent:
            return "absent";
        default:
            return "unreadable";
    }
}

// Inside one switch the pair is direct when no bridge redirects; across a host bridge
// the root complex decides, and nothing is claimed.
Value directness(const GpuNicPath& path) {
    if (path.relation != inventory::PciRelation::pix &&
        path.relation != inventory::PciRelation::pxb) {
        return {};
    }
    bool known = true;
    for (const PathBridge& bridge : path.between) {
        const auto redirects = bridge.redirects();
        if (redirects == true) {
            return false;
        }
        known = known && redirects.has_value();
    }
    return known ? Value(true) : Value();
}

}  // namespace

std::optional<bool> PathBridge::redirects() const {
    switch (registers.presence) {
        case Presence::present:
            return (registers.control & kRedirectMasks.clear) != 0;
        case Presence::absent:
            return false;
        default:
            return std::nullopt;
    }
}

std::vector<GpuNicPath> gpuNicPaths(const host::PciReader& reader,
                                    const inventory::PciTopology& pci,
                                    std::span<const Endpoint> endpoints) {
    std::vector<GpuNicPath> paths;
    RegisterCache registers(reader);
    const auto gpus = ofKind(endpoints, EndpointKind::gpu);
    const auto nics = ofKind(endpoints, EndpointKind::nic);
    paths.reserve(gpus.size() * nics.size());
    for (const host::PciFunction* gpu : gpus) {
        for (const host::PciFunction* nic : nics) {
            paths.push_back(pathBetween(pci, *gpu, *nic, registers));
        }
    }
    return paths;
}

Value toValue(const GpuNicPath& path) {
    Value::List bridges;
    for (const PathBridge& bridge : path.between) {
        const Registers& registers = bridge.registers;
        Value::Object entry{{"pci", bridge.address.text()},
                            {"acs", presenceText(registers.presence)}};
        if (registers.portType) {
            entry["port"] = toString(*registers.portType);
        }
        if (registers.presence == Presence::present) {
            entry["control"] = hex(registers.control);
        }
        bridges.emplace_back(std::move(entry));
    }
    return Value::Object{{"gpu", path.gpu.text()},
                         {"nic", path.nic.text()},
                         {"relation", toString(path.relation)},
                         {"direct", directness(path)},
                         {"bridges", std::move(bridges)}};
}

}  // namespace fabric::resource::acs
