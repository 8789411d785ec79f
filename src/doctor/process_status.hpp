// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"
#include "host/files.hpp"

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <set>
#include <string_view>
#include <vector>

namespace fabric::doctor {

// What /proc/PID/status says of a process (fs/proc/array.c, proc_pid_status).
struct ProcessStatus {
    std::vector<gid_t> groups;          // effective and supplementary ones
    std::uint64_t capabilities = 0;     // effective, a bit each (linux/capability.h)
    std::set<unsigned> processors;      // that it may use; empty: not told
    bool ownProcessNumbers = false;     // it lives in another PID namespace
    bool initialUserNamespace = false;  // where its capabilities count
};

[[nodiscard]] ProcessStatus parseProcessStatus(std::string_view text);

// With its user namespace, of which its uid_map tells.
[[nodiscard]] Result<ProcessStatus> readProcessStatus(const host::FileReader& files,
                                                      std::uint32_t pid);

// "0-3,8" (lib/bitmap.c, bitmap_print_to_pagebuf); empty for anything else.
[[nodiscard]] std::optional<std::set<unsigned>> processorsOf(std::string_view text);

}  // namespace fabric::doctor
