// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <utility>

namespace fabric::faults {

// What came of the points of one cell, resource by fault.
struct Outcomes {
    std::size_t converged = 0;
    std::size_t differs = 0;
    std::size_t failed = 0;  // some or all
    std::size_t unverifiable = 0;
    std::size_t couldNotRun = 0;
    std::size_t killed = 0;   // nobody's report
    std::size_t unknown = 0;  // any other exit code
};

class OutcomeTable {
  public:
    // One point, of which a run said this.
    void add(const std::string& resource,
             const std::string& fault,
             engine::ExitCode code);
    void addKilled(const std::string& resource, const std::string& fault);

    // Points that there would be without sampling.
    void addPossible(std::size_t points) { possible_ += points; }

    [[nodiscard]] std::size_t points() const { return points_; }

    [[nodiscard]] std::size_t unknown() const;
    // A line per resource and fault, the sums, and how many of how many points.
    [[nodiscard]] std::string text(std::size_t stride) const;

  private:
    std::map<std::pair<std::string, std::string>, Outcomes> cells_;
    std::size_t points_ = 0;
    std::size_t possible_ = 0;
};

}  // namespace fabric::faults
