// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/acs/order.hpp"
#include "resource/acs/port.hpp"

#include <span>
#include <string_view>
#include <vector>

namespace fabric::resource::acs {

// What the findings are made from: the ports and their assessments in the same order.
struct Seen {
    std::span<const Port> ports;
    std::span<const Assessment> assessments;
    const profile::AcsSettings& settings;
    const inventory::Platform& platform;
    const Policy& policy;
};

// acs.guest, acs.lockdown, acs.translating-iommu, acs.passthrough,
// acs.translation-blocking, acs.translated-traffic, acs.command-line. Pure.
[[nodiscard]] std::vector<Finding> portFindings(const Seen& seen);

}  // namespace fabric::resource::acs
