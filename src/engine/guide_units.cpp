// SPDX-License-Identifier: Apache-2.0
#include "engine/guide_units.hpp"

#include <fmt/format.h>

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::engine {

namespace {

constexpr std::array<std::string_view, 2> kUnits{"roce-lossless.service",
                                                 "disable-pcie-acs.service"};
constexpr std::string_view kSysctlFile = "/etc/sysctl.d/99-rdma-arp.conf";

}  // namespace

std::optional<resource::Finding> guideUnits(const host::FileReader& files) {
    std::vector<std::string> found;
    std::vector<std::string> commands;
    for (const std::string_view unit : kUnits) {
        const std::string path = fmt::format("/etc/systemd/system/{}", unit);
        if (files.status(path)) {
            found.push_back(path);
            commands.push_back(
                fmt::format("systemctl disable {} && rm {}", unit, path));
        }
    }
    if (files.status(kSysctlFile)) {
        found.emplace_back(kSysctlFile);
        commands.push_back(fmt::format("rm {}", kSysctlFile));
    }
    if (found.empty()) {
        return std::nullopt;
    }
    return resource::Finding{
        .id = "legacy.guide-units",
        .severity = resource::Severity::warn,
        .summary =
            "files made after the MinIO guide do parts of this work at every "
            "boot, and may set other values than the profile; the units of "
            "fabricctl run after them",
        .evidence = fmt::format("{}", fmt::join(found, ", ")),
        .fix = fmt::format("when the profile covers what they do: {}",
                           fmt::join(commands, "; "))};
}

}  // namespace fabric::engine
