// SPDX-License-Identifier: Apache-2.0
#include "snapshot/identity.hpp"

#include <fmt/format.h>

namespace fabric::snapshot {

std::string NicIdentity::text() const {
    return fmt::format("{:04x}:{:04x} {}", vendor, device, permanentMac.text());
}

std::string LinkIdentity::text() const {
    if (nic) {
        return nic->text();
    }
    return (kind.empty() ? "device" : kind) + " " + name;
}

bool PciIdentity::sameAs(const PciIdentity& other) const {
    const bool byFirmware = !firmwareRoot.empty() && !other.firmwareRoot.empty();
    return way == other.way &&
           (byFirmware ? firmwareRoot == other.firmwareRoot : root == other.root);
}

std::string PciIdentity::text() const {
    std::string text = firmwareRoot.empty() ? root : firmwareRoot;
    for (const PciStep& step : way) {
        text += fmt::format("/{:02x}.{:x}", step.device, step.function);
    }
    if (!way.empty()) {
        text += fmt::format(" {:04x}:{:04x}", way.back().vendor, way.back().deviceId);
    }
    return text;
}

}  // namespace fabric::snapshot
