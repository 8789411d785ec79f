// SPDX-License-Identifier: Apache-2.0
#include "resource/arp/persistent_file.hpp"

#include "base/text.hpp"
#include "resource/arp/sysctl_merge.hpp"

namespace fabric::resource::arp {

namespace {

constexpr std::string_view kPrefix = "net/ipv4/conf/";
constexpr std::string_view kGlobCharacters = "*?[";

constexpr std::string_view kHead =
    "# Written by fabricctl from the arp section of its profile; the next\n"
    "# 'fabricctl apply' replaces the whole file. The spelling with slashes keeps\n"
    "# interface names with dots whole (sysctl.d(5)).\n";

// "r[*]x" as "r*x".
std::string withoutSets(std::string_view text) {
    std::string name;
    while (!text.empty()) {
        const bool set = text.size() >= 3 && text[0] == '[' && text[2] == ']';
        name += set ? text[1] : text[0];
        text.remove_prefix(set ? 3 : 1);
    }
    return name;
}

}  // namespace

std::optional<std::string> fileKey(std::string_view interface, std::string_view name) {
    const bool pattern = interface.find_first_of(kGlobCharacters) != std::string::npos;
    if (interface.contains('=') || (pattern && interface.contains('\\'))) {
        return std::nullopt;
    }
    std::string key(kPrefix);
    for (const char character : interface) {
        if (kGlobCharacters.contains(character)) {
            key += '[';
            key += character;
            key += ']';
        } else {
            key += character;
        }
    }
    return key + "/" + std::string(name);
}

Stanzas parseStanzas(const std::string& text) {
    Stanzas stanzas;
    for (const SysctlLine& line : linesOf({.path = {}, .text = text})) {
        const std::size_t slash = line.key.rfind('/');
        if (line.value && line.key.starts_with(kPrefix) && slash > kPrefix.size()) {
            const std::string interface = withoutSets(std::string_view(line.key).substr(
                kPrefix.size(), slash - kPrefix.size()));
            stanzas[interface][line.key.substr(slash + 1)] = *line.value;
        }
    }
    return stanzas;
}

std::string render(const Stanzas& stanzas) {
    std::string text(kHead);
    for (const auto& [interface, values] : stanzas) {
        std::string lines;
        for (const auto& [name, value] : values) {
            if (const auto key = fileKey(interface, name)) {
                lines += *key + " = " + value + "\n";
            }
        }
        text += lines.empty() ? "" : "\n" + lines;
    }
    return text;
}

std::string leaveLinesOf(const std::set<std::string>& interfaces,
                         const std::string& present,
                         const std::string& wanted) {
    const Stanzas now = parseStanzas(present);
    Stanzas stanzas = parseStanzas(wanted);
    for (const std::string& interface : interfaces) {
        stanzas.erase(interface);
        if (const auto stanza = now.find(interface); stanza != now.end()) {
            stanzas.insert(*stanza);
        }
    }
    return render(stanzas);
}

}  // namespace fabric::resource::arp
