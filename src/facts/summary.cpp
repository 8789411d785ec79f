// SPDX-License-Identifier: Apache-2.0
#include "facts/summary.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

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

Value::List unreadableParts(const Facts& facts) {
    const Value* const parts = facts.host.member("unreadable");
    const Value::List* const list = parts == nullptr ? nullptr : parts->asList();
    return list == nullptr ? Value::List{} : *list;
}

// Parts that one and the same reason keeps: forty modules are one line.
struct Group {
    std::string first;
    std::size_t more = 0;
    std::string reason;
};

std::vector<Group> byReason(const Facts& facts) {
    std::vector<Group> groups;
    for (const Value& part : unreadableParts(facts)) {
        std::string reason = textAt(part, "reason");
        const auto known = std::ranges::find(groups, reason, &Group::reason);
        if (known != groups.end()) {
            ++known->more;
        } else {
            groups.push_back(
                {.first = textAt(part, "part"), .reason = std::move(reason)});
        }
    }
    return groups;
}

}  // namespace

bool allRead(const Facts& facts) {
    return unreadableParts(facts).empty();
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
    for (const Group& group : byReason(facts)) {
        text +=
            fmt::format("  unreadable: {}{}: {}\n",
                        escapeForTerminal(group.first),
                        group.more == 0 ? "" : fmt::format(" and {} more", group.more),
                        escapeForTerminal(group.reason));
    }
    return text;
}

}  // namespace fabric::facts
