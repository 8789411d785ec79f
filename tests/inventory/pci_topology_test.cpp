// SPDX-License-Identifier: Apache-2.0
#include "inventory/pci_topology.hpp"

#include "fake/fake_host.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <initializer_list>

namespace fabric::inventory {
namespace {

PciAddress at(std::string_view text) {
    return PciAddress::parse(text).value();
}

host::PciFunction function(std::string_view address,
                           std::string_view root,
                           std::initializer_list<std::string_view> bridges = {},
                           std::optional<int> node = std::nullopt) {
    host::PciFunction made;
    made.address = at(address);
    made.hostBridge = root;
    for (const std::string_view bridge : bridges) {
        made.bridges.push_back(at(bridge));
    }
    made.numaNode = node;
    return made;
}

// One switch (16:00.0) below root port 15:01.0 with a GPU, a NIC and a card that
// carries a switch of its own; a second root port on the same root bus; two more host
// bridges.
PciTopology twoSockets() {
    return PciTopology({
        function("0000:15:01.0", "pci0000:15", {}, 0),
        function("0000:16:00.0", "pci0000:15", {"0000:15:01.0"}, 0),
        function("0000:17:01.0", "pci0000:15", {"0000:15:01.0", "0000:16:00.0"}, 0),
        function("0000:17:02.0", "pci0000:15", {"0000:15:01.0", "0000:16:00.0"}, 0),
        function("0000:19:00.0",
                 "pci0000:15",
                 {"0000:15:01.0", "0000:16:00.0", "0000:17:01.0"},
                 0),
        function("0000:1a:00.0",
                 "pci0000:15",
                 {"0000:15:01.0", "0000:16:00.0", "0000:17:02.0"},
                 0),
        function("0000:1d:00.0",
                 "pci0000:15",
                 {"0000:15:01.0",
                  "0000:16:00.0",
                  "0000:17:03.0",
                  "0000:1b:00.0",
                  "0000:1c:00.0"},
                 0),
        function("0000:20:00.0", "pci0000:15", {"0000:15:02.0"}, 0),
        function("0000:20:00.1", "pci0000:15", {"0000:15:02.0"}, 0),
        function("0000:38:00.0", "pci0000:37", {"0000:37:01.0"}, 0),
        function("0000:b8:00.0", "pci0000:b7", {"0000:b7:01.0"}, 1),
        function("0009:06:00.0", "pci0009:00", {"0009:00:00.0"}, 1),
        function("10000:01:00.0", "pci10000:00", {"10000:00:02.0"}),
    });
}

PciRelation between(const PciTopology& pci,
                    std::string_view left,
                    std::string_view right) {
    const auto forward = pci.relation(*pci.find(at(left)), *pci.find(at(right)));
    const auto backward = pci.relation(*pci.find(at(right)), *pci.find(at(left)));
    EXPECT_EQ(forward, backward) << left << " and " << right;
    return forward;
}

TEST(PciTopology, one_switch_between_is_pix) {
    EXPECT_EQ(between(twoSockets(), "0000:19:00.0", "0000:1a:00.0"), PciRelation::pix);
}

TEST(PciTopology, functions_of_one_card_are_pix) {
    EXPECT_EQ(between(twoSockets(), "0000:20:00.0", "0000:20:00.1"), PciRelation::pix);
}

TEST(PciTopology, a_second_switch_on_one_side_is_pxb) {
    EXPECT_EQ(between(twoSockets(), "0000:1d:00.0", "0000:1a:00.0"), PciRelation::pxb);
}

TEST(PciTopology, two_root_ports_of_one_root_bus_are_phb) {
    EXPECT_EQ(between(twoSockets(), "0000:19:00.0", "0000:20:00.0"), PciRelation::phb);
}

TEST(PciTopology, two_host_bridges_of_one_numa_node_are_node) {
    EXPECT_EQ(between(twoSockets(), "0000:19:00.0", "0000:38:00.0"), PciRelation::node);
}

TEST(PciTopology, two_numa_nodes_are_sys) {
    EXPECT_EQ(between(twoSockets(), "0000:19:00.0", "0000:b8:00.0"), PciRelation::sys);
}

TEST(PciTopology, an_unknown_numa_node_is_never_taken_for_the_same_node) {
    const PciTopology pci = twoSockets();
    EXPECT_EQ(between(pci, "0000:19:00.0", "10000:01:00.0"), PciRelation::sys);
    EXPECT_EQ(pci.relation(*pci.find(at("10000:01:00.0")),
                           function("10001:01:00.0", "pci10001:00")),
              PciRelation::sys);
}

TEST(PciTopology, a_machine_without_any_numa_node_is_one_node) {
    const PciTopology pci({function("0000:01:00.0", "pci0000:00", {"0000:00:01.0"}),
                           function("0000:41:00.0", "pci0000:40", {"0000:40:01.0"})});
    EXPECT_EQ(between(pci, "0000:01:00.0", "0000:41:00.0"), PciRelation::node);
}

TEST(PciTopology, A07_functions_of_every_domain_are_found) {
    const PciTopology pci = twoSockets();
    ASSERT_NE(pci.find(at("0009:06:00.0")), nullptr);
    ASSERT_NE(pci.find(at("10000:01:00.0")), nullptr);
    EXPECT_EQ(pci.find(at("0008:06:00.0")), nullptr);
    EXPECT_EQ(between(pci, "0009:06:00.0", "0000:b8:00.0"), PciRelation::node);
}

TEST(PciTopology, below_lists_everything_under_a_bridge_in_address_order) {
    const PciTopology pci = twoSockets();
    std::vector<std::string> found;
    for (const host::PciFunction* function : pci.below(at("0000:16:00.0"))) {
        found.push_back(function->address.text());
    }
    EXPECT_EQ(found,
              (std::vector<std::string>{"0000:17:01.0",
                                        "0000:17:02.0",
                                        "0000:19:00.0",
                                        "0000:1a:00.0",
                                        "0000:1d:00.0"}));
    EXPECT_TRUE(pci.below(at("0000:19:00.0")).empty());
}

TEST(PciTopology, observing_takes_the_functions_of_the_host_and_passes_errors_on) {
    fake::FakeHost machine;
    machine.pci.add(function("0000:20:00.0", "pci0000:15"));
    machine.pci.add(function("0000:15:01.0", "pci0000:15"));
    const auto seen = observePci(machine.reader());
    ASSERT_TRUE(seen.has_value());
    EXPECT_EQ(seen->functions().front().address, at("0000:15:01.0"));
    machine.pci.functionsError = systemError("list", "/sys/bus/pci/devices", EIO);
    EXPECT_EQ(observePci(machine.reader()).error().sysErrno, EIO);
}

}  // namespace
}  // namespace fabric::inventory
