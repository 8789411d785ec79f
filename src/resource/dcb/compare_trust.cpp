// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/classification.hpp"
#include "resource/dcb/message.hpp"
#include "resource/dcb/observe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace fabric::resource::dcb {

namespace {

using profile::Trust;

TrustState wantedState(Trust trust) {
    return trust == Trust::dscp ? TrustState::dscp : TrustState::pcp;
}

Step trustStep(Classification& now, std::vector<Write> writes) {
    Assessment& trust = now.trust;
    Step step =
        stepOf(now.task,
               stageOf(now.driver),
               Disturbs::traffic,
               fmt::format("set trust to {}{}", trust.wanted.toText(), kTrustFlip),
               {&trust});
    step.writes = std::move(writes);
    return step;
}

// The wanted selector first, the others behind it as they are.
std::vector<std::uint8_t> trustOrder(const std::vector<std::uint8_t>& found,
                                     Trust wanted) {
    const std::uint8_t first = wanted == Trust::dscp ? kSelectorDscp : kSelectorPcp;
    std::vector<std::uint8_t> order{first};
    std::ranges::copy_if(found, std::back_inserter(order), [&](std::uint8_t selector) {
        return selector != first;
    });
    return order;
}

// Trust that follows from entries: to DSCP by the map's step, to PCP by deleting all.
void repairTrustByEntries(Classification& now) {
    Assessment& trust = now.trust;
    if (now.task.wanted.trust.value == Trust::pcp) {
        Step step = trustStep(now, {});
        for (DcbWrite& write : deleteAll(now.listed, now.task.port.link)) {
            step.writes.emplace_back(std::move(write));
        }
        if (now.driver.lastEntryResets) {
            now.earlier = Earlier::resets;
        }
        now.steps.push_back(std::move(step));
        return;
    }
    const bool mapRepairs = std::ranges::any_of(now.steps, [&](const Step& step) {
        return std::ranges::find(step.ids, trust.id) != step.ids.end();
    });
    if (!mapRepairs) {
        trust.verdict = Verdict::failed;
        trust.reason =
            "this driver trusts DSCP only while DSCP entries are set, and the profile "
            "sets none";
        trust.fix = "give dcb.dscp-to-priority, or other-dscp: default";
    }
}

}  // namespace

void repairTrust(Classification& now) {
    const Trust wanted = now.task.wanted.trust.value;
    switch (now.view.via) {
        case TrustVia::dscpEntries:
            repairTrustByEntries(now);
            return;
        case TrustVia::sysfs:
            now.steps.push_back(
                trustStep(now,
                          {AttributeWrite{
                              .path = sysfsQosDirectory(now.task.port.name) + "/trust",
                              .text = wanted == Trust::dscp ? "dscp" : "pcp"}}));
            now.steps.back().linkName = now.task.port.name;
            return;
        case TrustVia::appTrustTable: {
            const auto order = trustOrder(
                now.found.appTrust.value_or(std::vector<std::uint8_t>{}), wanted);
            now.steps.push_back(trustStep(
                now, {DcbWrite{setAppTrustRequest(now.task.port.link, order)}}));
            return;
        }
        case TrustVia::fixedPcp:
            now.trust.verdict = Verdict::unsupported;
            now.trust.reason = "this hardware classifies by PCP only";
            return;
        case TrustVia::untold:
            return;
    }
}

void judgeTrust(Classification& now) {
    Assessment& trust = now.trust;
    if (!now.view.state) {
        trust.verdict = now.view.via == TrustVia::untold ? Verdict::unsupported
                                                         : Verdict::unreadable;
        trust.reason = now.view.problem;
        return;
    }
    trust.found = now.view.text;
    if (*now.view.state == wantedState(now.task.wanted.trust.value)) {
        trust.verdict = Verdict::inSync;
        return;
    }
    trust.verdict = Verdict::differs;
    trust.reason = fmt::format("the port classifies by {}", now.view.text);
    trust.explanation =
        "Trust decides by which field of a packet its priority is chosen. On some "
        "drivers it follows from DSCP entries: the first one set switches it to DSCP, "
        "the last one deleted back to PCP, for all traffic.";
    addOwnerHint(now.task, now.found, trust);
}

}  // namespace fabric::resource::dcb
