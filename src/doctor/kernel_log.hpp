// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"
#include "host/journal.hpp"

#include <string_view>

// Lines of the kernel's log that rules are about. They are for people and may change:
// what is not recognised is no finding, and a line proves nothing about now.
namespace fabric::doctor {

// "mlx5_core 0000:1a:00.0: mlx5_cmd_out_err:...: CREATE_QP(0x500) ... status limits
// exceeded(0x8)" (drivers/net/ethernet/mellanox/mlx5/core/cmd.c).
[[nodiscard]] bool isObjectLimit(std::string_view message);
// "mlx5_ib: disagrees about version of symbol ib_register_device"
// (kernel/module/version.c), of a module of an RDMA stack.
[[nodiscard]] bool isSymbolMismatch(std::string_view message);

// The newest lines of this boot that one of both holds for.
[[nodiscard]] Result<host::JournalLines> readKernelLog(
    const host::JournalReader& journal);

}  // namespace fabric::doctor
