// SPDX-License-Identifier: Apache-2.0
#include "profile/document.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace fabric::profile {

bool Position::operator==(const Position& other) const {
    const bool sameFile =
        file == other.file ||
        (file != nullptr && other.file != nullptr && *file == *other.file);
    return sameFile && line == other.line && column == other.column;
}

std::string Position::text() const {
    return fmt::format(
        "{}:{}:{}", escapeForTerminal(file ? *file : std::string{}), line, column);
}

const TreeNode* TreeNode::find(std::string_view key) const {
    const auto found = std::ranges::find(entries, key, &Entry::key);
    return found == entries.end() ? nullptr : &found->value;
}

TreeNode* TreeNode::find(std::string_view key) {
    const auto found = std::ranges::find(entries, key, &Entry::key);
    return found == entries.end() ? nullptr : &found->value;
}

const TreeNode* TreeNode::member(std::string_view path) const {
    const TreeNode* node = this;
    for (const std::string_view part : split(path, '.')) {
        node = node == nullptr ? nullptr : node->find(part);
    }
    return node;
}

void TreeNode::set(std::string_view key, TreeNode value) {
    if (TreeNode* present = find(key)) {
        *present = std::move(value);
        return;
    }
    const Position where = value.at;
    entries.push_back(
        Entry{.key = std::string(key), .keyAt = where, .value = std::move(value)});
}

TreeNode TreeNode::derived(Kind kind, const TreeNode& cause, std::string_view note) {
    TreeNode node{.kind = kind, .at = cause.at};
    node.layer = cause.layer;
    node.origin = Origin::derived;
    node.note = note;
    return node;
}

ProfileError errorAt(const Position& position,
                     std::string message,
                     std::string suggestion) {
    return ProfileError{.file = position.file ? *position.file : std::string{},
                        .line = position.line,
                        .column = position.column,
                        .message = std::move(message),
                        .suggestion = std::move(suggestion)};
}

void arrange(ProfileErrors& errors) {
    const auto order = [](const ProfileError& error) {
        return std::tie(
            error.file, error.line, error.column, error.message, error.suggestion);
    };
    std::ranges::sort(errors, {}, order);
    const auto repeats = std::ranges::unique(errors, {}, order);
    errors.erase(repeats.begin(), repeats.end());
}

}  // namespace fabric::profile
