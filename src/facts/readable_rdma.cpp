// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "facts/hex.hpp"
#include "facts/readable.hpp"
#include "facts/text_forms.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fabric::facts {

namespace {

// An entry of a GID table that is not in use (drivers/infiniband/core/sysfs.c).
constexpr std::string_view kNoGid = "0000:0000:0000:0000:0000:0000:0000:0000";

std::string folderOf(const host::RdmaPort& port) {
    return "/sys/class/infiniband/" + port.device + "/ports/" +
           std::to_string(port.port);
}

Value deviceValue(const host::FileReader& files,
                  const host::RdmaPort& port,
                  std::string_view name) {
    return textValue(files,
                     fmt::format("/sys/class/infiniband/{}/{}", port.device, name));
}

// The table by index, entries in use only.
Value::List gidsOf(const host::FileReader& files,
                   const host::RdmaPort& port,
                   Unreadable& unreadable) {
    const std::string folder = folderOf(port);
    const auto names = files.list(folder + "/gids");
    if (!names) {
        unreadable.note("GIDs of " + port.device, names.error());
        return {};
    }
    std::vector<unsigned long long> indexes;
    for (const std::string& name : *names) {
        if (const auto index = parseUnsigned(name)) {
            indexes.push_back(*index);
        }
    }
    std::ranges::sort(indexes);
    Value::List gids;
    for (const auto index : indexes) {
        const std::string name = std::to_string(index);
        Value gid = textValue(files, folder + "/gids/" + name);
        if (gid.isNull() || *gid.asText() == kNoGid) {
            continue;
        }
        gids.emplace_back(Value::Object{
            {"index", static_cast<std::int64_t>(index)},
            {"gid", std::move(gid)},
            {"type", textValue(files, folder + "/gid_attrs/types/" + name)},
            {"interface", textValue(files, folder + "/gid_attrs/ndevs/" + name)}});
    }
    return gids;
}

// Absent counters are absent, never 0.
Value::Object countersOf(const host::FileReader& files, const std::string& folder) {
    Value::Object counters;
    const auto names = files.list(folder);
    for (const std::string& name : names.value_or(std::vector<std::string>{})) {
        Value number = numberValue(files, folder + "/" + name);
        if (!number.isNull()) {
            counters.emplace(portableText(name), std::move(number));
        }
    }
    return counters;
}

}  // namespace

Value::List readableRdma(const host::Reader& host, Unreadable& unreadable) {
    Value::List list;
    const auto ports = host.rdma.ports();
    if (!ports) {
        unreadable.note("RDMA ports", ports.error());
        return list;
    }
    for (const host::RdmaPort& port : *ports) {
        const auto link = port.link.none() ? Result<host::Link>(host::Link{})
                                           : host.links.link(port.link);
        Value::Object value{
            {"device", portableText(port.device)},
            {"port", port.port},
            {"state", port.state},
            {"link_layer", TextForm<host::LinkLayer>::text(port.linkLayer)},
            {"firmware", portableText(port.firmware)},
            {"pci", port.pci},
            {"node_guid", deviceValue(host.files, port, "node_guid")},
            {"sys_image_guid", deviceValue(host.files, port, "sys_image_guid")},
            {"board_id", deviceValue(host.files, port, "board_id")},
            {"interface", link ? portableText(link->name) : ""},
            {"gids", gidsOf(host.files, port, unreadable)},
            {"counters", countersOf(host.files, folderOf(port) + "/counters")},
            {"hw_counters", countersOf(host.files, folderOf(port) + "/hw_counters")}};
        if (const auto attributes = host.rdma.attributes(port)) {
            value.emplace("active_mtu", attributes->activeMtu);
            value.emplace("max_mtu", attributes->maxMtu);
            value.emplace("max_srq_wr", attributes->maxSrqWorkRequests);
        } else {
            unreadable.note("verbs of " + port.device, attributes.error());
        }
        list.emplace_back(std::move(value));
    }
    return list;
}

}  // namespace fabric::facts
