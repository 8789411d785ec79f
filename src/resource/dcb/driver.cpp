// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/driver.hpp"

#include <algorithm>
#include <array>

namespace fabric::resource::dcb {

namespace {

// Every row spells out only what differs from an unknown driver.
constexpr std::array<DriverFacts, 5> kDrivers{{
    // drivers/net/ethernet/mellanox/mlx5/core/en_dcbnl.c, port.c, en/port_buffer.c.
    {.name = "mlx5_core",
     .trustBy = TrustBy::dscpEntries,
     .listProof = ListProof::hardware,
     .remap = Remap::replace,
     .unlisted = UnlistedDscp::written,
     .entriesFlipTrust = true,
     .hiddenMap = true,
     .deleteWritesZero = true,
     .pfcBouncesLink = true,
     .etsSumsTo100 = true,
     .alwaysShowsPfc = true,
     .delayIsCableLength = true,
     .hasSysfsQos = true,
     .maxRateFloor = Kbps{100'000},
     // One byte of 1 Gbit/s units. Before Linux 6.12 a larger value wraps around.
     .maxRateCeiling = Kbps{255'000'000},
     .dcbxFix = "query the NIC's DCBX setting (LLDP_NB_DCBX_P1) with mlxconfig",
     .vendorTool = "mlxconfig"},
    // drivers/net/ethernet/broadcom/bnxt/bnxt_dcb.c.
    {.name = "bnxt_en",
     .trustBy = TrustBy::dscpEntries,
     .listProof = ListProof::listedFirst,
     .unlisted = UnlistedDscp::written,
     .pfcNeedsEts = true,
     .alwaysShowsPfc = true,
     .einvalMeansFirmware = true,
     .dcbxFix = "disable the NIC's LLDP and DCBX agent with niccli",
     .vendorTool = "niccli"},
    // drivers/net/ethernet/intel/ice/ice_dcb_nl.c, ice_dcb_lib.c.
    {.name = "ice",
     .trustBy = TrustBy::dscpEntries,
     .listProof = ListProof::hardware,
     .entriesFlipTrust = true,
     .changeResets = true,
     .lastEntryResets = true,
     .alwaysShowsPfc = true,
     .einvalMeansFirmware = true,
     .dcbxFix = "ethtool --set-priv-flags INTERFACE fw-lldp-agent off",
     .vendorTool = "ethtool --set-priv-flags (fw-lldp-agent)"},
    // drivers/net/ethernet/qlogic/qede/qede_dcbnl.c, qed/qed_dcbx.c.
    {.name = "qede",
     .trustBy = TrustBy::pcpOnly,
     .listProof = ListProof::listedFirst,
     .dscpSelector = false,
     .einvalMeansFirmware = true,
     .dcbxFix = "set the port's DCBX mode to IEEE in the NIC's configuration",
     .vendorTool = "the NIC's pre-boot configuration"},
    // drivers/net/ethernet/pensando/ionic has no dcbnl operations.
    {.name = "ionic", .dcbxFix = "use nicctl", .vendorTool = "nicctl"},
}};

constexpr DriverFacts kUnknownDriver{};

}  // namespace

const DriverFacts& driverFacts(std::string_view driver) {
    const auto* const found = std::ranges::find(kDrivers, driver, &DriverFacts::name);
    return found == kDrivers.end() ? kUnknownDriver : *found;
}

}  // namespace fabric::resource::dcb
