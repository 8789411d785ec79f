// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <zlib.h>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fabric::facts {

inline std::string gunzipped(std::string packed) {
    constexpr int kGzipOnly = 15 + 16;
    constexpr std::size_t kRoom = std::size_t{16} << 20U;
    std::string plain(kRoom, '\0');
    z_stream stream{};
    EXPECT_EQ(::inflateInit2(&stream, kGzipOnly), Z_OK);
    stream.next_in = reinterpret_cast<Bytef*>(packed.data());
    stream.avail_in = static_cast<uInt>(packed.size());
    stream.next_out = reinterpret_cast<Bytef*>(plain.data());
    stream.avail_out = static_cast<uInt>(plain.size());
    EXPECT_EQ(::inflate(&stream, Z_FINISH), Z_STREAM_END);
    EXPECT_EQ(stream.avail_in, 0U) << "nothing follows the archive";
    plain.resize(stream.total_out);
    ::inflateEnd(&stream);
    return plain;
}

// Files of an archive with their texts, in their order; folders are left out.
inline std::vector<std::pair<std::string, std::string>> unpacked(
    const std::string& packed) {
    constexpr std::size_t kBlock = 512;
    const std::string tar = gunzipped(packed);
    EXPECT_EQ(tar.size() % kBlock, 0U);
    std::vector<std::pair<std::string, std::string>> files;
    for (std::size_t at = 0; at + kBlock <= tar.size() && tar[at] != '\0';) {
        const std::string name = tar.c_str() + at;
        const std::size_t size = std::stoul(tar.substr(at + 124, 11), nullptr, 8);
        EXPECT_EQ(tar.substr(at + 257, 5), "ustar");
        if (tar[at + 156] == '0') {
            files.emplace_back(name, tar.substr(at + kBlock, size));
        }
        at += kBlock + (size + kBlock - 1) / kBlock * kBlock;
    }
    return files;
}

}  // namespace fabric::facts
