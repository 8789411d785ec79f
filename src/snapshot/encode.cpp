// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "snapshot/base64.hpp"
#include "snapshot/json.hpp"
#include "snapshot/seal.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>
#include <nlohmann/json.hpp>

namespace fabric::snapshot {

namespace {

using Json = nlohmann::ordered_json;

constexpr int kIndent = 1;

bool isUtf8(std::string_view text) {
    for (std::size_t at = 0; at < text.size();) {
        const bool ascii = static_cast<unsigned char>(text[at]) < 0x80;
        const std::size_t length = ascii ? 1 : utf8Length(text, at);
        if (length == 0) {
            return false;
        }
        at += length;
    }
    return true;
}

Json toTree(const std::string& text) {
    return isUtf8(text) ? Json(text) : Json{{"base64", toBase64(text)}};
}

Json toTree(const NicIdentity& nic) {
    return {{"vendor", fmt::format("{:04x}", nic.vendor)},
            {"device", fmt::format("{:04x}", nic.device)},
            {"permanent_mac", nic.permanentMac.text()}};
}

Json toTree(const LinkIdentity& link) {
    if (link.nic) {
        return toTree(*link.nic);
    }
    Json on = Json::array();
    for (const NicIdentity& nic : link.on) {
        on.push_back(toTree(nic));
    }
    return {{"kind", toTree(link.kind)}, {"name", toTree(link.name)}, {"on", on}};
}

Json toTree(const PciIdentity& function) {
    Json way = Json::array();
    for (const PciStep& step : function.way) {
        way.push_back({{"slot", fmt::format("{:02x}.{:x}", step.device, step.function)},
                       {"vendor", fmt::format("{:04x}", step.vendor)},
                       {"device", fmt::format("{:04x}", step.deviceId)}});
    }
    return {{"root", toTree(function.root)},
            {"firmware_root", toTree(function.firmwareRoot)},
            {"way", way}};
}

Json toTree(const resource::dcb::Pfc& pfc) {
    return {{"capability", pfc.capability},
            {"enabled", pfc.enabled},
            {"macsec_bypass", pfc.macsecBypass},
            {"delay", pfc.delay}};
}

Json toTree(const resource::dcb::Ets& ets) {
    return {{"willing", ets.willing},
            {"capability", ets.capability},
            {"credit_based_shaper", ets.creditBasedShaper},
            {"transmit_bandwidth", ets.transmitBandwidth},
            {"receive_bandwidth", ets.receiveBandwidth},
            {"selection", ets.selection},
            {"priority_to_tc", ets.priorityToTc},
            {"recommended_bandwidth", ets.recommendedBandwidth},
            {"recommended_selection", ets.recommendedSelection},
            {"recommended_priority_to_tc", ets.recommendedPriorityToTc}};
}

void put(Json& tree, const Mtu& mtu) {
    tree["link"] = toTree(mtu.link);
    tree["mtu"] = mtu.bytes;
}

void put(Json& tree, const Pause& pause) {
    tree["link"] = toTree(pause.link);
    tree["pause"] = {{"autonegotiate", pause.parameters.autonegotiate},
                     {"rx", pause.parameters.rx},
                     {"tx", pause.parameters.tx}};
}

Json toTree(const std::vector<resource::dcb::AppEntry>& apps) {
    Json list = Json::array();
    for (const resource::dcb::AppEntry& app : apps) {
        list.push_back({{"selector", app.selector},
                        {"protocol", app.protocol},
                        {"priority", app.priority}});
    }
    return list;
}

Json toTree(DcbConcern concern, const Dcb& dcb) {
    const resource::dcb::State& state = dcb.state;
    switch (concern) {
        case DcbConcern::dcbx:
            return state.dcbx.value_or(0);
        case DcbConcern::ets:
            return toTree(state.ets.value_or(resource::dcb::Ets{}));
        case DcbConcern::maxRate:
            return state.maxRates.value_or(resource::dcb::MaxRates{});
        case DcbConcern::pfc:
            return toTree(state.pfc.value_or(resource::dcb::Pfc{}));
        case DcbConcern::buffers: {
            const auto buffers = state.buffers.value_or(resource::dcb::Buffers{});
            return {{"priority_to_buffer", buffers.priorityToBuffer},
                    {"bytes", buffers.bytes},
                    {"total_bytes", buffers.totalBytes}};
        }
        case DcbConcern::apps:
            return toTree(dcb.apps);
        case DcbConcern::appTrust:
            return state.appTrust.value_or(std::vector<std::uint8_t>{});
    }
    return nullptr;
}

void put(Json& tree, const Dcb& dcb) {
    tree["link"] = toTree(dcb.link);
    Json state = Json::object();
    for (const DcbConcern concern : dcb.concerns) {
        state[std::string(toString(concern))] = toTree(concern, dcb);
    }
    tree["dcb"] = std::move(state);
}

void put(Json& tree, const Attributes& attributes) {
    tree["link"] = attributes.link ? toTree(*attributes.link) : Json(nullptr);
    Json texts = Json::array();
    for (const auto& [place, text] : attributes.texts) {
        texts.push_back({{"place", toTree(place)}, {"text", toTree(text)}});
    }
    tree["attributes"] = std::move(texts);
}

void put(Json& tree, const Ipv4Conf& conf) {
    tree["link"] = conf.link ? toTree(*conf.link) : Json(nullptr);
    Json values = Json::object();
    for (const auto& [key, value] : conf.values) {
        values[std::string(host::sysctlName(key))] = value;
    }
    tree["ipv4_conf"] = std::move(values);
}

void put(Json& tree, const File& file) {
    tree["path"] = toTree(file.path);
    tree["unit"] = toTree(file.unit);
    tree["file"] = nullptr;  // there was none
    if (file.content) {
        tree["file"] = {{"mode", fmt::format("{:04o}", file.content->mode)},
                        {"uid", file.content->owner.user},
                        {"gid", file.content->owner.group},
                        {"content", toTree(file.content->bytes)}};
    }
}

void put(Json& tree, const PciWord& word) {
    tree["function"] = toTree(word.function);
    tree["register"] = {{"capability_id", word.capabilityId},
                        {"capability", word.capability},
                        {"offset", word.registerOffset},
                        {"mask", word.mask},
                        {"value", word.value}};
}

void put(Json& tree, const UnitInForce& unit) {
    tree["unit"] = toTree(unit.unit);
    Json commands = Json::array();
    for (const host::ServiceCommand& command : unit.execStart) {
        Json arguments = Json::array();
        for (const std::string& argument : command.arguments) {
            arguments.push_back(toTree(argument));
        }
        commands.push_back(
            {{"path", toTree(command.path)}, {"arguments", std::move(arguments)}});
    }
    Json asserts = Json::array();
    for (const host::ServiceAssert& one : unit.asserts) {
        asserts.push_back({{"type", toTree(one.type)},
                           {"trigger", one.trigger},
                           {"negate", one.negate},
                           {"parameter", toTree(one.parameter)}});
    }
    tree["in_force"] = {
        {"exec_start", std::move(commands)},
        {"asserts", std::move(asserts)},
        {"limit_memlock",
         {{"soft", unit.limitMemlock.soft}, {"hard", unit.limitMemlock.hard}}}};
}

Json toTree(const Item& item) {
    Json tree{{"kind", resource::toString(item.kind)},
              {"label", toTree(item.label)},
              {"from", toTree(item.from)}};
    std::visit([&](const auto& thing) { put(tree, thing); }, item.thing);
    return tree;
}

}  // namespace

std::string toJson(const Snapshot& snapshot) {
    Json items = Json::array();
    for (const Item& item : snapshot.items) {
        items.push_back(toTree(item));
    }
    Json kept = Json::array();
    for (const Kept& one : snapshot.notRestored) {
        kept.push_back({{"what", toTree(one.what)},
                        {"why", toTree(one.why)},
                        {"unread", one.unread}});
    }
    Json tree{{"schema", kSchema},
              {"id", toTree(snapshot.id)},
              {"run", snapshot.run},
              {"taken",
               fmt::format("{:%Y-%m-%dT%H:%M:%S}Z",
                           fmt::gmtime(static_cast<std::time_t>(
                               snapshot.taken.time_since_epoch().count())))},
              {"command", toTree(snapshot.command)},
              {"profile",
               {{"name", toTree(snapshot.profileName)},
                {"path", toTree(snapshot.profilePath)}}},
              {"host", toTree(snapshot.host)},
              {"boot_id", toTree(snapshot.bootId)},
              {"items", std::move(items)},
              {"not_restored", std::move(kept)}};
    for (const auto& [id, thing] : snapshot.left) {
        for (const auto& [member, found] : thing) {
            Json one{{"id", toTree(id)}, {"found", toTree(found)}};
            if (!member.empty()) {
                one["member"] = toTree(member);
            }
            tree["left"].push_back(std::move(one));
        }
    }
    tree[kSeal] = sealOf(tree);
    return tree.dump(kIndent) + "\n";
}

}  // namespace fabric::snapshot
