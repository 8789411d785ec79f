// SPDX-License-Identifier: Apache-2.0
#include "facts/archive.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <numeric>
#include <set>

namespace fabric::facts {

namespace {

constexpr std::size_t kBlock = 512;
constexpr std::size_t kLongestName = 100;

// Places of the fields in a header block (POSIX.1-2001, pax, "ustar Interchange
// Format").
constexpr std::size_t kNameAt = 0;
constexpr std::size_t kModeAt = 100;
constexpr std::size_t kUserAt = 108;
constexpr std::size_t kGroupAt = 116;
constexpr std::size_t kSizeAt = 124;
constexpr std::size_t kTimeAt = 136;
constexpr std::size_t kSumAt = 148;
constexpr std::size_t kTypeAt = 156;
constexpr std::size_t kMagicAt = 257;
constexpr std::string_view kMagic("ustar\00000", 8);

constexpr unsigned kFileMode = 0600;
constexpr unsigned kFolderMode = 0700;
constexpr char kFile = '0';
constexpr char kFolder = '5';

void put(std::string& block, std::size_t at, std::string_view text) {
    std::ranges::copy(text, block.begin() + static_cast<std::ptrdiff_t>(at));
}

std::string header(std::string_view name,
                   char type,
                   unsigned mode,
                   std::size_t size,
                   std::int64_t time) {
    std::string block(kBlock, '\0');
    put(block, kNameAt, name);
    put(block, kModeAt, fmt::format("{:07o}", mode));
    put(block, kUserAt, fmt::format("{:07o}", 0));
    put(block, kGroupAt, fmt::format("{:07o}", 0));
    put(block, kSizeAt, fmt::format("{:011o}", size));
    put(block, kTimeAt, fmt::format("{:011o}", std::max<std::int64_t>(time, 0)));
    put(block, kTypeAt, std::string_view(&type, 1));
    put(block, kMagicAt, kMagic);
    // The sum is taken with blanks in its own place.
    put(block, kSumAt, "        ");
    const unsigned sum =
        std::accumulate(block.begin(), block.end(), 0U, [](unsigned so, char letter) {
            return so + static_cast<unsigned char>(letter);
        });
    put(block, kSumAt, fmt::format("{:06o}", sum) + '\0');
    return block;
}

void pad(std::string& archive) {
    archive.resize((archive.size() + kBlock - 1) / kBlock * kBlock, '\0');
}

Error cannotPack(std::string_view what, std::string_view detail, ErrorKind kind) {
    return {.kind = kind,
            .action = "pack",
            .subject = std::string(what),
            .sysErrno = 0,
            .detail = std::string(detail),
            .advice = {}};
}

// A folder on the way to a member comes before it, once.
void addFolders(std::string_view path,
                std::int64_t time,
                std::set<std::string>& known,
                std::string& archive) {
    for (std::size_t at = path.find('/'); at != std::string_view::npos;
         at = path.find('/', at + 1)) {
        const std::string folder(path.substr(0, at + 1));
        if (known.insert(folder).second) {
            archive += header(folder, kFolder, kFolderMode, 0, time);
        }
    }
}

Result<std::string> tarOf(std::string_view folder,
                          std::span<const Member> members,
                          std::int64_t time) {
    std::string archive;
    std::set<std::string> folders;
    for (const Member& member : members) {
        const std::string path = fmt::format("{}/{}", folder, member.path);
        if (path.size() > kLongestName) {
            return fail(cannotPack(path, "its name is too long", ErrorKind::bug));
        }
        addFolders(path, time, folders, archive);
        archive += header(path, kFile, kFileMode, member.text.size(), time);
        archive += member.text;
        pad(archive);
    }
    // Two empty blocks end it.
    archive.append(2 * kBlock, '\0');
    return archive;
}

// The stream of zlib, ended whatever comes.
class Deflation {
  public:
    Deflation() {
        // 16 more than the window asks for a gzip header, which holds no time and no
        // name (zlib.h, deflateInit2).
        constexpr int kGzip = 15 + 16;
        constexpr int kMemory = 8;
        ready_ = ::deflateInit2(&stream_,
                                Z_DEFAULT_COMPRESSION,
                                Z_DEFLATED,
                                kGzip,
                                kMemory,
                                Z_DEFAULT_STRATEGY) == Z_OK;
    }

    Deflation(const Deflation&) = delete;
    Deflation& operator=(const Deflation&) = delete;
    Deflation(Deflation&&) = delete;
    Deflation& operator=(Deflation&&) = delete;

    ~Deflation() {
        if (ready_) {
            ::deflateEnd(&stream_);
        }
    }

    // False when zlib has no memory.
    [[nodiscard]] bool run(std::string& plain, std::string& into) {
        into.resize(ready_ ? ::deflateBound(&stream_, plain.size()) : 0);
        // zlib takes bytes; it changes none of the input.
        stream_.next_in = reinterpret_cast<Bytef*>(plain.data());
        stream_.avail_in = static_cast<uInt>(plain.size());
        stream_.next_out = reinterpret_cast<Bytef*>(into.data());
        stream_.avail_out = static_cast<uInt>(into.size());
        const bool done = ready_ && ::deflate(&stream_, Z_FINISH) == Z_STREAM_END;
        into.resize(done ? stream_.total_out : 0);
        return done;
    }

  private:
    z_stream stream_{};
    bool ready_ = false;
};

}  // namespace

Result<std::string> packed(std::string_view folder,
                           std::span<const Member> members,
                           std::int64_t time) {
    // Far above what members are bounded to, and what one call of zlib takes.
    constexpr std::size_t kMost = std::size_t{1} << 30U;
    std::string archive = TRY(tarOf(folder, members, time));
    if (archive.size() > kMost) {
        return fail(cannotPack(folder, "it is larger than 1 GiB", ErrorKind::refused));
    }
    Deflation deflation;
    std::string compressed;
    if (!deflation.run(archive, compressed)) {
        return fail(cannotPack(folder, "zlib has no memory for it", ErrorKind::io));
    }
    return compressed;
}

}  // namespace fabric::facts
