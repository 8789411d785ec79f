// SPDX-License-Identifier: Apache-2.0
#include "fleet/causes.hpp"

#include "doctor/judgement.hpp"

#include <algorithm>
#include <tuple>

namespace fabric::fleet {

Causes::Growing& Causes::at(const CauseKind& kind) {
    return growing_
        .try_emplace({kind.id, kind.severity}, Growing{.kind = kind, .sides = {}})
        .first->second;
}

void Causes::add(const CauseKind& kind,
                 std::string_view value,
                 HostId host,
                 TextId rail) {
    Gathered& side = at(kind).sides[texts_.idOf(value)];
    if (side.hosts == 0 || side.last != host) {
        ++side.hosts;
        side.last = host;
        if (side.found.size() < kMostPlaces) {
            side.found.push_back({.host = host, .rails = {}});
        }
    }
    if (rail != 0 && side.found.back().host == host) {
        side.found.back().rails.push_back(rail);
    }
}

void Causes::setUsual(const CauseKind& kind,
                      std::string_view value,
                      std::size_t hosts) {
    Growing& growing = at(kind);
    growing.usual = texts_.idOf(value);
    growing.usualHosts = hosts;
}

Cause Causes::causeOf(const Growing& growing,
                      const std::vector<std::string>& names,
                      const std::vector<std::size_t>& rails) const {
    Cause cause{.id = std::string(growing.kind.id),
                .severity = growing.kind.severity,
                .what = std::string(growing.kind.what),
                .usual = texts_.textOf(growing.usual),
                .usualHosts = growing.usualHosts,
                .fix = std::string(growing.kind.fix)};
    std::vector<std::pair<TextId, const Gathered*>> sides;
    for (const auto& [value, side] : growing.sides) {
        sides.emplace_back(value, &side);
    }
    std::ranges::stable_sort(
        sides, {}, [](const auto& side) { return side.second->hosts; });
    cause.moreSides = sides.size() - std::min(sides.size(), kMostSides);
    sides.resize(sides.size() - cause.moreSides);
    for (const auto& [value, gathered] : sides) {
        Side side{
            .value = texts_.textOf(value), .places = {}, .hosts = gathered->hosts};
        for (const Found& found : gathered->found) {
            Place place{.host = names.at(found.host), .rails = {}};
            if (found.rails.size() < rails.at(found.host)) {
                std::ranges::transform(
                    found.rails, std::back_inserter(place.rails), [this](TextId rail) {
                        return texts_.textOf(rail);
                    });
            }
            side.places.push_back(std::move(place));
        }
        cause.sides.push_back(std::move(side));
    }
    return cause;
}

std::vector<Cause> Causes::take(const std::vector<std::string>& names,
                                const std::vector<std::size_t>& rails) {
    std::vector<Cause> causes;
    for (const auto& [key, growing] : growing_) {
        if (!growing.sides.empty()) {
            causes.push_back(causeOf(growing, names, rails));
        }
    }
    std::ranges::stable_sort(causes, [](const Cause& left, const Cause& right) {
        if (left.severity != right.severity) {
            return doctor::isWorse(left.severity, right.severity);
        }
        return left.hosts() < right.hosts();
    });
    return causes;
}

}  // namespace fabric::fleet
