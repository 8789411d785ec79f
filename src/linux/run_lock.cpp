// SPDX-License-Identifier: Apache-2.0
#include "linux/run_lock.hpp"

#include "base/text.hpp"
#include "base/unique_fd.hpp"
#include "linux/trusted_directory.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <string_view>
#include <utility>

namespace fabric::linux_host {

namespace {

constexpr mode_t kDirectoryMode = 0755;
// Whoever can open the lock can hold it, and so keep every run of root's waiting.
constexpr mode_t kFileMode = 0600;
// A link in the lock's place is not followed, a FIFO does not hold the program.
constexpr int kNeverWait = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

constexpr const char* kLock = "lock";
constexpr std::string_view kProcess = "process ";

Error cannotOpen(const char* action, const std::string& path, int number) {
    Error error = systemError(action, path, number);
    switch (number) {
        case EACCES:
        case EPERM:
            error.advice = "run as root";
            break;
        case ENOSPC:
        case EDQUOT:
            error.advice = "make room on that file system and run again";
            break;
        case EROFS:
            error.advice = "mount that file system writable and run again";
            break;
        case ELOOP:
        case EISDIR:
        case ENXIO:
            error.advice = "see who put it there, remove it, and run again";
            break;
        default:
            break;
    }
    return error;
}

// What is opened under the lock's name is written into: it must be a file of ours that
// has no other name.
Result<void> mustBeOurs(const UniqueFd& fd, const std::string& path) {
    struct stat found{};
    if (::fstat(fd.get(), &found) != 0) {
        return fail(systemError("open lock", path, errno));
    }
    const bool ours =
        S_ISREG(found.st_mode) && found.st_nlink == 1 && found.st_uid == ::geteuid();
    if (ours) {
        return {};
    }
    return fail(Error{.kind = ErrorKind::permission,
                      .action = "open lock",
                      .subject = path,
                      .detail = "a file of somebody else, or with another name "
                                "besides, is in its place",
                      .advice = "see who put it there, remove it, and run again"});
}

class HeldLock : public host::RunLock {
  public:
    explicit HeldLock(UniqueFd fd) : fd_(std::move(fd)) {}

  private:
    UniqueFd fd_;
};

// Makes SIGALRM interrupt flock(2) while it lives. The timer repeats, so that a signal
// that comes before the call blocks is followed by another.
class AlarmInterval {
  public:
    AlarmInterval() {
        struct sigaction action{};
        action.sa_handler = [](int) {};
        ::sigaction(SIGALRM, &action, &oldAction_);
        constexpr suseconds_t kIntervalUs = 50'000;
        const itimerval timer{.it_interval = {.tv_sec = 0, .tv_usec = kIntervalUs},
                              .it_value = {.tv_sec = 0, .tv_usec = kIntervalUs}};
        ::setitimer(ITIMER_REAL, &timer, nullptr);
    }

    AlarmInterval(const AlarmInterval&) = delete;
    AlarmInterval& operator=(const AlarmInterval&) = delete;

    ~AlarmInterval() {
        const itimerval off{};
        ::setitimer(ITIMER_REAL, &off, nullptr);
        ::sigaction(SIGALRM, &oldAction_, nullptr);
    }

  private:
    struct sigaction oldAction_{};
};

// "process 812 (fabricctl apply)" of a process that ended.
bool isGone(std::string_view name) {
    const std::string_view number =
        name.starts_with(kProcess) ? name.substr(kProcess.size()) : "";
    const auto process = parseUnsigned(number.substr(0, number.find(' ')));
    struct stat found{};
    return process && ::stat(fmt::format("/proc/{}", *process).c_str(), &found) != 0 &&
           errno == ENOENT;
}

// Who holds the lock that `fd` could not get. Readers leave no name in the file: the
// last writer's must not stand for them.
std::string holderOf(int fd, int operation) {
    if (operation == LOCK_EX && ::flock(fd, LOCK_SH | LOCK_NB) == 0) {
        ::flock(fd, LOCK_UN);
        return "a run that only reads (fabricctl check)";
    }
    std::array<char, 256> buffer{};
    const ssize_t length = ::pread(fd, buffer.data(), buffer.size(), 0);
    if (length <= 0) {
        return "another run";
    }
    const std::string_view name =
        trimmed(std::string_view(buffer.data(), static_cast<std::size_t>(length)));
    // Who has just got the lock has not yet written who he is.
    return isGone(name) ? "another run" : escapeForTerminal(name);
}

Result<UniqueFd> locked(UniqueFd fd,
                        int operation,
                        std::chrono::milliseconds wait,
                        const std::string& path) {
    if (::flock(fd.get(), operation | LOCK_NB) == 0) {
        return fd;
    }
    if (errno == EWOULDBLOCK && wait.count() > 0) {
        const auto deadline = std::chrono::steady_clock::now() + wait;
        const AlarmInterval alarm;
        while (std::chrono::steady_clock::now() < deadline) {
            if (::flock(fd.get(), operation) == 0) {
                return fd;
            }
            if (errno != EINTR) {
                break;
            }
        }
        errno = errno == EINTR ? EWOULDBLOCK : errno;
    }
    if (errno != EWOULDBLOCK) {
        return fail(systemError("lock", path, errno));
    }
    return fail(Error{.kind = ErrorKind::busy,
                      .action = "lock",
                      .subject = path,
                      .detail = "held by " + holderOf(fd.get(), operation),
                      .advice = wait.count() > 0
                                    ? "it did not end within --lock-wait; look at "
                                      "that process, or wait longer"
                                    : "wait for it to end, or give --lock-wait a "
                                      "duration"});
}

}  // namespace

FileRunLocks::FileRunLocks(std::string directory, std::string command)
    : directory_(std::move(directory)), command_(std::move(command)) {}

Result<std::unique_ptr<host::RunLock>> FileRunLocks::exclusive(
    std::chrono::milliseconds wait) {
    const std::string path = directory_ + "/lock";
    if (::mkdir(directory_.c_str(), kDirectoryMode) != 0 && errno != EEXIST) {
        return fail(cannotOpen("create directory", directory_, errno));
    }
    auto opened = openOwnDirectory(directory_);
    if (!opened) {
        Error& error = opened.error();
        if (error.sysErrno == ENOTDIR) {
            error.detail = "a link or a file is in its place";
            error.advice = "see who put it there, remove it, and run again";
        }
        return fail(std::move(error));
    }
    const UniqueFd directory = std::move(*opened);
    UniqueFd fd(
        ::openat(directory.get(), kLock, O_RDWR | O_CREAT | kNeverWait, kFileMode));
    if (!fd.valid()) {
        return fail(cannotOpen("open lock", path, errno));
    }
    TRY(mustBeOurs(fd, path));
    // One that an older version left open to everybody could be held by anybody.
    static_cast<void>(::fchmod(fd.get(), kFileMode));
    fd = TRY(locked(std::move(fd), LOCK_EX, wait, path));
    const std::string holder =
        fmt::format("{}{} ({})\n", kProcess, ::getpid(), command_);
    // Only the name for a message: a lock whose holder cannot be named still holds.
    if (::ftruncate(fd.get(), 0) != 0 ||
        ::write(fd.get(), holder.data(), holder.size()) < 0) {
        errno = 0;
    }
    return std::make_unique<HeldLock>(std::move(fd));
}

Result<std::unique_ptr<host::RunLock>> FileRunLocks::shared(
    std::chrono::milliseconds wait) {
    const std::string path = directory_ + "/lock";
    const bool creates = ::geteuid() == 0;
    if (creates) {
        // A failure shows when the directory is opened.
        static_cast<void>(::mkdir(directory_.c_str(), kDirectoryMode));
    }
    const auto directory = openOwnDirectory(directory_);
    if (!directory) {
        return nullptr;
    }
    UniqueFd fd(::openat(directory->get(), kLock, O_RDONLY | kNeverWait));
    if (!fd.valid() && errno == ENOENT && creates) {
        fd = UniqueFd(::openat(
            directory->get(), kLock, O_RDONLY | O_CREAT | kNeverWait, kFileMode));
    }
    if (!fd.valid()) {
        return nullptr;
    }
    fd = TRY(locked(std::move(fd), LOCK_SH, wait, path));
    return std::make_unique<HeldLock>(std::move(fd));
}

}  // namespace fabric::linux_host
