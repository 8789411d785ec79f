// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/modules.hpp"
#include "host/services.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>

namespace fabric::facts {

// Takes out of answers what must not leave the host: whatever facts/selection.hpp does
// not name. Comparisons on what is left give what they give on the whole: a word is
// replaced by the same mark wherever it stands, and different words by different ones.
class Redaction {
  public:
    // The content of a file, by the rule of its path. A configuration file that lost
    // something ends with a comment that says so, and so differs from one that was
    // like that from the start.
    [[nodiscard]] std::string fileText(std::string_view path, std::string text);
    // Variables that do not matter here and values of arguments.
    [[nodiscard]] host::ServiceUnit unit(host::ServiceUnit unit);
    // Commands of `install` lines.
    [[nodiscard]] host::Module module(host::Module module);

  private:
    [[nodiscard]] std::string unitFile(std::string_view text);
    [[nodiscard]] std::string modprobeFile(std::string_view text);
    [[nodiscard]] std::string commandLineOf(std::string_view value);
    [[nodiscard]] std::string argument(std::string_view word);
    [[nodiscard]] std::string unsetList(std::string_view value);
    [[nodiscard]] std::string settingOf(std::string_view key, std::string_view value);
    [[nodiscard]] std::string installCommand(std::string_view command);
    [[nodiscard]] std::string markFor(std::string_view secret);

    std::map<std::string, std::size_t, std::less<>> marks_;
};

}  // namespace fabric::facts
