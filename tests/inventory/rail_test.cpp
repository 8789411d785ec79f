// SPDX-License-Identifier: Apache-2.0
#include "inventory/rail.hpp"

#include "fake/fake_host.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

namespace fabric::inventory {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr std::string_view kFirst = "0000:1a:00.0";
constexpr std::string_view kSecond = "0000:1a:00.1";
constexpr std::string_view kVirtual = "0000:1a:00.2";

class Rails : public ::testing::Test {
  protected:
    Rails() { host.links.add(1, "lo").mac = MacAddress{}; }

    void addFunction(std::string_view pci, std::string_view driver) {
        const std::string folder = "/sys/bus/pci/devices/" + std::string(pci);
        host.files.addFile(folder + "/vendor",
                           driver == "bnxt_en" ? "0x14e4\n" : "0x15b3\n");
        host.files.addFile(folder + "/device", "0x1021\n");
        host.files.addFile(folder + "/numa_node", "1\n");
        host.files.addLink(folder + "/driver",
                           "../../../bus/pci/drivers/" + std::string(driver));
    }

    // A net device on a PCI function, with its driver's ethtool answer.
    host::Link& addPort(std::uint32_t index,
                        std::string name,
                        std::string_view pci,
                        std::string_view driver = "mlx5_core") {
        addFunction(pci, driver);
        host.ethtool.drivers[IfIndex{index}] = {
            std::string(driver), "6.1", "22.36.1010", std::string(pci)};
        host::Link& link = host.links.add(index, std::move(name));
        link.mac = MacAddress::parse("b8:ce:f6:00:00:01");
        link.parentBus = "pci";
        link.parentDevice = pci;
        link.physPortName = "p0";
        return link;
    }

    host::Link& addUpper(std::uint32_t index,
                         std::string name,
                         std::string kind,
                         std::uint32_t lower = 0) {
        host::Link& link = host.links.add(index, std::move(name));
        link.kind = std::move(kind);
        link.lower = IfIndex{lower};
        return link;
    }

    void addVirtualFunction(std::uint32_t index, std::string name) {
        addPort(index, std::move(name), kVirtual).physPortName.clear();
        host.files.addLink("/sys/bus/pci/devices/" + std::string(kVirtual) + "/physfn",
                           "../" + std::string(kFirst));
    }

    void addBondedPorts() {
        addPort(2, "ens1f0np0", kFirst).master = IfIndex{10};
        addPort(3, "ens1f1np1", kSecond).master = IfIndex{10};
        addUpper(10, "bond0", "bond");
    }

    std::vector<Rail> observe() {
        auto rails = observeRails(host.reader());
        EXPECT_TRUE(rails.has_value()) << rails.error().message();
        return rails.value_or(std::vector<Rail>{});
    }

    Rail observe(std::string_view name) {
        const std::vector<Rail> rails = observe();
        const auto found = std::ranges::find(rails, name, &Rail::name);
        EXPECT_NE(found, rails.end()) << name;
        return found == rails.end() ? Rail{} : *found;
    }

    static std::vector<std::string> portNames(const Rail& rail) {
        std::vector<std::string> names;
        std::ranges::transform(
            rail.ports, std::back_inserter(names), &PhysicalPort::name);
        return names;
    }

    static std::vector<std::string> interfaceNames(const Rail& rail) {
        std::vector<std::string> names;
        std::ranges::transform(
            rail.interfaces, std::back_inserter(names), &RailInterface::name);
        return names;
    }

    fake::FakeHost host;
};

TEST_F(Rails, physical_port_tells_all_about_itself) {
    addPort(2, "ens1f0np0", kFirst).permanentMac =
        MacAddress::parse("b8:ce:f6:00:00:02");
    host.rdma.add("mlx5_0", IfIndex{2}, std::string(kFirst));

    const Rail rail = observe("ens1f0np0");

    EXPECT_EQ(rail.link, IfIndex{2});
    EXPECT_EQ(rail.kind, FunctionKind::physical);
    ASSERT_TRUE(rail.rdma.has_value());
    EXPECT_EQ(rail.rdma->device, "mlx5_0");
    EXPECT_EQ(rail.pci, PciAddress::parse(kFirst));
    EXPECT_EQ(rail.vendor, "15b3");
    EXPECT_EQ(rail.device, "1021");
    EXPECT_EQ(rail.driver, "mlx5_core");
    EXPECT_EQ(rail.firmware, "22.36.1010");
    EXPECT_EQ(rail.mac, MacAddress::parse("b8:ce:f6:00:00:01"));
    EXPECT_EQ(rail.permanentMac, MacAddress::parse("b8:ce:f6:00:00:02"));
    EXPECT_EQ(rail.numaNode, 1);
    EXPECT_TRUE(rail.carrier);
    EXPECT_EQ(rail.resolution, "");
    EXPECT_EQ(rail.defaultRouteVia, "");
    ASSERT_EQ(rail.ports.size(), 1U);
    EXPECT_EQ(rail.ports[0].link, IfIndex{2});
    EXPECT_EQ(rail.ports[0].pci, PciAddress::parse(kFirst));
    EXPECT_EQ(rail.ports[0].driver, "mlx5_core");
    EXPECT_EQ(rail.ports[0].firmware, "22.36.1010");
    EXPECT_THAT(interfaceNames(rail), ElementsAre("ens1f0np0"));
}

TEST_F(Rails, loopback_is_no_candidate_whatever_it_is_called) {
    host.links.find(IfIndex{1})->name = "loop";
    EXPECT_THAT(observe(), IsEmpty());
}

TEST_F(Rails, are_sorted_by_name_and_found_by_one_dump_each) {
    addPort(2, "ens2", kSecond);
    addPort(3, "ens1", kFirst);
    const std::vector<Rail> rails = observe();
    ASSERT_EQ(rails.size(), 2U);
    EXPECT_EQ(rails[0].name, "ens1");
    EXPECT_EQ(rails[1].name, "ens2");
    EXPECT_EQ(host.links.dumps, 1U);
    EXPECT_EQ(host.rdma.dumps, 1U);
}

TEST_F(Rails, numa_node_minus_one_is_unknown) {
    addPort(2, "ens1", kFirst);
    host.files.addFile("/sys/bus/pci/devices/0000:1a:00.0/numa_node", "-1\n");
    EXPECT_EQ(observe("ens1").numaNode, std::nullopt);
}

TEST_F(Rails, without_an_rdma_stack_are_still_net_devices) {
    addPort(2, "ens1", kFirst);
    EXPECT_EQ(observe("ens1").rdma, std::nullopt);
    EXPECT_EQ(observe("ens1").kind, FunctionKind::physical);
}

TEST_F(Rails, bnxt_names_its_own_driver_and_vendor) {
    addPort(2, "ens4f0np0", kFirst, "bnxt_en");
    host.rdma.add("bnxt_re0", IfIndex{2}, std::string(kFirst));
    const Rail rail = observe("ens4f0np0");
    EXPECT_EQ(rail.vendor, "14e4");
    EXPECT_EQ(rail.driver, "bnxt_en");
    EXPECT_EQ(rail.kind, FunctionKind::physical);
    EXPECT_THAT(portNames(rail), ElementsAre("ens4f0np0"));
}

TEST_F(Rails, port_of_an_rdma_device_is_found_by_ifindex_not_by_name) {
    addPort(2, "mlx5_1", kFirst);
    addPort(3, "mlx5_0", kSecond);
    host.rdma.add("mlx5_0", IfIndex{2}, std::string(kFirst));
    EXPECT_TRUE(observe("mlx5_1").rdma.has_value());
    EXPECT_FALSE(observe("mlx5_0").rdma.has_value());
}

TEST_F(Rails, D21_virtual_function_resolves_to_the_port_of_its_physical_function) {
    addPort(2, "ens1f0np0", kFirst);
    addVirtualFunction(3, "ens1f0v0");
    host.rdma.add("mlx5_2", IfIndex{3}, std::string(kVirtual));

    const Rail rail = observe("ens1f0v0");

    EXPECT_EQ(rail.kind, FunctionKind::virtualFunction);
    EXPECT_THAT(portNames(rail), ElementsAre("ens1f0np0"));
    EXPECT_EQ(rail.resolution, "VF of ens1f0np0");
    EXPECT_THAT(interfaceNames(rail), ElementsAre("ens1f0v0"));
    EXPECT_EQ(rail.pci, PciAddress::parse(kVirtual));
}

TEST_F(Rails, D21_virtual_function_without_its_port_in_this_namespace_says_so) {
    addVirtualFunction(3, "eth0");
    const Rail rail = observe("eth0");
    EXPECT_EQ(rail.kind, FunctionKind::virtualFunction);
    EXPECT_THAT(rail.ports, IsEmpty());
    EXPECT_EQ(rail.resolution,
              "VF of 0000:1a:00.0, whose port has no net device in this network "
              "namespace");
}

TEST_F(Rails, D21_virtual_function_of_a_two_port_function_goes_by_dev_port) {
    addPort(2, "ens1", kFirst);
    addPort(3, "ens1d1", kFirst);
    addVirtualFunction(4, "ens1v0");
    host.files.addFile("/sys/class/net/ens1/dev_port", "0\n");
    host.files.addFile("/sys/class/net/ens1d1/dev_port", "1\n");
    host.files.addFile("/sys/class/net/ens1v0/dev_port", "1\n");
    EXPECT_THAT(portNames(observe("ens1v0")), ElementsAre("ens1d1"));
}

TEST_F(Rails, D21_virtual_function_does_not_resolve_to_a_representor) {
    host::Link& port = addPort(2, "ens1f0np0", kFirst);
    port.physSwitchId = "aa";
    host::Link& representor = addPort(4, "ens1f0npf0vf0", kFirst);
    representor.physPortName = "pf0vf0";
    representor.physSwitchId = "aa";
    addVirtualFunction(3, "ens1f0v0");
    EXPECT_THAT(portNames(observe("ens1f0v0")), ElementsAre("ens1f0np0"));
}

TEST_F(Rails, physical_function_link_that_cannot_be_read_is_an_error) {
    addPort(2, "ens1", kFirst);
    host.files.failRead("/sys/bus/pci/devices/0000:1a:00.0/physfn", EACCES);
    const auto rails = observeRails(host.reader());
    ASSERT_FALSE(rails.has_value());
    EXPECT_EQ(rails.error().kind, ErrorKind::permission);
}

TEST_F(Rails, D21_subfunction_resolves_to_the_port_of_its_function) {
    addPort(2, "ens1f0np0", kFirst);
    host::Link& link = host.links.add(5, "enp26s0f0s88");
    link.parentBus = "auxiliary";
    link.parentDevice = "mlx5_core.sf.2";
    const std::string device =
        "/sys/devices/pci0000:15/0000:15:01.0/0000:1a:00.0/mlx5_core.sf.2";
    host.files.addDirectory(device);
    host.files.addLink("/sys/bus/auxiliary/devices/mlx5_core.sf.2",
                       "../../.." + device.substr(4));

    const Rail rail = observe("enp26s0f0s88");

    EXPECT_EQ(rail.kind, FunctionKind::subfunction);
    EXPECT_THAT(portNames(rail), ElementsAre("ens1f0np0"));
    EXPECT_EQ(rail.resolution, "SF of ens1f0np0");
}

TEST_F(Rails, D21_subfunction_that_sysfs_cannot_place_has_no_port) {
    host::Link& link = host.links.add(5, "sf0");
    link.parentBus = "auxiliary";
    link.parentDevice = "mlx5_core.sf.2";
    const Rail rail = observe("sf0");
    EXPECT_EQ(rail.kind, FunctionKind::subfunction);
    EXPECT_THAT(rail.ports, IsEmpty());
    EXPECT_EQ(rail.resolution, "SF of a function that sysfs does not name");
}

TEST_F(Rails, representors_are_told_from_the_uplink_by_port_name_and_switch) {
    addPort(2, "ens1f0np0", kFirst).physSwitchId = "aa";
    for (const char* const name : {"pf0vf1", "pf0sf88", "c1pf0vf3", "c1pf0"}) {
        host::Link& link = addPort(3, "eth3", kFirst);
        link.physSwitchId = "aa";
        link.physPortName = name;
        const Rail rail = observe("eth3");
        EXPECT_EQ(rail.kind, FunctionKind::representor) << name;
        EXPECT_THAT(rail.ports, IsEmpty());
        EXPECT_EQ(rail.resolution, "representor " + std::string(name));
    }
    EXPECT_EQ(observe("ens1f0np0").kind, FunctionKind::physical);
}

TEST_F(Rails, port_names_that_only_resemble_a_representor_are_physical) {
    for (const char* const name : {"p0", "", "pfvf1", "pf0vf", "pf0vf1x", "pfx"}) {
        host::Link& link = addPort(3, "eth3", kFirst);
        link.physSwitchId = "aa";
        link.physPortName = name;
        EXPECT_EQ(observe("eth3").kind, FunctionKind::physical) << name;
    }
}

TEST_F(Rails, D21_vlan_resolves_to_the_port_below_and_is_an_interface_of_its_rail) {
    addPort(2, "ens1f0", kFirst);
    addUpper(3, "ens1f0.100", "vlan", 2);
    host.rdma.add("mlx5_0", IfIndex{2}, std::string(kFirst));

    const Rail vlan = observe("ens1f0.100");

    EXPECT_EQ(vlan.kind, FunctionKind::stacked);
    EXPECT_FALSE(vlan.rdma.has_value());
    EXPECT_THAT(portNames(vlan), ElementsAre("ens1f0"));
    EXPECT_EQ(vlan.resolution, "VLAN on ens1f0");
    EXPECT_THAT(interfaceNames(observe("ens1f0")), ElementsAre("ens1f0", "ens1f0.100"));
}

TEST_F(Rails, D21_vlan_on_a_virtual_function_says_the_whole_way) {
    addPort(2, "ens1f0np0", kFirst);
    addVirtualFunction(3, "ens1f0v0");
    addUpper(4, "v0.7", "vlan", 3);
    const Rail rail = observe("v0.7");
    EXPECT_THAT(portNames(rail), ElementsAre("ens1f0np0"));
    EXPECT_EQ(rail.resolution, "VLAN on ens1f0v0, VF of ens1f0np0");
}

TEST_F(Rails, D21_bond_and_team_resolve_to_every_member) {
    addBondedPorts();
    for (const char* const kind : {"bond", "team"}) {
        host.links.find(IfIndex{10})->kind = kind;
        const Rail rail = observe("bond0");
        EXPECT_EQ(rail.kind, FunctionKind::stacked);
        EXPECT_THAT(portNames(rail), ElementsAre("ens1f0np0", "ens1f1np1"));
        EXPECT_EQ(rail.resolution, std::string(kind) + " of ens1f0np0, ens1f1np1");
    }
}

TEST_F(Rails, D21_vlan_on_a_bond_resolves_to_the_members) {
    addBondedPorts();
    addUpper(11, "bond0.5", "vlan", 10);
    const Rail rail = observe("bond0.5");
    EXPECT_THAT(portNames(rail), ElementsAre("ens1f0np0", "ens1f1np1"));
    EXPECT_EQ(rail.resolution, "VLAN on bond0, bond of ens1f0np0, ens1f1np1");
}

TEST_F(Rails, D21_bridge_and_veth_have_no_port) {
    addPort(2, "ens1", kFirst).master = IfIndex{3};
    addUpper(3, "br0", "bridge");
    addUpper(4, "veth0", "veth", 5);
    addUpper(5, "veth1", "veth", 4);
    EXPECT_THAT(observe("br0").ports, IsEmpty());
    EXPECT_EQ(observe("br0").resolution, "bridge, whose port is not known");
    EXPECT_THAT(observe("veth0").ports, IsEmpty());
    EXPECT_EQ(observe("veth0").resolution, "veth, which has no physical port");
}

TEST_F(Rails, stacked_devices_that_name_each_other_end) {
    addUpper(2, "a", "vlan", 3);
    addUpper(3, "b", "vlan", 2);
    EXPECT_THAT(observe("a").ports, IsEmpty());
    EXPECT_THAT(interfaceNames(observe("a")), ElementsAre("a", "b"));
}

TEST_F(Rails, rdma_lag_told_by_its_bond_is_one_physical_rail_of_two_ports) {
    addBondedPorts();
    addUpper(11, "bond0.5", "vlan", 10);
    host.rdma.add("mlx5_bond_0", IfIndex{10}, std::string(kFirst));

    const Rail rail = observe("bond0");

    EXPECT_EQ(rail.kind, FunctionKind::physical);
    ASSERT_TRUE(rail.rdma.has_value());
    EXPECT_EQ(rail.pci, PciAddress::parse(kFirst));
    EXPECT_EQ(rail.driver, "mlx5_core");
    EXPECT_THAT(portNames(rail), ElementsAre("ens1f0np0", "ens1f1np1"));
    EXPECT_THAT(interfaceNames(rail), ElementsAre("bond0", "bond0.5"));
    EXPECT_FALSE(observe("ens1f0np0").rdma.has_value());
}

TEST_F(Rails, rdma_lag_told_by_its_active_member_is_the_same_rail) {
    addBondedPorts();
    host.rdma.add("mlx5_bond_0", IfIndex{2}, std::string(kFirst));
    EXPECT_TRUE(observe("bond0").rdma.has_value());
    EXPECT_EQ(observe("bond0").kind, FunctionKind::physical);
    EXPECT_FALSE(observe("ens1f0np0").rdma.has_value());
}

TEST_F(Rails, bonded_ports_with_an_rdma_device_each_stay_two_rails) {
    addBondedPorts();
    host.rdma.add("mlx5_0", IfIndex{2}, std::string(kFirst));
    host.rdma.add("mlx5_1", IfIndex{3}, std::string(kSecond));
    EXPECT_TRUE(observe("ens1f0np0").rdma.has_value());
    EXPECT_TRUE(observe("ens1f1np1").rdma.has_value());
    EXPECT_FALSE(observe("bond0").rdma.has_value());
    EXPECT_EQ(observe("bond0").kind, FunctionKind::stacked);
    EXPECT_THAT(interfaceNames(observe("ens1f0np0")),
                ElementsAre("ens1f0np0", "bond0"));
}

TEST_F(Rails, bond_over_two_cards_is_no_lag) {
    addPort(2, "ens1", kFirst).master = IfIndex{10};
    addPort(3, "ens2", "0000:3b:00.0").master = IfIndex{10};
    addUpper(10, "bond0", "bond");
    host.rdma.add("mlx5_0", IfIndex{2}, std::string(kFirst));
    EXPECT_TRUE(observe("ens1").rdma.has_value());
    EXPECT_FALSE(observe("bond0").rdma.has_value());
}

TEST_F(Rails, hardware_lag_over_virtual_functions_is_not_physical) {
    addPort(2, "ens1f0np0", kFirst);
    addVirtualFunction(3, "ens1f0v0");
    host.links.find(IfIndex{3})->master = IfIndex{10};
    addUpper(10, "bond0", "bond");
    host.rdma.add("mlx5_bond_0", IfIndex{10}, std::string(kVirtual));
    EXPECT_EQ(observe("bond0").kind, FunctionKind::stacked);
}

TEST_F(Rails, rxe_on_veth_is_software_without_a_port) {
    addUpper(4, "veth0", "veth", 5);
    host.rdma.add("rxe0", IfIndex{4});
    const Rail rail = observe("veth0");
    EXPECT_EQ(rail.kind, FunctionKind::software);
    EXPECT_EQ(rail.rdma->device, "rxe0");
    EXPECT_EQ(rail.driver, "veth");
    EXPECT_EQ(rail.pci, std::nullopt);
    EXPECT_THAT(rail.ports, IsEmpty());
    EXPECT_THAT(interfaceNames(rail), ElementsAre("veth0"));
}

TEST_F(Rails, rxe_on_a_physical_port_counts_as_physical) {
    addPort(2, "ens1", kFirst);
    host.rdma.add("rxe0", IfIndex{2});
    const Rail rail = observe("ens1");
    EXPECT_EQ(rail.kind, FunctionKind::physical);
    EXPECT_EQ(rail.pci, PciAddress::parse(kFirst));
}

TEST_F(Rails, hardware_leads_where_rxe_shares_its_net_device) {
    addPort(2, "ens1", kFirst);
    host.rdma.add("a_rxe", IfIndex{2});
    host.rdma.add("mlx5_0", IfIndex{2}, std::string(kFirst));
    const Rail rail = observe("ens1");
    EXPECT_EQ(rail.rdma->device, "mlx5_0");
    ASSERT_EQ(rail.otherRdma.size(), 1U);
    EXPECT_EQ(rail.otherRdma[0].device, "a_rxe");
}

TEST_F(Rails, infiniband_port_finds_its_ipoib_device_by_function_and_port_number) {
    addPort(2, "ib0", kFirst);
    addPort(3, "ib1", kFirst);
    for (const std::string name : {"ib0", "ib1"}) {
        host.files.addFile("/sys/class/net/" + name + "/type", "32\n");
        host.files.addFile("/sys/class/net/" + name + "/dev_port",
                           name == "ib0" ? "0\n" : "1\n");
    }
    host::RdmaPort& port = host.rdma.add("mlx4_0", IfIndex{}, std::string(kFirst));
    port.port = 2;
    port.linkLayer = host::LinkLayer::infiniband;
    EXPECT_FALSE(observe("ib0").rdma.has_value());
    ASSERT_TRUE(observe("ib1").rdma.has_value());
}

TEST_F(Rails, infiniband_port_without_ipoib_is_named_after_device_and_port) {
    addFunction(kFirst, "mlx5_core");
    host::RdmaPort& port = host.rdma.add("mlx5_0", IfIndex{}, std::string(kFirst));
    port.linkLayer = host::LinkLayer::infiniband;
    port.firmware = "28.36.1010";

    const Rail rail = observe("mlx5_0/1");

    EXPECT_TRUE(rail.link.none());
    EXPECT_EQ(rail.kind, FunctionKind::physical);
    EXPECT_EQ(rail.driver, "mlx5_core");
    EXPECT_EQ(rail.firmware, "28.36.1010");
    EXPECT_THAT(rail.ports, IsEmpty());
    EXPECT_THAT(rail.interfaces, IsEmpty());
    EXPECT_EQ(rail.resolution, "mlx5_0/1 has no net device in this network namespace");
}

TEST_F(Rails, port_whose_net_device_is_in_another_namespace_stays_visible) {
    addFunction(kFirst, "mlx5_core");
    host.rdma.add("mlx5_0", IfIndex{77}, std::string(kFirst));
    const Rail rail = observe("mlx5_0/1");
    EXPECT_TRUE(rail.link.none());
    EXPECT_TRUE(rail.rdma.has_value());
}

TEST_F(Rails, virtual_function_without_a_net_device_is_not_physical) {
    addVirtualFunction(3, "gone");
    host.links.remove(IfIndex{3});
    host.rdma.add("mlx5_2", IfIndex{}, std::string(kVirtual));
    EXPECT_EQ(observe("mlx5_2/1").kind, FunctionKind::virtualFunction);
}

TEST_F(Rails, default_route_on_the_port_itself_is_seen) {
    addPort(2, "ens1", kFirst);
    addPort(3, "ens2", kSecond);
    host.links.defaultRoutes = {IfIndex{2}};
    EXPECT_EQ(observe("ens1").defaultRouteVia, "ens1");
    EXPECT_EQ(observe("ens2").defaultRouteVia, "");
}

TEST_F(Rails, default_route_through_a_vlan_on_a_bond_reaches_every_rail_below) {
    addBondedPorts();
    addUpper(11, "bond0.5", "vlan", 10);
    host.links.defaultRoutes = {IfIndex{11}};
    for (const char* const name : {"ens1f0np0", "ens1f1np1", "bond0", "bond0.5"}) {
        EXPECT_EQ(observe(name).defaultRouteVia, "bond0.5") << name;
    }
}

TEST_F(Rails, default_route_through_a_bridge_or_macvlan_is_seen) {
    addPort(2, "ens1", kFirst).master = IfIndex{4};
    addPort(3, "ens2", kSecond);
    addUpper(4, "br0", "bridge");
    addUpper(5, "mac0", "macvlan", 3);
    host.links.defaultRoutes = {IfIndex{4}, IfIndex{5}};
    EXPECT_EQ(observe("ens1").defaultRouteVia, "br0");
    EXPECT_EQ(observe("ens2").defaultRouteVia, "mac0");
}

TEST_F(Rails, default_route_of_the_port_holds_for_its_virtual_functions_and_back) {
    addPort(2, "ens1f0np0", kFirst);
    addVirtualFunction(3, "ens1f0v0");
    host.links.defaultRoutes = {IfIndex{2}};
    EXPECT_EQ(observe("ens1f0v0").defaultRouteVia, "ens1f0np0");
    host.links.defaultRoutes = {IfIndex{3}};
    EXPECT_EQ(observe("ens1f0np0").defaultRouteVia, "ens1f0v0");
}

TEST_F(Rails, default_route_of_a_veth_is_not_that_of_its_peer) {
    addUpper(4, "veth0", "veth", 5);
    addUpper(5, "veth1", "veth", 4);
    host.links.defaultRoutes = {IfIndex{4}};
    EXPECT_EQ(observe("veth1").defaultRouteVia, "");
}

TEST_F(Rails, odd_names_are_carried_as_they_are) {
    addPort(2, "a.b\x01\x1b[31m", kFirst);
    addUpper(3, "..x", "vlan", 2);
    EXPECT_EQ(observe("..x").resolution, "VLAN on a.b\x01\x1b[31m");
    EXPECT_EQ(observe("a.b\x01\x1b[31m").kind, FunctionKind::physical);
}

TEST_F(Rails, dumps_that_fail_are_errors_and_not_an_empty_host) {
    addPort(2, "ens1", kFirst);
    host.links.routesError = systemError("read routes", "this host", EPERM);
    EXPECT_FALSE(observeRails(host.reader()).has_value());
    host.links.routesError.reset();
    host.rdma.portsError = systemError("read RDMA ports", "this host", EIO);
    EXPECT_FALSE(observeRails(host.reader()).has_value());
    host.rdma.portsError.reset();
    host.links.linksError = systemError("read links", "this host", EIO);
    EXPECT_FALSE(observeRails(host.reader()).has_value());
}

}  // namespace
}  // namespace fabric::inventory
