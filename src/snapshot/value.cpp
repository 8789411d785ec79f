// SPDX-License-Identifier: Apache-2.0
#include "snapshot/value.hpp"

#include "base/digest.hpp"
#include "base/text.hpp"

#include <fmt/format.h>

#include <array>

namespace fabric::snapshot {

namespace {

using resource::dcb::State;

template <typename Number, std::size_t Size>
Value listOf(const std::array<Number, Size>& numbers) {
    Value::List list;
    for (const Number number : numbers) {
        list.emplace_back(static_cast<std::int64_t>(number));
    }
    return list;
}

Value valueOf(const resource::dcb::Ets& ets) {
    return Value::Object{
        {"willing", int{ets.willing}},
        {"credit-based-shaper", int{ets.creditBasedShaper}},
        {"bandwidth", listOf(ets.transmitBandwidth)},
        {"receive-bandwidth", listOf(ets.receiveBandwidth)},
        {"selection", listOf(ets.selection)},
        {"priority-to-tc", listOf(ets.priorityToTc)},
        {"recommended-bandwidth", listOf(ets.recommendedBandwidth)},
        {"recommended-selection", listOf(ets.recommendedSelection)},
        {"recommended-priority-to-tc", listOf(ets.recommendedPriorityToTc)}};
}

Value valueOf(const resource::dcb::Pfc& pfc) {
    return Value::Object{{"enabled", fmt::format("0x{:02x}", pfc.enabled)},
                         {"macsec-bypass", int{pfc.macsecBypass}},
                         {"delay", int{pfc.delay}}};
}

Value valueOf(const std::vector<resource::dcb::AppEntry>& apps) {
    Value::List list;
    for (const resource::dcb::AppEntry& app : apps) {
        list.emplace_back(
            fmt::format("{}:{}={}", app.selector, app.protocol, app.priority));
    }
    return list;
}

}  // namespace

Value valueOf(DcbConcern concern,
              const State& state,
              const std::vector<resource::dcb::AppEntry>& apps) {
    switch (concern) {
        case DcbConcern::dcbx:
            return fmt::format("0x{:02x}", state.dcbx.value_or(0));
        case DcbConcern::ets:
            return valueOf(state.ets.value_or(resource::dcb::Ets{}));
        case DcbConcern::maxRate:
            return listOf(state.maxRates.value_or(resource::dcb::MaxRates{}));
        case DcbConcern::pfc:
            return valueOf(state.pfc.value_or(resource::dcb::Pfc{}));
        case DcbConcern::buffers: {
            const auto buffers = state.buffers.value_or(resource::dcb::Buffers{});
            return Value::Object{
                {"priority-to-buffer", listOf(buffers.priorityToBuffer)},
                {"bytes", listOf(buffers.bytes)}};
        }
        case DcbConcern::apps:
            return valueOf(apps);
        case DcbConcern::appTrust: {
            Value::List order;
            for (const std::uint8_t selector :
                 state.appTrust.value_or(std::vector<std::uint8_t>{})) {
                order.emplace_back(int{selector});
            }
            return order;
        }
    }
    return {};
}

Value valueOf(const host::PauseParameters& pause) {
    const auto word = [](bool on) { return Value(on ? "on" : "off"); };
    return Value::Object{{"autonegotiate", word(pause.autonegotiate)},
                         {"rx", word(pause.rx)},
                         {"tx", word(pause.tx)}};
}

Value valueOf(const host::Ipv4Values& values) {
    Value::Object object;
    for (const auto& [key, value] : values) {
        object.emplace(host::sysctlName(key), value);
    }
    return object;
}

Value valueOf(const std::optional<FileContent>& content) {
    if (!content) {
        return "absent";
    }
    return Value::Object{
        {"bytes", static_cast<std::int64_t>(content->bytes.size())},
        {"sha256", sha256(content->bytes)},
        {"mode", fmt::format("{:04o}", content->mode)},
        {"owner", fmt::format("{}:{}", content->owner.user, content->owner.group)}};
}

namespace {

std::string limitText(std::uint64_t bytes) {
    return bytes == host::kNoLimit ? "infinity" : fmt::format("{}", bytes);
}

std::string commandText(const host::ServiceCommand& command) {
    return fmt::format("{} ; {}", command.path, fmt::join(command.arguments, " "));
}

std::string assertText(const host::ServiceAssert& one) {
    return fmt::format("{}={}{}{}",
                       one.type,
                       one.trigger ? "|" : "",
                       one.negate ? "!" : "",
                       one.parameter);
}

}  // namespace

Value valueOf(const UnitInForce& unit) {
    Value::List commands;
    for (const host::ServiceCommand& command : unit.execStart) {
        commands.emplace_back(commandText(command));
    }
    Value::List asserts;
    for (const host::ServiceAssert& one : unit.asserts) {
        asserts.emplace_back(assertText(one));
    }
    return Value::Object{{"exec-start", std::move(commands)},
                         {"asserts", std::move(asserts)},
                         {"limit-memlock",
                          fmt::format("{}:{}",
                                      limitText(unit.limitMemlock.soft),
                                      limitText(unit.limitMemlock.hard))}};
}

namespace {

Value readAt(const Mtu& mtu) {
    return std::int64_t{mtu.bytes};
}

Value readAt(const Pause& pause) {
    return snapshot::valueOf(pause.parameters);
}

Value readAt(const Dcb& dcb) {
    Value::Object object;
    for (const DcbConcern concern : dcb.concerns) {
        object.emplace(toString(concern), valueOf(concern, dcb.state, dcb.apps));
    }
    return object;
}

Value readAt(const Attributes& attributes) {
    Value::Object object;
    for (const auto& [place, text] : attributes.texts) {
        object.emplace(shortName(place), std::string(trimmed(text)));
    }
    return object;
}

Value readAt(const Ipv4Conf& conf) {
    return snapshot::valueOf(conf.values);
}

Value readAt(const File& file) {
    return valueOf(file.content);
}

Value readAt(const PciWord& word) {
    return fmt::format("0x{:04x} (bits 0x{:04x})", word.value, word.mask);
}

Value readAt(const UnitInForce& unit) {
    return snapshot::valueOf(unit);
}

std::string nameOf(const LinkIdentity& link) {
    return link.text();
}

std::string nameOf(const std::optional<LinkIdentity>& link) {
    return link ? link->text() : "";
}

std::string nameOf(const File& /*file*/) {
    return "";
}

std::string nameOf(const UnitInForce& /*unit*/) {
    return "";
}

std::string nameOf(const PciWord& word) {
    return word.function.text();
}

template <typename LinkThing>
    requires requires(const LinkThing& thing) { thing.link; }
std::string nameOf(const LinkThing& thing) {
    return nameOf(thing.link);
}

}  // namespace

std::string shortName(std::string_view place) {
    const auto brace = place.find("}/");
    return std::string(brace == std::string_view::npos ? place
                                                       : place.substr(brace + 2));
}

Value valueOf(const Thing& thing) {
    return std::visit([](const auto& one) { return readAt(one); }, thing);
}

std::string identityOf(const Thing& thing) {
    return std::visit([](const auto& one) { return nameOf(one); }, thing);
}

}  // namespace fabric::snapshot
