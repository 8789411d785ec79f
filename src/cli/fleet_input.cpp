// SPDX-License-Identifier: Apache-2.0
#include "cli/fleet_input.hpp"

#include "base/text.hpp"
#include "base/unique_fd.hpp"
#include "facts/facts.hpp"
#include "fleet/input_stream.hpp"
#include "fleet/reduce.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <string_view>
#include <utility>

namespace fabric::cli {

namespace {

namespace fs = std::filesystem;

// Of one host: one with two thousand PCI functions and ten thousand neighbours has less
// than a quarter of it.
constexpr facts::JsonBounds kBounds{.bytes = std::size_t{16} << 20U,
                                    .depth = 32,
                                    .values = 1'000'000,
                                    .leavesOut = fleet::isNotCompared};
constexpr int kDeepest = 16;  // directories below the one that was named

bool isFactsName(std::string_view name) {
    constexpr std::array<std::string_view, 6> kEndings{
        ".tar", ".tar.gz", ".tgz", ".json.gz", ".jsonl.gz", ".ndjson.gz"};
    return fleet::isDocumentsName(name) ||
           std::ranges::any_of(kEndings, [&](std::string_view ending) {
               return name.ends_with(ending);
           });
}

// A report, say, which lies in a bundle beside the facts.
bool isOtherDocument(std::string_view text) {
    const auto document = facts::readJson(text, kBounds);
    const Value* const schema = document ? document->member("schema") : nullptr;
    const std::string* const name = schema == nullptr ? nullptr : schema->asText();
    return name != nullptr && name->starts_with("fabricctl/") &&
           !name->starts_with("fabricctl/facts/");
}

class Input {
  public:
    Input(const profile::Profile* profile,
          fleet::Comparison& comparison,
          const Progress& progress)
        : profile_(profile), comparison_(comparison), progress_(progress) {}

    Result<void> read(const std::string& path) {
        if (path == "-") {
            return readDescriptor(STDIN_FILENO, "standard input");
        }
        std::error_code error;
        return fs::is_directory(path, error) ? readDirectory(path, 0) : readFile(path);
    }

  private:
    void unusable(std::string origin, const Error& error) {
        comparison_.addUnusable(
            {.origin = std::move(origin), .problem = error.message()});
    }

    Result<void> readDirectory(const fs::path& path, int depth) {
        std::vector<fs::path> inside;
        std::error_code error;
        for (fs::directory_iterator at(path, error), end; !error && at != end;
             at.increment(error)) {
            inside.push_back(at->path());
        }
        if (error) {
            unusable(path.string(), systemError("list", path.string(), error.value()));
        }
        std::ranges::sort(inside);
        for (const fs::path& one : inside) {
            const bool folder = fs::is_directory(fs::symlink_status(one, error));
            if (folder && depth < kDeepest) {
                TRY(readDirectory(one, depth + 1));
            } else if (!folder && isFactsName(one.filename().string())) {
                TRY(readFile(one.string()));
            } else {
                comparison_.addPassedOver();
            }
        }
        return {};
    }

    Result<void> readFile(const std::string& path) {
        const UniqueFd file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
        struct stat status{};
        if (!file.valid() || ::fstat(file.get(), &status) != 0) {
            unusable(path, systemError("open", path, errno));
            return {};
        }
        // A device may never end: /dev/zero.
        if (!S_ISREG(status.st_mode) && !S_ISFIFO(status.st_mode)) {
            unusable(path,
                     {.kind = ErrorKind::refused,
                      .action = "read facts of",
                      .subject = escapeForTerminal(path),
                      .sysErrno = 0,
                      .detail = "it is neither a file nor a pipe",
                      .advice = {}});
            return {};
        }
        return readDescriptor(file.get(), path);
    }

    // What ends a run is not what a stream holds: that is told, and the next one read.
    Result<void> readDescriptor(int file, const std::string& origin) {
        fleet::InputStream stream(
            origin,
            kBounds.bytes,
            {.take =
                 [&](const fleet::Piece& piece, const std::string& place) {
                     auto taken = take(piece, place);
                     stopped_ = stopped_ || !taken;
                     return taken;
                 },
             .passOver = [&] { comparison_.addPassedOver(); }});
        bool empty = true;
        auto fed = pump(file, stream, empty);
        if (fed) {
            fed = stream.end();
        }
        if (fed && empty) {
            comparison_.addUnusable({.origin = origin, .problem = "it is empty"});
        }
        if (!fed && !stopped_) {
            unusable(origin, fed.error());
            return {};
        }
        return fed;
    }

    Result<void> pump(int file, fleet::InputStream& stream, bool& empty) {
        while (true) {
            const ssize_t got = ::read(file, buffer_.data(), buffer_.size());
            if (got == 0) {
                return {};
            }
            if (got < 0 && errno == EINTR) {
                continue;
            }
            if (got < 0) {
                return fail(systemError("read", "it", errno));
            }
            empty = false;
            TRY(stream.feed({buffer_.data(), static_cast<std::size_t>(got)}));
        }
    }

    Result<void> take(const fleet::Piece& piece, const std::string& origin) {
        progress_(++documents_);
        if (piece.tooLong) {
            comparison_.addUnusable(
                {.origin = origin,
                 .problem = fmt::format("it is longer than {} MiB, which no host's "
                                        "facts are",
                                        kBounds.bytes >> 20U)});
            return {};
        }
        auto facts = facts::parseFacts(piece.text, origin, kBounds);
        if (facts) {
            return comparison_.add(fleet::reduce(std::move(*facts), origin, profile_));
        }
        if (isOtherDocument(piece.text)) {
            comparison_.addPassedOver();
        } else {
            unusable(origin, facts.error());
        }
        return {};
    }

    const profile::Profile* profile_;
    fleet::Comparison& comparison_;
    const Progress& progress_;
    std::array<char, std::size_t{1} << 16U> buffer_{};
    std::size_t documents_ = 0;
    bool stopped_ = false;  // by an error that is not one of what was read
};

}  // namespace

Result<void> readFleet(const std::vector<std::string>& paths,
                       const profile::Profile* profile,
                       fleet::Comparison& comparison,
                       const Progress& progress) {
    Input input(profile, comparison, progress);
    for (const std::string& path : paths) {
        TRY(input.read(path));
    }
    return {};
}

}  // namespace fabric::cli
