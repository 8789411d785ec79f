// SPDX-License-Identifier: Apache-2.0
#include "fleet/comparison.hpp"

#include "base/text.hpp"
#include "fleet/causes.hpp"
#include "fleet/judge.hpp"
#include "fleet/record_codec.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <unordered_set>
#include <utility>

namespace fabric::fleet {

namespace {

constexpr CauseKind kSameName{.id = "host.name",
                              .severity = doctor::Verdict::fail,
                              .what = "several hosts of one name",
                              .fix = "hostnamectl hostname NAME"};
constexpr CauseKind kMissing{.id = "host.missing",
                             .severity = doctor::Verdict::fail,
                             .what = "expected hosts whose facts are not there",
                             .fix = "take their facts: fabricctl facts --output FILE"};
constexpr CauseKind kUnexpected{.id = "host.unexpected",
                                .severity = doctor::Verdict::warn,
                                .what = "hosts that nobody expects",
                                .fix = "add them to the list of --expect"};

std::string_view firstLabel(std::string_view name) {
    return name.substr(0, name.find('.'));
}

// Names, and how they are told apart from others: "node1" of a list is
// "node1.example.com" of a host, and the other way round.
class Names {
  public:
    explicit Names(std::span<const std::string> names)
        : whole_(names.begin(), names.end()) {
        for (const std::string& name : names) {
            labels_.emplace(firstLabel(name));
        }
    }

    [[nodiscard]] bool has(const std::string& name) const {
        return whole_.contains(name) ||
               (name.contains('.') ? whole_.contains(std::string(firstLabel(name)))
                                   : labels_.contains(name));
    }

  private:
    std::unordered_set<std::string> whole_;
    std::unordered_set<std::string> labels_;
};

}  // namespace

// Facts of one host were given twice when an adapter of the second one is of the first.
bool Comparison::isSecondSight(const HostRecord& host) const {
    const auto known = hostsOfName_.find(host.name);
    if (known == hostsOfName_.end()) {
        return false;
    }
    const bool hasMac = std::ranges::any_of(
        host.rails, [](const RailRecord& rail) { return !rail.macs.empty(); });
    return !hasMac || std::ranges::any_of(host.rails, [&](const RailRecord& rail) {
        return std::ranges::any_of(rail.macs, [&](const MacAddress& mac) {
            return std::ranges::any_of(owners_.ofMac(mac), [&](const Owner& owner) {
                return std::ranges::find(known->second, owner.host) !=
                       known->second.end();
            });
        });
    });
}

Result<void> Comparison::add(HostRecord host) {
    if (isSecondSight(host)) {
        addUnusable({.origin = host.origin,
                     .problem = fmt::format("facts of {} once more: only the first "
                                            "ones are compared",
                                            escapeForTerminal(host.name))});
        return {};
    }
    const auto id = static_cast<HostId>(names_.size());
    auto& known = hostsOfName_[host.name];
    known.push_back(id);
    names_.push_back(known.size() == 1 ? host.name
                                       : fmt::format("{}#{}", host.name, known.size()));
    rails_.push_back(host.rails.size());
    votes_.add(host);
    owners_.add(id, host);
    count(host);
    return spill_.append(encoded(host));
}

void Comparison::count(const HostRecord& host) {
    ++verdict_.hosts;
    verdict_.rails += host.rails.size();
    verdict_.neighbours += host.neighbours.size();
    mostAsked_ = std::max(mostAsked_, host.askedSrq.value_or(0));
    if (!host.taken.empty()) {
        verdict_.oldest = verdict_.oldest.empty()
                              ? host.taken
                              : std::min(verdict_.oldest, host.taken);
        verdict_.newest = std::max(verdict_.newest, host.taken);
    }
}

void Comparison::addUnusable(Unusable document) {
    if (verdict_.unusable.size() < kMostUnusable) {
        verdict_.unusable.push_back(std::move(document));
    } else {
        ++verdict_.moreUnusable;
    }
}

Result<Verdict> Comparison::finish(std::span<const std::string> expected) {
    votes_.close();
    owners_.close();
    Causes causes(texts_);
    Judge judge({.votes = votes_, .owners = owners_, .names = names_}, texts_, causes);
    TRY(spill_.rewind());
    for (HostId id = 0; id < names_.size(); ++id) {
        const std::string record = TRY(spill_.next());
        const HostRecord host = TRY(decoded(record));
        judge.judge(id, host, mostAsked_);
    }
    judge.finish();
    for (const auto& [name, hosts] : hostsOfName_) {
        for (const HostId id : hosts) {
            if (hosts.size() > 1) {
                causes.add(kSameName, name, id, 0);
            }
        }
    }
    judgeNames(expected, causes);
    verdict_.foreign = judge.foreign();
    verdict_.causes = causes.take(names_, rails_);
    return std::move(verdict_);
}

void Comparison::judgeNames(std::span<const std::string> expected, Causes& causes) {
    if (expected.empty()) {
        return;
    }
    const auto hosts = static_cast<HostId>(names_.size());
    const Names wanted(expected);
    const Names here(names_);
    for (HostId id = 0; id < hosts; ++id) {
        if (!wanted.has(names_.at(id))) {
            causes.add(kUnexpected, "", id, 0);
        }
    }
    for (const std::string& name : expected) {
        if (!here.has(name)) {
            names_.push_back(name);
            rails_.push_back(0);
            causes.add(kMissing, "", static_cast<HostId>(names_.size() - 1), 0);
        }
    }
}

}  // namespace fabric::fleet
