// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/value.hpp"
#include "engine/own_peers.hpp"

#include <string>

namespace fabric::report {

// A document that `neighbours.peers-from` reads and whose list fits under
// `neighbours.peers`.
[[nodiscard]] std::string toYaml(const engine::OwnPeers& own);
// The same as JSON, schema "fabricctl/peers/1".
[[nodiscard]] Value toValue(const engine::OwnPeers& own);

}  // namespace fabric::report
