// SPDX-License-Identifier: Apache-2.0
#include "linux/delayed_commands.hpp"

#include <sys/stat.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

namespace fabric::linux_host {

Result<std::string> ownProgram() {
    constexpr const char* kSelf = "/proc/self/exe";
    std::error_code failed;
    const std::string path = std::filesystem::read_symlink(kSelf, failed).string();
    if (failed) {
        return fail(systemError("find", "this program", failed.value()));
    }
    struct stat named{};
    struct stat running{};
    const bool same = ::stat(path.c_str(), &named) == 0 &&
                      ::stat(kSelf, &running) == 0 && named.st_dev == running.st_dev &&
                      named.st_ino == running.st_ino;
    if (!same) {
        Error error = systemError("find", "this program", ENOENT);
        error.detail = "it was replaced or removed since it was started";
        error.advice = "run it again";
        return fail(std::move(error));
    }
    return path;
}

}  // namespace fabric::linux_host
