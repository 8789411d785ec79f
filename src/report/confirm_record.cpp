// SPDX-License-Identifier: Apache-2.0
#include "report/confirm_record.hpp"

#include "base/text.hpp"
#include "profile/trust.hpp"
#include "report/json.hpp"
#include "report/json_tree.hpp"
#include "snapshot/store.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <utility>

namespace fabric::report {

namespace {

using State = engine::ConfirmRecord::State;

constexpr const char* kSchema = "fabricctl/confirm/1";
constexpr std::array<std::pair<std::string_view, State>, 3> kStates{
    {{"pending", State::pending},
     {"restoring", State::restoring},
     {"restored", State::restored}}};

constexpr const char* kMayBeArmed =
    "see 'systemctl list-timers --all' (without systemd 'pgrep -f confirm-within') for "
    "a restore that is armed: it undoes the apply when its time comes; remove the file "
    "when there is none";

// Whether a restore is armed cannot be told: nothing may be written over it.
Error malformed(std::string detail) {
    return {.kind = ErrorKind::malformed,
            .action = "read",
            .subject = engine::kConfirmRecord,
            .sysErrno = 0,
            .detail = escapeForTerminal(detail),
            .advice = kMayBeArmed};
}

// Whoever could write it could name a unit or a process that root then ends.
Result<void> believe(const host::TracedFile& file) {
    const profile::TrustReport trust = profile::judgeTrust(file);
    for (const auto& reasons : {trust.refusals, trust.doubts}) {
        if (!reasons.empty()) {
            Error error = malformed(reasons.front());
            error.kind = ErrorKind::refused;
            return fail(std::move(error));
        }
    }
    return {};
}

// The timer is named by the id, and one of both holds the restore.
bool namesItsKeeper(const engine::ConfirmRecord& record) {
    const std::string timer = "fabricctl-confirm-" + record.id + ".timer";
    return record.keeper.timer.empty()
               ? record.keeper.process > 1
               : record.keeper.timer == timer && record.keeper.process == 0;
}

}  // namespace

std::string toJson(const engine::ConfirmRecord& record) {
    const auto* const state = std::ranges::find(
        kStates, record.state, &decltype(kStates)::value_type::second);
    return toJson(Value(Value::Object{
        {"schema", kSchema},
        {"id", record.id},
        {"boot_id", record.bootId},
        {"state", state->first},
        {"deadline", record.deadline},
        {"timer", record.keeper.timer},
        {"process", std::int64_t{record.keeper.process}},
        {"process_start", static_cast<std::int64_t>(record.keeper.processStart)},
        {"ended", record.ended},
        {"exit_code", record.exitCode}}));
}

Result<engine::ConfirmRecord> parseConfirmRecord(std::string_view text) {
    try {
        const Json tree = parseTree(text);
        const std::string named = tree.at("state");
        const auto* const state =
            std::ranges::find(kStates, named, &decltype(kStates)::value_type::first);
        if (tree.at("schema") != kSchema || state == kStates.end()) {
            return fail(malformed("it is of another schema"));
        }
        engine::ConfirmRecord record{
            .id = tree.at("id"),
            .bootId = tree.at("boot_id"),
            .state = state->second,
            .deadline = tree.at("deadline"),
            .keeper = {.timer = tree.at("timer"),
                       .process = numberAt<std::uint32_t>(tree, "process"),
                       .processStart = countAt(tree, "process_start")},
            .ended = tree.at("ended"),
            .exitCode = numberAt<std::uint8_t>(tree, "exit_code")};
        if (!snapshot::isSnapshotId(record.id)) {
            return fail(malformed("'id' is no id of a snapshot"));
        }
        if (!namesItsKeeper(record)) {
            return fail(malformed("it names neither its timer nor its process"));
        }
        return record;
    } catch (const nlohmann::json::exception& error) {
        return fail(malformed(problemOf(error)));
    }
}

Result<std::optional<engine::ConfirmRecord>> readConfirmRecord(
    const host::FileReader& files) {
    const auto file = files.readTraced(engine::kConfirmRecord);
    // A file in the place of the directory holds no record either.
    const bool none = !file && (file.error().kind == ErrorKind::notFound ||
                                file.error().sysErrno == ENOTDIR);
    if (none) {
        return std::nullopt;
    }
    if (!file) {
        Error error = file.error();
        error.advice = error.advice.empty() ? kMayBeArmed : error.advice;
        return fail(std::move(error));
    }
    const host::TracedFile& record = *file;
    TRY(believe(record));
    return TRY(parseConfirmRecord(record.text));
}

std::vector<resource::Finding> confirmFindings(const host::Reader& host,
                                               const std::string& bootId) {
    const auto record = readConfirmRecord(host.files);
    if (!record) {
        return {{.id = "confirm.unreadable",
                 .severity = resource::Severity::warn,
                 .summary = "whether an apply waits to be confirmed cannot be told",
                 .evidence = record.error().message(),
                 .fix = record.error().advice}};
    }
    const engine::Hold hold =
        *record ? engine::holdOf(host, **record) : engine::Hold::unknown;
    auto finding = engine::confirmFinding(*record, bootId, hold);
    return finding ? std::vector{std::move(*finding)}
                   : std::vector<resource::Finding>{};
}

}  // namespace fabric::report
