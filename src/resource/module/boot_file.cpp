// SPDX-License-Identifier: Apache-2.0
#include "resource/module/boot_file.hpp"

#include "base/text.hpp"
#include "resource/module/boot_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <ranges>
#include <vector>

namespace fabric::resource::kernel_module {

namespace {

constexpr std::string_view kRule =
    "The file is fabricctl's as a whole, and what it names is loaded by every boot. "
    "Modules of your own belong into a file of another name in the same directory.";

Value listOf(const std::set<std::string>& modules) {
    Value::List names;
    for (const std::string& module : modules) {
        names.emplace_back(module);
    }
    return names;
}

// The first few, the number of the others.
std::string shown(const std::vector<std::string>& lines) {
    constexpr std::size_t kMost = 8;
    const std::string text = escapeForTerminal(
        fmt::format("{}", fmt::join(lines | std::views::take(kMost), ", ")));
    return lines.size() <= kMost
               ? text
               : fmt::format("{} and {} more", text, lines.size() - kMost);
}

}  // namespace

Assessment bootFile() {
    return {.id = "module/boot-list",
            .kind = Kind::module,
            .device = kBootList,
            .property = "boot-list",
            .explanation = std::string(kRule),
            .goneIsAsWanted = true};
}

std::optional<Assessment> compareBootFile(const std::optional<std::string>& text,
                                          const std::set<std::string>& wanted) {
    const std::vector<std::string> foreign = foreignLines(text.value_or(""), wanted);
    if (foreign.empty()) {
        return std::nullopt;
    }
    Assessment assessment = bootFile();
    assessment.wanted = listOf(wanted);
    assessment.found = listOf(parseBootList(*text));
    assessment.verdict = Verdict::differs;
    assessment.reason =
        fmt::format("{} has lines that the profile does not ask for: {}",
                    kBootList,
                    shown(foreign));
    return assessment;
}

std::optional<Finding> leftOverList(const host::FileReader& files, bool image) {
    const auto text = files.read(kBootList);
    const std::set<std::string> listed = parseBootList(text.value_or(""));
    if (listed.empty()) {
        return std::nullopt;
    }
    return Finding{
        .id = "module.left-over-list",
        .severity = Severity::warn,
        .summary = fmt::format("{} is of a former profile and still makes every boot "
                               "load what it names: this profile has no modules",
                               kBootList),
        .evidence = shown({listed.begin(), listed.end()}),
        .fix = fmt::format("rm {}{}, or name the modules in the profile",
                           kBootList,
                           image ? " in the image" : "")};
}

}  // namespace fabric::resource::kernel_module
