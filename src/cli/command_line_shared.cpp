// SPDX-License-Identifier: Apache-2.0
// Options that several verbs take.
#include "cli/bad_command_line.hpp"
#include "cli/command_line.hpp"
#include "engine/resource_table.hpp"

#include <fmt/format.h>

#include <ranges>

namespace fabric::cli {

namespace {

std::vector<std::string> kindNames() {
    std::vector<std::string> names;
    std::ranges::transform(engine::resourceTable(),
                           std::back_inserter(names),
                           [](const resource::Resource& resource) {
                               return std::string(resource::toString(resource.kind));
                           });
    return names;
}

}  // namespace

void CommandLine::addProfilePath(CLI::App& verb) {
    addValue(verb,
             "PROFILE",
             nonEmpty(options_.profilePath, "PROFILE: an empty name names no file"),
             "the profile")
        .default_str(kDefaultProfile)
        ->each([this](const std::string&) { options_.profileNamed = true; });
}

void CommandLine::addOnly(CLI::App& verb) {
    const auto meaning = [this](const std::vector<std::string>& names) {
        for (const std::string& name : names) {
            const auto kind = resource::parseKind(name);
            if (!kind) {
                problem_ = problem_.empty() ? noSuchKind(name, kindNames()) : problem_;
                return;
            }
            options_.run.only.insert(*kind);
        }
    };
    verb.add_option_function<std::vector<std::string>>(
            "--only",
            meaning,
            "kinds of resource, separated by commas: " +
                fmt::format("{}", fmt::join(kindNames(), ", ")))
        ->delimiter(',')
        // One word each time: what follows is the profile.
        ->allow_extra_args(false);
}

void CommandLine::addRail(CLI::App& verb) {
    addValue(verb,
             "--rail",
             railName(options_.run.rail),
             "one rail: interface, RDMA device or ifindex:N");
}

void CommandLine::addHost(CLI::App& verb) {
    addValue(verb,
             "--host",
             fileToWrite(options_.hostFile, "--host"),
             "look at a file of 'fabricctl facts' instead of this host");
}

void CommandLine::addLockWait(CLI::App& verb) {
    addValue(verb,
             "--lock-wait",
             duration(options_.lockWait, "--lock-wait", "120s"),
             "how long to wait for another run, such as 120s")
        .default_str("0");
}

void CommandLine::addSelection(CLI::App& verb) {
    addOnly(verb);
    addRail(verb);
    addHost(verb);
    addValue(verb,
             "--root",
             nonEmpty(options_.root, "--root: an empty name names no directory"),
             "prepare the files of an image in this directory; PROFILE is "
             "looked up there too, and nothing of this host is touched");
    addLockWait(verb);
    verb.add_flag("--explain", options_.explain, "say the rule behind each difference");
}

void CommandLine::addRestraint(CLI::App& verb) {
    CLI::Option& limit = addChoice<std::optional<resource::Disturbs>>(
        verb,
        "--max-disruption",
        options_.run.maxDisruption,
        {{"none", resource::Disturbs::none},
         {"traffic", resource::Disturbs::traffic},
         {"link", resource::Disturbs::link}},
        "none, traffic or link: a rail is left alone when its steps disturb "
        "more");
    limit.default_str("link");
    verb.add_flag_callback(
            "--forbid-disruptive",
            [this] {
                options_.run.maxDisruption = resource::Disturbs::none;
                options_.forbidDisruptive = true;
            },
            "the same as --max-disruption none")
        ->excludes(&limit);
    verb.add_flag("--one-at-a-time",
                  options_.run.oneAtATime,
                  "verify each rail before the next is touched; the first failure "
                  "ends the run");
}

void CommandLine::addReport(CLI::App& verb) {
    addValue(verb,
             "--report",
             fileToWrite(options_.reportPath, "--report"),
             "also write the JSON report to a file, and log what changed since the "
             "one that was there");
}

void CommandLine::addRecords(CLI::App& verb) {
    addReport(verb);
    addValue(verb,
             "--metrics",
             fileToWrite(options_.metricsPath, "--metrics"),
             "also write a Prometheus text file");
}

void CommandLine::addKeeping(CLI::App& verb) {
    addChoice<SnapshotPolicy>(
        verb,
        "--snapshot",
        options_.snapshot,
        {{"require", SnapshotPolicy::require},
         {"try", SnapshotPolicy::attempt},
         {"none", SnapshotPolicy::none}},
        "keep what is there before the first write: require (else nothing is "
        "written), try (else warn) or none");
}

void CommandLine::addSnapshotId(CLI::App& verb) {
    addValue(verb,
             "ID",
             nonEmpty(options_.snapshotId, "ID: an empty name names no snapshot"),
             "an id of 'snapshot list', or baseline; without it that of the last apply "
             "that changed something and is not undone yet");
}

}  // namespace fabric::cli
