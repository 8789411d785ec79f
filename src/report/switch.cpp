// SPDX-License-Identifier: Apache-2.0
#include "report/switch.hpp"

#include "base/text.hpp"
#include "report/palette.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <vector>

namespace fabric::report {

namespace {

using switches::Agreement;
using switches::Check;

const char* const kSchema = "fabricctl/switch/1";

std::string_view nameOf(Agreement agreement) {
    switch (agreement) {
        case Agreement::agrees:
            return "agrees";
        case Agreement::disagrees:
            return "disagrees";
        case Agreement::unknown:
            return "unknown";
    }
    return "unknown";
}

Tone toneOf(Agreement agreement) {
    return agreement == Agreement::agrees      ? Tone::good
           : agreement == Agreement::disagrees ? Tone::bad
                                               : Tone::change;
}

Value listOf(const std::vector<std::string>& lines) {
    return Value::List(lines.begin(), lines.end());
}

std::string lineOf(const Check& check, const Palette& palette) {
    const std::string head =
        fmt::format("{} {} of {}: wanted {}, found {}",
                    palette.paint(toneOf(check.agreement), nameOf(check.agreement)),
                    check.id,
                    escapeForTerminal(check.where),
                    escapeForTerminal(check.wanted),
                    escapeForTerminal(check.found));
    return head + (check.fix.empty() ? "\n" : "\n  " + check.fix + "\n");
}

}  // namespace

std::string toText(const switches::Wish& wish, const switches::Commands& commands) {
    std::string text = fmt::format(
        "# Cumulus Linux 5, NVUE: profile {}, priority {}, DSCP {}, traffic class {}.\n"
        "# On every switch of the path. What was there before comes back only from a "
        "copy\n# of what the first save wrote: keep one before the second.\n",
        escapeForTerminal(wish.profile),
        wish.priority.number(),
        wish.dscp.number(),
        wish.trafficClass.number());
    for (const std::string& command : commands.set) {
        text += command + "\n";
    }
    text += "\n# What 'fabricctl switch verify --os cumulus' reads:\n";
    for (const std::string& command : commands.verify) {
        text += command + "\n";
    }
    text += "\n# To undo it; a RoCE configuration from before is gone then too:\n";
    for (const std::string& command : commands.undo) {
        text += "#   " + command + "\n";
    }
    return text;
}

std::string toText(const switches::Verdict& verdict, const TextOptions& options) {
    const Palette palette(options.color);
    std::string text;
    for (const std::string& problem : verdict.problems) {
        text += palette.paint(Tone::bad, "unknown") + " " + escapeForTerminal(problem) +
                "\n";
    }
    for (const Agreement agreement :
         {Agreement::disagrees, Agreement::unknown, Agreement::agrees}) {
        for (const Check& check : verdict.checks) {
            const bool shown =
                agreement != Agreement::agrees || (options.verbose && !options.quiet);
            if (check.agreement == agreement && shown) {
                text += lineOf(check, palette);
            }
        }
    }
    if (!options.quiet) {
        text += fmt::format(
            "{} of {} agree with profile {}\n",
            std::ranges::count(verdict.checks, Agreement::agrees, &Check::agreement),
            verdict.checks.size(),
            escapeForTerminal(verdict.profile));
    }
    return text;
}

Value toValue(const switches::Wish& wish, const switches::Commands& commands) {
    return Value::Object{{"schema", kSchema},
                         {"command", "switch render"},
                         {"os", "cumulus"},
                         {"exit_code", 0},
                         {"profile", wish.profile},
                         {"priority", unsigned{wish.priority.number()}},
                         {"dscp", unsigned{wish.dscp.number()}},
                         {"traffic_class", unsigned{wish.trafficClass.number()}},
                         {"commands", listOf(commands.set)},
                         {"verify", listOf(commands.verify)},
                         {"undo", listOf(commands.undo)}};
}

Value toValue(const switches::Verdict& verdict) {
    Value::List checks;
    for (const Check& check : verdict.checks) {
        checks.emplace_back(Value::Object{{"id", check.id},
                                          {"where", check.where},
                                          {"agreement", nameOf(check.agreement)},
                                          {"wanted", check.wanted},
                                          {"found", check.found},
                                          {"fix", check.fix}});
    }
    return Value::Object{{"schema", kSchema},
                         {"command", "switch verify"},
                         {"os", "cumulus"},
                         {"exit_code", static_cast<int>(verdict.exitCode())},
                         {"profile", verdict.profile},
                         {"checks", std::move(checks)},
                         {"problems", listOf(verdict.problems)}};
}

}  // namespace fabric::report
