// SPDX-License-Identifier: Apache-2.0
#include "doctor/metrics_text.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <system_error>
#include <utility>

namespace fabric::doctor {

namespace {

constexpr bool isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

constexpr bool isDigit(char c) {
    return c >= '0' && c <= '9';
}

// Printable characters, tabs and whole UTF-8 only.
bool isText(std::string_view line) {
    constexpr unsigned char kFirstPrintable = 0x20;
    constexpr unsigned char kDelete = 0x7F;
    for (std::size_t at = 0; at < line.size();) {
        const auto byte = static_cast<unsigned char>(line[at]);
        const bool ascii = byte == '\t' || (byte >= kFirstPrintable && byte < kDelete);
        const std::size_t length = ascii ? 1 : utf8Length(line, at);
        if (length == 0) {
            return false;
        }
        at += length;
    }
    return true;
}

std::optional<double> numberOf(std::string_view text) {
    if (text.starts_with('+')) {
        text.remove_prefix(1);
        if (text.starts_with('-')) {
            return std::nullopt;
        }
    }
    double value = 0;
    const char* const end = text.data() + text.size();
    const auto [stopped, error] = std::from_chars(text.data(), end, value);
    return error == std::errc{} && stopped == end && !text.empty()
               ? std::optional(value)
               : std::nullopt;
}

// One line with a sample: name{label="value",...} number [time]
class SampleLine {
  public:
    explicit SampleLine(std::string_view line) : rest_(line) {}

    // Adds it to `metrics`; what is wrong with it, "" nothing.
    [[nodiscard]] std::string_view addTo(Metrics& metrics) {
        const std::string_view name = word(true);
        if (name.empty()) {
            return "it does not begin with the name of a metric";
        }
        Labels labels;
        skipBlanks();
        if (take('{')) {
            if (const auto wrong = readLabels(labels); !wrong.empty()) {
                return wrong;
            }
        }
        const auto value = numberOf(untilBlank());
        if (!value) {
            return "there is no number where its value belongs";
        }
        const std::string_view time = untilBlank();
        const std::string_view digits = time.substr(time.starts_with('-') ? 1 : 0);
        if (!rest_.empty() || (!time.empty() && !parseUnsigned(digits))) {
            return "something stands behind its value that is no time";
        }
        auto& series = metrics[std::string(name)];
        return series.emplace(std::move(labels), *value).second
                   ? std::string_view{}
                   : "this metric was told before, with the same labels";
    }

  private:
    void skipBlanks() {
        while (rest_.starts_with(' ') || rest_.starts_with('\t')) {
            rest_.remove_prefix(1);
        }
    }

    bool take(char c) {
        const bool there = rest_.starts_with(c);
        rest_.remove_prefix(there ? 1 : 0);
        return there;
    }

    // A name; only that of a metric may hold colons. "" none.
    std::string_view word(bool colons) {
        skipBlanks();
        std::size_t length = 0;
        while (length < rest_.size() &&
               (isLetter(rest_[length]) || (colons && rest_[length] == ':') ||
                (length > 0 && isDigit(rest_[length])))) {
            ++length;
        }
        const std::string_view found = rest_.substr(0, length);
        rest_.remove_prefix(length);
        return found;
    }

    std::string_view untilBlank() {
        skipBlanks();
        const std::size_t length = std::min(rest_.find_first_of(" \t"), rest_.size());
        const std::string_view found = rest_.substr(0, length);
        rest_.remove_prefix(length);
        skipBlanks();
        return found;
    }

    [[nodiscard]] std::string_view readLabels(Labels& labels) {
        while (true) {
            const std::string_view name = word(false);
            skipBlanks();
            if (name.empty()) {
                return take('}') ? std::string_view{} : "a label has no name";
            }
            if (!take('=')) {
                return "a label has no value";
            }
            auto value = quoted();
            if (!value) {
                return "the value of a label is not quoted as it must be";
            }
            if (labels.size() == kMostLabels) {
                return "it has too many labels";
            }
            if (!labels.emplace(name, std::move(*value)).second) {
                return "a label stands there twice";
            }
            skipBlanks();
            if (!take(',')) {
                return take('}') ? std::string_view{} : "the labels have no end";
            }
        }
    }

    // Backslash, quote and line feed are escaped, and nothing else.
    std::optional<std::string> quoted() {
        skipBlanks();
        if (!take('"')) {
            return std::nullopt;
        }
        std::string value;
        while (!rest_.empty() && !rest_.starts_with('"')) {
            char c = rest_.front();
            rest_.remove_prefix(1);
            if (c == '\\') {
                const auto meant = escaped();
                if (!meant) {
                    return std::nullopt;
                }
                c = *meant;
            }
            value += c;
        }
        return take('"') ? std::optional(std::move(value)) : std::nullopt;
    }

    std::optional<char> escaped() {
        if (take('n')) {
            return '\n';
        }
        for (const char c : {'\\', '"'}) {
            if (take(c)) {
                return c;
            }
        }
        return std::nullopt;
    }

    std::string_view rest_;
};

// What is wrong with one line, "" nothing.
std::string_view readLine(std::string_view line, Metrics& metrics) {
    if (line.size() > kMostOfMetricsLine) {
        return "it is too long";
    }
    if (!isText(line)) {
        return "it holds bytes that are no text";
    }
    const std::string_view text = trimmed(line);
    return text.empty() || text.starts_with('#') ? std::string_view{}
                                                 : SampleLine(text).addTo(metrics);
}

Error malformed(std::size_t line, std::string_view what) {
    return {.kind = ErrorKind::malformed,
            .action = "understand the metrics",
            .subject = fmt::format("line {}", line),
            .sysErrno = 0,
            .detail = std::string(what),
            .advice = "is it the S3 port of an AIStor server, and not its console's?"};
}

}  // namespace

Result<Metrics> parseMetrics(std::string_view text) {
    Metrics metrics;
    std::size_t number = 0;
    std::size_t samples = 0;
    while (!text.empty()) {
        ++number;
        const std::size_t end = text.find('\n');
        if (end == std::string_view::npos) {
            return fail(malformed(number, "it has no end: the answer was cut off"));
        }
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end + 1);
        if (const auto wrong = readLine(line, metrics); !wrong.empty()) {
            return fail(malformed(number, wrong));
        }
        samples += line.empty() || line.starts_with('#') ? 0U : 1U;
        if (samples > kMostSamples) {
            return fail(malformed(number, "there are too many metrics"));
        }
    }
    return metrics;
}

}  // namespace fabric::doctor
