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

// Why nothing may be written on this host, whatever differs; "" when it may.
struct Refusal {
    std::string reason;
    std::string fix;
};

// What decides beside the registers.
struct Policy {
    profile::Consent onTranslatingIommu = profile::Consent::refuse;
    profile::Consent onPassthrough = profile::Consent::refuse;
    Refusal host;            // guest or lockdown
    std::string bootAdvice;  // the kernel parameter that does it at boot
    bool lockdown = false;   // `host` refuses because of lockdown
    bool lockdownUnknown = false;
};

// Wanted against found for one port. Pure.
[[nodiscard]] Assessment compare(const Port& port,
                                 const Order& order,
                                 const Policy& policy);

// True when the order has masks and the port implements at least one bit of them.
[[nodiscard]] bool concerns(const Port& port, const Order& order);

}  // namespace fabric::resource::acs
