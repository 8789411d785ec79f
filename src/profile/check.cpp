// SPDX-License-Identifier: Apache-2.0
#include "profile/check.hpp"

#include "base/text.hpp"
#include "profile/keys.hpp"
#include "profile/server_variables.hpp"
#include "profile/values.hpp"
#include "profile/wording.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

namespace fabric::profile {

namespace {

constexpr std::size_t kLongestGuess = 64;  // longer words are no slip of the finger
constexpr std::size_t kMostNamedEntries = 256;

std::string_view kindName(const TreeNode& node) {
    switch (node.kind) {
        case TreeNode::Kind::null:
            return "null";
        case TreeNode::Kind::list:
            return "a list";
        case TreeNode::Kind::map:
            return "a map";
        case TreeNode::Kind::scalar:
            break;
    }
    return "one value";
}

std::string found(const TreeNode& node) {
    return node.kind == TreeNode::Kind::scalar ? cited(node.scalar)
                                               : std::string(kindName(node));
}

class KeyChecker {
  public:
    void checkFields(const Key* parent, const std::string& path, TreeNode& map) {
        const auto& children = childrenOf(parent);
        for (const Key* child : children) {
            const std::string leaf(leafOf(*child));
            if (child->required && map.find(leaf) == nullptr) {
                complain(map.at, fmt::format("{} is missing", naming(path, leaf)));
            }
        }
        std::erase_if(map.entries, [&](Entry& entry) {
            return !staysAfterCheck(parent, path, entry);
        });
    }

    [[nodiscard]] ProfileErrors take() { return std::move(errors_); }

  private:
    static std::string naming(const std::string& path, const std::string& leaf) {
        return path.empty() ? fmt::format("key `{}`", leaf)
                            : fmt::format("key `{}` of {}", leaf, path);
    }

    void complain(const Position& at,
                  std::string message,
                  std::string suggestion = {}) {
        errors_.push_back(errorAt(at, std::move(message), std::move(suggestion)));
    }

    bool staysAfterCheck(const Key* parent, const std::string& path, Entry& entry) {
        const auto& children = childrenOf(parent);
        const auto child = std::ranges::find(
            children, entry.key, [](const Key* key) { return leafOf(*key); });
        if (child == children.end()) {
            unknownKey(children, path, entry);
            return false;
        }
        const std::string below =
            path.empty() ? entry.key : fmt::format("{}.{}", path, entry.key);
        const std::size_t before = errors_.size();
        if (entry.value.isNull()) {
            checkNull(parent, **child, below, entry.value);
        } else {
            checkValue(**child, below, entry.value);
        }
        const bool prunedInside =
            path.empty() && (entry.value.isMap() || entry.key == "overrides");
        return errors_.size() == before || prunedInside;
    }

    void unknownKey(const std::vector<const Key*>& children,
                    const std::string& path,
                    const Entry& entry) {
        const std::string where = path.empty() ? "a profile" : path;
        if (entry.key == "<<") {
            complain(entry.keyAt,
                     "YAML merge keys are not read; `extends` and `overrides` layer "
                     "settings");
            return;
        }
        if (const Key* top = findKey(entry.key);
            path == "overrides" && top != nullptr) {
            complain(
                entry.keyAt,
                fmt::format("{} is the same for the whole host; an override cannot "
                            "carry it",
                            cited(entry.key)));
            return;
        }
        const std::string near = nearestKey(children, entry.key);
        complain(entry.keyAt,
                 fmt::format("unknown key {} in {}{}",
                             cited(entry.key),
                             where,
                             near.empty() ? keyList(children) : ""),
                 near);
    }

    static std::string keyList(const std::vector<const Key*>& children) {
        std::vector<std::string_view> names;
        std::ranges::transform(children,
                               std::back_inserter(names),
                               [](const Key* child) { return leafOf(*child); });
        return names.empty() ? "" : fmt::format("; keys: {}", fmt::join(names, ", "));
    }

    // Among the keys of this section; else the one place where exactly this key stands.
    static std::string nearestKey(const std::vector<const Key*>& children,
                                  const std::string& key) {
        if (key.size() > kLongestGuess) {
            return {};
        }
        std::vector<std::string> names;
        for (const Key* child : children) {
            names.emplace_back(leafOf(*child));
        }
        if (const auto near = nearestWord(key, names)) {
            return *near;
        }
        const auto elsewhere = std::ranges::find_if(allKeys(), [&](const Key& other) {
            return leafOf(other) == key && !other.path.starts_with("selector.");
        });
        return elsewhere == allKeys().end() ? std::string{}
                                            : std::string(elsewhere->path);
    }

    void checkValue(const Key& key, const std::string& path, TreeNode& node) {
        switch (key.shape) {
            case Shape::value:
                checkOne(key, path, node);
                return;
            case Shape::section:
                checkSection(key, path, node);
                return;
            case Shape::list:
                checkList(key, path, node);
                return;
            case Shape::sections:
                checkSections(key, path, node);
                return;
            case Shape::mapping:
                checkMapping(key, path, node);
                return;
        }
    }

    void checkNull(const Key* parent,
                   const Key& key,
                   const std::string& path,
                   const TreeNode& node) {
        if (!takesNull(parent, key)) {
            complain(node.at, fmt::format("{} must have a value", path));
        } else if (node.omitted) {
            const bool section = key.shape == Shape::section;
            complain(node.at,
                     fmt::format("{} has no value; write {} or null to leave it {}",
                                 path,
                                 section ? "{} for its defaults" : "one",
                                 key.owns ? "unowned" : "at its default"),
                     section ? "{}" : "");
        }
    }

    void wrongShape(const std::string& path,
                    std::string_view wanted,
                    const TreeNode& node,
                    std::string suggestion = {}) {
        complain(node.at,
                 fmt::format("{} is {}, found {}", path, wanted, found(node)),
                 std::move(suggestion));
    }

    void checkOne(const Key& key, const std::string& path, TreeNode& node) {
        if (key.orSection && node.isMap()) {
            checkSection(key, path, node);
        } else if (node.kind == TreeNode::Kind::scalar) {
            checkScalar(key, path, key.value, node);
        } else {
            wrongShape(path, describe(key.value), node);
        }
    }

    void checkScalar(const Key& key,
                     const std::string& path,
                     const ValueType& type,
                     const TreeNode& node) {
        auto complaint = judge(type, node);
        if (!complaint) {
            return;
        }
        std::string message = fmt::format("{}: {}", path, complaint->message);
        if (!key.refusal.empty()) {
            message += fmt::format("; {}", key.refusal);
        }
        complain(node.at, std::move(message), std::move(complaint->suggestion));
    }

    void checkSection(const Key& key, const std::string& path, TreeNode& node) {
        if (!node.isMap()) {
            wrongShape(path, "a section of keys", node);
            return;
        }
        if (key.nonEmpty && node.entries.empty()) {
            complain(node.at, fmt::format("{} needs at least one key", path));
        }
        checkFields(&key, path, node);
    }

    void checkList(const Key& key, const std::string& path, const TreeNode& node) {
        if (node.kind != TreeNode::Kind::list) {
            const bool single =
                node.kind == TreeNode::Kind::scalar && !judge(key.value, node);
            wrongShape(path,
                       fmt::format("a list, each {}", describe(key.value)),
                       node,
                       single ? fmt::format("[{}]", node.scalar) : "");
            return;
        }
        std::set<std::string, std::less<>> seen;
        for (const TreeNode& item : node.items) {
            if (item.kind != TreeNode::Kind::scalar) {
                wrongShape(path + " item", describe(key.value), item);
                continue;
            }
            checkScalar(key, path, key.value, item);
            if (!seen.insert(item.scalar).second) {
                complain(
                    item.at,
                    fmt::format("{}: {} is listed twice", path, cited(item.scalar)));
            }
        }
    }

    void checkSections(const Key& key, const std::string& path, TreeNode& node) {
        if (node.kind != TreeNode::Kind::list) {
            wrongShape(path, "a list of sections", node);
            return;
        }
        if (key.nonEmpty && node.items.empty()) {
            complain(node.at,
                     fmt::format("{} is empty; leave it out for the default", path));
        }
        for (TreeNode& item : node.items) {
            if (!item.isMap()) {
                wrongShape(path + " item", "a section of keys", item);
            } else if (item.entries.empty()) {
                complain(item.at, fmt::format("{} item needs at least one key", path));
            } else {
                checkFields(&key, path, item);
            }
        }
        if (path == "overrides") {
            std::erase_if(node.items, [](const TreeNode& item) {
                return item.find("match") == nullptr;
            });
        }
    }

    void checkMapping(const Key& key, const std::string& path, const TreeNode& node) {
        if (!node.isMap()) {
            wrongShape(
                path,
                fmt::format(
                    "a map from {} to {}", describe(key.index), describe(key.value)),
                node);
            return;
        }
        if (node.entries.size() > kMostNamedEntries) {
            complain(node.at,
                     fmt::format("{} has {} entries; at most {} are read",
                                 path,
                                 node.entries.size(),
                                 kMostNamedEntries));
            return;
        }
        for (const Entry& entry : node.entries) {
            checkMember(key, path, entry);
        }
    }

    void checkMember(const Key& key, const std::string& path, const Entry& entry) {
        // Keys of a map are text in JSON, so that quotes say nothing about their type.
        TreeNode index{.kind = TreeNode::Kind::scalar, .at = entry.keyAt};
        index.scalar = entry.key;
        index.quoted = key.index.form == Form::text;
        checkScalar(key, path, key.index, index);
        const std::string below = fmt::format("{}.{}", path, cited(entry.key));
        if (entry.value.isNull()) {
            if (entry.value.omitted) {
                complain(entry.keyAt, fmt::format("{} has no value", below));
            }
        } else if (entry.value.kind != TreeNode::Kind::scalar) {
            wrongShape(below, describe(key.value), entry.value);
        } else {
            checkScalar(key, below, key.value, entry.value);
            checkVariable(key, below, entry);
        }
    }

    void checkVariable(const Key& key, const std::string& path, const Entry& entry) {
        const bool isText = kindOfScalar(entry.value) == ScalarKind::text;
        if (key.index.rule != TextRule::environmentName || !isText) {
            return;
        }
        if (auto complaint = judgeVariableValue(entry.key, entry.value.scalar)) {
            complain(entry.value.at,
                     fmt::format("{}: {}", path, complaint->message),
                     std::move(complaint->suggestion));
        }
    }

    ProfileErrors errors_;
};

}  // namespace

ProfileErrors checkKeys(TreeNode& root) {
    KeyChecker checker;
    checker.checkFields(nullptr, "", root);
    return checker.take();
}

}  // namespace fabric::profile
