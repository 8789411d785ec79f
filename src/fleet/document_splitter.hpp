// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace fabric::fleet {

// One piece of a stream that is meant to be a JSON document.
struct Piece {
    std::string_view text;   // valid during the call
    std::size_t number = 0;  // from 1, in its stream
    bool tooLong = false;    // `text` is its begin only
};

// What becomes of a piece. An error ends the stream.
using PieceSink = std::function<Result<void>(const Piece&)>;

// Cuts a stream of JSON objects, one after another or one per line, without reading
// them. Bytes that begin no object are a piece up to the end of their line. An object
// that never ends takes no other with it, as long as each begins a line.
class DocumentSplitter {
  public:
    DocumentSplitter(std::size_t mostBytes, PieceSink sink)
        : mostBytes_(mostBytes), sink_(std::move(sink)) {}

    [[nodiscard]] Result<void> feed(std::string_view bytes);
    // The end of the stream: what was begun is a piece too.
    [[nodiscard]] Result<void> end();

  private:
    enum class State { between, object, line };

    // Each takes what belongs to the present piece, and says how many bytes those are.
    [[nodiscard]] std::size_t takeBetween(std::string_view bytes);
    [[nodiscard]] std::size_t takeLine(std::string_view bytes);
    [[nodiscard]] std::size_t takeObject(std::string_view bytes);
    void keep(std::string_view bytes);
    void inside(char byte);
    [[nodiscard]] Result<void> emit();

    std::size_t mostBytes_;
    PieceSink sink_;
    State state_ = State::between;
    std::string text_;
    std::size_t number_ = 0;
    std::size_t depth_ = 0;
    bool inText_ = false;
    bool escaped_ = false;
    bool lineBegins_ = false;
    bool tooLong_ = false;
    bool whole_ = false;  // the piece ends here
};

}  // namespace fabric::fleet
