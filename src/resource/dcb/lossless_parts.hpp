// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/quantity.hpp"
#include "resource/dcb/driver.hpp"
#include "resource/dcb/dscp_plan.hpp"
#include "resource/dcb/state.hpp"
#include "resource/dcb/trust.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>

namespace fabric::resource::dcb {

enum class DcbxControl { unknown, host, firmware };

// A receive buffer as one priority sees it.
struct PriorityBuffer {
    std::uint8_t buffer = 0;
    std::uint32_t bytes = 0;
    std::set<Priority> sharedWith;  // other priorities in it
    // Every priority in it has PFC; a buffer that a lossy priority shares drops too.
    bool lossless = false;
};

// What DCB contributes to "is this port lossless", from one look and no profile. An
// empty optional is unknown, never "off".
struct LosslessParts {
    DcbxControl dcbx = DcbxControl::unknown;
    std::optional<TrustState> trust;
    std::string trustText;  // "dscp", "pcp", or why it is unknown
    std::optional<std::set<Priority>> pfc;
    DscpEntries dscpToPriority;       // what is known; two priorities when listed twice
    bool everyDscpKnown = false;      // all 64
    bool listProvesHardware = false;  // the entries are what packets meet
    std::optional<Buffers> buffers;
    std::optional<std::uint16_t> cableLength;  // metres, where the driver tells it

    // The priority that packets with this DSCP get; empty when unknown or ambiguous.
    [[nodiscard]] std::optional<Priority> priorityOf(Dscp dscp) const;
    // The known DSCPs on a priority.
    [[nodiscard]] std::set<Dscp> dscpsOn(Priority priority) const;
    [[nodiscard]] std::optional<PriorityBuffer> bufferOf(Priority priority) const;
};

[[nodiscard]] LosslessParts losslessParts(const State& state,
                                          const DriverFacts& driver);

}  // namespace fabric::resource::dcb
