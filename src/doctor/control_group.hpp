// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

// Limits of control groups: those of a group and of every one above it hold
// (Documentation/admin-guide/cgroup-v2.rst).
namespace fabric::doctor {

struct MemoryMax {
    std::string group;  // "/system.slice"
    std::uint64_t bytes = 0;
};

// One number of RDMA objects of one device that a group may have.
struct RdmaMax {
    std::string group;
    std::string device;
    std::string resource;  // "hca_handle", "hca_object"
    std::uint64_t most = 0;
    std::uint64_t current = 0;
};

// The group of a process, "/system.slice/minio.service"; "" when it is not told, or
// lies outside of what is seen from here.
[[nodiscard]] std::string controlGroupOf(const host::FileReader& files,
                                         std::uint32_t pid);

// The group and those above it, outermost last, without the root.
[[nodiscard]] std::vector<std::string> groupsUpFrom(std::string_view group);

// The smallest; empty: none has a limit.
[[nodiscard]] std::optional<MemoryMax> memoryMaxOf(const host::FileReader& files,
                                                   std::string_view group);

[[nodiscard]] std::vector<RdmaMax> rdmaLimitsOf(const host::FileReader& files,
                                                std::string_view group);

}  // namespace fabric::doctor
