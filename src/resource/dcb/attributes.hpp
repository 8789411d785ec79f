// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <vector>

namespace fabric::resource::dcb {

// One netlink attribute (struct nlattr, linux/netlink.h) inside somebody else's bytes.
struct Attribute {
    std::uint16_t type = 0;  // NLA_F_NESTED and NLA_F_NET_BYTEORDER masked off
    std::span<const std::byte> payload;
};

// The attributes of one nesting level, in wire order. ErrorKind::malformed when a
// length is below the header's own (such a length would never advance) or runs past the
// end. Missing padding after the last attribute is accepted.
[[nodiscard]] Result<std::vector<Attribute>> parseAttributes(
    std::span<const std::byte> bytes);

// The payload as a kernel structure. Longer payloads are accepted, their tail ignored,
// as kernels append fields; shorter ones are ErrorKind::malformed.
template <typename T>
    requires std::is_trivially_copyable_v<T>
[[nodiscard]] Result<T> structureOf(const Attribute& attribute, std::string_view name) {
    if (attribute.payload.size() < sizeof(T)) {
        return fail({.kind = ErrorKind::malformed,
                     .action = "decode DCB attribute",
                     .subject = std::string(name),
                     .detail = "got " + std::to_string(attribute.payload.size()) +
                               " bytes, need " + std::to_string(sizeof(T))});
    }
    T value{};
    std::memcpy(&value, attribute.payload.data(), sizeof(T));
    return value;
}

// Builds one nesting level after another; every attribute is padded to four bytes.
class AttributeWriter {
  public:
    template <typename T>
        requires std::is_trivially_copyable_v<T>
    AttributeWriter& put(std::uint16_t type, const T& value) {
        return append(type, std::as_bytes(std::span<const T, 1>(&value, 1)));
    }

    // A nest with NLA_F_NESTED set, which all kernels accept and iproute2 sends.
    AttributeWriter& nest(std::uint16_t type, const AttributeWriter& inner);

    [[nodiscard]] const std::vector<std::byte>& bytes() const { return bytes_; }

  private:
    AttributeWriter& append(std::uint16_t type, std::span<const std::byte> payload);

    std::vector<std::byte> bytes_;
};

}  // namespace fabric::resource::dcb
