// SPDX-License-Identifier: Apache-2.0
#include "cli/loading.hpp"
#include "cli/output.hpp"
#include "cli/verbs.hpp"
#include "engine/run.hpp"
#include "linux/machine.hpp"
#include "linux/run_lock.hpp"

namespace fabric::cli {

int runPlan(const Options& options) {
    const linux_host::Machine machine;
    const host::Reader reader = machine.reader();
    const auto profile = loadProfile(reader.files, options);
    if (!profile) {
        return print(invalidProfileReport(reader, "plan", options, profile.error()),
                     options);
    }
    return print(engine::plan(reader, *profile, options.run), options);
}

namespace {

engine::Report checkLocked(const host::Reader& reader,
                           const profile::Profile& profile,
                           const Options& options) {
    linux_host::FileRunLocks locks(kRunDirectory, "fabricctl check");
    const auto lock = locks.shared(options.lockWait);
    if (!lock) {
        engine::Report report = engine::beginReport(reader, "check", profile);
        report.stopped = lock.error();
        report.locked = lock.error().kind == ErrorKind::busy;
        return report;
    }
    return engine::check(reader, profile, options.run);
}

}  // namespace

int runCheck(const Options& options) {
    const linux_host::Machine machine;
    const host::Reader reader = machine.reader();
    const auto profile = loadProfile(reader.files, options);
    if (!profile) {
        return print(invalidProfileReport(reader, "check", options, profile.error()),
                     options);
    }
    return print(checkLocked(reader, *profile, options), options);
}

}  // namespace fabric::cli
