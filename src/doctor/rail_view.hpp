// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doctor/evidence.hpp"
#include "doctor/judgement.hpp"

#include <optional>
#include <string>

namespace fabric::doctor {

// The worst of what `judge` says of each rail of which `seen` holds; unreadable when
// the rails themselves could not be listed.
template <typename Seen, typename Judge>
[[nodiscard]] Judgement worstOf(const Evidence& evidence,
                                Seen seen,
                                const std::string& otherwise,
                                Judge judge) {
    if (evidence.railsError) {
        return unreadable(*evidence.railsError);
    }
    Judged rails;
    for (const RailEvidence& rail : evidence.rails) {
        if (seen(rail)) {
            rails.add(rail.rail.name, judge(rail));
        }
    }
    return rails.worst(otherwise);
}

// Of each rail with an RDMA port.
template <typename Judge>
[[nodiscard]] Judgement worstRail(const Evidence& evidence,
                                  const std::string& otherwise,
                                  Judge judge) {
    const auto seen = [](const RailEvidence& rail) {
        return rail.rail.rdma.has_value();
    };
    return worstOf(evidence, seen, otherwise, judge);
}

// Of each rail that is a PCI function.
template <typename Judge>
[[nodiscard]] Judgement worstPciRail(const Evidence& evidence,
                                     const std::string& otherwise,
                                     Judge judge) {
    const auto seen = [](const RailEvidence& rail) { return rail.pcie.has_value(); };
    return worstOf(evidence, seen, otherwise, judge);
}

}  // namespace fabric::doctor
