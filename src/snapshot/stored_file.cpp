// SPDX-License-Identifier: Apache-2.0
#include "snapshot/stored_file.hpp"

#include <cerrno>

namespace fabric::snapshot {

Result<std::optional<FileContent>> readFile(const host::FileReader& files,
                                            const std::string& path) {
    if (files.readLink(path)) {
        Error error = systemError("read", path, ELOOP);
        error.detail = "a symbolic link is in its place";
        return fail(std::move(error));
    }
    auto traced = files.readTraced(path);
    if (!traced && traced.error().kind == ErrorKind::notFound) {
        return std::nullopt;
    }
    if (!traced) {
        return fail(std::move(traced.error()));
    }
    return FileContent{
        .bytes = std::move(traced->text),
        .mode = traced->status.mode,
        .owner = {.user = traced->status.owner, .group = traced->status.group}};
}

}  // namespace fabric::snapshot
