// SPDX-License-Identifier: Apache-2.0
#include "facts/codec.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace fabric::facts {

const Value* Decoder::memberOf(std::string_view name) {
    if (problem_) {
        return nullptr;
    }
    members_->emplace(name);
    return here_->member(name);
}

std::optional<Decoder::Wide> Decoder::wideNumber() const {
    if (const std::int64_t* const number = here_->asInteger()) {
        return Wide{.negative = *number < 0,
                    .below = *number,
                    .above = static_cast<std::uint64_t>(*number)};
    }
    const std::string* const text = here_->asText();
    const auto number = text != nullptr ? parseUnsigned(*text) : std::nullopt;
    return number ? std::optional(Wide{.above = *number}) : std::nullopt;
}

void Decoder::refuseOthers(const std::set<std::string, std::less<>>& members) {
    for (const auto& [name, value] : *here_->asObject()) {
        if (!problem_ && !members.contains(name)) {
            refuse("the member \"" + name +
                   "\" is not known: a newer fabricctl may have written it");
        }
    }
}

void Decoder::refuse(std::string what) {
    if (problem_) {
        return;
    }
    problem_ = {.place = {}, .what = std::move(what)};
    for (const std::string& step : path_) {
        problem_->place += "/" + pointerStep(step);
    }
}

}  // namespace fabric::facts
