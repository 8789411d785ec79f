// SPDX-License-Identifier: Apache-2.0
#include "cli/loading.hpp"
#include "cli/output.hpp"
#include "cli/stop_signal.hpp"
#include "cli/verbs.hpp"
#include "engine/apply_image.hpp"
#include "linux/machine.hpp"
#include "linux/machine_writer.hpp"

namespace fabric::cli {

namespace {

// Files only: nothing of this host may be taken for the image's.
host::Reader filesOf(const linux_host::Machine& machine) {
    host::Reader reader = machine.reader();
    reader.devices = nullptr;
    reader.services = nullptr;
    reader.programs = nullptr;
    reader.modules = nullptr;
    return reader;
}

engine::Report runOn(linux_host::Machine& machine,
                     const profile::Profile& profile,
                     const Options& options) {
    const host::Reader image = filesOf(machine);
    if (options.verb == Verb::plan) {
        return engine::observeImage(image, profile, options.run, engine::Purpose::plan);
    }
    if (options.verb == Verb::check) {
        return engine::observeImage(
            image, profile, options.run, engine::Purpose::check);
    }
    holdStopSignals();
    linux_host::MachineWriter writers(machine);
    host::Writer writer = writers.writer();
    writer.services = nullptr;
    writer.modules = nullptr;
    engine::ApplyOptions apply{.run = options.run};
    apply.execution.stopRequested = stopSignal;
    return engine::applyImage(image, writer, profile, apply);
}

std::string_view nameOf(Verb verb) {
    return verb == Verb::plan ? "plan" : verb == Verb::check ? "check" : "apply";
}

}  // namespace

int runImage(const Options& given) {
    // A name is one inside the image, wherever the person stands.
    Options options = given;
    options.profilePath = options.profilePath.starts_with('/')
                              ? options.profilePath
                              : "/" + options.profilePath;
    linux_host::Machine machine(options.root);
    const host::Reader image = filesOf(machine);
    if (const auto there = image.files.list("/"); !there) {
        engine::Report report;
        report.command = nameOf(options.verb);
        report.image = options.root;
        report.stopped = there.error();
        report.stopped->subject = options.root;
        report.stopped->advice = "--root takes the directory of an image";
        return print(report, options);
    }
    const auto profile = loadProfile(image.files, options);
    if (!profile) {
        profile::ProfileErrors errors = profile.error();
        for (profile::ProfileError& error : errors) {
            error.file = inImage(options.root, error.file);
        }
        engine::Report report = invalidProfileReport(
            image, std::string(nameOf(options.verb)), options, std::move(errors));
        report.image = options.root;
        return print(report, options);
    }
    engine::Report report = runOn(machine, *profile, options);
    report.image = options.root;
    return print(report, options);
}

}  // namespace fabric::cli
