// SPDX-License-Identifier: Apache-2.0
#include "cli/snapshot_keeper.hpp"

#include "snapshot/capture.hpp"
#include "snapshot/compare.hpp"
#include "snapshot/save.hpp"

#include <algorithm>
#include <utility>

namespace fabric::cli {

namespace {

using resource::Finding;
using resource::Severity;

// `waits`: until it is confirmed no other restore may write.
Finding saved(const std::string& id, bool waits) {
    return {.id = "snapshot.saved",
            .severity = Severity::info,
            .summary = "what was there before this run is kept as " + id,
            .evidence = "fabricctl snapshot show " + id,
            .fix = "to put it back: fabricctl restore " + id +
                   (waits ? " --unconfirmed" : "")};
}

Finding notSaved(const Error& error) {
    return {.id = "snapshot.not-saved",
            .severity = Severity::warn,
            .summary =
                "what was there before this run is not kept: no restore brings it "
                "back",
            .evidence = error.message(),
            .fix = error.advice};
}

Finding incomplete(const snapshot::Snapshot& snapshot) {
    std::string list;
    for (const snapshot::Kept& kept : snapshot.notRestored) {
        if (kept.unread) {
            list += (list.empty() ? "" : "; ") + kept.what + " (" + kept.why + ")";
        }
    }
    return {.id = "snapshot.incomplete",
            .severity = Severity::warn,
            .summary =
                "a part of what was there before could not be read: no restore "
                "brings it back",
            .evidence = std::move(list),
            .fix = {}};
}

Finding notRemoved(const Error& error) {
    return {.id = "snapshot.not-removed",
            .severity = Severity::warn,
            .summary = "a snapshot that makes room for newer ones could not be removed",
            .evidence = error.message(),
            .fix = error.advice};
}

Error notWhollyUndone(const std::string& unread) {
    return {.kind = ErrorKind::refused,
            .action = "promise to undo it",
            .subject = {},
            .sysErrno = 0,
            .detail = "could not be read: " + unread,
            .advice =
                "run again; or without --confirm-within, and what could not be "
                "read is brought back by no restore"};
}

bool anyUnread(const snapshot::Snapshot& snapshot) {
    return std::ranges::any_of(snapshot.notRestored, &snapshot::Kept::unread);
}

}  // namespace

Result<void> SnapshotKeeper::tryKeep(const std::vector<resource::Step>& plan,
                                     const inventory::Platform& platform,
                                     const inventory::PciTopology* pci) {
    snapshot::Snapshot found =
        TRY(snapshot::capture(reader_,
                              plan,
                              {.command = subject_.command,
                               .profileName = subject_.profileName,
                               .profilePath = subject_.profilePath,
                               .platform = platform,
                               .pci = pci}));
    if (anyUnread(found) && subject_.undoneByItself) {
        return fail(notWhollyUndone(incomplete(found).evidence));
    }
    if (anyUnread(found)) {
        findings_.push_back(incomplete(found));
    }
    if (found.items.empty()) {
        return {};  // nothing that could be put back
    }
    TRY(snapshot::endKilled(reader_, files_, platform));
    const snapshot::Saved stored = TRY(snapshot::save(reader_.files, files_, found));
    if (!stored.leftovers.empty()) {
        findings_.push_back(notRemoved(stored.leftovers.front()));
    }
    found.id = stored.id;
    kept_ = std::move(found);
    platform_ = platform;
    return {};
}

bool SnapshotKeeper::unused() const {
    return kept_ && snapshot::isAsItWas(reader_, *kept_, platform_);
}

void SnapshotKeeper::end() {
    if (!kept_) {
        return;
    }
    // One that could not be removed is still marked, and the next run removes it.
    const auto stays = snapshot::end(reader_, files_, *kept_, platform_);
    if (stays && !*stays) {
        kept_.reset();
        return;
    }
    findings_.push_back(saved(kept_->id, subject_.undoneByItself));
}

Result<void> SnapshotKeeper::keep(const std::vector<resource::Step>& plan,
                                  const inventory::Platform& platform,
                                  const inventory::PciTopology* pci) {
    if (policy_ == SnapshotPolicy::none) {
        return {};
    }
    auto kept = tryKeep(plan, platform, pci);
    if (kept) {
        return {};
    }
    Error& error = kept.error();
    if (policy_ == SnapshotPolicy::attempt) {
        findings_.push_back(notSaved(error));
        return {};
    }
    error.action = "keep what is there before the first write (nothing was written): " +
                   error.action;
    if (!subject_.undoneByItself) {
        error.advice += (error.advice.empty() ? "" : ", or ") +
                        std::string("run with --snapshot try to go on without it");
    }
    return fail(std::move(error));
}

void SnapshotKeeper::tell(engine::Report& report) const {
    report.findings.insert(report.findings.end(), findings_.begin(), findings_.end());
}

}  // namespace fabric::cli
