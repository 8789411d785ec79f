// SPDX-License-Identifier: Apache-2.0
#include "profile/keys.hpp"

#include "base/text.hpp"
#include "profile/reference.hpp"

#include <algorithm>
#include <map>

namespace fabric::profile {

namespace {

std::string_view parentPath(std::string_view path) {
    const std::size_t dot = path.rfind('.');
    return dot == std::string_view::npos ? std::string_view{} : path.substr(0, dot);
}

// Rows that only lend their sub-keys to others ("selector.rdma") have no parent row.
bool isTopLevel(const Key& key) {
    return !key.path.contains('.');
}

std::vector<const Key*> findChildren(const Key* parent) {
    std::vector<const Key*> children;
    const std::string_view above = parent == nullptr        ? std::string_view{}
                                   : parent->fields.empty() ? parent->path
                                                            : parent->fields;
    for (const Key& key : allKeys()) {
        const bool below =
            above.empty() ? isTopLevel(key) : parentPath(key.path) == above;
        const bool lent =
            parent != nullptr && parent->path == "overrides" && key.perRail;
        if (below || lent) {
            children.push_back(&key);
        }
    }
    return children;
}

void appendPaths(const Key* parent,
                 const std::string& prefix,
                 std::vector<std::string>& paths) {
    for (const Key* child : childrenOf(parent)) {
        const bool copied =
            parent != nullptr && child->perRail && parent->path == "overrides";
        if (copied) {
            continue;
        }
        const std::string path = prefix + std::string(leafOf(*child));
        paths.push_back(path);
        appendPaths(child, path + ".", paths);
    }
}

}  // namespace

const std::vector<Key>& allKeys() {
    static const std::vector<Key> keys = [] {
        std::vector<Key> all;
        for (const auto piece : {generalKeys(),
                                 dcbKeys(),
                                 linkKeys(),
                                 pcieKeys(),
                                 addressKeys(),
                                 serviceKeys(),
                                 overrideKeys()}) {
            all.insert(all.end(), piece.begin(), piece.end());
        }
        return all;
    }();
    return keys;
}

const std::vector<const Key*>& childrenOf(const Key* parent) {
    // Looked up once: a reader asks for them at each key of a profile.
    static const std::map<const Key*, std::vector<const Key*>> children = [] {
        std::map<const Key*, std::vector<const Key*>> all{
            {nullptr, findChildren(nullptr)}};
        for (const Key& key : allKeys()) {
            all.emplace(&key, findChildren(&key));
        }
        return all;
    }();
    return children.at(parent);
}

bool takesNull(const Key* parent, const Key& key) {
    const bool item = parent != nullptr && !key.perRail &&
                      (parent->shape == Shape::sections || !parent->fields.empty());
    return !key.required && !item;
}

std::string_view leafOf(const Key& key) {
    return key.path.substr(key.path.rfind('.') + 1);
}

const Key* findKey(std::string_view path) {
    const Key* found = nullptr;
    for (const std::string_view part : split(path, '.')) {
        const auto& children = childrenOf(found);
        const auto child = std::ranges::find(
            children, part, [](const Key* key) { return leafOf(*key); });
        if (child == children.end()) {
            return nullptr;
        }
        found = *child;
    }
    return found;
}

std::vector<std::string> keyPaths() {
    std::vector<std::string> paths;
    appendPaths(nullptr, "", paths);
    return paths;
}

std::vector<std::string> wordsOf(const ValueType& type) {
    std::vector<std::string> words;
    if (!type.words.empty()) {
        for (const std::string_view word : split(type.words, '|')) {
            words.emplace_back(word);
        }
    }
    return words;
}

}  // namespace fabric::profile
