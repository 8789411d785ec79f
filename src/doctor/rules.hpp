// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doctor/rule.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace fabric::doctor {

// Every rule, in the order in which causes are looked for.
[[nodiscard]] const std::vector<const Rule*>& ruleTable();
// nullptr when there is none of this name.
[[nodiscard]] const Rule* findRule(std::string_view id);

// A failure that is only what another one brings along, as long as that one fails.
struct Consequence {
    std::string_view rule;
    std::string_view cause;
};

[[nodiscard]] std::span<const Consequence> consequences();

// The parts of the table.
[[nodiscard]] std::span<const Rule> programRules();
[[nodiscard]] std::span<const Rule> serverLogRules();
[[nodiscard]] std::span<const Rule> unitRules();
[[nodiscard]] std::span<const Rule> kernelLogRules();
[[nodiscard]] std::span<const Rule> memoryRules();
[[nodiscard]] std::span<const Rule> containerRules();
[[nodiscard]] std::span<const Rule> deviceRules();
[[nodiscard]] std::span<const Rule> portRules();
[[nodiscard]] std::span<const Rule> pciRules();
[[nodiscard]] std::span<const Rule> bootRules();
[[nodiscard]] std::span<const Rule> losslessRules();
[[nodiscard]] std::span<const Rule> counterRules();
[[nodiscard]] std::span<const Rule> metricsRules();
[[nodiscard]] std::span<const Rule> addressRules();
[[nodiscard]] std::span<const Rule> neighbourRules();
[[nodiscard]] std::span<const Rule> peerRules();
[[nodiscard]] std::span<const Rule> unobservedRules();

}  // namespace fabric::doctor
