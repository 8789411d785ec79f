// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "switch/nvue_output.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string_view>

namespace fabric::switches {

// enabled, enable, on, yes or true, in any case: releases print different words.
[[nodiscard]] bool isOn(std::string_view text);

// One of the words of "pcp,dscp", in any case.
[[nodiscard]] bool hasWord(std::string_view text, std::string_view word);

// "0,3" or "24-31"; what is no number below 64 is left out.
[[nodiscard]] std::set<unsigned> numbersOf(std::string_view text);

// Whether "4.00 MB", "4194304 B" or "4194304" is this size, within what it was rounded
// to: KB, MB and GB are powers of 1024 there (1500000 bytes are printed as 1.43 MB).
[[nodiscard]] bool isSize(std::string_view text, std::uint64_t bytes);

// From the maps of `nv show qos roce`; empty: not told, or told twice differently.
[[nodiscard]] std::optional<unsigned> switchPriorityOf(const NvueValues& values,
                                                       unsigned dscp);
[[nodiscard]] std::optional<unsigned> trafficClassOf(const NvueValues& values,
                                                     unsigned priority);

}  // namespace fabric::switches
