// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/report.hpp"
#include "host/host.hpp"
#include "inventory/pci_topology.hpp"
#include "inventory/platform.hpp"
#include "inventory/rail.hpp"
#include "profile/profile.hpp"
#include "resource/resource.hpp"

#include <optional>
#include <set>
#include <string>
#include <vector>

namespace fabric::engine {

enum class Purpose { check, plan, apply };

// Belongs to the host and not to a rail: left out under --rail.
[[nodiscard]] bool isHostWide(resource::Kind kind);

struct RunOptions {
    std::set<resource::Kind> only;  // empty: every kind
    std::string rail;               // a name or "ifindex:N"; empty: every rail
    bool detailedExitCode = false;
    // A batch of steps (engine/batch.hpp) that disturbs more is not written at all.
    std::optional<resource::Disturbs> maxDisruption = std::nullopt;
    bool oneAtATime = false;  // apply: the first batch that fails ends the writing

    [[nodiscard]] bool includes(resource::Kind kind) const {
        return only.empty() || only.contains(kind);
    }
};

// What a run works on: the machine, the rails with their settings, and what is already
// known to be wrong before any resource was looked at.
struct Preparation {
    inventory::Platform platform;
    std::vector<resource::RailTask> rails;
    std::optional<inventory::PciTopology> pci;
    resource::Comparison known;  // rails/expect, findings of the selection
    bool tooManyRails = false;   // more than rails.expect allows: apply writes none
    profile::ProfileErrors errors;
    std::optional<Error> stopped;

    [[nodiscard]] bool usable() const { return errors.empty() && !stopped; }
};

// The rails that `filter` names: all when it is empty, else one by interface, RDMA
// device or "ifindex:N". What names none is an error with the nearest name.
[[nodiscard]] Result<std::vector<inventory::Rail>> railsNamed(
    std::vector<inventory::Rail> rails, const std::string& filter);

// Observes what the profile's sections and the options need, nothing more, and selects
// rails.
[[nodiscard]] Preparation prepare(const host::Reader& host,
                                  const profile::Profile& profile,
                                  const RunOptions& options,
                                  Purpose purpose);

// Whether a run looks at rails at all: for a section about them, for rails.expect, or
// because --only or --rail asks for them.
[[nodiscard]] bool looksAtRails(const profile::Profile& profile,
                                const RunOptions& options);

// The finding that a run has nothing to look at, so that its exit 0 says nothing.
[[nodiscard]] std::optional<resource::Finding> nothingManaged(
    const profile::Profile& profile, const RunOptions& options);

// One fresh look at every resource in scope.
[[nodiscard]] resource::Comparison assessAll(const host::Reader& host,
                                             const profile::Profile& profile,
                                             const Preparation& preparation,
                                             const RunOptions& options);

}  // namespace fabric::engine
