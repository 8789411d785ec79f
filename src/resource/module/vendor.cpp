// SPDX-License-Identifier: Apache-2.0
#include "resource/module/vendor.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>

namespace fabric::resource::kernel_module {

namespace {

struct Known {
    std::string_view pattern;
    Vendor vendor;
};

constexpr Vendor kMellanox{0x15b3, "Mellanox"};
constexpr Vendor kNvidia{0x10de, "NVIDIA"};
constexpr Vendor kBroadcom{0x14e4, "Broadcom"};
constexpr Vendor kIntel{0x8086, "Intel"};
constexpr Vendor kQlogic{0x1077, "QLogic"};

constexpr std::array<Known, 19> kModules{{
    {"mlx4_*", kMellanox},
    {"mlx5_*", kMellanox},
    {"nvidia", kNvidia},
    {"nvidia_*", kNvidia},
    {"gdrdrv", kNvidia},
    {"bnxt_*", kBroadcom},
    {"irdma", kIntel},
    {"ice", kIntel},
    {"i40e", kIntel},
    {"hfi1", kIntel},
    {"qede", kQlogic},
    {"qedr", kQlogic},
    {"qed", kQlogic},
    {"efa", {0x1d0f, "Amazon"}},
    {"cxgb4", {0x1425, "Chelsio"}},
    {"iw_cxgb4", {0x1425, "Chelsio"}},
    {"erdma", {0x1ded, "Alibaba"}},
    {"ionic*", {0x1dd8, "AMD Pensando"}},
    {"amdgpu", {0x1002, "AMD"}},
}};

constexpr std::array<std::string_view, 11> kOneStack{"ib_core",
                                                     "ib_uverbs",
                                                     "ib_cm",
                                                     "iw_cm",
                                                     "rdma_cm",
                                                     "rdma_ucm",
                                                     "ib_umad",
                                                     "ib_ipoib",
                                                     "mlx4_*",
                                                     "mlx5_*",
                                                     "mlxdevm"};

}  // namespace

std::optional<Vendor> vendorOf(std::string_view module) {
    const auto* const known = std::ranges::find_if(
        kModules, [&](const Known& one) { return globMatches(one.pattern, module); });
    return known == kModules.end() ? std::nullopt : std::optional(known->vendor);
}

bool belongsToOneStack(std::string_view module) {
    return std::ranges::any_of(kOneStack, [&](std::string_view pattern) {
        return globMatches(pattern, module);
    });
}

}  // namespace fabric::resource::kernel_module
