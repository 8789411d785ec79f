// SPDX-License-Identifier: Apache-2.0
#include "fleet/verdict.hpp"

#include <algorithm>
#include <numeric>

namespace fabric::fleet {

std::size_t Cause::hosts() const {
    return std::accumulate(
        sides.begin(),
        sides.end(),
        std::size_t{0},
        [](std::size_t sum, const Side& one) { return sum + one.hosts; });
}

engine::ExitCode Verdict::exitCode() const {
    const bool untold = std::ranges::any_of(causes, [](const Cause& cause) {
        return cause.severity == doctor::Verdict::unreadable;
    });
    if (!unusable.empty() || untold || hosts == 0 || rails == 0) {
        return engine::ExitCode::unverifiable;
    }
    return causes.empty() ? engine::ExitCode::asWanted : engine::ExitCode::differences;
}

std::string_view Verdict::result() const {
    switch (exitCode()) {
        case engine::ExitCode::asWanted:
            return "consistent";
        case engine::ExitCode::differences:
            return "differs";
        default:
            return "unverifiable";
    }
}

}  // namespace fabric::fleet
