// SPDX-License-Identifier: Apache-2.0
#include "doctor/commands.hpp"

#include "base/shell_word.hpp"
#include "base/text.hpp"
#include "doctor/peers.hpp"
#include "doctor/server_view.hpp"
#include "profile/default_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <functional>
#include <utility>

namespace fabric::doctor {

namespace {

constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kGeneral{{
    {"address", "RAIL_ADDRESS"},
    {"apply", "fabricctl apply"},
    {"boot-unit", "UNIT"},
    {"bridge", "BRIDGE"},
    {"cgroup", "/sys/fs/cgroup/system.slice/minio.service"},
    {"environment", "/etc/default/minio"},
    {"interface", "RAIL"},
    {"neighbour", "ADDRESS"},
    {"pci", "BDF"},
    {"peer", "PEER"},
    {"pid", "PID"},
    {"port", "IF"},
    {"program", "/usr/local/bin/minio.rdma"},
    {"rdma", "DEV"},
    {"rdma-port", "1"},
    {"standard-program", "/usr/local/bin/minio"},
}};

// The text with each {word} that `name` knows replaced; other braces stay.
std::string replaced(std::string_view text,
                     const std::function<std::string(std::string_view)>& name) {
    std::string out;
    while (!text.empty()) {
        const std::size_t open = text.find('{');
        const std::size_t close = text.find('}', open);
        if (open == std::string_view::npos || close == std::string_view::npos) {
            break;
        }
        out += text.substr(0, open);
        const std::string value = name(text.substr(open + 1, close - open - 1));
        out += value.empty() ? text.substr(open, close - open + 1) : value;
        text.remove_prefix(close + 1);
    }
    return out += text;
}

std::string generalName(std::string_view word) {
    if (word == "unit") {
        return "minio";
    }
    const auto found = std::ranges::find(
        kGeneral, word, &std::pair<std::string_view, std::string_view>::first);
    return found == kGeneral.end() ? "" : std::string(found->second);
}

// Whether a word of "dcb/rail3/pfc", "neighbour/rail3/10.0.4.2", "mlx5_3/1" is this.
bool names(std::string_view where, std::string_view name) {
    const auto words = split(where, '/');
    return !name.empty() &&
           (where == name || std::ranges::find(words, name) != words.end());
}

bool isAbout(const inventory::Rail& rail, std::string_view where) {
    const auto named = [&](const auto& one) { return names(where, one.name); };
    return names(where, rail.name) || std::ranges::any_of(rail.ports, named) ||
           std::ranges::any_of(rail.interfaces, named) ||
           (rail.rdma && names(where, rail.rdma->device));
}

// What one verdict is about.
class Place {
  public:
    Place(std::string_view where, const Evidence& evidence)
        : where_(where), evidence_(evidence) {
        for (const RailEvidence& rail : evidence.rails) {
            if (!where.empty() && rail_ == nullptr && isAbout(rail.rail, where)) {
                rail_ = &rail;
            }
        }
    }

    // "" when the evidence does not tell.
    [[nodiscard]] std::string name(std::string_view word) const {
        const std::string ofRail = rail_ == nullptr ? "" : railName(word);
        return ofRail.empty() ? otherName(word) : ofRail;
    }

  private:
    [[nodiscard]] std::string railName(std::string_view word) const {
        const inventory::Rail& rail = rail_->rail;
        if (word == "interface") {
            const auto own = std::ranges::find_if(
                rail.interfaces,
                [&](const auto& one) { return names(where_, one.name); });
            return own == rail.interfaces.end() ? rail.name : own->name;
        }
        if (word == "port") {
            const auto own = std::ranges::find_if(
                rail.ports, [&](const auto& one) { return names(where_, one.name); });
            return own != rail.ports.end() ? own->name
                   : rail.ports.empty()    ? ""
                                           : rail.ports.front().name;
        }
        if (word == "rdma") {
            return rail.rdma ? rail.rdma->device : "";
        }
        if (word == "rdma-port") {
            return rail.rdma ? std::to_string(rail.rdma->port) : "";
        }
        if (word == "pci") {
            return rail.pci ? rail.pci->text() : "";
        }
        if (word == "address" && !rail_->addresses.empty()) {
            const host::LinkAddress& first = rail_->addresses.front();
            return IpAddress{.ipv6 = first.ipv6, .octets = first.octets}.text();
        }
        return {};
    }

    [[nodiscard]] std::string otherName(std::string_view word) const {
        if (word == "interface" && evidence_.links) {
            const auto own = std::ranges::find_if(
                *evidence_.links,
                [&](const auto& one) { return names(where_, one.name); });
            return own == evidence_.links->end() ? "" : own->name;
        }
        if (word == "neighbour" && where_.starts_with("neighbour/")) {
            return std::string(where_.substr(where_.rfind('/') + 1));
        }
        if (word == "bridge" || word == "boot-unit") {
            return std::string(where_);
        }
        if (word == "peer" && evidence_.peers) {
            const auto pair = std::ranges::find(evidence_.peers->pairs, where_, nameOf);
            return pair == evidence_.peers->pairs.end() ? "" : pair->way.to.text();
        }
        if (word == "pid" && evidence_.otherServers) {
            const auto server =
                std::ranges::find(*evidence_.otherServers, where_, nameOfProcess);
            return server == evidence_.otherServers->end()
                       ? ""
                       : std::to_string(server->pid);
        }
        return {};
    }

    std::string_view where_;
    const Evidence& evidence_;
    const RailEvidence* rail_ = nullptr;
};

// The storage server's names, those of its packaged unit where there is none.
std::string serverName(std::string_view word, const Evidence& evidence) {
    const ServerEvidence& server = evidence.server;
    if (word == "unit") {
        constexpr std::string_view kSuffix = ".service";
        return server.unit.ends_with(kSuffix)
                   ? server.unit.substr(0, server.unit.size() - kSuffix.size())
                   : server.unit;
    }
    if (word == "program") {
        return server.binary;
    }
    if (word == "standard-program") {
        constexpr std::string_view kSuffix = ".rdma";
        return server.binary.ends_with(kSuffix)
                   ? server.binary.substr(0, server.binary.size() - kSuffix.size())
                   : "";
    }
    if (word == "cgroup" && !server.unit.empty()) {
        return "/sys/fs/cgroup/system.slice/" + server.unit +
               (server.unit.ends_with(".service") ? "" : ".service");
    }
    if (word == "environment" && server.state && !server.state->environment.empty()) {
        return server.state->environment.back().path;
    }
    return {};
}

std::string applyCommand(const Evidence& evidence) {
    const bool usual = !evidence.check || evidence.check->profilePath.empty() ||
                       evidence.check->profilePath == profile::kDefaultPath;
    return usual ? "fabricctl apply"
                 : "fabricctl apply " + shellWord(evidence.check->profilePath);
}

}  // namespace

Commands inGeneral(const Rule& rule) {
    return {.look = replaced(rule.look, generalName),
            .fix = replaced(rule.fix, generalName),
            .action = replaced(rule.action, generalName)};
}

Commands commandsFor(const Rule& rule,
                     const Judgement& judgement,
                     const Evidence& evidence) {
    const Place place(judgement.where.empty()
                          ? std::string_view()
                          : std::string_view(judgement.where.front()),
                      evidence);
    const auto name = [&](std::string_view word) {
        if (word == "apply") {
            return applyCommand(evidence);
        }
        std::string known = place.name(word);
        if (known.empty()) {
            known = serverName(word, evidence);
        }
        return known.empty() ? generalName(word) : shellWord(known);
    };
    std::string action = replaced(rule.action, name);
    if (!action.empty() && !evidence.check) {
        action += ", which needs a profile: fabricctl profile init writes one";
    }
    return {.look = replaced(rule.look, name),
            .fix = replaced(rule.fix, name),
            .action = std::move(action)};
}

}  // namespace fabric::doctor
