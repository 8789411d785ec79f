// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

// What is left of a file, by kind of file. Pure. Where lines are known by number they
// keep it: what is left out leaves an empty line.
namespace fabric::facts {

[[nodiscard]] std::string carriedCommandLine(std::string_view text);
[[nodiscard]] std::string carriedEnviron(std::string_view text);
[[nodiscard]] std::string firstProcessor(std::string_view text);
[[nodiscard]] std::string carriedMounts(std::string_view text);
[[nodiscard]] std::string carriedSysctl(std::string_view text);
[[nodiscard]] std::string carriedModuleList(std::string_view text);
[[nodiscard]] std::string carriedLimits(std::string_view text);
[[nodiscard]] std::string carriedEnvironmentFile(std::string_view text);

struct ModprobeWords {
    std::string_view verb;
    std::string_view name;
    std::string_view rest;
};

[[nodiscard]] ModprobeWords modprobeWordsOf(std::string_view line);

// `carried` when nothing is missing in it: the head of a file that this program wrote
// is put back. Else with a comment at its end that says that something was left out.
[[nodiscard]] std::string withRemark(std::string_view whole, std::string carried);

}  // namespace fabric::facts
