// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/host.hpp"
#include "resource/module/modprobe_lines.hpp"
#include "resource/resource.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fabric::resource::kernel_module {

// As /sys/module/NAME tells it (kernel/module/main.c, show_initstate).
enum class Presence { absent, coming, live, builtIn };

struct ModuleState {
    std::string name;  // in the kernel's spelling
    std::optional<Error> unread;
    Presence presence = Presence::absent;
    std::string loadedSource;      // srcversion of what is loaded, "" not told
    bool loadedOutOfTree = false;  // taint flag O (kernel/panic.c) of what is loaded
    host::Module known;
};

struct State {
    std::vector<ModuleState> modules;  // one per module of the profile, in its order
    std::optional<std::string> bootList;
    std::optional<Error> bootListUnread;
    bool indexed = true;  // this kernel has a list of what is built into it
    std::vector<ModprobeLine> modprobe;  // read only when a module needs an explanation
    std::set<std::uint16_t> vendors;     // of PCI functions; when a vendor's module is
                                         // not loaded
    std::optional<Error> vendorsUnread;
};

[[nodiscard]] State observe(const host::Reader& host,
                            const Scope& scope,
                            const std::vector<std::string>& wanted);

}  // namespace fabric::resource::kernel_module
