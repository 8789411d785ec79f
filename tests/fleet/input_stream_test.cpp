// SPDX-License-Identifier: Apache-2.0
// Archives, packed or not, whole and cut off, in parts of any size.
#include "fleet/input_stream.hpp"

#include "facts/archive.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <zlib.h>

#include <array>
#include <string>
#include <vector>

namespace fabric::fleet {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

struct Seen {
    std::vector<std::string> pieces;  // "PLACE=TEXT"
    unsigned passedOver = 0;
    std::string error;
};

Seen seenOf(std::string_view bytes, std::size_t size = 1 << 16U) {
    Seen seen;
    InputStream stream(
        "in",
        1000,
        {.take = [&](const Piece& piece, const std::string& place) -> Result<void> {
             seen.pieces.push_back(place + "=" + std::string(piece.text));
             return {};
         },
         .passOver = [&] { ++seen.passedOver; }});
    Result<void> fed;
    for (std::size_t at = 0; at < bytes.size() && fed; at += size) {
        fed = stream.feed(bytes.substr(at, size));
    }
    if (fed) {
        fed = stream.end();
    }
    seen.error = fed ? "" : fed.error().message();
    return seen;
}

std::string packedArchive() {
    const std::vector<facts::Member> members{{"a.json", "{\"a\":1}\n{\"b\":2}\n"},
                                             {"report/notes.txt", "{\"no\":0}"},
                                             {"empty.json", ""},
                                             {"c.jsonl", "{\"c\":3}"}};
    return *facts::packed("node1", members, 0);
}

std::string unpacked(std::string_view gzip) {
    std::string text;
    Inflater inflater([&](std::string_view bytes) -> Result<void> {
        text += bytes;
        return {};
    });
    EXPECT_TRUE(inflater.feed(gzip));
    EXPECT_TRUE(inflater.end());
    return text;
}

TEST(InputStream, documents_of_an_archive_are_told_by_their_names) {
    const std::string packed = packedArchive();
    for (const std::string& bytes : {packed, unpacked(packed)}) {
        for (const std::size_t size : {1U, 7U, 512U, 100000U}) {
            const Seen seen = seenOf(bytes, size);
            EXPECT_THAT(seen.pieces,
                        ElementsAre("in: node1/a.json={\"a\":1}",
                                    "in: node1/a.json, document 2={\"b\":2}",
                                    "in: node1/c.jsonl={\"c\":3}"));
            EXPECT_EQ(seen.passedOver, 1U);
            EXPECT_EQ(seen.error, "");
        }
    }
}

TEST(InputStream, a_stream_without_archive_is_one_of_documents) {
    EXPECT_THAT(seenOf("{}\n{}").pieces, ElementsAre("in={}", "in, document 2={}"));
    EXPECT_THAT(seenOf("{").pieces, ElementsAre("in={"));
    EXPECT_THAT(seenOf("").pieces, IsEmpty());
}

TEST(InputStream, an_archive_cut_off_is_told_and_what_came_is_kept) {
    const std::string packed = packedArchive();
    const Seen cutGzip = seenOf(std::string_view(packed).substr(0, packed.size() / 2));
    EXPECT_THAT(cutGzip.error, HasSubstr("cut off"));
    const std::string tar = unpacked(packed);
    const Seen cutTar = seenOf(std::string_view(tar).substr(0, 512 * 3 + 700));
    EXPECT_THAT(cutTar.error, HasSubstr("cut off"));
    EXPECT_EQ(cutTar.pieces.at(0), "in: node1/a.json={\"a\":1}");
}

TEST(InputStream, a_damaged_header_or_packing_is_told) {
    std::string tar = unpacked(packedArchive());
    tar[512 + 3] ^= 1;  // in the name of the first file
    EXPECT_THAT(seenOf(tar).error, HasSubstr("check sum"));
    std::string packed = packedArchive();
    packed[packed.size() / 2] ^= 0x55;
    EXPECT_THAT(seenOf(packed).error, HasSubstr("gzip"));
}

// A header of GNU tar or pax before the file that it names.
std::string member(char type, const std::string& name, const std::string& text) {
    std::string block(512, '\0');
    block.replace(0, name.size(), name);
    std::array<char, 13> size{};
    std::snprintf(size.data(), size.size(), "%011zo", text.size());
    block.replace(124, 11, size.data(), 11);
    block[156] = type;
    block.replace(257, 8, std::string_view("ustar\00000", 8));
    block.replace(148, 8, "        ");
    unsigned sum = 0;
    for (const char byte : block) {
        sum += static_cast<unsigned char>(byte);
    }
    std::snprintf(size.data(), size.size(), "%06o", sum);
    block.replace(148, 7, size.data(), 7);
    return block + text + std::string((512 - text.size() % 512) % 512, '\0');
}

TEST(InputStream, long_names_of_gnu_tar_and_pax_count) {
    const std::string name(150, 'n');
    const std::string record = "164 path=" + name + ".json\n";
    const std::string end(1024, '\0');
    EXPECT_THAT(seenOf(member('L', "././@LongLink", name + ".json") +
                       member('0', "short", "{}") + member('0', "b.txt", "{}") + end)
                    .pieces,
                ElementsAre("in: " + name + ".json={}"));
    EXPECT_THAT(
        seenOf(member('x', "pax", record) + member('0', "short", "{}") + end).pieces,
        ElementsAre("in: " + name + ".json={}"));
    // A link called like facts is none.
    EXPECT_THAT(seenOf(member('2', "a.json", "") + end).pieces, IsEmpty());
}

}  // namespace
}  // namespace fabric::fleet
