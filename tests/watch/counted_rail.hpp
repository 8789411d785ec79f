// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "watch/sample.hpp"

#include <chrono>
#include <string>
#include <utility>

namespace fabric::watch::testing {

inline const Result<std::set<Priority>> kPriority3 =
    std::set<Priority>{Priority::of(3)};

inline Source port(host::Counters counters,
                   std::string driver = "mlx5_core",
                   std::string name = "ens1f0np0") {
    return {.place = Place::port,
            .name = std::move(name),
            .driver = std::move(driver),
            .counters = std::move(counters)};
}

inline Source rdma(host::Counters counters, std::string driver = "mlx5_core") {
    return {.place = Place::rdma,
            .name = "mlx5_0/1",
            .driver = std::move(driver),
            .counters = std::move(counters)};
}

// A rail `second` seconds after the watch began.
inline Sample at(int second,
                 std::vector<Source> sources,
                 Result<std::set<Priority>> lossless = kPriority3) {
    return {.rail = "ens1f0np0",
            .rdma = "mlx5_0/1",
            .driver = "mlx5_core",
            .layer = host::LinkLayer::ethernet,
            .at = std::chrono::steady_clock::time_point(std::chrono::seconds(second)),
            .sources = std::move(sources),
            .lossless = std::move(lossless)};
}

}  // namespace fabric::watch::testing
