// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace fabric::fleet {

using TextId = std::uint32_t;

// Texts that stand thousands of times, each kept once. Id 0 is the empty text.
class Texts {
  public:
    Texts() { static_cast<void>(idOf("")); }

    TextId idOf(std::string_view text);
    // Empty: it was never given to idOf().
    [[nodiscard]] std::optional<TextId> find(std::string_view text) const;

    [[nodiscard]] const std::string& textOf(TextId id) const { return *texts_[id]; }

  private:
    struct Hash {
        using is_transparent = void;

        std::size_t operator()(std::string_view text) const {
            return std::hash<std::string_view>()(text);
        }
    };

    std::unordered_map<std::string, TextId, Hash, std::equal_to<>> ids_;
    std::vector<const std::string*> texts_;  // keys of ids_, which stay where they are
};

}  // namespace fabric::fleet
