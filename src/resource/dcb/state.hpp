// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/quantity.hpp"

#include <array>
#include <compare>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

// What one IEEE_GET answer says about one port, as the kernel says it: numbers are not
// range-checked, since a driver may show anything. An empty optional is "not told",
// which is never the same as "off" (net/dcb/dcbnl.c leaves an attribute out when the
// driver has no getter or the getter failed).
namespace fabric::resource::dcb {

// DCB_CAP_DCBX_* of linux/dcbnl.h.
inline constexpr std::uint8_t kDcbxHost = 0x01;
inline constexpr std::uint8_t kDcbxManagedByAgent = 0x02;  // LLD_MANAGED
inline constexpr std::uint8_t kDcbxCee = 0x04;
inline constexpr std::uint8_t kDcbxIeee = 0x08;
inline constexpr std::uint8_t kDcbxStatic = 0x10;

// IEEE_8021QAZ_APP_SEL_* of linux/dcbnl.h; DCB_APP_SEL_PCP since Linux 6.2.
inline constexpr std::uint8_t kSelectorEthertype = 1;
inline constexpr std::uint8_t kSelectorDscp = 5;
inline constexpr std::uint8_t kSelectorPcp = 255;

// IEEE_8021QAZ_TSA_* of linux/dcbnl.h.
inline constexpr std::uint8_t kTsaStrict = 0;
inline constexpr std::uint8_t kTsaEts = 2;

// struct ieee_pfc without its statistics.
struct Pfc {
    std::uint8_t capability = 0;    // how many classes may have PFC
    std::uint8_t enabled = 0;       // bit N: priority N
    std::uint8_t macsecBypass = 0;  // mbc
    std::uint16_t delay = 0;        // mlx5: cable length in metres

    bool operator==(const Pfc&) const = default;
    [[nodiscard]] std::set<Priority> priorities() const;
};

// struct ieee_ets.
struct Ets {
    std::uint8_t willing = 0;
    std::uint8_t capability = 0;
    std::uint8_t creditBasedShaper = 0;                  // cbs
    std::array<std::uint8_t, 8> transmitBandwidth{};     // percent by class
    std::array<std::uint8_t, 8> receiveBandwidth{};      // percent by class
    std::array<std::uint8_t, 8> selection{};             // tsa by class
    std::array<std::uint8_t, 8> priorityToTc{};          // by priority
    std::array<std::uint8_t, 8> recommendedBandwidth{};  // by class
    std::array<std::uint8_t, 8> recommendedSelection{};  // by class
    std::array<std::uint8_t, 8> recommendedPriorityToTc{};

    bool operator==(const Ets&) const = default;
};

// struct ieee_maxrate: Kbit/s by class; 0 is "no limit" on the drivers known here.
using MaxRates = std::array<std::uint64_t, 8>;

// struct dcbnl_buffer.
struct Buffers {
    std::array<std::uint8_t, 8> priorityToBuffer{};
    std::array<std::uint32_t, 8> bytes{};
    std::uint32_t totalBytes = 0;  // what buffers 0..7 may use together

    bool operator==(const Buffers&) const = default;
};

// struct dcb_app.
struct AppEntry {
    std::uint8_t selector = 0;
    std::uint16_t protocol = 0;
    std::uint8_t priority = 0;

    auto operator<=>(const AppEntry&) const = default;
};

// /sys/class/net/IF/qos of MLNX_OFED releases before trust moved to the APP table.
struct SysfsQos {
    std::string trust;  // as read, trimmed: "pcp", "dscp"
    std::map<Dscp, std::uint8_t> dscpToPriority;
    std::string error;  // why one of the files could not be read; "" none

    bool operator==(const SysfsQos&) const = default;
};

struct State {
    std::optional<std::uint8_t> dcbx;  // DCB_CAP_DCBX_* bits
    std::optional<Pfc> pfc;
    std::optional<Ets> ets;
    std::optional<MaxRates> maxRates;
    std::optional<Buffers> buffers;
    // Sorted, duplicates kept; the kernel's list, which is not always the hardware.
    std::optional<std::vector<AppEntry>> apps;
    std::optional<std::vector<std::uint8_t>> appTrust;  // selectors, first one decides
    std::optional<SysfsQos> sysfs;

    bool operator==(const State&) const = default;

    // DSCP entries of `apps`: every priority that one DSCP is listed with.
    [[nodiscard]] std::map<Dscp, std::set<std::uint8_t>> dscpEntries() const;
};

}  // namespace fabric::resource::dcb
