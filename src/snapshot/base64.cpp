// SPDX-License-Identifier: Apache-2.0
#include "snapshot/base64.hpp"

#include <cstdint>

namespace fabric::snapshot {

namespace {

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
constexpr std::size_t kDigitsPerGroup = 4;
constexpr std::size_t kBytesPerGroup = 3;
constexpr unsigned kBitsPerDigit = 6;
constexpr unsigned kBitsPerByte = 8;
constexpr unsigned kDigitMask = 0x3f;

}  // namespace

std::string toBase64(std::string_view bytes) {
    std::string text;
    for (std::size_t at = 0; at < bytes.size(); at += kBytesPerGroup) {
        const std::string_view group = bytes.substr(at, kBytesPerGroup);
        std::uint32_t bits = 0;
        for (std::size_t byte = 0; byte < kBytesPerGroup; ++byte) {
            const unsigned value =
                byte < group.size() ? static_cast<unsigned char>(group[byte]) : 0U;
            bits = bits << kBitsPerByte | value;
        }
        for (std::size_t digit = 0; digit < kDigitsPerGroup; ++digit) {
            const auto shift = (kDigitsPerGroup - 1 - digit) * kBitsPerDigit;
            text += digit <= group.size() ? kDigits[bits >> shift & kDigitMask] : '=';
        }
    }
    return text;
}

std::optional<std::string> fromBase64(std::string_view text) {
    if (text.size() % kDigitsPerGroup != 0) {
        return std::nullopt;
    }
    const std::size_t end = text.find_last_not_of('=') + 1;
    if (text.size() - end > 2) {
        return std::nullopt;
    }
    std::string bytes;
    std::uint32_t bits = 0;
    unsigned held = 0;
    for (const char digit : text.substr(0, end)) {
        const auto value = kDigits.find(digit);
        if (value == std::string_view::npos) {
            return std::nullopt;
        }
        bits = bits << kBitsPerDigit | static_cast<std::uint32_t>(value);
        held += kBitsPerDigit;
        if (held >= kBitsPerByte) {
            held -= kBitsPerByte;
            bytes += static_cast<char>(bits >> held & 0xffU);
            bits &= (1U << held) - 1;
        }
    }
    // Bits that no encoder leaves set would be lost on the way back.
    return bits == 0 ? std::optional(bytes) : std::nullopt;
}

}  // namespace fabric::snapshot
