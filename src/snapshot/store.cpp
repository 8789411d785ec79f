// SPDX-License-Identifier: Apache-2.0
#include "snapshot/store.hpp"

#include "base/text.hpp"
#include "inventory/platform.hpp"
#include "profile/trust.hpp"
#include "snapshot/compare.hpp"
#include "snapshot/in_effect.hpp"
#include "snapshot/json.hpp"
#include "snapshot/run_number.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

namespace fabric::snapshot {

namespace {

constexpr std::string_view kSuffix = ".json";
constexpr const char* kMoveAway =
    "see who changed it, and move it away: what it holds is kept nowhere else";
constexpr std::string_view kForm = "ddddddddTddddddZ-";

Error unbelievable(const std::string& path, const std::string& why) {
    return {.kind = ErrorKind::refused,
            .action = "read snapshot",
            .subject = path,
            .sysErrno = 0,
            .detail = why,
            .advice = "see who changed it; a restore would write as root what it says"};
}

Error noSuchSnapshot(std::string_view id, const std::vector<std::string>& known) {
    return {
        .kind = ErrorKind::notFound,
        .action = "find snapshot",
        .subject = escapeForTerminal(id),
        .sysErrno = 0,
        .detail = known.empty() ? "no run has left one here" : "there is none of it",
        .advice = known.empty() ? "" : "see: fabricctl snapshot list"};
}

// One that is damaged is not passed over by itself: what it holds is newer than what
// would be put back instead.
Error passingOver(Error error,
                  const host::FileReader& files,
                  const std::vector<std::string>& older) {
    const auto good = std::find_if(older.rbegin(), older.rend(), [&](const auto& id) {
        return load(files, id).has_value();
    });
    if (good != older.rend()) {
        error.advice += (error.advice.empty() ? "" : "; ") +
                        fmt::format(
                            "the next older one that can be read, to go back "
                            "further: fabricctl restore {}",
                            *good);
    }
    return error;
}

}  // namespace

bool isSnapshotId(std::string_view id) {
    const auto fits = [](char have, char form) {
        return form == 'd' ? have >= '0' && have <= '9' : have == form;
    };
    return id.size() > kForm.size() &&
           std::ranges::equal(id.substr(0, kForm.size()), kForm, fits) &&
           runNumber(id).has_value();
}

std::optional<std::uint64_t> runNumber(std::string_view id) {
    constexpr std::size_t kMostDigits = 18;
    const auto dash = id.rfind('-');
    if (dash == std::string_view::npos || id.size() - dash - 1 > kMostDigits) {
        return std::nullopt;
    }
    return parseUnsigned(id.substr(dash + 1));
}

std::string pathOf(std::string_view id) {
    return id == kBaselineId ? std::string(kBaselinePath)
                             : fmt::format("{}/{}{}", kSnapshotDirectory, id, kSuffix);
}

Result<std::vector<std::string>> storedIds(const host::FileReader& files) {
    auto names = files.list(kSnapshotDirectory);
    if (!names && names.error().kind == ErrorKind::notFound) {
        return std::vector<std::string>{};
    }
    if (!names) {
        names.error().action = "list snapshots";
        names.error().advice = names.error().kind == ErrorKind::permission
                                   ? "run as root: they may hold secrets of a service"
                                   : "see what is in its place, and move it away";
        return names;
    }
    std::vector<std::string> ids;
    for (std::string& name : *names) {
        if (name.ends_with(kSuffix)) {
            name.resize(name.size() - kSuffix.size());
            if (isSnapshotId(name)) {
                ids.push_back(std::move(name));
            }
        }
    }
    std::ranges::sort(ids, {}, runNumber);
    return ids;
}

Result<Snapshot> load(const host::FileReader& files, std::string_view id) {
    if (id != kBaselineId && !isSnapshotId(id)) {
        return fail(
            noSuchSnapshot(id, storedIds(files).value_or(std::vector<std::string>{})));
    }
    const std::string path = pathOf(id);
    const auto file = files.readTraced(path, kLargestSnapshot);
    if (!file && file.error().kind == ErrorKind::notFound) {
        return fail(noSuchSnapshot(id, TRY(storedIds(files))));
    }
    if (!file) {
        Error error = file.error();
        error.action = "read snapshot";
        error.advice = error.kind == ErrorKind::permission
                           ? "run as root: they may hold secrets of a service"
                           : kMoveAway;
        return fail(std::move(error));
    }
    const profile::TrustReport trust = profile::judgeTrust(*file);
    for (const auto& reasons : {trust.refusals, trust.doubts}) {
        if (!reasons.empty()) {
            return fail(unbelievable(path, reasons.front()));
        }
    }
    auto snapshot = fromJson(file->text);
    if (!snapshot) {
        snapshot.error().subject = path;
        if (snapshot.error().advice.empty()) {
            snapshot.error().advice = kMoveAway;
        }
        return snapshot;
    }
    if (snapshot->id != id) {
        return fail(unbelievable(
            path, "it says that it is " + escapeForTerminal(snapshot->id)));
    }
    return snapshot;
}

Left lastLeft(const host::FileReader& files) {
    Left left;
    for (const std::string& id :
         storedIds(files).value_or(std::vector<std::string>{})) {
        const auto snapshot = load(files, id);
        if (!snapshot || snapshot->left.empty()) {
            left.clear();  // what that run did to any of it is not known
            continue;
        }
        absorb(snapshot->left, left);
    }
    return left;
}

Result<std::vector<std::string>> appliesInEffect(const host::FileReader& files) {
    std::vector<StoredRun> runs;
    for (std::string& id : TRY(storedIds(files))) {
        const auto snapshot = load(files, id);
        runs.push_back({.id = std::move(id),
                        .restores = snapshot && snapshot->command == kRestoreCommand});
    }
    return inEffect(runs, TRY(readRestored(files)));
}

Result<std::optional<Snapshot>> loadLatest(const host::Reader& host) {
    const auto stored = TRY(storedIds(host.files));
    if (stored.empty()) {
        return fail(noSuchSnapshot("the last run", stored));
    }
    auto ids = TRY(appliesInEffect(host.files));
    const inventory::Platform platform = inventory::observePlatform(host);
    while (!ids.empty()) {
        auto snapshot = load(host.files, ids.back());
        ids.pop_back();
        if (!snapshot) {
            return fail(passingOver(std::move(snapshot.error()), host.files, ids));
        }
        if (!isAsItWas(host, *snapshot, platform)) {
            return snapshot;
        }
    }
    return std::nullopt;
}

}  // namespace fabric::snapshot
