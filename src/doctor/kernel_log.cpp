// SPDX-License-Identifier: Apache-2.0
#include "doctor/kernel_log.hpp"

#include <algorithm>
#include <array>
#include <string>

namespace fabric::doctor {

namespace {

constexpr std::size_t kMostLines = 100;
constexpr std::size_t kMostBytes = std::size_t{64} << 10U;

// Modules of RDMA stacks by the begin of their names; the kernel writes '_' for '-'.
constexpr auto kModules = std::to_array<std::string_view>({
    "ib_",
    "iw_",
    "rdma_",
    "mlx4_",
    "mlx5_",
    "bnxt_re",
    "irdma",
    "qedr",
    "nvidia_peermem",
    "nv_peer_mem",
    "rpcrdma",
    "mlx_compat",
    "siw",
});

}  // namespace

bool isObjectLimit(std::string_view message) {
    return message.contains("CREATE_") && message.contains("limits exceeded");
}

bool isSymbolMismatch(std::string_view message) {
    return message.contains(": disagrees about version of symbol ") &&
           std::ranges::any_of(kModules, [&](std::string_view module) {
               return message.starts_with(module);
           });
}

Result<host::JournalLines> readKernelLog(const host::JournalReader& journal) {
    auto log = TRY(journal.lines({.units = {},
                                  .ofKernel =
                                      [](std::string_view message) {
                                          return isObjectLimit(message) ||
                                                 isSymbolMismatch(message);
                                      },
                                  .lines = kMostLines,
                                  .bytes = kMostBytes}));
    // A journal tells of this program too.
    std::erase_if(log.lines, [](const host::JournalLine& line) {
        return line.source != "kernel";
    });
    return log;
}

}  // namespace fabric::doctor
