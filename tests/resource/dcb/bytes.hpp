// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/dcb.hpp"

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace fabric::resource::dcb {

inline std::vector<std::byte> bytesOf(std::initializer_list<int> values) {
    std::vector<std::byte> bytes;
    for (const int value : values) {
        bytes.push_back(static_cast<std::byte>(value));
    }
    return bytes;
}

// An attribute as the wire has it, little endian, padded; written by hand here so that
// the tests do not trust the product's own writer.
inline std::vector<std::byte> attribute(std::uint16_t type,
                                        const std::vector<std::byte>& payload) {
    const std::size_t length = payload.size() + 4;
    std::vector<std::byte> bytes = bytesOf({static_cast<int>(length & 0xffU),
                                            static_cast<int>(length >> 8U),
                                            type & 0xff,
                                            type >> 8});
    bytes.insert(bytes.end(), payload.begin(), payload.end());
    bytes.resize((bytes.size() + 3) / 4 * 4);
    return bytes;
}

inline std::vector<std::byte> joined(
    std::initializer_list<std::vector<std::byte>> parts) {
    std::vector<std::byte> bytes;
    for (const auto& part : parts) {
        bytes.insert(bytes.end(), part.begin(), part.end());
    }
    return bytes;
}

// What the kernel answers to IEEE_SET and IEEE_DEL.
inline host::DcbAnswer ieeeResult(int code) {
    return attribute(13, bytesOf({code & 0xff}));
}

inline host::DcbAnswer dcbxResult(int code) {
    return attribute(14, bytesOf({code & 0xff}));
}

}  // namespace fabric::resource::dcb
