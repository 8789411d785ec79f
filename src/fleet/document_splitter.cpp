// SPDX-License-Identifier: Apache-2.0
#include "fleet/document_splitter.hpp"

namespace fabric::fleet {

namespace {

// White space of JSON, and the record separator of JSON text sequences (RFC 7464).
bool isBetween(char byte) {
    return byte == ' ' || byte == '\t' || byte == '\r' || byte == '\n' ||
           byte == '\x1e';
}

}  // namespace

Result<void> DocumentSplitter::feed(std::string_view bytes) {
    for (const char byte : bytes) {
        const bool anew =
            state_ == State::object && lineBegins_ && byte == '{' && depth_ > 0;
        if (anew) {
            TRY(emit());
        }
        TRY(take(byte));
        lineBegins_ = byte == '\n';
    }
    return {};
}

Result<void> DocumentSplitter::take(char byte) {
    if (state_ == State::between) {
        if (isBetween(byte)) {
            return {};
        }
        state_ = byte == '{' ? State::object : State::line;
    }
    if (state_ == State::line) {
        if (byte == '\n') {
            return emit();
        }
        keep(byte);
        return {};
    }
    keep(byte);
    inside(byte);
    return depth_ == 0 ? emit() : Result<void>();
}

void DocumentSplitter::keep(char byte) {
    if (text_.size() < mostBytes_) {
        text_ += byte;
    } else {
        tooLong_ = true;
    }
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
    tooLong_ = false;
    return taken;
}

Result<void> DocumentSplitter::end() {
    return state_ == State::between ? Result<void>() : emit();
}

}  // namespace fabric::fleet
