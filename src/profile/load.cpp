// SPDX-License-Identifier: Apache-2.0
#include "profile/load.hpp"

#include "base/text.hpp"
#include "profile/trust.hpp"
#include "profile/yaml.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
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

// The text of a link, or a name in a file, as a path.
std::string besideFile(const std::string& file, const std::string& named) {
    return (std::filesystem::path(file).parent_path() / named)
        .lexically_normal()
        .string();
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

// What ProtectHome= and PrivateTmp= of the units hide from them.
constexpr std::array<std::string_view, 5> kHiddenFromUnits{
    "/root", "/home", "/run/user", "/tmp", "/var/tmp"};

// The hidden place that holds the path, "" when none does.
std::string_view hiddenPlaceOf(std::string_view path) {
    const auto holds = [&](std::string_view place) {
        return path.starts_with(place) &&
               (path.size() == place.size() || path[place.size()] == '/');
    };
    const auto place = std::ranges::find_if(kHiddenFromUnits, holds);
    return place == kHiddenFromUnits.end() ? std::string_view() : *place;
}

// Where a file that is not there would be.
std::string_view missingIn(const host::FileReader& files,
                           const std::string& path,
                           const Error& error) {
    if (const auto place = hiddenPlaceOf(error.subject); !place.empty()) {
        return place;
    }
    const auto target = files.readLink(path);
    return target ? hiddenPlaceOf(besideFile(path, *target)) : hiddenPlaceOf(path);
}

// A person who reads it must know that the units will not; `first` is the file that was
// named: below a hidden place itself, it is for no unit.
std::string hiddenWarning(const host::TracedFile& file, const std::string& first) {
    for (const host::PathStep& step : file.way) {
        const std::string_view place = hiddenPlaceOf(step.path);
        if (!place.empty() && hiddenPlaceOf(first) != place) {
            return fmt::format(
                "it lies below {}, where the units of fabricctl do not find it "
                "(ProtectHome=, PrivateTmp=): put the file itself below "
                "/etc/fabricctl",
                place);
        }
    }
    return {};
}

struct Reading {
    const host::FileReader& files;
    std::string first;  // absolute
    const LoadOptions& options;
};

std::string whyUnread(const Reading& reading,
                      const std::string& path,
                      const Error& error) {
    std::string text = whyUnread(error);
    const auto place = reading.options.strict && error.kind != ErrorKind::io
                           ? missingIn(reading.files, path, error)
                           : std::string_view();
    if (!place.empty()) {
        text += fmt::format(
            "; it lies below {}, which a unit does not see (ProtectHome=, "
            "PrivateTmp=): put the file itself below /etc/fabricctl",
            place);
    }
    return text;
}

std::expected<SourceText, std::string> readFile(const Reading& reading,
                                                const std::string& path) {
    const LoadOptions& options = reading.options;
    const std::string absolute = absolutePath(path);
    auto traced = reading.files.readTraced(absolute, kMaxProfileBytes);
    if (!traced) {
        return std::unexpected(whyUnread(reading, absolute, traced.error()));
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
    if (std::string hidden = hiddenWarning(*traced, reading.first); !hidden.empty()) {
        trust.doubts.push_back(std::move(hidden));
    }
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
    const Reading reading{
        .files = files, .first = absolutePath(file), .options = options};
    const SourceReader source = [&](const std::string& name) {
        return readFile(reading, name);
    };
    auto first = source(file);
    if (!first) {
        return std::unexpected(ProfileErrors{ProfileError{
            .file = file, .line = 0, .column = 0, .message = first.error()}});
    }
    return parse(*first, file, source);
}

}  // namespace fabric::profile
