// SPDX-License-Identifier: Apache-2.0
#include "report/difference.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <vector>

namespace fabric::report {

namespace {

bool isShown(const engine::ResourceReport& resource) {
    return resource.outcome == engine::Outcome::changed ||
           resource.outcome == engine::Outcome::drifted ||
           (resource.outcome == engine::Outcome::failed && !resource.after.isNull());
}

std::string lineOf(const engine::ResourceReport& resource, const Value& value) {
    return escapeForTerminal(resource.assessment.id) + ": " + value.toText() + "\n";
}

}  // namespace

DifferenceText differenceText(const engine::Report& report) {
    std::vector<const engine::ResourceReport*> shown;
    for (const engine::ResourceReport& resource : report.resources) {
        if (isShown(resource)) {
            shown.push_back(&resource);
        }
    }
    std::ranges::sort(
        shown, {}, [](const engine::ResourceReport* resource) -> const std::string& {
            return resource->assessment.id;
        });
    DifferenceText text;
    for (const engine::ResourceReport* resource : shown) {
        const bool planned = resource->outcome == engine::Outcome::drifted;
        text.before += lineOf(*resource, resource->assessment.found);
        text.after +=
            lineOf(*resource, planned ? resource->assessment.wanted : resource->after);
    }
    return text;
}

}  // namespace fabric::report
