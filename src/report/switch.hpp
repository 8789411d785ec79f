// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/value.hpp"
#include "report/text.hpp"
#include "switch/cumulus.hpp"
#include "switch/verify.hpp"

#include <string>

namespace fabric::report {

// The commands, one per line, with what they are for as comments: it can be pasted into
// a shell of the switch. What undoes them is a comment.
[[nodiscard]] std::string toText(const switches::Wish& wish,
                                 const switches::Commands& commands);

// For a person: what disagrees with wanted, found and the next command; the rest folded
// unless --verbose. Foreign text is escaped.
[[nodiscard]] std::string toText(const switches::Verdict& verdict,
                                 const TextOptions& options);

// docs/switch-schema.json, "fabricctl/switch/1".
[[nodiscard]] Value toValue(const switches::Wish& wish,
                            const switches::Commands& commands);
[[nodiscard]] Value toValue(const switches::Verdict& verdict);

}  // namespace fabric::report
