// SPDX-License-Identifier: Apache-2.0
#include "snapshot/register_word.hpp"

#include <fmt/format.h>

namespace fabric::snapshot {

namespace {

Result<std::uint16_t> readWord(const host::PciReader& pci,
                               PciAddress address,
                               unsigned offset) {
    const auto bytes = TRY(pci.readConfig(
        address, static_cast<std::uint16_t>(offset), sizeof(std::uint16_t)));
    if (bytes.size() != sizeof(std::uint16_t)) {
        return fail({.kind = ErrorKind::malformed,
                     .action = "read register",
                     .subject = address.text(),
                     .sysErrno = 0,
                     .detail = fmt::format("{} bytes instead of 2", bytes.size()),
                     .advice = {}});
    }
    return static_cast<std::uint16_t>(std::to_integer<unsigned>(bytes[0]) |
                                      std::to_integer<unsigned>(bytes[1]) << 8U);
}

}  // namespace

Result<std::uint16_t> readRegister(const host::PciReader& pci,
                                   PciAddress address,
                                   const RegisterPlace& place) {
    const std::uint16_t id = TRY(readWord(pci, address, place.capability));
    if (id != place.capabilityId) {
        return fail(
            {.kind = ErrorKind::mismatch,
             .action = "read register",
             .subject = address.text(),
             .sysErrno = 0,
             .detail = fmt::format(
                 "at offset 0x{:03x} it has 0x{:04x} and not capability 0x{:04x}",
                 place.capability,
                 id,
                 place.capabilityId),
             .advice = {}});
    }
    return readWord(pci, address, unsigned{place.capability} + place.registerOffset);
}

}  // namespace fabric::snapshot
