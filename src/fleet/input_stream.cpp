// SPDX-License-Identifier: Apache-2.0
#include "fleet/input_stream.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

namespace fabric::fleet {

bool isDocumentsName(std::string_view name) {
    constexpr std::array<std::string_view, 3> kEndings{".json", ".jsonl", ".ndjson"};
    return std::ranges::any_of(
        kEndings, [&](std::string_view ending) { return name.ends_with(ending); });
}

InputStream::InputStream(std::string origin, std::size_t mostBytes, InputSink sink)
    : origin_(std::move(origin)),
      mostBytes_(mostBytes),
      sink_(std::move(sink)),
      tar_({.begin = [this](const std::string& name) { beginMember(name); },
            .bytes = [this](std::string_view bytes) -> Result<void> {
                return splitter_ ? splitter_->feed(bytes) : Result<void>();
            },
            .end = [this]() -> Result<void> {
                return splitter_ ? splitter_->end() : Result<void>();
            }}),
      inflater_([this](std::string_view bytes) { return plain(bytes); }) {}

Result<void> InputStream::feed(std::string_view bytes) {
    if (packed_) {
        return *packed_ ? inflater_.feed(bytes) : plain(bytes);
    }
    magic_ += bytes;
    return magic_.size() < kGzipMagic.size() ? Result<void>() : choose();
}

Result<void> InputStream::choose() {
    packed_ = magic_.starts_with(kGzipMagic);
    const std::string first = std::exchange(magic_, "");
    return *packed_ ? inflater_.feed(first) : plain(first);
}

Result<void> InputStream::plain(std::string_view bytes) {
    if (isTar_) {
        return *isTar_ ? tar_.feed(bytes) : splitter_->feed(bytes);
    }
    head_ += bytes;
    if (head_.size() < TarReader::kHeader) {
        return {};
    }
    const std::string first = std::exchange(head_, "");
    return begin(
        first, TarReader::isTar(std::string_view(first).substr(0, TarReader::kHeader)));
}

Result<void> InputStream::begin(std::string_view first, bool isTar) {
    isTar_ = isTar;
    if (isTar) {
        return tar_.feed(first);
    }
    split(origin_);
    return splitter_->feed(first);
}

void InputStream::beginMember(const std::string& name) {
    splitter_.reset();
    if (isDocumentsName(name)) {
        split(origin_ + ": " + name);
    } else {
        sink_.passOver();
    }
}

void InputStream::split(const std::string& place) {
    splitter_.emplace(mostBytes_, [this, place](const Piece& piece) {
        return sink_.take(piece,
                          piece.number == 1
                              ? place
                              : fmt::format("{}, document {}", place, piece.number));
    });
}

// What was begun is told before what is wrong with its end.
Result<void> InputStream::end() {
    if (!packed_) {
        TRY(choose());
    }
    if (!isTar_) {
        TRY(begin(std::exchange(head_, ""), false));
    }
    TRY(*isTar_ ? tar_.end() : splitter_->end());
    return *packed_ ? inflater_.end() : Result<void>();
}

}  // namespace fabric::fleet
