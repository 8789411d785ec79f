// SPDX-License-Identifier: Apache-2.0
#include "resource/arp/compare_live.hpp"

#include "base/text.hpp"
#include "resource/arp/effective.hpp"
#include "resource/flush_pending.hpp"
#include "resource/rail_property.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace fabric::resource::arp {

namespace {

using host::Ipv4Key;

constexpr std::string_view kExplanation =
    "Linux answers ARP for the host, not for the interface: where rails share a "
    "broadcast domain, a peer may keep one rail's address with another rail's MAC. "
    "arp_ignore=1 answers only where the address is, arp_announce=2 asks with the "
    "rail's own address. The kernel takes the larger of the interface's value and "
    "conf.all, and a larger number is not a stronger setting.";

std::string textOf(const host::Ipv4Values& values) {
    std::string text;
    for (const auto& [key, value] : values) {
        text += fmt::format(
            "{}{}={}", text.empty() ? "" : ", ", host::sysctlName(key), value);
    }
    return text;
}

// Whether a run with this profile flushes or announces after the change, and so takes
// the mark away. Of a profile that leaves the neighbour cache alone none would.
bool flushFollows(const Place& place) {
    const auto& neighbours = place.task->settings.neighbours;
    return neighbours &&
           (neighbours->flush != profile::FlushMode::never || neighbours->announce);
}

// The run that flushes what was learned before may not be this one.
void markFlushPending(const Place& place, Step& step) {
    if (!flushFollows(place)) {
        return;
    }
    step.writes.emplace_back(DirectoryCreate{"/run/fabricctl"});
    step.writes.emplace_back(DirectoryCreate{kFlushPendingDirectory});
    step.writes.emplace_back(
        FileReplace{.path = flushPendingPath(place.interface->link),
                    .text = place.interface->name + "\n"});
}

class Comparer {
  public:
    Comparer(std::span<const Place> places, const State& state)
        : places_(places), state_(state) {}

    LiveComparison compare() {
        for (const Place& place : places_) {
            wantAll(place);
        }
        for (const Place& place : places_) {
            comparePlace(place);
        }
        addAllStep();
        addStricterFinding();
        return std::move(result_);
    }

  private:
    // What conf.all shall be, from the places whose scope it is.
    void wantAll(const Place& place) {
        if (!place.settings().scopeAll || !place.mayBeWritten()) {
            return;
        }
        for (const auto& [key, wanted] : wantedValues(place.settings())) {
            const auto [known, added] = allWanted_.emplace(key, wanted);
            if (!added && known->second != wanted) {
                disputed_.insert(key);
            }
        }
    }

    [[nodiscard]] bool allIsWrong(const Place& place,
                                  Ipv4Key key,
                                  std::int32_t wanted) const {
        return place.settings().scopeAll &&
               fitOf(key, wanted, state_.all.at(key)) == Fit::no;
    }

    void comparePlace(const Place& place) {
        const host::Ipv4Values wanted = wantedValues(place.settings());
        Step step{.stage = Stage::arp,
                  .rail = place.task->rail.name,
                  .link = place.interface->link};
        host::Ipv4Values changes;
        for (const Property& property : kProperties) {
            const auto value = wanted.find(property.key);
            if (value == wanted.end()) {
                continue;
            }
            const Assessment& assessment = assess(place, property, value->second);
            if (assessment.verdict == Verdict::differs &&
                ownMustChange(place, property.key, value->second)) {
                changes.insert(*value);
                step.ids.push_back(assessment.id);
            }
        }
        if (!changes.empty()) {
            step.summary = "set " + textOf(changes) + " on " + place.interface->name;
            markFlushPending(place, step);
            step.writes.emplace_back(Ipv4ConfWrite{place.interface->link, changes});
            result_.comparison.steps.push_back(std::move(step));
        }
    }

    const Assessment& assess(const Place& place,
                             const Property& property,
                             std::int32_t wanted) {
        Assessment assessment =
            railProperty(*place.task, Kind::arp, place.interface->name, property.name);
        assessment.wanted = wanted;
        assessment.explanation = kExplanation;
        if (const auto own = ownValue(place, property.key, assessment)) {
            const Reading reading =
                readingOf(property.key, *own, state_.all.at(property.key));
            assessment.found = reading.effective;
            if (!refuse(*place.task, assessment)) {
                judge(place, property.key, wanted, reading, assessment);
            }
        } else {
            refuse(*place.task, assessment);
        }
        result_.comparison.assessments.push_back(std::move(assessment));
        return result_.comparison.assessments.back();
    }

    [[nodiscard]] std::optional<std::int32_t> ownValue(const Place& place,
                                                       Ipv4Key key,
                                                       Assessment& assessment) const {
        const auto link = state_.own.find(place.interface->link);
        if (link == state_.own.end()) {
            assessment.verdict = Verdict::unreadable;
            assessment.reason = "the kernel shows no IPv4 settings of " +
                                escapeForTerminal(place.interface->name) +
                                ": it is gone, or its MTU is below 68";
            return std::nullopt;
        }
        const auto value = link->second.find(key);
        if (value == link->second.end()) {
            assessment.verdict = Verdict::unsupported;
            assessment.reason =
                "this kernel has no " + std::string(host::sysctlName(key));
            return std::nullopt;
        }
        return value->second;
    }

    void judge(const Place& place,
               Ipv4Key key,
               std::int32_t wanted,
               const Reading& reading,
               Assessment& assessment) {
        const Fit fit = fitOf(key, wanted, reading.effective);
        const bool allWrong = allIsWrong(place, key, wanted);
        if (place.settings().scopeAll && disputed_.contains(key)) {
            assessment.verdict = Verdict::failed;
            assessment.reason = fmt::format(
                "the rails with scope 'all' want different values of conf.all.{}",
                host::sysctlName(key));
            assessment.fix = "give them the same value, or scope 'rails'";
            return;
        }
        if (fit == Fit::stricter) {
            stricter_.push_back(escapeForTerminal(assessment.device) + ": " +
                                toText(reading));
        }
        if (fit != Fit::no && !allWrong) {
            assessment.verdict = Verdict::inSync;
            return;
        }
        assessment.verdict = Verdict::differs;
        explainDifference(place, key, reading, fit, assessment);
        if (reading.own != 0 || reading.all != 0) {
            result_.contested.insert(assessment.id);
        }
    }

    static void explainDifference(const Place& place,
                                  Ipv4Key key,
                                  const Reading& reading,
                                  Fit fit,
                                  Assessment& assessment) {
        if (fit != Fit::no) {
            assessment.reason = fmt::format("scope 'all' wants it in conf.all too ({})",
                                            toText(reading));
            return;
        }
        assessment.reason =
            fmt::format("{} decides ({}): the kernel {}",
                        reading.allDecides() ? "conf.all" : "the interface's own value",
                        toText(reading),
                        meaningOf(key, reading.effective));
        if (reading.allDecides() && !place.settings().scopeAll) {
            assessment.fix = fmt::format(
                "set net.ipv4.conf.all.{} to 0 where it is set, or give the profile "
                "'scope: all' in section arp",
                host::sysctlName(key));
        }
    }

    // An own value that is right by itself stays, whatever conf.all does to it.
    [[nodiscard]] bool ownMustChange(const Place& place,
                                     Ipv4Key key,
                                     std::int32_t wanted) const {
        const std::int32_t own = state_.own.at(place.interface->link).at(key);
        if (!place.settings().scopeAll) {
            return fitOf(key, wanted, own) == Fit::no;
        }
        const std::int32_t all =
            allIsWrong(place, key, wanted) ? wanted : state_.all.at(key);
        return fitOf(key, wanted, combined(key, own, all)) == Fit::no;
    }

    // conf.all is written with the first rail, so that no rail is flushed before it.
    void addAllStep() {
        Step step{.stage = Stage::arp};
        host::Ipv4Values changes;
        for (const Place& place : places_) {
            if (place.mayBeWritten() && addToAllStep(place, step, changes)) {
                markFlushPending(place, step);
            }
        }
        if (changes.empty()) {
            return;
        }
        step.rail = firstWritableRail();
        step.summary = "set " + textOf(changes) + " in conf.all, for every interface";
        step.writes.emplace_back(Ipv4ConfWrite{IfIndex{}, changes});
        result_.comparison.steps.insert(result_.comparison.steps.begin(),
                                        std::move(step));
    }

    [[nodiscard]] std::string firstWritableRail() const {
        std::set<std::string> rails;
        for (const Place& place : places_) {
            if (place.mayBeWritten()) {
                rails.insert(place.task->rail.name);
            }
        }
        return rails.empty() ? std::string() : *rails.begin();
    }

    bool addToAllStep(const Place& place, Step& step, host::Ipv4Values& changes) const {
        const std::size_t before = step.ids.size();
        for (const auto& [key, wanted] : wantedValues(place.settings())) {
            if (allIsWrong(place, key, wanted) && !disputed_.contains(key)) {
                changes[key] = wanted;
                step.ids.push_back(idOf(place, key));
            }
        }
        return step.ids.size() > before;
    }

    [[nodiscard]] static std::string idOf(const Place& place, Ipv4Key key) {
        const auto* const property =
            std::ranges::find(kProperties, key, &Property::key);
        return railProperty(
                   *place.task, Kind::arp, place.interface->name, property->name)
            .id;
    }

    void addStricterFinding() {
        if (stricter_.empty()) {
            return;
        }
        result_.comparison.findings.push_back(
            {.id = "arp.stricter",
             .severity = Severity::warn,
             .summary = "arp_ignore 2 takes effect where the profile wants 1: askers "
                        "from another subnet get no answer",
             .evidence = fmt::format("{}", fmt::join(stricter_, "; ")),
             .fix = "set arp.ignore to 2 in the profile if that is meant"});
    }

    std::span<const Place> places_;
    const State& state_;
    host::Ipv4Values allWanted_;
    std::set<Ipv4Key> disputed_;
    std::vector<std::string> stricter_;
    LiveComparison result_;
};

}  // namespace

LiveComparison compareLive(std::span<const Place> places, const State& state) {
    return Comparer(places, state).compare();
}

}  // namespace fabric::resource::arp
