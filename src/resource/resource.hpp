// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/host.hpp"
#include "inventory/pci_topology.hpp"
#include "inventory/platform.hpp"
#include "inventory/rail.hpp"
#include "profile/settings.hpp"
#include "resource/assessment.hpp"
#include "resource/step.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fabric::resource {

// One selected rail with what the profile wants of it.
struct RailTask {
    inventory::Rail rail;
    profile::RailSettings settings;
    std::string
        refusal;  // non-empty: no write; every property is `failed` with this reason
    std::string refusalFix;  // what a person can do about the refusal
};

// What a resource is asked: the selected rails, the host-wide settings, the machine.
struct Scope {
    std::span<const RailTask> rails;
    const profile::HostSettings& host;
    const inventory::Platform& platform;
    const inventory::PciTopology* pci =
        nullptr;           // only when a host-wide PCI resource is in scope
    bool hostWide = true;  // false under --rail
    // The steps of the resources that are written before this one: what follows from
    // them belongs into the same plan.
    std::span<const Step> planned = {};
};

// Observes fresh and compares. Nothing is cached between two calls, so that calling it
// again after the writes is the proof. Reads only.
using Assess = Comparison (*)(const host::Reader& host, const Scope& scope);

// One line of the resource table.
struct Resource {
    Kind kind;
    std::string_view section;  // the profile section that owns it
    Assess assess;
    // Another section whose presence makes it look, for findings only; "" none.
    std::string_view watches = {};
    // Of the files of an image that no kernel runs; nullptr: it has none, or none that
    // can be known before the boot. Scope has no rails and no platform then.
    Assess assessImage = nullptr;
    // It looks without its section too, for what a former profile left; findings only.
    bool leavesFiles = false;
};

}  // namespace fabric::resource
