// SPDX-License-Identifier: Apache-2.0
#include "resource/mtu/mtu.hpp"
#include "resource/rail_property.hpp"

#include <algorithm>

namespace fabric::resource::mtu {

Comparison assess(const host::Reader& host, const Scope& scope) {
    Comparison all;
    const auto ownsMtu = [](const RailTask& task) {
        return task.settings.mtu.has_value();
    };
    if (std::ranges::none_of(scope.rails, ownsMtu)) {
        return all;
    }
    auto links = host.links.links();
    const inventory::LinkGraph graph(links ? std::move(*links)
                                           : std::vector<host::Link>{});
    for (const RailTask& task : scope.rails) {
        if (!ownsMtu(task)) {
            continue;
        }
        if (links) {
            all.append(compare(task, graph));
        } else {
            all.assessments.push_back(
                compareUnread(task, links.error(), scope.platform));
        }
    }
    settleSharedPorts(all);
    return all;
}

}  // namespace fabric::resource::mtu
