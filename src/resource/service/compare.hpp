// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "resource/assessment.hpp"
#include "resource/service/drop_in.hpp"
#include "resource/service/state.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fabric::resource::service {

// One look at one service: what is wanted beside what was seen.
struct Look {
    const profile::ServiceSettings& settings;
    const State& state;
    WantedDropIn wanted;

    // The environment file that the profile asks us to write; "" none.
    [[nodiscard]] std::string managedText() const {
        return managesEnvironment(settings)
                   ? renderEnvironmentFile(settings.environment)
                   : "";
    }

    // Why our drop-in may not be written, "" when it may.
    [[nodiscard]] const std::string& refusal() const {
        return state.binary.refusal.empty() ? wanted.refusal : state.binary.refusal;
    }

    // What a person does about it.
    [[nodiscard]] const std::string& refusalFix() const {
        return state.binary.refusal.empty() ? wanted.fix : state.binary.fix;
    }
};

// An assessment of one property with its names filled in and no verdict yet.
[[nodiscard]] Assessment serviceProperty(const profile::ServiceSettings& settings,
                                         std::string_view property);
// What the profile owns of a service: names of properties.
[[nodiscard]] std::vector<std::string_view> ownedProperties(
    const profile::ServiceSettings& settings);

[[nodiscard]] Value limitValue(const host::ResourceLimit& limit);
[[nodiscard]] host::ResourceLimit wantedLimit(const profile::MemlockLimit& limit);

// Drop-in, command and limit as systemd has them in force, and the step that makes them
// so, and the managed environment with them. Pure.
[[nodiscard]] Comparison compareConfiguration(const Look& look,
                                              const Assessment* environment);
// In what way the environment file that the profile asks us to write is not as wanted,
// "" it is, or none is asked for. Names variables, tells no value. Pure.
[[nodiscard]] std::string managedProblem(const Look& look);
// What the unit's environment files would give a process that starts now. Pure.
[[nodiscard]] Assessment compareEnvironment(const Look& look);
// What the running process has, and the step that restarts it. `configuring`: steps go
// before it that write or reload what the unit is made of. Pure.
[[nodiscard]] Comparison compareProcess(const Look& look,
                                        const Assessment* environment,
                                        bool configuring);
// A full copy of the unit that hides the packaged one. Pure.
void addShadow(const Look& look, std::vector<Finding>& findings);
// The drop-in after ours that makes the assertion, "" none. Pure.
[[nodiscard]] std::string laterFileOf(const State& state,
                                      const host::ServiceAssert& check);
// An assertion for the standard program, which came back after our drop-in. Pure.
void addAssert(const Look& look, std::vector<Finding>& findings);
// What is not wrong by itself but will be. Pure.
[[nodiscard]] std::vector<Finding> hazardsOf(const Look& look);

}  // namespace fabric::resource::service
