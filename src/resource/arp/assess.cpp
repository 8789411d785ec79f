// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "resource/arp/arp.hpp"
#include "resource/arp/compare_live.hpp"
#include "resource/arp/compare_persistent.hpp"
#include "resource/arp/effective.hpp"
#include "resource/arp/hazards.hpp"
#include "resource/arp/other_writer.hpp"
#include "resource/rail_property.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fabric::resource::arp {

namespace {

// Every property that the profile owns on this rail, all with the same answer.
Comparison forEveryProperty(const RailTask& task, const Assessment& answer) {
    Comparison result;
    const auto add = [&](std::string_view property, Value wanted) {
        Assessment assessment = railProperty(task, Kind::arp, task.rail.name, property);
        assessment.wanted = std::move(wanted);
        assessment.verdict = answer.verdict;
        assessment.reason = answer.reason;
        assessment.fix = answer.fix;
        refuse(task, assessment);
        result.assessments.push_back(std::move(assessment));
    };
    const host::Ipv4Values wanted = wantedValues(*task.settings.arp);
    for (const Property& property : kProperties) {
        if (const auto value = wanted.find(property.key); value != wanted.end()) {
            add(property.name, value->second);
        }
    }
    if (task.settings.arp->persist) {
        add("persist", {});
    }
    return result;
}

Comparison unread(const Scope& scope, const Error& error) {
    Assessment answer;
    cannotRead(error, scope.platform, answer);
    Comparison result;
    for (const RailTask& task : scope.rails) {
        if (task.settings.arp) {
            result.append(forEveryProperty(task, answer));
        }
    }
    return result;
}

Comparison withoutAddress(const Scope& scope, std::span<const Place> places) {
    Assessment answer;
    answer.verdict = Verdict::notApplicable;
    answer.reason = "no interface of this rail owns an IPv4 address";
    Comparison result;
    for (const RailTask& task : scope.rails) {
        const bool placed = std::ranges::any_of(
            places, [&](const Place& place) { return place.task == &task; });
        if (task.settings.arp && !placed) {
            result.append(forEveryProperty(task, answer));
        }
    }
    return result;
}

// Adds to contested values who may have made them.
void nameOtherWriters(const host::FileReader& files, LiveComparison& live) {
    if (live.contested.empty()) {
        return;
    }
    const std::vector<OtherWriter> writers = otherWriters(files);
    for (Assessment& assessment : live.comparison.assessments) {
        if (!live.contested.contains(assessment.id)) {
            continue;
        }
        for (const OtherWriter& writer : writers) {
            assessment.reason += "; " + writer.text();
        }
        if (const std::string file = wickedFileOf(files, assessment.device);
            !file.empty()) {
            assessment.reason += "; " + escapeForTerminal(file) + " is there: wicked " +
                                 "sets this interface when it comes up";
        }
    }
}

// What may break when conf.all is set.
void addScopeFinding(const host::Reader& host,
                     std::span<const Place> places,
                     const State& state,
                     Comparison& result) {
    const bool scopeAll = std::ranges::any_of(
        places, [](const Place& place) { return place.settings().scopeAll; });
    if (!scopeAll) {
        return;
    }
    std::vector<std::string> evidence;
    if (const auto links = host.links.links()) {
        evidence = addressesAtRisk(places, state, *links);
    } else {
        evidence.push_back("the interfaces could not be listed: " +
                           links.error().message());
    }
    for (const OtherWriter& writer : otherWriters(host.files)) {
        if (writer.name == "keepalived" || writer.name == "kube-proxy") {
            evidence.push_back(writer.name + " (process " + writer.process +
                               ") may hold addresses that are not on the answering "
                               "interface");
        }
    }
    if (!evidence.empty()) {
        result.findings.push_back(
            {.id = "arp.scope-all",
             .severity = Severity::warn,
             .summary = "scope 'all' changes ARP on every interface: peers may stop "
                        "resolving addresses that are not on the interface they ask",
             .evidence = fmt::format("{}", fmt::join(evidence, "; ")),
             .fix = "use scope 'rails', or see that nobody resolves these addresses "
                    "through another interface"});
    }
}

Comparison persistence(const host::Reader& host,
                       const Scope& scope,
                       std::span<const Place> places) {
    const bool wanted = std::ranges::any_of(
        places, [](const Place& place) { return place.settings().persist; });
    if (!wanted) {
        return {};
    }
    const auto files = readSysctlFiles(host.files);
    return files ? comparePersistent(places, scope, *files)
                 : persistentUnread(places, files.error(), scope.platform);
}

}  // namespace

Comparison assess(const host::Reader& host, const Scope& scope) {
    if (std::ranges::none_of(scope.rails, [](const RailTask& task) {
            return task.settings.arp.has_value();
        })) {
        return {};
    }
    const auto state = observe(host);
    if (!state) {
        return unread(scope, state.error());
    }
    const std::vector<Place> places = placesOf(scope.rails, *state);
    LiveComparison live = compareLive(places, *state);
    nameOtherWriters(host.files, live);
    Comparison all = withoutAddress(scope, places);
    all.append(std::move(live.comparison));
    all.append(persistence(host, scope, places));
    std::ranges::copy(hazardsOf(places, *state), std::back_inserter(all.findings));
    addScopeFinding(host, places, *state, all);
    settleSharedPorts(all);
    return all;
}

}  // namespace fabric::resource::arp
