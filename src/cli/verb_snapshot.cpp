// SPDX-License-Identifier: Apache-2.0
#include "cli/output.hpp"
#include "cli/verbs.hpp"
#include "linux/machine.hpp"
#include "report/json.hpp"
#include "report/snapshots.hpp"
#include "snapshot/json.hpp"
#include "snapshot/look.hpp"
#include "snapshot/store.hpp"

#include <algorithm>

namespace fabric::cli {

namespace {

Result<snapshot::Snapshot> wanted(const host::Reader& host, const Options& options) {
    return options.snapshotId.empty() ? snapshot::loadLatest(host)
                                      : snapshot::load(host.files, options.snapshotId);
}

Result<std::vector<report::StoredSnapshot>> allStored(const host::FileReader& files) {
    std::vector<report::StoredSnapshot> stored;
    for (const std::string& id : TRY(snapshot::storedIds(files))) {
        stored.push_back({.id = id, .content = snapshot::load(files, id)});
    }
    auto baseline = snapshot::load(files, snapshot::kBaselineId);
    if (baseline || baseline.error().kind != ErrorKind::notFound) {
        stored.push_back({.id = snapshot::kBaselineId, .content = std::move(baseline)});
    }
    return stored;
}

}  // namespace

int runSnapshotList(const Options& options) {
    const linux_host::Machine machine;
    const auto stored = allStored(machine.reader().files);
    if (!stored) {
        return stopWith("snapshot list", stored.error(), options);
    }
    const bool readable = std::ranges::all_of(
        *stored, [](const auto& one) { return one.content.has_value(); });
    return printOut(
        options.format == Format::json ? report::toJson(report::toValue(*stored))
                                       : report::toText(*stored),
        readable ? engine::ExitCode::asWanted : engine::ExitCode::unverifiable);
}

int runSnapshotShow(const Options& options) {
    const linux_host::Machine machine;
    const auto snapshot = wanted(machine.reader(), options);
    if (!snapshot) {
        return stopWith("snapshot show", snapshot.error(), options);
    }
    return printOut(options.format == Format::json ? snapshot::toJson(*snapshot)
                                                   : report::toText(*snapshot),
                    engine::ExitCode::asWanted);
}

int runSnapshotDiff(const Options& options) {
    const linux_host::Machine machine;
    const auto snapshot = wanted(machine.reader(), options);
    if (!snapshot) {
        return stopWith("snapshot diff", snapshot.error(), options);
    }
    return print(snapshot::differences(machine.reader(), "snapshot diff", *snapshot),
                 options);
}

}  // namespace fabric::cli
