// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/dscp_plan.hpp"

#include "resource/dcb/message.hpp"

#include <algorithm>
#include <utility>

namespace fabric::resource::dcb {

namespace {

std::uint8_t standardPriority(Dscp dscp) {
    return static_cast<std::uint8_t>(dscp.number() >> 3U);
}

// Empty: not owned.
std::optional<Priority> priorityByRule(const profile::DcbSettings& wanted, Dscp dscp) {
    const std::uint8_t standard = standardPriority(dscp);
    switch (wanted.otherDscp.value) {
        case profile::OtherDscp::keep:
            return std::nullopt;
        case profile::OtherDscp::zero:
            return Priority::of(0);
        case profile::OtherDscp::standard:
            return Priority::of(standard);
        case profile::OtherDscp::exclusive:
            break;
    }
    const bool inLosslessBlock =
        wanted.lossless && wanted.lossless->priority.number() == standard;
    return Priority::of(inLosslessBlock ? std::uint8_t{0} : standard);
}

AppEntry entryOf(Dscp dscp, std::uint8_t priority) {
    return {.selector = kSelectorDscp, .protocol = dscp.number(), .priority = priority};
}

// Collects the messages of one plan and watches whether the list runs empty.
class Sequence {
  public:
    Sequence(const DscpEntries& listed, const DriverFacts& driver, IfIndex link)
        : list_(listed), driver_(driver), link_(link) {}

    void add(Dscp dscp, std::uint8_t priority) {
        const AppEntry entry = entryOf(dscp, priority);
        flipsToDscp_ = flipsToDscp_ || list_.empty();
        if (driver_.remap == Remap::replace) {
            list_[dscp].clear();
        }
        list_[dscp].insert(priority);
        DcbWrite write{.request = setAppRequest(link_, entry)};
        if (driver_.listProof == ListProof::listedFirst) {
            write.ifRefused = deleteAppRequest(link_, entry);
        }
        writes_.push_back(std::move(write));
    }

    void remove(Dscp dscp, std::uint8_t priority) {
        list_[dscp].erase(priority);
        if (list_[dscp].empty()) {
            list_.erase(dscp);
        }
        flipsToPcp_ = flipsToPcp_ || list_.empty();
        writes_.push_back(
            {.request = deleteAppRequest(link_, entryOf(dscp, priority))});
    }

    // Without the entries of this DSCP nothing would be listed.
    [[nodiscard]] bool isOnlyOne(Dscp dscp) const {
        return list_.size() == 1 && list_.contains(dscp);
    }

    [[nodiscard]] const DscpEntries& list() const { return list_; }

    void finish(DscpPlan& plan) && {
        plan.writes = std::move(writes_);
        plan.flipsToDscp = flipsToDscp_;
        plan.flipsToPcp = flipsToPcp_;
    }

  private:
    DscpEntries list_;
    const DriverFacts& driver_;
    IfIndex link_;
    std::vector<DcbWrite> writes_;
    bool flipsToDscp_ = false;
    bool flipsToPcp_ = false;
};

void replaceEntry(Sequence& sequence, Dscp dscp, std::uint8_t wanted) {
    const auto listed = sequence.list().find(dscp);
    const std::set<std::uint8_t> before =
        listed == sequence.list().end() ? std::set<std::uint8_t>{} : listed->second;
    sequence.add(dscp, wanted);
    // One entry is replaced by the driver itself; more than one it does not expect.
    for (const std::uint8_t wrong : before) {
        if (before.size() > 1 && wrong != wanted) {
            sequence.remove(dscp, wrong);
        }
    }
}

// A DSCP that packets treat as listed with priority 0 already, to be listed while the
// only other entry is exchanged: it keeps the port from falling back to PCP and to its
// defaults on the way (drivers/net/ethernet/intel/ice/ice_dcb_nl.c,
// ice_dcbnl_delapp). From the block whose default priority is 0.
std::optional<Dscp> placeholder(const DscpMap& target, Dscp remapped) {
    for (std::uint8_t number = 0; number < 8; ++number) {
        const Dscp dscp = Dscp::of(number);
        const auto wanted = target.find(dscp);
        const bool isZero = wanted == target.end() || wanted->second.number() == 0;
        if (dscp != remapped && isZero) {
            return dscp;
        }
    }
    return std::nullopt;
}

void exchangeEntry(Sequence& sequence, Dscp dscp, const DscpMap& target, bool guard) {
    const std::uint8_t wanted = target.at(dscp).number();
    const std::set<std::uint8_t> before = sequence.list().at(dscp);
    const auto held =
        guard && sequence.isOnlyOne(dscp) ? placeholder(target, dscp) : std::nullopt;
    if (held) {
        sequence.add(*held, 0);
    }
    // The hardware forgets a DSCP with any of its entries, so the wanted one goes too
    // and is added last (bnxt_dcbnl_ieee_delapp in bnxt_dcb.c).
    for (const std::uint8_t priority : before) {
        sequence.remove(dscp, priority);
    }
    sequence.add(dscp, wanted);
    if (held) {
        sequence.remove(*held, 0);
    }
}

// What packets need most comes first: the entries that the profile names.
std::vector<Dscp> inOrder(const std::set<Dscp>& different,
                          const std::set<Dscp>& owned) {
    std::vector<Dscp> order(different.begin(), different.end());
    std::ranges::stable_partition(order,
                                  [&](Dscp dscp) { return owned.contains(dscp); });
    return order;
}

}  // namespace

std::set<Dscp> ownedDscps(const profile::DcbSettings& wanted) {
    std::set<Dscp> owned;
    if (wanted.dscpToPriority) {
        for (const auto& [dscp, priority] : wanted.dscpToPriority->value) {
            owned.insert(dscp);
        }
    }
    return owned;
}

DscpMap targetMap(const profile::DcbSettings& wanted,
                  const DriverFacts& driver,
                  const DscpEntries& listed) {
    DscpMap target;
    if (wanted.dscpToPriority) {
        target = wanted.dscpToPriority->value;
    }
    for (std::uint8_t number = 0; number < kDscpCount; ++number) {
        const Dscp dscp = Dscp::of(number);
        const auto priority = priorityByRule(wanted, dscp);
        const bool known =
            driver.unlisted == UnlistedDscp::written || listed.contains(dscp);
        if (priority && known) {
            target.try_emplace(dscp, *priority);
        }
    }
    return target;
}

namespace {

std::set<Dscp> differences(const DscpMap& target, const DscpEntries& listed) {
    std::set<Dscp> different;
    for (const auto& [dscp, priority] : target) {
        const auto found = listed.find(dscp);
        const std::set<std::uint8_t> wanted{priority.number()};
        if (found == listed.end() || found->second != wanted) {
            different.insert(dscp);
        }
    }
    return different;
}

// New entries first, so that the list is not empty while others are exchanged.
void addThenExchange(Sequence& sequence,
                     const std::vector<Dscp>& order,
                     const DscpMap& target,
                     bool guard) {
    const auto listed = [before = sequence.list()](Dscp dscp) {
        return before.contains(dscp);
    };
    for (const Dscp dscp : order) {
        if (!listed(dscp)) {
            sequence.add(dscp, target.at(dscp).number());
        }
    }
    for (const Dscp dscp : order) {
        if (listed(dscp)) {
            exchangeEntry(sequence, dscp, target, guard);
        }
    }
}

}  // namespace

DscpPlan planDscp(DscpMap target,
                  const DscpEntries& listed,
                  const std::set<Dscp>& owned,
                  const DriverFacts& driver,
                  IfIndex link) {
    DscpPlan plan{.target = std::move(target)};
    plan.different = differences(plan.target, listed);
    Sequence sequence(listed, driver, link);
    const std::vector<Dscp> order = inOrder(plan.different, owned);
    if (driver.remap == Remap::replace) {
        for (const Dscp dscp : order) {
            replaceEntry(sequence, dscp, plan.target.at(dscp).number());
        }
    } else {
        addThenExchange(sequence, order, plan.target, driver.entriesFlipTrust);
    }
    std::move(sequence).finish(plan);
    return plan;
}

std::vector<DcbWrite> deleteAll(const DscpEntries& listed, IfIndex link) {
    std::vector<DcbWrite> writes;
    for (const auto& [dscp, priorities] : listed) {
        for (const std::uint8_t priority : priorities) {
            writes.push_back(
                {.request = deleteAppRequest(link, entryOf(dscp, priority))});
        }
    }
    return writes;
}

}  // namespace fabric::resource::dcb
