// SPDX-License-Identifier: Apache-2.0
#include "resource/arp/boot_value.hpp"

#include <cerrno>
#include <cstdlib>
#include <limits>

namespace fabric::resource::arp {

namespace {

struct Decision {
    std::int32_t value = 0;
    std::optional<SysctlLine> line;
};

Decision decisionOn(const SysctlMerge& merge,
                    const std::string& interface,
                    host::Ipv4Key key) {
    // The interface as the kernel calls it: here nothing is a pattern.
    Decision decision;
    decision.line = merge.winner("net/ipv4/conf/" + interface + "/" +
                                 std::string(host::sysctlName(key)));
    if (decision.line && decision.line->value) {
        decision.value = sysctlNumber(*decision.line->value).value_or(0);
    }
    return decision;
}

}  // namespace

std::optional<std::int32_t> sysctlNumber(std::string_view text) {
    const std::string token(text.substr(0, text.find_first_of(" \t")));
    char* end = nullptr;
    errno = 0;
    const long number = std::strtol(token.c_str(), &end, 0);
    const bool fits = number >= std::numeric_limits<std::int32_t>::min() &&
                      number <= std::numeric_limits<std::int32_t>::max();
    if (token.empty() || *end != '\0' || errno != 0 || !fits) {
        return std::nullopt;
    }
    return static_cast<std::int32_t>(number);
}

BootValue bootValueOf(const SysctlMerge& merge,
                      const std::string& interface,
                      host::Ipv4Key key) {
    Decision own = decisionOn(merge, interface, key);
    if (!own.line || !own.line->value) {
        own.value = decisionOn(merge, "default", key).value;
    }
    Decision all = decisionOn(merge, "all", key);
    BootValue boot{.reading = readingOf(key, own.value, all.value),
                   .decider = std::move(own.line),
                   .allLine = std::move(all.line)};
    if (boot.reading.allDecides()) {
        boot.decider = boot.allLine;
    }
    return boot;
}

}  // namespace fabric::resource::arp
