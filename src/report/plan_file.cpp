// SPDX-License-Identifier: Apache-2.0
#include "report/plan_file.hpp"

#include "base/text.hpp"
#include "report/json_tree.hpp"
#include "snapshot/seal.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

namespace fabric::report {

namespace {

using engine::PlanRecord;

constexpr std::string_view kFamily = "\"fabricctl/plan/";
constexpr const char* kSchema = "fabricctl/plan/1";

Error unusable(std::string detail, std::string advice) {
    return {.kind = ErrorKind::malformed,
            .action = "read the plan",
            .subject = {},
            .sysErrno = 0,
            .detail = std::move(detail),
            .advice = std::move(advice)};
}

Json optionsTree(const engine::RunOptions& run) {
    Json only = Json::array();
    for (const resource::Kind kind : run.only) {
        only.push_back(resource::toString(kind));
    }
    return {{"only", std::move(only)},
            {"rail", run.rail},
            {"max_disruption",
             run.maxDisruption ? Json(resource::toString(*run.maxDisruption))
                               : Json(nullptr)},
            {"one_at_a_time", run.oneAtATime}};
}

Json profileTree(const std::vector<engine::HashedFile>& files) {
    Json list = Json::array();
    for (const engine::HashedFile& file : files) {
        list.push_back({{"path", file.path}, {"sha256", file.sha256}});
    }
    return list;
}

Json resourcesTree(const PlanRecord& plan) {
    Json list = Json::array();
    for (const engine::PlannedProperty& property : plan.properties) {
        list.push_back({{"id", property.id},
                        {"outcome", property.state},
                        {"wanted", treeOf(property.wanted)},
                        {"found", treeOf(property.found)}});
    }
    return list;
}

Json stepsTree(const PlanRecord& plan) {
    Json list = Json::array();
    for (const engine::PlannedStep& step : plan.steps) {
        list.push_back({{"rail", step.rail},
                        {"summary", step.summary},
                        {"disturbs", step.disturbs},
                        {"resources", step.ids},
                        {"sha256", step.fingerprint}});
    }
    return list;
}

// Throws what the library throws; an unknown word is one of its exceptions too.
template <typename T>
T known(std::optional<T> value, const Json& word) {
    if (!value) {
        throw nlohmann::json::other_error::create(
            501, "unknown word " + word.dump(), &word);
    }
    return *value;
}

std::optional<resource::Disturbs> parseDisturbs(std::string_view text) {
    for (const auto disturbs : {resource::Disturbs::none,
                                resource::Disturbs::traffic,
                                resource::Disturbs::link}) {
        if (resource::toString(disturbs) == text) {
            return disturbs;
        }
    }
    return std::nullopt;
}

engine::RunOptions optionsOf(const Json& tree) {
    engine::RunOptions run;
    for (const Json& kind : listAt(tree, "only")) {
        run.only.insert(known(resource::parseKind(kind.get<std::string>()), kind));
    }
    run.rail = tree.at("rail");
    if (const Json& limit = tree.at("max_disruption"); !limit.is_null()) {
        run.maxDisruption = known(parseDisturbs(limit.get<std::string>()), limit);
    }
    run.oneAtATime = tree.at("one_at_a_time");
    return run;
}

PlanRecord planOf(const Json& tree) {
    PlanRecord plan{.made = tree.at("made"),
                    .host = tree.at("host"),
                    .bootId = tree.at("boot_id"),
                    .profile = {},
                    .run = optionsOf(tree.at("options")),
                    .properties = {},
                    .steps = {},
                    .observed = tree.at("observed_sha256")};
    for (const Json& file : listAt(tree, "profile")) {
        plan.profile.push_back({.path = file.at("path"), .sha256 = file.at("sha256")});
    }
    for (const Json& property : listAt(tree, "resources")) {
        plan.properties.push_back({.id = property.at("id"),
                                   .state = property.at("outcome"),
                                   .wanted = valueOf(property.at("wanted")),
                                   .found = valueOf(property.at("found"))});
    }
    for (const Json& step : listAt(tree, "steps")) {
        plan.steps.push_back({.rail = step.at("rail"),
                              .summary = step.at("summary"),
                              .disturbs = step.at("disturbs"),
                              .ids = step.at("resources"),
                              .fingerprint = step.at("sha256")});
    }
    return plan;
}

}  // namespace

std::string toJson(const PlanRecord& plan) {
    constexpr int kIndent = 2;
    // The schema comes first: looksLikePlan() looks for it there.
    Json tree{{"schema", kSchema},
              {"made", plan.made},
              {"host", plan.host},
              {"boot_id", plan.bootId},
              {"profile", profileTree(plan.profile)},
              {"options", optionsTree(plan.run)},
              {"resources", resourcesTree(plan)},
              {"steps", stepsTree(plan)},
              {"observed_sha256", plan.observed}};
    constexpr auto kReplace = Json::error_handler_t::replace;
    // Of what will stand there: bytes that are no text are replaced on the way.
    tree[snapshot::kSeal] =
        snapshot::sealOf(Json::parse(tree.dump(-1, ' ', false, kReplace)));
    return tree.dump(kIndent, ' ', false, kReplace) + "\n";
}

bool looksLikePlan(std::string_view text) {
    constexpr std::size_t kBegin = 256;
    const std::string_view begin = trimmed(text.substr(0, kBegin));
    return begin.starts_with('{') && begin.contains(kFamily);
}

Result<PlanRecord> parsePlan(std::string_view text) {
    constexpr const char* kAgain = "make the plan again with 'fabricctl plan --out'";
    try {
        const Json tree = parseTree(text);
        if (const std::string schema = tree.at("schema"); schema != kSchema) {
            return fail(
                unusable("it is of schema " + escapeForTerminal(schema) +
                             ", and this program knows " + kSchema,
                         "use the fabricctl that made it, or make the plan again with "
                         "this one: fabricctl plan --out FILE"));
        }
        PlanRecord plan = planOf(tree);
        if (plan.profile.empty()) {
            return fail(unusable("it names no profile", kAgain));
        }
        // Whoever read it must have read what is done now.
        if (tree.at(snapshot::kSeal) != snapshot::sealOf(tree)) {
            return fail(
                unusable("it is not as it was written: its sha256 is another", kAgain));
        }
        return plan;
    } catch (const nlohmann::json::exception& error) {
        return fail(unusable(
            "it is broken or incomplete: " + escapeForTerminal(error.what()), kAgain));
    }
}

PlanRecord asWritten(const PlanRecord& plan) {
    return planOf(Json::parse(toJson(plan)));
}

}  // namespace fabric::report
