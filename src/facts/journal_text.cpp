// SPDX-License-Identifier: Apache-2.0
#include "facts/journal_text.hpp"

#include "base/text.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace fabric::facts {

namespace {

constexpr std::size_t kMostLines = 2000;
constexpr std::size_t kMostBytes = std::size_t{512} << 10U;
constexpr std::int64_t kMicro = 1'000'000;

// Begins of the words by which drivers and layers name themselves.
constexpr std::array<std::string_view, 14> kBegins{"bnxt",
                                                   "dcb",
                                                   "ib_",
                                                   "infiniband",
                                                   "irdma",
                                                   "iw_",
                                                   "mlx4",
                                                   "mlx5",
                                                   "nvidia_peermem",
                                                   "pfc",
                                                   "rdma",
                                                   "roce",
                                                   "rxe",
                                                   "siw"};

bool isWordLetter(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

bool isTelling(std::string_view word) {
    return word == "ice" || std::ranges::any_of(kBegins, [&](std::string_view begin) {
               return word.starts_with(begin);
           });
}

// A journal may hold any number: what no calendar has stands at its end.
std::string timeText(std::int64_t wallUs) {
    constexpr std::int64_t kLast = 253'402'300'799 * kMicro;  // of the year 9999
    wallUs = std::clamp<std::int64_t>(wallUs, 0, kLast);
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}.{:06}Z",
                       fmt::gmtime(static_cast<std::time_t>(wallUs / kMicro)),
                       wallUs % kMicro);
}

}  // namespace

bool isAboutRdma(std::string_view message) {
    std::string word;
    for (const char letter : message) {
        if (isWordLetter(letter)) {
            word += static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
            continue;
        }
        if (isTelling(word)) {
            return true;
        }
        word.clear();
    }
    return isTelling(word);
}

host::JournalQuery bundleQuery(std::vector<std::string> units) {
    return {.units = std::move(units),
            .ofKernel = isAboutRdma,
            .lines = kMostLines,
            .bytes = kMostBytes};
}

std::string journalText(const host::JournalLines& journal) {
    std::string text = journal.cut ? "# older lines were left out\n" : "";
    for (const host::JournalLine& line : journal.lines) {
        text += fmt::format(
            "{} {}: ", timeText(line.wallUs), escapeForTerminal(line.source));
        std::string_view indent;
        for (const std::string_view part : split(trimmed(line.message), '\n')) {
            text += fmt::format("{}{}\n", indent, escapeForTerminal(part));
            indent = "    ";
        }
    }
    return text;
}

}  // namespace fabric::facts
