// SPDX-License-Identifier: Apache-2.0
#include "snapshot/decode_thing.hpp"

#include "base/text.hpp"
#include "snapshot/place.hpp"
#include "snapshot/subject.hpp"

#include <linux/pci_regs.h>

#include <algorithm>
#include <array>
#include <utility>

namespace fabric::snapshot {

namespace {

Result<std::uint16_t> pciId(const Json& tree, const char* key) {
    constexpr unsigned kMost = 0xffff;
    const std::string written = TRY(text(tree, key));
    return static_cast<std::uint16_t>(TRY(digits(written, 16, kMost)));
}

Result<NicIdentity> nicOf(const Json& tree) {
    const std::string written = TRY(text(tree, "permanent_mac"));
    const auto mac = MacAddress::parse(written);
    if (!mac) {
        return wrong("'permanent_mac' is no MAC address");
    }
    NicIdentity nic;
    nic.vendor = TRY(pciId(tree, "vendor"));
    nic.device = TRY(pciId(tree, "device"));
    nic.permanentMac = *mac;
    return nic;
}

Result<LinkIdentity> toLink(const Json& tree) {
    LinkIdentity link;
    if (tree.is_object() && tree.contains("permanent_mac")) {
        link.nic = TRY(nicOf(tree));
        return link;
    }
    link.kind = TRY(text(tree, "kind"));
    link.name = TRY(text(tree, "name"));
    const Json* const below = TRY(list(tree, "on"));
    for (const Json& nic : *below) {
        link.on.push_back(TRY(nicOf(nic)));
    }
    return link;
}

Result<LinkIdentity> linkOf(const Json& tree) {
    return toLink(*TRY(member(tree, "link")));
}

Result<std::optional<LinkIdentity>> maybeLinkOf(const Json& tree) {
    const Json& value = *TRY(member(tree, "link"));
    if (value.is_null()) {
        return std::nullopt;
    }
    return TRY(toLink(value));
}

Result<PciStep> stepOf(const Json& tree) {
    constexpr unsigned kLastDevice = 31;
    constexpr unsigned kLastFunction = 7;
    const std::string slot = TRY(text(tree, "slot"));
    const auto dot = slot.find('.');
    if (dot == std::string::npos) {
        return wrong("'slot' is no device and function");
    }
    const std::string_view written = slot;
    PciStep step;
    step.device =
        static_cast<std::uint8_t>(TRY(digits(written.substr(0, dot), 16, kLastDevice)));
    step.function = static_cast<std::uint8_t>(
        TRY(digits(written.substr(dot + 1), 16, kLastFunction)));
    step.vendor = TRY(pciId(tree, "vendor"));
    step.deviceId = TRY(pciId(tree, "device"));
    return step;
}

Result<PciIdentity> functionOf(const Json& tree) {
    const Json& value = *TRY(member(tree, "function"));
    PciIdentity identity;
    identity.root = TRY(text(value, "root"));
    identity.firmwareRoot = TRY(text(value, "firmware_root"));
    const Json* const way = TRY(list(value, "way"));
    for (const Json& step : *way) {
        identity.way.push_back(TRY(stepOf(step)));
    }
    if (identity.way.empty()) {
        return wrong("'way' names no function");
    }
    return identity;
}

Result<Thing> toMtu(const Json& tree) {
    Mtu mtu;
    mtu.link = TRY(linkOf(tree));
    mtu.bytes = TRY(number<std::uint32_t>(tree, "mtu"));
    return mtu;
}

Result<Thing> toPause(const Json& tree) {
    const Json& written = *TRY(member(tree, "pause"));
    Pause pause;
    pause.link = TRY(linkOf(tree));
    pause.parameters.autonegotiate = TRY(flag(written, "autonegotiate"));
    pause.parameters.rx = TRY(flag(written, "rx"));
    pause.parameters.tx = TRY(flag(written, "tx"));
    return pause;
}

Result<resource::dcb::Pfc> toPfc(const Json& tree) {
    resource::dcb::Pfc pfc;
    pfc.capability = TRY(number<std::uint8_t>(tree, "capability"));
    pfc.enabled = TRY(number<std::uint8_t>(tree, "enabled"));
    pfc.macsecBypass = TRY(number<std::uint8_t>(tree, "macsec_bypass"));
    pfc.delay = TRY(number<std::uint16_t>(tree, "delay"));
    return pfc;
}

Result<resource::dcb::Ets> toEts(const Json& tree) {
    resource::dcb::Ets ets;
    ets.willing = TRY(number<std::uint8_t>(tree, "willing"));
    ets.capability = TRY(number<std::uint8_t>(tree, "capability"));
    ets.creditBasedShaper = TRY(number<std::uint8_t>(tree, "credit_based_shaper"));
    ets.transmitBandwidth = TRY(eight<std::uint8_t>(tree, "transmit_bandwidth"));
    ets.receiveBandwidth = TRY(eight<std::uint8_t>(tree, "receive_bandwidth"));
    ets.selection = TRY(eight<std::uint8_t>(tree, "selection"));
    ets.priorityToTc = TRY(eight<std::uint8_t>(tree, "priority_to_tc"));
    ets.recommendedBandwidth = TRY(eight<std::uint8_t>(tree, "recommended_bandwidth"));
    ets.recommendedSelection = TRY(eight<std::uint8_t>(tree, "recommended_selection"));
    ets.recommendedPriorityToTc =
        TRY(eight<std::uint8_t>(tree, "recommended_priority_to_tc"));
    return ets;
}

Result<std::vector<resource::dcb::AppEntry>> toApps(const Json& value) {
    if (!value.is_array()) {
        return wrong("'app-table' is no list");
    }
    std::vector<resource::dcb::AppEntry> apps;
    for (const Json& app : value) {
        resource::dcb::AppEntry entry;
        entry.selector = TRY(number<std::uint8_t>(app, "selector"));
        entry.protocol = TRY(number<std::uint16_t>(app, "protocol"));
        entry.priority = TRY(number<std::uint8_t>(app, "priority"));
        apps.push_back(entry);
    }
    return apps;
}

Result<void> takeConcern(DcbConcern concern, const Json& value, Dcb& dcb) {
    dcb.concerns.insert(concern);
    switch (concern) {
        case DcbConcern::dcbx:
            dcb.state.dcbx = TRY(toNumber<std::uint8_t>(value, "dcbx"));
            return {};
        case DcbConcern::ets:
            dcb.state.ets = TRY(toEts(value));
            return {};
        case DcbConcern::maxRate:
            dcb.state.maxRates = TRY((toArray<std::uint64_t, 8>(value, "max-rate")));
            return {};
        case DcbConcern::pfc:
            dcb.state.pfc = TRY(toPfc(value));
            return {};
        case DcbConcern::buffers: {
            resource::dcb::Buffers buffers;
            buffers.priorityToBuffer =
                TRY(eight<std::uint8_t>(value, "priority_to_buffer"));
            buffers.bytes = TRY(eight<std::uint32_t>(value, "bytes"));
            buffers.totalBytes = TRY(number<std::uint32_t>(value, "total_bytes"));
            dcb.state.buffers = buffers;
            return {};
        }
        case DcbConcern::apps:
            dcb.apps = TRY(toApps(value));
            return {};
        case DcbConcern::appTrust: {
            std::vector<std::uint8_t> order;
            if (!value.is_array()) {
                return wrong("'app-trust' is no list");
            }
            for (const Json& selector : value) {
                order.push_back(TRY(toNumber<std::uint8_t>(selector, "app-trust")));
            }
            dcb.state.appTrust = std::move(order);
            return {};
        }
    }
    return {};
}

Result<Thing> toDcb(const Json& tree) {
    Dcb dcb;
    dcb.link = TRY(linkOf(tree));
    const Json& state = *TRY(member(tree, "dcb"));
    if (!state.is_object()) {
        return wrong("'dcb' is no object");
    }
    for (const auto& [key, value] : state.items()) {
        const auto concern = parseConcern(key);
        if (!concern) {
            return wrong("'dcb' has an unknown member " + escapeForTerminal(key));
        }
        TRY(takeConcern(*concern, value, dcb));
    }
    return dcb;
}

Result<Thing> toAttributes(const Json& tree) {
    Attributes attributes;
    attributes.link = TRY(maybeLinkOf(tree));
    const Json* const written = TRY(list(tree, "attributes"));
    for (const Json& one : *written) {
        const std::string place = TRY(text(one, "place"));
        if (!isAttributePlace(place)) {
            return wrong("not the place of a kernel attribute: " +
                         escapeForTerminal(place));
        }
        attributes.texts[place] = TRY(text(one, "text"));
    }
    return attributes;
}

std::optional<host::Ipv4Key> ipv4Key(std::string_view name) {
    using host::Ipv4Key;
    constexpr std::array kKeys{Ipv4Key::rpFilter,
                               Ipv4Key::arpFilter,
                               Ipv4Key::arpAnnounce,
                               Ipv4Key::arpIgnore};
    const auto* const found = std::ranges::find(kKeys, name, host::sysctlName);
    return found == kKeys.end() ? std::nullopt : std::optional(*found);
}

Result<Thing> toIpv4(const Json& tree) {
    Ipv4Conf conf;
    conf.link = TRY(maybeLinkOf(tree));
    const Json& values = *TRY(member(tree, "ipv4_conf"));
    for (const auto& [name, value] : values.items()) {
        const auto key = ipv4Key(name);
        if (!key) {
            return wrong("'ipv4_conf' has an unknown member " +
                         escapeForTerminal(name));
        }
        conf.values[*key] = TRY(toNumber<std::int32_t>(value, "ipv4_conf"));
    }
    return conf;
}

Result<FileContent> toContent(const Json& tree) {
    constexpr unsigned kPermissions = 07777;
    const std::string mode = TRY(text(tree, "mode"));
    FileContent content;
    content.bytes = TRY(text(tree, "content"));
    content.mode = TRY(digits(mode, 8, kPermissions));
    content.owner.user = TRY(number<uid_t>(tree, "uid"));
    content.owner.group = TRY(number<gid_t>(tree, "gid"));
    return content;
}

Result<Thing> toFile(const Json& tree) {
    File file;
    file.path = TRY(text(tree, "path"));
    file.unit = TRY(text(tree, "unit"));
    if (!isOwnFile(file.path)) {
        return wrong("no file that this program writes: " +
                     escapeForTerminal(file.path));
    }
    const Json& content = *TRY(member(tree, "file"));
    if (!content.is_null()) {
        file.content = TRY(toContent(content));
    }
    return file;
}

Result<Thing> toPciWord(const Json& tree) {
    const Json& written = *TRY(member(tree, "register"));
    PciWord word;
    word.function = TRY(functionOf(tree));
    word.capabilityId = TRY(number<std::uint16_t>(written, "capability_id"));
    word.capability = TRY(number<std::uint16_t>(written, "capability"));
    word.registerOffset = TRY(number<std::uint16_t>(written, "offset"));
    if (word.capabilityId != PCI_EXT_CAP_ID_ACS ||
        word.registerOffset != PCI_ACS_CTRL) {
        return wrong("'register' is no ACS control");
    }
    word.mask = TRY(number<std::uint16_t>(written, "mask"));
    word.value = TRY(number<std::uint16_t>(written, "value"));
    return word;
}

Result<host::ServiceCommand> toCommand(const Json& tree) {
    host::ServiceCommand command;
    command.path = TRY(text(tree, "path"));
    for (const Json& argument : *TRY(list(tree, "arguments"))) {
        command.arguments.push_back(TRY(toText(argument, "arguments")));
    }
    return command;
}

Result<Thing> toUnitInForce(const Json& tree) {
    const Json& written = *TRY(member(tree, "in_force"));
    const Json& limit = *TRY(member(written, "limit_memlock"));
    UnitInForce unit;
    unit.unit = TRY(text(tree, "unit"));
    for (const Json& command : *TRY(list(written, "exec_start"))) {
        unit.execStart.push_back(TRY(toCommand(command)));
    }
    for (const Json& one : *TRY(list(written, "asserts"))) {
        unit.asserts.push_back({.type = TRY(text(one, "type")),
                                .trigger = TRY(flag(one, "trigger")),
                                .negate = TRY(flag(one, "negate")),
                                .parameter = TRY(text(one, "parameter"))});
    }
    unit.limitMemlock = {.soft = TRY(number<std::uint64_t>(limit, "soft")),
                         .hard = TRY(number<std::uint64_t>(limit, "hard"))};
    return unit;
}

using Decoder = Result<Thing> (*)(const Json&);

// By the member that only this thing has.
constexpr std::array<std::pair<const char*, Decoder>, 8> kThings{{
    {"mtu", toMtu},
    {"pause", toPause},
    {"dcb", toDcb},
    {"attributes", toAttributes},
    {"ipv4_conf", toIpv4},
    {"file", toFile},
    {"register", toPciWord},
    {"in_force", toUnitInForce},
}};

}  // namespace

Result<Thing> toThing(const Json& item) {
    const auto* const known = std::ranges::find_if(kThings, [&](const auto& thing) {
        return item.is_object() && item.contains(thing.first);
    });
    if (known == kThings.end()) {
        return wrong("an item is of no kind that this version knows");
    }
    return known->second(item);
}

}  // namespace fabric::snapshot
