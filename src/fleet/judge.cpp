// SPDX-License-Identifier: Apache-2.0
#include "fleet/judge.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace fabric::fleet {

namespace {

using enum doctor::Verdict;

constexpr CauseKind kSubnetRail{
    .id = "subnet.rail",
    .severity = fail,
    .what = "rail in the subnet of another rail",
    .fix = "swap the cables or the addresses: fabricctl status on that host"};
constexpr CauseKind kStray{.id = "subnet.stray",
                           .severity = fail,
                           .what = "rail in a subnet of its own",
                           .fix = "correct address or prefix length: ip address"};
constexpr CauseKind kSharedAddress{.id = "address.duplicate",
                                   .severity = fail,
                                   .what = "one address on several rails",
                                   .fix = "give each rail an address of its own"};
constexpr CauseKind kSharedMac{.id = "mac.duplicate",
                               .severity = fail,
                               .what = "one MAC on several rails",
                               .fix = "give each interface the MAC of its adapter"};
constexpr CauseKind kWrongRail{
    .id = "neighbour.wrong-rail",
    .severity = fail,
    .what = "address cached with the MAC of another rail of its host",
    .fix =
        "fabricctl apply --only arp,neighbour: first on the host with the address, "
        "then on those that cache it"};
constexpr CauseKind kOtherHost{.id = "neighbour.other-host",
                               .severity = fail,
                               .what = "address cached with the MAC of another host",
                               .fix = "fabricctl apply --only neighbour"};
constexpr CauseKind kUnknownMac{
    .id = "neighbour.unknown-mac",
    .severity = fail,
    .what = "address cached with a MAC that no host has",
    .fix = "fabricctl apply --only neighbour; ip neigh del for static entries"};
constexpr CauseKind kQueue{.id = "srq.size",
                           .severity = fail,
                           .what = "fewer receive slots than servers ask for",
                           .fix = "lower MINIO_RDMA_INTERNODE_SRQ_SIZE on every host"};

CauseKind kindOf(Trait trait, doctor::Verdict severity) {
    const TraitInfo& info = infoOf(trait);
    return {.id = info.id, .severity = severity, .what = info.what, .fix = info.fix};
}

// "lacks rail3, rail4; more: rail9".
std::string railDifference(std::string_view own, std::string_view usual) {
    const auto missing = [](std::string_view from, std::string_view in) {
        std::vector<std::string_view> words;
        const auto others = split(in, ' ');
        for (const std::string_view word : split(from, ' ')) {
            if (std::ranges::find(others, word) == others.end()) {
                words.push_back(word);
            }
        }
        return words;
    };
    const auto lacks = missing(usual, own);
    const auto more = missing(own, usual);
    return fmt::format("{}{}{}{}{}",
                       lacks.empty() ? "" : "lacks ",
                       fmt::join(lacks, ", "),
                       lacks.empty() || more.empty() ? "" : "; ",
                       more.empty() ? "" : "has ",
                       fmt::join(more, ", "));
}

bool isZero(const MacAddress& mac) {
    return mac == MacAddress{};
}

}  // namespace

std::string Judge::valueOf(const Reading& reading, const Votes::Usual& usual) const {
    const std::string& others = texts_.textOf(usual.value);
    if (usual.tied) {
        return reading.text;
    }
    if (reading.trait == Trait::rails) {
        return railDifference(reading.text, others);
    }
    const Scope scope = infoOf(reading.trait).scope;
    const bool byRail = scope == Scope::rail || scope == Scope::model;
    return byRail ? reading.text + " instead of " + others : reading.text;
}

void Judge::blame(HostId id, const Reading& reading, const RailRecord* rail) {
    const TraitInfo& info = infoOf(reading.trait);
    const Votes::Usual& usual = *votes_.usual(reading.trait, rail);
    blamedHere_.insert(reading.trait);
    blamedOnRail_.insert(reading.trait);
    causes_.add(kindOf(reading.trait, info.severity),
                valueOf(reading, usual),
                id,
                rail == nullptr ? 0 : texts_.idOf(rail->name));
}

void Judge::judgeReadings(HostId id,
                          const std::vector<Reading>& readings,
                          const RailRecord* rail) {
    blamedOnRail_.clear();
    for (const Reading& reading : readings) {
        if (!reading.known) {
            causes_.add(kindOf(reading.trait, unreadable),
                        reading.text,
                        id,
                        rail == nullptr ? 0 : texts_.idOf(rail->name));
            continue;
        }
        const Votes::Usual* const usual = votes_.usual(reading.trait, rail);
        if (usual == nullptr) {
            continue;
        }
        Tally& tally = tallies_[reading.trait];
        toldHere_.insert(reading.trait);
        if (!usual->tied) {
            tally.several =
                tally.several || (tally.usual != 0 && tally.usual != usual->value);
            tally.usual = usual->value;
        }
        const bool explained = std::ranges::any_of(
            infoOf(reading.trait).follows,
            [&](const auto& other) { return other && blamedOnRail_.contains(*other); });
        const bool differs = usual->tied || reading.text != texts_.textOf(usual->value);
        if (differs && !explained) {
            blame(id, reading, rail);
        }
    }
}

// Rails of other names than those of the others vote among themselves; what they all
// say is still no other than what everybody says.
void Judge::judgeSets(HostId id, const HostRecord& host) {
    for (const TraitInfo& info : traitTable()) {
        if (info.scope != Scope::fabric || blamedHere_.contains(info.trait)) {
            continue;
        }
        const Votes::Usual* const usual = votes_.usualSet(info.trait);
        const std::string own = Votes::setText(host, info.trait);
        if (usual == nullptr || own.empty()) {
            continue;
        }
        const std::string& all = texts_.textOf(usual->value);
        const auto known = split(all, '|');
        const bool strange =
            std::ranges::any_of(split(own, '|'), [&](std::string_view value) {
                return std::ranges::none_of(known, [&](std::string_view other) {
                    return trimmed(value) == trimmed(other);
                });
            });
        const bool explained = std::ranges::any_of(
            info.follows,
            [&](const auto& other) { return other && blamedHere_.contains(*other); });
        if ((usual->tied || strange) && !explained) {
            tallies_[info.trait].ofHosts = usual->tied ? 0 : usual->value;
            causes_.add(kindOf(info.trait, info.severity), own, id, 0);
            blamedHere_.insert(info.trait);
        }
    }
}

void Judge::judgeSubnets(HostId id, const HostRecord& host) {
    for (const RailRecord& rail : host.rails) {
        const TextId name = texts_.idOf(rail.name);
        for (const OwnAddress& own : rail.addresses) {
            const Subnet subnet = Subnet::of(own);
            const TextId usual = owners_.railOf(subnet);
            const bool hasUsual =
                usual != 0 && std::ranges::find(host.rails,
                                                texts_.textOf(usual),
                                                &RailRecord::name) != host.rails.end();
            if (hasUsual && usual != name) {
                causes_.add(
                    kSubnetRail,
                    fmt::format(
                        "{} is that of {}", subnet.text(), texts_.textOf(usual)),
                    id,
                    name);
            } else if (owners_.isStray(subnet, name)) {
                causes_.add(kStray, subnet.text(), id, name);
            }
        }
    }
}

void Judge::judgeNeighbours(HostId id, const HostRecord& host) {
    for (const NeighbourRecord& entry : host.neighbours) {
        const auto owners = owners_.ofAddress(entry.address);
        if (owners.empty()) {
            ++foreign_;
            continue;
        }
        const bool right = std::ranges::any_of(owners, [&](const Owner& owner) {
            return !owner.mac || *owner.mac == entry.mac;
        });
        if (right) {
            continue;
        }
        const Owner& owner = owners.front();
        const auto holders = owners_.ofMac(entry.mac);
        const bool sameHost = std::ranges::any_of(
            holders, [&](const Owner& holder) { return holder.host == owner.host; });
        const CauseKind& kind = sameHost           ? kWrongRail
                                : !holders.empty() ? kOtherHost
                                                   : kUnknownMac;
        causes_.add(kind,
                    wrongEntryText(entry, owner, holders),
                    id,
                    texts_.idOf(host.rails.at(entry.rail).name));
    }
}

std::string Judge::wrongEntryText(const NeighbourRecord& entry,
                                  const Owner& owner,
                                  std::span<const Owner> holders) const {
    const auto holder = std::ranges::find(holders, owner.host, &Owner::host);
    const std::string whose = holder != holders.end() ? texts_.textOf(holder->rail)
                              : !holders.empty()
                                  ? fmt::format("{} {}",
                                                names_.at(holders.front().host),
                                                texts_.textOf(holders.front().rail))
                                  : entry.mac.text();
    return fmt::format("{} of {} {} as {}{}",
                       entry.address.text(),
                       names_.at(owner.host),
                       texts_.textOf(owner.rail),
                       whose,
                       entry.fixed ? ", set by hand" : "");
}

void Judge::judgeQueues(HostId id, const HostRecord& host, std::uint64_t mostAsked) {
    for (const RailRecord& rail : host.rails) {
        if (rail.maxSrq && *rail.maxSrq < mostAsked) {
            causes_.add(kQueue,
                        fmt::format("at most {} of {}", *rail.maxSrq, mostAsked),
                        id,
                        texts_.idOf(rail.name));
        }
    }
}

void Judge::judge(HostId id, const HostRecord& host, std::uint64_t mostAsked) {
    toldHere_.clear();
    blamedHere_.clear();
    judgeReadings(id, host.readings, nullptr);
    for (const RailRecord& rail : host.rails) {
        judgeReadings(id, rail.readings, &rail);
    }
    judgeSets(id, host);
    for (const Trait trait : toldHere_) {
        ++tallies_[trait].told;
        tallies_[trait].outliers += blamedHere_.contains(trait) ? 1 : 0;
    }
    judgeSubnets(id, host);
    judgeNeighbours(id, host);
    judgeQueues(id, host, mostAsked);
}

void Judge::finish() {
    for (const auto& [trait, tally] : tallies_) {
        const TraitInfo& info = infoOf(trait);
        const TextId value = tally.several ? tally.ofHosts : tally.usual;
        // Their values say already instead of what they stand.
        const bool said = trait == Trait::rails || info.scope == Scope::rail ||
                          info.scope == Scope::model;
        const std::string usual = said ? "" : texts_.textOf(value);
        causes_.setUsual(
            kindOf(trait, info.severity), usual, tally.told - tally.outliers);
    }
    for (const IpAddress& address : owners_.sharedAddresses()) {
        for (const Owner& owner : owners_.ofAddress(address)) {
            causes_.add(kSharedAddress, address.text(), owner.host, owner.rail);
        }
    }
    for (const MacAddress& mac : owners_.sharedMacs()) {
        for (const Owner& owner : owners_.ofMac(mac)) {
            if (!isZero(mac)) {
                causes_.add(kSharedMac, mac.text(), owner.host, owner.rail);
            }
        }
    }
}

}  // namespace fabric::fleet
