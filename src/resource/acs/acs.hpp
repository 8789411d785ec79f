// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/resource.hpp"

// PCIe Access Control Services of the bridges above GPUs and RDMA NICs: the resource of
// the profile section `acs`, one property `acs/BDF/control` per bridge.
namespace fabric::resource::acs {

// Observes fresh and compares. Under --rail, or without the section, there is nothing
// to compare. Reads the registers of the bridges in scope only.
[[nodiscard]] Comparison assess(const host::Reader& host, const Scope& scope);

}  // namespace fabric::resource::acs
