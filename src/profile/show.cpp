// SPDX-License-Identifier: Apache-2.0
#include "profile/show.hpp"

#include "base/text.hpp"
#include "profile/complete.hpp"
#include "profile/document.hpp"
#include "profile/effective.hpp"
#include "profile/yaml_writer.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace fabric::profile {

namespace {

TreeNode text(std::string value) {
    TreeNode node{.kind = TreeNode::Kind::scalar};
    node.scalar = std::move(value);
    node.quoted = true;
    return node;
}

std::string nameOf(const RailIdentity& rail) {
    return rail.interface.empty() ? rail.rdma : rail.interface;
}

// The name of a rail as a glob that matches nothing else.
std::string literal(std::string_view name) {
    std::string glob;
    for (const char character : name) {
        const bool special = std::string_view("*?[").contains(character);
        glob += special ? fmt::format("[{}]", character) : std::string(1, character);
    }
    return glob;
}

TreeNode overrideFor(const RailIdentity& rail, const TreeNode& sections) {
    TreeNode match{.kind = TreeNode::Kind::map};
    const std::string_view key = rail.interface.empty() ? "rdma" : "interface";
    match.set(key, text(literal(nameOf(rail))));
    TreeNode item{.kind = TreeNode::Kind::map};
    item.set("match", std::move(match));
    for (const Entry& entry : sections.entries) {
        item.set(entry.key, entry.value);
    }
    return item;
}

void append(TreeNode& map, const TreeNode& more) {
    for (const Entry& entry : more.entries) {
        map.set(entry.key, entry.value);
    }
}

TreeNode overridesAsWritten(const Document& document) {
    TreeNode list{.kind = TreeNode::Kind::list};
    for (const Override& one : document.overrides) {
        TreeNode item{.kind = TreeNode::Kind::map};
        item.set("match", one.matchAsWritten);
        append(item, one.sections);
        list.items.push_back(std::move(item));
    }
    return list;
}

std::string heading(const Document& document, std::span<const RailIdentity> rails) {
    std::string names;
    for (const RailIdentity& rail : rails) {
        names += (names.empty() ? "" : ", ") + escapeForTerminal(nameOf(rail));
    }
    return fmt::format("# effective profile of {}\n# rails: {}\n",
                       escapeForTerminal(document.path),
                       names.empty() ? "none of this host" : names);
}

ProfileResult<std::vector<TreeNode>> railTrees(const Document& document,
                                               std::span<const RailIdentity> rails) {
    std::vector<TreeNode> trees;
    ProfileErrors errors;
    for (const RailIdentity& rail : rails) {
        auto completed = completedFor(document, rail);
        if (completed) {
            trees.push_back(railPart(std::move(*completed)));
        } else {
            std::ranges::move(completed.error(), std::back_inserter(errors));
        }
    }
    if (!errors.empty()) {
        arrange(errors);
        return std::unexpected(std::move(errors));
    }
    return trees;
}

TreeNode treeForNoRail(const Document& document, const TreeNode& completed) {
    TreeNode tree = railPart(completed);
    if (!document.overrides.empty()) {
        tree.set("overrides", overridesAsWritten(document));
    }
    return tree;
}

}  // namespace

Value sectionsForNoRail(const Profile& profile) {
    const Document& document = profile.document();
    return valueOf(treeForNoRail(document, complete(document.root)));
}

ProfileResult<std::string> showProfile(const Profile& profile,
                                       std::span<const RailIdentity> rails) {
    const Document& document = profile.document();
    auto trees = railTrees(document, rails);
    if (!trees) {
        return std::unexpected(std::move(trees.error()));
    }
    const TreeNode completed = complete(document.root);
    TreeNode root = hostPart(completed);
    const bool equal = std::ranges::all_of(*trees, [&](const TreeNode& tree) {
        return writeYaml(tree) == writeYaml(trees->front());
    });
    if (trees->empty()) {
        append(root, treeForNoRail(document, completed));
    } else if (equal) {
        append(root, trees->front());
    } else {
        TreeNode list{.kind = TreeNode::Kind::list};
        for (std::size_t at = 0; at < rails.size(); ++at) {
            list.items.push_back(overrideFor(rails[at], (*trees)[at]));
        }
        root.set("overrides", std::move(list));
    }
    return heading(document, rails) + writeYaml(root);
}

}  // namespace fabric::profile
