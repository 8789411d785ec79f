// SPDX-License-Identifier: Apache-2.0
#include "linux/root_directory.hpp"

#include <linux/openat2.h>

#include <fcntl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <optional>

namespace fabric::linux_host {

namespace {

std::optional<std::string> descriptorPath(int fd) {
    const std::string link = "/proc/self/fd/" + std::to_string(fd);
    std::array<char, PATH_MAX> target{};
    const ssize_t length = ::readlink(link.c_str(), target.data(), target.size());
    if (length < 0) {
        return std::nullopt;
    }
    return std::string(target.data(), static_cast<std::size_t>(length));
}

}  // namespace

int RootDirectory::rootFd() const {
    if (!root_.valid()) {
        root_ = UniqueFd(::open(directory_.c_str(), O_PATH | O_DIRECTORY | O_CLOEXEC));
    }
    return root_.get();
}

UniqueFd RootDirectory::open(const std::string& path, int flags, mode_t mode) const {
    if (real()) {
        return UniqueFd(::open(path.c_str(), flags | O_CLOEXEC, mode));
    }
    const int root = rootFd();
    if (root < 0) {
        return {};
    }
    open_how how{};
    how.flags = static_cast<std::uint64_t>(flags | O_CLOEXEC);
    how.mode = mode;
    how.resolve = RESOLVE_IN_ROOT | RESOLVE_NO_MAGICLINKS;
    // glibc 2.36 has no wrapper.
    return UniqueFd(
        static_cast<int>(::syscall(SYS_openat2, root, path.c_str(), &how, sizeof how)));
}

Result<std::string> RootDirectory::pathOf(int fd) const {
    std::optional<std::string> path = descriptorPath(fd);
    if (!path) {
        return fail(systemError("resolve", "/proc/self/fd", errno));
    }
    if (real()) {
        return *path;
    }
    const std::optional<std::string> root = descriptorPath(rootFd());
    if (!root || !path->starts_with(*root)) {
        return fail(systemError("resolve", *path, EXDEV));
    }
    path->erase(0, *root == "/" ? 0 : root->size());
    return path->empty() ? std::string("/") : *path;
}

}  // namespace fabric::linux_host
