// SPDX-License-Identifier: Apache-2.0
#include "cli/confirmation.hpp"
#include "cli/loading.hpp"
#include "cli/locking.hpp"
#include "cli/output.hpp"
#include "cli/plan_file.hpp"
#include "cli/records.hpp"
#include "cli/shown_plan.hpp"
#include "cli/verbs.hpp"
#include "engine/boot.hpp"
#include "engine/run.hpp"
#include "engine/wire.hpp"
#include "linux/machine.hpp"
#include "linux/prober.hpp"
#include "linux/run_lock.hpp"
#include "report/boot_record.hpp"

#include <algorithm>
#include <filesystem>
#include <iterator>

namespace fabric::cli {

namespace {

void tellUnsettled(const host::Reader& reader,
                   const Options& options,
                   engine::Report& report) {
    std::ranges::move(
        unsettledFindings(reader, report.bootId, afterCutOff(report, options)),
        std::back_inserter(report.findings));
}

// A plan names its profile for a later run, which may be made from elsewhere.
Options withWholePath(Options options) {
    std::error_code unknownPlace;
    const auto absolute = std::filesystem::absolute(options.profilePath, unknownPlace);
    if (!options.planPath.empty() && !unknownPlace) {
        options.profilePath = absolute.string();
    }
    return options;
}

// Whoever asked for a plan file must have one.
void keepPlan(const host::Reader& reader,
              const profile::Profile& profile,
              const Options& options,
              engine::Report& report) {
    if (options.planPath.empty() || report.stopped || !report.errors.empty()) {
        return;
    }
    std::vector<engine::HashedFile> files = engine::hashesOf(reader.files, profile);
    const auto written =
        writePlan(reader.files,
                  engine::recordPlan(report, std::move(files), options.run),
                  options.planPath);
    if (!written) {
        noteUnrecorded("--out", written.error(), report);
    }
}

int showPlan(const host::Reader& reader,
             const Result<engine::PlanRecord>& plan,
             const Options& given) {
    auto usable = plan ? optionsFor(*plan, given) : fail(plan.error());
    if (!usable) {
        return stopWith("plan", std::move(usable.error()), given);
    }
    return print(shownPlan(reader, *plan, given), given);
}

}  // namespace

int runPlan(const Options& given) {
    const Options options = withWholePath(given);
    const linux_host::Machine machine;
    const host::Reader reader = machine.reader();
    if (const auto plan = readPlan(reader.files, given.profilePath)) {
        return showPlan(reader, *plan, given);
    }
    const auto profile = loadProfile(reader.files, options);
    if (!profile) {
        return print(invalidProfileReport(reader, "plan", options, profile.error()),
                     options);
    }
    engine::Report report = engine::plan(reader, *profile, options.run);
    tellUnsettled(reader, options, report);
    keepPlan(reader, *profile, options, report);
    return print(report, options);
}

namespace {

resource::Comparison aboutThisBoot(const host::Reader& reader,
                                   const profile::Profile& profile,
                                   const Options& options) {
    if (!options.boot) {
        return {};
    }
    return engine::assessBoot(reader, profile, report::readBootRecord(reader.files));
}

engine::Report checkLocked(const host::Reader& reader,
                           const profile::Profile& profile,
                           const Options& options) {
    linux_host::FileRunLocks locks(kRunDirectory, "fabricctl check");
    const auto lock = lockToRead(locks, options);
    if (!lock) {
        engine::Report report = engine::beginReport(reader, "check", profile);
        report.stopped = lock.error();
        report.locked = lock.error().kind == ErrorKind::busy;
        return report;
    }
    engine::Report report = engine::check(
        reader, profile, options.run, aboutThisBoot(reader, profile, options));
    tellUnsettled(reader, options, report);
    return report;
}

// Frames are no observation: what they tell stands beside the result and does not
// change it.
void probeWire(const linux_host::Machine& machine,
               const profile::Profile& profile,
               const Options& options,
               engine::Report& report) {
    const host::Reader reader = machine.reader();
    linux_host::PacketProber prober(reader.links);
    const auto seen = [&]() -> Result<std::vector<engine::InterfaceSharing>> {
        const auto rails = TRY(engine::probedRails(reader, &profile, options.run.rail));
        return engine::probeDomains(reader, prober, rails);
    }();
    std::ranges::move(engine::sharingFindings(seen),
                      std::back_inserter(report.findings));
}

}  // namespace

int runCheck(const Options& options) {
    const linux_host::Machine machine;
    const host::Reader reader = machine.reader();
    const auto profile = loadProfile(reader.files, options);
    if (!profile) {
        return printAndRecord(
            reader,
            invalidProfileReport(reader, "check", options, profile.error()),
            options);
    }
    engine::Report report = checkLocked(reader, *profile, options);
    if (options.probe && !report.stopped) {
        probeWire(machine, *profile, options, report);
    }
    return printAndRecord(reader, report, options);
}

}  // namespace fabric::cli
