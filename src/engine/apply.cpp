// SPDX-License-Identifier: Apache-2.0
#include "engine/apply.hpp"

#include "engine/one_at_a_time.hpp"
#include "engine/other_owner.hpp"
#include "engine/prove.hpp"
#include "engine/rail_wait.hpp"
#include "engine/resource_table.hpp"
#include "engine/run.hpp"

#include <algorithm>
#include <utility>

namespace fabric::engine {

namespace {

using resource::Kind;

Error lacks(std::string_view capability,
            std::string_view forWhat,
            const inventory::Platform& platform) {
    Error error{.kind = ErrorKind::permission,
                .action = "apply",
                .subject = std::string(forWhat),
                .sysErrno = 0,
                .detail = std::string(capability) + " is missing",
                .advice = "run as root"};
    if (!platform.initialUserNamespace) {
        error.detail +=
            " in the initial user namespace (this process runs in another one)";
        error.advice =
            "run on the host, not inside a container with its own user namespace";
    }
    return error;
}

// No single capability is what such a caller lacks.
Error notRoot(std::string_view forWhat) {
    return {.kind = ErrorKind::permission,
            .action = "apply",
            .subject = std::string(forWhat),
            .sysErrno = 0,
            .detail = "this user is not root",
            .advice = "run as root"};
}

bool writes(const profile::Profile& profile,
            const RunOptions& options,
            std::initializer_list<Kind> kinds) {
    return std::ranges::any_of(
        resourceTable(), [&](const resource::Resource& resource) {
            return std::ranges::find(kinds, resource.kind) != kinds.end() &&
                   options.includes(resource.kind) && profile.owns(resource.section);
        });
}

CarryOut carryingOut(const host::Reader& reader,
                     const host::Writer& writer,
                     const profile::Profile& profile,
                     const Preparation& preparation,
                     const ApplyOptions& options) {
    if (!options.run.oneAtATime) {
        return {};
    }
    return [&](std::vector<resource::Step>& steps,
               const std::vector<resource::Assessment>& before,
               const ExecutionOptions& execution) {
        const std::vector<Batch> batches = batchesOf(std::move(steps), before);
        steps = stepsOf(batches);
        return executeOneAtATime(batches,
                                 reader,
                                 writer,
                                 {.profile = profile,
                                  .preparation = preparation,
                                  .options = options.run,
                                  .before = before},
                                 execution);
    };
}

}  // namespace

std::optional<Error> missingCapability(const inventory::Platform& platform,
                                       const profile::Profile& profile,
                                       const RunOptions& options) {
    const bool netAdmin = platform.hasNetAdmin && platform.initialUserNamespace;
    if (!netAdmin &&
        writes(profile,
               options,
               {Kind::dcb, Kind::mtu, Kind::pause, Kind::arp, Kind::neighbour})) {
        return lacks("CAP_NET_ADMIN", "network settings", platform);
    }
    const bool sysAdmin = platform.hasSysAdmin && platform.initialUserNamespace;
    if (!sysAdmin && options.rail.empty() && writes(profile, options, {Kind::acs})) {
        return lacks("CAP_SYS_ADMIN", "PCI configuration space", platform);
    }
    if (!platform.effectiveRoot &&
        writes(profile, options, {Kind::ecn, Kind::rdmaCm, Kind::acs, Kind::module})) {
        return notRoot("files below /sys and /etc that belong to root");
    }
    if (!platform.effectiveRoot && options.rail.empty() &&
        writes(profile, options, {Kind::service})) {
        return notRoot("drop-ins in /etc/systemd/system");
    }
    return std::nullopt;
}

Report apply(const host::Reader& reader,
             const host::Writer& writer,
             const profile::Profile& profile,
             const ApplyOptions& options) {
    const auto start = reader.clock.now();
    Report report = beginReport(reader, "apply", profile);
    report.detailedExitCode = options.run.detailedExitCode;
    Preparation preparation;
    preparation.platform = inventory::observePlatform(reader);
    if (auto missing = missingCapability(preparation.platform, profile, options.run)) {
        report.stopped = std::move(missing);
    } else {
        waitForRails(reader, profile, options);
        preparation = prepare(reader, profile, options.run, Purpose::apply);
        report.errors = std::move(preparation.errors);
        report.stopped = std::move(preparation.stopped);
    }
    if (report.errors.empty() && !report.stopped) {
        const Proving proving{
            .run = options.run,
            .known = preparation.known,
            .look =
                [&] { return assessAll(reader, profile, preparation, options.run); },
            .beforeWriting =
                [&](const std::vector<resource::Step>& plan) {
                    return options.beforeWriting(plan, preparation);
                },
            .approve = options.approve,
            .carryOut = carryingOut(reader, writer, profile, preparation, options),
            .execution = options.execution};
        writeAndProve(reader, writer, proving, report);
        nameOtherOwners(reader.files, report);
    }
    finishReport(reader, preparation, start, report);
    return report;
}

}  // namespace fabric::engine
