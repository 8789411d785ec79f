// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"
#include "fleet/causes.hpp"
#include "fleet/owners.hpp"
#include "fleet/record.hpp"
#include "fleet/spill.hpp"
#include "fleet/texts.hpp"
#include "fleet/verdict.hpp"
#include "fleet/votes.hpp"

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

namespace fabric::fleet {

// Compares the hosts that are given to it one after another. What it keeps of each in
// memory are its name, addresses and MACs; its record lies in the spill meanwhile.
class Comparison {
  public:
    // `spill` is empty and must outlive it.
    explicit Comparison(Spill& spill)
        : spill_(spill), votes_(texts_), owners_(texts_) {}

    // The first pass. An error is one of the spill: nothing can be compared.
    [[nodiscard]] Result<void> add(HostRecord host);
    void addUnusable(Unusable document);

    void addPassedOver() { ++verdict_.passedOver; }

    // The second pass; nothing follows. `expected`: names of hosts that should be
    // there, empty: nobody said.
    [[nodiscard]] Result<Verdict> finish(std::span<const std::string> expected);

  private:
    [[nodiscard]] bool isSecondSight(const HostRecord& host) const;
    void count(const HostRecord& host);
    void judgeNames(std::span<const std::string> expected, Causes& causes);

    Spill& spill_;
    Texts texts_;
    Votes votes_;
    Owners owners_;
    Verdict verdict_;
    std::vector<std::string> names_;
    std::vector<std::size_t> rails_;  // how many each host has
    std::unordered_map<std::string, std::vector<HostId>> hostsOfName_;
    std::uint64_t mostAsked_ = 0;
};

}  // namespace fabric::fleet
