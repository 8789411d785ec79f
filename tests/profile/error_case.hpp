// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/load.hpp"
#include "profile/profile.hpp"

#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <vector>

namespace fabric::profile {

// A wrong profile and everything that must be said of it.
struct ErrorCase {
    std::string_view name;
    std::string_view text;
    std::vector<std::string> lines;  // "LINE:COL MESSAGE (did you mean SUGGESTION?)"
};

// The file is called "p".
inline std::string errorLine(const ProfileError& error) {
    std::string line = std::to_string(error.line) + ":" + std::to_string(error.column) +
                       " " + error.message;
    return error.suggestion.empty()
               ? line
               : line + " (did you mean " + error.suggestion + "?)";
}

inline std::vector<std::string> errorLines(const ProfileErrors& errors) {
    std::vector<std::string> lines;
    for (const ProfileError& error : errors) {
        lines.push_back(errorLine(error));
    }
    return lines;
}

inline std::vector<std::string> errorLines(std::string_view text) {
    const auto profile = parse(text, "p");
    return profile ? std::vector<std::string>{} : errorLines(profile.error());
}

inline std::string nameOf(const testing::TestParamInfo<ErrorCase>& info) {
    return std::string(info.param.name);
}

// gtest prints the name instead of bytes.
inline void PrintTo(const ErrorCase& one, std::ostream* out) {
    *out << one.name;
}

}  // namespace fabric::profile
