// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/rdma.hpp"

#include <map>
#include <optional>
#include <utility>

namespace fabric::fake {

class FakeRdma : public host::RdmaReader {
  public:
    std::vector<host::RdmaPort> portList;
    std::optional<Error> portsError;  // answer of ports()
    // By device and port; a port without an entry answers ENOENT.
    std::map<std::pair<std::string, std::uint32_t>, host::RdmaPortAttributes> verbs;
    mutable std::size_t dumps = 0;  // calls of ports()

    // An Ethernet port 1 on this net device, active.
    host::RdmaPort& add(std::string device, IfIndex link, std::string pci = {});

    [[nodiscard]] Result<std::vector<host::RdmaPort>> ports() const override;
    [[nodiscard]] Result<host::RdmaPortAttributes> attributes(
        const host::RdmaPort& port) const override;
};

}  // namespace fabric::fake
