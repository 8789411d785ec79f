// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"
#include "base/value.hpp"
#include "facts/json_reader.hpp"
#include "facts/observed.hpp"

#include <string>
#include <string_view>

namespace fabric::facts {

inline constexpr std::string_view kSchema = "fabricctl/facts/1";

// One host at one time: `host` for people and other programs, `observed` for this one.
struct Facts {
    std::string program;  // the version of fabricctl that took them
    std::string taken;    // "2026-01-31T12:00:00Z"
    std::string hostName;
    Value host;
    Observed observed;
    // SHA-256 of what the profile of this site holds; "": there was none, or a version
    // before `fleet check` took the facts.
    std::string profile = {};
};

// The document; docs/facts-schema.json.
[[nodiscard]] Value toValue(const Facts& facts);

// The facts in a text that nobody vouches for. `origin` names it in errors, which say
// where in the text and what to do. `host` is not read: nothing is decided by it.
[[nodiscard]] Result<Facts> parseFacts(std::string_view text,
                                       std::string_view origin,
                                       const JsonBounds& bounds = {});

}  // namespace fabric::facts
