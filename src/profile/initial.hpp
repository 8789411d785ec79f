// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/quantity.hpp"

#include <optional>
#include <string>
#include <vector>

namespace fabric::profile {

// What `profile init` knows of a rail. Empty text: not known.
struct InitRail {
    std::string interface;
    std::string rdma;
    std::string driver;
    std::string vendor;
    std::string pci;
};

struct InitFacts {
    std::string hostName;
    std::vector<InitRail> rails;
    bool hasGpu = false;
    std::optional<Priority> losslessPriority;  // seen on the rails; empty: none
    std::optional<Dscp> losslessDscp;
};

// A commented first profile for a host. It loads without errors and warnings, whatever
// the facts are.
[[nodiscard]] std::string initialProfile(const InitFacts& facts);

}  // namespace fabric::profile
