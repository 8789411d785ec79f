// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/value.hpp"
#include "host/ethtool.hpp"
#include "host/rdma.hpp"
#include "inventory/rail.hpp"
#include "resource/dcb/state.hpp"
#include "resource/ecn/state.hpp"
#include "resource/rdma_cm/rdma_cm.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::engine {

// What a look at one part says for losslessness. `absent`: this hardware or driver has
// no such control, and nothing follows from that.
enum class PartVerdict { right, wrong, unknown, absent };

// One thing that has to agree for a rail to be lossless, or that a person wants to see
// beside it.
struct LosslessPart {
    std::string name;  // "trust", "pfc", "dscp-map", "buffer", "ecn", "pause",
                       // "rdma-cm-tos", "mtu"
    Value value;       // as found
    PartVerdict verdict = PartVerdict::unknown;
    bool decides = true;  // false: shown, but not part of the verdict
    std::string note;     // why it is not right
};

enum class LosslessVerdict { lossless, lossy, unknown, notApplicable };

[[nodiscard]] std::string_view toString(LosslessVerdict verdict);
[[nodiscard]] std::string_view toString(PartVerdict verdict);

// Everything that was read of one physical port of a rail.
struct PortObservation {
    inventory::PhysicalPort port;
    Result<resource::dcb::State> dcb;
    resource::ecn::State ecn;
    Result<host::PauseParameters> pause;
    std::optional<resource::rdma_cm::State> rdmaCm;  // empty: no Ethernet RDMA port
    std::uint32_t mtu = 0;                           // bytes; 0: could not be read
};

// The parts in the order of the configuration, against the priorities that have PFC.
// Pure.
[[nodiscard]] std::vector<LosslessPart> losslessParts(const PortObservation& seen);

// Lossless only when every deciding part is right or absent; one wrong part makes it
// lossy, one unknown part without a wrong one makes it unknown. Pure.
[[nodiscard]] LosslessVerdict losslessVerdict(const std::vector<LosslessPart>& parts);

}  // namespace fabric::engine
