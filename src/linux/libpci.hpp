// SPDX-License-Identifier: Apache-2.0
#pragma once

// pci/pci.h of pciutils 3.9 has no guard for C++ of its own (it came with 3.14).
extern "C" {
#include <pci/pci.h>
}
