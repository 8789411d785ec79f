// SPDX-License-Identifier: Apache-2.0
// Prints a libFuzzer dictionary of the profile language, made from the table of keys.
#include "profile/keys.hpp"

#include <cstdio>
#include <set>

namespace {

using fabric::profile::Key;

void addKey(const Key& key, std::set<std::string>& words) {
    words.insert(std::string(fabric::profile::leafOf(key)) + ":");
    for (const auto& type : {key.value, key.index}) {
        for (const std::string& word : fabric::profile::wordsOf(type)) {
            words.insert(word);
        }
    }
    if (!key.standard.empty()) {
        words.insert(std::string(key.standard));
    }
}

std::string entry(const std::string& word) {
    std::string quoted = "\"";
    for (const char letter : word) {
        quoted += letter == '"' || letter == '\\' ? "\\" : "";
        quoted += letter;
    }
    return quoted + "\"\n";
}

}  // namespace

int main() {
    std::set<std::string> words{"version: 1",
                                "name: ",
                                "null",
                                "{ ",
                                " }",
                                "[",
                                "]",
                                "- ",
                                "&a ",
                                "*a",
                                "<<: ",
                                "---",
                                "# "};
    for (const Key& key : fabric::profile::allKeys()) {
        addKey(key, words);
    }
    for (const std::string& word : words) {
        if (!word.empty()) {
            std::fputs(entry(word).c_str(), stdout);
        }
    }
    return 0;
}
