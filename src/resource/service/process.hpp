// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"
#include "host/files.hpp"
#include "host/services.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace fabric::resource::service {

// What a running process has, whatever its unit says: it keeps what it was started
// with.
struct Process {
    std::uint32_t pid = 0;
    std::string program;   // /proc/PID/exe, without the mark of a deleted file
    bool deleted = false;  // that file is gone or was replaced
    host::ResourceLimit memlock;
    std::map<std::string, std::string> environment;
    std::optional<std::uint64_t> pinnedBytes;  // VmPin: what RDMA has registered
};

[[nodiscard]] Result<Process> observeProcess(const host::FileReader& files,
                                             std::uint32_t pid);

// The most that systemd may give a process: its own hard limit, unless it has
// CAP_SYS_RESOURCE (kernel/sys.c, do_prlimit()). Empty: any, or it is not told.
[[nodiscard]] std::optional<std::uint64_t> memlockCeiling(
    const host::FileReader& files);

// "Max locked memory" of /proc/PID/limits (fs/proc/base.c, proc_pid_limits).
[[nodiscard]] std::optional<host::ResourceLimit> parseMemlock(std::string_view limits);

// A "VmPin:   12 kB" line of /proc/PID/status (fs/proc/task_mmu.c, task_mem), in bytes.
[[nodiscard]] std::optional<std::uint64_t> parsePinned(std::string_view status);

}  // namespace fabric::resource::service
