// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/observe.hpp"

#include "base/text.hpp"
#include "resource/dcb/answer.hpp"
#include "resource/dcb/driver.hpp"
#include "resource/dcb/message.hpp"
#include "resource/rail_property.hpp"

#include <algorithm>
#include <optional>
#include <string_view>

namespace fabric::resource::dcb {

namespace {

// "26 3" of qos/dscp2prio. Its first line is a heading, which yields nothing.
void readMapLine(std::string_view line, std::map<Dscp, std::uint8_t>& table) {
    const std::string_view content = trimmed(line);
    const auto gap = content.find_first_of(" \t");
    if (gap == std::string_view::npos) {
        return;
    }
    const auto dscp = parseUnsigned(content.substr(0, gap));
    const auto priority = parseUnsigned(trimmed(content.substr(gap)));
    if (dscp && *dscp < kDscpCount && priority && *priority < kPriorityCount) {
        table[Dscp::of(static_cast<std::uint8_t>(*dscp))] =
            static_cast<std::uint8_t>(*priority);
    }
}

std::optional<SysfsQos> observeSysfs(const host::FileReader& files,
                                     const std::string& directory) {
    const auto trust = files.read(directory + "/trust");
    if (!trust && trust.error().kind == ErrorKind::notFound) {
        return std::nullopt;
    }
    SysfsQos qos;
    if (!trust) {
        qos.error = trust.error().message();
        return qos;
    }
    qos.trust = trimmed(*trust);
    const auto map = files.read(directory + "/dscp2prio");
    if (!map) {
        qos.error = map.error().message();
        return qos;
    }
    qos.dscpToPriority = parseDscpTable(*map);
    return qos;
}

}  // namespace

std::map<Dscp, std::uint8_t> parseDscpTable(std::string_view text) {
    std::map<Dscp, std::uint8_t> table;
    for (const std::string_view line : split(text, '\n')) {
        readMapLine(line, table);
    }
    return table;
}

std::string sysfsQosDirectory(std::string_view interface) {
    return "/sys/class/net/" + std::string(interface) + "/qos";
}

Result<State> observe(const host::Reader& host, const inventory::PhysicalPort& port) {
    const host::DcbAnswer answer = TRY(host.dcb.get(getRequest(port.link)));
    State state = TRY(decodeState(answer));
    if (driverFacts(port.driver).hasSysfsQos) {
        const std::string name = TRY(presentName(host.links, port.link));
        state.sysfs = observeSysfs(host.files, sysfsQosDirectory(name));
        TRY(stillNamed(host.links, port.link, name, "read qos/ in sysfs"));
    }
    return state;
}

}  // namespace fabric::resource::dcb
