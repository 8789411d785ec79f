// SPDX-License-Identifier: Apache-2.0
#include "engine/planner.hpp"

#include <gtest/gtest.h>

#include <string>

namespace fabric::engine {
namespace {

using resource::Stage;
using resource::Step;

Step step(Stage stage, std::string rail, std::string summary) {
    return {.stage = stage, .rail = std::move(rail), .summary = std::move(summary)};
}

std::string order(std::vector<Step> steps) {
    std::string text;
    for (const Step& ordered : orderSteps(std::move(steps))) {
        text += ordered.summary + " ";
    }
    return text;
}

TEST(OrderSteps, host_first_then_rail_by_rail_then_service) {
    EXPECT_EQ(order({step(Stage::service, "", "service"),
                     step(Stage::pfc, "r2", "r2.pfc"),
                     step(Stage::pfc, "r1", "r1.pfc"),
                     step(Stage::mtu, "r2", "r2.mtu"),
                     step(Stage::acs, "", "acs"),
                     step(Stage::module, "", "module"),
                     step(Stage::ecn, "r1", "r1.ecn")}),
              "module acs r1.pfc r1.ecn r2.mtu r2.pfc service ");
}

TEST(OrderSteps, D22_ets_before_pfc_before_buffers_before_classification) {
    EXPECT_EQ(order({step(Stage::classification, "r1", "app"),
                     step(Stage::buffer, "r1", "buffer"),
                     step(Stage::pfc, "r1", "pfc"),
                     step(Stage::ets, "r1", "ets"),
                     step(Stage::dcbx, "r1", "dcbx"),
                     step(Stage::pause, "r1", "pause"),
                     step(Stage::maxRate, "r1", "rate"),
                     step(Stage::mtu, "r1", "mtu")}),
              "mtu pause dcbx ets rate pfc buffer app ");
}

TEST(OrderSteps, keeps_the_order_of_a_resource_within_a_stage) {
    EXPECT_EQ(order({step(Stage::classification, "r1", "delete"),
                     step(Stage::classification, "r1", "add"),
                     step(Stage::classification, "r1", "trust")}),
              "delete add trust ");
}

}  // namespace
}  // namespace fabric::engine
