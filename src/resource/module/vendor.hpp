// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fabric::resource::kernel_module {

struct Vendor {
    std::uint16_t id = 0;  // PCI vendor
    std::string_view name;
};

// Whose hardware a module drives, when it is one that adapters and GPUs of one vendor
// need; std::nullopt for a module of any machine (ib_core, rdma_rxe).
[[nodiscard]] std::optional<Vendor> vendorOf(std::string_view module);

// The parts of an RDMA stack that must come from one source: the core of the kernel's
// or of an out-of-tree distribution, and the Mellanox drivers that are built with it.
// Drivers of other vendors ship out of tree on top of the kernel's core.
[[nodiscard]] bool belongsToOneStack(std::string_view module);

}  // namespace fabric::resource::kernel_module
