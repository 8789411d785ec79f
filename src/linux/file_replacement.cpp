// SPDX-License-Identifier: Apache-2.0
#include "linux/file_replacement.hpp"

#include "base/unique_fd.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <memory>

namespace fabric::linux_host {

ssize_t writeOnce(int fd, std::string_view text) {
    ssize_t put = 0;
    do {
        put = ::write(fd, text.data(), text.size());
    } while (put < 0 && errno == EINTR);
    return put;
}

namespace {

constexpr std::string_view kMark = ".fabricctl-";

// A leading dot and no known suffix: no reader of a drop-in directory takes it.
std::string temporaryName(const std::string& target, std::uint64_t tag) {
    return "." + target + std::string(kMark) + std::to_string(tag);
}

bool isTemporaryName(std::string_view name) {
    const std::size_t mark = name.rfind(kMark);
    return name.starts_with('.') && mark != std::string_view::npos && mark > 1 &&
           name.find_first_not_of("0123456789", mark + kMark.size()) ==
               std::string_view::npos;
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
        // Once more when somebody took it for a leftover before it was held.
        for (int attempt = 0; attempt < 3 && !isHeld(); ++attempt) {
            create(target);
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

    // Content, owner and mode on the disk; 0, or an errno.
    [[nodiscard]] int fill(std::string_view text,
                           const host::FileAccess& access) const {
        if (const int error = writeAll(fd_.get(), text); error != 0) {
            return error;
        }
        // Before the mode: a change of owner clears set-user-ID (chown(2)).
        if (access.owner &&
            ::fchown(fd_.get(), access.owner->user, access.owner->group) != 0) {
            return errno;
        }
        return ::fchmod(fd_.get(), access.mode) != 0 || ::fsync(fd_.get()) != 0 ? errno
                                                                                : 0;
    }

    [[nodiscard]] int renameTo(const std::string& target) {
        renamed_ =
            ::renameat(directory_, name_.c_str(), directory_, target.c_str()) == 0;
        return renamed_ ? 0 : errno;
    }

  private:
    // Held as long as its writer lives: nobody takes it for a leftover.
    [[nodiscard]] bool isHeld() const {
        struct stat found{};
        return fd_.valid() && ::flock(fd_.get(), LOCK_EX) == 0 &&
               ::fstat(fd_.get(), &found) == 0 && found.st_nlink > 0;
    }

    void create(const std::string& target) {
        if (fd_.valid()) {
            ::unlinkat(directory_, name_.c_str(), 0);
        }
        std::uint64_t tag = 0;
        if (::getrandom(&tag, sizeof tag, 0) == static_cast<ssize_t>(sizeof tag)) {
            name_ = temporaryName(target, tag);
            fd_ =
                UniqueFd(::openat(directory_,
                                  name_.c_str(),
                                  O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                                  S_IRUSR | S_IWUSR));
        }
    }

    int directory_;
    std::string name_;
    UniqueFd fd_;
    bool renamed_ = false;
};

struct DirectoryCloser {
    void operator()(DIR* directory) const { ::closedir(directory); }
};

// True when the writer of this temporary file has died.
bool isLeftover(int directory, const char* name) {
    const UniqueFd fd(::openat(
        directory, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC));
    struct stat found{};
    return fd.valid() && ::fstat(fd.get(), &found) == 0 && S_ISREG(found.st_mode) &&
           ::flock(fd.get(), LOCK_EX | LOCK_NB) == 0;
}

void removeLeftovers(int directory) {
    // A place in the directory of its own, and what closedir(3) closes.
    const UniqueFd own(::openat(directory, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    const std::unique_ptr<DIR, DirectoryCloser> entries(
        own.valid() ? ::fdopendir(::fcntl(own.get(), F_DUPFD_CLOEXEC, 0)) : nullptr);
    if (entries == nullptr) {
        return;
    }
    while (const dirent* const entry = ::readdir(entries.get())) {
        if (isTemporaryName(entry->d_name) && isLeftover(directory, entry->d_name)) {
            ::unlinkat(directory, entry->d_name, 0);
        }
    }
}

}  // namespace

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
              const host::FileAccess& access) {
    if (const int error = obstacle(directory, name); error != 0) {
        return error;
    }
    removeLeftovers(directory);
    TemporaryFile temporary(directory, name);
    if (!temporary.valid()) {
        return errno;
    }
    if (const int error = temporary.fill(text, access); error != 0) {
        return error;
    }
    if (const int error = temporary.renameTo(name); error != 0) {
        return error;
    }
    return ::fsync(directory) == 0 ? 0 : errno;
}

void removeLeftoversIn(int directory, const std::string& name) {
    const UniqueFd fd(::openat(
        directory, name.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (fd.valid()) {
        removeLeftovers(fd.get());
    }
}

int removeIn(int directory, const std::string& name) {
    removeLeftovers(directory);
    return ::unlinkat(directory, name.c_str(), 0) == 0 ? 0 : errno;
}

}  // namespace fabric::linux_host
