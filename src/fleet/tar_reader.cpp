// SPDX-License-Identifier: Apache-2.0
#include "fleet/tar_reader.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <utility>

namespace fabric::fleet {

namespace {

// Places of the fields in a header block (POSIX.1-2001, pax, "ustar Interchange
// Format").
constexpr std::size_t kNameSize = 100;
constexpr std::size_t kSizeAt = 124;
constexpr std::size_t kSizeSize = 12;
constexpr std::size_t kSumAt = 148;
constexpr std::size_t kSumSize = 8;
constexpr std::size_t kTypeAt = 156;
constexpr std::size_t kMagicAt = 257;
constexpr std::string_view kMagic = "ustar";
constexpr std::size_t kPrefixAt = 345;
constexpr std::size_t kPrefixSize = 155;
// A name or a set of pax records that is longer names nothing here.
constexpr std::size_t kMostDescribed = std::size_t{1} << 16U;

std::string_view fieldOf(std::string_view header, std::size_t at, std::size_t size) {
    const std::string_view field = header.substr(at, size);
    return field.substr(0, field.find('\0'));
}

// Octal digits with blanks around them.
std::optional<std::uint64_t> octal(std::string_view text) {
    constexpr unsigned kDigit = 3;
    const std::string_view digits = trimmed(text);
    std::uint64_t number = 0;
    for (const char digit : digits) {
        if (digit < '0' || digit > '7') {
            return std::nullopt;
        }
        number = number << kDigit | static_cast<std::uint64_t>(digit - '0');
    }
    return digits.empty() ? std::nullopt : std::optional(number);
}

// The sum is taken with blanks in its own place.
std::uint64_t sumOf(std::string_view header) {
    const auto add = [](std::string_view bytes) {
        return std::accumulate(bytes.begin(),
                               bytes.end(),
                               std::uint64_t{0},
                               [](std::uint64_t so, char byte) {
                                   return so + static_cast<unsigned char>(byte);
                               });
    };
    return add(header.substr(0, kSumAt)) + kSumSize * ' ' +
           add(header.substr(kSumAt + kSumSize));
}

// The value of "path" in records "LENGTH KEY=VALUE\n".
std::string paxPath(std::string_view records) {
    std::string path;
    for (const std::string_view line : split(records, '\n')) {
        const std::string_view record =
            line.substr(std::min(line.find(' '), line.size()));
        constexpr std::string_view kKey = " path=";
        if (record.starts_with(kKey)) {
            path = record.substr(kKey.size());
        }
    }
    return path;
}

std::unexpected<Error> broken(std::string detail) {
    return fail({.kind = ErrorKind::malformed,
                 .action = "read",
                 .subject = "a tar archive",
                 .sysErrno = 0,
                 .detail = std::move(detail),
                 .advice = "fetch the file again"});
}

}  // namespace

bool TarReader::isTar(std::string_view head) {
    return head.size() == kHeader && head.substr(kMagicAt).starts_with(kMagic);
}

Result<void> TarReader::feed(std::string_view bytes) {
    while (!bytes.empty() && !ended_) {
        if (left_ > 0) {
            const auto part = bytes.substr(
                0,
                static_cast<std::size_t>(std::min<std::uint64_t>(left_, bytes.size())));
            left_ -= part.size();
            bytes.remove_prefix(part.size());
            TRY(takeBody(part));
            continue;
        }
        if (padding_ > 0) {
            const auto part = std::min<std::uint64_t>(padding_, bytes.size());
            padding_ -= part;
            bytes.remove_prefix(static_cast<std::size_t>(part));
            continue;
        }
        const auto part = std::min(kHeader - header_.size(), bytes.size());
        header_ += bytes.substr(0, part);
        bytes.remove_prefix(part);
        if (header_.size() == kHeader) {
            TRY(takeHeader());
            header_.clear();
        }
    }
    return {};
}

Result<void> TarReader::takeHeader() {
    if (std::ranges::all_of(header_, [](char byte) { return byte == '\0'; })) {
        ended_ = true;
        return {};
    }
    const auto sum = octal(fieldOf(header_, kSumAt, kSumSize));
    const auto size = octal(fieldOf(header_, kSizeAt, kSizeSize));
    if (!isTar(header_) || !sum || *sum != sumOf(header_)) {
        return broken("a header has another check sum than it says");
    }
    // A file of 8 GiB and more says its size otherwise; facts are shorter.
    if (!size) {
        return broken("a member has no size");
    }
    const std::string_view prefix = fieldOf(header_, kPrefixAt, kPrefixSize);
    std::string name(fieldOf(header_, 0, kNameSize));
    // GNU tar keeps times where POSIX has the prefix.
    const bool posix = header_[kMagicAt + kMagic.size()] == '\0';
    if (posix && !prefix.empty()) {
        name = std::string(prefix) + "/" + name;
    }
    left_ = *size;
    padding_ = (kHeader - *size % kHeader) % kHeader;
    begin(header_[kTypeAt], std::move(name));
    return left_ == 0 ? endBody() : Result<void>();
}

void TarReader::begin(char type, std::string name) {
    described_.clear();
    member_ = type == '0' || type == '\0' ? Member::file
              : type == 'L'               ? Member::longName
              : type == 'x'               ? Member::paxHeader
                                          : Member::other;
    const bool describes =
        member_ == Member::longName || member_ == Member::paxHeader || type == 'g';
    if (member_ == Member::file) {
        sink_.begin(nextName_.empty() ? name : nextName_);
    }
    if (!describes) {
        nextName_.clear();
    }
}

Result<void> TarReader::takeBody(std::string_view bytes) {
    if (member_ == Member::file) {
        TRY(sink_.bytes(bytes));
    } else if (member_ == Member::longName || member_ == Member::paxHeader) {
        described_ += bytes.substr(
            0, kMostDescribed - std::min(kMostDescribed, described_.size()));
    }
    return left_ == 0 ? endBody() : Result<void>();
}

Result<void> TarReader::endBody() {
    const Member ended = std::exchange(member_, Member::none);
    if (ended == Member::longName) {
        nextName_ = described_.substr(0, described_.find('\0'));
    } else if (ended == Member::paxHeader) {
        nextName_ = paxPath(described_);
    }
    return ended == Member::file ? sink_.end() : Result<void>();
}

Result<void> TarReader::end() {
    const bool within = left_ > 0 || !header_.empty();
    if (member_ == Member::file) {
        TRY(sink_.end());
    }
    return within ? broken("it is cut off") : Result<void>();
}

}  // namespace fabric::fleet
