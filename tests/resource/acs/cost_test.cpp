// SPDX-License-Identifier: Apache-2.0
// What one look costs, counted and not timed.
#include "resource/acs/acs_machine.hpp"

#include <gtest/gtest.h>

#include <fmt/format.h>

#include <map>

namespace fabric::resource::acs {
namespace {

class CountingPci : public host::PciReader {
  public:
    explicit CountingPci(const fake::FakePci& pci) : pci_(pci) {}

    mutable std::map<PciAddress, std::size_t> reads;
    mutable std::size_t total = 0;
    mutable std::size_t bytes = 0;

    Result<std::vector<host::PciFunction>> functions() const override {
        return pci_.functions();
    }

    Result<std::vector<std::byte>> readConfig(PciAddress address,
                                              std::uint16_t offset,
                                              std::uint16_t length) const override {
        ++reads[address];
        ++total;
        bytes += length;
        return pci_.readConfig(address, offset, length);
    }

  private:
    const fake::FakePci& pci_;
};

struct Cost {
    std::size_t functions = 0;
    std::size_t bridges = 0;
    std::size_t reads = 0;
    std::size_t bytes = 0;
    std::size_t mostPerBridge = 0;
    std::size_t fileReads = 0;
};

Cost costOf(AcsMachine& machine) {
    const inventory::PciTopology pci(machine.functions());
    const CountingPci counting(machine.host.pci);
    host::Reader all = machine.host.reader();
    const host::Reader reader{all.files,
                              all.links,
                              all.watcher,
                              all.dcb,
                              all.ethtool,
                              counting,
                              all.rdma,
                              all.ipv4,
                              all.clock};
    const Scope scope{.rails = {},
                      .host = machine.settings,
                      .platform = machine.platform,
                      .pci = &pci};
    const std::size_t filesBefore = machine.host.files.readCount();
    const Comparison comparison = assess(reader, scope);
    Cost cost{.functions = pci.functions().size(),
              .bridges = comparison.assessments.size(),
              .reads = counting.total,
              .bytes = counting.bytes,
              .fileReads = machine.host.files.readCount() - filesBefore};
    for (const auto& [address, reads] : counting.reads) {
        cost.mostPerBridge = std::max(cost.mostPerBridge, reads);
    }
    return cost;
}

// `racks` copies of the eight GPU machine in domains of their own, every function in an
// IOMMU group that passes addresses through.
void multiply(AcsMachine& machine, unsigned racks) {
    const auto functions = machine.functions();
    for (unsigned rack = 1; rack < racks; ++rack) {
        for (host::PciFunction function : functions) {
            const fake::FakeFunction original = machine.at(function.address.text());
            function.address.domain += rack;
            function.hostBridge = fmt::format("{}@{}", function.hostBridge, rack);
            for (PciAddress& bridge : function.bridges) {
                bridge.domain += rack;
            }
            machine.host.pci.add(function).config = original.config;
            if (function.driver == "mlx5_core") {
                machine.host.rdma.add(
                    fmt::format("mlx5_{}", machine.host.rdma.portList.size()),
                    IfIndex{},
                    function.address.text());
            }
        }
    }
}

TEST(AcsCost, each_bridge_in_scope_is_read_once_and_nothing_else_is) {
    AcsMachine machine("h100-pex890xx");
    const Cost cost = costOf(machine);
    EXPECT_EQ(cost.bridges, 34U);
    // Three reads of the header, one or two capabilities, one of the registers.
    EXPECT_LE(cost.mostPerBridge, 7U);
    EXPECT_LE(cost.bytes, cost.bridges * 28U);
}

TEST(AcsCost, reads_grow_with_the_functions_and_not_with_their_product) {
    AcsMachine one("h100-pex890xx");
    const Cost single = costOf(one);
    AcsMachine many("h100-pex890xx");
    multiply(many, 20);
    const Cost twenty = costOf(many);
    EXPECT_GE(twenty.functions, 2000U);
    EXPECT_EQ(twenty.bridges, 20U * single.bridges);
    EXPECT_EQ(twenty.reads, 20U * single.reads);
    EXPECT_EQ(twenty.mostPerBridge, single.mostPerBridge);
}

TEST(AcsCost, an_iommu_group_is_read_once_whatever_it_holds) {
    AcsMachine machine("h100-pex890xx");
    for (const auto& function : machine.functions()) {
        machine.at(function.address.text()).info.iommuGroup = 1;
    }
    machine.host.files.addFile("/sys/kernel/iommu_groups/1/type", "identity\n");
    EXPECT_EQ(costOf(machine).fileReads, 1U);
}

TEST(AcsCost, a_skipped_host_costs_no_register_read) {
    AcsMachine machine("h100-pex890xx");
    machine.acs().clear = profile::AcsClear::none;
    EXPECT_EQ(costOf(machine).reads, 0U);
}

}  // namespace
}  // namespace fabric::resource::acs
