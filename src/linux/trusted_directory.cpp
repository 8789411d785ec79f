// SPDX-License-Identifier: Apache-2.0
#include "linux/trusted_directory.hpp"

#include "base/text.hpp"
#include "linux/open_file.hpp"
#include "linux/path_walk.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <utility>

namespace fabric::linux_host {

namespace {

bool isStranger(uid_t user, uid_t owner) {
    return user != 0 && user != owner && user != ::geteuid();
}

Error refusal(const host::PathStep& step, std::string why, Top whose) {
    const std::string name = escapeForTerminal(step.path);
    if (whose == Top::image) {
        return Error{.kind = ErrorKind::permission,
                     .action = "write below",
                     .subject = name + " of the image",
                     .sysErrno = 0,
                     .detail = std::move(why),
                     .advice =
                         "see who changed it in the image, give it to the owner "
                         "of the image's root, and run again"};
    }
    return Error{.kind = ErrorKind::permission,
                 .action = "write below",
                 .subject = name,
                 .sysErrno = 0,
                 .detail = std::move(why),
                 .advice = "see who changed it with 'namei -l " + name +
                           "', give it to root, and run again"};
}

}  // namespace

std::string strangerOn(const host::PathStep& step, Way way, uid_t owner) {
    const host::FileStatus& status = step.status;
    const bool isLink = status.type == host::FileStatus::Type::symlink;
    if (isLink && isStranger(status.owner, owner)) {
        return fmt::format("the link belongs to uid {}, not to root", status.owner);
    }
    if (isLink || way == Way::withoutForeignLinks) {
        return {};
    }
    if (isStranger(status.owner, owner)) {
        return fmt::format("it belongs to uid {}, not to root", status.owner);
    }
    const bool groupWrites = (status.mode & S_IWGRP) != 0 && status.group != 0;
    const bool othersWrite = (status.mode & S_IWOTH) != 0;
    if ((groupWrites || othersWrite) && (status.mode & S_ISVTX) == 0) {
        return fmt::format("its mode {:04o} lets {} exchange what lies in it",
                           status.mode,
                           othersWrite ? "everybody" : "its group");
    }
    return {};
}

Result<UniqueFd> openDirectory(UniqueFd top,
                               const std::string& path,
                               Way way,
                               Top whose) {
    TracedDirectory directory = TRY(PathWalk(std::move(top)).directory(path));
    const uid_t owner =
        whose == Top::image ? directory.way.front().status.owner : uid_t{0};
    for (const host::PathStep& step : directory.way) {
        if (std::string why = strangerOn(step, way, owner); !why.empty()) {
            return fail(refusal(step, std::move(why), whose));
        }
    }
    return std::move(directory.fd);
}

Result<UniqueFd> openOwnDirectory(const std::string& path) {
    UniqueFd top(::open("/", O_PATH | O_DIRECTORY | O_CLOEXEC));
    if (!top.valid()) {
        return fail(systemError("open", "/", errno));
    }
    const std::size_t slash = path.rfind('/');
    const UniqueFd parent =
        TRY(openDirectory(std::move(top), path.substr(0, slash + 1), Way::trusted));
    UniqueFd fd(::openat(parent.get(),
                         path.substr(slash + 1).c_str(),
                         O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat found{};
    if (!fd.valid() || ::fstat(fd.get(), &found) != 0) {
        return fail(systemError("open directory", path, errno));
    }
    const host::PathStep step{.path = path, .status = statusOf(found)};
    if (std::string why = strangerOn(step, Way::trusted); !why.empty()) {
        return fail(refusal(step, std::move(why), Top::host));
    }
    return fd;
}

}  // namespace fabric::linux_host
