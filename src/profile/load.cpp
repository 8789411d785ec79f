// SPDX-License-Identifier: Apache-2.0
#include "profile/load.hpp"

#include "base/text.hpp"
#include "profile/trust.hpp"
#include "profile/yaml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>

namespace fabric::profile {

namespace {

// The seams take absolute paths; messages keep the name that a person gave.
std::string absolutePath(const std::string& path) {
    std::error_code failed;
    const std::filesystem::path absolute = std::filesystem::absolute(path, failed);
    return failed ? path : absolute.string();
}

std::string joined(const std::vector<std::string>& sentences) {
    std::string text;
    for (const std::string& sentence : sentences) {
        text += (text.empty() ? "" : "; ") + sentence;
    }
    return text;
}

std::string whyUnread(const Error& error) {
    return error.sysErrno == EFBIG ? "larger than 1 MiB, which no profile needs"
                                   : error.message();
}

std::expected<SourceText, std::string> readFile(const host::FileReader& files,
                                                const std::string& path,
                                                const LoadOptions& options) {
    auto traced = files.readTraced(absolutePath(path), kMaxProfileBytes);
    if (!traced) {
        return std::unexpected(whyUnread(traced.error()));
    }
    TrustReport trust = judgeTrust(*traced);
    if (options.strict) {
        std::ranges::move(trust.doubts, std::back_inserter(trust.refusals));
        trust.doubts.clear();
    }
    if (!trust.refusals.empty()) {
        return std::unexpected("not trusted: " + joined(trust.refusals));
    }
    SourceText source{
        .identity = fmt::format("{}:{}", traced->status.device, traced->status.inode),
        .text = std::move(traced->text),
        .warnings = {}};
    for (const std::string& doubt : trust.doubts) {
        source.warnings.push_back(
            fmt::format("{}: {}", escapeForTerminal(path), doubt));
    }
    return source;
}

}  // namespace

ProfileResult<Profile> load(const host::FileReader& files,
                            std::string_view path,
                            const LoadOptions& options) {
    const std::string file(path);
    const SourceReader source = [&](const std::string& name) {
        return readFile(files, name, options);
    };
    auto first = source(file);
    if (!first) {
        return std::unexpected(ProfileErrors{ProfileError{
            .file = file, .line = 0, .column = 0, .message = first.error()}});
    }
    return parse(*first, file, source);
}

}  // namespace fabric::profile
