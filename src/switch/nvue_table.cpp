// SPDX-License-Identifier: Apache-2.0
// Tables as NVUE prints them: columns stand where a line of dashes says. The first one
// has a property per line, nested by indentation, with a column for what is operational
// and one for what was applied; those with a title have a header and rows.
#include "switch/nvue_table.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <utility>
#include <vector>

namespace fabric::switches {

namespace {

struct Column {
    std::size_t start = 0;
    std::string name;  // in lower case
};

std::string lowerCase(std::string_view text) {
    std::string lower(text);
    std::ranges::transform(lower, lower.begin(), [](char letter) {
        return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a')
                                              : letter;
    });
    return lower;
}

bool consistsOf(std::string_view line, char letter) {
    const std::string_view text = trimmed(line);
    return !text.empty() && std::ranges::all_of(text, [&](char one) {
        return one == letter || one == ' ';
    });
}

std::string cell(std::string_view line,
                 const std::vector<Column>& columns,
                 std::size_t at) {
    const std::size_t start = columns.at(at).start;
    if (start >= line.size()) {
        return {};
    }
    const std::size_t end =
        at + 1 < columns.size() ? columns.at(at + 1).start : line.size();
    return std::string(trimmed(line.substr(start, end - start)));
}

std::vector<Column> columnsOf(std::string_view dashes, std::string_view header) {
    std::vector<Column> columns;
    for (std::size_t at = 0; at < dashes.size(); ++at) {
        if (dashes[at] == '-' && (at == 0 || dashes[at - 1] != '-')) {
            columns.push_back({.start = at, .name = {}});
        }
    }
    for (std::size_t at = 0; at < columns.size(); ++at) {
        columns[at].name = lowerCase(cell(header, columns, at));
    }
    return columns;
}

// Releases print the first table with a line of dashes or without.
std::vector<Column> columnsOfWords(std::string_view header) {
    constexpr std::array<std::string_view, 4> kWords{
        "operational", "applied", "pending", "description"};
    std::vector<Column> columns{{.start = 0, .name = {}}};
    for (const std::string_view word : kWords) {
        if (const std::size_t at = header.find(word); at != std::string_view::npos) {
            columns.push_back({.start = at, .name = std::string(word)});
        }
    }
    std::ranges::sort(columns, {}, &Column::start);
    return columns;
}

std::string tableOf(std::string_view title) {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kTitles{
        {{"PCP/DSCP->SP", "prio-map"},
         {"SP->TC", "tc-map"},
         {"ECN Configurations", "traffic-class"}}};
    const auto* const known = std::ranges::find_if(kTitles, [&](const auto& one) {
        return title.find(one.first) != std::string_view::npos;
    });
    return known == kTitles.end() ? std::string() : std::string(known->second);
}

std::string propertyOf(const std::string& column) {
    return column == "min th"   ? "min-threshold"
           : column == "max th" ? "max-threshold"
                                : column;
}

class Reading {
  public:
    explicit Reading(std::string_view text) : lines_(split(text, '\n')) {}

    NvueValues read() {
        for (at_ = 0; at_ < lines_.size(); ++at_) {
            const std::string_view line = lines_[at_];
            if (trimmed(line).empty()) {
                inRows_ = false;
            } else if (consistsOf(next(), '=')) {
                beginTable();
            } else if (isPropertyHeader(line)) {
                beginProperties();
            } else if (inRows_) {
                readRow(line);
            } else if (!properties_.empty() && !consistsOf(line, '-')) {
                readProperty(line);
            }
        }
        return std::move(values_);
    }

  private:
    [[nodiscard]] std::string_view next() const {
        return at_ + 1 < lines_.size() ? lines_[at_ + 1] : std::string_view();
    }

    static bool isPropertyHeader(std::string_view line) {
        const std::string_view text = trimmed(line);
        return text.starts_with("operational") || text.starts_with("applied");
    }

    void beginProperties() {
        properties_ = consistsOf(next(), '-') ? columnsOf(next(), lines_[at_])
                                              : columnsOfWords(lines_[at_]);
        section_.clear();
        inRows_ = false;
    }

    // The title, a line of =, the header, a line of dashes, rows.
    void beginTable() {
        constexpr std::size_t kHeader = 2;
        constexpr std::size_t kDashes = 3;
        table_ = tableOf(lines_[at_]);
        properties_.clear();
        rows_.clear();
        inRows_ = false;
        row_ = 0;
        if (at_ + kDashes < lines_.size() && consistsOf(lines_[at_ + kDashes], '-')) {
            rows_ = columnsOf(lines_[at_ + kDashes], lines_[at_ + kHeader]);
            inRows_ = true;
            at_ += kDashes;
        } else {
            ++at_;
        }
    }

    void readRow(std::string_view line) {
        if (table_.empty()) {
            return;
        }
        std::string name = std::to_string(row_++);
        for (std::size_t at = 0; at < rows_.size(); ++at) {
            if (table_ == "traffic-class" && rows_[at].name == table_) {
                name = cell(line, rows_, at);
            }
        }
        for (std::size_t at = 0; at < rows_.size(); ++at) {
            if (!rows_[at].name.empty()) {
                values_[fmt::format(
                    "{}/{}/{}", table_, name, propertyOf(rows_[at].name))] =
                    cell(line, rows_, at);
            }
        }
    }

    void readProperty(std::string_view line) {
        const std::string key = cell(line, properties_, 0);
        if (key.empty() || key.contains(' ')) {
            return;  // a prompt, say
        }
        const bool nested = line.starts_with(' ');
        if (!nested) {
            section_ = key;
        }
        std::string value;
        for (const std::string_view column : {"operational", "applied"}) {
            const auto found = std::ranges::find(properties_, column, &Column::name);
            if (value.empty() && found != properties_.end()) {
                value = cell(line,
                             properties_,
                             static_cast<std::size_t>(found - properties_.begin()));
            }
        }
        if (!value.empty()) {
            values_[nested && !section_.empty() ? section_ + "/" + key : key] = value;
        }
    }

    std::vector<std::string_view> lines_;
    std::size_t at_ = 0;
    std::vector<Column> properties_;  // empty: in no table of properties
    std::string section_;
    std::vector<Column> rows_;
    std::string table_;  // "": one of no interest
    bool inRows_ = false;
    std::size_t row_ = 0;
    NvueValues values_;
};

}  // namespace

NvueValues tableValues(std::string_view text) {
    return Reading(text).read();
}

}  // namespace fabric::switches
