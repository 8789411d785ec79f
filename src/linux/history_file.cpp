// SPDX-License-Identifier: Apache-2.0
#include "linux/history_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace fabric::linux_host {

namespace {

constexpr const char* kName = "history.jsonl";
constexpr const char* kOlderName = "history.jsonl.1";
// Who changed what on this host is for its administrators.
constexpr mode_t kFileMode = 0600;
constexpr mode_t kDirectoryMode = 0755;
constexpr mode_t kOthersMayWrite = S_IWGRP | S_IWOTH;
constexpr int kNeverWait = O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY;

Error refused(const std::string& path, int number, std::string detail) {
    Error error = systemError("add to the history", path, number);
    error.detail = std::move(detail);
    switch (number) {
        case ENOSPC:
        case EDQUOT:
            error.advice = "make room on that file system";
            break;
        case EROFS:
            error.advice = "mount that file system writable";
            break;
        case ELOOP:
        case EISDIR:
        case ENOTDIR:
        case EPERM:
        case EINVAL:
            error.advice = "see who put it there and move it away";
            break;
        default:
            break;
    }
    return error;
}

// Empty when this user alone can have written it.
std::string strangeness(const struct stat& found) {
    if (found.st_uid != ::geteuid()) {
        return "it belongs to user " + std::to_string(found.st_uid);
    }
    return (found.st_mode & kOthersMayWrite) != 0 ? "others may write it" : "";
}

// What a line that is added here would follow: a torn line ends first.
bool endsInsideLine(int fd, off_t size) {
    char last = '\n';
    return size > 0 && ::pread(fd, &last, 1, size - 1) == 1 && last != '\n';
}

// 0, or an errno with the file as it was before.
int addWhole(int fd, const std::string& text, off_t size) {
    ssize_t put = 0;
    do {
        put = ::write(fd, text.data(), text.size());
    } while (put < 0 && errno == EINTR);
    if (put == static_cast<ssize_t>(text.size())) {
        return 0;
    }
    const int number = put < 0 ? errno : ENOSPC;
    if (put > 0 && ::ftruncate(fd, size) != 0) {
        // The next line ends the torn one, which readers leave out.
        return number;
    }
    return number;
}

}  // namespace

Result<void> HistoryFile::openDirectory() {
    if (::mkdir(path_.c_str(), kDirectoryMode) != 0 && errno != EEXIST) {
        return fail(refused(path_, errno, {}));
    }
    directory_ = UniqueFd(
        ::open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    if (!directory_.valid()) {
        const bool inItsPlace = errno == ENOTDIR || errno == ELOOP;
        return fail(refused(
            path_, errno, inItsPlace ? "a link or a file is in its place" : ""));
    }
    struct stat found{};
    if (::fstat(directory_.get(), &found) != 0) {
        return fail(refused(path_, errno, {}));
    }
    if (std::string strange = strangeness(found); !strange.empty()) {
        return fail(refused(path_, EPERM, std::move(strange)));
    }
    return {};
}

Result<void> HistoryFile::openFile() {
    const std::string path = path_ + "/" + kName;
    if (!directory_.valid()) {
        TRY(openDirectory());
    }
    UniqueFd file(::openat(
        directory_.get(), kName, O_RDWR | O_APPEND | O_CREAT | kNeverWait, kFileMode));
    if (!file.valid()) {
        return fail(
            refused(path, errno, errno == ELOOP ? "a link is in its place" : ""));
    }
    struct stat found{};
    if (::fstat(file.get(), &found) != 0) {
        return fail(refused(path, errno, {}));
    }
    if (!S_ISREG(found.st_mode)) {
        return fail(refused(path, EINVAL, "it is no regular file"));
    }
    if (found.st_nlink != 1) {
        return fail(refused(path, EPERM, "it has another name besides this one"));
    }
    if (std::string strange = strangeness(found); !strange.empty()) {
        return fail(refused(path, EPERM, std::move(strange)));
    }
    file_ = std::move(file);
    return {};
}

Result<void> HistoryFile::putAside() {
    if (::renameat(directory_.get(), kName, directory_.get(), kOlderName) != 0) {
        return fail(refused(path_ + "/" + kOlderName, errno, {}));
    }
    file_ = UniqueFd();
    return openFile();
}

Result<void> HistoryFile::append(std::string_view line) {
    if (!file_.valid()) {
        TRY(openFile());
    }
    struct stat found{};
    if (::fstat(file_.get(), &found) != 0) {
        return fail(refused(path_ + "/" + kName, errno, {}));
    }
    std::string text(line);
    text += '\n';
    if (found.st_size > 0 &&
        static_cast<std::uint64_t>(found.st_size) + text.size() > limit_) {
        TRY(putAside());
        found.st_size = 0;
    }
    if (endsInsideLine(file_.get(), found.st_size)) {
        text.insert(0, 1, '\n');
    }
    const int number = addWhole(file_.get(), text, found.st_size);
    return number == 0 ? Result<void>{}
                       : fail(refused(path_ + "/" + kName, number, {}));
}

Result<void> HistoryFile::sync() {
    if (!file_.valid()) {
        return {};
    }
    // Some file systems have nothing to write back (EINVAL).
    const bool done = (::fsync(file_.get()) == 0 || errno == EINVAL) &&
                      (::fsync(directory_.get()) == 0 || errno == EINVAL);
    return done ? Result<void>{} : fail(refused(path_ + "/" + kName, errno, {}));
}

}  // namespace fabric::linux_host
