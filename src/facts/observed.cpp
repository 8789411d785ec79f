// SPDX-License-Identifier: Apache-2.0
#include "facts/observed.hpp"

#include "facts/hex.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace fabric::facts {

// In place, so that ranges that come one after the other cost what they hold.
void ConfigSpace::add(std::uint16_t offset, const std::vector<std::byte>& bytes) {
    const std::size_t end = offset + bytes.size();
    const auto endOf = [](const auto& range) {
        return range.first + range.second.size();
    };
    auto at = ranges.upper_bound(offset);
    if (at != ranges.begin() && endOf(*std::prev(at)) >= offset) {
        --at;
    } else {
        at = ranges.emplace_hint(at, offset, std::vector<std::byte>{});
    }
    const auto fillUpTo = [&](std::size_t until) {
        const auto known = static_cast<std::ptrdiff_t>(endOf(*at) - offset);
        const auto wanted = static_cast<std::ptrdiff_t>(until) - offset;
        if (known < wanted) {
            at->second.insert(
                at->second.end(), bytes.begin() + known, bytes.begin() + wanted);
        }
    };
    for (auto next = std::next(at); next != ranges.end() && next->first <= end;
         next = ranges.erase(next)) {
        fillUpTo(next->first);
        at->second.insert(at->second.end(), next->second.begin(), next->second.end());
    }
    fillUpTo(end);
}

std::optional<std::vector<std::byte>> ConfigSpace::find(std::uint16_t offset,
                                                        std::uint16_t length) const {
    auto at = ranges.upper_bound(offset);
    if (at == ranges.begin()) {
        return std::nullopt;
    }
    --at;
    const std::size_t skipped = offset - std::size_t{at->first};
    if (skipped + length > at->second.size()) {
        return std::nullopt;
    }
    const auto begin = at->second.begin() + static_cast<std::ptrdiff_t>(skipped);
    return std::vector<std::byte>(begin, begin + length);
}

std::string dcbKey(const host::DcbRequest& request) {
    return fmt::format("{}/{}/{}",
                       request.link.number,
                       static_cast<unsigned>(request.command),
                       hexOf(request.attributes));
}

std::string portKey(const host::RdmaPort& port) {
    return fmt::format("{}/{}", port.device, port.port);
}

std::string versionKey(std::string_view program, std::string_view user) {
    return fmt::format("{}:{}", user, program);
}

host::JournalLines linesFor(const host::JournalQuery& query, host::JournalLines log) {
    std::erase_if(log.lines, [&](const host::JournalLine& line) {
        return !query.ofKernel || !query.ofKernel(line.message);
    });
    return log;
}

}  // namespace fabric::facts
