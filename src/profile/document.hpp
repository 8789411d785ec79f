// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/profile.hpp"
#include "profile/settings.hpp"

#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::profile {

// Where something is written. Lines and columns count from 1; columns count bytes.
struct Position {
    std::shared_ptr<const std::string> file;
    unsigned line = 0;
    unsigned column = 0;

    bool operator==(const Position& other) const;
    // "FILE:LINE:COL"
    [[nodiscard]] std::string text() const;
};

struct Entry;

// One value of a YAML tree, independent of the YAML library.
struct TreeNode {
    enum class Kind { null, scalar, list, map };

    Kind kind = Kind::null;
    Position at;
    std::string scalar;    // the text of a scalar
    bool quoted = false;   // a scalar in quotes or a block: always text
    bool omitted = false;  // a null that nobody wrote: "arp:"
    unsigned layer = 0;    // 0: the innermost profile; higher layers were put over it
    Origin origin = Origin::explicitly;
    std::string_view note;        // where a derived value comes from, for people
    std::vector<TreeNode> items;  // list
    std::vector<Entry> entries;   // map, in written order

    [[nodiscard]] bool isNull() const { return kind == Kind::null; }

    [[nodiscard]] bool isMap() const { return kind == Kind::map; }

    // The member of a map; nullptr when there is none or this is no map.
    [[nodiscard]] const TreeNode* find(std::string_view key) const;
    [[nodiscard]] TreeNode* find(std::string_view key);
    // Same along a dotted path of maps.
    [[nodiscard]] const TreeNode* member(std::string_view path) const;
    // Adds or replaces a member.
    void set(std::string_view key, TreeNode value);

    // A value that nobody wrote, positioned where it follows from.
    static TreeNode derived(Kind kind, const TreeNode& cause, std::string_view note);
};

struct Entry {
    std::string key;
    Position keyAt;
    TreeNode value;
};

[[nodiscard]] ProfileError errorAt(const Position& position,
                                   std::string message,
                                   std::string suggestion = {});

// Sorted by file, line and column, without repeats.
void arrange(ProfileErrors& errors);

struct Override {
    RailSelector match;
    TreeNode matchAsWritten;
    TreeNode sections;  // a map of sections, `match` removed
};

// A profile that was read, merged over what it extends, and found valid.
class Document {
  public:
    std::string path;
    std::string name;
    std::string description;
    TreeNode root;  // merged, without defaults, without `overrides`
    std::vector<Override> overrides;
    RailSelection rails;
    HostSettings host;
    std::vector<std::string> warnings;
};

}  // namespace fabric::profile
