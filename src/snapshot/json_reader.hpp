// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <type_traits>

// Members of a JSON document that somebody else may have written, each with its type
// and range. Errors are ErrorKind::malformed and name the member.
namespace fabric::snapshot {

using Json = nlohmann::json;

[[nodiscard]] std::unexpected<Error> wrong(std::string what);
[[nodiscard]] Result<const Json*> member(const Json& tree, const char* key);
[[nodiscard]] Result<bool> flag(const Json& tree, const char* key);
[[nodiscard]] Result<std::string> toText(const Json& value, const char* key);
[[nodiscard]] Result<std::string> text(const Json& tree, const char* key);
[[nodiscard]] Result<const Json*> list(const Json& tree, const char* key);
// Digits only, in a given base.
[[nodiscard]] Result<unsigned> digits(std::string_view written,
                                      int base,
                                      unsigned most);

template <typename Number>
[[nodiscard]] Result<Number> toNumber(const Json& value, const char* key) {
    constexpr auto kLeast = std::numeric_limits<Number>::min();
    constexpr auto kMost = std::numeric_limits<Number>::max();
    if (value.is_number_unsigned()) {
        const auto number = value.get<std::uint64_t>();
        if (number <= static_cast<std::uint64_t>(kMost)) {
            return static_cast<Number>(number);
        }
    } else if (value.is_number_integer() && std::is_signed_v<Number>) {
        const auto number = value.get<std::int64_t>();
        if (number >= static_cast<std::int64_t>(kLeast)) {
            return static_cast<Number>(number);
        }
    }
    return wrong(std::string("'") + key + "' is no number in range");
}

template <typename Number>
[[nodiscard]] Result<Number> number(const Json& tree, const char* key) {
    return toNumber<Number>(*TRY(member(tree, key)), key);
}

template <typename Number, std::size_t Size>
[[nodiscard]] Result<std::array<Number, Size>> toArray(const Json& value,
                                                       const char* key) {
    if (!value.is_array() || value.size() != Size) {
        return wrong(std::string("'") + key + "' is no list of " +
                     std::to_string(Size));
    }
    std::array<Number, Size> numbers{};
    for (std::size_t at = 0; at < Size; ++at) {
        numbers[at] = TRY(toNumber<Number>(value[at], key));
    }
    return numbers;
}

template <typename Number>
[[nodiscard]] Result<std::array<Number, 8>> eight(const Json& tree, const char* key) {
    return toArray<Number, 8>(*TRY(member(tree, key)), key);
}

}  // namespace fabric::snapshot
