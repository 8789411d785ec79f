// SPDX-License-Identifier: Apache-2.0
#include "profile/complete.hpp"

#include "base/quantity.hpp"
#include "profile/keys.hpp"

#include <algorithm>

namespace fabric::profile {

namespace {

Node standardValue(const Key& key, const Node& section) {
    Node value = Node::derived(Node::Kind::scalar, section, "default");
    value.scalar = key.standard;
    value.quoted = key.value.form == Form::text;
    return value;
}

void fillSection(const Key* parent, Node& section);

void fillMember(const Key& key, Node& section) {
    Node* present = section.find(leafOf(key));
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

void sortByTable(const std::vector<const Key*>& children, Node& section) {
    const auto place = [&](const Entry& entry) {
        return std::ranges::find(
                   children, entry.key, [](const Key* key) { return leafOf(*key); }) -
               children.begin();
    };
    std::ranges::stable_sort(section.entries, {}, place);
}

void fillSection(const Key* parent, Node& section) {
    const auto children = childrenOf(parent);
    for (const Key* child : children) {
        fillMember(*child, section);
    }
    sortByTable(children, section);
}

constexpr std::string_view kFromLossless = "from dcb.lossless";

Node member(const Node& cause, const std::string& text) {
    Node scalar = Node::derived(Node::Kind::scalar, cause, "");
    scalar.scalar = text;
    return scalar;
}

Node listOf(const Node& source) {
    Node list = Node::derived(Node::Kind::list, source, kFromLossless);
    list.items.push_back(member(source, source.scalar));
    return list;
}

void setMissing(Node& section, std::string_view key, Node value) {
    if (section.find(key) == nullptr) {
        section.set(key, std::move(value));
    }
}

Node bufferMap(const Node& priority, const Node& buffer) {
    Node map = Node::derived(Node::Kind::map, priority, kFromLossless);
    for (unsigned number = 0; number < kPriorityCount; ++number) {
        const std::string name = std::to_string(number);
        map.set(name, member(buffer, name == priority.scalar ? buffer.scalar : "0"));
    }
    return map;
}

void deriveFromLossless(Node& root) {
    Node* dcb = root.find("dcb");
    const Node* lossless = dcb == nullptr ? nullptr : dcb->find("lossless");
    if (lossless == nullptr || !lossless->isMap()) {
        return;
    }
    // Copies: adding to dcb moves its members.
    const Node priority = *lossless->find("priority");
    const Node dscp = *lossless->find("dscp");
    const Node buffer = *lossless->find("buffer");
    setMissing(*dcb, "pfc", listOf(priority));
    Node marks = Node::derived(Node::Kind::map, dscp, kFromLossless);
    marks.set(dscp.scalar, member(priority, priority.scalar));
    setMissing(*dcb, "dscp-to-priority", std::move(marks));
    setMissing(*dcb, "priority-to-buffer", bufferMap(priority, buffer));
    sortByTable(childrenOf(findKey("dcb")), *dcb);
    if (Node* ecn = root.find("ecn"); ecn != nullptr && ecn->isMap()) {
        setMissing(*ecn, "reaction-point", listOf(priority));
        setMissing(*ecn, "notification-point", listOf(priority));
        sortByTable(childrenOf(findKey("ecn")), *ecn);
    }
}

}  // namespace

Node complete(Node merged) {
    fillSection(nullptr, merged);
    deriveFromLossless(merged);
    return merged;
}

}  // namespace fabric::profile
