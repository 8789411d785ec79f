// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/compare.hpp"

#include "resource/dcb/concerns.hpp"

#include <algorithm>
#include <utility>

namespace fabric::resource::dcb {

Comparison compare(const PortTask& task, const State& found) {
    Comparison result;
    compareDcbx(task, found, result);
    const Earlier earlier = compareClassification(task, found, result);
    compareEts(task, found, earlier, result);
    compareMaxRate(task, found, result);
    comparePfc(task, found, earlier, result);
    compareBuffers(task, found, result);
    // Classification is planned first, for what it resets, and by most drivers wanted
    // last: when buffers and PFC are ready for the traffic that it moves.
    std::ranges::stable_sort(result.steps, {}, &Step::stage);
    const std::vector<OwnedProperty> order = ownedProperties(task.wanted);
    std::ranges::stable_sort(result.assessments, {}, [&](const Assessment& assessment) {
        return std::ranges::find(order, assessment.property, &OwnedProperty::name) -
               order.begin();
    });
    return result;
}

}  // namespace fabric::resource::dcb
