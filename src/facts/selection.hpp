// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string_view>

// What may leave a host. Everything is left out that is not named here.
namespace fabric::facts {

// How much of a file is carried. `environmentFile` is for every file that has no rule.
enum class Carry {
    whole,
    commandLine,  // of the kernel: parameters that matter here
    environ,      // of a process: variables that matter here
    processors,   // the first one: all are alike
    mounts,       // of kernel file systems
    unitFile,     // settings that are compared; arguments of commands without values
    sysctl,       // lines of net/ipv4
    modprobe,     // blacklists, and install lines without their commands
    moduleList,   // names
    limits,       // that there are lines about locked memory
    environmentFile,  // variables that matter here
};

[[nodiscard]] Carry carryOf(std::string_view path);

// A program of which it is told that it runs, since it may write what a profile owns.
[[nodiscard]] bool isWatchedProgram(std::string_view name);
// A parameter of the kernel's command line, "iommu" or a bare "quiet".
[[nodiscard]] bool isCarriedParameter(std::string_view name);
// A setting of a unit file.
[[nodiscard]] bool isCarriedSetting(std::string_view key);

[[nodiscard]] bool isOneOf(std::string_view word, const auto& words) {
    return std::ranges::find(words, word) != words.end();
}

}  // namespace fabric::facts
