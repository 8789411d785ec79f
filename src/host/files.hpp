// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::host {

// What stat(2) says of one path, links followed.
struct FileStatus {
    enum class Type { regular, directory, symlink, other };
    Type type = Type::other;
    mode_t mode = 0;  // permission bits only
    uid_t owner = 0;
    gid_t group = 0;
    std::uint64_t size =
        0;  // bytes; for a PCI `config` file the size of its config space
    std::uint64_t device = 0;
    std::uint64_t inode = 0;
    std::int64_t mtimeNs = 0;
};

// One directory or symbolic link on the way to a file, as it was when it was passed.
struct PathStep {
    std::string path;
    FileStatus status;  // of itself: a link is a link
};

// A file that was read through one descriptor, with the way that led to it.
struct TracedFile {
    std::string text;
    FileStatus status;          // of the descriptor that was read
    std::vector<PathStep> way;  // from "/" on, without the file
};

inline constexpr std::size_t kDefaultReadLimit = std::size_t{1} << 20U;  // bytes

// Reads files of /sys, /proc, /etc and /run. Paths are absolute. Every error carries
// the errno of the call.
class FileReader {
  public:
    virtual ~FileReader() = default;

    // The whole content; fails with EFBIG when it is longer than `limit` bytes. An
    // empty file is an empty string, not an error.
    [[nodiscard]] virtual Result<std::string> read(
        std::string_view path, std::size_t limit = kDefaultReadLimit) const = 0;
    // The whole content of a regular file with what its trustworthiness hangs on. Each
    // component is opened below the one before, so that the way told is the way taken,
    // whatever is renamed meanwhile. A directory is EISDIR, anything else that is no
    // regular file EINVAL, a file that is exchanged while it is opened EAGAIN.
    [[nodiscard]] virtual Result<TracedFile> readTraced(
        std::string_view path, std::size_t limit = kDefaultReadLimit) const = 0;
    // Names in a directory without "." and "..", sorted.
    [[nodiscard]] virtual Result<std::vector<std::string>> list(
        std::string_view path) const = 0;
    // The text of a symbolic link, not resolved.
    [[nodiscard]] virtual Result<std::string> readLink(std::string_view path) const = 0;
    // The absolute path with every link resolved.
    [[nodiscard]] virtual Result<std::string> resolve(std::string_view path) const = 0;
    // Status behind links; ENOENT is ErrorKind::notFound.
    [[nodiscard]] virtual Result<FileStatus> status(std::string_view path) const = 0;
};

struct FileOwner {
    uid_t user = 0;
    gid_t group = 0;
    bool operator==(const FileOwner&) const = default;
};

// Who may do what with a file that is put in its place.
struct FileAccess {
    // A mode is all that most files need.
    // NOLINTNEXTLINE(google-explicit-constructor)
    FileAccess(mode_t permissions) : mode(permissions) {}

    FileAccess(mode_t permissions, std::optional<FileOwner> belongsTo)
        : mode(permissions), owner(belongsTo) {}

    mode_t mode;                     // permission bits
    std::optional<FileOwner> owner;  // empty: of the process; else CAP_CHOWN is needed
};

// Writes files. No method follows a symbolic link in the last component, except
// writeAttribute inside /sys and /proc.
class FileWriter {
  public:
    virtual ~FileWriter() = default;

    // One write(2) to an existing kernel attribute (sysfs, procfs, configfs); never
    // creates.
    [[nodiscard]] virtual Result<void> writeAttribute(std::string_view path,
                                                      std::string_view text) = 0;
    // Atomic replacement: temporary file in the same directory, fsync, rename,
    // directory fsync. A symbolic link in the file's place is refused with ELOOP (a
    // link to /dev/null is somebody's mask), as is anything that is not a regular file.
    [[nodiscard]] virtual Result<void> replaceFile(std::string_view path,
                                                   std::string_view text,
                                                   const FileAccess& access) = 0;
    // mkdir(2); an existing directory is success.
    [[nodiscard]] virtual Result<void> makeDirectory(std::string_view path,
                                                     mode_t mode) = 0;
    [[nodiscard]] virtual Result<void> removeFile(std::string_view path) = 0;
};

}  // namespace fabric::host
