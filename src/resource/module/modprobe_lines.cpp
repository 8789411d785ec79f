// SPDX-License-Identifier: Apache-2.0
#include "resource/module/modprobe_lines.hpp"

#include "base/text.hpp"
#include "resource/module/boot_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <ranges>
#include <utility>

namespace fabric::resource::kernel_module {

namespace {

// The order of libkmod; where /lib is a link to /usr/lib the last two are one.
constexpr std::array<const char*, 5> kDirectories{"/etc/modprobe.d",
                                                  "/run/modprobe.d",
                                                  "/usr/local/lib/modprobe.d",
                                                  "/usr/lib/modprobe.d",
                                                  "/lib/modprobe.d"};

// The first word of `rest`, which loses it.
std::string_view takeWord(std::string_view& rest) {
    rest = trimmed(rest);
    const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
    const std::string_view word = rest.substr(0, end);
    rest.remove_prefix(end);
    return word;
}

struct Logical {
    std::string text;
    std::size_t line = 0;
};

std::vector<Logical> logicalLines(std::string_view text) {
    std::vector<Logical> lines;
    bool continued = false;
    std::size_t number = 0;
    for (const std::string_view line : split(text, '\n')) {
        ++number;
        const bool continues = line.ends_with('\\');
        const std::string_view part = line.substr(0, line.size() - (continues ? 1 : 0));
        if (continued) {
            lines.back().text += part;
        } else {
            lines.push_back({.text = std::string(part), .line = number});
        }
        continued = continues;
    }
    return lines;
}

}  // namespace

std::string ModprobeLine::place() const {
    return fmt::format("{}:{}", escapeForTerminal(file), line);
}

std::vector<ModprobeLine> modprobeLinesOf(std::string_view text,
                                          const std::string& file) {
    std::vector<ModprobeLine> found;
    for (const Logical& logical : logicalLines(text)) {
        std::string_view rest = logical.text;
        const std::string_view verb = takeWord(rest);
        const std::string_view name = takeWord(rest);
        if ((verb == "install" || verb == "blacklist") && !name.empty()) {
            found.push_back({.verb = std::string(verb),
                             .name = canonicalName(name),
                             .file = file,
                             .line = logical.line});
        }
    }
    return found;
}

std::vector<ModprobeLine> readModprobeLines(const host::FileReader& files) {
    std::map<std::string, std::string> pathByName;
    for (const std::string directory : kDirectories) {
        const auto names = files.list(directory);
        for (const std::string& name : names ? *names : std::vector<std::string>{}) {
            if (name.ends_with(".conf") && !name.starts_with('.')) {
                pathByName.try_emplace(name, directory + "/" + name);
            }
        }
    }
    std::vector<ModprobeLine> all;
    for (const std::string& path : pathByName | std::views::values) {
        if (const auto text = files.read(path)) {
            std::ranges::move(modprobeLinesOf(*text, path), std::back_inserter(all));
        }
    }
    return all;
}

std::string placeOf(const std::vector<ModprobeLine>& lines,
                    std::string_view verb,
                    const std::string& module) {
    const auto found = std::ranges::find_if(lines, [&](const ModprobeLine& line) {
        return line.verb == verb && globMatches(line.name, module);
    });
    return found == lines.end() ? "the module tools' configuration" : found->place();
}

}  // namespace fabric::resource::kernel_module
