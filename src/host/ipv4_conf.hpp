// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/quantity.hpp"
#include "base/result.hpp"

#include <cstdint>
#include <map>
#include <string_view>
#include <vector>

namespace fabric::host {

// IPv4 settings of an interface, numbered as IPV4_DEVCONF_* (linux/ip.h).
enum class Ipv4Key : std::uint16_t {
    rpFilter = 8,
    arpFilter = 13,
    arpAnnounce = 18,
    arpIgnore = 19,
};

// "arp_ignore", as in /proc/sys/net/ipv4/conf/IF/.
[[nodiscard]] constexpr std::string_view sysctlName(Ipv4Key key) {
    switch (key) {
        case Ipv4Key::rpFilter:
            return "rp_filter";
        case Ipv4Key::arpFilter:
            return "arp_filter";
        case Ipv4Key::arpAnnounce:
            return "arp_announce";
        case Ipv4Key::arpIgnore:
            return "arp_ignore";
    }
    return {};
}

// The kernel takes any int for most keys, negative ones too.
using Ipv4Values = std::map<Ipv4Key, std::int32_t>;

// The interface's own values: not what takes effect, which conf.all has a say in. A key
// that this kernel does not have is missing.
struct Ipv4Conf {
    IfIndex link;
    Ipv4Values values;
};

class Ipv4ConfReader {
  public:
    virtual ~Ipv4ConfReader() = default;
    // Of every interface that takes part in IPv4: one dump, whatever the interfaces are
    // called. Sorted by ifindex.
    [[nodiscard]] virtual Result<std::vector<Ipv4Conf>> interfaces() const = 0;
    // /proc/sys/net/ipv4/conf/all: it is no interface, so only its file tells.
    [[nodiscard]] virtual Result<std::int32_t> all(Ipv4Key key) const = 0;
};

class Ipv4ConfWriter {
  public:
    virtual ~Ipv4ConfWriter() = default;
    // One RTM_SETLINK by ifindex for all the values.
    [[nodiscard]] virtual Result<void> set(IfIndex link, const Ipv4Values& values) = 0;
    // /proc/sys/net/ipv4/conf/all, one file per key, stopping at the first refusal.
    [[nodiscard]] virtual Result<void> setAll(const Ipv4Values& values) = 0;
};

}  // namespace fabric::host
