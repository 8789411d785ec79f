// SPDX-License-Identifier: Apache-2.0
#include "report/confirm_record.hpp"

#include "base/text.hpp"
#include "report/json.hpp"
#include "report/json_tree.hpp"

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

// Whether a restore is armed cannot be told: nothing may be written over it.
Error malformed(std::string detail) {
    return {.kind = ErrorKind::malformed,
            .action = "read",
            .subject = engine::kConfirmRecord,
            .sysErrno = 0,
            .detail = escapeForTerminal(detail),
            .advice =
                "see 'systemctl list-timers --all' for a restore that is armed, "
                "and remove the file when there is none"};
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
        return engine::ConfirmRecord{
            .id = tree.at("id"),
            .bootId = tree.at("boot_id"),
            .state = state->second,
            .deadline = tree.at("deadline"),
            .keeper = {.timer = tree.at("timer"),
                       .process = numberAt<std::uint32_t>(tree, "process"),
                       .processStart = countAt(tree, "process_start")},
            .ended = tree.at("ended"),
            .exitCode = numberAt<std::uint8_t>(tree, "exit_code")};
    } catch (const nlohmann::json::exception& error) {
        return fail(malformed(problemOf(error)));
    }
}

Result<std::optional<engine::ConfirmRecord>> readConfirmRecord(
    const host::FileReader& files) {
    const auto text = files.read(engine::kConfirmRecord);
    // A file in the place of the directory holds no record either.
    const bool none = !text && (text.error().kind == ErrorKind::notFound ||
                                text.error().sysErrno == ENOTDIR);
    if (none) {
        return std::nullopt;
    }
    const std::string record = TRY(text);
    return TRY(parseConfirmRecord(record));
}

std::vector<resource::Finding> confirmFindings(const host::FileReader& files,
                                               const std::string& bootId) {
    const auto record = readConfirmRecord(files);
    if (!record) {
        return {{.id = "confirm.unreadable",
                 .severity = resource::Severity::warn,
                 .summary = "whether an apply waits to be confirmed cannot be told",
                 .evidence = record.error().message(),
                 .fix = record.error().advice}};
    }
    auto finding = engine::confirmFinding(*record, bootId);
    return finding ? std::vector{std::move(*finding)}
                   : std::vector<resource::Finding>{};
}

}  // namespace fabric::report
