// SPDX-License-Identifier: Apache-2.0
#include "profile/merge.hpp"

#include <fmt/format.h>

namespace fabric::profile {

namespace {

void combineInto(Node& target,
                 const Node& more,
                 const std::string& path,
                 ProfileErrors& errors) {
    for (const Entry& entry : more.entries) {
        const std::string below =
            path.empty() ? entry.key : fmt::format("{}.{}", path, entry.key);
        Node* present = target.find(entry.key);
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

Node mergeOver(Node base, const Node& over) {
    if (!base.isMap() || !over.isMap()) {
        return over;
    }
    for (const Entry& entry : over.entries) {
        if (Node* present = base.find(entry.key)) {
            *present = mergeOver(std::move(*present), entry.value);
        } else {
            base.entries.push_back(entry);
        }
    }
    return base;
}

void setLayer(Node& tree, unsigned layer) {
    tree.layer = layer;
    for (Node& item : tree.items) {
        setLayer(item, layer);
    }
    for (Entry& entry : tree.entries) {
        setLayer(entry.value, layer);
    }
}

ProfileResult<Node> combine(std::span<const Override* const> overrides) {
    Node all{.kind = Node::Kind::map};
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
