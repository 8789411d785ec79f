// SPDX-License-Identifier: Apache-2.0
#include "resource/pause/pause.hpp"
#include "resource/rail_property.hpp"

namespace fabric::resource::pause {

namespace {

Comparison assessPort(const host::Reader& host,
                      const inventory::Platform& platform,
                      const RailTask& task,
                      const inventory::PhysicalPort& port) {
    const auto found = observe(host, port);
    Comparison result;
    if (task.settings.pause) {
        result = compare(task, port, found, platform);
    }
    const auto finding = found ? besidePfc(task, port, *found) : std::nullopt;
    if (finding) {
        result.findings.push_back(*finding);
    }
    return result;
}

}  // namespace

Result<host::PauseParameters> observe(const host::Reader& host,
                                      const inventory::PhysicalPort& port) {
    return host.ethtool.pause(port.link);
}

Comparison assess(const host::Reader& host, const Scope& scope) {
    Comparison all;
    for (const RailTask& task : scope.rails) {
        if (task.settings.pause && task.rail.ports.empty()) {
            all.assessments.push_back(compareWithoutPort(task));
        }
        if (!task.settings.pause && !task.settings.dcb) {
            continue;
        }
        for (const inventory::PhysicalPort& port : task.rail.ports) {
            all.append(assessPort(host, scope.platform, task, port));
        }
    }
    settleSharedPorts(all);
    return all;
}

}  // namespace fabric::resource::pause
