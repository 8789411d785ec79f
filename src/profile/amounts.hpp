// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/keys.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fabric::profile {

// Amounts are a number and a unit without a space: 256KiB, 2.5Gbit, 5m, 30s. A bare 0
// stands for itself. Binary and decimal sizes are told apart (KiB, kB); rates are
// decimal, as those of dcb(8).

// In the unit of the form (bytes, kbit/s, metres, ms); empty when `text` is no such
// amount, or is not a whole number of that unit.
[[nodiscard]] std::optional<std::int64_t> parseAmount(Form form, std::string_view text);

// The shortest exact spelling.
[[nodiscard]] std::string amountText(Form form, std::int64_t amount);

// A right spelling near a wrong one ("100G" for a rate: "100Gbit"), "" when unclear.
[[nodiscard]] std::string repairedAmount(Form form, std::string_view text);

// "B, KiB, MiB, ..." and the ECMA-262 pattern of all spellings.
[[nodiscard]] std::string unitNames(Form form);
[[nodiscard]] std::string amountPattern(Form form);

}  // namespace fabric::profile
