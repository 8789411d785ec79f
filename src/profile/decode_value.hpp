// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/amounts.hpp"
#include "profile/document.hpp"
#include "profile/settings.hpp"
#include "profile/values.hpp"

#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

// Single values of a checked tree.
namespace fabric::profile {

// The member if it is owned: there, and not null.
inline const TreeNode* owned(const TreeNode* section, std::string_view key) {
    const TreeNode* node = section == nullptr ? nullptr : section->find(key);
    return node == nullptr || node->isNull() ? nullptr : node;
}

inline std::int64_t numberIn(const TreeNode& scalar) {
    return parseNumber(scalar.scalar).value_or(0);
}

inline std::string textIn(const TreeNode* section, std::string_view key) {
    const TreeNode* node = owned(section, key);
    return node == nullptr ? std::string{} : node->scalar;
}

inline std::optional<std::string> optionalText(const TreeNode* section,
                                               std::string_view key) {
    const TreeNode* node = owned(section, key);
    return node == nullptr ? std::nullopt : std::optional(node->scalar);
}

inline std::optional<bool> switchIn(const TreeNode* section, std::string_view key) {
    const TreeNode* node = owned(section, key);
    return node == nullptr ? std::nullopt : parseSwitch(node->scalar);
}

// The enumerator of a word; `otherwise` when the key is not owned.
template <typename Enum, std::size_t Count>
Enum wordIn(const TreeNode* section,
            std::string_view key,
            const std::array<std::pair<std::string_view, Enum>, Count>& words,
            Enum otherwise) {
    const TreeNode* node = owned(section, key);
    for (const auto& [word, meaning] : words) {
        if (node != nullptr && node->scalar == word) {
            return meaning;
        }
    }
    return otherwise;
}

template <typename Enum, std::size_t Count>
Setting<Enum> settingIn(
    const TreeNode* section,
    std::string_view key,
    const std::array<std::pair<std::string_view, Enum>, Count>& words,
    Enum otherwise) {
    const TreeNode* node = owned(section, key);
    return Setting<Enum>{.value = wordIn(section, key, words, otherwise),
                         .origin = node == nullptr ? Origin::derived : node->origin};
}

// A range-checked number as its strong type.
template <typename Number>
Number strong(const std::string& text) {
    return Number::from(parseNumber(text).value_or(0)).value_or(Number{});
}

template <typename Number>
std::set<Number> setIn(const TreeNode& list) {
    std::set<Number> numbers;
    for (const TreeNode& item : list.items) {
        numbers.insert(strong<Number>(item.scalar));
    }
    return numbers;
}

// A map with strong keys; null members are left out. `convert` makes a value of a node.
template <typename Index, typename Convert>
auto mapIn(const TreeNode& map, Convert convert) {
    std::map<Index, decltype(convert(map))> result;
    for (const Entry& entry : map.entries) {
        if (!entry.value.isNull()) {
            result.emplace(strong<Index>(entry.key), convert(entry.value));
        }
    }
    return result;
}

}  // namespace fabric::profile
