// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/quantity.hpp"

#include <cstdint>
#include <optional>
#include <string_view>

namespace fabric::resource::dcb {

// What decides between PCP and DSCP on a port where neither sysfs nor the APP trust
// table tells it.
enum class TrustBy {
    dscpEntries,  // at least one DSCP entry in the APP table: DSCP, else PCP
    pcpOnly,      // the hardware knows no DSCP
    untold,       // not known of this driver
};

// What an entry of the kernel's APP list says about the hardware.
enum class ListProof {
    hardware,     // the driver lists an entry after the hardware took it
    listedFirst,  // the driver lists it, then asks the firmware, which may refuse
    none,         // not known of this driver: the list may be all there is
};

// How a listed DSCP gets another priority.
enum class Remap { replace, deleteThenAdd };

// DSCPs that the profile does not own by name and that are not listed.
enum class UnlistedDscp { written, kept };

// Facts about one net driver that change what is right or possible. Sources are the
// kernel files named beside the rows in driver.cpp (Linux 6.1 and 6.12).
struct DriverFacts {
    std::string_view name;  // as sysfs and ethtool spell it; "" for any other driver
    TrustBy trustBy = TrustBy::untold;
    ListProof listProof = ListProof::none;
    Remap remap = Remap::deleteThenAdd;
    UnlistedDscp unlisted = UnlistedDscp::kept;
    bool dscpSelector = true;         // APP entries of selector 5 are possible
    bool entriesFlipTrust = false;    // first DSCP entry: DSCP; last one deleted: PCP
    bool hiddenMap = false;           // hardware maps 64 DSCPs, listed or not
    bool deleteWritesZero = false;    // a deleted DSCP is priority 0, not dscp >> 3
    bool pfcBouncesLink = false;      // a change of PFC bits takes the link down and up
    bool changeResets = false;        // any change stops and restarts the queues
    bool lastEntryResets = false;     // deleting the last DSCP entry resets PFC and ETS
    bool pfcNeedsEts = false;         // PFC is refused until ETS has been set once
    bool etsSumsTo100 = false;        // refused unless ETS classes sum to 100 percent
    bool alwaysShowsPfc = false;      // no PFC in the answer: its getter failed
    bool delayIsCableLength = false;  // struct ieee_pfc.delay, in metres
    bool hasSysfsQos = false;  // /sys/class/net/IF/qos/{trust,dscp2prio} may exist
    bool einvalMeansFirmware = false;  // -EINVAL while DCBX is not the host's
    std::optional<Kbps> maxRateFloor;  // smallest limit, except 0 for none
    std::optional<Kbps> maxRateCeiling;
    std::string_view dcbxFix;     // how a person takes DCBX from the firmware
    std::string_view vendorTool;  // the vendor's own control, for messages
};

// The row of a driver; the row for unknown drivers when there is none.
[[nodiscard]] const DriverFacts& driverFacts(std::string_view driver);

}  // namespace fabric::resource::dcb
