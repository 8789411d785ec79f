// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fake/fake_host.hpp"

#include <cstdint>
#include <string_view>
#include <vector>

// Real machines reduced to the facts that ACS decisions rest on: NAME.host lists PCI
// functions, NAME.hex is the config space of one function. Their first lines name the
// source and what was inferred.
namespace fabric::hosts {

// Fills `machine` with the functions of `name`. Each function bound to mlx5_core gets
// an RDMA port. Their config spaces hold a PCI Express capability, an AER capability
// and, where the machine has one, the ACS capability at its real offset.
void load(std::string_view name, fake::FakeHost& machine);

// The 4096 bytes of a .hex file.
[[nodiscard]] std::vector<std::byte> loadConfig(std::string_view name);

// Sets the ACS control register of one function.
void setControl(fake::FakeHost& machine, std::string_view address, std::uint16_t value);
[[nodiscard]] std::uint16_t controlOf(fake::FakeHost& machine,
                                      std::string_view address);

}  // namespace fabric::hosts
