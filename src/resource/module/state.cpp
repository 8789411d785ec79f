// SPDX-License-Identifier: Apache-2.0
#include "resource/module/state.hpp"

#include "base/text.hpp"
#include "inventory/pci_topology.hpp"
#include "resource/module/boot_list.hpp"
#include "resource/module/vendor.hpp"

#include <algorithm>
#include <cerrno>

namespace fabric::resource::kernel_module {

namespace {

std::string attribute(const host::FileReader& files, const std::string& path) {
    const auto text = files.read(path);
    return text ? std::string(trimmed(*text)) : std::string();
}

// A built-in module has at most a directory for its parameters, without `initstate`.
Result<Presence> presenceOf(const host::FileReader& files, const std::string& name) {
    const std::string directory = "/sys/module/" + name;
    const auto state = files.read(directory + "/initstate");
    if (state) {
        const std::string_view word = trimmed(*state);
        return word == "live"    ? Presence::live
               : word == "going" ? Presence::absent
                                 : Presence::coming;
    }
    if (state.error().sysErrno != ENOENT) {
        return fail(state.error());
    }
    return files.status(directory) ? Presence::builtIn : Presence::absent;
}

ModuleState observeModule(const host::Reader& host, std::string name) {
    ModuleState state{.name = std::move(name)};
    const auto presence = presenceOf(host.files, state.name);
    if (!presence) {
        state.unread = presence.error();
        return state;
    }
    state.presence = *presence;
    if (state.presence == Presence::live) {
        const std::string directory = "/sys/module/" + state.name;
        state.loadedSource = attribute(host.files, directory + "/srcversion");
        state.loadedOutOfTree =
            attribute(host.files, directory + "/taint").contains('O');
    }
    auto known = host.modules != nullptr
                     ? host.modules->module(state.name)
                     : fail(systemError("look up module", state.name, EOPNOTSUPP));
    if (known) {
        state.known = std::move(*known);
        if (state.presence == Presence::absent && state.known.builtIn) {
            state.presence = Presence::builtIn;
        }
    } else {
        state.unread = known.error();
    }
    return state;
}

void observeBootList(const host::FileReader& files, State& state) {
    auto text = files.read(kBootList);
    if (text) {
        state.bootList = std::move(*text);
    } else if (text.error().sysErrno != ENOENT) {
        state.bootListUnread = text.error();
    }
}

void collectVendors(const std::vector<host::PciFunction>& functions, State& state) {
    for (const host::PciFunction& function : functions) {
        state.vendors.insert(function.vendor);
    }
}

void observeVendors(const host::Reader& host, const Scope& scope, State& state) {
    if (scope.pci != nullptr) {
        collectVendors(scope.pci->functions(), state);
    } else if (const auto functions = host.pci.functions()) {
        collectVendors(*functions, state);
    } else {
        state.vendorsUnread = functions.error();
    }
}

bool needsExplanation(const ModuleState& module) {
    return module.known.blacklisted ||
           (module.presence != Presence::live && !module.known.installCommands.empty());
}

}  // namespace

State observe(const host::Reader& host,
              const Scope& scope,
              const std::vector<std::string>& wanted) {
    State state;
    for (const std::string& name : wanted) {
        std::string canonical = canonicalName(name);
        if (std::ranges::find(state.modules, canonical, &ModuleState::name) ==
            state.modules.end()) {
            state.modules.push_back(observeModule(host, std::move(canonical)));
        }
    }
    observeBootList(host.files, state);
    state.indexed =
        host.files
            .status("/lib/modules/" + scope.platform.kernelRelease + "/modules.builtin")
            .has_value();
    if (std::ranges::any_of(state.modules, needsExplanation)) {
        state.modprobe = readModprobeLines(host.files);
    }
    const bool vendorMatters =
        std::ranges::any_of(state.modules, [](const ModuleState& module) {
            return module.presence == Presence::absent && vendorOf(module.name);
        });
    if (vendorMatters) {
        observeVendors(host, scope, state);
    }
    return state;
}

}  // namespace fabric::resource::kernel_module
