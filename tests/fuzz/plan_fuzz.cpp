// SPDX-License-Identifier: Apache-2.0
// Plan files, which decide what an apply may write.
#include "fuzz/json_says.hpp"
#include "fuzz/property.hpp"
#include "report/plan_file.hpp"
#include "snapshot/seal.hpp"

namespace fabric::report {
namespace {

using fuzz::require;

// Kinds stand in an order of their own, each once; the digest is of that too.
Json withoutKinds(Json tree) {
    tree.at("options").erase("only");
    tree.erase(snapshot::kSeal);
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

// As if it had been written so: else only its digest would be judged.
std::string sealed(std::string_view text) {
    auto tree = Json::parse(text, nullptr, /*allow_exceptions=*/false);
    if (!tree.is_object()) {
        return std::string(text);
    }
    tree[snapshot::kSeal] = snapshot::sealOf(tree);
    return tree.dump();
}

}  // namespace

FABRIC_FUZZ_TARGET(input) {
    const std::string text = sealed(input.text());
    const auto plan = parsePlan(text);
    if (plan) {
        judgePlan(text, *plan);
        return;
    }
    require(plan.error().kind == ErrorKind::malformed, "it is malformed");
    fuzz::requirePrintable(plan.error().message());
    fuzz::requirePrintable(plan.error().advice);
    (void)looksLikePlan(input.text());
}

}  // namespace fabric::report
