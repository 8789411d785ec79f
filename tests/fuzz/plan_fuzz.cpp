// SPDX-License-Identifier: Apache-2.0
// Plan files, which decide what an apply may write.
#include "fuzz/json_says.hpp"
#include "fuzz/property.hpp"
#include "report/plan_file.hpp"

namespace fabric::report {
namespace {

using fuzz::require;

// Kinds stand in an order of their own, each once.
Json withoutKinds(Json tree) {
    tree.at("options").erase("only");
    return tree;
}

void judgePlan(std::string_view text, const engine::PlanRecord& plan) {
    const std::string written = toJson(plan);
    require(looksLikePlan(written), "a plan is known as one");
    require(fuzz::says(parseTree(text), withoutKinds(parseTree(written))),
            "nothing is taken for something else");
    const auto again = parsePlan(written);
    require(again && toJson(*again) == written, "a plan survives");
    require(toJson(asWritten(plan)) == written, "it is as it was written");
    require(engine::movedOn(plan, *again).empty(), "the same has not moved on");
    engine::PlanRecord other = *again;
    other.steps.push_back({.rail = {}, .summary = "more", .disturbs = {}, .ids = {}});
    const auto moved = engine::otherState(plan, other);
    require(moved.has_value(), "one step more is no longer the plan");
    fuzz::requirePrintable(moved->message());
    if (const auto error = engine::otherProfile(plan, {})) {
        fuzz::requirePrintable(error->message());
    }
    const auto elsewhere = engine::notForHere(plan, {});
    require(elsewhere.has_value() != (plan.host.empty() && plan.bootId.empty()),
            "a plan is for one host and boot");
}

}  // namespace

FABRIC_FUZZ_TARGET(input) {
    const auto plan = parsePlan(input.text());
    if (plan) {
        judgePlan(input.text(), *plan);
        return;
    }
    require(plan.error().kind == ErrorKind::malformed, "it is malformed");
    fuzz::requirePrintable(plan.error().message());
    fuzz::requirePrintable(plan.error().advice);
    (void)looksLikePlan(input.text());
}

}  // namespace fabric::report
