// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "inventory/platform.hpp"
#include "profile/settings.hpp"
#include "resource/acs/hazard.hpp"
#include "resource/acs/mask.hpp"
#include "resource/acs/registers.hpp"
#include "resource/acs/selection.hpp"
#include "resource/assessment.hpp"

#include <optional>
#include <string>

namespace fabric::resource::acs {

// One bridge in scope as it was found.
struct Port {
    PciAddress address;
    Registers registers;
    Below below;
    Hazard hazard;
    // A NIC below has address translation services on and the port lets translated
    // requests pass (DT): peer traffic does not take the way that RR and CR lengthen.
    bool translatedTraffic = false;
};

// What is asked of one port: masks, or a verdict that holds whatever the registers say.
struct Order {
    std::optional<Masks> masks;
    Verdict verdict = Verdict::skipped;  // without masks
    std::string reason;
    std::string fix;
};

// Why this is not to be written, and what a person can do; "" when it is.
struct Refusal {
    std::string reason;
    std::string fix;
};

// What decides beside the registers.
struct Policy {
    profile::Consent onTranslatingIommu = profile::Consent::refuse;
    profile::Consent onPassthrough = profile::Consent::refuse;
    bool refuseGuest = false;  // this is a guest, and the profile refuses those
    // Lockdown lets nobody write: a difference stays one, without a step.
    inventory::Lockdown lockdown = inventory::Lockdown::unknown;
    std::string bootAdvice;  // the kernel parameter that does it at boot

    // Config space writes are refused in both lockdown states (security_locked_down
    // with LOCKDOWN_PCI_ACCESS, drivers/pci/pci-sysfs.c).
    [[nodiscard]] bool lockedDown() const {
        return lockdown == inventory::Lockdown::integrity ||
               lockdown == inventory::Lockdown::confidentiality;
    }
};

// Wanted against found for one port. Pure.
[[nodiscard]] Assessment compare(const Port& port,
                                 const Order& order,
                                 const Policy& policy);

// True when the order has masks and the port implements at least one bit of them.
[[nodiscard]] bool concerns(const Port& port, const Order& order);

}  // namespace fabric::resource::acs
