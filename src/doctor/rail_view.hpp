// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doctor/evidence.hpp"
#include "doctor/judgement.hpp"

#include <optional>
#include <string>

namespace fabric::doctor {

// The worst of what `judge` says of each rail with an RDMA port; unreadable when the
// rails themselves could not be listed.
template <typename Judge>
[[nodiscard]] Judgement worstRail(const Evidence& evidence,
                                  const std::string& otherwise,
                                  Judge judge) {
    if (evidence.railsError) {
        return unreadable(*evidence.railsError);
    }
    Judged rails;
    for (const RailEvidence& rail : evidence.rails) {
        if (rail.rail.rdma) {
            rails.add(rail.rail.name, judge(rail));
        }
    }
    return rails.worst(otherwise);
}

// Likewise of each rail that is a PCI function.
template <typename Judge>
[[nodiscard]] Judgement worstPciRail(const Evidence& evidence,
                                     const std::string& otherwise,
                                     Judge judge) {
    if (evidence.railsError) {
        return unreadable(*evidence.railsError);
    }
    Judged rails;
    for (const RailEvidence& rail : evidence.rails) {
        if (rail.pcie) {
            rails.add(rail.rail.name, judge(rail));
        }
    }
    return rails.worst(otherwise);
}

}  // namespace fabric::doctor
