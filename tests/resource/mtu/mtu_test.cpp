// SPDX-License-Identifier: Apache-2.0
#include "resource/mtu/mtu.hpp"

#include "resource/rail_fixture.hpp"

#include <gmock/gmock.h>

#include <cerrno>
#include <utility>

namespace fabric::resource::mtu {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::uint32_t kVlan = 5;
constexpr std::uint32_t kBond = 10;

class Mtu : public RailFixture {
  protected:
    // A physical rail with its link, wanting exactly 9000.
    RailTask& addRail(std::string name,
                      std::uint32_t mtu,
                      std::string driver = "mlx5_core") {
        host::Link& link = host.links.add(kPort, name);
        link.mtu = mtu;
        link.maxMtu = 9978;
        rails.push_back(physicalRail(std::move(name), std::move(driver)));
        rails.back().settings.mtu = profile::MtuSettings{9000, false};
        return rails.back();
    }

    host::Link& addLink(std::uint32_t index,
                        std::string name,
                        std::string kind,
                        std::uint32_t mtu,
                        std::uint32_t lower = 0) {
        host::Link& link = host.links.add(index, std::move(name));
        link.kind = std::move(kind);
        link.mtu = mtu;
        link.maxMtu = 65535;
        link.lower = IfIndex{lower};
        return link;
    }

    // The interfaces of the rail, as the inventory would list them.
    void setInterfaces(std::initializer_list<std::uint32_t> indices) {
        std::vector<inventory::RailInterface>& list = rails.back().rail.interfaces;
        list.clear();
        for (const std::uint32_t index : indices) {
            const host::Link& link = *host.links.find(IfIndex{index});
            list.push_back({link.index, link.name, link.kind});
        }
    }

    // Two ports below bond0, which is the rail.
    RailTask& addBondRail(std::uint32_t portMtu,
                          std::uint32_t bondMtu,
                          std::string kind = "bond") {
        addRail("ens1", portMtu);
        host.links.find(IfIndex{kPort})->master = IfIndex{kBond};
        host::Link& second = host.links.add(3, "ens2");
        second.mtu = portMtu;
        second.maxMtu = 9978;
        second.master = IfIndex{kBond};
        addLink(kBond, "bond0", std::move(kind), bondMtu);
        RailTask& task = rails.back();
        task.rail.name = "bond0";
        task.rail.link = IfIndex{kBond};
        task.rail.ports = {port("ens1"), port("ens2", "mlx5_core", 3)};
        setInterfaces({kBond});
        return task;
    }

    Comparison assessed() { return assess(host.reader(), scope()); }

    static std::vector<std::pair<std::uint32_t, std::uint32_t>> mtus(
        const Comparison& comparison) {
        std::vector<std::pair<std::uint32_t, std::uint32_t>> found;
        for (const Write& write : writesOf(comparison)) {
            const auto& change = std::get<MtuWrite>(write);
            found.emplace_back(change.link.number, change.bytes);
        }
        return found;
    }
};

TEST(RocePathMtu, is_the_largest_power_of_two_that_leaves_room_for_headers) {
    EXPECT_EQ(rocePathMtu(9000), 4096U);
    EXPECT_EQ(rocePathMtu(4192), 4096U);
    EXPECT_EQ(rocePathMtu(4191), 2048U);
    EXPECT_EQ(rocePathMtu(1500), 1024U);
    EXPECT_EQ(rocePathMtu(352), 256U);
    EXPECT_EQ(rocePathMtu(351), 0U);
}

TEST_F(Mtu, wanted_value_is_in_sync_and_writes_nothing) {
    addRail("ens1", 9000);
    const Comparison result = assessed();
    EXPECT_EQ(only(result, "mtu/ens1").verdict, Verdict::inSync);
    EXPECT_EQ(only(result, "mtu/ens1").found, Value(9000));
    EXPECT_THAT(only(result, "mtu/ens1").explanation, HasSubstr("4096 bytes"));
    EXPECT_THAT(result.steps, IsEmpty());
}

TEST_F(Mtu, other_value_is_one_step_that_disturbs_traffic) {
    addRail("ens1", 1500);
    const Comparison result = assessed();
    EXPECT_EQ(only(result, "mtu/ens1").verdict, Verdict::differs);
    EXPECT_THAT(only(result, "mtu/ens1").reason, HasSubstr("path MTU 1024"));
    ASSERT_THAT(result.steps, SizeIs(1));
    EXPECT_EQ(result.steps[0].stage, Stage::mtu);
    EXPECT_EQ(result.steps[0].disturbs, Disturbs::traffic);
    EXPECT_THAT(result.steps[0].ids, ElementsAre("mtu/ens1"));
    EXPECT_THAT(result.steps[0].writes,
                ElementsAre(Write(MtuWrite{IfIndex{kPort}, 9000})));
}

TEST_F(Mtu, drivers_that_stop_the_port_disturb_the_link) {
    for (const char* const driver : {"bnxt_en", "ice"}) {
        rails.clear();
        addRail("ens1", 1500, driver);
        EXPECT_EQ(assessed().steps.at(0).disturbs, Disturbs::link) << driver;
    }
}

TEST_F(Mtu, exact_value_is_not_met_by_a_larger_one) {
    addRail("ens1", 9216);
    EXPECT_EQ(only(assessed(), "mtu/ens1").verdict, Verdict::differs);
    EXPECT_THAT(mtus(assessed()), ElementsAre(std::pair(kPort, 9000U)));
}

TEST_F(Mtu, at_least_is_met_by_a_larger_one_and_raised_to_the_minimum) {
    addRail("ens1", 9216).settings.mtu = profile::MtuSettings{4200, true};
    EXPECT_EQ(only(assessed(), "mtu/ens1").verdict, Verdict::inSync);
    EXPECT_EQ(only(assessed(), "mtu/ens1").wanted, Value(Value::Object{{"min", 4200}}));
    host.links.find(IfIndex{kPort})->mtu = 4199;
    EXPECT_THAT(mtus(assessed()), ElementsAre(std::pair(kPort, 4200U)));
}

TEST_F(Mtu, above_the_device_limit_is_unsupported_with_both_numbers) {
    addRail("ens1", 1500);
    host.links.find(IfIndex{kPort})->maxMtu = 8999;
    const Comparison result = assessed();
    EXPECT_EQ(only(result, "mtu/ens1").verdict, Verdict::unsupported);
    EXPECT_THAT(only(result, "mtu/ens1").reason, HasSubstr("8999"));
    EXPECT_THAT(only(result, "mtu/ens1").reason, HasSubstr("9000"));
    EXPECT_THAT(result.steps, IsEmpty());
}

TEST_F(Mtu, limit_that_is_not_told_is_no_limit) {
    addRail("ens1", 1500);
    host.links.find(IfIndex{kPort})->maxMtu = 0;
    EXPECT_EQ(only(assessed(), "mtu/ens1").verdict, Verdict::differs);
}

TEST_F(Mtu, raising_goes_from_the_port_up_to_the_vlan) {
    addRail("ens1", 1500);
    addLink(kVlan, "ens1.100", "vlan", 1500, kPort);
    setInterfaces({kPort, kVlan});
    EXPECT_THAT(mtus(assessed()),
                ElementsAre(std::pair(kPort, 9000U), std::pair(kVlan, 9000U)));
}

TEST_F(Mtu, lowering_goes_from_the_vlan_down_to_the_port) {
    addRail("ens1", 9500);
    addLink(kVlan, "ens1.100", "vlan", 9500, kPort);
    setInterfaces({kPort, kVlan});
    EXPECT_THAT(mtus(assessed()),
                ElementsAre(std::pair(kVlan, 9000U), std::pair(kPort, 9000U)));
}

TEST_F(Mtu, larger_port_is_lowered_before_a_smaller_vlan_is_raised) {
    addRail("ens1", 9500);
    addLink(kVlan, "ens1.100", "vlan", 1500, kPort);
    setInterfaces({kPort, kVlan});
    EXPECT_THAT(mtus(assessed()),
                ElementsAre(std::pair(kPort, 9000U), std::pair(kVlan, 9000U)));
}

TEST_F(Mtu, vlan_is_limited_by_the_port_below_it) {
    addRail("ens1", 1500);
    host.links.find(IfIndex{kPort})->maxMtu = 4000;
    addLink(kVlan, "ens1.100", "vlan", 1500, kPort);
    setInterfaces({kPort, kVlan});
    const Comparison result = assessed();
    EXPECT_EQ(only(result, "mtu/ens1.100").verdict, Verdict::unsupported);
    EXPECT_THAT(only(result, "mtu/ens1.100").reason, HasSubstr("ens1 takes"));
    EXPECT_THAT(result.steps, IsEmpty());
}

TEST_F(Mtu, bond_takes_its_members_along_in_one_step) {
    addBondRail(1500, 1500);
    addLink(kVlan, "bond0.5", "vlan", 1500, kBond);
    setInterfaces({kBond, kVlan});
    const Comparison result = assessed();
    EXPECT_THAT(mtus(result),
                ElementsAre(std::pair(kBond, 9000U), std::pair(kVlan, 9000U)));
    EXPECT_THAT(result.steps[0].ids, ElementsAre("mtu/bond0", "mtu/ens1", "mtu/ens2"));
    EXPECT_EQ(only(result, "mtu/ens2").verdict, Verdict::differs);
}

TEST_F(Mtu, member_of_a_bond_that_is_right_is_written_itself) {
    addBondRail(9000, 9000);
    host.links.find(IfIndex{3})->mtu = 1500;
    EXPECT_THAT(mtus(assessed()), ElementsAre(std::pair(3U, 9000U)));
}

TEST_F(Mtu, bond_is_limited_by_its_smallest_member) {
    addBondRail(1500, 1500);
    host.links.find(IfIndex{3})->maxMtu = 4000;
    const Comparison result = assessed();
    EXPECT_EQ(only(result, "mtu/bond0").verdict, Verdict::unsupported);
    EXPECT_THAT(only(result, "mtu/bond0").reason, HasSubstr("ens2 takes"));
}

TEST_F(Mtu, bond_of_ports_that_bounce_disturbs_the_link) {
    addBondRail(1500, 1500).rail.ports[1].driver = "bnxt_en";
    const Comparison result = assessed();
    EXPECT_EQ(result.steps.at(0).disturbs, Disturbs::link);
}

TEST_F(Mtu, bond_between_a_vlan_rail_and_its_ports_counts) {
    RailTask& task = addBondRail(1500, 1500);
    addLink(kVlan, "bond0.5", "vlan", 1500, kBond);
    task.rail.name = "bond0.5";
    task.rail.link = IfIndex{kVlan};
    setInterfaces({kVlan});
    const Comparison result = assessed();
    EXPECT_EQ(only(result, "mtu/bond0").verdict, Verdict::differs);
    EXPECT_THAT(mtus(result),
                ElementsAre(std::pair(kBond, 9000U), std::pair(kVlan, 9000U)));
}

TEST_F(Mtu, D21_virtual_function_counts_with_its_port) {
    RailTask& task = addRail("ens1", 1500);
    addLink(7, "ens1v0", "", 1500);
    task.rail.name = "ens1v0";
    task.rail.link = IfIndex{7};
    setInterfaces({7});
    EXPECT_THAT(mtus(assessed()),
                ElementsAre(std::pair(kPort, 9000U), std::pair(7U, 9000U)));
}

TEST_F(Mtu, veth_is_not_limited_by_its_peer) {
    RailTask& task = addRail("ens1", 1500);
    addLink(7, "veth0", "veth", 1500, 8);
    addLink(8, "veth1", "veth", 1500, 7).maxMtu = 2000;
    task.rail.name = "veth0";
    task.rail.link = IfIndex{7};
    task.rail.ports.clear();
    setInterfaces({7});
    EXPECT_THAT(mtus(assessed()), ElementsAre(std::pair(7U, 9000U)));
}

TEST_F(Mtu, rail_without_an_interface_is_not_applicable) {
    RailTask& task = addRail("ens1", 1500);
    task.rail.name = "mlx5_0/1";
    task.rail.link = IfIndex{};
    task.rail.ports.clear();
    task.rail.interfaces.clear();
    task.rail.resolution = "mlx5_0/1 has no net device in this network namespace";
    EXPECT_EQ(only(assessed(), "mtu/mlx5_0/1").verdict, Verdict::notApplicable);
}

TEST_F(Mtu, rail_whose_interface_is_gone_is_unreadable) {
    addRail("ens1", 1500);
    host.links.remove(IfIndex{kPort});
    EXPECT_EQ(only(assessed(), "mtu/ens1").verdict, Verdict::unreadable);
}

TEST_F(Mtu, dump_that_fails_is_unreadable_for_every_rail) {
    addRail("ens1", 1500);
    host.links.linksError = systemError("read links", "this host", EPERM);
    const Comparison result = assessed();
    EXPECT_EQ(only(result, "mtu/ens1").verdict, Verdict::unreadable);
    EXPECT_THAT(only(result, "mtu/ens1").fix, HasSubstr("root"));
}

TEST_F(Mtu, refused_rail_gets_no_step) {
    addRail("ens1", 1500).refusal = "carries the default route";
    const Comparison result = assessed();
    EXPECT_EQ(only(result, "mtu/ens1").verdict, Verdict::failed);
    EXPECT_EQ(only(result, "mtu/ens1").found, Value(1500));
    EXPECT_THAT(result.steps, IsEmpty());
}

TEST_F(Mtu, section_that_is_absent_needs_no_dump) {
    addRail("ens1", 1500).settings.mtu.reset();
    EXPECT_THAT(assessed().assessments, IsEmpty());
    EXPECT_EQ(host.links.dumps, 0U);
}

TEST_F(Mtu, two_rails_need_one_dump_and_one_failing_hides_nothing) {
    addRail("ens1", 1500);
    addLink(9, "ens9", "", 1500).maxMtu = 2000;
    rails.push_back(physicalRail("ens9"));
    rails.back().rail.link = IfIndex{9};
    rails.back().rail.ports = {port("ens9", "mlx5_core", 9)};
    rails.back().settings.mtu = profile::MtuSettings{9000, false};
    setInterfaces({9});
    const Comparison result = assessed();
    EXPECT_EQ(only(result, "mtu/ens9").verdict, Verdict::unsupported);
    EXPECT_EQ(only(result, "mtu/ens1").verdict, Verdict::differs);
    EXPECT_EQ(host.links.dumps, 1U);
}

TEST_F(Mtu, written_steps_bring_the_rail_in_sync) {
    addRail("ens1", 1500);
    addLink(kVlan, "ens1.100", "vlan", 1500, kPort);
    setInterfaces({kPort, kVlan});
    for (const Write& write : writesOf(assessed())) {
        const auto& change = std::get<MtuWrite>(write);
        ASSERT_TRUE(host.links.setMtu(change.link, change.bytes));
    }
    EXPECT_THAT(assessed().steps, IsEmpty());
    EXPECT_EQ(only(assessed(), "mtu/ens1.100").verdict, Verdict::inSync);
}

}  // namespace
}  // namespace fabric::resource::mtu
