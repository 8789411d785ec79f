// SPDX-License-Identifier: Apache-2.0
#include "fleet/votes.hpp"

#include <algorithm>
#include <iterator>
#include <limits>

namespace fabric::fleet {

namespace {

// Scopes that are no rail's name.
constexpr TextId kEverywhere = std::numeric_limits<TextId>::max();
constexpr TextId kSets = kEverywhere - 1;

bool isOfFabric(Trait trait) {
    return infoOf(trait).scope == Scope::fabric;
}

}  // namespace

std::string Votes::setText(const HostRecord& host, Trait trait) {
    std::set<std::string_view> values;
    for (const RailRecord& rail : host.rails) {
        for (const Reading& reading : rail.readings) {
            if (reading.trait == trait && reading.known) {
                values.insert(reading.text);
            }
        }
    }
    std::string text;
    for (const std::string_view value : values) {
        text += (text.empty() ? "" : " | ") + std::string(value);
    }
    return text;
}

void Votes::count(Key key, std::string_view text) {
    ++counts_[{key.first, key.second, texts_.idOf(text)}];
}

void Votes::add(const HostRecord& host) {
    for (const Reading& reading : host.readings) {
        if (reading.known) {
            count({reading.trait, 0}, reading.text);
        }
    }
    for (const RailRecord& rail : host.rails) {
        for (const Reading& reading : rail.readings) {
            if (!reading.known) {
                continue;
            }
            const bool byModel = infoOf(reading.trait).scope == Scope::model;
            count({reading.trait, texts_.idOf(byModel ? rail.model : rail.name)},
                  reading.text);
            if (isOfFabric(reading.trait)) {
                count({reading.trait, kEverywhere}, reading.text);
            }
        }
    }
    for (const TraitInfo& info : traitTable()) {
        if (const std::string set = setText(host, info.trait);
            isOfFabric(info.trait) && !set.empty()) {
            count({info.trait, kSets}, set);
        }
    }
}

void Votes::close() {
    for (const auto& [key, votes] : counts_) {
        const auto& [trait, scope, value] = key;
        Usual& usual = usual_[{trait, scope}];
        usual.tied = usual.votes == votes || (usual.tied && usual.votes > votes);
        if (votes > usual.votes) {
            usual.value = value;
            usual.votes = votes;
        }
    }
    counts_.clear();
    // Two hosts of which one lost its settings on one rail: the other rails decide.
    for (auto& [key, usual] : usual_) {
        const auto all = usual_.find({key.first, kEverywhere});
        if (usual.tied && all != usual_.end() && !all->second.tied) {
            usual.value = all->second.value;
            usual.tied = false;
        }
    }
}

std::optional<TextId> Votes::scopeOf(Trait trait, const RailRecord* rail) const {
    if (rail == nullptr) {
        return 0;
    }
    return texts_.find(infoOf(trait).scope == Scope::model ? rail->model : rail->name);
}

const Votes::Usual* Votes::usual(Trait trait, const RailRecord* rail) const {
    const auto scope = scopeOf(trait, rail);
    const auto found = scope ? usual_.find({trait, *scope}) : usual_.end();
    return found == usual_.end() ? nullptr : &found->second;
}

const Votes::Usual* Votes::usualSet(Trait trait) const {
    const auto found = usual_.find({trait, kSets});
    return found == usual_.end() ? nullptr : &found->second;
}

}  // namespace fabric::fleet
