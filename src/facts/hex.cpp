// SPDX-License-Identifier: Apache-2.0
#include "facts/hex.hpp"

#include "base/text.hpp"

#include <algorithm>

namespace fabric::facts {

namespace {

constexpr std::string_view kHexPrefix = "hex:";
constexpr std::string_view kDigits = "0123456789abcdef";
constexpr unsigned kNibble = 4;
constexpr unsigned kLowNibble = 0xF;

std::optional<unsigned> digitOf(char letter) {
    const std::size_t at = kDigits.find(letter);
    return at == std::string_view::npos ? std::nullopt
                                        : std::optional(static_cast<unsigned>(at));
}

bool isUtf8(std::string_view text) {
    constexpr unsigned char kFirstMultiByte = 0x80;
    for (std::size_t at = 0; at < text.size();) {
        if (static_cast<unsigned char>(text[at]) < kFirstMultiByte) {
            ++at;
            continue;
        }
        const std::size_t length = utf8Length(text, at);
        if (length == 0) {
            return false;
        }
        at += length;
    }
    return true;
}

}  // namespace

std::string hexOf(std::span<const std::byte> bytes) {
    std::string hex;
    hex.reserve(bytes.size() * 2);
    for (const std::byte byte : bytes) {
        const auto number = std::to_integer<unsigned>(byte);
        hex += kDigits[number >> kNibble];
        hex += kDigits[number & kLowNibble];
    }
    return hex;
}

std::optional<std::vector<std::byte>> bytesOf(std::string_view hex) {
    if (hex.size() % 2 != 0) {
        return std::nullopt;
    }
    std::vector<std::byte> bytes;
    bytes.reserve(hex.size() / 2);
    for (std::size_t at = 0; at < hex.size(); at += 2) {
        const auto high = digitOf(hex[at]);
        const auto low = digitOf(hex[at + 1]);
        if (!high || !low) {
            return std::nullopt;
        }
        bytes.push_back(static_cast<std::byte>(*high << kNibble | *low));
    }
    return bytes;
}

std::string portableText(std::string_view text) {
    if (isUtf8(text) && !text.starts_with(kHexPrefix)) {
        return std::string(text);
    }
    return std::string(kHexPrefix) + hexOf(std::as_bytes(std::span(text)));
}

std::optional<std::string> fromPortableText(std::string_view text) {
    if (!text.starts_with(kHexPrefix)) {
        return std::string(text);
    }
    const auto bytes = bytesOf(text.substr(kHexPrefix.size()));
    if (!bytes) {
        return std::nullopt;
    }
    std::string whole(bytes->size(), '\0');
    std::ranges::transform(*bytes, whole.begin(), [](std::byte byte) {
        return static_cast<char>(std::to_integer<unsigned char>(byte));
    });
    return whole;
}

}  // namespace fabric::facts
