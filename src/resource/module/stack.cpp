// SPDX-License-Identifier: Apache-2.0
#include "resource/module/stack.hpp"

#include "base/text.hpp"
#include "resource/module/vendor.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>

namespace fabric::resource::kernel_module {

namespace {

// Of what is loaded, else of what would be loaded; empty: built in or not told.
std::optional<bool> outOfTree(const ModuleState& module) {
    if (module.presence == Presence::live) {
        return module.loadedOutOfTree;
    }
    if (module.presence == Presence::builtIn) {
        return false;
    }
    return module.known.inTree ? std::optional(!*module.known.inTree) : std::nullopt;
}

std::optional<Finding> mixedStack(const State& state) {
    std::vector<std::string> inside;
    std::vector<std::string> outside;
    for (const ModuleState& module : state.modules) {
        const auto foreign = outOfTree(module);
        if (foreign && belongsToOneStack(module.name)) {
            (*foreign ? outside : inside).push_back(module.name);
        }
    }
    if (inside.empty() || outside.empty()) {
        return std::nullopt;
    }
    return Finding{
        .id = "module.mixed-stack",
        .severity = Severity::fail,
        .summary =
            "the RDMA stack is mixed from two sources: devices may be missing, "
            "and symbols disagree about their version",
        .evidence = fmt::format("from the kernel: {}; out of tree: {}",
                                fmt::join(inside, ", "),
                                fmt::join(outside, ", ")),
        .fix =
            "install one stack for this kernel as a whole (dkms status), then reboot"};
}

std::optional<Finding> otherBuild(const ModuleState& module) {
    const std::string& installed = module.known.sourceVersion;
    if (module.presence != Presence::live || module.loadedSource.empty() ||
        installed.empty() || module.loadedSource == installed) {
        return std::nullopt;
    }
    return Finding{.id = "module.other-build",
                   .severity = Severity::warn,
                   .summary = fmt::format(
                       "{} is loaded from another build than the one that is installed",
                       module.name),
                   .evidence = fmt::format("srcversion loaded {}, in {} {}",
                                           escapeForTerminal(module.loadedSource),
                                           escapeForTerminal(module.known.file),
                                           escapeForTerminal(installed)),
                   .fix = "reboot, or reload the driver when no traffic runs"};
}

}  // namespace

std::vector<Finding> stackFindings(const State& state) {
    std::vector<Finding> findings;
    if (auto mixed = mixedStack(state)) {
        findings.push_back(std::move(*mixed));
    }
    for (const ModuleState& module : state.modules) {
        if (auto other = otherBuild(module)) {
            findings.push_back(std::move(*other));
        }
    }
    return findings;
}

}  // namespace fabric::resource::kernel_module
