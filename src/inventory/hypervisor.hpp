// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"

#include <optional>
#include <string>

namespace fabric::inventory {

// Whether this kernel runs in a virtual machine. Empty: nothing readable tells.
struct Virtualisation {
    std::optional<bool> guest;
    std::string hypervisor;  // "kvm", "qemu", "vmware", ...; "" when not named
};

// From the processor's hypervisor bit, /sys/hypervisor and the firmware's DMI strings.
// A Xen control domain owns the hardware and is no guest.
[[nodiscard]] Virtualisation observeVirtualisation(const host::FileReader& files);

}  // namespace fabric::inventory
