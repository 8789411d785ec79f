// SPDX-License-Identifier: Apache-2.0
#include "facts/secrets.hpp"

#include "base/text.hpp"
#include "resource/service/environment_file.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace fabric::facts {

namespace {

namespace service = resource::service;

constexpr std::string_view kBlank = " \t";
constexpr std::string_view kQuotes = "\"'";

char lowered(char letter) {
    return letter >= 'A' && letter <= 'Z' ? static_cast<char>(letter - 'A' + 'a')
                                          : letter;
}

bool isNameLetter(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_' ||
           letter == '-' || letter == '.';
}

// "MINIO_ROOT_PASSWORD": how variables of the environment are spelled.
bool isVariableName(std::string_view name) {
    return name.contains('_') &&
           std::isupper(static_cast<unsigned char>(name.front())) != 0 &&
           std::ranges::all_of(name, [](char letter) {
               return letter == '_' || (letter >= 'A' && letter <= 'Z') ||
                      (letter >= '0' && letter <= '9');
           });
}

bool speaksOfSecrets(std::string_view name) {
    constexpr std::array<std::string_view, 16> kParts{"passw",
                                                      "passphrase",
                                                      "rootpass",
                                                      "rootuser",
                                                      "secret",
                                                      "token",
                                                      "credential",
                                                      "authorization",
                                                      "apikey",
                                                      "api-key",
                                                      "api_key",
                                                      "accesskey",
                                                      "access-key",
                                                      "access_key",
                                                      "license",
                                                      "signature"};
    std::string plain(name);
    std::ranges::transform(plain, plain.begin(), lowered);
    return std::ranges::any_of(
        kParts, [&](std::string_view part) { return plain.contains(part); });
}

// What the service manager, the shell and the login set, which is told elsewhere or
// says nothing.
bool isOrdinaryVariable(std::string_view name) {
    constexpr std::array<std::string_view, 14> kOrdinary{"HOME",
                                                         "INVOCATION_ID",
                                                         "JOURNAL_STREAM",
                                                         "LANG",
                                                         "LISTEN_PID",
                                                         "LOGNAME",
                                                         "NOTIFY_SOCKET",
                                                         "PATH",
                                                         "PWD",
                                                         "SHELL",
                                                         "SHLVL",
                                                         "SYSTEMD_EXEC_PID",
                                                         "TERM",
                                                         "USER"};
    return std::ranges::find(kOrdinary, name) != kOrdinary.end();
}

// Short values, and words that any text may hold, are found by their names alone.
bool isTelling(std::string_view value) {
    constexpr std::size_t kShortest = 6;
    constexpr std::array<std::string_view, 4> kWords{
        "server", "minioadmin", "enabled", "disabled"};
    return value.size() >= kShortest &&
           std::ranges::find(kWords, value) == kWords.end();
}

// The end of what is assigned from `at` on: of a text in quotes its quote, after "="
// the next blank, after ":" the end of the line.
std::size_t endOfValue(std::string_view text, std::size_t at, char separator) {
    const std::size_t line = std::min(text.find('\n', at), text.size());
    if (at < line && kQuotes.contains(text[at])) {
        return std::min(text.find(text[at], at + 1), line);
    }
    return separator == '=' ? std::min(text.find_first_of(" \t\n\"'&", at), line)
                            : line;
}

// The name before a separator, which a quote may close.
std::string_view nameBefore(std::string_view text, std::size_t separator) {
    std::size_t end = separator;
    while (end > 0 &&
           (kBlank.contains(text[end - 1]) || kQuotes.contains(text[end - 1]))) {
        --end;
    }
    std::size_t begin = end;
    while (begin > 0 && isNameLetter(text[begin - 1])) {
        --begin;
    }
    return text.substr(begin, end - begin);
}

void replaceRange(std::string& text, std::size_t begin, std::size_t end) {
    text.replace(begin, end - begin, kLeftOut);
}

// "NAME=value", "name: value", "\"name\":\"value\"".
void hideAssigned(std::string& text) {
    for (std::size_t at = text.find_first_of("=:"); at != std::string::npos;
         at = text.find_first_of("=:", at + 1)) {
        const std::string_view name = nameBefore(text, at);
        // "MLX5_EVENT: x" of a driver is no variable.
        const bool assigned =
            text[at] == '=' || (at > 0 && kQuotes.contains(text[at - 1]));
        if (!Secrets::isSecretName(name) || !(assigned || speaksOfSecrets(name))) {
            continue;
        }
        std::size_t begin = at + 1;
        while (begin < text.size() && kBlank.contains(text[begin])) {
            ++begin;
        }
        const std::size_t end = endOfValue(text, begin, text[at]);
        const bool quoted = begin < end && kQuotes.contains(text[begin]);
        begin += quoted ? 1 : 0;
        if (begin < end) {
            replaceRange(text, begin, end);
        }
    }
}

// "--secret-key value".
void hideArguments(std::string& text) {
    for (std::size_t at = text.find("--"); at != std::string::npos;
         at = text.find("--", at + 2)) {
        std::size_t end = at + 2;
        while (end < text.size() && isNameLetter(text[end])) {
            ++end;
        }
        if (end < text.size() && kBlank.contains(text[end]) &&
            Secrets::isSecretName(
                std::string_view(text).substr(at + 2, end - at - 2))) {
            const std::size_t begin = text.find_first_not_of(kBlank, end);
            if (begin != std::string::npos) {
                replaceRange(text, begin, endOfValue(text, begin, '='));
            }
        }
    }
}

// "https://user:password@node1".
void hideUserInfo(std::string& text) {
    constexpr std::string_view kMark = "://";
    for (std::size_t at = text.find(kMark); at != std::string::npos;
         at = text.find(kMark, at + 1)) {
        const std::size_t begin = at + kMark.size();
        const std::size_t blank =
            std::min(text.find_first_of(" \t\n\"'<>", begin), text.size());
        // The last one: a password may hold the others, unescaped.
        const std::size_t host = text.rfind('@', blank);
        if (host != std::string::npos && host > begin && host < blank) {
            replaceRange(text, begin, host);
        }
    }
}

// The rest of the line behind a mark.
void hideRest(std::string& text, std::string_view mark) {
    for (std::size_t at = text.find(mark); at != std::string::npos;
         at = text.find(mark, at + mark.size())) {
        const std::size_t begin = at + mark.size();
        replaceRange(text, begin, std::min(text.find('\n', begin), text.size()));
    }
}

}  // namespace

bool Secrets::isSecretName(std::string_view name) {
    return !service::isCarriedVariable(name) &&
           (isVariableName(name) || speaksOfSecrets(name));
}

void Secrets::learn(std::string_view name, std::string_view value) {
    constexpr std::string_view kExport = "export ";
    name = name.starts_with(kExport) ? trimmed(name.substr(kExport.size())) : name;
    if (service::isCarriedVariable(name) || isOrdinaryVariable(name)) {
        return;
    }
    if (isTelling(value)) {
        values_.emplace(value);
    }
    // Of several words each is one: volumes, options. A name of an option is none.
    for (std::string_view rest = trimmed(value); !rest.empty();) {
        const std::string_view word = rest.substr(0, rest.find_first_of(" \t\n"));
        if (isTelling(word) && !word.starts_with('-')) {
            values_.emplace(word);
        }
        rest = trimmed(rest.substr(word.size()));
    }
}

void Secrets::learnFile(std::string_view text) {
    for (const auto& [name, value] : service::parseEnvironmentFile(text)) {
        learn(name, value);
    }
}

void Secrets::learnProcess(std::string_view environ) {
    for (const auto& [name, value] : service::parseProcessEnvironment(environ)) {
        learn(name, value);
    }
}

void Secrets::hideKnown(std::string& text) const {
    for (const std::string& value : values_) {
        for (std::size_t at = text.find(value); at != std::string::npos;
             at = text.find(value, at + kLeftOut.size())) {
            replaceRange(text, at, at + value.size());
        }
    }
}

std::string Secrets::masked(std::string_view text) const {
    std::string hidden(text);
    hideKnown(hidden);
    hideUserInfo(hidden);
    hideArguments(hidden);
    hideAssigned(hidden);
    hideRest(hidden, "Bearer ");
    hideRest(hidden, "mc alias set ");
    return hidden;
}

Value Secrets::masked(const Value& tree) const {
    if (const std::string* const text = tree.asText()) {
        return masked(std::string_view(*text));
    }
    if (const Value::List* const list = tree.asList()) {
        Value::List hidden;
        std::ranges::transform(*list,
                               std::back_inserter(hidden),
                               [&](const Value& one) { return masked(one); });
        return hidden;
    }
    if (const Value::Object* const object = tree.asObject()) {
        Value::Object hidden;
        for (const auto& [name, member] : *object) {
            const bool secret = member.asText() != nullptr && isSecretName(name);
            hidden.emplace(masked(std::string_view(name)),
                           secret ? Value(kLeftOut) : masked(member));
        }
        return hidden;
    }
    return tree;
}

}  // namespace fabric::facts
