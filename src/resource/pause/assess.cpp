// SPDX-License-Identifier: Apache-2.0
#include "resource/pause/pause.hpp"
#include "resource/rail_property.hpp"

namespace fabric::resource::pause {

Result<host::PauseParameters> observe(const host::Reader& host,
                                      const inventory::PhysicalPort& port) {
    return host.ethtool.pause(port.link);
}

Comparison assess(const host::Reader& host, const Scope& scope) {
    Comparison all;
    for (const RailTask& task : scope.rails) {
        if (!task.settings.pause && !task.settings.dcb) {
            continue;
        }
        if (task.settings.pause && task.rail.ports.empty()) {
            all.assessments.push_back(compareWithoutPort(task));
        }
        for (const inventory::PhysicalPort& port : task.rail.ports) {
            const auto found = observe(host, port);
            if (task.settings.pause) {
                all.append(compare(task, port, found, scope.platform));
            }
            const auto finding = found ? besidePfc(task, port, *found) : std::nullopt;
            if (finding) {
                all.findings.push_back(*finding);
            }
        }
    }
    settleSharedPorts(all);
    return all;
}

}  // namespace fabric::resource::pause
