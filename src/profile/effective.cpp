// SPDX-License-Identifier: Apache-2.0
#include "profile/effective.hpp"

#include "profile/complete.hpp"
#include "profile/keys.hpp"
#include "profile/merge.hpp"
#include "profile/rules.hpp"
#include "profile/values.hpp"

#include <algorithm>
#include <vector>

namespace fabric::profile {

namespace {

bool isPerRail(const Entry& entry) {
    const Key* key = findKey(entry.key);
    return key != nullptr && key->perRail;
}

Value scalarValue(const ValueType& type, const TreeNode& scalar) {
    const bool counts = type.form == Form::number || type.form == Form::choice;
    if (const auto number = parseNumber(scalar.scalar); counts && number) {
        return *number;
    }
    if (const auto flag = parseSwitch(scalar.scalar); type.form == Form::flag && flag) {
        return *flag;
    }
    if (type.form == Form::onOff) {
        return parseSwitch(scalar.scalar).value_or(false) ? "on" : "off";
    }
    return scalar.scalar;
}

Value sectionValue(const Key* parent, const TreeNode& section);

Value mappingValue(const Key& key, const TreeNode& map) {
    Value::Object object;
    for (const Entry& entry : map.entries) {
        object[entry.key] =
            entry.value.isNull() ? Value() : scalarValue(key.value, entry.value);
    }
    return object;
}

Value memberValue(const Key& key, const TreeNode& node) {
    if (node.isNull()) {
        return {};
    }
    if (node.kind == TreeNode::Kind::scalar) {
        return scalarValue(key.value, node);
    }
    if (key.shape == Shape::mapping) {
        return mappingValue(key, node);
    }
    if (node.isMap()) {
        return sectionValue(&key, node);
    }
    Value::List list;
    for (const TreeNode& item : node.items) {
        list.push_back(item.isMap() ? sectionValue(&key, item)
                                    : scalarValue(key.value, item));
    }
    return list;
}

Value sectionValue(const Key* parent, const TreeNode& section) {
    Value::Object object;
    const auto& children = childrenOf(parent);
    for (const Entry& entry : section.entries) {
        const auto child = std::ranges::find(
            children, entry.key, [](const Key* key) { return leafOf(*key); });
        if (child != children.end()) {
            object[entry.key] = memberValue(**child, entry.value);
        }
    }
    return object;
}

}  // namespace

ProfileResult<TreeNode> completedFor(const Document& document,
                                     const RailIdentity& rail) {
    std::vector<const Override*> matching;
    for (const Override& one : document.overrides) {
        if (matches(one.match, rail)) {
            matching.push_back(&one);
        }
    }
    auto over = combine(matching);
    if (!over) {
        return std::unexpected(std::move(over.error()));
    }
    TreeNode completed = complete(mergeOver(document.root, *over));
    ProfileErrors errors = checkRules(completed);
    if (!errors.empty()) {
        arrange(errors);
        return std::unexpected(std::move(errors));
    }
    return completed;
}

TreeNode railPart(TreeNode completed) {
    std::erase_if(completed.entries,
                  [](const Entry& entry) { return !isPerRail(entry); });
    return completed;
}

TreeNode hostPart(TreeNode completed) {
    std::erase_if(completed.entries, isPerRail);
    return completed;
}

Value valueOf(const TreeNode& root) {
    return sectionValue(nullptr, root);
}

}  // namespace fabric::profile
