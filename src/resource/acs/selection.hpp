// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "profile/settings.hpp"
#include "resource/acs/endpoint.hpp"

#include <map>
#include <span>

namespace fabric::resource::acs {

// How many endpoints lie below one bridge.
struct Below {
    unsigned gpus = 0;
    unsigned nics = 0;
    bool operator==(const Below&) const = default;
};

// The bridges in scope, with what lies below each. Pure; costs endpoints times depth of
// the tree.
// `upstream`: every bridge above an endpoint. `paths`: of those, the ones strictly
// below the lowest common bridge of at least one GPU and NIC (PIX and PXB pairs).
[[nodiscard]] std::map<PciAddress, Below> selectBridges(
    std::span<const Endpoint> endpoints, profile::AcsScope scope);

}  // namespace fabric::resource::acs
