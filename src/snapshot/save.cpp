// SPDX-License-Identifier: Apache-2.0
#include "snapshot/save.hpp"

#include "snapshot/compare.hpp"
#include "snapshot/cut_off.hpp"
#include "snapshot/in_effect.hpp"
#include "snapshot/json.hpp"
#include "snapshot/run_number.hpp"
#include "snapshot/store.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <span>
#include <utility>

namespace fabric::snapshot {

namespace {

// Other records of this program lie in the state directory too, for everybody to read.
constexpr mode_t kPublicDirectory = 0755;
// What a service keeps secret may stand in its files.
constexpr mode_t kPrivateDirectory = 0700;
constexpr mode_t kPrivateFile = 0600;

Error refusal(const char* path, std::string why) {
    return {.kind = ErrorKind::refused,
            .action = "save snapshot",
            .subject = path,
            .sysErrno = 0,
            .detail = std::move(why),
            .advice =
                "see who changed it, and make it a directory that only root may write"};
}

// A file that somebody named so; its own runs would not come to such a number.
Error noNumberLeft(const std::vector<std::string>& ids) {
    return {.kind = ErrorKind::refused,
            .action = "save snapshot",
            .subject = kSnapshotDirectory,
            .sysErrno = 0,
            .detail = "no number comes after that of its newest one, " +
                      (ids.empty() ? std::string("none") : ids.back()),
            .advice = "see who put that file there, and move it away"};
}

// What cannot be read again restores nothing.
Error unreadable(const std::string& path, const Result<Snapshot>& again) {
    return {.kind = ErrorKind::malformed,
            .action = "save snapshot",
            .subject = path,
            .sysErrno = 0,
            .detail = "it could not be read again: " +
                      (again ? "it would say something else" : again.error().detail),
            .advice = {}};
}

Result<void> openDirectory(const host::FileReader& files,
                           host::FileWriter& writer,
                           const char* path,
                           mode_t mode) {
    if (files.readLink(path)) {
        return fail(refusal(path, "a symbolic link is in its place"));
    }
    TRY(writer.makeDirectory(path, mode));
    const host::FileStatus status = TRY(files.status(path));
    if (status.owner != 0) {
        return fail(refusal(path, fmt::format("it belongs to uid {}", status.owner)));
    }
    if ((status.mode & (S_IWGRP | S_IWOTH)) != 0) {
        return fail(refusal(
            path, fmt::format("its mode {:04o} lets others write it", status.mode)));
    }
    return {};
}

Result<void> write(host::FileWriter& writer, const Snapshot& snapshot) {
    const std::string text = toJson(snapshot);
    const std::string path = pathOf(snapshot.id);
    if (text.size() > kLargestSnapshot) {
        return fail(
            {.kind = ErrorKind::refused,
             .action = "save snapshot",
             .subject = path,
             .sysErrno = 0,
             .detail = fmt::format(
                 "it has {} bytes, at most {} are kept", text.size(), kLargestSnapshot),
             .advice = {}});
    }
    const auto again = fromJson(text);
    if (!again || *again != snapshot) {
        return fail(unreadable(path, again));
    }
    return writer.replaceFile(path, text, kPrivateFile);
}

// A baseline that cannot be read is not written over: what it holds is known nowhere
// else.
Result<void> growBaseline(const host::FileReader& files,
                          host::FileWriter& writer,
                          const Snapshot& snapshot) {
    auto baseline = load(files, kBaselineId);
    const bool isNew = !baseline && baseline.error().kind == ErrorKind::notFound;
    if (!baseline && !isNew) {
        return fail(baseline.error());
    }
    Snapshot grown = isNew ? snapshot : *baseline;
    if (isNew) {
        grown.id = kBaselineId;
        grown.run = 0;
        grown.items.clear();
        grown.notRestored.clear();
    }
    for (const Item& item : snapshot.items) {
        absorb(item, grown.items);
    }
    const bool same = !isNew && grown == *baseline;
    return same ? Result<void>{} : write(writer, grown);
}

Snapshot withWhatIsLeft(Snapshot snapshot, const resource::Comparison& now) {
    for (const resource::Assessment& assessment : now.assessments) {
        using resource::Verdict;
        const bool seen = assessment.verdict == Verdict::inSync ||
                          assessment.verdict == Verdict::differs;
        if (seen && !assessment.beyondApply) {
            snapshot.left[assessment.id] = leftOf(assessment.found);
        }
    }
    return snapshot;
}

}  // namespace

Result<Saved> save(const host::FileReader& files,
                   host::FileWriter& writer,
                   Snapshot snapshot) {
    TRY(openDirectory(files, writer, kStateDirectory, kPublicDirectory));
    TRY(openDirectory(files, writer, kSnapshotDirectory, kPrivateDirectory));
    std::vector<std::string> ids = TRY(storedIds(files));
    snapshot.run = ids.empty() ? 1 : runNumber(ids.back()).value_or(0) + 1;
    snapshot.id =
        fmt::format("{:%Y%m%dT%H%M%S}Z-{:06}",
                    fmt::gmtime(std::chrono::system_clock::to_time_t(snapshot.taken)),
                    snapshot.run);
    if (!isSnapshotId(snapshot.id)) {
        return fail(noNumberLeft(ids));
    }
    for (Item& item : snapshot.items) {
        item.from = snapshot.id;
    }
    TRY(growBaseline(files, writer, snapshot));
    TRY(writer.replaceFile(kBegunPath, begunText(files, snapshot.id), kPrivateFile));
    TRY(write(writer, snapshot));
    Saved saved{.id = snapshot.id, .removed = {}, .leftovers = {}};
    for (std::size_t at = 0; at + kKeptSnapshots < ids.size() + 1; ++at) {
        if (auto removed = writer.removeFile(pathOf(ids[at])); !removed) {
            saved.leftovers.push_back(std::move(removed.error()));
        } else {
            saved.removed.push_back(ids[at]);
        }
    }
    return saved;
}

Result<bool> end(const host::Reader& host,
                 host::FileWriter& writer,
                 const Snapshot& snapshot,
                 const inventory::Platform& platform) {
    const auto now = compare(host, snapshot, platform);
    const bool unused = isAsItWas(now);
    if (unused) {
        TRY(writer.removeFile(pathOf(snapshot.id)));
    } else {
        // Only a word for later: the snapshot counts without it.
        static_cast<void>(write(writer, withWhatIsLeft(snapshot, now)));
    }
    // Last: without the mark a snapshot counts.
    TRY(writer.removeFile(kBegunPath));
    return !unused;
}

Result<void> endKilled(const host::Reader& host,
                       host::FileWriter& writer,
                       const inventory::Platform& platform) {
    const auto begun = readBegun(host.files);
    if (!begun) {
        return {};
    }
    // Without a file it was killed before it was saved; one that is damaged is told
    // about by whoever wants it.
    if (const auto snapshot = load(host.files, begun->id)) {
        TRY(end(host, writer, *snapshot, platform));
    }
    return {};
}

Result<void> forgetCutOff(const host::FileReader& files,
                          host::FileWriter& writer,
                          const std::string& id) {
    const auto begun = readBegun(files);
    return begun && begun->id == id ? writer.removeFile(kBegunPath) : Result<void>{};
}

Result<void> noteRestored(const host::FileReader& files,
                          host::FileWriter& writer,
                          const std::string& target) {
    // Restores that keep no snapshot of their own all come after the same one.
    constexpr std::size_t kMostKept = 4 * kKeptSnapshots;
    const std::vector<std::string> ids = TRY(storedIds(files));
    if (ids.empty()) {
        return {};  // no apply is left that could be undone
    }
    std::vector<Restored> restores = TRY(readRestored(files));
    const Restored now{.after = ids.back(), .target = target};
    if (!restores.empty() && restores.back() == now) {
        return {};
    }
    restores.push_back(now);
    std::erase_if(restores, [&](const Restored& one) {
        return std::ranges::find(ids, one.after) == ids.end();
    });
    const std::size_t tooMany =
        restores.size() > kMostKept ? restores.size() - kMostKept : 0;
    return writer.replaceFile(
        kRestoredPath, toText(std::span(restores).subspan(tooMany)), kPrivateFile);
}

}  // namespace fabric::snapshot
