// SPDX-License-Identifier: Apache-2.0
#include "linux/service_log.hpp"

#include "linux/journal_access.hpp"
#include "linux/service_log_search.hpp"

#include <array>
#include <cstddef>
#include <optional>
#include <string>

namespace fabric::linux_host {

namespace {

// The entries of one unit in this boot.
class UnitEntries : public LineSource {
  public:
    explicit UnitEntries(sd_journal* journal) : journal_(journal) {}

    [[nodiscard]] Result<std::optional<host::ServiceLine>> next() override {
        return entry(sd_journal_next(journal_));
    }

    [[nodiscard]] Result<void> toEnd() override {
        return checked(sd_journal_seek_tail(journal_));
    }

    [[nodiscard]] Result<std::optional<host::ServiceLine>> previous() override {
        return entry(sd_journal_previous(journal_));
    }

  private:
    [[nodiscard]] Result<std::optional<host::ServiceLine>> entry(int step) {
        TRY(checked(step));
        if (step == 0) {
            return std::nullopt;
        }
        host::ServiceLine line{.message = fieldOf(journal_, "MESSAGE"),
                               .monotonicUs = 0};
        TRY(checked(
            sd_journal_get_monotonic_usec(journal_, &line.monotonicUs, nullptr)));
        return line;
    }

    sd_journal* journal_;
};

// Why the journal does not hold what was written then; "": it does.
std::string begunAfter(sd_journal* journal, sd_id128_t boot, std::uint64_t sinceUs) {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
    const int found = sd_journal_get_cutoff_monotonic_usec(journal, boot, &from, &to);
    return found > 0 && from <= sinceUs
               ? ""
               : "the journal does not reach back to when it was started";
}

}  // namespace

Result<host::ServiceLines> JournalServiceLog::lines(
    std::string_view unit,
    std::uint64_t sinceUs,
    std::span<const std::string_view> words) const {
    constexpr std::size_t kMostOfLine = 16384;  // bytes
    const Journal opened = TRY(openJournal());
    sd_journal* const journal = opened.get();
    const sd_id128_t boot = TRY(bootId());
    const std::array<std::string, 2> matches{TRY(bootMatch()),
                                             "_SYSTEMD_UNIT=" + std::string(unit)};
    TRY(checked(sd_journal_set_data_threshold(journal, kMostOfLine)));
    TRY(addMatches(journal, matches));
    TRY(checked(sd_journal_seek_monotonic_usec(journal, boot, sinceUs)));
    UnitEntries entries(journal);
    auto found = TRY(searchLines(entries, sinceUs, words, {}));
    if (const auto begun = begunAfter(journal, boot, sinceUs); !begun.empty()) {
        found.gap = begun;
    }
    return found;
}

}  // namespace fabric::linux_host
