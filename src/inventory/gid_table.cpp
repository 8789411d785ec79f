// SPDX-License-Identifier: Apache-2.0
#include "inventory/gid_table.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

namespace fabric::inventory {

namespace {

// An entry of a GID table that is not in use (drivers/infiniband/core/sysfs.c).
constexpr std::string_view kNoGid = "0000:0000:0000:0000:0000:0000:0000:0000";

std::string textAt(const host::FileReader& files, const std::string& path) {
    const auto text = files.read(path);
    return text ? std::string(trimmed(*text)) : std::string();
}

}  // namespace

Result<std::vector<Gid>> readGids(const host::FileReader& files,
                                  const host::RdmaPort& port) {
    const std::string folder =
        fmt::format("/sys/class/infiniband/{}/ports/{}", port.device, port.port);
    std::vector<Gid> gids;
    for (const std::string& name : TRY(files.list(folder + "/gids"))) {
        const auto index = parseUnsigned(name);
        const std::string gid = textAt(files, folder + "/gids/" + name);
        if (index && !gid.empty() && gid != kNoGid) {
            gids.push_back(
                {.index = static_cast<unsigned>(*index),
                 .gid = gid,
                 .type = textAt(files, folder + "/gid_attrs/types/" + name),
                 .interface = textAt(files, folder + "/gid_attrs/ndevs/" + name)});
        }
    }
    std::ranges::sort(gids, {}, &Gid::index);
    return gids;
}

std::string gidOf(const IpAddress& address) {
    constexpr std::size_t kGroups = 8;
    constexpr std::size_t kMappedAt = 12;
    std::array<std::uint8_t, 16> octets = address.octets;
    if (!address.ipv6) {
        octets = {};
        octets[10] = octets[11] = 0xFF;
        std::copy_n(address.octets.begin(), 4, octets.begin() + kMappedAt);
    }
    std::string text;
    for (std::size_t group = 0; group < kGroups; ++group) {
        text += fmt::format("{}{:02x}{:02x}",
                            group == 0 ? "" : ":",
                            octets.at(2 * group),
                            octets.at(2 * group + 1));
    }
    return text;
}

std::optional<unsigned> indexOf(std::span<const Gid> gids, const IpAddress& address) {
    const std::string wanted = gidOf(address);
    const auto found = std::ranges::find_if(gids, [&](const Gid& one) {
        return one.gid == wanted && one.type == "RoCE v2";
    });
    return found == gids.end() ? std::nullopt : std::optional(found->index);
}

}  // namespace fabric::inventory
