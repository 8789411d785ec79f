// SPDX-License-Identifier: Apache-2.0
#include "cli/options.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"

#include <cstdio>
#include <exception>
#include <string>
#include <variant>
#include <vector>

namespace fabric::cli {

namespace {

int run(const Options& options) {
    if (!options.root.empty()) {
        return runImage(options);
    }
    if (!options.hostFile.empty()) {
        return runReplay(options);
    }
    switch (options.verb) {
        case Verb::apply:
            return runApply(options);
        case Verb::plan:
            return runPlan(options);
        case Verb::check:
            return runCheck(options);
        case Verb::status:
            return runStatus(options);
        case Verb::doctor:
            return runDoctor(options);
        case Verb::watch:
            return runWatch(options);
        case Verb::facts:
            return runFacts(options);
        case Verb::fleetCheck:
            return runFleetCheck(options);
        case Verb::switchRender:
            return runSwitchRender(options);
        case Verb::switchVerify:
            return runSwitchVerify(options);
        case Verb::confirm:
            return runConfirm(options);
        case Verb::history:
            return runHistory(options);
        case Verb::peersExport:
            return runPeersExport(options);
        case Verb::profileValidate:
            return runProfileValidate(options);
        case Verb::profileShow:
            return runProfileShow(options);
        case Verb::profileInit:
            return runProfileInit(options);
        case Verb::profileSchema:
            return runProfileSchema(options);
        case Verb::profileExplain:
            return runProfileExplain(options);
        case Verb::restore:
            return runRestore(options);
        case Verb::snapshotList:
            return runSnapshotList(options);
        case Verb::snapshotShow:
            return runSnapshotShow(options);
        case Verb::snapshotDiff:
            return runSnapshotDiff(options);
    }
    return static_cast<int>(engine::ExitCode::couldNotRun);
}

}  // namespace

}  // namespace fabric::cli

int main(int argc, char** argv) {
    using namespace fabric::cli;
    if (!keepStandardStreams()) {
        return static_cast<int>(fabric::engine::ExitCode::couldNotRun);
    }
    // argc is 0 for a caller of execve(2) who gives no arguments at all.
    const std::vector<std::string> arguments(argv + (argc > 0 ? 1 : 0), argv + argc);
    try {
        const auto parsed = parseCommandLine(arguments);
        if (const Ending* ending = std::get_if<Ending>(&parsed)) {
            return finish(*ending, arguments);
        }
        return run(std::get<Options>(parsed));
    } catch (const std::exception& error) {
        return reportCrash(error.what(), arguments);
    }
}
