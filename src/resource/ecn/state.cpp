// SPDX-License-Identifier: Apache-2.0
#include "resource/ecn/state.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

namespace fabric::resource::ecn {

namespace {

std::string countText(const std::optional<std::uint64_t>& count) {
    return count ? std::to_string(*count) : "unknown";
}

Error notANumber(const std::string& path, std::string_view text) {
    return {.kind = ErrorKind::malformed,
            .action = "read",
            .subject = path,
            .sysErrno = 0,
            .detail = text.empty()
                          ? "the file is empty: the driver could not ask its firmware"
                          : "it holds '" + escapeForTerminal(text) + "', not a number",
            .advice = "see the kernel log for messages of the driver"};
}

std::optional<unsigned> parseNumber(std::string_view text) {
    const bool hexadecimal = text.starts_with("0x");
    const auto number =
        hexadecimal ? parseUnsigned(text.substr(2), 16) : parseUnsigned(text);
    if (!number || *number > std::numeric_limits<unsigned>::max()) {
        return std::nullopt;
    }
    return static_cast<unsigned>(*number);
}

}  // namespace

std::string_view Evidence::running() const {
    const std::array counters{markedReceived, notificationsSent, notificationsHandled};
    if (std::ranges::any_of(counters,
                            [](const auto& count) { return count.value_or(0) > 0; })) {
        return "seen";
    }
    const bool allTold = std::ranges::all_of(
        counters, [](const auto& count) { return count.has_value(); });
    return allTold ? "not seen" : "unknown";
}

std::string Evidence::text() const {
    return "np_ecn_marked_roce_packets " + countText(markedReceived) +
           ", np_cnp_sent " + countText(notificationsSent) + ", rp_cnp_handled " +
           countText(notificationsHandled);
}

Attribute decodeAttribute(std::string path, const Result<std::string>& text) {
    Attribute attribute;
    attribute.path = std::move(path);
    if (!text) {
        attribute.error = text.error();
        return attribute;
    }
    attribute.value = parseNumber(trimmed(*text));
    if (!attribute.value) {
        attribute.error = notANumber(attribute.path, trimmed(*text));
    }
    return attribute;
}

Result<std::set<Priority>> enabledPriorities(const Point& point) {
    std::set<Priority> enabled;
    std::uint8_t priority = 0;
    for (const Attribute& attribute : point.switches) {
        if (!attribute.value) {
            return fail(attribute.error.value_or(notANumber(attribute.path, "")));
        }
        if (*attribute.value != 0) {
            enabled.insert(Priority::of(priority));
        }
        ++priority;
    }
    return enabled;
}

Result<bool> enabledOnPort(const Point& point) {
    bool enabled = !point.switches.empty();
    for (const Attribute& attribute : point.switches) {
        if (!attribute.value) {
            return fail(attribute.error.value_or(notANumber(attribute.path, "")));
        }
        enabled = enabled && *attribute.value != 0;
    }
    return enabled;
}

}  // namespace fabric::resource::ecn
