// SPDX-License-Identifier: Apache-2.0
// What `switch verify` is given: a switch's output as text or as JSON.
#include "fuzz/property.hpp"
#include "switch/nvue_numbers.hpp"
#include "switch/nvue_output.hpp"

#include <string>

namespace fabric::switches {
namespace {

using fuzz::require;

constexpr unsigned kLargest = 63;
constexpr std::uint64_t kSize = std::uint64_t{4} << 20U;

void judgeText(const std::string& text) {
    const auto numbers = numbersOf(text);
    require(numbers.empty() || *numbers.rbegin() <= kLargest,
            "a number is a DSCP at most");
    static_cast<void>(isOn(text));
    require(!(isSize(text, kSize) && isSize(text, 2 * kSize)), "a size is one size");
}

void judgeValues(const NvueValues& values) {
    require(!values.empty(), "an output holds something");
    for (const auto& [path, value] : values) {
        require(!path.empty(), "a value has a path");
        judgeText(value);
    }
    for (unsigned dscp = 0; dscp <= kLargest; ++dscp) {
        require(switchPriorityOf(values, dscp).value_or(0) <= kLargest, "a priority");
    }
    static_cast<void>(trafficClassOf(values, 3));
}

}  // namespace

FABRIC_FUZZ_TARGET(input) {
    const std::string text(input.text());
    judgeText(text);
    const auto values = parseNvue(text, text.substr(0, 4));
    if (values) {
        judgeValues(*values);
        // A terminal may end its lines otherwise, and that changes nothing.
        const auto padded = parseNvue(text + "\n", "padded");
        require(padded && *padded == *values, "a last empty line says nothing");
    } else {
        fuzz::requirePrintable(values.error().message());
    }
}

}  // namespace fabric::switches
