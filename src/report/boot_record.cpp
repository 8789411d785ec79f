// SPDX-License-Identifier: Apache-2.0
#include "report/boot_record.hpp"

#include "report/json.hpp"
#include "report/json_tree.hpp"

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

}  // namespace

std::string toJson(const engine::BootRecord& record) {
    return toJson(Value(
        Value::Object{{"schema", kSchema},
                      {"boot_id", record.bootId},
                      {"invocation", record.invocation},
                      {"profile", record.profile},
                      {"finished", record.finished},
                      {"started", record.started},
                      {"ended", record.ended},
                      {"ended_us", static_cast<std::int64_t>(record.endedUs)},
                      {"exit_code", record.exitCode},
                      {"result", record.result},
                      {"resources", static_cast<std::int64_t>(record.resources)}}));
}

Result<engine::BootRecord> parseBootRecord(std::string_view text) {
    try {
        const Json tree = parseTree(text);
        if (tree.at("schema") != kSchema) {
            return fail(malformed("it is of another schema"));
        }
        return engine::BootRecord{.bootId = tree.at("boot_id"),
                                  .invocation = tree.at("invocation"),
                                  .profile = tree.at("profile"),
                                  .finished = tree.at("finished"),
                                  .started = tree.at("started"),
                                  .ended = tree.at("ended"),
                                  .endedUs = countAt(tree, "ended_us"),
                                  .exitCode = numberAt<std::uint8_t>(tree, "exit_code"),
                                  .result = tree.at("result"),
                                  .resources = countAt(tree, "resources")};
    } catch (const nlohmann::json::exception& error) {
        return fail(malformed(problemOf(error)));
    }
}

Result<std::optional<engine::BootRecord>> readBootRecord(
    const host::FileReader& files) {
    const auto text = files.read(engine::kBootRecord);
    if (!text && text.error().sysErrno == ENOENT) {
        return std::nullopt;
    }
    const std::string record = TRY(text);
    return TRY(parseBootRecord(record));
}

}  // namespace fabric::report
