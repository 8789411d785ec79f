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
#include <optional>

namespace fabric::cli {

namespace {

Error nothingToUndo() {
    return {.kind = ErrorKind::notFound,
            .action = "find snapshot",
            .subject = {},
            .sysErrno = 0,
            .detail = "no apply is left to be undone",
            .advice = "name one of: fabricctl snapshot list"};
}

// Without an id the one that a restore without an id would put back.
Result<snapshot::Snapshot> wanted(const host::Reader& host, const Options& options) {
    if (!options.snapshotId.empty()) {
        return snapshot::load(host.files, options.snapshotId);
    }
    auto latest = TRY(snapshot::loadLatest(host));
    return latest ? Result<snapshot::Snapshot>(std::move(*latest))
                  : fail(nothingToUndo());
}

using InEffect = Result<std::vector<std::string>>;

Result<std::vector<report::StoredSnapshot>> allStored(const host::FileReader& files,
                                                      const InEffect& inEffect) {
    std::vector<report::StoredSnapshot> stored;
    for (const std::string& id : TRY(snapshot::storedIds(files))) {
        auto content = snapshot::load(files, id);
        const bool applied = content && content->command != snapshot::kRestoreCommand;
        std::optional<bool> undone;
        if (inEffect) {
            undone = applied && std::ranges::find(*inEffect, id) == inEffect->end();
        }
        stored.push_back({.id = id, .content = std::move(content), .undone = undone});
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
    const InEffect inEffect = snapshot::appliesInEffect(machine.reader().files);
    const auto stored = allStored(machine.reader().files, inEffect);
    if (!stored) {
        return stopWith("snapshot list", stored.error(), options);
    }
    if (!inEffect) {
        warn(inEffect.error().message() + "; " + inEffect.error().advice);
    }
    const bool readable = inEffect && std::ranges::all_of(*stored, [](const auto& one) {
                              return one.content.has_value();
                          });
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
