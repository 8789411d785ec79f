// SPDX-License-Identifier: Apache-2.0
#include "linux/open_file.hpp"

#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace fabric::linux_host {

namespace {

constexpr std::size_t kChunk = 4096;  // sysfs never gives more at once

ssize_t readSome(int fd, char* buffer, std::size_t size) {
    ssize_t got = 0;
    do {
        got = ::read(fd, buffer, size);
    } while (got < 0 && errno == EINTR);
    return got;
}

host::FileStatus::Type typeOf(mode_t mode) {
    using Type = host::FileStatus::Type;
    if (S_ISREG(mode)) {
        return Type::regular;
    }
    if (S_ISDIR(mode)) {
        return Type::directory;
    }
    return S_ISLNK(mode) ? Type::symlink : Type::other;
}

}  // namespace

host::FileStatus statusOf(const struct stat& found) {
    constexpr std::int64_t kNsPerSecond = 1'000'000'000;
    constexpr mode_t kPermissions = 07777;
    return host::FileStatus{
        .type = typeOf(found.st_mode),
        .mode = found.st_mode & kPermissions,
        .owner = found.st_uid,
        .group = found.st_gid,
        .size = static_cast<std::uint64_t>(found.st_size),
        .device = found.st_dev,
        .inode = found.st_ino,
        .mtimeNs = found.st_mtim.tv_sec * kNsPerSecond + found.st_mtim.tv_nsec};
}

Result<std::string> readWhole(int fd,
                              const std::string& name,
                              std::size_t limit,
                              FileEnd end) {
    std::string content;
    while (content.size() <= limit) {
        const std::size_t before = content.size();
        const std::size_t asked = std::min(kChunk, limit + 1 - before);
        content.resize(before + asked);
        const ssize_t got = readSome(fd, content.data() + before, asked);
        if (got < 0) {
            return fail(systemError("read", name, errno));
        }
        content.resize(before + static_cast<std::size_t>(got));
        const bool filled = static_cast<std::size_t>(got) == asked;
        if (got == 0 || (end == FileEnd::shortRead && !filled)) {
            return content;
        }
    }
    Error error = systemError("read", name, EFBIG);
    error.detail = "longer than " + std::to_string(limit) + " bytes";
    return fail(std::move(error));
}

}  // namespace fabric::linux_host
