// SPDX-License-Identifier: Apache-2.0
#include "linux/path_walk.hpp"

#include "base/text.hpp"
#include "linux/open_file.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <climits>
#include <utility>

namespace fabric::linux_host {

namespace {

constexpr unsigned kMaxLinks = 40;  // path_resolution(7)

Result<host::FileStatus> statusOfFd(const UniqueFd& fd, const std::string& name) {
    struct stat found{};
    if (::fstat(fd.get(), &found) < 0) {
        return fail(systemError("stat", name, errno));
    }
    return statusOf(found);
}

bool sameFile(const host::FileStatus& left, const host::FileStatus& right) {
    return left.device == right.device && left.inode == right.inode;
}

}  // namespace

PathWalk::PathWalk(UniqueFd root) {
    stack_.push_back(Directory{.fd = std::move(root), .path = "/"});
}

std::string PathWalk::below(const std::string& part) const {
    const std::string& here = stack_.back().path;
    return here == "/" ? here + part : here + "/" + part;
}

void PathWalk::queue(std::string_view path) {
    const auto pieces = split(path, '/');
    for (auto piece = pieces.rbegin(); piece != pieces.rend(); ++piece) {
        if (!piece->empty() && *piece != ".") {
            parts_.emplace_front(*piece);
        }
    }
}

Result<void> PathWalk::begin(const std::string& path) {
    const host::FileStatus root = TRY(statusOfFd(stack_.back().fd, "/"));
    way_.push_back(host::PathStep{.path = "/", .status = root});
    queue(path);
    return {};
}

std::string PathWalk::nextPart() {
    while (!parts_.empty()) {
        std::string part = std::move(parts_.front());
        parts_.pop_front();
        if (part != "..") {
            return part;
        }
        if (stack_.size() > 1) {
            stack_.pop_back();
        }
    }
    return {};
}

Result<UniqueFd> PathWalk::look(const std::string& part) const {
    UniqueFd fd(::openat(
        stack_.back().fd.get(), part.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    if (!fd.valid()) {
        return fail(systemError("open", below(part), errno));
    }
    return fd;
}

Result<host::TracedFile> PathWalk::read(const std::string& path, std::size_t limit) {
    TRY(begin(path));
    for (std::string part = nextPart(); !part.empty(); part = nextPart()) {
        const UniqueFd fd = TRY(look(part));
        const host::FileStatus status = TRY(statusOfFd(fd, below(part)));
        using Type = host::FileStatus::Type;
        const bool passage =
            status.type == Type::directory || status.type == Type::symlink;
        if (!passage && parts_.empty()) {
            return readLast(part, limit);
        }
        TRY(enter(fd, part));
    }
    return fail(systemError("read", path, EISDIR));
}

Result<TracedDirectory> PathWalk::directory(const std::string& path) {
    TRY(begin(path));
    for (std::string part = nextPart(); !part.empty(); part = nextPart()) {
        const UniqueFd fd = TRY(look(part));
        TRY(enter(fd, part));
    }
    UniqueFd fd(
        ::openat(stack_.back().fd.get(), ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (!fd.valid()) {
        return fail(systemError("open", stack_.back().path, errno));
    }
    return TracedDirectory{.fd = std::move(fd), .way = std::move(way_)};
}

Result<void> PathWalk::enter(const UniqueFd& fd, const std::string& part) {
    const std::string at = below(part);
    const host::FileStatus status = TRY(statusOfFd(fd, at));
    way_.push_back(host::PathStep{.path = at, .status = status});
    if (status.type == host::FileStatus::Type::symlink) {
        return follow(fd, at);
    }
    if (status.type != host::FileStatus::Type::directory) {
        return fail(systemError("open", at, ENOTDIR));
    }
    UniqueFd kept(::fcntl(fd.get(), F_DUPFD_CLOEXEC, 0));
    if (!kept.valid()) {
        return fail(systemError("open", at, errno));
    }
    stack_.push_back(Directory{.fd = std::move(kept), .path = at});
    return {};
}

Result<void> PathWalk::follow(const UniqueFd& link, const std::string& at) {
    if (++links_ > kMaxLinks) {
        return fail(systemError("open", at, ELOOP));
    }
    std::array<char, PATH_MAX> target{};
    const ssize_t length = ::readlinkat(link.get(), "", target.data(), target.size());
    if (length < 0) {
        return fail(systemError("read link", at, errno));
    }
    const std::string_view text(target.data(), static_cast<std::size_t>(length));
    if (text.starts_with('/')) {
        stack_.erase(stack_.begin() + 1, stack_.end());
    }
    queue(text);
    return {};
}

Result<host::TracedFile> PathWalk::readLast(const std::string& part,
                                            std::size_t limit) {
    const std::string at = below(part);
    const UniqueFd seen(::openat(
        stack_.back().fd.get(), part.c_str(), O_PATH | O_NOFOLLOW | O_CLOEXEC));
    if (!seen.valid()) {
        return fail(systemError("open", at, errno));
    }
    const host::FileStatus before = TRY(statusOfFd(seen, at));
    if (before.type != host::FileStatus::Type::regular) {
        Error error = systemError("read", at, EINVAL);
        error.detail = "not a regular file";
        return fail(std::move(error));
    }
    // O_NONBLOCK: what was exchanged for a FIFO since must not hold the program.
    const UniqueFd fd(
        ::openat(stack_.back().fd.get(),
                 part.c_str(),
                 O_RDONLY | O_NOFOLLOW | O_NOCTTY | O_NONBLOCK | O_CLOEXEC));
    if (!fd.valid()) {
        return fail(systemError("open", at, errno));
    }
    const host::FileStatus status = TRY(statusOfFd(fd, at));
    if (!sameFile(before, status)) {
        Error error = systemError("open", at, EAGAIN);
        error.detail = "exchanged while it was opened";
        return fail(std::move(error));
    }
    std::string text = TRY(readWhole(fd.get(), at, limit));
    return host::TracedFile{
        .text = std::move(text), .status = status, .way = std::move(way_)};
}

}  // namespace fabric::linux_host
