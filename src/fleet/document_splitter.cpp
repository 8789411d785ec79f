// SPDX-License-Identifier: Apache-2.0
#include "fleet/document_splitter.hpp"

#include <algorithm>

namespace fabric::fleet {

namespace {

// White space of JSON, and the record separator of JSON text sequences (RFC 7464).
bool isBetween(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n' ||
           byte == '\x1e';
}

}  // namespace

Result<void> DocumentSplitter::feed(std::string_view bytes) {
    while (!bytes.empty()) {
        const std::size_t taken = state_ == State::between ? takeBetween(bytes)
                                  : state_ == State::line  ? takeLine(bytes)
                                                           : takeObject(bytes);
        bytes.remove_prefix(taken);
        if (whole_) {
            TRY(emit());
        }
    }
    return {};
}

std::size_t DocumentSplitter::takeBetween(std::string_view bytes) {
    const auto begin = std::ranges::find_if_not(bytes, isBetween);
    if (begin != bytes.end()) {
        state_ = *begin == '{' ? State::object : State::line;
    }
    return static_cast<std::size_t>(begin - bytes.begin());
}

std::size_t DocumentSplitter::takeLine(std::string_view bytes) {
    const std::size_t end = bytes.find('\n');
    whole_ = end != std::string_view::npos;
    keep(bytes.substr(0, end));
    return whole_ ? end + 1 : bytes.size();
}

std::size_t DocumentSplitter::takeObject(std::string_view bytes) {
    std::size_t at = 0;
    while (at < bytes.size() && !whole_) {
        const char byte = bytes[at];
        if (lineBegins_ && byte == '{' && depth_ > 0) {
            whole_ = true;  // another one, which is not of this piece
            break;
        }
        inside(byte);
        lineBegins_ = byte == '\n';
        whole_ = depth_ == 0;
        ++at;
    }
    keep(bytes.substr(0, at));
    return at;
}

void DocumentSplitter::keep(std::string_view bytes) {
    const std::size_t room = mostBytes_ - text_.size();
    text_ += bytes.substr(0, room);
    tooLong_ = tooLong_ || bytes.size() > room;
}

// No text goes over the end of a line (RFC 8259), so a quote that is missing is.
void DocumentSplitter::inside(char byte) {
    if (byte == '\n') {
        inText_ = false;
        escaped_ = false;
    } else if (inText_) {
        inText_ = byte != '"' || escaped_;
        escaped_ = byte == '\\' && !escaped_;
    } else if (byte == '"') {
        inText_ = true;
    } else if (byte == '{' || byte == '[') {
        ++depth_;
    } else if ((byte == '}' || byte == ']') && depth_ > 0) {
        --depth_;
    }
}

Result<void> DocumentSplitter::emit() {
    const Piece piece{.text = text_, .number = ++number_, .tooLong = tooLong_};
    const auto taken = sink_(piece);
    text_.clear();
    state_ = State::between;
    depth_ = 0;
    inText_ = false;
    escaped_ = false;
    lineBegins_ = false;
    tooLong_ = false;
    whole_ = false;
    return taken;
}

Result<void> DocumentSplitter::end() {
    return state_ == State::between ? Result<void>() : emit();
}

}  // namespace fabric::fleet
