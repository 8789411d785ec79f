// SPDX-License-Identifier: Apache-2.0
#include "cli/plan_file.hpp"

#include "base/text.hpp"
#include "cli/bad_command_line.hpp"
#include "cli/output.hpp"
#include "linux/posix_file_writer.hpp"
#include "profile/trust.hpp"
#include "report/plan_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <utility>

namespace fabric::cli {

namespace {

constexpr mode_t kOnlyMine = 0600;

// As of a profile: who may write the file may choose what root does.
Result<void> believe(const host::TracedFile& file, const std::string& path) {
    profile::TrustReport trust = profile::judgeTrust(file);
    if (std::getenv("INVOCATION_ID") != nullptr) {
        std::ranges::move(trust.doubts, std::back_inserter(trust.refusals));
        trust.doubts.clear();
    }
    if (!trust.refusals.empty()) {
        return fail(Error{
            .kind = ErrorKind::permission,
            .action = "read the plan",
            .subject = escapeForTerminal(path),
            .sysErrno = 0,
            .detail = fmt::format("not trusted: {}", fmt::join(trust.refusals, "; ")),
            .advice = "make it again with 'fabricctl plan --out'"});
    }
    for (const std::string& doubt : trust.doubts) {
        warn(fmt::format("{}: {}", path, doubt));
    }
    return {};
}

Error shapedTwice(std::string_view option) {
    return {
        .kind = ErrorKind::refused,
        .action = "carry out the plan",
        .subject = {},
        .sysErrno = 0,
        .detail = fmt::format("{} belongs to the plan, which says it already", option),
        .advice = fmt::format("leave {} out, or make the plan again with it", option)};
}

}  // namespace

std::optional<Result<engine::PlanRecord>> readPlan(const host::FileReader& files,
                                                   const std::string& path) {
    std::error_code unknownPlace;
    const auto absolute = std::filesystem::absolute(path, unknownPlace);
    const auto file = files.readTraced(unknownPlace ? path : absolute.string(),
                                       report::kMaxPlanBytes);
    // What cannot be read is told as of a profile.
    if (!file || !report::looksLikePlan(file->text)) {
        return std::nullopt;
    }
    if (auto believed = believe(*file, path); !believed) {
        return fail(std::move(believed.error()));
    }
    auto plan = report::parsePlan(file->text);
    if (!plan) {
        plan.error().subject = escapeForTerminal(path);
    }
    return plan;
}

Result<void> writePlan(const host::FileReader& files,
                       const engine::PlanRecord& plan,
                       const std::string& path) {
    // What stands there and cannot be read is left to the writer to refuse.
    std::error_code unknownPlace;
    const auto absolute = std::filesystem::absolute(path, unknownPlace);
    const auto there = files.read(unknownPlace ? path : absolute.string());
    if (there && !trimmed(*there).empty() && !report::looksLikePlan(*there)) {
        return fail(Error{.kind = ErrorKind::refused,
                          .action = "write the plan",
                          .subject = escapeForTerminal(path),
                          .sysErrno = 0,
                          .detail = "what stands there is no plan",
                          .advice = "name another file, or remove that one"});
    }
    const linux_host::RootDirectory root;
    return linux_host::PosixFileWriter(root).replaceFile(
        path, report::toJson(plan), kOnlyMine);
}

Result<Options> optionsFor(const engine::PlanRecord& plan, const Options& given) {
    const engine::RunOptions& run = given.run;
    for (const auto& [isGiven, option] :
         {std::pair(!run.only.empty(), "--only"),
          std::pair(!run.rail.empty(), "--rail"),
          std::pair(given.forbidDisruptive, "--forbid-disruptive"),
          std::pair(run.maxDisruption.has_value(), "--max-disruption"),
          std::pair(!given.planPath.empty(), "--out"),
          std::pair(run.oneAtATime, "--one-at-a-time"),
          std::pair(given.boot, "--boot")}) {
        if (isGiven) {
            return fail(shapedTwice(option));
        }
    }
    Options options = given;
    options.run = plan.run;
    options.run.detailedExitCode = run.detailedExitCode;
    options.profilePath = plan.profile.front().path;
    std::string part = given.metricsPath.empty() ? "" : partOfMetrics(plan.run);
    if (!part.empty()) {
        return fail(Error{.kind = ErrorKind::refused,
                          .action = "carry out the plan",
                          .subject = {},
                          .sysErrno = 0,
                          .detail = std::move(part),
                          .advice = "leave --metrics out"});
    }
    return options;
}

engine::Approval approvalBy(const engine::PlanRecord& plan) {
    return [&plan](const resource::Comparison& decided) -> Result<void> {
        const engine::PlanRecord now =
            report::asWritten(engine::recordPlan(decided.assessments, decided.steps));
        auto changed = engine::otherState(plan, now);
        return changed ? Result<void>(fail(std::move(*changed))) : Result<void>();
    };
}

}  // namespace fabric::cli
