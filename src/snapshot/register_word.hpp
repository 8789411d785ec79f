// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/pci.hpp"

#include <cstdint>

namespace fabric::snapshot {

// A 16-bit register of an extended capability.
struct RegisterPlace {
    std::uint16_t capabilityId = 0;
    std::uint16_t capability = 0;      // offset of the extended capability header
    std::uint16_t registerOffset = 0;  // from the header
};

// The register as it is now. ErrorKind::mismatch when that capability is not there, or
// the function answers with ones only.
[[nodiscard]] Result<std::uint16_t> readRegister(const host::PciReader& pci,
                                                 PciAddress address,
                                                 const RegisterPlace& place);

}  // namespace fabric::snapshot
