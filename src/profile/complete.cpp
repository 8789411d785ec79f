// SPDX-License-Identifier: Apache-2.0
#include "profile/complete.hpp"

#include "base/quantity.hpp"
#include "profile/keys.hpp"

#include <algorithm>

namespace fabric::profile {

namespace {

TreeNode standardValue(const Key& key, const TreeNode& section) {
    TreeNode value = TreeNode::derived(TreeNode::Kind::scalar, section, "default");
    value.scalar = key.standard;
    value.quoted = key.value.form == Form::text;
    return value;
}

void fillSection(const Key* parent, TreeNode& section);

void fillMember(const Key& key, TreeNode& section) {
    TreeNode* present = section.find(leafOf(key));
    const bool unset = present == nullptr || (present->isNull() && !key.owns);
    if (unset && !key.standard.empty()) {
        section.set(leafOf(key), standardValue(key, section));
        return;
    }
    if (unset && present != nullptr) {
        std::erase_if(section.entries,
                      [&](const Entry& entry) { return entry.key == leafOf(key); });
        return;
    }
    const bool nested = key.shape == Shape::section || key.orSection;
    if (present != nullptr && present->isMap() && nested) {
        fillSection(&key, *present);
    }
}

void sortByTable(const std::vector<const Key*>& children, TreeNode& section) {
    const auto place = [&](const Entry& entry) {
        return std::ranges::find(
                   children, entry.key, [](const Key* key) { return leafOf(*key); }) -
               children.begin();
    };
    std::ranges::stable_sort(section.entries, {}, place);
}

void fillSection(const Key* parent, TreeNode& section) {
    const auto& children = childrenOf(parent);
    for (const Key* child : children) {
        fillMember(*child, section);
    }
    sortByTable(children, section);
}

constexpr std::string_view kFromLossless = "from dcb.lossless";

TreeNode member(const TreeNode& cause, const std::string& text) {
    TreeNode scalar = TreeNode::derived(TreeNode::Kind::scalar, cause, "");
    scalar.scalar = text;
    return scalar;
}

TreeNode listOf(const TreeNode& source) {
    TreeNode list = TreeNode::derived(TreeNode::Kind::list, source, kFromLossless);
    list.items.push_back(member(source, source.scalar));
    return list;
}

void setMissing(TreeNode& section, std::string_view key, TreeNode value) {
    if (section.find(key) == nullptr) {
        section.set(key, std::move(value));
    }
}

TreeNode bufferMap(const TreeNode& priority, const TreeNode& buffer) {
    TreeNode map = TreeNode::derived(TreeNode::Kind::map, priority, kFromLossless);
    for (unsigned number = 0; number < kPriorityCount; ++number) {
        const std::string name = std::to_string(number);
        map.set(name, member(buffer, name == priority.scalar ? buffer.scalar : "0"));
    }
    return map;
}

void deriveFromLossless(TreeNode& root) {
    TreeNode* dcb = root.find("dcb");
    const TreeNode* lossless = dcb == nullptr ? nullptr : dcb->find("lossless");
    if (lossless == nullptr || !lossless->isMap()) {
        return;
    }
    // Copies: adding to dcb moves its members.
    const TreeNode priority = *lossless->find("priority");
    const TreeNode dscp = *lossless->find("dscp");
    const TreeNode buffer = *lossless->find("buffer");
    setMissing(*dcb, "pfc", listOf(priority));
    TreeNode marks = TreeNode::derived(TreeNode::Kind::map, dscp, kFromLossless);
    marks.set(dscp.scalar, member(priority, priority.scalar));
    setMissing(*dcb, "dscp-to-priority", std::move(marks));
    setMissing(*dcb, "priority-to-buffer", bufferMap(priority, buffer));
    sortByTable(childrenOf(findKey("dcb")), *dcb);
    if (TreeNode* ecn = root.find("ecn"); ecn != nullptr && ecn->isMap()) {
        setMissing(*ecn, "reaction-point", listOf(priority));
        setMissing(*ecn, "notification-point", listOf(priority));
        sortByTable(childrenOf(findKey("ecn")), *ecn);
    }
}

}  // namespace

TreeNode complete(TreeNode merged) {
    fillSection(nullptr, merged);
    deriveFromLossless(merged);
    return merged;
}

}  // namespace fabric::profile
