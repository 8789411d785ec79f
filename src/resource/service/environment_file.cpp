// SPDX-License-Identifier: Apache-2.0
#include "resource/service/environment_file.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <utility>

namespace fabric::resource::service {

namespace {

constexpr std::string_view kBlank = " \t\r";

// One pass over the text; each method takes one construct and leaves `at_` behind it.
class Scanner {
  public:
    explicit Scanner(std::string_view text) : text_(text) {}

    Variables scan() {
        while (!done()) {
            if (here() == '\n' || isBlank(here())) {
                ++at_;
            } else if (here() == '#' || here() == ';') {
                skipComment();
            } else {
                takeAssignment();
            }
        }
        return std::move(variables_);
    }

  private:
    [[nodiscard]] bool done() const { return at_ >= text_.size(); }

    [[nodiscard]] char here() const { return text_[at_]; }

    static bool isBlank(char letter) {
        return kBlank.find(letter) != std::string_view::npos;
    }

    // A backslash joins the next line to a comment too.
    void skipComment() {
        while (!done() && here() != '\n') {
            at_ += here() == '\\' ? 2 : 1;
        }
    }

    void takeAssignment() {
        const std::size_t begin = at_;
        at_ = std::min(text_.find_first_of("=\n", at_), text_.size());
        if (done() || here() == '\n') {
            return;  // a line without "=" means nothing
        }
        const std::string name(trimmed(text_.substr(begin, at_ - begin)));
        ++at_;
        variables_.emplace_back(name, takeValue());
    }

    // Quotes count at the beginning and behind other quotes, and so do blanks in front
    // of a value; behind the first other letter both are letters (src/basic/env-file.c
    // of systemd, PRE_VALUE and VALUE).
    std::string takeValue() {
        std::string value;
        std::size_t kept = 0;  // up to here no trailing white space is cut
        bool begins = true;
        while (!done() && here() != '\n') {
            const char letter = here();
            if (begins && isBlank(letter)) {
                ++at_;
            } else if (begins && (letter == '"' || letter == '\'')) {
                takeQuoted(letter, value);
                kept = value.size();
            } else if (letter == '\\') {
                begins = false;
                takeEscaped(value);
                kept = value.size();
            } else {
                begins = false;
                value += letter;
                kept = isBlank(letter) ? kept : value.size();
                ++at_;
            }
        }
        value.resize(kept);
        return value;
    }

    void takeEscaped(std::string& value) {
        ++at_;
        if (!done()) {
            if (here() != '\n') {
                value += here();
            }
            ++at_;
        }
    }

    void takeQuoted(char quote, std::string& value) {
        ++at_;
        while (!done() && here() != quote) {
            if (quote == '"' && here() == '\\') {
                takeEscapedInQuotes(value);
            } else {
                value += here();
                ++at_;
            }
        }
        ++at_;
    }

    void takeEscapedInQuotes(std::string& value) {
        ++at_;
        if (done()) {
            return;
        }
        constexpr std::string_view kEscapable = "\"\\`$";
        if (here() != '\n') {
            value += kEscapable.find(here()) == std::string_view::npos ? "\\" : "";
            value += here();
        }
        ++at_;
    }

    std::string_view text_;
    std::size_t at_ = 0;
    Variables variables_;
};

}  // namespace

Variables parseEnvironmentFile(std::string_view text) {
    return Scanner(text).scan();
}

std::string renderEnvironmentFile(const std::map<std::string, std::string>& variables) {
    std::string text =
        "# Written by fabricctl; fabricctl-profile(5), service.environment.\n";
    for (const auto& [name, value] : variables) {
        text += name + "=\"";
        for (const char letter : value) {
            text += std::string_view("\"\\`$").contains(letter) ? "\\" : "";
            text += letter;
        }
        text += "\"\n";
    }
    return text;
}

std::map<std::string, std::string> parseProcessEnvironment(std::string_view text) {
    std::map<std::string, std::string> variables;
    for (const std::string_view entry : split(text, '\0')) {
        if (const std::size_t equals = entry.find('='); equals != entry.npos) {
            variables.emplace(entry.substr(0, equals), entry.substr(equals + 1));
        }
    }
    return variables;
}

bool isCarriedVariable(std::string_view name) {
    return name.starts_with("MINIO_RDMA_") || name == "MINIO_CONFIG_ENV_FILE";
}

std::string shownValue(std::string_view name,
                       std::string_view value,
                       std::string_view wanted) {
    if (isCarriedVariable(name)) {
        return std::string(value);
    }
    return value == wanted ? "the profile's value" : "another value";
}

}  // namespace fabric::resource::service
