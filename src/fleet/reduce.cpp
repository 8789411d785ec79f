// SPDX-License-Identifier: Apache-2.0
#include "fleet/reduce.hpp"

#include "base/digest.hpp"
#include "base/text.hpp"
#include "doctor/gather.hpp"
#include "doctor/server_view.hpp"
#include "facts/replay.hpp"
#include "fleet/reduce_rail.hpp"
#include "inventory/platform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <utility>

namespace fabric::fleet {

namespace {

// Rails beyond this say nothing that is compared, and the facts are nobody's word.
constexpr std::size_t kMostRails = 256;
// Of a hash, for people to tell two apart.
constexpr std::size_t kDigits = 12;
// Without a setting the server asks for so many receive slots (doctor: srq.size).
constexpr std::uint64_t kDefaultQueue = 32767;

class HostReduction {
  public:
    HostReduction(facts::Facts facts,
                  std::string origin,
                  const profile::Profile* profile)
        : replay_(std::move(facts.observed)),
          host_(replay_.reader()),
          profile_(profile) {
        record_.name = facts.hostName.empty() ? "(no name)"
                                              : boundedText(std::move(facts.hostName));
        record_.origin = std::move(origin);
        record_.taken = std::move(facts.taken);
        say(Trait::profile,
            facts.profile.empty() ? "none told" : facts.profile.substr(0, kDigits));
    }

    HostRecord take() {
        reduceRails();
        reduceServer();
        reduceNeighbours();
        const std::string kernel = inventory::observePlatform(host_).kernelRelease;
        record_.readings.push_back({.trait = Trait::kernel,
                                    .text = kernel.empty() ? "not told" : kernel,
                                    .known = !kernel.empty()});
        for (Reading& reading : record_.readings) {
            reading.text = boundedText(std::move(reading.text));
        }
        return std::move(record_);
    }

  private:
    void reduceRails() {
        auto candidates = inventory::observeRails(host_);
        if (!candidates) {
            record_.readings.push_back({.trait = Trait::rails,
                                        .text = candidates.error().message(),
                                        .known = false});
            return;
        }
        auto rails = doctor::judgedRails(*candidates, profile_);
        rails.resize(std::min(rails.size(), kMostRails));
        const RailSources sources{.host = host_,
                                  .addresses = host_.links.addresses(),
                                  .links = host_.links.links(),
                                  .arp = resource::arp::observe(host_)};
        std::string names;
        for (const inventory::Rail& rail : rails) {
            names += (names.empty() ? "" : " ") + rail.name;
            infiniband_ = infiniband_ || (rail.rdma && rail.rdma->linkLayer ==
                                                           host::LinkLayer::infiniband);
            for (const inventory::RailInterface& interface : rail.interfaces) {
                railOfLink_.emplace(interface.link,
                                    static_cast<std::uint16_t>(record_.rails.size()));
            }
            record_.rails.push_back(reduceRail(sources, rail));
        }
        record_.readings.push_back(
            {.trait = Trait::rails, .text = names.empty() ? "none" : names});
    }

    void say(Trait trait, const std::optional<std::string>& value) {
        record_.readings.push_back({.trait = trait, .text = value.value_or("not set")});
    }

    void reduceServer() {
        if (profile_ != nullptr && !profile_->host().service) {
            return;
        }
        doctor::Evidence evidence;
        evidence.server = doctor::gatherServer(host_, profile_);
        const auto& state = evidence.server.state;
        if (!state) {
            record_.readings.push_back({.trait = Trait::service,
                                        .text = state.error().message(),
                                        .known = false});
            return;
        }
        if (state->unit.loadState == "not-found") {
            say(Trait::service, "not installed");
            return;
        }
        say(Trait::service, state->unit.activeState);
        say(Trait::program,
            evidence.server.program
                ? *evidence.server.program
                : "unknown: " + evidence.server.program.error().message());
        reduceRelease(evidence.server);
        say(Trait::internode, doctor::variable(evidence, "MINIO_RDMA_INTERNODE"));
        say(Trait::trafficClass,
            doctor::variable(evidence, "MINIO_RDMA_INTERNODE_TRAFFIC_CLASS"));
        say(Trait::queueSize,
            doctor::variable(evidence, "MINIO_RDMA_INTERNODE_SRQ_SIZE"));
        record_.askedSrq = doctor::numberOf(evidence, "MINIO_RDMA_INTERNODE_SRQ_SIZE")
                               .value_or(kDefaultQueue);
    }

    void reduceRelease(const doctor::ServerEvidence& server) {
        const Trait trait = infiniband_ ? Trait::fabricRelease : Trait::release;
        if (!server.version) {
            const bool none = server.version.error().kind == ErrorKind::notFound;
            record_.readings.push_back(
                {.trait = trait,
                 .text = none ? "no RDMA build" : server.version.error().message(),
                 .known = none});
            return;
        }
        const std::string_view text = server.version->text;
        say(trait, std::string(trimmed(text.substr(0, text.find('\n')))));
    }

    // Entries that doctor counts: learned, or written by a person.
    void reduceNeighbours() {
        const auto entries =
            host_.neighbours != nullptr
                ? host_.neighbours->neighbours()
                : Result<std::vector<host::Neighbour>>(std::vector<host::Neighbour>{});
        for (const host::Neighbour& entry :
             entries.value_or(std::vector<host::Neighbour>{})) {
            const auto rail = railOfLink_.find(entry.key.link);
            const bool counts = rail != railOfLink_.end() && entry.mac &&
                                entry.isUsable() && !entry.proxy &&
                                !entry.externLearned && !entry.managed &&
                                isCompared(entry.key.address);
            if (counts) {
                record_.neighbours.push_back(
                    {.rail = rail->second,
                     .fixed = entry.state == host::NeighbourState::permanent ||
                              entry.state == host::NeighbourState::noArp,
                     .address = entry.key.address,
                     .mac = *entry.mac});
            }
        }
    }

    facts::ReplayHost replay_;
    host::Reader host_;
    HostRecord record_;
    const profile::Profile* profile_;
    std::map<IfIndex, std::uint16_t> railOfLink_;
    bool infiniband_ = false;
};

}  // namespace

bool isNotCompared(std::span<const std::string_view> path) {
    constexpr std::size_t kFile = 3;
    constexpr std::array<std::string_view, 3> kParts{"config", "modules", "statistics"};
    constexpr std::array<std::string_view, 4> kTrees{"/sys/module/",
                                                     "/lib/modules/",
                                                     "/etc/sysconfig/",
                                                     "/sys/kernel/iommu_groups/"};
    constexpr std::array<std::string_view, 5> kWithin{
        "/gids/", "/gid_attrs/", "/counters/", "/hw_counters/", "_link_"};
    if (path.size() == 1) {
        return path[0] == "host";  // for people
    }
    if (path.size() != kFile || path[0] != "observed") {
        return false;
    }
    const std::string_view name = path[2];
    if (path[1] != "files") {
        return std::ranges::find(kParts, path[1]) != kParts.end();
    }
    return std::ranges::any_of(
               kTrees, [&](std::string_view tree) { return name.starts_with(tree); }) ||
           (name.starts_with("/sys/") &&
            std::ranges::any_of(
                kWithin, [&](std::string_view part) { return name.contains(part); }));
}

std::string boundedText(std::string text) {
    constexpr std::size_t kLongest = 400;
    constexpr std::size_t kShown = 100;
    if (text.size() <= kLongest) {
        return text;
    }
    return fmt::format(
        "{}... (SHA-256 {})", text.substr(0, kShown), sha256(text).substr(0, kDigits));
}

bool isCompared(const IpAddress& address) {
    return !address.isMulticast() && !address.isLinkLocal();
}

HostRecord reduce(facts::Facts facts,
                  std::string origin,
                  const profile::Profile* profile) {
    return HostReduction(std::move(facts), std::move(origin), profile).take();
}

}  // namespace fabric::fleet
