// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/quantity.hpp"
#include "base/value.hpp"
#include "profile/settings.hpp"
#include "resource/dcb/state.hpp"

#include <cstdint>
#include <map>
#include <set>
#include <string>

// Wanted and found values as reports carry them: priorities are sorted lists, maps are
// objects with decimal keys, rates and classes are spelled as in the profile.
namespace fabric::resource::dcb {

[[nodiscard]] Value valueOf(const std::set<Priority>& priorities);
[[nodiscard]] Value valueOf(const std::map<Dscp, Priority>& map);
[[nodiscard]] Value valueOf(const std::map<Priority, BufferIndex>& map);
[[nodiscard]] Value valueOf(const std::map<BufferIndex, Bytes>& sizes);
[[nodiscard]] Value valueOf(const std::map<TrafficClass, Kbps>& rates);
[[nodiscard]] Value valueOf(const profile::Ets& ets);

// "100Gbit", "unlimited" for 0.
[[nodiscard]] std::string rateText(std::uint64_t kbps);
// "strict", "ets", "cbs", "vendor" (IEEE_8021QAZ_TSA_* of linux/dcbnl.h).
[[nodiscard]] std::string selectionText(std::uint8_t selection);

}  // namespace fabric::resource::dcb
