// SPDX-License-Identifier: Apache-2.0
#include "engine/batch.hpp"

#include <gtest/gtest.h>

#include <string>

namespace fabric::engine {
namespace {

using resource::Assessment;
using resource::Stage;
using resource::Step;

Step step(Stage stage, std::string rail, std::string summary) {
    return {.stage = stage, .rail = std::move(rail), .summary = std::move(summary)};
}

Assessment of(std::string id, std::string rail) {
    Assessment assessment;
    assessment.id = std::move(id);
    assessment.rail = std::move(rail);
    return assessment;
}

std::string shown(const std::vector<Batch>& batches) {
    std::string text;
    for (const Batch& batch : batches) {
        text += "[" + batch.name + ":";
        for (const Step& step : batch.steps) {
            text += " " + step.summary;
        }
        text += "]";
    }
    return text;
}

TEST(Batches, a_rail_is_one_and_each_stage_of_the_host) {
    EXPECT_EQ(shown(batchesOf({step(Stage::module, "", "m"),
                               step(Stage::acs, "", "a"),
                               step(Stage::acs, "", "b"),
                               step(Stage::mtu, "r1", "r1.mtu"),
                               step(Stage::pfc, "r1", "r1.pfc"),
                               step(Stage::pfc, "r2", "r2.pfc"),
                               step(Stage::arp, "", "file"),
                               step(Stage::service, "", "unit")},
                              {})),
              "[the modules: m][ACS: a b][r1: r1.mtu r1.pfc][r2: r2.pfc]"
              "[the sysctl.d file: file][the service: unit]");
}

TEST(Batches, rails_that_a_step_serves_together_are_one) {
    Step all = step(Stage::arp, "r1", "conf.all");
    all.ids = {"arp/r1", "arp/r3"};
    const auto batches = batchesOf(
        {all, step(Stage::pfc, "r2", "r2.pfc"), step(Stage::pfc, "r3", "r3.pfc")},
        {of("arp/r1", "r1"), of("arp/r2", "r2"), of("arp/r3", "r3")});
    EXPECT_EQ(shown(batches), "[r1 and r3: conf.all r3.pfc][r2: r2.pfc]");
    std::string order;
    for (const Step& each : stepsOf(batches)) {
        order += each.summary + " ";
    }
    EXPECT_EQ(order, "conf.all r3.pfc r2.pfc ");
}

TEST(Batches, rails_on_one_physical_port_are_one) {
    Step first = step(Stage::pfc, "vlan1", "a");
    Step second = step(Stage::mtu, "vlan2", "b");
    first.link = second.link = IfIndex{4};
    EXPECT_EQ(shown(batchesOf({first, second}, {})), "[vlan1 and vlan2: a b]");
}

TEST(Batches, the_file_of_all_rails_ties_none_of_them) {
    Step file = step(Stage::arp, "", "file");
    file.ids = {"arp/r1/persist", "arp/r2/persist"};
    EXPECT_EQ(shown(batchesOf(
                  {step(Stage::pfc, "r1", "a"), step(Stage::pfc, "r2", "b"), file},
                  {of("arp/r1/persist", "r1"), of("arp/r2/persist", "r2")})),
              "[r1: a][r2: b][the sysctl.d file: file]");
}

}  // namespace
}  // namespace fabric::engine
