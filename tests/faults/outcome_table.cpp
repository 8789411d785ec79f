// SPDX-License-Identifier: Apache-2.0
#include "faults/outcome_table.hpp"

#include <fmt/format.h>

namespace fabric::faults {

namespace {

std::string line(const std::string& resource,
                 const std::string& fault,
                 const Outcomes& sum) {
    return fmt::format("{:<11}{:<32}{:>10}{:>9}{:>8}{:>14}{:>15}{:>8}{:>9}\n",
                       resource,
                       fault,
                       sum.converged,
                       sum.differs,
                       sum.failed,
                       sum.unverifiable,
                       sum.couldNotRun,
                       sum.killed,
                       sum.unknown);
}

void count(Outcomes& cell, engine::ExitCode code) {
    switch (code) {
        case engine::ExitCode::asWanted:
            ++cell.converged;
            return;
        case engine::ExitCode::differences:
            ++cell.differs;
            return;
        case engine::ExitCode::someFailed:
            ++cell.failed;
            return;
        case engine::ExitCode::unverifiable:
            ++cell.unverifiable;
            return;
        case engine::ExitCode::couldNotRun:
            ++cell.couldNotRun;
            return;
        default:
            ++cell.unknown;
    }
}

void addTo(Outcomes& sum, const Outcomes& cell) {
    sum.converged += cell.converged;
    sum.differs += cell.differs;
    sum.failed += cell.failed;
    sum.unverifiable += cell.unverifiable;
    sum.couldNotRun += cell.couldNotRun;
    sum.killed += cell.killed;
    sum.unknown += cell.unknown;
}

}  // namespace

void OutcomeTable::add(const std::string& resource,
                       const std::string& fault,
                       engine::ExitCode code) {
    count(cells_[{resource, fault}], code);
    ++points_;
}

void OutcomeTable::addKilled(const std::string& resource, const std::string& fault) {
    ++cells_[{resource, fault}].killed;
    ++points_;
}

std::size_t OutcomeTable::unknown() const {
    Outcomes sum;
    for (const auto& [key, cell] : cells_) {
        addTo(sum, cell);
    }
    return sum.unknown;
}

std::string OutcomeTable::text(std::size_t stride) const {
    std::string all =
        fmt::format("{:<11}{:<32}{:>10}{:>9}{:>8}{:>14}{:>15}{:>8}{:>9}\n",
                    "resource",
                    "fault",
                    "converged",
                    "differs",
                    "failed",
                    "unverifiable",
                    "could-not-run",
                    "killed",
                    "unknown");
    Outcomes sum;
    for (const auto& [key, cell] : cells_) {
        all += line(key.first, key.second, cell);
        addTo(sum, cell);
    }
    all += line("all", "", sum);
    all +=
        fmt::format("fault points: {} of {} (every {})\n", points_, possible_, stride);
    return all;
}

}  // namespace fabric::faults
