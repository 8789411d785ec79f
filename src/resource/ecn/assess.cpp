// SPDX-License-Identifier: Apache-2.0
#include "resource/ecn/ecn.hpp"
#include "resource/rail_property.hpp"

namespace fabric::resource::ecn {

Comparison assess(const host::Reader& host, const Scope& scope) {
    Comparison all;
    for (const RailTask& task : scope.rails) {
        if (!task.settings.ecn) {
            continue;
        }
        if (task.rail.ports.empty()) {
            all.append(compareWithoutPort(task));
        }
        for (const inventory::PhysicalPort& port : task.rail.ports) {
            const State state = observe(host, port, task.rail.rdma);
            all.append(compare(task, port, state, scope.platform));
        }
    }
    settleSharedPorts(all);
    return all;
}

}  // namespace fabric::resource::ecn
