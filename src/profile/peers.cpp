// SPDX-License-Identifier: Apache-2.0
#include "profile/peers.hpp"

#include "base/address.hpp"
#include "base/ip_address.hpp"
#include "base/text.hpp"
#include "profile/yaml.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace fabric::profile {

namespace {

constexpr std::array<std::string_view, 3> kEndings{".yaml", ".yml", ".json"};

std::string textOf(const TreeNode& entry, std::string_view key) {
    const TreeNode* const member = entry.find(key);
    return member != nullptr && member->kind == TreeNode::Kind::scalar ? member->scalar
                                                                       : std::string();
}

// What is wrong with one entry, "" when it is whole.
std::string_view wrongWith(const NeighbourPeer& peer) {
    if (peer.host.empty() || peer.rail.empty()) {
        return "an entry needs host, rail, address and mac";
    }
    if (!IpAddress::parse(peer.address)) {
        return "address is no IP address";
    }
    if (!MacAddress::parse(peer.mac)) {
        return "mac is no MAC address";
    }
    return peer.gid.empty() || peer.gid == "none" || IpAddress::parse(peer.gid)
               ? ""
               : "gid is no GID";
}

// False when there is one that is none.
bool takeMtu(const TreeNode& entry, std::string_view key, std::uint32_t& bytes) {
    const std::string text = textOf(entry, key);
    const auto number = parseUnsigned(text);
    if (number && *number > 0 && *number <= UINT32_MAX) {
        bytes = static_cast<std::uint32_t>(*number);
    }
    return text.empty() || bytes != 0;
}

void addPeer(const TreeNode& entry, PeersRead& read) {
    NeighbourPeer peer{.host = textOf(entry, "host"),
                       .rail = textOf(entry, "rail"),
                       .address = textOf(entry, "address"),
                       .mac = textOf(entry, "mac"),
                       .gid = textOf(entry, "gid")};
    std::string_view wrong = wrongWith(peer);
    if (!takeMtu(entry, "mtu", peer.mtu) ||
        !takeMtu(entry, "active-mtu", peer.activeMtu)) {
        wrong = "an MTU is no number of bytes";
    }
    if (wrong.empty()) {
        read.peers.push_back(std::move(peer));
    } else {
        read.problems.push_back(escapeForTerminal(entry.at.text()) + ": " +
                                std::string(wrong));
    }
}

bool isInventory(const std::string& name) {
    return std::ranges::any_of(
        kEndings, [&](std::string_view ending) { return name.ends_with(ending); });
}

void addFile(const host::FileReader& files, const std::string& path, PeersRead& all) {
    const auto text = files.read(path, kMaxProfileBytes);
    if (!text) {
        all.problems.push_back(text.error().message());
        return;
    }
    PeersRead read = parsePeers(*text, path);
    std::ranges::move(read.peers, std::back_inserter(all.peers));
    std::ranges::move(read.problems, std::back_inserter(all.problems));
}

}  // namespace

PeersRead parsePeers(std::string_view text, const std::string& file) {
    PeersRead read;
    const YamlTree tree = readYaml(text, file);
    for (const ProfileError& error : tree.errors) {
        read.problems.push_back(error.text());
    }
    if (!tree.root) {
        return read;
    }
    const TreeNode* const list = tree.root->find("peers");
    if (list == nullptr || list->kind != TreeNode::Kind::list) {
        read.problems.push_back(escapeForTerminal(file) + ": there is no list 'peers'");
        return read;
    }
    for (const TreeNode& entry : list->items) {
        addPeer(entry, read);
    }
    return read;
}

PeersRead readPeers(const host::FileReader& files, const std::string& path) {
    PeersRead all;
    const auto status = files.status(path);
    if (!status) {
        all.problems.push_back(status.error().message());
        return all;
    }
    if (status->type != host::FileStatus::Type::directory) {
        addFile(files, path, all);
        return all;
    }
    const auto names = files.list(path);
    if (!names) {
        all.problems.push_back(names.error().message());
        return all;
    }
    for (const std::string& name : *names) {
        if (isInventory(name)) {
            addFile(files, path + "/" + name, all);
        }
    }
    if (all.peers.empty() && all.problems.empty()) {
        all.problems.push_back(escapeForTerminal(path) +
                               ": no peer is listed in *.yaml, *.yml or *.json here");
    }
    return all;
}

}  // namespace fabric::profile
