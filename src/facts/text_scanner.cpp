// SPDX-License-Identifier: Apache-2.0
#include "facts/text_scanner.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <vector>

namespace fabric::facts {

namespace {

constexpr std::string_view kDigits = "0123456789";
constexpr std::string_view kHexDigits = "0123456789abcdefABCDEF";
constexpr std::string_view kAddressLetters = "0123456789abcdefABCDEF:.";
constexpr unsigned kHex = 16;

bool isWordLetter(char letter) {
    return std::isalnum(static_cast<unsigned char>(letter)) != 0 || letter == '_';
}

bool isHex(std::string_view text) {
    return !text.empty() &&
           text.find_first_not_of(kHexDigits) == std::string_view::npos;
}

// The begin of `text` that consists of `letters`.
std::string_view runOf(std::string_view text, std::string_view letters) {
    return text.substr(0, text.find_first_not_of(letters));
}

// Octets of groups of hexadecimal digits, each of `digits`; empty when it is not that.
std::vector<std::uint8_t> octetsOf(std::string_view text, std::size_t digits) {
    std::vector<std::uint8_t> octets;
    for (const std::string_view group : split(text, ':')) {
        if (group.size() != digits || !isHex(group)) {
            return {};
        }
        for (std::size_t at = 0; at < digits; at += 2) {
            octets.push_back(
                static_cast<std::uint8_t>(*parseUnsigned(group.substr(at, 2), kHex)));
        }
    }
    return octets;
}

Guid guidOf(std::span<const std::uint8_t> octets) {
    Guid guid{};
    std::ranges::copy(octets.first(guid.size()), guid.begin());
    return guid;
}

std::string textOf(std::span<const std::uint8_t> octets, std::size_t group) {
    std::string text;
    for (std::size_t at = 0; at < octets.size(); ++at) {
        text +=
            fmt::format("{}{:02x}", at > 0 && at % group == 0 ? ":" : "", octets[at]);
    }
    return text;
}

IpAddress networkOf(IpAddress address, unsigned long long length) {
    constexpr unsigned kBits = 32;
    constexpr unsigned kOctet = 8;
    for (unsigned bit = 0; bit < kBits; ++bit) {
        const auto mask =
            static_cast<std::uint8_t>(~(1U << (kOctet - 1 - bit % kOctet)));
        address.octets.at(bit / kOctet) &=
            bit < length ? static_cast<std::uint8_t>(~0U) : mask;
    }
    return address;
}

// A name of a domain that stands in somebody's words, and not that of a file or a unit.
bool isDomain(std::string_view word) {
    constexpr std::array<std::string_view, 30> kSuffixes{
        "service", "socket", "timer", "target", "mount", "slice",  "scope", "device",
        "path",    "conf",   "cfg",   "env",    "json",  "jsonl",  "yaml",  "yml",
        "txt",     "log",    "so",    "ko",     "xz",    "zst",    "gz",    "rdma",
        "pem",     "crt",    "key",   "go",     "meta",  "example"};
    const auto labels = split(word, '.');
    if (labels.size() < 2 || labels.back().size() < 2) {
        return false;
    }
    const bool whole = std::ranges::all_of(labels, [](std::string_view label) {
        return !label.empty() && !label.starts_with('-') && !label.ends_with('-');
    });
    return whole &&
           std::ranges::all_of(
               labels.back(),
               [](char letter) {
                   return std::isalpha(static_cast<unsigned char>(letter)) != 0;
               }) &&
           std::ranges::find(kSuffixes, labels.back()) == kSuffixes.end();
}

// Where a name with dots and dashes ends that begins `text`.
std::size_t endOfName(std::string_view text) {
    const auto* const end = std::ranges::find_if_not(text, [](char letter) {
        return isWordLetter(letter) || letter == '-' || letter == '.';
    });
    return static_cast<std::size_t>(end - text.begin());
}

// Without the end of a sentence behind it.
std::string_view nameAt(std::string_view text) {
    std::string_view word = text.substr(0, endOfName(text));
    while (word.ends_with('.') || word.ends_with('-')) {
        word.remove_suffix(1);
    }
    return word;
}

}  // namespace

std::string TextScanner::scan(std::string_view text) {
    text_ = text;
    std::string other;
    for (at_ = 0; at_ < text_.size();) {
        const auto replaced = atWord() ? found() : std::nullopt;
        if (replaced) {
            other += replaced->other;
            at_ += replaced->length;
        } else {
            other += text_[at_++];
        }
    }
    return other;
}

bool TextScanner::follows(std::string_view mark) const {
    return text_.substr(0, at_).ends_with(mark);
}

// The kernel calls a link from a stack's interface to one of its parts "lower_NAME".
bool TextScanner::atWord() const {
    return at_ == 0 || !isWordLetter(text_[at_ - 1]) || follows("lower_") ||
           follows("upper_");
}

std::optional<TextScanner::Found> TextScanner::found() {
    if (reading_ != Reading::names) {
        if (auto replaced = address()) {
            return replaced;
        }
        if (auto replaced = id()) {
            return replaced;
        }
    }
    if (auto replaced = name()) {
        return replaced;
    }
    // Whoever wrote it: paths of profiles stand in reports.
    if (reading_ != Reading::names && follows("/home/")) {
        names_.addUser(nameAt(rest()));
        return name();
    }
    return reading_ == Reading::anyone ? stranger() : std::nullopt;
}

// The rest begins with a word of digits, colons and dots that may be an address.
std::optional<TextScanner::Found> TextScanner::address() {
    // "1.2.3.4.5" holds no address.
    if (follows(".") && at_ > 1 && kDigits.contains(text_[at_ - 2])) {
        return std::nullopt;
    }
    std::string_view word = runOf(rest(), kAddressLetters);
    if (word.size() < rest().size() && isWordLetter(rest()[word.size()])) {
        // "10.0.0.1:x" may still begin with one.
        word = word.substr(
            0, word.rfind(':') == std::string_view::npos ? 0 : word.rfind(':'));
    }
    while (word.ends_with('.') || (word.ends_with(':') && !word.ends_with("::"))) {
        word.remove_suffix(1);
    }
    if (word.size() < 2 || PciAddress::parse(word)) {
        return word.size() < 2 ? std::nullopt
                               : std::optional(Found{word.size(), std::string(word)});
    }
    if (auto replaced = colons(word)) {
        return replaced;
    }
    return ipv4(word.substr(0, word.find(':')));
}

std::optional<TextScanner::Found> TextScanner::colons(std::string_view word) {
    constexpr std::size_t kInfinibandOctets = 20;
    constexpr std::size_t kGidText = 39;
    if (const auto mac = MacAddress::parse(word)) {
        return Found{word.size(), addresses_.of(*mac).text()};
    }
    if (auto octets = octetsOf(word, 2); octets.size() == kInfinibandOctets) {
        // Queue pair, subnet prefix and port GUID (RFC 4391, section 9.1.1).
        const auto id = std::span(octets).last<8>();
        std::ranges::copy(addresses_.of(guidOf(id)), id.begin());
        return Found{word.size(), textOf(octets, 1)};
    }
    if (const auto octets = octetsOf(word, 4); octets.size() == Guid{}.size()) {
        return Found{word.size(), textOf(addresses_.of(guidOf(octets)), 2)};
    }
    const auto ip = IpAddress::parse(word);
    if (!ip || !ip->ipv6) {
        return std::nullopt;
    }
    const IpAddress other = addresses_.of(*ip);
    if (other == *ip) {
        // "0::/system.slice" of /proc/PID/cgroup stays as the kernel writes it.
        return Found{word.size(), std::string(word)};
    }
    return Found{word.size(),
                 word.size() == kGidText ? textOf(other.octets, 2) : other.text()};
}

std::optional<TextScanner::Found> TextScanner::ipv4(std::string_view word) {
    const auto ip = IpAddress::parse(word);
    if (!ip || ip->ipv6 || (reading_ == Reading::anyone && followsVersion())) {
        return std::nullopt;
    }
    IpAddress other = addresses_.of(*ip);
    const std::string_view after = rest().substr(word.size());
    const auto length = after.starts_with('/')
                            ? parseUnsigned(runOf(after.substr(1), kDigits))
                            : std::nullopt;
    // A network is named by its first address.
    if (length && networkOf(*ip, *length) == *ip) {
        other = networkOf(other, *length);
    }
    return Found{word.size(), other.text()};
}

// "firmware version 22.31.1014.3" is no address.
bool TextScanner::followsVersion() const {
    constexpr std::array<std::string_view, 6> kWords{
        "version", "firmware", "fw", "ver", "pkg", "api"};
    std::string_view before = text_.substr(0, at_);
    while (!before.empty() && std::string_view(" :=v,(").contains(before.back())) {
        before.remove_suffix(1);
    }
    std::string lower(
        before.substr(before.size() - std::min<std::size_t>(before.size(), 8)));
    std::ranges::transform(lower, lower.begin(), [](unsigned char letter) {
        return static_cast<char>(std::tolower(letter));
    });
    return std::ranges::any_of(
        kWords, [&](std::string_view word) { return lower.ends_with(word); });
}

// A UUID, 32 digits, or 0x and 16 digits: boots, machines, invocations, GUIDs.
std::optional<TextScanner::Found> TextScanner::id() {
    constexpr std::array<std::size_t, 5> kGroups{8, 4, 4, 4, 12};
    constexpr std::size_t kUuid = 36;
    constexpr std::size_t kIdDigits = 32;
    constexpr std::size_t kGuidDigits = 16;
    const std::string_view word = rest().substr(
        0,
        static_cast<std::size_t>(
            std::ranges::find_if_not(
                rest(),
                [](char letter) { return isWordLetter(letter) || letter == '-'; }) -
            rest().begin()));
    if (word.size() == kIdDigits && isHex(word)) {
        return Found{word.size(), addresses_.hexDigits(word)};
    }
    if (word.size() == kGuidDigits + 2 && word.starts_with("0x") &&
        isHex(word.substr(2))) {
        Guid guid{};
        for (std::size_t at = 0; at < guid.size(); ++at) {
            guid.at(at) = static_cast<std::uint8_t>(
                *parseUnsigned(word.substr(2 + 2 * at, 2), kHex));
        }
        return Found{word.size(), "0x" + textOf(addresses_.of(guid), guid.size())};
    }
    const auto groups = split(word, '-');
    if (word.size() != kUuid ||
        !std::ranges::equal(groups, kGroups, {}, &std::string_view::size) ||
        !std::ranges::all_of(groups, isHex)) {
        return std::nullopt;
    }
    std::string digits = addresses_.hexDigits(word).substr(0, kUuid);
    for (std::size_t at = 0; at < kUuid; ++at) {
        digits[at] = word[at] == '-' ? '-' : digits[at];
    }
    return Found{kUuid, std::move(digits)};
}

std::optional<TextScanner::Found> TextScanner::name() {
    const auto known = names_.at(rest());
    if (known != names_.names().end()) {
        return Found{known->first.size(), known->second};
    }
    // "enxb8cef6000001", "rocexb8cef6000001": a MAC in a name.
    constexpr std::array<std::string_view, 4> kPrefixes{"enx", "ibx", "rocex", "wlx"};
    constexpr std::size_t kMacDigits = 12;
    for (const std::string_view prefix : kPrefixes) {
        const std::string_view digits =
            rest().starts_with(prefix)
                ? runOf(rest().substr(prefix.size()), "0123456789abcdef")
                : std::string_view{};
        if (digits.size() == kMacDigits) {
            MacAddress mac;
            for (std::size_t at = 0; at < mac.octets.size(); ++at) {
                mac.octets.at(at) = static_cast<std::uint8_t>(
                    *parseUnsigned(digits.substr(2 * at, 2), kHex));
            }
            return Found{prefix.size() + digits.size(),
                         std::string(prefix) + textOf(addresses_.of(mac).octets, 6)};
        }
    }
    return std::nullopt;
}

// Domains, hosts of URLs and users that are known from here on.
std::optional<TextScanner::Found> TextScanner::stranger() {
    const std::string_view word = nameAt(rest());
    const std::size_t end = endOfName(rest());
    const bool url = follows("://") || follows("@");
    const std::size_t dot = word.find('.');
    const bool ours =
        dot != std::string_view::npos && names_.names().contains(word.substr(dot + 1));
    if (end < rest().size() && rest()[end] == '@') {
        names_.addUser(word);
    } else if (ours || names_.isSibling(word) ||
               (url && dot == std::string_view::npos)) {
        names_.addHost(word);
    } else if (url || isDomain(word)) {
        names_.addDomain(word);
    } else {
        return std::nullopt;
    }
    return name();
}

}  // namespace fabric::facts
