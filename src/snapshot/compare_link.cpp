// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "resource/rail_property.hpp"
#include "snapshot/comparison.hpp"
#include "snapshot/value.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace fabric::snapshot {

namespace {

using resource::Assessment;
using resource::Disturbs;
using resource::Stage;
using resource::Step;
using resource::Verdict;

// These stop and start the port for a new MTU (bnxt/bnxt.c, bnxt_change_mtu;
// ice/ice_main.c, ice_change_mtu).
constexpr std::array<std::string_view, 2> kBouncingDrivers{"bnxt_en", "ice"};

// One link whose MTU goes back, and how many devices are stacked below it.
struct MtuChange {
    host::Link link;
    std::uint32_t wanted = 0;
    std::size_t height = 0;
    Step step;
};

std::size_t heightOf(const inventory::LinkGraph& graph, const host::Link& link) {
    inventory::LinkGraph::Links level{&link};
    std::size_t height = 0;
    while (height < graph.links().size()) {
        inventory::LinkGraph::Links next;
        for (const host::Link* one : level) {
            std::ranges::copy(graph.directlyBelow(*one), std::back_inserter(next));
        }
        if (next.empty()) {
            break;
        }
        level = std::move(next);
        ++height;
    }
    return height;
}

bool isGroup(const host::Link* link) {
    return link != nullptr && (link->kind == "bond" || link->kind == "team");
}

// Whether this link or a port below it is of a driver that bounces for a new MTU.
Disturbs mtuDisturbs(Looking& look,
                     const inventory::LinkGraph& graph,
                     const host::Link& link) {
    inventory::LinkGraph::Links ports{&link};
    if (isGroup(&link)) {
        ports = graph.members(link.index);
    }
    const bool bounces = std::ranges::any_of(ports, [&](const host::Link* port) {
        return std::ranges::find(kBouncingDrivers, look.where.driverOf(*port)) !=
               kBouncingDrivers.end();
    });
    return bounces ? Disturbs::link : Disturbs::traffic;
}

void compareMtu(const Item& item,
                const Mtu& mtu,
                Looking& look,
                std::vector<MtuChange>& changes) {
    const auto link = look.where.find(mtu.link);
    const auto graph = look.where.graph();
    if (!link || !graph) {
        addAbsent(item, mtu.link.text(), "", link ? graph.error() : link.error(), look);
        return;
    }
    Assessment assessment = begin(look, item, *link, "");
    assessment.wanted = std::int64_t{mtu.bytes};
    assessment.found = std::int64_t{link->mtu};
    judge(mtu.bytes == link->mtu, assessment);
    if (assessment.verdict == Verdict::differs) {
        Step step = stepFor(
            Stage::mtu,
            mtuDisturbs(look, **graph, *link),
            fmt::format(
                "set MTU of {} from {} back to {}", link->name, link->mtu, mtu.bytes),
            {&assessment},
            {resource::MtuWrite{link->index, mtu.bytes}});
        step.link = link->index;
        changes.push_back({.link = *link,
                           .wanted = mtu.bytes,
                           .height = heightOf(**graph, *link),
                           .step = std::move(step)});
    }
    look.out.assessments.push_back(std::move(assessment));
}

// A bond or team that is written takes its members along, and a team refuses a change
// of a member.
void foldMembers(const inventory::LinkGraph& graph, std::vector<MtuChange>& changes) {
    std::set<IfIndex> folded;
    for (const MtuChange& member : changes) {
        const host::Link* const master = graph.find(member.link.master);
        const auto group = std::ranges::find_if(changes, [&](const MtuChange& other) {
            return isGroup(master) && other.link.index == master->index;
        });
        if (group != changes.end() && group->wanted == member.wanted) {
            group->step.ids.push_back(member.step.ids.front());
            folded.insert(member.link.index);
        }
    }
    std::erase_if(changes, [&](const MtuChange& change) {
        return folded.contains(change.link.index);
    });
}

}  // namespace

void compareMtus(std::span<const Item> items, Looking& look) {
    std::vector<MtuChange> changes;
    for (const Item& item : items) {
        if (const auto* const mtu = std::get_if<Mtu>(&item.thing)) {
            compareMtu(item, *mtu, look, changes);
        }
    }
    if (const auto graph = look.where.graph(); graph) {
        foldMembers(**graph, changes);
    }
    // Lowering goes from the top down, raising from the bottom up: no interface is ever
    // larger than what it stands on.
    std::ranges::stable_sort(changes, {}, [](const MtuChange& change) {
        const bool lowers = change.wanted < change.link.mtu;
        const auto height = static_cast<std::ptrdiff_t>(change.height);
        return std::pair(!lowers, lowers ? -height : height);
    });
    for (MtuChange& change : changes) {
        look.out.steps.push_back(std::move(change.step));
    }
}

void compareThing(const Item& item, const Pause& pause, Looking& look) {
    const auto link = look.where.find(pause.link);
    if (!link) {
        addAbsent(item, pause.link.text(), "", link.error(), look);
        return;
    }
    Assessment assessment = begin(look, item, *link, "");
    assessment.wanted = valueOf(pause.parameters);
    const auto found = look.host.ethtool.pause(link->index);
    if (!found) {
        resource::cannotRead(found.error(), look.platform, assessment);
    } else {
        assessment.found = valueOf(*found);
        judge(*found == pause.parameters, assessment);
    }
    if (assessment.verdict == Verdict::differs) {
        // An adapter has either global pause or PFC: it is turned off before PFC comes,
        // and on after PFC went.
        const bool on = pause.parameters.rx || pause.parameters.tx;
        Step step = stepFor(on ? Stage::buffer : Stage::pause,
                            Disturbs::link,
                            "set global pause of " + link->name + " back to " +
                                assessment.wanted.toText(),
                            {&assessment},
                            {resource::PauseWrite{link->index, pause.parameters}});
        step.link = link->index;
        look.out.steps.push_back(std::move(step));
    }
    look.out.assessments.push_back(std::move(assessment));
}

namespace {

Result<host::Ipv4Values> readConf(Looking& look,
                                  IfIndex link,
                                  const host::Ipv4Values& wanted) {
    host::Ipv4Values found;
    for (const auto& entry : wanted) {
        found[entry.first] = TRY(look.ipv4.value(link, entry.first));
    }
    return found;
}

void compareConf(const Ipv4Conf& conf,
                 IfIndex link,
                 Assessment& assessment,
                 Looking& look) {
    assessment.wanted = valueOf(conf.values);
    const auto found = readConf(look, link, conf.values);
    if (!found) {
        resource::cannotRead(found.error(), look.platform, assessment);
        return;
    }
    assessment.found = valueOf(*found);
    judge(*found == conf.values, assessment);
    if (assessment.verdict != Verdict::differs) {
        return;
    }
    host::Ipv4Values changes = conf.values;
    std::erase_if(changes, [&](const auto& entry) {
        return found->at(entry.first) == entry.second;
    });
    Step step = stepFor(Stage::arp,
                        Disturbs::none,
                        fmt::format("set {} of {} back",
                                    valueOf(changes).toText(),
                                    link.none() ? "conf.all" : assessment.device),
                        {&assessment},
                        {resource::Ipv4ConfWrite{link, changes}});
    step.link = link;
    look.out.steps.push_back(std::move(step));
}

}  // namespace

void compareThing(const Item& item, const Ipv4Conf& conf, Looking& look) {
    if (!conf.link) {
        Assessment assessment = begin(item, "conf.all", "ipv4-conf");
        compareConf(conf, IfIndex{}, assessment, look);
        look.out.assessments.push_back(std::move(assessment));
        return;
    }
    const auto link = look.where.find(*conf.link);
    if (!link) {
        addAbsent(item, conf.link->text(), "ipv4-conf", link.error(), look);
        return;
    }
    Assessment assessment = begin(look, item, *link, "ipv4-conf");
    compareConf(conf, link->index, assessment, look);
    look.out.assessments.push_back(std::move(assessment));
}

}  // namespace fabric::snapshot
