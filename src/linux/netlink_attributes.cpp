// SPDX-License-Identifier: Apache-2.0
#include "linux/netlink_attributes.hpp"

#include <linux/netlink.h>

#include <algorithm>

namespace fabric::linux_host {

namespace {

constexpr std::size_t kHeader = sizeof(nlattr);

std::size_t aligned(std::size_t length) {
    return (length + NLA_ALIGNTO - 1U) & ~std::size_t{NLA_ALIGNTO - 1U};
}

}  // namespace

// Grown before the copy: g++ 12 takes insert() at the end for an overflow.
void appendBytes(std::vector<std::byte>& bytes, ByteView more) {
    const std::size_t before = bytes.size();
    bytes.resize(before + more.size());
    std::ranges::copy(more, bytes.begin() + static_cast<std::ptrdiff_t>(before));
}

void appendAttribute(std::vector<std::byte>& bytes,
                     std::uint16_t type,
                     ByteView payload) {
    const nlattr header{.nla_len = static_cast<std::uint16_t>(kHeader + payload.size()),
                        .nla_type = type};
    appendValue(bytes, header);
    appendBytes(bytes, payload);
    bytes.resize(bytes.size() + aligned(payload.size()) - payload.size());
}

Result<Attributes> Attributes::parse(ByteView bytes) {
    Attributes attributes;
    while (bytes.size() >= kHeader) {
        const nlattr header = valueAt<nlattr>(bytes).value_or(nlattr{});
        if (header.nla_len < kHeader || header.nla_len > bytes.size()) {
            return fail(Error{.kind = ErrorKind::malformed,
                              .action = "decode netlink attributes",
                              .detail = "an attribute of type " +
                                        std::to_string(header.nla_type) + " claims " +
                                        std::to_string(header.nla_len) + " of " +
                                        std::to_string(bytes.size()) + " bytes"});
        }
        attributes.entries_.push_back(
            {.type = static_cast<std::uint16_t>(header.nla_type & NLA_TYPE_MASK),
             .payload = bytes.subspan(kHeader, header.nla_len - kHeader)});
        bytes = bytes.subspan(std::min(bytes.size(), aligned(header.nla_len)));
    }
    return attributes;
}

std::optional<ByteView> Attributes::find(std::uint16_t type) const {
    const auto found =
        std::find_if(entries_.rbegin(), entries_.rend(), [&](const Entry& entry) {
            return entry.type == type;
        });
    if (found == entries_.rend()) {
        return std::nullopt;
    }
    return found->payload;
}

std::string Attributes::text(std::uint16_t type) const {
    const auto payload = find(type);
    if (!payload) {
        return {};
    }
    const auto end = std::ranges::find(*payload, std::byte{0});
    std::string text;
    std::transform(payload->begin(), end, std::back_inserter(text), [](std::byte byte) {
        return static_cast<char>(byte);
    });
    return text;
}

}  // namespace fabric::linux_host
