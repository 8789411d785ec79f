// SPDX-License-Identifier: Apache-2.0
// What `fleet check` is given: documents, archives of them, packed by gzip or not. The
// first byte says in which parts the rest comes.
#include "fleet/input_stream.hpp"
#include "fuzz/property.hpp"

#include <string>
#include <vector>

namespace fabric::fleet {
namespace {

using fuzz::require;

constexpr std::size_t kMost = 256;

struct Seen {
    std::vector<std::string> pieces;
    std::size_t passedOver = 0;
    bool whole = false;

    bool operator==(const Seen&) const = default;
};

Seen seenOf(std::string_view bytes, std::size_t part) {
    Seen seen;
    InputStream stream(
        "in",
        kMost,
        {.take = [&](const Piece& piece, const std::string& place) -> Result<void> {
             require(!piece.text.empty(), "a piece holds something");
             require(piece.text.size() <= kMost, "a piece is bounded");
             require(!piece.tooLong || piece.text.size() == kMost,
                     "what is cut is as long as it may be");
             require(place.starts_with("in"), "a piece is of its stream");
             seen.pieces.push_back(place + "=" + std::string(piece.text));
             return {};
         },
         .passOver = [&] { ++seen.passedOver; }});
    Result<void> fed;
    for (std::size_t at = 0; at < bytes.size() && fed; at += part) {
        fed = stream.feed(bytes.substr(at, part));
    }
    if (fed) {
        fed = stream.end();
    }
    if (!fed) {
        fuzz::requirePrintable(fed.error().message());
    }
    seen.whole = fed.has_value();
    return seen;
}

}  // namespace

FABRIC_FUZZ_TARGET(input) {
    const std::string_view text = input.text();
    if (text.empty()) {
        return;
    }
    const auto part = std::size_t{static_cast<unsigned char>(text.front())} + 1;
    const std::string_view bytes = text.substr(1);
    const Seen seen = seenOf(bytes, part);
    // A damaged packing may give more before it is found out in larger parts.
    if (seen.whole || !bytes.starts_with(kGzipMagic)) {
        require(seenOf(bytes, bytes.size() + 1) == seen,
                "the parts in which it comes change nothing");
    }
}

}  // namespace fabric::fleet
