// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "cli/bundle.hpp"
#include "cli/loading.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"
#include "facts/disguise.hpp"
#include "facts/learnt_names.hpp"
#include "facts/profile_disguise.hpp"
#include "facts/profile_text.hpp"
#include "facts/summary.hpp"
#include "facts/take.hpp"
#include "linux/machine.hpp"
#include "linux/posix_file_writer.hpp"
#include "report/json.hpp"

#include <fmt/format.h>

#include <optional>
#include <random>
#include <span>
#include <string_view>

namespace fabric::cli {

namespace {

// Addresses and the like are nobody else's business on this host.
constexpr mode_t kPrivateFile = 0600;

engine::ExitCode exitCodeOf(const facts::Facts& facts) {
    return facts::allRead(facts) ? engine::ExitCode::asWanted
                                 : engine::ExitCode::unverifiable;
}

// Of one archive or file; it is kept nowhere.
std::string salt() {
    constexpr unsigned kWords = 8;
    std::random_device source;
    std::string words;
    for (unsigned word = 0; word < kWords; ++word) {
        words += fmt::format("{:08x}", source());
    }
    return words;
}

Result<void> write(const std::string& path, std::string_view text) {
    const linux_host::RootDirectory root;
    return linux_host::PosixFileWriter(root).replaceFile(path, text, kPrivateFile);
}

int save(const facts::Facts& facts, const Options& options) {
    const auto written = write(options.output, report::toJson(facts::toValue(facts)));
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

int saveBundle(const host::Reader& reader,
               const facts::Facts& facts,
               const std::optional<profile::Profile>& profile,
               const Options& options) {
    std::optional<facts::Disguise> disguise;
    if (options.anonymise) {
        disguise.emplace(facts, salt());
    }
    const auto bundle =
        bundleOf(reader, facts, profile, disguise ? &*disguise : nullptr);
    const auto written =
        bundle ? write(options.bundlePath, bundle->bytes) : fail(bundle.error());
    if (!written) {
        return stopWith("facts", written.error(), options);
    }
    for (const std::string& unread : bundle->unread) {
        warn(escapeForTerminal(unread));
    }
    const std::string text =
        options.quiet ? std::string()
                      : fmt::format(
                            "{}{}: {} bytes, for the one who helps; look at it "
                            "before it is sent\n",
                            facts::summaryOf(facts),
                            escapeForTerminal(options.bundlePath),
                            bundle->bytes.size());
    return printOut(
        text,
        bundle->unread.empty() ? exitCodeOf(facts) : engine::ExitCode::unverifiable);
}

}  // namespace

int runFacts(const Options& options) {
    const linux_host::Machine machine;
    const host::Reader reader = machine.reader();
    std::optional<profile::Profile> known;
    // What the profile of this host names is looked at too. Without one, and with one
    // that is invalid, facts are what is needed to help.
    if (options.profileNamed || reader.files.status(options.profilePath)) {
        auto profile = loadProfile(reader.files, options);
        if (profile) {
            known = std::move(*profile);
        } else if (options.profileNamed) {
            return print(
                invalidProfileReport(reader, "facts", options, profile.error()),
                options);
        } else {
            warn(escapeForTerminal(options.profilePath) +
                 " is invalid and was left out; see: fabricctl profile validate");
        }
    }
    facts::Facts facts = facts::takeFacts(
        reader, known ? std::span(&*known, 1) : std::span<const profile::Profile>{});
    if (!options.bundlePath.empty()) {
        return saveBundle(reader, facts, known, options);
    }
    if (options.anonymise) {
        facts::Disguise disguise(facts, salt());
        if (known) {
            facts::learnProfile(facts::mergedProfile(*known), disguise.names());
            facts::learnProfilePath(known->path(), disguise.names());
        }
        auto other = disguise.facts(facts);
        if (!other) {
            return stopWith("facts", std::move(other.error()), options);
        }
        facts = std::move(*other);
    }
    if (!options.output.empty()) {
        return save(facts, options);
    }
    return printOut(options.format == Format::json
                        ? report::toJson(facts::toValue(facts))
                        : facts::summaryOf(facts),
                    exitCodeOf(facts));
}

}  // namespace fabric::cli
