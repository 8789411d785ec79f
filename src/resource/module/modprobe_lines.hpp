// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fabric::resource::kernel_module {

// One command of modprobe.d(5), with where it stands.
struct ModprobeLine {
    std::string verb;  // "install", "blacklist"
    std::string name;  // module, in the kernel's spelling; may be a glob
    std::string file;
    std::size_t line = 0;

    [[nodiscard]] std::string place() const;
};

// `install` and `blacklist` lines of one file, continued lines joined.
[[nodiscard]] std::vector<ModprobeLine> modprobeLinesOf(std::string_view text,
                                                        const std::string& file);

// Those of every file that module tools read, in their order: by file name, the first
// directory that has the name wins. What cannot be read is left out: the lines explain
// what libkmod found, they decide nothing.
[[nodiscard]] std::vector<ModprobeLine> readModprobeLines(
    const host::FileReader& files);

// Where `verb` for `module` stands, "the module tools' configuration" when no file says
// it.
[[nodiscard]] std::string placeOf(const std::vector<ModprobeLine>& lines,
                                  std::string_view verb,
                                  const std::string& module);

}  // namespace fabric::resource::kernel_module
