// SPDX-License-Identifier: Apache-2.0
#include "doctor/load.hpp"

#include "doctor/metrics.hpp"
#include "watch/movement.hpp"

#include <algorithm>

namespace fabric::doctor {

namespace {

bool railIsUnderLoad(const RailEvidence& rail) {
    using watch::Meaning;
    if (!rail.second) {
        return false;
    }
    const auto rises = watch::between(rail.first, *rail.second).rises;
    return watch::riseOf(rises, Meaning::receivedBytes).value_or(0) +
               watch::riseOf(rises, Meaning::sentBytes).value_or(0) >=
           kLoadBytes;
}

// What a group counts in bytes.
bool groupIsUnderLoad(const Result<Metrics>& before, const Result<Metrics>& after) {
    return before && after &&
           std::ranges::any_of(
               numbersOf(*before, &*after), [](const ServerNumber& number) {
                   return number.name.ends_with("_bytes_total") &&
                          number.rise.value_or(0) >= static_cast<double>(kLoadBytes);
               });
}

}  // namespace

bool underLoad(const Evidence& evidence) {
    if (std::ranges::any_of(evidence.rails, railIsUnderLoad)) {
        return true;
    }
    const auto& metrics = evidence.metrics;
    return metrics && metrics->second &&
           (groupIsUnderLoad(metrics->first.internode, metrics->second->internode) ||
            groupIsUnderLoad(metrics->first.api, metrics->second->api));
}

}  // namespace fabric::doctor
