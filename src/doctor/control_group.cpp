// SPDX-License-Identifier: Apache-2.0
#include "doctor/control_group.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <map>
#include <utility>

namespace fabric::doctor {

namespace {

constexpr std::string_view kMount = "/sys/fs/cgroup";

using Objects = std::map<std::pair<std::string, std::string>, std::uint64_t>;

// "mlx5_0 hca_handle=2 hca_object=max" (kernel/cgroup/rdma.c); "max" is no number.
Objects objectsOf(std::string_view text) {
    Objects objects;
    for (const std::string_view line : split(text, '\n')) {
        const auto words = split(line, ' ');
        for (const std::string_view word : words) {
            const std::size_t equals = word.find('=');
            const auto number = equals == std::string_view::npos
                                    ? std::nullopt
                                    : parseUnsigned(word.substr(equals + 1));
            if (number) {
                objects.emplace(std::pair(words.front(), word.substr(0, equals)),
                                *number);
            }
        }
    }
    return objects;
}

}  // namespace

std::string controlGroupOf(const host::FileReader& files, std::uint32_t pid) {
    constexpr std::string_view kUnified = "0::";  // cgroups(7)
    const auto text = files.read(fmt::format("/proc/{}/cgroup", pid));
    const std::string known = text.value_or("");
    for (const std::string_view line : split(known, '\n')) {
        if (line.starts_with(kUnified)) {
            const std::string_view group = line.substr(kUnified.size());
            // One that is above the root of this namespace.
            return group.contains("/..") ? std::string() : std::string(group);
        }
    }
    return {};
}

std::vector<std::string> groupsUpFrom(std::string_view group) {
    std::vector<std::string> groups;
    while (group.size() > 1 && group.starts_with('/')) {
        groups.emplace_back(group);
        group = group.substr(0, group.rfind('/'));
    }
    return groups;
}

std::optional<MemoryMax> memoryMaxOf(const host::FileReader& files,
                                     std::string_view group) {
    std::optional<MemoryMax> least;
    for (const std::string& one : groupsUpFrom(group)) {
        const auto text = files.read(fmt::format("{}{}/memory.max", kMount, one));
        const auto bytes = text ? parseUnsigned(trimmed(*text)) : std::nullopt;
        if (bytes && (!least || *bytes < least->bytes)) {
            least = MemoryMax{.group = one, .bytes = *bytes};
        }
    }
    return least;
}

std::vector<RdmaMax> rdmaLimitsOf(const host::FileReader& files,
                                  std::string_view group) {
    std::vector<RdmaMax> limits;
    for (const std::string& one : groupsUpFrom(group)) {
        const auto most = files.read(fmt::format("{}{}/rdma.max", kMount, one));
        const auto current = files.read(fmt::format("{}{}/rdma.current", kMount, one));
        const Objects used = objectsOf(current.value_or(""));
        for (const auto& [object, number] : objectsOf(most.value_or(""))) {
            const auto now = used.find(object);
            limits.push_back({.group = one,
                              .device = object.first,
                              .resource = object.second,
                              .most = number,
                              .current = now == used.end() ? 0 : now->second});
        }
    }
    return limits;
}

}  // namespace fabric::doctor
