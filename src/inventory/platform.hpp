// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/host.hpp"

#include <optional>
#include <string>
#include <string_view>

namespace fabric::inventory {

enum class Lockdown { unknown, none, integrity, confidentiality };

// Facts about the machine as a whole that decide whether a change is right or possible.
// An empty text or optional is "could not be told".
struct Platform {
    std::string hostName;
    std::string bootId;
    std::string kernelRelease;  // "6.1.0-57-amd64"
    std::string kernelCommandLine;
    Lockdown lockdown = Lockdown::unknown;
    std::optional<bool> guest;  // a hypervisor is below
    std::string hypervisor;     // "kvm", "qemu", ...; "" on bare metal or unnamed
    bool initialUserNamespace = true;
    bool effectiveRoot = false;  // euid 0
    bool hasNetAdmin = false;    // CAP_NET_ADMIN effective
    bool hasSysAdmin = false;    // CAP_SYS_ADMIN effective
};

// Never fails as a whole: what could not be read stays unknown. Starts no process.
[[nodiscard]] Platform observePlatform(const host::Reader& host);

// True when `release` ("6.1.0-57-amd64") is at least major.minor.
[[nodiscard]] bool kernelAtLeast(std::string_view release,
                                 unsigned major,
                                 unsigned minor);

}  // namespace fabric::inventory
