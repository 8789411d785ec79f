// SPDX-License-Identifier: Apache-2.0
#include "facts/learnt_names.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <string>

namespace fabric::facts {

namespace {

bool isOneOf(std::string_view word, const auto& words) {
    return std::ranges::find(words, word) != words.end();
}

bool isDeviceName(std::string_view name) {
    constexpr std::size_t kLongest = 63;  // of an RDMA device; an interface has 15
    // Where no device is named: "neighbour/peers-from", "conf/all".
    constexpr std::array<std::string_view, 6> kOthers{
        "peers-from", "host", "expect", "control", "all", "default"};
    return !name.empty() && name.size() <= kLongest && !isOneOf(name, kOthers) &&
           !isUsualInterface(name) && !isUsualRdmaDevice(name) &&
           std::ranges::all_of(name, [](char letter) {
               return std::isalnum(static_cast<unsigned char>(letter)) != 0 ||
                      std::string_view("_-.").contains(letter);
           });
}

// Whose devices are interfaces and no units, modules or PCI functions.
bool isOfRails(std::string_view kind) {
    constexpr std::array<std::string_view, 7> kKinds{
        "mtu", "pause", "dcb", "ecn", "rdma-cm", "arp", "neighbour"};
    return isOneOf(kind, kKinds);
}

// "dcb/storage1/pfc"
void learnId(std::string_view id, NameDisguise& names) {
    const auto parts = split(id, '/');
    if (parts.size() > 1 && isOfRails(parts[0])) {
        learnDevices(parts[1], names);
    }
}

std::string_view textOf(const Value* value) {
    const std::string* const text = value == nullptr ? nullptr : value->asText();
    return text == nullptr ? std::string_view{} : std::string_view(*text);
}

// {"name", "path", "extends": [{"path"}]}, or the path alone.
void learnProfile(const Value& profile, NameDisguise& names) {
    names.addProfile(textOf(profile.member("name")));
    learnProfilePath(textOf(profile.member("path")), names);
    learnProfilePath(textOf(&profile), names);
    const Value* const extended = profile.member("extends");
    if (extended == nullptr || extended->asList() == nullptr) {
        return;
    }
    for (const Value& one : *extended->asList()) {
        learnProfilePath(textOf(one.member("path")), names);
    }
}

void learnMember(std::string_view name,
                 const Value& value,
                 std::string_view kind,
                 NameDisguise& names) {
    constexpr std::array<std::string_view, 3> kDevices{"rail", "rdma", "interface"};
    if (isOneOf(name, kDevices) ||
        (name == "device" && (kind.empty() || isOfRails(kind)))) {
        learnDevices(textOf(&value), names);
    } else if (name == "id") {
        learnId(textOf(&value), names);
    } else if (name == "profile") {
        learnProfile(value, names);
    } else if (name == "resources" && value.asList() != nullptr) {
        for (const Value& id : *value.asList()) {
            learnId(textOf(&id), names);
        }
    }
}

}  // namespace

void learnDevices(std::string_view text, NameDisguise& names) {
    for (std::string_view name : split(text, ',')) {
        while (name.starts_with(' ')) {
            name.remove_prefix(1);
        }
        if (isDeviceName(name)) {
            names.addInterface(name);
        }
    }
}

void learnConfigured(std::string_view text, NameDisguise& names) {
    for (const std::string_view mark : {"/conf/", "/neigh/", ".conf.", ".neigh."}) {
        for (std::size_t at = text.find(mark); at != std::string_view::npos;
             at = text.find(mark, at + 1)) {
            const std::string_view before = text.substr(0, at);
            if (!before.ends_with("ipv4") && !before.ends_with("ipv6")) {
                continue;
            }
            const std::string_view rest = text.substr(at + mark.size());
            // Between dots a slash stands for the dot of a name (sysctl.d(5)).
            const std::string_view name = rest.substr(
                0, rest.find_first_of(mark.front() == '/' ? "/ \t\n=" : "./ \t\n="));
            learnDevices(name, names);
        }
    }
}

void learnProfilePath(std::string_view path, NameDisguise& names) {
    std::string_view name = path.substr(path.rfind('/') + 1);
    for (const std::string_view ending : {".yaml", ".yml"}) {
        if (name.ends_with(ending)) {
            name.remove_suffix(ending.size());
            names.addProfile(name);
        }
    }
}

void reserveWords(const Value& tree, Reserve which, NameDisguise& names) {
    constexpr std::size_t kLongest = 64;
    if (const std::string* const text = tree.asText()) {
        if (which == Reserve::values && text->size() <= kLongest) {
            names.reserve(*text);
        }
    } else if (const Value::List* const list = tree.asList()) {
        for (const Value& item : *list) {
            reserveWords(item, which, names);
        }
    } else if (const Value::Object* const object = tree.asObject()) {
        for (const auto& [name, value] : *object) {
            names.reserve(name);
            reserveWords(value, which, names);
        }
    }
}

void learnDocument(const Value& document, NameDisguise& names) {
    if (const std::string* const text = document.asText()) {
        learnConfigured(*text, names);
    } else if (const Value::List* const list = document.asList()) {
        for (const Value& item : *list) {
            learnDocument(item, names);
        }
    } else if (const Value::Object* const object = document.asObject()) {
        const std::string_view kind = textOf(document.member("kind"));
        for (const auto& [name, value] : *object) {
            learnMember(name, value, kind, names);
            learnDocument(value, names);
        }
    }
}

}  // namespace fabric::facts
