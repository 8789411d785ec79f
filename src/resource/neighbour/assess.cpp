// SPDX-License-Identifier: Apache-2.0
#include "profile/peers.hpp"
#include "resource/flush_pending.hpp"
#include "resource/neighbour/neighbour.hpp"
#include "resource/rail_property.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace fabric::resource::neighbour {

namespace {

using profile::NeighbourSettings;

// The inventories of a run; rails that name the same one share it.
class Inventories {
  public:
    Inventories(const host::Reader& host, const Scope& scope)
        : host_(host), scope_(scope) {}

    const PeerTable& of(const NeighbourSettings& settings) {
        const auto known = std::ranges::find_if(known_, [&](const auto& entry) {
            return entry->peersFrom == settings.peersFrom &&
                   entry->listed == settings.peers;
        });
        if (known != known_.end()) {
            return (*known)->table;
        }
        auto made = std::make_unique<Inventory>();
        made->peersFrom = settings.peersFrom;
        made->listed = settings.peers;
        made->table = build(settings);
        known_.push_back(std::move(made));
        return known_.back()->table;
    }

    Comparison takeResult() { return std::move(result_); }

  private:
    struct Inventory {
        std::string peersFrom;
        std::vector<profile::NeighbourPeer> listed;
        PeerTable table;
    };

    PeerTable build(const NeighbourSettings& settings) {
        std::vector<profile::NeighbourPeer> peers = settings.peers;
        if (!settings.peersFrom.empty()) {
            auto read = profile::readPeers(host_.files, settings.peersFrom);
            std::ranges::move(read.peers, std::back_inserter(peers));
            assessSource(settings.peersFrom, peers.size(), read.problems);
        }
        PeerTable table(peers);
        for (const RailTask& task : scope_.rails) {
            if (task.rail.mac && !table.empty()) {
                table.addOwn(scope_.platform.hostName, task.rail.name, *task.rail.mac);
            }
        }
        for (const std::string& conflict : table.conflicts()) {
            result_.findings.push_back(
                {.id = "neighbour.inventory",
                 .severity = Severity::warn,
                 .summary = "the inventory gives one address to two interfaces: an "
                            "entry with the MAC of either proves nothing",
                 .evidence = conflict,
                 .fix = "renew the inventory with fabricctl peers export"});
        }
        return table;
    }

    void assessSource(const std::string& path,
                      std::size_t count,
                      const std::vector<std::string>& problems) {
        Assessment assessment;
        assessment.id = "neighbour/peers-from";
        assessment.kind = Kind::neighbour;
        assessment.device = path;
        assessment.property = "peers-from";
        assessment.wanted = "readable";
        assessment.found = std::to_string(count) + " addresses";
        assessment.explanation =
            "An entry can only be proven wrong against an inventory that was read.";
        assessment.verdict = problems.empty() ? Verdict::inSync : Verdict::unreadable;
        for (const std::string& problem : problems) {
            assessment.reason += (assessment.reason.empty() ? "" : "; ") + problem;
        }
        if (!problems.empty()) {
            assessment.fix =
                "put the output of fabricctl peers export of each peer "
                "there, one file per peer";
        }
        result_.assessments.push_back(std::move(assessment));
    }

    const host::Reader& host_;
    const Scope& scope_;
    std::vector<std::unique_ptr<Inventory>> known_;
    Comparison result_;
};

// The links whose ARP settings an earlier step of this plan changes.
std::set<std::string> plannedFlushes(std::span<const Step> planned) {
    std::set<std::string> paths;
    for (const Step& step : planned) {
        for (const Write& write : step.writes) {
            if (const auto* file = std::get_if<FileReplace>(&write);
                file != nullptr && file->path.starts_with(kFlushPendingDirectory)) {
                paths.insert(file->path);
            }
        }
    }
    return paths;
}

Assessment withoutInterface(const RailTask& task) {
    Assessment assessment = railProperty(task, Kind::neighbour, task.rail.name, "");
    assessment.property = "flush";
    assessment.verdict = Verdict::notApplicable;
    assessment.reason = "no interface of this rail has an address";
    refuse(task, assessment);
    return assessment;
}

Comparison unread(const Scope& scope, const Error& error) {
    Comparison result;
    for (const RailTask& task : scope.rails) {
        if (task.settings.neighbours) {
            Assessment assessment =
                railProperty(task, Kind::neighbour, task.rail.name, "");
            assessment.property = "flush";
            cannotRead(error, scope.platform, assessment);
            refuse(task, assessment);
            result.assessments.push_back(std::move(assessment));
        }
    }
    return result;
}

std::string unitOf(const Scope& scope) {
    return scope.host.service ? scope.host.service->unit
                              : profile::ServiceSettings{}.unit;
}

// One rail after the other over what was read once.
class Assessor {
  public:
    Assessor(const host::Reader& host, const Scope& scope, State state)
        : scope_(scope),
          state_(std::move(state)),
          inventories_(host, scope),
          service_(observeService(host, unitOf(scope))),
          planned_(plannedFlushes(scope.planned)) {}

    Comparison run() {
        for (const RailTask& task : scope_.rails) {
            if (task.settings.neighbours) {
                assessRail(task);
            }
        }
        settleSharedPorts(result_);
        result_.append(inventories_.takeResult());
        if (!anyInventory_) {
            std::ranges::move(sharedMacHints(state_),
                              std::back_inserter(result_.findings));
        }
        adviseRestart();
        return std::move(result_);
    }

  private:
    void assessRail(const RailTask& task) {
        const PeerTable& peers = inventories_.of(*task.settings.neighbours);
        anyInventory_ = anyInventory_ || !peers.empty();
        bool any = false;
        for (const inventory::RailInterface& interface : task.rail.interfaces) {
            const auto state = state_.interfaces.find(interface.link);
            if (state == state_.interfaces.end()) {
                continue;
            }
            any = true;
            hasWrong_ = hasWrong_ ||
                        std::ranges::any_of(
                            state->second.entries, [&](const host::Neighbour& entry) {
                                return peers.judge(entry).match == Match::wrongRail;
                            });
            result_.append(compare(task,
                                   state->second,
                                   {.peers = peers,
                                    .arpChangePlanned = planned_.contains(
                                        flushPendingPath(interface.link)),
                                    .service = service_}));
        }
        if (!any) {
            result_.assessments.push_back(withoutInterface(task));
        }
    }

    void adviseRestart() {
        const bool flushDue =
            std::ranges::any_of(result_.assessments, [](const Assessment& assessment) {
                return assessment.verdict == Verdict::differs &&
                       assessment.property == "flush";
            });
        if (auto advice = restartAdvice(service_, hasWrong_, flushDue)) {
            result_.findings.push_back(std::move(*advice));
        }
    }

    const Scope& scope_;
    State state_;
    Inventories inventories_;
    std::optional<ServiceStart> service_;
    std::set<std::string> planned_;
    bool anyInventory_ = false;
    bool hasWrong_ = false;  // an entry is proven wrong, whoever put it there
    Comparison result_;
};

}  // namespace

Comparison assess(const host::Reader& host, const Scope& scope) {
    const bool owned = std::ranges::any_of(scope.rails, [](const RailTask& task) {
        return task.settings.neighbours.has_value();
    });
    if (!owned) {
        return {};
    }
    auto state = observe(host, scope.rails);
    if (!state) {
        return unread(scope, state.error());
    }
    return Assessor(host, scope, std::move(*state)).run();
}

}  // namespace fabric::resource::neighbour
