// SPDX-License-Identifier: Apache-2.0
#include "linux/posix_file_writer.hpp"

#include "base/text.hpp"
#include "linux/file_replacement.hpp"
#include "linux/trusted_directory.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace fabric::linux_host {

namespace {

bool climbs(std::string_view path) {
    return std::ranges::any_of(split(path, '/'),
                               [](std::string_view part) { return part == ".."; });
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
    UniqueFd top = root_->open("/", O_PATH | O_DIRECTORY);
    if (!top.valid()) {
        return fail(systemError(std::string(action), std::string(path), errno));
    }
    return Place{
        .directory = TRY(openDirectory(std::move(top),
                                       std::string(path.substr(0, slash + 1)),
                                       way_,
                                       root_->real() ? Top::host : Top::image)),
        .name = std::string(name)};
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
                                          const host::FileAccess& access) {
    const Place place = TRY(placeOf("replace", path));
    const auto replaced = outcome(
        "replace", path, replaceIn(place.directory.get(), place.name, text, access));
    return replaced ? replaced : fail(withAdvice(replaced.error()));
}

Result<void> PosixFileWriter::makeDirectory(std::string_view path, mode_t mode) {
    const Place place = TRY(placeOf("make directory", path));
    const int directory = place.directory.get();
    if (::mkdirat(directory, place.name.c_str(), mode) == 0) {
        return {};
    }
    const int error = errno;
    const int inPlace = error == EEXIST ? obstacle(directory, place.name) : EISDIR;
    if (error == EEXIST && inPlace == EISDIR) {
        removeLeftoversIn(directory, place.name);
        return {};
    }
    Error failure = systemError("make directory", std::string(path), error);
    if (error == EEXIST) {
        failure.detail = inPlace == ELOOP
                             ? "a symbolic link is in its place"
                             : "something that is no directory is in its place";
        failure.advice =
            "see who put it there, put a directory in its place, and run again";
    }
    return fail(withAdvice(std::move(failure)));
}

Result<void> PosixFileWriter::removeFile(std::string_view path) {
    const Place place = TRY(placeOf("remove", path));
    return outcome("remove", path, removeIn(place.directory.get(), place.name));
}

}  // namespace fabric::linux_host
