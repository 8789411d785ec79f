// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fleet/causes.hpp"
#include "fleet/owners.hpp"
#include "fleet/record.hpp"
#include "fleet/votes.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <span>
#include <string>
#include <vector>

namespace fabric::fleet {

// The second pass: each host against what is usual and against the owners.
class Judge {
  public:
    struct Known {
        const Votes& votes;
        const Owners& owners;
        const std::vector<std::string>& names;  // of the hosts
    };

    // Everything must outlive it.
    Judge(const Known& known, Texts& texts, Causes& causes)
        : texts_(texts),
          votes_(known.votes),
          owners_(known.owners),
          names_(known.names),
          causes_(causes) {}

    // `mostAsked`: the most receive slots that any server of the fleet asks for.
    void judge(HostId id, const HostRecord& host, std::uint64_t mostAsked);
    // What is told once, after the last host.
    void finish();

    [[nodiscard]] std::size_t foreign() const { return foreign_; }

  private:
    void judgeReadings(HostId id,
                       const std::vector<Reading>& readings,
                       const RailRecord* rail);
    void judgeSets(HostId id, const HostRecord& host);
    void judgeSubnets(HostId id, const HostRecord& host);
    void judgeNeighbours(HostId id, const HostRecord& host);
    void judgeQueues(HostId id, const HostRecord& host, std::uint64_t mostAsked);
    void blame(HostId id, const Reading& reading, const RailRecord* rail);
    [[nodiscard]] std::string valueOf(const Reading& reading,
                                      const Votes::Usual& usual) const;
    [[nodiscard]] std::string wrongEntryText(const NeighbourRecord& entry,
                                             const Owner& owner,
                                             std::span<const Owner> holders) const;

    // How many hosts told a trait, and how many are outliers.
    struct Tally {
        std::size_t told = 0;
        std::size_t outliers = 0;
        TextId usual = 0;
        bool several = false;  // what is usual depends on the rail
        TextId ofHosts = 0;    // usual for hosts as wholes, where one differs as such
    };

    Texts& texts_;
    const Votes& votes_;
    const Owners& owners_;
    const std::vector<std::string>& names_;
    Causes& causes_;
    std::map<Trait, Tally> tallies_;
    std::set<Trait> toldHere_;    // by the present host
    std::set<Trait> blamedHere_;  // likewise
    std::set<Trait> blamedOnRail_;
    std::size_t foreign_ = 0;
};

}  // namespace fabric::fleet
