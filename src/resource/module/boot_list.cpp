// SPDX-License-Identifier: Apache-2.0
#include "resource/module/boot_list.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace fabric::resource::kernel_module {

namespace {

constexpr std::string_view kHead =
    "# Written by fabricctl from the modules section of its profile; the next\n"
    "# 'fabricctl apply' replaces the whole file (modules-load.d(5)).\n";

}  // namespace

std::string canonicalName(std::string_view name) {
    std::string canonical(name);
    std::ranges::replace(canonical, '-', '_');
    return canonical;
}

std::set<std::string> parseBootList(std::string_view text) {
    std::set<std::string> modules;
    for (const std::string_view line : split(text, '\n')) {
        const std::string_view name = trimmed(line);
        if (!name.empty() && name.front() != '#' && name.front() != ';') {
            modules.insert(canonicalName(name));
        }
    }
    return modules;
}

std::vector<std::string> foreignLines(std::string_view text,
                                      const std::set<std::string>& wanted) {
    const std::vector<std::string_view> head = split(kHead, '\n');
    std::vector<std::string> foreign;
    for (const std::string_view whole : split(text, '\n')) {
        const std::string_view line = trimmed(whole);
        const bool ours = line.empty() || wanted.contains(canonicalName(line)) ||
                          std::ranges::find(head, line) != head.end() ||
                          std::ranges::find(foreign, line) != foreign.end();
        if (!ours) {
            foreign.emplace_back(line);
        }
    }
    return foreign;
}

std::string renderBootList(const std::set<std::string>& modules) {
    std::string text(kHead);
    for (const std::string& module : modules) {
        text += module + "\n";
    }
    return text;
}

}  // namespace fabric::resource::kernel_module
