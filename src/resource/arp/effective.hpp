// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/ipv4_conf.hpp"
#include "profile/settings.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace fabric::resource::arp {

// The keys that a profile can own, in the order of the report, with their names there.
struct Property {
    host::Ipv4Key key;
    std::string_view name;
};

inline constexpr std::array<Property, 3> kProperties{{
    {host::Ipv4Key::arpIgnore, "arp-ignore"},
    {host::Ipv4Key::arpAnnounce, "arp-announce"},
    {host::Ipv4Key::rpFilter, "rp-filter"},
}};

// What takes effect on an interface, out of its own value and conf.all: the larger of
// the two, except for arp_filter, where one of them is enough (include/linux/
// inetdevice.h, IN_DEV_MAXCONF and IN_DEV_ORCONF).
[[nodiscard]] std::int32_t combined(host::Ipv4Key key,
                                    std::int32_t own,
                                    std::int32_t all);

enum class Fit { met, stricter, no };

// Whether an effective value is what the profile wants. A larger number is not a
// stronger setting: arp_ignore 3 to 7 and above 8 answer for other interfaces again
// (net/ipv4/arp.c, arp_ignore), arp_announce above 2 acts as 0 (arp_solicit).
[[nodiscard]] Fit fitOf(host::Ipv4Key key, std::int32_t wanted, std::int32_t effective);

// What the kernel does at this effective value, for a reason: "answers for any address
// of the host".
[[nodiscard]] std::string meaningOf(host::Ipv4Key key, std::int32_t effective);

// The values that these settings own.
[[nodiscard]] host::Ipv4Values wantedValues(const profile::ArpSettings& settings);

// One key of one interface as it is.
struct Reading {
    std::int32_t own = 0;
    std::int32_t all = 0;
    std::int32_t effective = 0;

    // True when conf.all, not the interface's own value, makes the effective one.
    [[nodiscard]] bool allDecides() const { return effective != own; }
};

[[nodiscard]] Reading readingOf(host::Ipv4Key key, std::int32_t own, std::int32_t all);

// "own value 1, conf.all 4, effective 4".
[[nodiscard]] std::string toText(const Reading& reading);

}  // namespace fabric::resource::arp
