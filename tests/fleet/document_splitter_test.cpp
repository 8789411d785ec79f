// SPDX-License-Identifier: Apache-2.0
#include "fleet/document_splitter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fabric::fleet {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

// The pieces of a stream that comes in parts of `size` bytes.
std::vector<std::string> piecesOf(std::string_view stream,
                                  std::size_t size = 1000,
                                  std::size_t most = 100) {
    std::vector<std::string> pieces;
    DocumentSplitter splitter(most, [&](const Piece& piece) {
        EXPECT_EQ(piece.number, pieces.size() + 1);
        pieces.push_back(std::string(piece.text) + (piece.tooLong ? "!" : ""));
        return Result<void>();
    });
    for (std::size_t at = 0; at < stream.size(); at += size) {
        EXPECT_TRUE(splitter.feed(stream.substr(at, size)));
    }
    EXPECT_TRUE(splitter.end());
    return pieces;
}

TEST(DocumentSplitter, documents_stand_on_lines_or_one_after_another) {
    const std::string stream = "{\"a\":{}}\n\x1e{\"b\":[{}]}{\n  \"c\": {}\n}\n";
    for (std::size_t size = 1; size <= stream.size(); ++size) {
        EXPECT_THAT(piecesOf(stream, size),
                    ElementsAre("{\"a\":{}}", "{\"b\":[{}]}", "{\n  \"c\": {}\n}"));
    }
}

TEST(DocumentSplitter, braces_and_quotes_in_text_are_text) {
    EXPECT_THAT(piecesOf(R"({"}\"{":"\\"}{})"), ElementsAre(R"({"}\"{":"\\"})", "{}"));
}

TEST(DocumentSplitter, an_object_without_end_takes_no_other_with_it) {
    EXPECT_THAT(piecesOf("{\"a\":{\n{\"b\":1}\n{\"c\":\"\n{}"),
                ElementsAre("{\"a\":{\n", "{\"b\":1}", "{\"c\":\"\n", "{}"));
}

TEST(DocumentSplitter, what_is_no_object_is_a_piece_of_its_line) {
    EXPECT_THAT(piecesOf("no such host\n{}\n[1]\n"),
                ElementsAre("no such host", "{}", "[1]"));
    EXPECT_THAT(piecesOf(" \n\t\r\n"), IsEmpty());
}

TEST(DocumentSplitter, a_document_that_is_too_long_is_told_and_not_kept) {
    const std::string longOne = "{\"a\":\"" + std::string(500, 'x') + "\"}";
    const auto pieces = piecesOf(longOne + "{}");
    ASSERT_EQ(pieces.size(), 2U);
    EXPECT_EQ(pieces[0].size(), 101U);
    EXPECT_TRUE(pieces[0].ends_with("!"));
    EXPECT_EQ(pieces[1], "{}");
}

TEST(DocumentSplitter, an_error_of_the_sink_ends_the_stream) {
    unsigned calls = 0;
    DocumentSplitter splitter(100, [&](const Piece&) -> Result<void> {
        ++calls;
        return fail(systemError("write", "somewhere", 28));
    });
    EXPECT_FALSE(splitter.feed("{}{}{}"));
    EXPECT_EQ(calls, 1U);
}

}  // namespace
}  // namespace fabric::fleet
