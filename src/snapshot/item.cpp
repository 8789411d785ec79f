// SPDX-License-Identifier: Apache-2.0
#include "snapshot/item.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace fabric::snapshot {

namespace {

constexpr std::array<std::pair<DcbConcern, std::string_view>, 7> kConcerns{{
    {DcbConcern::dcbx, "dcbx"},
    {DcbConcern::ets, "ets"},
    {DcbConcern::maxRate, "max-rate"},
    {DcbConcern::pfc, "pfc"},
    {DcbConcern::buffers, "buffers"},
    {DcbConcern::apps, "app-table"},
    {DcbConcern::appTrust, "app-trust"},
}};

// Each adds to `held` what only `later` has. True when both are about one thing.
bool join(const Mtu& later, Mtu& held) {
    return later.link == held.link;
}

bool join(const Pause& later, Pause& held) {
    return later.link == held.link;
}

bool join(const Dcb& later, Dcb& held) {
    if (later.link != held.link) {
        return false;
    }
    for (const DcbConcern concern : later.concerns) {
        if (held.concerns.insert(concern).second) {
            copyConcern(concern, later.state, later.apps, held);
        }
    }
    return true;
}

bool join(const Attributes& later, Attributes& held) {
    if (later.link != held.link) {
        return false;
    }
    held.texts.insert(later.texts.begin(), later.texts.end());
    return true;
}

bool join(const Ipv4Conf& later, Ipv4Conf& held) {
    if (later.link != held.link) {
        return false;
    }
    held.values.insert(later.values.begin(), later.values.end());
    return true;
}

bool join(const File& later, File& held) {
    return later.path == held.path;
}

bool join(const PciWord& later, PciWord& held) {
    if (!later.function.sameAs(held.function) ||
        later.capabilityId != held.capabilityId ||
        later.registerOffset != held.registerOffset) {
        return false;
    }
    const auto added = static_cast<std::uint16_t>(later.mask & ~unsigned{held.mask});
    held.value = static_cast<std::uint16_t>((held.value & ~unsigned{added}) |
                                            (later.value & added));
    held.mask = static_cast<std::uint16_t>(held.mask | added);
    return true;
}

bool join(const UnitInForce& later, UnitInForce& held) {
    return later.unit == held.unit;
}

bool joinItem(const Item& later, Item& held) {
    if (later.kind != held.kind || later.thing.index() != held.thing.index()) {
        return false;
    }
    return std::visit(
        [&]<typename T>(const T& thing) {
            T* const same = std::get_if<T>(&held.thing);
            return same != nullptr && join(thing, *same);
        },
        later.thing);
}

}  // namespace

void copyConcern(DcbConcern concern,
                 const resource::dcb::State& state,
                 const std::vector<resource::dcb::AppEntry>& apps,
                 Dcb& to) {
    switch (concern) {
        case DcbConcern::dcbx:
            to.state.dcbx = state.dcbx;
            return;
        case DcbConcern::ets:
            to.state.ets = state.ets;
            return;
        case DcbConcern::maxRate:
            to.state.maxRates = state.maxRates;
            return;
        case DcbConcern::pfc:
            to.state.pfc = state.pfc;
            return;
        case DcbConcern::buffers:
            to.state.buffers = state.buffers;
            return;
        case DcbConcern::apps:
            to.apps = apps;
            return;
        case DcbConcern::appTrust:
            to.state.appTrust = state.appTrust;
            return;
    }
}

std::string_view toString(DcbConcern concern) {
    return std::ranges::find(
               kConcerns, concern, &std::pair<DcbConcern, std::string_view>::first)
        ->second;
}

std::optional<DcbConcern> parseConcern(std::string_view text) {
    const auto* const found = std::ranges::find(
        kConcerns, text, &std::pair<DcbConcern, std::string_view>::second);
    return found == kConcerns.end() ? std::nullopt : std::optional(found->first);
}

void absorb(const Item& later, std::vector<Item>& items) {
    const bool known =
        std::ranges::any_of(items, [&](Item& held) { return joinItem(later, held); });
    if (!known) {
        items.push_back(later);
    }
}

}  // namespace fabric::snapshot
