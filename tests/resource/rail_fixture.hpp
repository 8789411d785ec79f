// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fake/fake_host.hpp"
#include "resource/resource.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::resource {

// A machine in memory and the rails of a profile on it, for the resources of one rail.
class RailFixture : public ::testing::Test {
  protected:
    static constexpr std::uint32_t kPort = 2;

    static inventory::PhysicalPort port(std::string name,
                                        std::string driver = "mlx5_core",
                                        std::uint32_t index = kPort) {
        inventory::PhysicalPort made;
        made.link = IfIndex{index};
        made.name = std::move(name);
        made.pci = PciAddress::parse("0000:1a:00.0");
        made.driver = std::move(driver);
        return made;
    }

    // A physical rail with one port of the same name and RDMA device mlx5_0.
    static RailTask physicalRail(std::string name, std::string driver = "mlx5_core") {
        RailTask task;
        task.rail.name = name;
        task.rail.link = IfIndex{kPort};
        task.rail.kind = inventory::FunctionKind::physical;
        task.rail.driver = driver;
        task.rail.ports = {port(name, std::move(driver))};
        task.rail.interfaces = {{IfIndex{kPort}, std::move(name), ""}};
        host::RdmaPort rdma;
        rdma.device = "mlx5_0";
        rdma.port = 1;
        rdma.linkLayer = host::LinkLayer::ethernet;
        rdma.link = IfIndex{kPort};
        rdma.pci = "0000:1a:00.0";
        task.rail.rdma = rdma;
        return task;
    }

    [[nodiscard]] Scope scope() const {
        return {.rails = rails, .host = settings, .platform = platform};
    }

    static const Assessment& only(const Comparison& comparison, std::string_view id) {
        static const Assessment kNone{};
        const auto found =
            std::ranges::find(comparison.assessments, id, &Assessment::id);
        EXPECT_NE(found, comparison.assessments.end()) << id;
        EXPECT_EQ(std::ranges::count(comparison.assessments, id, &Assessment::id), 1);
        return found == comparison.assessments.end() ? kNone : *found;
    }

    static std::vector<Write> writesOf(const Comparison& comparison) {
        std::vector<Write> writes;
        for (const Step& step : comparison.steps) {
            writes.insert(writes.end(), step.writes.begin(), step.writes.end());
        }
        return writes;
    }

    fake::FakeHost host;
    std::vector<RailTask> rails;
    profile::HostSettings settings;
    inventory::Platform platform;
};

}  // namespace fabric::resource
