// SPDX-License-Identifier: Apache-2.0
#include "linux/posix_files.hpp"

#include "linux/open_file.hpp"
#include "linux/path_walk.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <memory>

namespace fabric::linux_host {

namespace {

struct DirectoryCloser {
    void operator()(DIR* directory) const { ::closedir(directory); }
};

using Directory = std::unique_ptr<DIR, DirectoryCloser>;

}  // namespace

Result<std::string> PosixFiles::read(std::string_view path, std::size_t limit) const {
    const std::string name(path);
    // O_NONBLOCK: a FIFO in the file's place must not hold the program.
    const UniqueFd fd = root_->open(name, O_RDONLY | O_NOCTTY | O_NONBLOCK);
    if (!fd.valid()) {
        return fail(systemError("open", name, errno));
    }
    const FileEnd end =
        name.starts_with("/sys/") ? FileEnd::shortRead : FileEnd::emptyRead;
    return readWhole(fd.get(), name, limit, end);
}

Result<host::TracedFile> PosixFiles::readTraced(std::string_view path,
                                                std::size_t limit) const {
    UniqueFd top = root_->open("/", O_PATH | O_DIRECTORY);
    if (!top.valid()) {
        return fail(systemError("open", "/", errno));
    }
    return PathWalk(std::move(top)).read(std::string(path), limit);
}

Result<std::vector<std::string>> PosixFiles::list(std::string_view path) const {
    const std::string name(path);
    const UniqueFd fd = root_->open(name, O_RDONLY | O_DIRECTORY);
    // fdopendir takes the descriptor over; the duplicate keeps UniqueFd the owner of
    // its own.
    const Directory directory(
        fd.valid() ? ::fdopendir(::fcntl(fd.get(), F_DUPFD_CLOEXEC, 0)) : nullptr);
    if (directory == nullptr) {
        return fail(systemError("list", name, errno));
    }
    std::vector<std::string> names;
    while (true) {
        errno = 0;
        const dirent* const entry = ::readdir(directory.get());
        if (entry == nullptr) {
            break;
        }
        const std::string_view found = entry->d_name;
        if (found != "." && found != "..") {
            names.emplace_back(found);
        }
    }
    if (errno != 0) {
        return fail(systemError("list", name, errno));
    }
    std::ranges::sort(names);
    return names;
}

Result<std::string> PosixFiles::readLink(std::string_view path) const {
    const std::string name(path);
    std::array<char, PATH_MAX> target{};
    ssize_t length = -1;
    if (root_->real()) {
        length = ::readlink(name.c_str(), target.data(), target.size());
    } else if (const UniqueFd fd = root_->open(name, O_PATH | O_NOFOLLOW); fd.valid()) {
        length = ::readlinkat(fd.get(), "", target.data(), target.size());
    }
    if (length < 0) {
        return fail(systemError("read link", name, errno));
    }
    return std::string(target.data(), static_cast<std::size_t>(length));
}

Result<std::string> PosixFiles::resolve(std::string_view path) const {
    const std::string name(path);
    const UniqueFd fd = root_->open(name, O_PATH);
    if (!fd.valid()) {
        return fail(systemError("resolve", name, errno));
    }
    return root_->pathOf(fd.get());
}

Result<host::FileStatus> PosixFiles::status(std::string_view path) const {
    const std::string name(path);
    struct stat found{};
    int result = -1;
    if (root_->real()) {
        result = ::stat(name.c_str(), &found);
    } else if (const UniqueFd fd = root_->open(name, O_PATH); fd.valid()) {
        result = ::fstat(fd.get(), &found);
    }
    if (result < 0) {
        return fail(systemError("stat", name, errno));
    }
    return statusOf(found);
}

}  // namespace fabric::linux_host
