// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/attributes.hpp"

#include <linux/netlink.h>

#include <algorithm>
#include <string>

namespace fabric::resource::dcb {

namespace {

constexpr std::size_t kHeaderSize = sizeof(nlattr);

std::size_t padded(std::size_t length) {
    return NLA_ALIGN(length);
}

Error malformed(std::size_t offset, std::string detail) {
    return {.kind = ErrorKind::malformed,
            .action = "decode DCB answer",
            .subject = "attribute at byte " + std::to_string(offset),
            .detail = std::move(detail),
            .advice = {}};
}

}  // namespace

Result<std::vector<Attribute>> parseAttributes(std::span<const std::byte> bytes) {
    std::vector<Attribute> attributes;
    std::size_t offset = 0;
    while (offset < bytes.size()) {
        const std::size_t left = bytes.size() - offset;
        if (left < kHeaderSize) {
            return fail(malformed(offset, std::to_string(left) + " bytes left over"));
        }
        nlattr header{};
        std::memcpy(&header, &bytes[offset], kHeaderSize);
        if (header.nla_len < kHeaderSize || header.nla_len > left) {
            return fail(malformed(offset,
                                  "length " + std::to_string(header.nla_len) + " of " +
                                      std::to_string(left)));
        }
        attributes.push_back(
            {.type = static_cast<std::uint16_t>(header.nla_type & NLA_TYPE_MASK),
             .payload =
                 bytes.subspan(offset + kHeaderSize, header.nla_len - kHeaderSize)});
        offset += std::min(padded(header.nla_len), left);
    }
    return attributes;
}

AttributeWriter& AttributeWriter::append(std::uint16_t type,
                                         std::span<const std::byte> payload) {
    const nlattr header{
        .nla_len = static_cast<std::uint16_t>(kHeaderSize + payload.size()),
        .nla_type = type};
    const auto headerBytes = std::as_bytes(std::span<const nlattr, 1>(&header, 1));
    bytes_.insert(bytes_.end(), headerBytes.begin(), headerBytes.end());
    bytes_.insert(bytes_.end(), payload.begin(), payload.end());
    bytes_.resize(padded(bytes_.size()));
    return *this;
}

AttributeWriter& AttributeWriter::nest(std::uint16_t type,
                                       const AttributeWriter& inner) {
    return append(static_cast<std::uint16_t>(type | NLA_F_NESTED), inner.bytes());
}

}  // namespace fabric::resource::dcb
