// SPDX-License-Identifier: Apache-2.0
#include "engine/batch.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <string_view>
#include <utility>

namespace fabric::engine {

namespace {

using resource::Assessment;
using resource::Stage;
using resource::Step;

// Which rails stand and fall together: each leads to another one of them, the last to
// itself.
class Ties {
  public:
    const std::string& leader(const std::string& rail) {
        std::string& next = next_.try_emplace(rail, rail).first->second;
        if (next != rail) {
            next = leader(std::string(next));
        }
        return next;
    }

    void tie(const std::string& left, const std::string& right) {
        const std::string to = leader(left);
        const std::string from = leader(right);
        next_[from] = to;
    }

  private:
    std::map<std::string, std::string, std::less<>> next_;
};

Ties tiesOf(const std::vector<Step>& steps,
            const std::vector<Assessment>& assessments) {
    std::map<std::string_view, std::string_view> railById;
    for (const Assessment& assessment : assessments) {
        railById.emplace(assessment.id, assessment.rail);
    }
    Ties ties;
    std::map<IfIndex, std::string> railByPort;
    for (const Step& step : steps) {
        if (step.rail.empty()) {
            continue;
        }
        if (!step.link.none()) {
            ties.tie(railByPort.try_emplace(step.link, step.rail).first->second,
                     step.rail);
        }
        for (const std::string& id : step.ids) {
            const auto served = railById.find(id);
            if (served != railById.end() && !served->second.empty()) {
                ties.tie(step.rail, std::string(served->second));
            }
        }
    }
    return ties;
}

std::string_view nameOf(Stage stage) {
    switch (stage) {
        case Stage::module:
            return "the modules";
        case Stage::acs:
            return "ACS";
        case Stage::arp:
            return "the sysctl.d file";
        case Stage::service:
            return "the service";
        default:
            return "the host";
    }
}

}  // namespace

std::vector<Batch> batchesOf(std::vector<Step> ordered,
                             const std::vector<Assessment>& assessments) {
    Ties ties = tiesOf(ordered, assessments);
    std::vector<Batch> batches;
    std::map<std::pair<bool, std::string>, std::size_t> known;
    for (Step& step : ordered) {
        const bool ofHost = step.rail.empty();
        const std::string key =
            ofHost ? std::string(nameOf(step.stage)) : ties.leader(step.rail);
        const auto [place, added] =
            known.try_emplace(std::pair(ofHost, key), batches.size());
        if (added) {
            batches.push_back({.name = ofHost ? key : "", .rails = {}, .steps = {}});
        }
        Batch& batch = batches[place->second];
        if (!ofHost) {
            batch.rails.insert(step.rail);
        }
        batch.steps.push_back(std::move(step));
    }
    for (Batch& batch : batches) {
        if (!batch.rails.empty()) {
            batch.name = fmt::format("{}", fmt::join(batch.rails, " and "));
        }
    }
    return batches;
}

std::vector<Step> stepsOf(std::vector<Batch> batches) {
    std::vector<Step> steps;
    for (Batch& batch : batches) {
        std::ranges::move(batch.steps, std::back_inserter(steps));
    }
    return steps;
}

}  // namespace fabric::engine
