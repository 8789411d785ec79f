// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/batch.hpp"
#include "engine/preparation.hpp"
#include "host/files.hpp"

#include <map>
#include <string>
#include <vector>

namespace fabric::engine {

// What a limit on disturbance (--max-disruption) keeps from being written: the reason
// and the fix, by the id of the property.
struct HeldBack {
    struct Answer {
        std::string reason;  // "not attempted: --max-disruption traffic: …"
        std::string fix;
    };

    std::map<std::string, Answer, std::less<>> byId;
    std::map<std::string, Answer, std::less<>> byRail;  // that gets no write at all
};

// Orders the steps of a comparison. Under a limit each batch with a step that would
// disturb more is taken out as a whole, and its differences are `failed`. Pure.
[[nodiscard]] HeldBack decideSteps(resource::Comparison& comparison,
                                   const RunOptions& options);

// After decideSteps(): in the sysctl.d file, which rails share, the lines of a rail
// that is left alone stay as they are in `present`, for the next boot to leave it alone
// too. Without a line of any other rail to be written the file is left as it is. Pure.
void leaveSharedLines(const std::string& present,
                      HeldBack& held,
                      resource::Comparison& comparison);
// The same with the file as it is now.
void leaveSharedLines(const host::FileReader& files,
                      HeldBack& held,
                      resource::Comparison& comparison);

// Gives a later look the same answer. What it finds as wanted stays so. Pure.
void markHeldBack(const HeldBack& held, std::vector<resource::Assessment>& assessments);

}  // namespace fabric::engine
