// SPDX-License-Identifier: Apache-2.0
#include "facts/summary.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

namespace fabric::facts {

namespace {

std::string textAt(const Value& value, std::string_view name) {
    const Value* const member = value.member(name);
    const std::string* const text = member == nullptr ? nullptr : member->asText();
    return text == nullptr ? "" : *text;
}

std::size_t countOf(const auto& answer) {
    return answer && *answer ? (*answer)->size() : 0;
}

}  // namespace

std::vector<std::string> unreadableParts(const Facts& facts) {
    std::vector<std::string> lines;
    const Value* const parts = facts.host.member("unreadable");
    const Value::List* const list = parts == nullptr ? nullptr : parts->asList();
    for (const Value& part : list == nullptr ? Value::List{} : *list) {
        lines.push_back(textAt(part, "part") + ": " + textAt(part, "reason"));
    }
    return lines;
}

std::string summaryOf(const Facts& facts) {
    const Observed& seen = facts.observed;
    std::string text = fmt::format(
        "facts of {}, taken {}: {} RDMA ports, {} interfaces, {} PCI functions, {} "
        "neighbours, {} files\n",
        escapeForTerminal(facts.hostName),
        facts.taken,
        countOf(seen.ports),
        countOf(seen.links),
        countOf(seen.functions),
        countOf(seen.neighbours),
        seen.files.size());
    for (const std::string& line : unreadableParts(facts)) {
        text += "  unreadable: " + escapeForTerminal(line) + "\n";
    }
    return text;
}

}  // namespace fabric::facts
