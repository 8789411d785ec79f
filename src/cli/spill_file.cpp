// SPDX-License-Identifier: Apache-2.0
#include "cli/spill_file.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <utility>

namespace fabric::cli {

namespace {

constexpr std::size_t kChunk = std::size_t{1} << 18U;

// A file system without O_TMPFILE: a name for the moment that it takes to remove it.
UniqueFd openNamed(const std::string& directory) {
    std::string pattern = directory + "/fabricctl-fleet-XXXXXX";
    UniqueFd file(::mkostemp(pattern.data(), O_CLOEXEC));
    if (file.valid()) {
        ::unlink(pattern.c_str());
    }
    return file;
}

Error spillError(std::string_view action, const std::string& directory, int number) {
    Error error = systemError(std::string(action), directory, number);
    error.advice = "set TMPDIR to a directory with more room";
    return error;
}

}  // namespace

Result<SpillFile> SpillFile::make() {
    const char* const named = ::secure_getenv("TMPDIR");
    const std::string directory = named != nullptr && *named != '\0' ? named : "/tmp";
    UniqueFd file(::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
    if (!file.valid()) {
        file = openNamed(directory);
    }
    if (!file.valid()) {
        return fail(spillError("make a temporary file in", directory, errno));
    }
    return SpillFile(std::move(file), directory);
}

Result<void> SpillFile::flush() {
    std::string_view left = buffer_;
    while (!left.empty()) {
        const ssize_t written = ::write(file_.get(), left.data(), left.size());
        if (written < 0 && errno != EINTR) {
            return fail(spillError("write to a temporary file in", directory_, errno));
        }
        left.remove_prefix(written < 0 ? 0 : static_cast<std::size_t>(written));
    }
    buffer_.clear();
    return {};
}

Result<void> SpillFile::append(std::string_view record) {
    const auto size = static_cast<std::uint32_t>(record.size());
    char bytes[sizeof(size)];
    std::memcpy(bytes, &size, sizeof(size));
    buffer_.append(bytes, sizeof(size));
    buffer_ += record;
    return buffer_.size() < kChunk ? Result<void>() : flush();
}

Result<void> SpillFile::rewind() {
    TRY(flush());
    at_ = 0;
    if (::lseek(file_.get(), 0, SEEK_SET) < 0) {
        return fail(spillError("read back a temporary file in", directory_, errno));
    }
    return {};
}

Result<void> SpillFile::fill(std::size_t size) {
    if (buffer_.size() - at_ >= size) {
        return {};
    }
    buffer_.erase(0, at_);
    at_ = 0;
    while (buffer_.size() < size) {
        const std::size_t before = buffer_.size();
        buffer_.resize(before + std::max(kChunk, size - before));
        const ssize_t got =
            ::read(file_.get(), buffer_.data() + before, buffer_.size() - before);
        buffer_.resize(before + (got < 0 ? 0 : static_cast<std::size_t>(got)));
        if (got == 0 || (got < 0 && errno != EINTR)) {
            return fail(spillError(
                "read back a temporary file in", directory_, got == 0 ? EIO : errno));
        }
    }
    return {};
}

Result<std::string> SpillFile::next() {
    std::uint32_t size = 0;
    TRY(fill(sizeof(size)));
    std::memcpy(&size, buffer_.data() + at_, sizeof(size));
    at_ += sizeof(size);
    TRY(fill(size));
    std::string record = buffer_.substr(at_, size);
    at_ += size;
    return record;
}

}  // namespace fabric::cli
