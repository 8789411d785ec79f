// SPDX-License-Identifier: Apache-2.0
#include "fake/fake_rdma.hpp"

#include <algorithm>
#include <cerrno>
#include <tuple>

namespace fabric::fake {

host::RdmaPort& FakeRdma::add(std::string device, IfIndex link, std::string pci) {
    return portList.emplace_back(host::RdmaPort{.device = std::move(device),
                                                .port = 1,
                                                .linkLayer = host::LinkLayer::ethernet,
                                                .link = link,
                                                .state = "active",
                                                .firmware = {},
                                                .pci = std::move(pci)});
}

Result<std::vector<host::RdmaPort>> FakeRdma::ports() const {
    ++dumps;
    if (portsError) {
        return fail(*portsError);
    }
    std::vector<host::RdmaPort> sorted = portList;
    std::ranges::sort(sorted, [](const auto& left, const auto& right) {
        return std::tie(left.device, left.port) < std::tie(right.device, right.port);
    });
    return sorted;
}

Result<host::RdmaPortAttributes> FakeRdma::attributes(
    const host::RdmaPort& port) const {
    const auto found = verbs.find({port.device, port.port});
    if (found == verbs.end()) {
        return fail(systemError(
            "query port", port.device + "/" + std::to_string(port.port), ENOENT));
    }
    return found->second;
}

}  // namespace fabric::fake
