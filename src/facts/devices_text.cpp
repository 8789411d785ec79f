// SPDX-License-Identifier: Apache-2.0
#include "facts/devices_text.hpp"

#include "base/text.hpp"
#include "facts/text_forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace fabric::facts {

namespace {

constexpr std::string_view kUnknown = "unknown";
constexpr std::string_view kNoGid = "0000:0000:0000:0000:0000:0000:0000:0000";

std::string orUnknown(std::string_view text) {
    return text.empty() ? std::string(kUnknown) : escapeForTerminal(text);
}

std::string numberOrUnknown(std::uint64_t number) {
    return number == 0 ? std::string(kUnknown) : std::to_string(number);
}

std::string line(unsigned depth, std::string_view name, std::string_view value) {
    constexpr int kWidth = 24;
    return fmt::format(
        "{:\t>{}}{:<{}}{}\n", "", depth, fmt::format("{}:", name), kWidth, value);
}

// The trimmed text of a file, "" when the facts do not hold it.
std::string textAt(const Observed& seen, const std::string& path) {
    const auto file = seen.files.find(path);
    const bool told =
        file != seen.files.end() && file->second.text && *file->second.text;
    return told ? std::string(trimmed(**file->second.text)) : "";
}

std::string folderOf(const host::RdmaPort& port) {
    return fmt::format("/sys/class/infiniband/{}/ports/{}", port.device, port.port);
}

std::string interfaceOf(const Observed& seen, IfIndex index) {
    if (index.none() || !seen.links || !*seen.links) {
        return {};
    }
    const auto link = std::ranges::find(**seen.links, index, &host::Link::index);
    return link == (*seen.links)->end() ? std::string() : link->name;
}

// Indexes in their order, also where a directory lists them as text.
std::vector<unsigned long long> gidIndexes(const FileAnswers& folder) {
    std::vector<unsigned long long> indexes;
    for (const std::string& name : **folder.names) {
        if (const auto index = parseUnsigned(name)) {
            indexes.push_back(*index);
        }
    }
    std::ranges::sort(indexes);
    return indexes;
}

std::string gidLines(const Observed& seen, const host::RdmaPort& port) {
    const std::string folder = folderOf(port);
    const auto listed = seen.files.find(folder + "/gids");
    if (listed == seen.files.end() || !listed->second.names || !*listed->second.names) {
        return line(3, "GID", kUnknown);
    }
    std::string lines;
    for (const auto index : gidIndexes(listed->second)) {
        const std::string gid = textAt(seen, fmt::format("{}/gids/{}", folder, index));
        if (gid == kNoGid) {
            continue;
        }
        const auto attribute = [&](std::string_view name) {
            return orUnknown(
                textAt(seen, fmt::format("{}/gid_attrs/{}/{}", folder, name, index)));
        };
        lines += line(
            3,
            fmt::format("GID[{:3}]", index),
            fmt::format(
                "{}, {}, {}", orUnknown(gid), attribute("types"), attribute("ndevs")));
    }
    return lines;
}

std::string deviceLines(const Observed& seen, const host::RdmaPort& port) {
    const std::string folder = "/sys/class/infiniband/" + port.device + "/";
    const auto attributes = seen.attributes.find(portKey(port));
    const bool told = attributes != seen.attributes.end() && attributes->second;
    return fmt::format("hca_id: {}\n", orUnknown(port.device)) +
           line(1, "pci", port.pci.empty() ? "none" : escapeForTerminal(port.pci)) +
           line(1, "fw_ver", orUnknown(port.firmware)) +
           line(1, "node_guid", orUnknown(textAt(seen, folder + "node_guid"))) +
           line(1,
                "sys_image_guid",
                orUnknown(textAt(seen, folder + "sys_image_guid"))) +
           line(1, "board_id", orUnknown(textAt(seen, folder + "board_id"))) +
           line(1,
                "max_srq_wr",
                numberOrUnknown(told ? attributes->second->maxSrqWorkRequests : 0));
}

std::string portLines(const Observed& seen, const host::RdmaPort& port) {
    const auto found = seen.attributes.find(portKey(port));
    const bool told = found != seen.attributes.end() && found->second;
    const host::RdmaPortAttributes attributes =
        told ? *found->second : host::RdmaPortAttributes{};
    const std::string interface = interfaceOf(seen, port.link);
    return line(2, "port", std::to_string(port.port)) +
           line(3, "state", orUnknown(port.state)) +
           line(3, "max_mtu", numberOrUnknown(attributes.maxMtu)) +
           line(3, "active_mtu", numberOrUnknown(attributes.activeMtu)) +
           line(3, "link_layer", TextForm<host::LinkLayer>::text(port.linkLayer)) +
           line(3, "interface", orUnknown(interface)) + gidLines(seen, port);
}

}  // namespace

std::string devicesText(const Observed& seen) {
    if (!seen.ports || !*seen.ports) {
        return seen.ports
                   ? fmt::format("RDMA devices: unknown: {}\n",
                                 escapeForTerminal(seen.ports->error().message()))
                   : "RDMA devices: unknown\n";
    }
    std::string text;
    std::string device;
    for (const host::RdmaPort& port : **seen.ports) {
        if (text.empty() || port.device != device) {
            text += (text.empty() ? "" : "\n") + deviceLines(seen, port);
            device = port.device;
        }
        text += portLines(seen, port);
    }
    return text.empty() ? "no RDMA devices\n" : text;
}

}  // namespace fabric::facts
