// SPDX-License-Identifier: Apache-2.0
#include "report/boot_record.hpp"

#include "base/text.hpp"
#include "report/json.hpp"
#include "report/json_tree.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <nlohmann/json.hpp>

namespace fabric::report {

namespace {

constexpr const char* kSchema = "fabricctl/boot/1";

Error malformed(std::string detail) {
    return {.kind = ErrorKind::malformed,
            .action = "read",
            .subject = engine::kBootRecord,
            .sysErrno = 0,
            .detail = std::move(detail),
            .advice = "it is written anew by 'systemctl restart fabricctl.service'"};
}

Value valueOf(const std::optional<engine::BootRecord::First>& first) {
    return first ? Value(Value::Object{
                       {"ended", first->ended},
                       {"ended_us", static_cast<std::int64_t>(first->endedUs)},
                       {"exit_code", first->exitCode}})
                 : Value();
}

Value valueOf(const std::vector<engine::HashedFile>& files) {
    Value::List list;
    for (const engine::HashedFile& file : files) {
        list.emplace_back(Value::Object{{"path", file.path}, {"sha256", file.sha256}});
    }
    return list;
}

std::optional<std::vector<engine::HashedFile>> profileFilesOf(const Json& tree) {
    if (!tree.contains("profile_files")) {
        return std::nullopt;
    }
    std::vector<engine::HashedFile> files;
    for (const Json& file : listAt(tree, "profile_files")) {
        files.push_back({.path = file.at("path"), .sha256 = file.at("sha256")});
    }
    return files;
}

std::optional<engine::BootRecord::First> firstOf(const Json& tree,
                                                 const engine::BootRecord& record) {
    if (!tree.contains("first")) {
        const engine::BootRecord::First only{.ended = record.ended,
                                             .endedUs = record.endedUs,
                                             .exitCode = record.exitCode};
        return record.finished ? std::optional(only) : std::nullopt;
    }
    const Json& first = tree.at("first");
    if (first.is_null()) {
        return std::nullopt;
    }
    return engine::BootRecord::First{
        .ended = first.at("ended"),
        .endedUs = countAt(first, "ended_us"),
        .exitCode = numberAt<std::uint8_t>(first, "exit_code")};
}

Error untrusted(std::string why) {
    return {.kind = ErrorKind::permission,
            .action = "believe",
            .subject = engine::kBootRecord,
            .sysErrno = 0,
            .detail = std::move(why),
            .advice = fmt::format("remove it and run 'systemctl restart {}', which "
                                  "writes it anew",
                                  engine::kBootUnit)};
}

// Whoever may write there may exchange the file; a sticky directory is no such place.
bool othersMayWrite(const host::FileStatus& status) {
    return (status.mode & (S_IWGRP | S_IWOTH)) != 0 && (status.mode & S_ISVTX) == 0;
}

// "" when it can be believed.
std::string doubtOf(const host::TracedFile& file) {
    for (const host::PathStep& step : file.way) {
        if (step.path == engine::kBootRecord) {
            return "it is a symbolic link, not a regular file";
        }
        if (step.status.owner != 0) {
            return fmt::format("{} on the way to it belongs to uid {}, not to root",
                               escapeForTerminal(step.path),
                               step.status.owner);
        }
        if (step.status.type == host::FileStatus::Type::directory &&
            othersMayWrite(step.status)) {
            return fmt::format("others than root may write {} on the way to it",
                               escapeForTerminal(step.path));
        }
    }
    if (file.status.owner != 0) {
        return fmt::format("it belongs to uid {}, not to root", file.status.owner);
    }
    return (file.status.mode & (S_IWGRP | S_IWOTH)) != 0
               ? fmt::format("its mode {:04o} lets others than root write it",
                             file.status.mode)
               : "";
}

}  // namespace

std::string toJson(const engine::BootRecord& record) {
    Value::Object tree{{"schema", kSchema},
                       {"boot_id", record.bootId},
                       {"invocation", record.invocation},
                       {"profile", record.profile},
                       {"finished", record.finished},
                       {"started", record.started},
                       {"ended", record.ended},
                       {"ended_us", static_cast<std::int64_t>(record.endedUs)},
                       {"exit_code", record.exitCode},
                       {"result", record.result},
                       {"resources", static_cast<std::int64_t>(record.resources)},
                       {"first", valueOf(record.first)}};
    if (record.profileFiles) {
        tree["profile_files"] = valueOf(*record.profileFiles);
    }
    return toJson(Value(std::move(tree)));
}

Result<engine::BootRecord> parseBootRecord(std::string_view text) {
    try {
        const Json tree = parseTree(text);
        if (tree.at("schema") != kSchema) {
            return fail(malformed("it is of another schema"));
        }
        engine::BootRecord record{.bootId = tree.at("boot_id"),
                                  .invocation = tree.at("invocation"),
                                  .profile = tree.at("profile"),
                                  .finished = tree.at("finished"),
                                  .started = tree.at("started"),
                                  .ended = tree.at("ended"),
                                  .endedUs = countAt(tree, "ended_us"),
                                  .exitCode = numberAt<std::uint8_t>(tree, "exit_code"),
                                  .result = tree.at("result"),
                                  .resources = countAt(tree, "resources")};
        record.profileFiles = profileFilesOf(tree);
        record.first = firstOf(tree, record);
        return record;
    } catch (const nlohmann::json::exception& error) {
        return fail(malformed(problemOf(error)));
    }
}

Result<std::optional<engine::BootRecord>> readBootRecord(
    const host::FileReader& files) {
    const auto file = files.readTraced(engine::kBootRecord);
    if (!file && files.readLink(engine::kBootRecord)) {
        return fail(untrusted("it is a symbolic link, not a regular file"));
    }
    if (!file && file.error().sysErrno == ENOENT) {
        return std::nullopt;
    }
    const host::TracedFile record = TRY(file);
    if (std::string doubt = doubtOf(record); !doubt.empty()) {
        return fail(untrusted(std::move(doubt)));
    }
    return TRY(parseBootRecord(record.text));
}

}  // namespace fabric::report
