// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "cli/loading.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"
#include "doctor/gather.hpp"
#include "facts/facts.hpp"
#include "facts/json_reader.hpp"
#include "facts/replay.hpp"
#include "linux/machine.hpp"
#include "report/json.hpp"
#include "report/switch.hpp"

#include <utility>

namespace fabric::cli {

namespace {

using switches::NvueValues;
using switches::Verdict;

// Of one file, or of standard input ("-").
Result<std::string> readOutput(const host::FileReader& files, const std::string& path) {
    constexpr std::size_t kLongest = std::size_t{2} << 20U;
    return files.read(path == "-" ? "/dev/stdin" : path, kLongest);
}

// What the outputs say together. One that cannot be read is told; a property that two
// of them tell is that of the first.
NvueValues readSwitch(const host::FileReader& files,
                      const std::vector<std::string>& paths,
                      Verdict& verdict) {
    NvueValues values;
    for (const std::string& path : paths) {
        const auto text = readOutput(files, path);
        const auto told = text ? switches::parseNvue(*text, path)
                               : Result<NvueValues>(fail(text.error()));
        if (told) {
            values.insert(told->begin(), told->end());
        } else {
            verdict.problems.push_back(told.error().message());
        }
    }
    return values;
}

void judgeHost(const host::Reader& host,
               const profile::Profile& profile,
               const switches::Wish& wish,
               const NvueValues& values,
               Verdict& verdict) {
    const doctor::Evidence evidence = doctor::gather(host, &profile);
    if (evidence.railsError) {
        verdict.problems.push_back(evidence.railsError->message());
    }
    switches::judgeRails(wish, values, evidence.rails, verdict);
}

// Facts of another host, when they were given; else this host.
void judgeEitherHost(const linux_host::Machine& machine,
                     const profile::Profile& profile,
                     const switches::Wish& wish,
                     const NvueValues& values,
                     const Options& options,
                     Verdict& verdict) {
    const host::Reader here = machine.reader();
    if (options.factsPath.empty()) {
        judgeHost(here, profile, wish, values, verdict);
        return;
    }
    const auto text = here.files.read(options.factsPath, facts::JsonBounds{}.bytes);
    auto facts = text ? facts::parseFacts(*text, options.factsPath)
                      : Result<facts::Facts>(fail(text.error()));
    if (!facts) {
        verdict.problems.push_back(facts.error().message());
        return;
    }
    facts::ReplayHost replay(std::move(facts->observed));
    judgeHost(replay.reader(), profile, wish, values, verdict);
}

int show(const Verdict& verdict, const Options& options) {
    if (options.format == Format::json) {
        return printOut(report::toJson(report::toValue(verdict)), verdict.exitCode());
    }
    return printOut(report::toText(verdict,
                                   {.color = useColor(options),
                                    .verbose = options.verbose,
                                    .quiet = options.quiet}),
                    verdict.exitCode());
}

}  // namespace

int runSwitchRender(const Options& options) {
    const linux_host::Machine machine;
    const auto profile = loadProfile(machine.reader().files, options);
    if (!profile) {
        return print(invalidProfileReport(
                         machine.reader(), "switch render", options, profile.error()),
                     options);
    }
    const auto wish = switches::wishOf(*profile);
    if (!wish) {
        return stopWith("switch render", wish.error(), options);
    }
    const switches::Commands commands = switches::commandsFor(*wish);
    return printOut(options.format == Format::json
                        ? report::toJson(report::toValue(*wish, commands))
                        : report::toText(*wish, commands),
                    engine::ExitCode::asWanted);
}

int runSwitchVerify(const Options& options) {
    const linux_host::Machine machine;
    const auto profile = loadProfile(machine.reader().files, options);
    if (!profile) {
        return print(invalidProfileReport(
                         machine.reader(), "switch verify", options, profile.error()),
                     options);
    }
    const auto wish = switches::wishOf(*profile);
    if (!wish) {
        return stopWith("switch verify", wish.error(), options);
    }
    Verdict verdict{.profile = wish->profile, .checks = {}, .problems = {}};
    const NvueValues values =
        readSwitch(machine.reader().files, options.switchPaths, verdict);
    switches::judgeSwitch(*wish, values, verdict);
    judgeEitherHost(machine, *profile, *wish, values, options, verdict);
    return show(verdict, options);
}

}  // namespace fabric::cli
