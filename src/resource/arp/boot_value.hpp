// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/arp/effective.hpp"
#include "resource/arp/sysctl_merge.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace fabric::resource::arp {

// What one program makes effective on an interface, and the line that decides.
struct BootValue {
    Reading reading;
    std::optional<SysctlLine> decider;  // empty: no file names the key
    std::optional<SysctlLine> allLine;  // the line that decides over conf.all
};

// An int as the kernel reads it from a sysctl (fs/proc, proc_get_long): any base, the
// rest after white space ignored. std::nullopt for what it refuses.
[[nodiscard]] std::optional<std::int32_t> sysctlNumber(std::string_view text);

// An interface whose key no file names is born with conf.default, which is 0 unless a
// file says otherwise. Pure.
[[nodiscard]] BootValue bootValueOf(const SysctlMerge& merge,
                                    const std::string& interface,
                                    host::Ipv4Key key);

}  // namespace fabric::resource::arp
