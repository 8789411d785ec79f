// SPDX-License-Identifier: Apache-2.0
#include "engine/rail_selection.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fabric::engine {

namespace {

using inventory::FunctionKind;
using inventory::Rail;
using profile::RailSelector;
using resource::Finding;
using resource::Severity;

bool isDefaultRail(const Rail& rail) {
    if (!rail.rdma || rail.rdma->linkLayer != host::LinkLayer::ethernet ||
        rail.link.none()) {
        return false;
    }
    // A RoCE LAG reports the bond as its net device; its ports are physical functions.
    const bool lag = rail.kind == FunctionKind::stacked && !rail.rdma->pci.empty() &&
                     !rail.ports.empty();
    return rail.kind == FunctionKind::physical || lag;
}

bool matchesAny(const std::vector<RailSelector>& selectors, const Rail& rail) {
    const profile::RailIdentity identity = identityOf(rail);
    return std::ranges::any_of(selectors, [&](const RailSelector& selector) {
        return profile::matches(selector, identity);
    });
}

bool sharesAPort(const Rail& upper, const Rail& rail) {
    return std::ranges::any_of(upper.ports, [&](const inventory::PhysicalPort& port) {
        return std::ranges::find(rail.ports,
                                 port.link,
                                 &inventory::PhysicalPort::link) != rail.ports.end();
    });
}

// True when `rail` is only another name for the ports of a rail that is selected
// anyway: a VLAN or bond that a wide interface glob caught, or the port below a bond
// that is the rail.
bool isPartOfAnother(const Rail& rail, const std::vector<Rail>& selected) {
    return std::ranges::any_of(selected, [&](const Rail& other) {
        if (other.link == rail.link || !sharesAPort(rail, other)) {
            return false;
        }
        const bool stackedOnOther = rail.kind == FunctionKind::stacked && !rail.rdma;
        const bool memberOfOther = !rail.rdma && other.rdma && other.ports.size() > 1;
        return stackedOnOther
                   ? other.kind != FunctionKind::stacked || other.rdma.has_value()
                   : memberOfOther;
    });
}

std::vector<Finding> unmatchedSelectors(const profile::RailSelection& selection,
                                        std::span<const Rail> candidates) {
    std::vector<Finding> findings;
    for (const RailSelector& selector : selection.match) {
        const bool matched = std::ranges::any_of(candidates, [&](const Rail& rail) {
            return profile::matches(selector, identityOf(rail));
        });
        if (!matched) {
            findings.push_back(
                {.id = "rails.selector-unmatched",
                 .severity = Severity::warn,
                 .summary = "a rail selector matches nothing",
                 .evidence = selector.text(),
                 .fix =
                     "run 'fabricctl status' to see what this host has, or state how "
                     "many rails there must be with rails.expect"});
        }
    }
    return findings;
}

std::string expectText(const profile::RailSelection& selection) {
    const auto& [min, max] = std::pair{selection.expectMin, selection.expectMax};
    if (min && max && *min == *max) {
        return std::to_string(*min);
    }
    if (min && max) {
        return fmt::format("{} to {}", *min, *max);
    }
    return min ? fmt::format("at least {}", *min) : fmt::format("at most {}", *max);
}

// One number where one number is wanted, so that wanted and found can be compared.
Value expectValue(const profile::RailSelection& selection) {
    const auto& [min, max] = std::pair{selection.expectMin, selection.expectMax};
    return min && max && *min == *max ? Value(*min) : Value(expectText(selection));
}

std::string railNames(const std::vector<Rail>& rails) {
    std::string names;
    for (const Rail& rail : rails) {
        names += (names.empty() ? "" : ", ") + escapeForTerminal(rail.name);
    }
    return names.empty() ? "none" : names;
}

resource::Assessment expectation(const profile::RailSelection& selection,
                                 const std::vector<Rail>& rails) {
    const auto count = static_cast<unsigned>(rails.size());
    const bool tooFew = selection.expectMin && count < *selection.expectMin;
    const bool tooMany = selection.expectMax && count > *selection.expectMax;
    resource::Assessment assessment{.id = "rails/expect",
                                    .kind = resource::Kind::rails,
                                    .property = "expect",
                                    .wanted = expectValue(selection),
                                    .found = count,
                                    .verdict = resource::Verdict::inSync};
    if (tooFew || tooMany) {
        assessment.verdict = resource::Verdict::differs;
        assessment.reason = fmt::format("rails found: {} ({}); the profile expects {}",
                                        count,
                                        railNames(rails),
                                        expectText(selection));
        assessment.fix = tooFew ? "check that the driver is bound and the RDMA module "
                                  "loaded: fabricctl status"
                                : "exclude the interface that is no rail, or correct "
                                  "rails.expect; no rail is "
                                  "written until then";
    }
    return assessment;
}

}  // namespace

profile::RailIdentity identityOf(const Rail& rail) {
    return {.rdma = rail.rdma ? rail.rdma->device : "",
            .interface = rail.link.none() ? "" : rail.name,
            .pci = rail.pci ? rail.pci->text() : "",
            .driver = rail.driver,
            .vendor = rail.vendor,
            .mac = rail.mac ? rail.mac->text() : "",
            .numaNode = rail.numaNode ? std::to_string(*rail.numaNode) : ""};
}

RailSelectionResult selectRails(const profile::RailSelection& selection,
                                std::span<const Rail> candidates) {
    RailSelectionResult result;
    for (const Rail& rail : candidates) {
        const bool wanted = selection.match.empty() ? isDefaultRail(rail)
                                                    : matchesAny(selection.match, rail);
        if (!wanted || matchesAny(selection.exclude, rail)) {
            continue;
        }
        if (selection.match.empty() && !rail.defaultRouteVia.empty() &&
            !selection.includeDefaultRoute) {
            result.findings.push_back(
                {.id = "rails.default-route",
                 .severity = Severity::warn,
                 .summary = escapeForTerminal(rail.name) +
                            " carries the default route and is left out",
                 .evidence =
                     "default route via " + escapeForTerminal(rail.defaultRouteVia),
                 .fix = "name it in rails.match and set rails.default-route: include "
                        "to own it"});
            continue;
        }
        result.rails.push_back(rail);
    }
    const std::vector<Rail> all = result.rails;
    std::erase_if(result.rails,
                  [&](const Rail& rail) { return isPartOfAnother(rail, all); });
    std::ranges::sort(result.rails, {}, &Rail::name);

    const bool expects = selection.expectMin || selection.expectMax;
    if (!expects && result.rails.empty()) {
        // Nothing was looked at, so nothing can be as wanted.
        const profile::RailSelection atLeastOne{.expectMin = 1};
        result.expect = expectation(atLeastOne, result.rails);
    }
    if (expects) {
        result.expect = expectation(selection, result.rails);
        result.tooMany =
            selection.expectMax && result.rails.size() > *selection.expectMax;
        result.complete =
            !selection.expectMin || result.rails.size() >= *selection.expectMin;
    } else {
        std::vector<Finding> unmatched = unmatchedSelectors(selection, candidates);
        result.complete = unmatched.empty() && !result.rails.empty();
        std::ranges::move(unmatched, std::back_inserter(result.findings));
    }
    return result;
}

Finding noRailsFinding(const profile::RailSelection& selection,
                       std::span<const Rail> candidates) {
    std::string looked;
    for (const RailSelector& selector : selection.match) {
        looked += (looked.empty() ? "" : " or ") + selector.text();
    }
    const auto ports = std::ranges::count_if(
        candidates, [](const Rail& rail) { return rail.rdma.has_value(); });
    return {.id = "rails.none",
            .severity = Severity::warn,
            .summary = "no rail was found",
            .evidence = fmt::format(
                "looked for {} among {} RDMA ports and {} network interfaces of this "
                "network "
                "namespace (RDMA netlink, /sys/class/infiniband, rtnetlink)",
                looked.empty() ? "physical Ethernet RDMA ports" : looked,
                ports,
                static_cast<std::ptrdiff_t>(candidates.size())),
            .fix =
                "load the RDMA driver of the NIC (modprobe mlx5_ib, bnxt_re or irdma; "
                "rdma link must list the "
                "port), or name the interface in rails.match"};
}

}  // namespace fabric::engine
