// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/apply.hpp"
#include "scenario/storage_node.hpp"
#include "snapshot/kept_node.hpp"

#include <functional>
#include <string>
#include <vector>

namespace fabric::faults {

using scenario::StorageNode;
using snapshot::KeptNode;

inline constexpr unsigned kRails = 2;

// One scenario of the matrix: a machine with something to do for one resource, what is
// wanted of it, and what is really wrong with it.
struct FaultCase {
    using Run = std::function<engine::Report(
        const host::Reader&, const host::Writer&, const profile::Profile&)>;

    std::string resource;  // the row of the table
    std::string profile;   // below version and name
    std::function<void(KeptNode&)> prepare;
    // What is not as the profile wants it, read from the fakes and not through the
    // product: "" when nothing is.
    std::function<std::string(KeptNode&)> wrong;
    fake::DcbDriver driver = fake::DcbDriver::mlx5;
    Run run = [](const auto& reader, const auto& writer, const auto& wanted) {
        return engine::apply(reader, writer, wanted, {});
    };
    bool writes = true;  // false: a verb that only looks
    // After a write that failed or a death, and the next two runs: what must hold
    // besides, "" when it does.
    std::function<std::string(KeptNode&)> atLast = [](KeptNode&) {
        return std::string();
    };
};

[[nodiscard]] std::vector<FaultCase> faultCases();
// Of what runs keep and restore.
[[nodiscard]] std::vector<FaultCase> keptCases();

}  // namespace fabric::faults
