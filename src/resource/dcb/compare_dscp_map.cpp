// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/classification.hpp"
#include "resource/dcb/observe.hpp"
#include "resource/dcb/property_values.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <ranges>
#include <utility>

namespace fabric::resource::dcb {

namespace {

using profile::Trust;

Disturbs disturbsOf(const DriverFacts& driver, bool flips) {
    return flips || driver.changeResets ? Disturbs::traffic : Disturbs::none;
}

std::string entryText(const std::set<std::uint8_t>& priorities) {
    return fmt::format("{}", fmt::join(priorities, " and "));
}

// "26 -> 0, wanted 3; 40 others": enough to see what is wrong on one line.
std::string differenceText(const DscpPlan& plan,
                           const DscpEntries& listed,
                           const std::set<Dscp>& owned) {
    std::vector<Dscp> order(plan.different.begin(), plan.different.end());
    std::ranges::stable_partition(order,
                                  [&](Dscp dscp) { return owned.contains(dscp); });
    constexpr std::size_t kShown = 3;
    std::string text;
    for (const Dscp dscp : order | std::views::take(kShown)) {
        const auto found = listed.find(dscp);
        text += text.empty() ? "" : ", ";
        text += fmt::format("DSCP {} ", dscp.number());
        text += found == listed.end()
                    ? std::string("is not listed")
                    : "is listed with priority " + entryText(found->second);
        text += fmt::format(", wanted {}", plan.target.at(dscp).number());
    }
    if (order.size() > kShown) {
        text += fmt::format(", and {} more", order.size() - kShown);
    }
    return text;
}

// What is listed of the DSCPs in question; several priorities are a list.
Value foundMap(const DscpMap& target, const DscpEntries& listed) {
    Value::Object object;
    for (const auto& [dscp, wanted] : target) {
        const auto found = listed.find(dscp);
        if (found == listed.end()) {
            continue;
        }
        Value::List priorities;
        for (const std::uint8_t priority : found->second) {
            priorities.emplace_back(std::int64_t{priority});
        }
        object[std::to_string(dscp.number())] =
            priorities.size() == 1 ? priorities.front() : Value(priorities);
    }
    return object;
}

// What a complete list is worth as a proof of the hardware.
void judgeListed(Classification& now, Assessment& map) {
    map.verdict = Verdict::inSync;
    if (now.driver.listProof == ListProof::hardware || now.found.appTrust) {
        return;
    }
    if (now.driver.listProof == ListProof::none) {
        map.verdict = Verdict::unreadable;
        map.reason = fmt::format(
            "the entries are in the kernel's list, but whether {} programs hardware "
            "from it is not known: the list is no proof",
            driverName(now.task.port));
        map.fix = "verify the map with the vendor's tool";
        return;
    }
    const bool refuses =
        !now.driver.dscpSelector || !hostOwnsDcbx(now.found).value_or(true);
    if (refuses) {
        map.verdict = Verdict::failed;
        map.reason = fmt::format(
            "the entries are in the kernel's list, which is no proof: {} lists them "
            "before the hardware is asked, and the hardware does not take them now",
            driverName(now.task.port));
        map.fix = dcbxFix(now.driver, now.task.port.name);
        return;
    }
    now.findings.push_back(
        {.id = "dcb.list-not-hardware",
         .severity = Severity::warn,
         .summary = "the DSCP map is known from the kernel's list only",
         .evidence = fmt::format("{} lists an entry before its firmware takes it",
                                 driverName(now.task.port)),
         .fix = fmt::format("verify the map with {}", now.driver.vendorTool),
         .device = now.task.port.name});
}

// A trust that the profile wants kept must not move as a side effect of entries.
bool forbidsFlip(const Classification& now, const DscpPlan& plan) {
    return now.driver.entriesFlipTrust && now.view.via == TrustVia::dscpEntries &&
           now.task.wanted.trust.value == Trust::keep &&
           (plan.flipsToDscp || plan.flipsToPcp);
}

void addMapStep(Classification& now, const DscpPlan& plan) {
    const bool flips = now.driver.entriesFlipTrust &&
                       now.view.via == TrustVia::dscpEntries &&
                       (plan.flipsToDscp || plan.flipsToPcp);
    std::vector<Assessment*> serves{&now.map};
    if (now.ownsTrust && now.trust.verdict == Verdict::differs &&
        now.view.via == TrustVia::dscpEntries) {
        serves.push_back(&now.trust);
    }
    Step step = stepOf(now.task,
                       stageOf(now.driver),
                       disturbsOf(now.driver, flips),
                       fmt::format("set the priority of {} DSCPs{}",
                                   plan.different.size(),
                                   flips ? kTrustFlip : ""),
                       std::move(serves));
    step.writes.assign(plan.writes.begin(), plan.writes.end());
    now.steps.push_back(std::move(step));
    if (plan.flipsToPcp && now.driver.lastEntryResets) {
        now.earlier = Earlier::resets;
    }
}

void judgeMapFromList(Classification& now) {
    Assessment& map = now.map;
    const std::set<Dscp> owned = ownedDscps(now.task.wanted);
    if (!now.found.apps) {
        map.verdict = Verdict::unreadable;
        map.reason = "the kernel's answer carries no APP table";
        return;
    }
    const DscpPlan plan = planDscp(targetMap(now.task.wanted, now.driver, now.listed),
                                   now.listed,
                                   owned,
                                   now.driver,
                                   now.task.port.link);
    map.wanted = valueOf(plan.target);
    map.found = foundMap(plan.target, now.listed);
    if (plan.different.empty()) {
        judgeListed(now, map);
        return;
    }
    map.verdict = Verdict::differs;
    map.reason = differenceText(plan, now.listed, owned);
    map.explanation =
        now.driver.hiddenMap
            ? "The hardware maps all 64 DSCPs, the kernel lists only those that were "
              "set: an owned DSCP that is not listed is unknown, and is written."
            : "An owned DSCP must be listed with exactly the wanted priority.";
    if (forbidsFlip(now, plan)) {
        map.verdict = Verdict::failed;
        map.reason += fmt::format(
            "; not sent, since the {} DSCP entry would switch trust to {} for all "
            "traffic and dcb.trust is keep",
            plan.flipsToDscp ? "first" : "last",
            plan.flipsToDscp ? "DSCP" : "PCP");
        map.fix = "write trust: dscp or trust: pcp in the profile";
        return;
    }
    addOwnerHint(now.task, now.found, map);
    addMapStep(now, plan);
}

void judgeMapFromSysfs(Classification& now, const SysfsQos& qos) {
    Assessment& map = now.map;
    if (!now.view.problem.empty()) {
        map.verdict = Verdict::unreadable;
        map.reason = now.view.problem;
        return;
    }
    DscpEntries present;
    for (const auto& [dscp, priority] : qos.dscpToPriority) {
        present[dscp].insert(priority);
    }
    const std::set<Dscp> owned = ownedDscps(now.task.wanted);
    const DscpPlan plan = planDscp(targetMap(now.task.wanted, now.driver, present),
                                   present,
                                   owned,
                                   now.driver,
                                   now.task.port.link);
    map.wanted = valueOf(plan.target);
    map.found = foundMap(plan.target, present);
    map.verdict = plan.different.empty() ? Verdict::inSync : Verdict::differs;
    if (plan.different.empty()) {
        return;
    }
    map.reason = differenceText(plan, present, owned);
    Step step = stepOf(now.task,
                       Stage::classification,
                       Disturbs::none,
                       fmt::format("set the priority of {} DSCPs in qos/dscp2prio",
                                   plan.different.size()),
                       {&map});
    step.linkName = now.task.port.name;
    for (const Dscp dscp : plan.different) {
        step.writes.emplace_back(AttributeWrite{
            .path = sysfsQosDirectory(now.task.port.name) + "/dscp2prio",
            .text =
                fmt::format("{} {}", dscp.number(), plan.target.at(dscp).number())});
    }
    now.steps.push_back(std::move(step));
}

// The driver cannot hold a DSCP map as the profile wants it.
void judgeImpossibleMap(Classification& now, std::string reason, bool required) {
    Assessment& map = now.map;
    map.verdict = required ? Verdict::unsupported : Verdict::notApplicable;
    map.reason = std::move(reason);
}

}  // namespace

void judgeMap(Classification& now) {
    const bool explicitMap =
        now.task.wanted.dscpToPriority && now.task.wanted.dscpToPriority->isExplicit();
    if (now.found.sysfs) {
        judgeMapFromSysfs(now, *now.found.sysfs);
    } else if (!now.driver.dscpSelector) {
        judgeImpossibleMap(now, "the driver's APP entries have no DSCP selector", true);
        const auto listed = [&](Dscp dscp) { return now.listed.contains(dscp); };
        if (std::ranges::any_of(ownedDscps(now.task.wanted), listed)) {
            judgeListed(now, now.map);
        }
    } else if (now.view.via == TrustVia::dscpEntries &&
               now.task.wanted.trust.value == Trust::pcp) {
        judgeImpossibleMap(now,
                           "trust is pcp, with which this driver keeps no DSCP entries",
                           explicitMap);
    } else {
        judgeMapFromList(now);
    }
}

}  // namespace fabric::resource::dcb
