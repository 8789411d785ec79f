// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

namespace fabric::linux_host {

using ByteView = std::span<const std::byte>;

// The plain value at the start of `bytes`, copied so that alignment does not matter;
// std::nullopt when there are too few bytes.
template <typename T>
    requires std::is_trivially_copyable_v<T>
[[nodiscard]] std::optional<T> valueAt(ByteView bytes) {
    if (bytes.size() < sizeof(T)) {
        return std::nullopt;
    }
    T value{};
    std::memcpy(&value, bytes.data(), sizeof(T));
    return value;
}

void appendBytes(std::vector<std::byte>& bytes, ByteView more);

// Appends the object representation of a plain value.
template <typename T>
    requires std::is_trivially_copyable_v<T>
void appendValue(std::vector<std::byte>& bytes, const T& value) {
    appendBytes(bytes, std::as_bytes(std::span(&value, 1)));
}

// Appends one netlink attribute (struct nlattr, linux/netlink.h) padded to 4 bytes.
void appendAttribute(std::vector<std::byte>& bytes,
                     std::uint16_t type,
                     ByteView payload);

template <typename T>
    requires std::is_trivially_copyable_v<T>
void appendAttribute(std::vector<std::byte>& bytes,
                     std::uint16_t type,
                     const T& value) {
    appendAttribute(bytes, type, std::as_bytes(std::span(&value, 1)));
}

// A run of netlink attributes. It refers to the bytes that it was parsed from.
class Attributes {
  public:
    // ErrorKind::malformed when an attribute claims more bytes than there are, or fewer
    // than its own header. Up to 3 bytes of padding may be left over.
    [[nodiscard]] static Result<Attributes> parse(ByteView bytes);

    // The payload of the last attribute of this type (what the kernel's own parser
    // keeps), with the flag bits of the type ignored.
    [[nodiscard]] std::optional<ByteView> find(std::uint16_t type) const;

    // Absent or too short: std::nullopt.
    template <typename T>
    [[nodiscard]] std::optional<T> value(std::uint16_t type) const {
        const auto payload = find(type);
        return payload ? valueAt<T>(*payload) : std::nullopt;
    }

    // Text up to its terminating zero; "" when absent.
    [[nodiscard]] std::string text(std::uint16_t type) const;

  private:
    struct Entry {
        std::uint16_t type = 0;
        ByteView payload;
    };

    std::vector<Entry> entries_;
};

}  // namespace fabric::linux_host
