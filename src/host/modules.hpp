// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::host {

// An `install` line of modprobe.d (modprobe.d(5)) that loading a module would run.
struct ModuleCommand {
    std::string module;  // whose line it is: the module itself or one loaded with it
    std::string command;
    bool operator==(const ModuleCommand&) const = default;
};

// What this machine's module tools know of one module, loaded or not.
struct Module {
    std::string name;  // as the kernel writes it, with underscores
    bool builtIn = false;
    std::string file;            // "" when this kernel has no file of it
    std::string vermagic;        // "6.1.0-57-amd64 SMP preempt mod_unload modversions"
    std::string sourceVersion;   // modinfo `srcversion`, "" not told
    std::optional<bool> inTree;  // modinfo `intree`; empty: no file to ask
    bool blacklisted = false;    // by modprobe.d or by the kernel command line
    // Of the module and of its dependencies and soft dependencies that are not loaded.
    std::vector<ModuleCommand> installCommands;
    // What softdep lines of modprobe.d and of the module's file would load before or
    // after it and is not loaded.
    std::vector<std::string> softDependencies;
};

class ModuleReader {
  public:
    virtual ~ModuleReader() = default;
    // A module that nobody knows comes back with `builtIn` false and an empty `file`.
    [[nodiscard]] virtual Result<Module> module(std::string_view name) const = 0;
};

class ModuleWriter {
  public:
    virtual ~ModuleWriter() = default;
    // Loads the module with what it depends on, its soft dependencies where possible,
    // and the options of modprobe.d. A module that is being loaded is waited for; one
    // that is loaded already is success. A blacklisted module and one with an `install`
    // line are refused: no command is ever run.
    [[nodiscard]] virtual Result<void> load(std::string_view name) = 0;
};

}  // namespace fabric::host
