// SPDX-License-Identifier: Apache-2.0
#include "facts/observed.hpp"

#include "facts/hex.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

namespace fabric::facts {

void ConfigSpace::add(std::uint16_t offset, const std::vector<std::byte>& bytes) {
    std::size_t begin = offset;
    std::vector<std::byte> joined = bytes;
    // The first range that may touch the new one: its predecessor.
    auto at = ranges.upper_bound(offset);
    if (at != ranges.begin()) {
        --at;
    }
    while (at != ranges.end() && at->first <= begin + joined.size()) {
        const std::size_t oldBegin = at->first;
        const std::size_t oldEnd = oldBegin + at->second.size();
        if (oldEnd < begin) {
            ++at;
            continue;
        }
        const std::size_t newBegin = std::min(begin, oldBegin);
        const std::size_t newEnd = std::max(begin + joined.size(), oldEnd);
        std::vector<std::byte> both(newEnd - newBegin);
        std::ranges::copy(joined,
                          both.begin() + static_cast<std::ptrdiff_t>(begin - newBegin));
        std::ranges::copy(
            at->second,
            both.begin() + static_cast<std::ptrdiff_t>(oldBegin - newBegin));
        begin = newBegin;
        joined = std::move(both);
        at = ranges.erase(at);
    }
    ranges.emplace(static_cast<std::uint16_t>(begin), std::move(joined));
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

}  // namespace fabric::facts
