// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/address.hpp"
#include "base/ip_address.hpp"
#include "base/quantity.hpp"
#include "base/text.hpp"
#include "facts/codec.hpp"
#include "facts/hex.hpp"
#include "facts/observed.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>

// Types that are one text in a facts file.
namespace fabric::facts {

template <>
struct TextForm<std::string> {
    static std::string text(const std::string& value) { return portableText(value); }

    static std::optional<std::string> parsed(const std::string& text) {
        return fromPortableText(text);
    }
};

template <>
struct TextForm<std::vector<std::byte>> {
    static std::string text(const std::vector<std::byte>& value) {
        return hexOf(value);
    }

    static std::optional<std::vector<std::byte>> parsed(const std::string& text) {
        return bytesOf(text);
    }
};

// Types with text() and parse() of their own.
template <typename T>
    requires requires(const T& value, std::string_view text) {
        { value.text() } -> std::same_as<std::string>;
        { T::parse(text) } -> std::same_as<std::optional<T>>;
    }
struct TextForm<T> {
    static std::string text(const T& value) { return value.text(); }

    static std::optional<T> parsed(const std::string& text) { return T::parse(text); }
};

template <>
struct TextForm<std::uint16_t> {
    static std::string text(std::uint16_t value) { return std::to_string(value); }

    static std::optional<std::uint16_t> parsed(const std::string& text) {
        const auto number = parseUnsigned(text);
        return number && *number <= std::numeric_limits<std::uint16_t>::max()
                   ? std::optional(static_cast<std::uint16_t>(*number))
                   : std::nullopt;
    }
};

template <>
struct TextForm<IfIndex> {
    static std::string text(IfIndex value) { return std::to_string(value.number); }

    static std::optional<IfIndex> parsed(const std::string& text) {
        const auto number = parseUnsigned(text);
        return number && *number <= std::numeric_limits<std::uint32_t>::max()
                   ? std::optional(IfIndex{static_cast<std::uint32_t>(*number)})
                   : std::nullopt;
    }
};

// The names of an enumeration's values, in their order from 0 on.
template <typename E>
inline constexpr std::array<std::string_view, 0> kNames{};
template <>
inline constexpr std::array kNames<ErrorKind> =
    std::to_array<std::string_view>({"invalid-profile",
                                     "not-found",
                                     "permission",
                                     "unsupported",
                                     "busy",
                                     "refused",
                                     "mismatch",
                                     "malformed",
                                     "timeout",
                                     "io",
                                     "bug"});
template <>
inline constexpr std::array kNames<host::FileStatus::Type> =
    std::to_array<std::string_view>({"regular", "directory", "symlink", "other"});
template <>
inline constexpr std::array kNames<host::LinkLayer> =
    std::to_array<std::string_view>({"unknown", "infiniband", "ethernet"});
template <>
inline constexpr std::array kNames<host::NeighbourState> =
    std::to_array<std::string_view>({"none",
                                     "incomplete",
                                     "reachable",
                                     "stale",
                                     "delay",
                                     "probe",
                                     "failed",
                                     "noarp",
                                     "permanent"});

template <>
inline constexpr std::array kNames<host::RouteType> =
    std::to_array<std::string_view>({"unicast", "refused", "thrown", "other"});
template <>
inline constexpr std::array kNames<host::RuleAction> =
    std::to_array<std::string_view>({"table", "jump", "nothing", "refused", "other"});

template <typename E>
    requires std::is_enum_v<E> && (kNames<E>.size() > 0)
struct TextForm<E> {
    static std::string text(E value) {
        return std::string(kNames<E>.at(static_cast<std::size_t>(value)));
    }

    static std::optional<E> parsed(const std::string& text) {
        const auto found = std::ranges::find(kNames<E>, text);
        return found == kNames<E>.end()
                   ? std::nullopt
                   : std::optional(static_cast<E>(found - kNames<E>.begin()));
    }
};

template <>
struct TextForm<host::Ipv4Key> {
    static constexpr std::array kKeys{host::Ipv4Key::rpFilter,
                                      host::Ipv4Key::arpFilter,
                                      host::Ipv4Key::arpAnnounce,
                                      host::Ipv4Key::arpIgnore};

    static std::string text(host::Ipv4Key value) {
        return std::string(host::sysctlName(value));
    }

    static std::optional<host::Ipv4Key> parsed(const std::string& text) {
        const auto* const found = std::ranges::find_if(
            kKeys, [&](host::Ipv4Key key) { return host::sysctlName(key) == text; });
        return found == kKeys.end() ? std::nullopt : std::optional(*found);
    }
};

}  // namespace fabric::facts
