// SPDX-License-Identifier: Apache-2.0
#include "profile/profile.hpp"

#include "base/text.hpp"
#include "profile/complete.hpp"
#include "profile/decode.hpp"
#include "profile/document.hpp"
#include "profile/effective.hpp"
#include "profile/merge.hpp"
#include "profile/rules.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace fabric::profile {

std::string ProfileError::text() const {
    std::string where = escapeForTerminal(file);
    if (line > 0) {
        where += fmt::format(":{}:{}", line, column);
    }
    std::string text = fmt::format("{}: error: {}", where, message);
    if (!suggestion.empty()) {
        text += fmt::format(" (did you mean {}?)", escapeForTerminal(suggestion));
    }
    return text;
}

Profile::Profile(std::shared_ptr<const Document> document)
    : document_(std::move(document)) {}

const std::string& Profile::name() const {
    return document_->name;
}

const std::string& Profile::description() const {
    return document_->description;
}

const std::string& Profile::path() const {
    return document_->path;
}

const RailSelection& Profile::rails() const {
    return document_->rails;
}

const HostSettings& Profile::host() const {
    return document_->host;
}

const std::vector<std::string>& Profile::warnings() const {
    return document_->warnings;
}

ProfileResult<RailSettings> Profile::settingsFor(const RailIdentity& rail) const {
    auto completed = completedFor(*document_, rail);
    if (!completed) {
        return std::unexpected(std::move(completed.error()));
    }
    return decodeRailSettings(*completed);
}

ProfileResult<Value> Profile::effectiveFor(const RailIdentity& rail) const {
    auto completed = completedFor(*document_, rail);
    if (!completed) {
        return std::unexpected(std::move(completed.error()));
    }
    return valueOf(railPart(std::move(*completed)));
}

Value Profile::effectiveHost() const {
    return valueOf(hostPart(complete(document_->root)));
}

std::vector<std::string> Profile::unmatchedOverrides(
    std::span<const RailIdentity> rails) const {
    std::vector<std::string> unmatched;
    for (const Override& one : document_->overrides) {
        const bool met = std::ranges::any_of(
            rails, [&](const RailIdentity& rail) { return matches(one.match, rail); });
        if (!met) {
            unmatched.push_back(one.match.text());
        }
    }
    return unmatched;
}

bool Profile::owns(std::string_view section) const {
    const auto present = [&](const TreeNode& root) {
        const TreeNode* node = root.find(section);
        return node != nullptr && !node->isNull();
    };
    return present(document_->root) ||
           std::ranges::any_of(document_->overrides, [&](const Override& one) {
               return present(one.sections);
           });
}

}  // namespace fabric::profile
