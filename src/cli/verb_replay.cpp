// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "cli/facts_file.hpp"
#include "cli/loading.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"
#include "doctor/gather.hpp"
#include "engine/run.hpp"
#include "engine/status.hpp"
#include "facts/facts.hpp"
#include "facts/replay.hpp"
#include "facts/settle.hpp"
#include "linux/machine.hpp"
#include "report/doctor.hpp"
#include "report/json.hpp"
#include "report/status.hpp"

#include <utility>

namespace fabric::cli {

namespace {

const char* nameOf(Verb verb) {
    switch (verb) {
        case Verb::plan:
            return "plan";
        case Verb::check:
            return "check";
        case Verb::doctor:
            return "doctor";
        default:
            return "status";
    }
}

Value withOrigin(const Value& whole, const facts::Origin& origin) {
    Value::Object value = *whole.asObject();
    value.emplace("origin",
                  Value::Object{{"file", origin.file},
                                {"taken", origin.taken},
                                {"program", origin.program}});
    return value;
}

int replayStatus(facts::ReplayHost& replay,
                 const facts::Origin& origin,
                 const Options& options) {
    engine::Status status = engine::observeStatus(replay.reader(), options.run.rail);
    if (std::string unanswered = facts::unansweredText(replay); !unanswered.empty()) {
        status.problems.push_back(std::move(unanswered));
    }
    if (options.format == Format::json) {
        return printOut(report::toJson(withOrigin(report::toValue(status), origin)),
                        status.exitCode());
    }
    warn(escapeForTerminal(facts::originText(origin)));
    return printStatus(status, options);
}

// Without a profile that was named: that of this host says nothing about another one.
int replayDoctor(facts::ReplayHost& replay,
                 const facts::Origin& origin,
                 const host::FileReader& here,
                 const Options& options) {
    std::optional<profile::Profile> profile;
    if (options.profileNamed) {
        auto loaded = loadProfile(here, options);
        if (!loaded) {
            return print(invalidProfileReport(
                             replay.reader(), "doctor", options, loaded.error()),
                         options);
        }
        profile = std::move(*loaded);
        facts::readInventoriesHere(here, *profile, replay);
    }
    doctor::Evidence evidence =
        doctor::gather(replay.reader(), profile ? &*profile : nullptr);
    if (!options.beforePath.empty()) {
        auto earlier = readEarlierLook(here, options.beforePath, origin.hostName);
        if (!earlier) {
            return stopWith("doctor", std::move(earlier.error()), options);
        }
        evidence.earlier = std::move(*earlier);
    }
    doctor::Diagnosis diagnosis =
        doctor::diagnose(evidence, doctor::findSymptom(options.symptom));
    diagnosis.fromFacts = true;
    if (std::string unanswered = facts::unansweredText(replay); !unanswered.empty()) {
        diagnosis.problems.push_back(std::move(unanswered));
    }
    if (options.format == Format::json) {
        return printOut(report::toJson(withOrigin(report::toValue(diagnosis), origin)),
                        diagnosis.exitCode());
    }
    warn(escapeForTerminal(facts::originText(origin)));
    return printDiagnosis(diagnosis, options);
}

// The profile and the inventories that it names belong to whoever asks: they are read
// here.
int replayRun(facts::ReplayHost& replay,
              const facts::Origin& origin,
              const host::FileReader& here,
              const Options& options) {
    const auto profile = loadProfile(here, options);
    if (!profile) {
        return print(
            invalidProfileReport(
                replay.reader(), nameOf(options.verb), options, profile.error()),
            options);
    }
    facts::readInventoriesHere(here, *profile, replay);
    engine::Report report = options.verb == Verb::plan
                                ? engine::plan(replay.reader(), *profile, options.run)
                                : engine::check(replay.reader(), *profile, options.run);
    facts::settle(replay, *profile, origin, report);
    return print(report, options);
}

}  // namespace

int runReplay(const Options& options) {
    const linux_host::Machine machine;
    const host::FileReader& here = machine.reader().files;
    auto facts = readFactsFile(here, options.hostFile);
    if (!facts) {
        return stopWith(nameOf(options.verb), facts.error(), options);
    }
    const facts::Origin origin{.file = options.hostFile,
                               .taken = facts->taken,
                               .program = facts->program,
                               .hostName = facts->hostName};
    facts::ReplayHost replay(std::move(facts->observed));
    switch (options.verb) {
        case Verb::status:
            return replayStatus(replay, origin, options);
        case Verb::doctor:
            return replayDoctor(replay, origin, here, options);
        default:
            return replayRun(replay, origin, here, options);
    }
}

}  // namespace fabric::cli
