// SPDX-License-Identifier: Apache-2.0
#include "resource/mtu/mtu.hpp"
#include "resource/rail_property.hpp"

#include <algorithm>
#include <array>
#include <ranges>
#include <set>
#include <string>
#include <utility>

namespace fabric::resource::mtu {

namespace {

using host::Link;
using inventory::LinkGraph;
using profile::MtuSettings;

// These stop and start the port for a new MTU, and the carrier drops meanwhile
// (bnxt/bnxt.c, bnxt_change_mtu; ice/ice_main.c, ice_change_mtu). Others, mlx5 among
// them, only make new queues.
constexpr std::array<std::string_view, 2> kBouncingDrivers{"bnxt_en", "ice"};

std::string explanationFor(const MtuSettings& wanted) {
    const std::uint32_t path = rocePathMtu(wanted.bytes);
    std::string text =
        "RoCE sends the largest power of two that fits the interface's "
        "MTU less 96 bytes of headers, at most 4096: an MTU of " +
        std::to_string(wanted.bytes) + " allows ";
    text += path == 0 ? "none" : "packets of " + std::to_string(path) + " bytes";
    return text + ". Both ends and every switch between must take it.";
}

Value wantedValue(const MtuSettings& wanted) {
    const auto bytes = static_cast<std::int64_t>(wanted.bytes);
    return wanted.atLeast ? Value(Value::Object{{"min", bytes}}) : Value(bytes);
}

Assessment begin(const RailTask& task, const std::string& interface) {
    Assessment assessment = railProperty(task, Kind::mtu, interface, "");
    assessment.property = "mtu";
    const MtuSettings wanted = task.settings.mtu.value_or(MtuSettings{});
    assessment.wanted = wantedValue(wanted);
    assessment.explanation = explanationFor(wanted);
    return assessment;
}

bool isMet(const MtuSettings& wanted, std::uint32_t found) {
    return wanted.atLeast ? found >= wanted.bytes : found == wanted.bytes;
}

class Comparer {
  public:
    Comparer(const RailTask& task, const LinkGraph& graph)
        : task_(task),
          graph_(graph),
          wanted_(task.settings.mtu.value_or(MtuSettings{})) {}

    Comparison compare() {
        const LinkGraph::Links links = linksOf(graph_, task_.rail);
        if (links.empty()) {
            result_.assessments.push_back(withoutLink());
        }
        for (const Link* link : links) {
            result_.assessments.push_back(assessLink(*link));
        }
        // Lowering goes from the top down, raising from the bottom up.
        for (const Link* link : std::views::reverse(links)) {
            addStep(*link, link->mtu > wanted_.bytes);
        }
        for (const Link* link : links) {
            addStep(*link, link->mtu < wanted_.bytes);
        }
        takeMembersAlong();
        return std::move(result_);
    }

  private:
    // A port that lives only in the RDMA stack has no interface MTU; a rail whose
    // interface is gone has one that nobody can see.
    [[nodiscard]] Assessment withoutLink() const {
        Assessment assessment = begin(task_, task_.rail.name);
        const bool never = task_.rail.link.none();
        assessment.verdict = never ? Verdict::notApplicable : Verdict::unreadable;
        assessment.reason =
            never ? task_.rail.resolution : task_.rail.name + " is gone";
        refuse(task_, assessment);
        return assessment;
    }

    // The name under which the run knows this link, which stays its id when udev
    // renames it meanwhile.
    [[nodiscard]] const std::string& nameOf(const Link& link) const {
        const inventory::Rail& rail = task_.rail;
        const auto port =
            std::ranges::find(rail.ports, link.index, &inventory::PhysicalPort::link);
        if (port != rail.ports.end()) {
            return port->name;
        }
        const auto above = std::ranges::find(
            rail.interfaces, link.index, &inventory::RailInterface::link);
        if (above != rail.interfaces.end()) {
            return above->name;
        }
        return rail.link == link.index ? rail.name : link.name;
    }

    [[nodiscard]] Assessment assessLink(const Link& link) const {
        Assessment assessment = begin(task_, nameOf(link));
        assessment.found = std::int64_t{link.mtu};
        if (refuse(task_, assessment)) {
            return assessment;
        }
        const Limit limit = limitOf(graph_, link);
        if (isMet(wanted_, link.mtu)) {
            assessment.verdict = Verdict::inSync;
        } else if (limit.bytes != 0 && wanted_.bytes > limit.bytes) {
            assessment.verdict = Verdict::unsupported;
            assessment.reason = limit.limiting + " takes an MTU of at most " +
                                std::to_string(limit.bytes) + ", the profile wants " +
                                std::to_string(wanted_.bytes);
            assessment.fix = "lower mtu in the profile for this rail";
        } else {
            assessment.verdict = Verdict::differs;
            assessment.disturbs = disturbance(link);
            assessment.reason = reasonFor(link);
        }
        return assessment;
    }

    [[nodiscard]] std::string reasonFor(const Link& link) const {
        const auto pathText = [](std::uint32_t bytes) {
            return std::to_string(bytes) + " (RoCE path MTU " +
                   std::to_string(rocePathMtu(bytes)) + ")";
        };
        return "the MTU is " + pathText(link.mtu) + ", the profile wants " +
               (wanted_.atLeast ? "at least " : "") + pathText(wanted_.bytes);
    }

    // A VLAN only gets another number; a port, alone or below a bond, is set up anew.
    [[nodiscard]] Disturbs disturbance(const Link& link) const {
        const bool bounces =
            std::ranges::any_of(task_.rail.ports, [&](const auto& port) {
                const bool concerned =
                    port.link == link.index || isMember(port.link, link.index);
                return concerned && std::ranges::find(kBouncingDrivers, port.driver) !=
                                        kBouncingDrivers.end();
            });
        return bounces ? Disturbs::link : Disturbs::traffic;
    }

    [[nodiscard]] bool isMember(IfIndex member, IfIndex master) const {
        const Link* const link = graph_.find(member);
        return link != nullptr && link->master == master;
    }

    [[nodiscard]] const Assessment& assessmentOf(const Link& link) const {
        return *std::ranges::find(
            result_.assessments, nameOf(link), &Assessment::device);
    }

    void addStep(const Link& link, bool inThisPass) {
        const Assessment& assessment = assessmentOf(link);
        if (assessment.verdict != Verdict::differs || !inThisPass) {
            return;
        }
        result_.steps.push_back({.stage = Stage::mtu,
                                 .rail = task_.rail.name,
                                 .link = link.index,
                                 .disturbs = assessment.disturbs,
                                 .summary = "set MTU of " + nameOf(link) + " from " +
                                            std::to_string(link.mtu) + " to " +
                                            std::to_string(wanted_.bytes),
                                 .ids = {assessment.id},
                                 .writes = {MtuWrite{link.index, wanted_.bytes}}});
    }

    // Folds the step of a member into that of its bond or team.
    void takeMembersAlong() {
        std::set<IfIndex> taken;
        for (const Step& step : result_.steps) {
            if (Step* const taker = stepOfGroup(step.link)) {
                taker->ids.push_back(step.ids.front());
                taken.insert(step.link);
            }
        }
        std::erase_if(result_.steps,
                      [&](const Step& step) { return taken.contains(step.link); });
    }

    [[nodiscard]] Step* stepOfGroup(IfIndex member) {
        const Link* const link = graph_.find(member);
        const Link* const master =
            link == nullptr ? nullptr : graph_.find(link->master);
        if (master == nullptr || (master->kind != "bond" && master->kind != "team")) {
            return nullptr;
        }
        const auto found = std::ranges::find(result_.steps, master->index, &Step::link);
        return found == result_.steps.end() ? nullptr : &*found;
    }

    const RailTask& task_;
    const LinkGraph& graph_;
    const MtuSettings wanted_;
    Comparison result_;
};

}  // namespace

Comparison compare(const RailTask& task, const LinkGraph& links) {
    return Comparer(task, links).compare();
}

Assessment compareUnread(const RailTask& task,
                         const Error& error,
                         const inventory::Platform& platform) {
    Assessment assessment = begin(task, task.rail.name);
    cannotRead(error, platform, assessment);
    refuse(task, assessment);
    return assessment;
}

}  // namespace fabric::resource::mtu
