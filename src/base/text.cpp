// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <numeric>
#include <utility>

namespace fabric {

namespace {

bool matchesSet(std::string_view set, char wanted) {
    for (std::size_t at = 0; at < set.size(); ++at) {
        if (at + 2 < set.size() && set[at + 1] == '-') {
            if (set[at] <= wanted && wanted <= set[at + 2]) {
                return true;
            }
            at += 2;
        } else if (set[at] == wanted) {
            return true;
        }
    }
    return false;
}

// Matches one pattern element at `at` against `wanted`; moves `at` behind it.
bool matchesOne(std::string_view pattern, std::size_t& at, char wanted) {
    if (pattern[at] == '?') {
        ++at;
        return true;
    }
    const std::size_t close =
        pattern[at] == '[' ? pattern.find(']', at + 2) : std::string_view::npos;
    if (close != std::string_view::npos) {
        const bool matched = matchesSet(pattern.substr(at + 1, close - at - 1), wanted);
        at = close + 1;
        return matched;
    }
    return pattern[at++] == wanted;
}

// Edits that turn one word into the other: a letter more, less or changed, or two
// neighbours swapped (optimal string alignment).
std::size_t editDistance(std::string_view left, std::string_view right) {
    std::vector<std::size_t> before;
    std::vector<std::size_t> last(right.size() + 1);
    std::iota(last.begin(), last.end(), std::size_t{0});
    for (std::size_t i = 1; i <= left.size(); ++i) {
        std::vector<std::size_t> row(right.size() + 1, i);
        for (std::size_t j = 1; j <= right.size(); ++j) {
            const std::size_t changed = left[i - 1] == right[j - 1] ? 0 : 1;
            row[j] = std::min({row[j - 1] + 1, last[j] + 1, last[j - 1] + changed});
            const bool swapped = i > 1 && j > 1 && left[i - 1] == right[j - 2] &&
                                 left[i - 2] == right[j - 1];
            if (swapped) {
                row[j] = std::min(row[j], before[j - 2] + 1);
            }
        }
        before = std::exchange(last, std::move(row));
    }
    return last.back();
}

}  // namespace

std::size_t utf8Length(std::string_view text, std::size_t at) {
    const auto byte = [&](std::size_t index) {
        return static_cast<unsigned char>(text[index]);
    };
    const unsigned char lead = byte(at);
    std::size_t length = 0;
    if (lead >= 0xC2 && lead <= 0xDF) {
        length = 2;
    } else if (lead >= 0xE0 && lead <= 0xEF) {
        length = 3;
    } else if (lead >= 0xF0 && lead <= 0xF4) {
        length = 4;
    }
    if (length == 0 || at + length > text.size()) {
        return 0;
    }
    for (std::size_t index = at + 1; index < at + length; ++index) {
        if ((byte(index) & 0xC0U) != 0x80U) {
            return 0;
        }
    }
    // C1 control characters, overlong forms, surrogates and values above U+10FFFF.
    const unsigned char next = byte(at + 1);
    const bool bad = (lead == 0xC2 && next < 0xA0) || (lead == 0xE0 && next < 0xA0) ||
                     (lead == 0xED && next > 0x9F) || (lead == 0xF0 && next < 0x90) ||
                     (lead == 0xF4 && next > 0x8F);
    return bad ? 0 : length;
}

namespace {

// Characters without a face that move or turn what stands beside them: marks,
// embeddings and isolates of direction, line and paragraph separators (Unicode 15,
// Bidi_Control, Zl, Zp).
bool isInvisibleMark(std::string_view character) {
    using namespace std::literals;
    constexpr std::array kMarks{"\u061C"sv,
                                "\u200E"sv,
                                "\u200F"sv,
                                "\u2028"sv,
                                "\u2029"sv,
                                "\u202A"sv,
                                "\u202B"sv,
                                "\u202C"sv,
                                "\u202D"sv,
                                "\u202E"sv,
                                "\u2066"sv,
                                "\u2067"sv,
                                "\u2068"sv,
                                "\u2069"sv,
                                "\uFEFF"sv};
    return std::ranges::find(kMarks, character) != kMarks.end();
}

std::string escapedBytes(std::string_view bytes) {
    std::string escaped;
    for (const char byte : bytes) {
        escaped += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
    }
    return escaped;
}

}  // namespace

std::string escapeForTerminal(std::string_view text) {
    std::string escaped;
    escaped.reserve(text.size());
    for (std::size_t at = 0; at < text.size();) {
        const auto byte = static_cast<unsigned char>(text[at]);
        if (byte >= 0x20 && byte < 0x7F) {
            escaped += text[at++];
            continue;
        }
        const std::size_t length = byte >= 0x80 ? utf8Length(text, at) : 0;
        const std::string_view character =
            text.substr(at, std::max<std::size_t>(length, 1));
        const bool shown = length > 0 && !isInvisibleMark(character);
        escaped += shown ? std::string(character) : escapedBytes(character);
        at += character.size();
    }
    return escaped;
}

bool globMatches(std::string_view pattern, std::string_view text) {
    std::size_t at = 0;
    std::size_t position = 0;
    std::size_t star = std::string_view::npos;
    std::size_t resume = 0;
    while (position < text.size()) {
        if (at < pattern.size() && pattern[at] == '*') {
            star = at++;
            resume = position;
            continue;
        }
        if (at < pattern.size() && matchesOne(pattern, at, text[position])) {
            ++position;
            continue;
        }
        if (star == std::string_view::npos) {
            return false;
        }
        at = star + 1;
        position = ++resume;
    }
    return pattern.find_first_not_of('*', at) == std::string_view::npos;
}

std::optional<std::string> nearestWord(std::string_view word,
                                       std::span<const std::string> candidates) {
    return nearestWord(
        word, candidates, std::max<std::size_t>(1, (word.size() + 1) / 3));
}

std::optional<std::string> nearestWord(std::string_view word,
                                       std::span<const std::string> candidates,
                                       std::size_t allowed) {
    std::optional<std::string> best;
    std::size_t bestDistance = allowed + 1;
    for (const std::string& candidate : candidates) {
        // Each letter more or less is an edit. A word of a megabyte costs nothing.
        if (word.size() > candidate.size() + allowed ||
            candidate.size() > word.size() + allowed) {
            continue;
        }
        const std::size_t distance = editDistance(word, candidate);
        if (distance < bestDistance) {
            bestDistance = distance;
            best = candidate;
        }
    }
    return best;
}

std::string_view trimmed(std::string_view text) {
    constexpr std::string_view kWhiteSpace = " \t\r\n\v\f";
    const std::size_t first = text.find_first_not_of(kWhiteSpace);
    if (first == std::string_view::npos) {
        return {};
    }
    return text.substr(first, text.find_last_not_of(kWhiteSpace) - first + 1);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> pieces;
    while (true) {
        const std::size_t end = text.find(separator);
        pieces.push_back(text.substr(0, end));
        if (end == std::string_view::npos) {
            return pieces;
        }
        text.remove_prefix(end + 1);
    }
}

std::optional<unsigned long long> parseUnsigned(std::string_view text, int base) {
    unsigned long long number = 0;
    const char* const end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, number, base);
    if (error != std::errc{} || stop != end || text.empty()) {
        return std::nullopt;
    }
    return number;
}

}  // namespace fabric
