// SPDX-License-Identifier: Apache-2.0
#include "cli/loading.hpp"

#include "base/text.hpp"
#include "cli/output.hpp"
#include "cli/plan_file.hpp"
#include "inventory/platform.hpp"
#include "profile/load.hpp"

#include <fmt/format.h>

#include <cstdlib>

namespace fabric::cli {

namespace {

// What a reader of YAML says of a plan file helps nobody.
profile::ProfileErrors isPlan(const std::string& path) {
    return {profile::ProfileError{
        .file = escapeForTerminal(path),
        .message = fmt::format("this is a plan of 'fabricctl plan --out', not a "
                               "profile; look at it with 'fabricctl plan {0}', carry "
                               "it out with 'fabricctl apply {0}'",
                               escapeForTerminal(path))}};
}

}  // namespace

std::string inImage(const std::string& root, const std::string& path) {
    if (root.empty() || path.empty()) {
        return path;
    }
    const std::string_view folder =
        std::string_view(root).substr(0, root.find_last_not_of('/') + 1);
    return std::string(folder) + (path.starts_with('/') ? "" : "/") + path;
}

profile::ProfileResult<profile::Profile> loadProfile(const host::FileReader& files,
                                                     const Options& options) {
    const bool underSystemd = std::getenv("INVOCATION_ID") != nullptr;
    auto profile = profile::load(files, options.profilePath, {.strict = underSystemd});
    if (profile) {
        for (const std::string& warning : profile->warnings()) {
            warn(escapeForTerminal(warning));
        }
    } else if (readPlan(files, options.profilePath)) {
        return std::unexpected(isPlan(options.profilePath));
    } else if (const auto status = files.status(options.profilePath);
               !status && status.error().kind == ErrorKind::notFound &&
               !files.readLink(options.profilePath)) {
        const std::string path =
            escapeForTerminal(inImage(options.root, options.profilePath));
        warn("there is no " + path +
             " yet; write one with: fabricctl profile init -o " + path);
    }
    return profile;
}

engine::Report invalidProfileReport(const host::Reader& host,
                                    std::string command,
                                    const Options& options,
                                    profile::ProfileErrors errors) {
    engine::Report report;
    report.command = std::move(command);
    report.profilePath = options.profilePath;
    report.started = host.clock.wallTime();
    const inventory::Platform platform = inventory::observePlatform(host);
    report.host = platform.hostName;
    report.bootId = platform.bootId;
    report.errors = std::move(errors);
    return report;
}

}  // namespace fabric::cli
