// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/value.hpp"
#include "profile/settings.hpp"

#include <expected>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::profile {

// One thing that is wrong in a profile: where, what, and the nearest right spelling.
struct ProfileError {
    std::string file;
    unsigned line = 0;    // from 1; 0: the file as a whole
    unsigned column = 0;  // from 1
    std::string message;
    std::string suggestion;  // "" when there is none

    bool operator==(const ProfileError&) const = default;
    // "FILE:LINE:COL: error: MESSAGE (did you mean SUGGESTION?)"
    [[nodiscard]] std::string text() const;
};

using ProfileErrors = std::vector<ProfileError>;

template <typename T>
using ProfileResult = std::expected<T, ProfileErrors>;

class Document;  // the merged YAML tree with its source positions

// A valid profile. Copies are cheap and share the parsed document.
class Profile {
  public:
    explicit Profile(std::shared_ptr<const Document> document);

    [[nodiscard]] const std::string& name() const;
    [[nodiscard]] const std::string& description() const;
    [[nodiscard]] const std::string& path() const;
    [[nodiscard]] const RailSelection& rails() const;
    [[nodiscard]] const HostSettings& host() const;
    // Notes that are not errors (file mode, ownership).
    [[nodiscard]] const std::vector<std::string>& warnings() const;

    // The settings of one rail: sections, then every override that matches,
    // deep-merged, then derivation. Fails when two overrides set the same key for this
    // rail, or when the merged values contradict each other.
    [[nodiscard]] ProfileResult<RailSettings> settingsFor(
        const RailIdentity& rail) const;
    // The same as a tree in the profile's own words with defaults filled in (`profile
    // show`).
    [[nodiscard]] ProfileResult<Value> effectiveFor(const RailIdentity& rail) const;
    // What is the same for every rail, likewise: version, name, rails, modules, acs,
    // service.
    [[nodiscard]] Value effectiveHost() const;
    // The `match` of every override that meets none of these rails, as text.
    [[nodiscard]] std::vector<std::string> unmatchedOverrides(
        std::span<const RailIdentity> rails) const;
    // True when the section of this name ("dcb", "acs", ...) is present anywhere, also
    // in an override.
    [[nodiscard]] bool owns(std::string_view section) const;

    // For the other parts of this room (document.hpp).
    [[nodiscard]] const Document& document() const { return *document_; }

  private:
    std::shared_ptr<const Document> document_;
};

}  // namespace fabric::profile
