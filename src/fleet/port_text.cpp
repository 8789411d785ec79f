// SPDX-License-Identifier: Apache-2.0
#include "fleet/port_text.hpp"

#include "resource/dcb/driver.hpp"
#include "resource/dcb/trust.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace fabric::fleet {

namespace {

namespace dcb = resource::dcb;
namespace ecn = resource::ecn;

const std::string kNotTold = "not told by the driver";

PortText textOf(const Error& error) {
    return {
        .text = error.kind == ErrorKind::unsupported ? "no control" : error.message(),
        .known = error.kind == ErrorKind::unsupported};
}

std::string listText(const std::set<Priority>& priorities) {
    std::vector<unsigned> numbers;
    std::ranges::transform(
        priorities, std::back_inserter(numbers), [](Priority priority) {
            return unsigned{priority.number()};
        });
    return numbers.empty() ? "none" : fmt::format("{}", fmt::join(numbers, ", "));
}

// The table says DSCP >> 3 for most entries: only the others are of interest.
std::string mapText(const dcb::State& state) {
    constexpr unsigned kBlockShift = 3;
    if (!state.apps) {
        return kNotTold;
    }
    const auto entries = state.dscpEntries();
    if (entries.empty()) {
        return "no entries";
    }
    std::string text;
    for (std::uint8_t number = 0; number < kDscpCount; ++number) {
        const auto entry = entries.find(Dscp::of(number));
        const bool usual = entry != entries.end() && entry->second.size() == 1 &&
                           *entry->second.begin() == number >> kBlockShift;
        if (!usual) {
            text += fmt::format("{}{}:{}",
                                text.empty() ? "" : " ",
                                number,
                                entry == entries.end()
                                    ? "-"
                                    : fmt::format("{}", fmt::join(entry->second, "+")));
        }
    }
    return text.empty() ? "DSCP >> 3" : text;
}

std::string etsText(const dcb::State& state) {
    if (!state.ets) {
        return kNotTold;
    }
    std::string text;
    for (std::size_t at = 0; at < kTrafficClassCount; ++at) {
        const unsigned algorithm = state.ets->selection.at(at);
        text += fmt::format("{}{}",
                            text.empty() ? "" : ",",
                            algorithm == dcb::kTsaStrict ? "strict"
                            : algorithm == dcb::kTsaEts
                                ? std::to_string(state.ets->transmitBandwidth.at(at))
                                : fmt::format("algorithm-{}", algorithm));
    }
    return fmt::format("{}; classes {}", text, fmt::join(state.ets->priorityToTc, ","));
}

std::string pointText(const ecn::Point& point, bool& known) {
    if (point.control == ecn::Control::none) {
        return "no control";
    }
    if (point.control == ecn::Control::wholePort) {
        const auto enabled = ecn::enabledOnPort(point);
        known = known && enabled.has_value();
        return !enabled ? enabled.error().message() : (*enabled ? "on" : "off");
    }
    const auto enabled = ecn::enabledPriorities(point);
    known = known && enabled.has_value();
    return enabled ? listText(*enabled) : enabled.error().message();
}

PortText ecnText(const ecn::State& state) {
    PortText text;
    const std::string reaction = pointText(state.reactionPoint, text.known);
    const std::string notification = pointText(state.notificationPoint, text.known);
    text.text = fmt::format("reaction {}, notification {}", reaction, notification);
    if (state.cnpDscp && state.cnpDscp->value) {
        text.text += fmt::format(", CNP DSCP {}", *state.cnpDscp->value);
    }
    return text;
}

PortText trustText(const engine::PortObservation& port) {
    const dcb::TrustView view =
        dcb::trustOf(*port.dcb, dcb::driverFacts(port.port.driver));
    return {.text = view.text.empty() ? kNotTold : view.text};
}

std::string sizesText(const dcb::Buffers& buffers) {
    return fmt::format("{} bytes", fmt::join(buffers.bytes, ","));
}

}  // namespace

std::vector<std::pair<Trait, PortText>> portTexts(const engine::PortObservation& port) {
    std::vector<std::pair<Trait, PortText>> texts;
    const auto say = [&](Trait trait, PortText text) {
        texts.emplace_back(trait, std::move(text));
    };
    if (!port.dcb) {
        say(Trait::pfc, textOf(port.dcb.error()));
    } else {
        const dcb::State& state = *port.dcb;
        say(Trait::pfc, {state.pfc ? listText(state.pfc->priorities()) : kNotTold});
        say(Trait::trust, trustText(port));
        say(Trait::dscpMap, {mapText(state)});
        say(Trait::ets, {etsText(state)});
        if (state.buffers) {
            say(Trait::buffer,
                {fmt::format("{}", fmt::join(state.buffers->priorityToBuffer, ","))});
            say(Trait::bufferSize, {sizesText(*state.buffers)});
        } else {
            say(Trait::buffer, {kNotTold});
        }
    }
    say(Trait::ecn, ecnText(port.ecn));
    say(Trait::pause,
        port.pause ? PortText{fmt::format("rx {}, tx {}",
                                          port.pause->rx ? "on" : "off",
                                          port.pause->tx ? "on" : "off")}
                   : textOf(port.pause.error()));
    say(Trait::mtu,
        port.mtu != 0 ? PortText{std::to_string(port.mtu)}
                      : PortText{"the link could not be read", false});
    if (port.rdmaCm && port.rdmaCm->tos) {
        say(Trait::rdmaCmTos, {std::to_string(*port.rdmaCm->tos)});
    }
    return texts;
}

}  // namespace fabric::fleet
