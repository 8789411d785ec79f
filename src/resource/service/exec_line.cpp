// SPDX-License-Identifier: Apache-2.0
#include "resource/service/exec_line.hpp"

#include <algorithm>
#include <optional>
#include <utility>

namespace fabric::resource::service {

namespace {

constexpr std::string_view kPrefixes = "@-:+!|";
constexpr std::string_view kBlank = " \t";

bool isBlank(char letter) {
    return kBlank.contains(letter);
}

// Words as extract_first_word() of systemd (src/basic/extract-word.c) parts them with
// EXTRACT_UNQUOTE: quotes may begin anywhere in a word.
class WordScanner {
  public:
    explicit WordScanner(std::string_view text) : text_(text) {}

    // std::nullopt when a quotation mark is open at the end.
    std::optional<std::vector<ExecWord>> scan() {
        while (skipBlanks()) {
            ExecWord word{.text = {}, .begin = at_};
            if (!takeWord(word)) {
                return std::nullopt;
            }
            word.size = at_ - word.begin;
            words_.push_back(std::move(word));
        }
        return std::move(words_);
    }

  private:
    bool skipBlanks() {
        at_ = std::min(text_.find_first_not_of(kBlank, at_), text_.size());
        return at_ < text_.size();
    }

    bool takeWord(ExecWord& word) {
        while (at_ < text_.size() && !isBlank(text_[at_])) {
            const char letter = text_[at_];
            if (letter == '"' || letter == '\'') {
                if (!takeQuoted(letter, word)) {
                    return false;
                }
            } else {
                takeLetter(word);
            }
        }
        return true;
    }

    bool takeQuoted(char quote, ExecWord& word) {
        word.plain = false;
        for (++at_; at_ < text_.size() && text_[at_] != quote;) {
            takeLetter(word);
        }
        return at_++ < text_.size();
    }

    void takeLetter(ExecWord& word) {
        const bool escaped = text_[at_] == '\\' && at_ + 1 < text_.size();
        at_ += escaped ? 1 : 0;
        word.plain = word.plain && !escaped && text_[at_] != '%';
        word.text += text_[at_++];
    }

    std::string_view text_;
    std::size_t at_ = 0;
    std::vector<ExecWord> words_;
};

std::string doubled(std::string_view text, char letter) {
    std::string result;
    for (const char one : text) {
        result += one;
        if (one == letter) {
            result += one;
        }
    }
    return result;
}

}  // namespace

std::vector<std::string> ExecLine::command() const {
    std::vector<std::string> result;
    for (std::size_t at = 0; at < words.size(); ++at) {
        if (at != 1 || !namesItself()) {
            result.push_back(words[at].text);
        }
    }
    return result;
}

bool ExecLine::plain() const {
    return std::ranges::all_of(words, &ExecWord::plain);
}

std::expected<ExecLine, std::string> parseExecLine(std::string_view value) {
    ExecLine line;
    const std::size_t begin =
        std::min(value.find_first_not_of(kPrefixes), value.size());
    line.prefix = value.substr(0, begin);
    line.text = value.substr(begin);
    auto words = WordScanner(line.text).scan();
    if (!words) {
        return std::unexpected("has a quotation mark that nothing closes");
    }
    line.words = std::move(*words);
    if (line.words.empty() || line.words.front().text.empty()) {
        return std::unexpected("names no program");
    }
    const bool several = std::ranges::any_of(line.words, [&](const ExecWord& word) {
        return std::string_view(line.text).substr(word.begin, word.size) == ";";
    });
    if (several) {
        return std::unexpected("holds several commands, parted by a semicolon");
    }
    return line;
}

std::string withProgram(const ExecLine& line,
                        std::size_t nth,
                        std::string_view program) {
    const ExecWord& word = line.words.at(line.placeOf(nth));
    const bool expands = line.prefix.find(':') == std::string::npos;
    std::string text = line.text;
    text.replace(word.begin,
                 word.size,
                 quotedWord(expands ? loadedProgram(nth, program) : program));
    return line.prefix + text;
}

std::string loadedProgram(std::size_t nth, std::string_view program) {
    return nth == 0 ? std::string(program) : doubled(program, '$');
}

std::string quotedWord(std::string_view path) {
    std::string word;
    bool quote = false;
    for (const char letter : path) {
        quote = quote || isBlank(letter) || letter == '"' || letter == '\'' ||
                letter == '\\' || letter == ';';
        if (letter == '"' || letter == '\\') {
            word += '\\';
        }
        if (letter == '%') {
            word += '%';
        }
        word += letter;
    }
    return quote ? '"' + word + '"' : word;
}

}  // namespace fabric::resource::service
