// SPDX-License-Identifier: Apache-2.0
#include "facts/profile_text.hpp"

#include <algorithm>
#include <utility>

namespace fabric::facts {

namespace {

using profile::Entry;
using profile::TreeNode;

TreeNode text(std::string value) {
    TreeNode node{.kind = TreeNode::Kind::scalar};
    node.scalar = std::move(value);
    node.quoted = true;
    return node;
}

TreeNode nodeOf(const profile::NeighbourPeer& peer) {
    TreeNode node{.kind = TreeNode::Kind::map};
    for (const auto& [name, value] : {std::pair("host", peer.host),
                                      std::pair("rail", peer.rail),
                                      std::pair("address", peer.address),
                                      std::pair("mac", peer.mac),
                                      std::pair("gid", peer.gid)}) {
        if (!value.empty()) {
            node.set(name, text(value));
        }
    }
    for (const auto& [name, bytes] :
         {std::pair("mtu", peer.mtu), std::pair("active-mtu", peer.activeMtu)}) {
        if (bytes != 0) {
            TreeNode number{.kind = TreeNode::Kind::scalar};
            number.scalar = std::to_string(bytes);
            node.set(name, std::move(number));
        }
    }
    return node;
}

}  // namespace

void hideSecrets(const Secrets& secrets, TreeNode& node) {
    if (node.kind == TreeNode::Kind::scalar) {
        node.scalar = secrets.masked(std::string_view(node.scalar));
    }
    for (TreeNode& item : node.items) {
        hideSecrets(secrets, item);
    }
    for (Entry& entry : node.entries) {
        if (Secrets::isSecretName(entry.key) &&
            entry.value.kind == TreeNode::Kind::scalar) {
            entry.value.scalar = kLeftOut;
        } else {
            hideSecrets(secrets, entry.value);
        }
    }
}

TreeNode mergedProfile(const profile::Profile& profile) {
    const profile::Document& document = profile.document();
    TreeNode root = document.root;
    if (document.overrides.empty()) {
        return root;
    }
    TreeNode list{.kind = TreeNode::Kind::list};
    for (const profile::Override& one : document.overrides) {
        TreeNode item{.kind = TreeNode::Kind::map};
        item.set("match", one.matchAsWritten);
        for (const Entry& section : one.sections.entries) {
            item.set(section.key, section.value);
        }
        list.items.push_back(std::move(item));
    }
    root.set("overrides", std::move(list));
    return root;
}

void inlinePeers(const Inventory& inventory, TreeNode& root) {
    TreeNode* const neighbours = root.find("neighbours");
    const TreeNode* const from =
        neighbours == nullptr ? nullptr : neighbours->find("peers-from");
    const auto peers = from != nullptr && from->kind == TreeNode::Kind::scalar
                           ? inventory(from->scalar)
                           : std::nullopt;
    if (peers) {
        TreeNode list{.kind = TreeNode::Kind::list};
        std::ranges::transform(*peers, std::back_inserter(list.items), nodeOf);
        std::erase_if(neighbours->entries,
                      [](const Entry& entry) { return entry.key == "peers-from"; });
        neighbours->set("peers", std::move(list));
    }
    if (TreeNode* const overrides = root.find("overrides")) {
        for (TreeNode& one : overrides->items) {
            inlinePeers(inventory, one);
        }
    }
}

std::vector<std::string> hostsOf(const TreeNode& root) {
    std::vector<std::string> hosts;
    const TreeNode* const peers = root.member("neighbours.peers");
    for (const TreeNode& peer :
         peers == nullptr ? std::vector<TreeNode>{} : peers->items) {
        if (const TreeNode* const host = peer.find("host")) {
            hosts.push_back(host->scalar);
        }
    }
    const TreeNode* const overrides = root.find("overrides");
    for (const TreeNode& one :
         overrides == nullptr ? std::vector<TreeNode>{} : overrides->items) {
        std::ranges::move(hostsOf(one), std::back_inserter(hosts));
    }
    return hosts;
}

}  // namespace fabric::facts
