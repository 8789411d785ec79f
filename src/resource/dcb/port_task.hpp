// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "inventory/rail.hpp"
#include "profile/settings.hpp"
#include "resource/assessment.hpp"
#include "resource/dcb/driver.hpp"
#include "resource/dcb/state.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fabric::resource::dcb {

// One physical port of one rail, with what the profile wants of it.
struct PortTask {
    std::string rail;
    std::string rdma;  // "" none
    inventory::PhysicalPort port;
    const profile::DcbSettings& wanted;
};

// One property that the profile owns on a port.
struct OwnedProperty {
    std::string_view name;
    Value wanted;
    // Written in the profile, or of the kind that is never excused (trust, PFC, DSCPs):
    // a driver without the control is `unsupported`; else it is `not-applicable`.
    bool required = true;
};

// Every property that `wanted` owns, in the order of the report.
[[nodiscard]] std::vector<OwnedProperty> ownedProperties(
    const profile::DcbSettings& wanted);

// "dcb/ens1f0np0/pfc"
[[nodiscard]] std::string idOf(const inventory::PhysicalPort& port,
                               std::string_view property);

// An assessment of `property` with its names filled in and no verdict yet.
[[nodiscard]] Assessment assessmentOf(const PortTask& task, std::string_view property);

// The verdict for a control that the driver does not have: unsupported when required,
// else not applicable, with one warning finding `dcb.uncontrollable`.
void judgeUncontrollable(const PortTask& task,
                         bool required,
                         std::string_view what,
                         Assessment& assessment,
                         std::vector<Finding>& findings);

// A step on this port; `serves` are the assessments that it repairs. It marks them with
// what it disturbs.
[[nodiscard]] Step stepOf(const PortTask& task,
                          Stage stage,
                          Disturbs disturbs,
                          std::string summary,
                          std::vector<Assessment*> serves);

// To the reason of a difference: that the NIC's firmware owns DCBX, when it does, and
// what that means with this driver.
void addOwnerHint(const PortTask& task, const State& found, Assessment& assessment);

// The driver's fix with the interface's name in it.
[[nodiscard]] std::string dcbxFix(const DriverFacts& driver,
                                  std::string_view interface);

// "mlx5_core", "an unknown driver"
[[nodiscard]] std::string driverName(const inventory::PhysicalPort& port);

}  // namespace fabric::resource::dcb
