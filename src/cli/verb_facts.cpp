// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "cli/loading.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"
#include "facts/summary.hpp"
#include "facts/take.hpp"
#include "linux/machine.hpp"
#include "linux/posix_file_writer.hpp"
#include "report/json.hpp"

#include <fmt/format.h>

#include <vector>

namespace fabric::cli {

namespace {

// Addresses and the like are nobody else's business on this host.
constexpr mode_t kPrivateFile = 0600;

engine::ExitCode exitCodeOf(const facts::Facts& facts) {
    return facts::allRead(facts) ? engine::ExitCode::asWanted
                                 : engine::ExitCode::unverifiable;
}

int save(const facts::Facts& facts, const Options& options) {
    const linux_host::RootDirectory root;
    const auto written = linux_host::PosixFileWriter(root).replaceFile(
        options.output, report::toJson(facts::toValue(facts)), kPrivateFile);
    if (!written) {
        return stopWith("facts", written.error(), options);
    }
    const std::string path = escapeForTerminal(options.output);
    const std::string text =
        options.quiet
            ? std::string()
            : fmt::format("{}next: fabricctl check --host {} PROFILE, on any machine\n",
                          facts::summaryOf(facts),
                          path);
    return printOut(text, exitCodeOf(facts));
}

}  // namespace

int runFacts(const Options& options) {
    const linux_host::Machine machine;
    const host::Reader reader = machine.reader();
    std::vector<profile::Profile> profiles;
    // What the profile of this host names is looked at too. Without one, and with one
    // that is invalid, facts are what is needed to help.
    if (options.profileNamed || reader.files.status(options.profilePath)) {
        auto profile = loadProfile(reader.files, options);
        if (profile) {
            profiles.push_back(std::move(*profile));
        } else if (options.profileNamed) {
            return print(
                invalidProfileReport(reader, "facts", options, profile.error()),
                options);
        } else {
            warn(escapeForTerminal(options.profilePath) +
                 " is invalid and was left out; see: fabricctl profile validate");
        }
    }
    const facts::Facts facts = facts::takeFacts(reader, profiles);
    if (!options.output.empty()) {
        return save(facts, options);
    }
    return printOut(options.format == Format::json
                        ? report::toJson(facts::toValue(facts))
                        : facts::summaryOf(facts),
                    exitCodeOf(facts));
}

}  // namespace fabric::cli
