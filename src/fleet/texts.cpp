// SPDX-License-Identifier: Apache-2.0
#include "fleet/texts.hpp"

namespace fabric::fleet {

TextId Texts::idOf(std::string_view text) {
    const auto known = ids_.find(text);
    if (known != ids_.end()) {
        return known->second;
    }
    const auto id = static_cast<TextId>(texts_.size());
    texts_.push_back(&ids_.emplace(text, id).first->first);
    return id;
}

std::optional<TextId> Texts::find(std::string_view text) const {
    const auto known = ids_.find(text);
    return known == ids_.end() ? std::nullopt : std::optional(known->second);
}

}  // namespace fabric::fleet
