// SPDX-License-Identifier: Apache-2.0
#include "linux/posix_file_writer.hpp"

#include "base/text.hpp"

#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>

namespace fabric::linux_host {

namespace {

bool climbs(std::string_view path) {
    return std::ranges::any_of(split(path, '/'),
                               [](std::string_view part) { return part == ".."; });
}

ssize_t writeOnce(int fd, std::string_view text) {
    ssize_t put = 0;
    do {
        put = ::write(fd, text.data(), text.size());
    } while (put < 0 && errno == EINTR);
    return put;
}

// 0, or the errno of the failure.
int writeAll(int fd, std::string_view text) {
    while (!text.empty()) {
        const ssize_t put = writeOnce(fd, text);
        if (put <= 0) {
            return put < 0 ? errno : EIO;
        }
        text.remove_prefix(static_cast<std::size_t>(put));
    }
    return 0;
}

// A file that is removed unless it was renamed away.
class TemporaryFile {
  public:
    TemporaryFile(int directory, const std::string& target) : directory_(directory) {
        std::uint64_t tag = 0;
        if (::getrandom(&tag, sizeof tag, 0) == static_cast<ssize_t>(sizeof tag)) {
            // A leading dot and no known suffix: no reader of a drop-in directory takes
            // it.
            name_ = "." + target + ".fabricctl-" + std::to_string(tag);
            fd_ =
                UniqueFd(::openat(directory,
                                  name_.c_str(),
                                  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                                  S_IRUSR | S_IWUSR));
        }
    }

    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    TemporaryFile(TemporaryFile&&) = delete;
    TemporaryFile& operator=(TemporaryFile&&) = delete;

    ~TemporaryFile() {
        if (fd_.valid() && !renamed_) {
            ::unlinkat(directory_, name_.c_str(), 0);
        }
    }

    [[nodiscard]] bool valid() const { return fd_.valid(); }

    // Content and mode on the disk; 0, or an errno.
    [[nodiscard]] int fill(std::string_view text, mode_t mode) const {
        if (const int error = writeAll(fd_.get(), text); error != 0) {
            return error;
        }
        return ::fchmod(fd_.get(), mode) != 0 || ::fsync(fd_.get()) != 0 ? errno : 0;
    }

    [[nodiscard]] int renameTo(const std::string& target) {
        renamed_ =
            ::renameat(directory_, name_.c_str(), directory_, target.c_str()) == 0;
        return renamed_ ? 0 : errno;
    }

  private:
    int directory_;
    std::string name_;
    UniqueFd fd_;
    bool renamed_ = false;
};

// What stands where a file is to be put: 0 when nothing or a regular file.
int obstacle(int directory, const std::string& name) {
    struct stat found{};
    if (::fstatat(directory, name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) {
        return errno == ENOENT ? 0 : errno;
    }
    if (S_ISREG(found.st_mode)) {
        return 0;
    }
    if (S_ISLNK(found.st_mode)) {
        return ELOOP;
    }
    return S_ISDIR(found.st_mode) ? EISDIR : EINVAL;
}

int replaceIn(int directory,
              const std::string& name,
              std::string_view text,
              mode_t mode) {
    if (const int error = obstacle(directory, name); error != 0) {
        return error;
    }
    TemporaryFile temporary(directory, name);
    if (!temporary.valid()) {
        return errno;
    }
    if (const int error = temporary.fill(text, mode); error != 0) {
        return error;
    }
    if (const int error = temporary.renameTo(name); error != 0) {
        return error;
    }
    return ::fsync(directory) == 0 ? 0 : errno;
}

Result<void> outcome(std::string_view action, std::string_view path, int error) {
    if (error == 0) {
        return {};
    }
    return fail(systemError(std::string(action), std::string(path), error));
}

// What to do about a file that could not be put in its place.
Error withAdvice(Error error) {
    switch (error.sysErrno) {
        case ELOOP:
            error.detail = "a symbolic link is in its place";
            error.advice = "see who put it there, remove it, and run again";
            break;
        case EISDIR:
        case EINVAL:
            error.detail = "something that is no regular file is in its place";
            error.advice = "see who put it there, move it away, and run again";
            break;
        case ENOSPC:
        case EDQUOT:
            error.advice = "make room on that file system and run again";
            break;
        case EROFS:
            error.advice = "mount that file system writable and run again";
            break;
        default:
            break;
    }
    return error;
}

}  // namespace

Result<PosixFileWriter::Place> PosixFileWriter::placeOf(std::string_view action,
                                                        std::string_view path) const {
    const std::size_t slash = path.rfind('/');
    const std::string_view name =
        slash == std::string_view::npos ? "" : path.substr(slash + 1);
    if (name.empty() || name == "." || climbs(path)) {
        return fail(systemError(std::string(action), std::string(path), EINVAL));
    }
    Place place{.directory = root_->open(std::string(path.substr(0, slash + 1)),
                                         O_RDONLY | O_DIRECTORY),
                .name = std::string(name)};
    if (!place.directory.valid()) {
        return fail(systemError(std::string(action), std::string(path), errno));
    }
    return place;
}

Result<void> PosixFileWriter::writeAttribute(std::string_view path,
                                             std::string_view text) {
    if (climbs(path)) {
        return outcome("write", path, EINVAL);
    }
    // sysfs reaches most attributes through links of the kernel's own making.
    const bool kernel = path.starts_with("/sys/") || path.starts_with("/proc/");
    const UniqueFd fd = root_->open(
        std::string(path), O_WRONLY | O_TRUNC | O_NOCTTY | (kernel ? 0 : O_NOFOLLOW));
    if (!fd.valid()) {
        return outcome("open for writing", path, errno);
    }
    const ssize_t put = writeOnce(fd.get(), text);
    if (put < 0) {
        return outcome("write", path, errno);
    }
    // The rest of a short write would be a second command to the kernel.
    return outcome(
        "write", path, static_cast<std::size_t>(put) == text.size() ? 0 : EIO);
}

Result<void> PosixFileWriter::replaceFile(std::string_view path,
                                          std::string_view text,
                                          mode_t mode) {
    const Place place = TRY(placeOf("replace", path));
    const auto replaced = outcome(
        "replace", path, replaceIn(place.directory.get(), place.name, text, mode));
    return replaced ? replaced : fail(withAdvice(replaced.error()));
}

Result<void> PosixFileWriter::makeDirectory(std::string_view path, mode_t mode) {
    const Place place = TRY(placeOf("make directory", path));
    const int directory = place.directory.get();
    if (::mkdirat(directory, place.name.c_str(), mode) == 0) {
        return {};
    }
    const int error = errno;
    const bool present = error == EEXIST && obstacle(directory, place.name) == EISDIR;
    return outcome("make directory", path, present ? 0 : error);
}

Result<void> PosixFileWriter::removeFile(std::string_view path) {
    const Place place = TRY(placeOf("remove", path));
    const bool removed = ::unlinkat(place.directory.get(), place.name.c_str(), 0) == 0;
    return outcome("remove", path, removed ? 0 : errno);
}

}  // namespace fabric::linux_host
