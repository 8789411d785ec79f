// SPDX-License-Identifier: Apache-2.0
#include "facts/name_disguise.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>

namespace fabric::facts {

namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kHexDigits = "0123456789abcdef";

bool isLetter(char letter) {
    return std::isalpha(static_cast<unsigned char>(letter)) != 0;
}

bool isWordLetter(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

bool isNumber(std::string_view text) {
    return !text.empty() && text.find_first_not_of(kDigits) == std::string_view::npos;
}

bool isOneOf(std::string_view word, const auto& words) {
    return std::ranges::find(words, word) != words.end();
}

// What follows the prefix in a name that udev makes (systemd.net-naming-scheme(7)):
// "o1", "s1f0np0", "P2p1s0", "x" and a MAC.
bool isPlace(std::string_view text) {
    constexpr std::string_view kFirst = "oPpsvabcdi";
    constexpr std::string_view kLater = "psfnducivrb";
    if (text.starts_with('x')) {
        text.remove_prefix(1);
        return text.size() >= 12 &&
               text.find_first_not_of(kHexDigits) == std::string_view::npos;
    }
    return text.size() >= 2 && kFirst.contains(text[0]) && kDigits.contains(text[1]) &&
           std::ranges::all_of(text.substr(2), [&](char letter) {
               return kDigits.contains(letter) || kLater.contains(letter);
           });
}

bool isUdevName(std::string_view name, const auto& prefixes) {
    return std::ranges::any_of(prefixes, [&](std::string_view prefix) {
        return name.starts_with(prefix) && isPlace(name.substr(prefix.size()));
    });
}

bool isCounted(std::string_view name, const auto& prefixes) {
    return std::ranges::any_of(prefixes, [&](std::string_view prefix) {
        return name.starts_with(prefix) && isNumber(name.substr(prefix.size()));
    });
}

// "node#-r#": without its numbers.
std::string formOf(std::string_view name) {
    std::string form;
    for (const char letter : name) {
        if (!kDigits.contains(letter)) {
            form += letter;
        } else if (!form.ends_with('#')) {
            form += '#';
        }
    }
    return form;
}

// Accounts that systems and packages make.
bool isSystemUser(std::string_view name) {
    constexpr std::array<std::string_view, 6> kUsers{
        "", "root", "nobody", "minio", "minio-user", "daemon"};
    return isOneOf(name, kUsers) || name.starts_with("systemd-");
}

}  // namespace

bool isUsualInterface(std::string_view name) {
    constexpr std::array<std::string_view, 5> kUdev{"en", "ib", "wl", "ww", "sl"};
    constexpr std::array<std::string_view, 24> kCounted{
        "eth",   "ib",      "bond",   "br",    "dummy", "vlan",   "team",   "tun",
        "tap",   "wg",      "usb",    "virbr", "vnet",  "veth",   "docker", "wlan",
        "vxlan", "macvlan", "ipvlan", "gre",   "sit",   "ip6tnl", "tunl",   "ifb"};
    // A VLAN's number.
    const std::size_t dot = name.rfind('.');
    if (dot != std::string_view::npos && isNumber(name.substr(dot + 1))) {
        name = name.substr(0, dot);
    }
    return name == "lo" || isCounted(name, kCounted) || isUdevName(name, kUdev);
}

bool isUsualRdmaDevice(std::string_view name) {
    constexpr std::array<std::string_view, 5> kUdev{
        "roce", "ib", "iwarp", "opa", "usnic"};
    constexpr std::array<std::string_view, 18> kCounted{"mlx5_",
                                                        "mlx5_bond_",
                                                        "mlx4_",
                                                        "bnxt_re",
                                                        "irdma",
                                                        "rxe",
                                                        "siw",
                                                        "hfi1_",
                                                        "qib",
                                                        "ib",
                                                        "cxgb4_",
                                                        "qedr",
                                                        "efa_",
                                                        "erdma_",
                                                        "mana_",
                                                        "hns_",
                                                        "ionic_",
                                                        "i40iw"};
    return isCounted(name, kCounted) || isUdevName(name, kUdev);
}

void NameDisguise::add(std::string_view name, std::string other) {
    if (name.empty() || kept_.contains(name) || isNumber(name)) {
        return;
    }
    if (names_.emplace(name, std::move(other)).second) {
        lengths_[name.front()].insert(name.size());
    }
}

// "na", "nb", ... "nz", "naa": short, since a name of an interface has 15 letters.
std::string NameDisguise::wordFor(const std::string& word) {
    const auto known = words_.find(word);
    if (known != words_.end()) {
        return known->second;
    }
    constexpr unsigned kLetters = 26;
    std::string other;
    for (unsigned number = counts_["word"]++;; number = number / kLetters - 1) {
        other.insert(other.begin(), static_cast<char>('a' + number % kLetters));
        if (number < kLetters) {
            break;
        }
    }
    return words_.emplace(word, "n" + other).first->second;
}

void NameDisguise::addDevice(std::string_view name) {
    std::string other;
    for (std::size_t at = 0; at < name.size();) {
        std::size_t end = at;
        while (end < name.size() && isLetter(name[end])) {
            ++end;
        }
        if (end > at + 1) {
            other += wordFor(std::string(name.substr(at, end - at)));
        } else {
            end = at + 1;
            other += name[at];
        }
        at = end;
    }
    add(name, std::move(other));
}

void NameDisguise::addInterface(std::string_view name) {
    if (!isUsualInterface(name)) {
        addDevice(name);
    }
}

void NameDisguise::addRdmaDevice(std::string_view name) {
    if (!isUsualRdmaDevice(name)) {
        addDevice(name);
    }
}

void NameDisguise::addHost(std::string_view name) {
    constexpr std::array<std::string_view, 4> kNobody{
        "", "localhost", "(none)", "none"};
    const std::size_t dot = name.find('.');
    const std::string_view host = name.substr(0, dot);
    if (!isOneOf(host, kNobody) && !names_.contains(host)) {
        add(host, fmt::format("host{}", ++counts_["host"]));
        hostForms_.insert(formOf(host));
    }
    if (dot != std::string_view::npos) {
        addDomain(name.substr(dot + 1));
    }
}

void NameDisguise::addDomain(std::string_view name) {
    constexpr std::array<std::string_view, 4> kNobody{
        "", "(none)", "localdomain", "local"};
    if (!isOneOf(name, kNobody) && !names_.contains(name)) {
        add(name, fmt::format("domain{}.example", ++counts_["domain"]));
    }
}

void NameDisguise::addUser(std::string_view name) {
    if (!isSystemUser(name) && !names_.contains(name)) {
        add(name, fmt::format("user{}", ++counts_["user"]));
    }
}

void NameDisguise::addProfile(std::string_view name) {
    constexpr std::size_t kShortest = 3;
    // Of the shipped ones, and what says nothing.
    constexpr std::array<std::string_view, 9> kNobody{"minio-roce-lossless",
                                                      "minio-infiniband",
                                                      "roce-lossless",
                                                      "gpu-direct",
                                                      "example-site",
                                                      "fabricctl",
                                                      "profile",
                                                      "site",
                                                      "test"};
    if (name.empty() || isOneOf(name, kNobody) || profiles_.contains(name)) {
        return;
    }
    const std::string other = fmt::format("profile-{}", ++counts_["profile"]);
    profiles_.emplace(name, other);
    if (name.size() >= kShortest && !reserved_.contains(name)) {
        add(name, other);
    }
}

std::string NameDisguise::profileOf(std::string_view name) const {
    const auto found = profiles_.find(name);
    return found == profiles_.end() ? of(name) : found->second;
}

bool NameDisguise::isSibling(std::string_view name) const {
    const std::string form = formOf(name);
    return form.contains('#') && form.size() > 1 && hostForms_.contains(form);
}

std::string NameDisguise::of(std::string_view name) const {
    const auto found = names_.find(name);
    return found == names_.end() ? std::string(name) : found->second;
}

NameDisguise::Names::const_iterator NameDisguise::at(std::string_view text) const {
    const auto lengths = text.empty() ? lengths_.end() : lengths_.find(text.front());
    if (lengths == lengths_.end()) {
        return names_.end();
    }
    for (const std::size_t length : lengths->second) {
        if (length > text.size() ||
            (length < text.size() && isWordLetter(text[length]))) {
            continue;
        }
        const auto found = names_.find(text.substr(0, length));
        if (found != names_.end()) {
            return found;
        }
    }
    return names_.end();
}

}  // namespace fabric::facts
