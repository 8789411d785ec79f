// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"
#include "host/host.hpp"
#include "resource/dcb/driver.hpp"
#include "resource/dcb/state.hpp"

#include <cstdint>
#include <optional>
#include <string>

namespace fabric::resource::dcb {

// What a port's lossless buffers need, from what the driver computes with.
struct PortFacts {
    std::string name;
    std::optional<std::uint32_t> speedMbps;
    std::uint32_t mtu = 0;     // bytes
    std::uint32_t maxMtu = 0;  // bytes, 0 not told
};

// Bytes that mlx5 asks of a lossless buffer: the distance to stop a sender over
// `cable`, plus one largest frame and one cell
// (drivers/net/ethernet/mellanox/mlx5/core/en/port_buffer.c: calculate_xoff,
// update_xoff_threshold). The cell is the usual 128 bytes, so it is an estimate.
[[nodiscard]] std::uint64_t losslessMinimum(const PortFacts& port,
                                            std::uint32_t speedMbps,
                                            Meters cable);

// What a refused write most likely means, and what to do next; "" when errno says it
// all. `state` is read after the refusal. Pure.
[[nodiscard]] std::string explainRefusal(const host::DcbRequest& request,
                                         const Error& error,
                                         const DriverFacts& driver,
                                         const State& state,
                                         const PortFacts& port);

// The same with driver, state and port read now. For the executor: it is called once
// per refused write and only reads; "" when they cannot be read.
[[nodiscard]] std::string explainFailedWrite(const host::Reader& host,
                                             const host::DcbRequest& request,
                                             const Error& error);

}  // namespace fabric::resource::dcb
