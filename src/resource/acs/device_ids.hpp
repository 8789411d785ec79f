// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/pci.hpp"

#include <cstdint>

// The few PCI ids on which ACS decisions rest (pci.ids; rdma-core kernel-boot/rdma_topo
// for the NVIDIA and Mellanox ones).
namespace fabric::resource::acs {

inline constexpr std::uint16_t kNvidia = 0x10DE;
inline constexpr std::uint16_t kMellanox = 0x15B3;
inline constexpr std::uint16_t kAmd = 0x1002;
inline constexpr std::uint16_t kIntel = 0x8086;

// The ConnectX-8 function in the GPU's domain that carries the RDMA traffic.
[[nodiscard]] inline bool isDataDirect(const host::PciFunction& function) {
    return function.vendor == kMellanox && function.device == 0x2100;
}

// Ports of the switch inside a ConnectX (1979, 197c) or BlueField-3 (197b).
[[nodiscard]] inline bool isNicSwitchPort(const host::PciFunction& function) {
    return function.vendor == kMellanox &&
           (function.device == 0x1979 || function.device == 0x197B ||
            function.device == 0x197C);
}

[[nodiscard]] inline bool isGraceRootPort(const host::PciFunction& function) {
    return function.vendor == kNvidia &&
           (function.device == 0x22B1 || function.device == 0x22B2 ||
            function.device == 0x22B8);
}

[[nodiscard]] inline bool isVeraRootPort(const host::PciFunction& function) {
    return function.vendor == kNvidia &&
           (function.device == 0x2F95 || function.device == 0x2F96);
}

}  // namespace fabric::resource::acs
