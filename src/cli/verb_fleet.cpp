// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "cli/fleet_input.hpp"
#include "cli/loading.hpp"
#include "cli/output.hpp"
#include "cli/spill_file.hpp"
#include "cli/verbs.hpp"
#include "linux/machine.hpp"
#include "report/fleet.hpp"
#include "report/json.hpp"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fabric::cli {

namespace {

// One name per line; what follows a # is a remark.
Result<std::vector<std::string>> expectedHosts(const std::string& path) {
    constexpr std::size_t kLongest = std::size_t{16} << 20U;
    const linux_host::Machine machine;
    const auto read = machine.reader().files.read(path, kLongest);
    if (!read) {
        Error error = read.error();
        error.advice = "--expect takes a file with one host name per line";
        return fail(std::move(error));
    }
    const std::string& text = *read;
    std::vector<std::string> names;
    for (const std::string_view line : split(text, '\n')) {
        const std::string_view name = trimmed(line.substr(0, line.find('#')));
        if (!name.empty()) {
            names.emplace_back(name);
        }
    }
    if (names.empty()) {
        return fail({.kind = ErrorKind::malformed,
                     .action = "read the expected hosts of",
                     .subject = escapeForTerminal(path),
                     .sysErrno = 0,
                     .detail = "it names none",
                     .advice = "write one name per line"});
    }
    return names;
}

Result<fleet::Verdict> compareFleet(const Options& options,
                                    const profile::Profile* profile) {
    std::vector<std::string> expected;
    if (!options.expectPath.empty()) {
        expected = TRY(expectedHosts(options.expectPath));
    }
    SpillFile spill = TRY(SpillFile::make());
    fleet::Comparison comparison(spill);
    TRY(readFleet(options.fleetPaths, profile, comparison, [&](std::size_t documents) {
        constexpr std::size_t kOften = 1000;
        if (documents % kOften == 0) {
            progress(options, fmt::format("{} hosts read", documents));
        }
    }));
    return comparison.finish(expected);
}

}  // namespace

int runFleetCheck(const Options& options) {
    std::optional<profile::Profile> profile;
    if (options.profileNamed) {
        const linux_host::Machine machine;
        auto loaded = loadProfile(machine.reader().files, options);
        if (!loaded) {
            return print(invalidProfileReport(machine.reader(),
                                              "fleet check",
                                              options,
                                              std::move(loaded.error())),
                         options);
        }
        profile = std::move(*loaded);
    }
    const auto verdict = compareFleet(options, profile ? &*profile : nullptr);
    if (!verdict) {
        return stopWith("fleet check", verdict.error(), options);
    }
    if (options.format == Format::json) {
        return printOut(report::toJson(report::toValue(*verdict)), verdict->exitCode());
    }
    const report::TextOptions text{
        .color = useColor(options), .verbose = options.verbose, .quiet = options.quiet};
    return printOut(report::toText(*verdict, text), verdict->exitCode());
}

}  // namespace fabric::cli
