// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/boot.hpp"
#include "resource/assessment.hpp"

#include <optional>

namespace fabric::engine {

// Whether the profile that is asked about is the one that configured this boot: by what
// its files hold, wherever they lie. Empty where that says nothing: nothing is asked
// about, or the run had no profile, which is its failure already. `record` is of this
// boot. Pure.
[[nodiscard]] std::optional<resource::Assessment> assessBootProfile(
    const BootFacts& facts, const BootRecord& record);

}  // namespace fabric::engine
