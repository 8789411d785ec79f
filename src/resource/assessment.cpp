// SPDX-License-Identifier: Apache-2.0
#include "resource/assessment.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <utility>

namespace fabric::resource {

namespace {

constexpr std::array<std::pair<Kind, std::string_view>, 12> kKindNames{{
    {Kind::rails, "rails"},
    {Kind::module, "module"},
    {Kind::acs, "acs"},
    {Kind::mtu, "mtu"},
    {Kind::pause, "pause"},
    {Kind::dcb, "dcb"},
    {Kind::ecn, "ecn"},
    {Kind::rdmaCm, "rdma-cm"},
    {Kind::arp, "arp"},
    {Kind::neighbour, "neighbour"},
    {Kind::service, "service"},
    {Kind::boot, "boot"},
}};

template <typename T>
void moveAppend(std::vector<T>& to, std::vector<T>&& from) {
    to.insert(to.end(),
              std::make_move_iterator(from.begin()),
              std::make_move_iterator(from.end()));
}

}  // namespace

std::string_view toString(Kind kind) {
    const auto* const found =
        std::ranges::find(kKindNames, kind, &std::pair<Kind, std::string_view>::first);
    return found->second;
}

std::optional<Kind> parseKind(std::string_view text) {
    const auto* const found =
        std::ranges::find(kKindNames, text, &std::pair<Kind, std::string_view>::second);
    if (found == kKindNames.end()) {
        return std::nullopt;
    }
    return found->first;
}

std::string_view toString(Disturbs disturbs) {
    switch (disturbs) {
        case Disturbs::none:
            return "none";
        case Disturbs::traffic:
            return "traffic";
        case Disturbs::link:
            return "link";
    }
    return "none";
}

void Comparison::append(Comparison other) {
    moveAppend(assessments, std::move(other.assessments));
    moveAppend(steps, std::move(other.steps));
    moveAppend(findings, std::move(other.findings));
}

}  // namespace fabric::resource
