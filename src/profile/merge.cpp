// SPDX-License-Identifier: Apache-2.0
#include "profile/merge.hpp"

#include <fmt/format.h>

namespace fabric::profile {

namespace {

void combineInto(TreeNode& target,
                 const TreeNode& more,
                 const std::string& path,
                 ProfileErrors& errors) {
    for (const Entry& entry : more.entries) {
        const std::string below =
            path.empty() ? entry.key : fmt::format("{}.{}", path, entry.key);
        TreeNode* present = target.find(entry.key);
        if (present == nullptr) {
            target.entries.push_back(entry);
        } else if (present->isMap() && entry.value.isMap()) {
            combineInto(*present, entry.value, below, errors);
        } else {
            errors.push_back(errorAt(
                entry.keyAt,
                fmt::format(
                    "two overrides set {} for the same rail; the other is at {}",
                    below,
                    present->at.text())));
        }
    }
}

}  // namespace

TreeNode mergeOver(TreeNode base, const TreeNode& over) {
    if (!base.isMap() || !over.isMap()) {
        return over;
    }
    for (const Entry& entry : over.entries) {
        if (TreeNode* present = base.find(entry.key)) {
            *present = mergeOver(std::move(*present), entry.value);
        } else {
            base.entries.push_back(entry);
        }
    }
    return base;
}

void setLayer(TreeNode& tree, unsigned layer) {
    tree.layer = layer;
    for (TreeNode& item : tree.items) {
        setLayer(item, layer);
    }
    for (Entry& entry : tree.entries) {
        setLayer(entry.value, layer);
    }
}

ProfileResult<TreeNode> combine(std::span<const Override* const> overrides) {
    TreeNode all{.kind = TreeNode::Kind::map};
    ProfileErrors errors;
    for (const Override* one : overrides) {
        combineInto(all, one->sections, "", errors);
    }
    if (!errors.empty()) {
        return std::unexpected(std::move(errors));
    }
    return all;
}

}  // namespace fabric::profile
