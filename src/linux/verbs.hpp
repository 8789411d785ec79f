// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/rdma.hpp"

#include <string>

namespace fabric::linux_host {

// ibv_query_port and ibv_query_device through libibverbs. Loads the device's provider.
[[nodiscard]] Result<host::RdmaPortAttributes> queryVerbsPort(const std::string& device,
                                                              std::uint32_t port);

}  // namespace fabric::linux_host
