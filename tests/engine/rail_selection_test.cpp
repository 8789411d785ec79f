// SPDX-License-Identifier: Apache-2.0
#include "engine/rail_selection.hpp"

#include <gtest/gtest.h>

namespace fabric::engine {
namespace {

using inventory::FunctionKind;
using inventory::Rail;
using profile::RailSelection;
using profile::RailSelector;

Rail mlx5(std::uint32_t index, std::string name, std::string device) {
    Rail rail{.name = name,
              .link = {index},
              .kind = FunctionKind::physical,
              .driver = "mlx5_core"};
    rail.vendor = "15b3";
    rail.rdma = host::RdmaPort{.device = std::move(device),
                               .port = 1,
                               .linkLayer = host::LinkLayer::ethernet,
                               .link = {index},
                               .state = "active",
                               .pci = "0000:1a:00.0"};
    rail.ports = {{.link = {index}, .name = name, .driver = "mlx5_core"}};
    return rail;
}

std::vector<Rail> hostWithTwoRails() {
    Rail management{
        .name = "eno1", .link = {9}, .kind = FunctionKind::physical, .driver = "igb"};
    management.ports = {{.link = {9}, .name = "eno1"}};
    Rail vf = mlx5(12, "ens1f0v0", "mlx5_2");
    vf.kind = FunctionKind::virtualFunction;
    return {management,
            mlx5(10, "ens1f0np0", "mlx5_0"),
            vf,
            mlx5(11, "ens2f0np0", "mlx5_1")};
}

std::string names(const RailSelectionResult& result) {
    std::string text;
    for (const Rail& rail : result.rails) {
        text += rail.name + " ";
    }
    return text;
}

TEST(SelectRails, by_default_every_physical_ethernet_rdma_port) {
    EXPECT_EQ(names(selectRails({}, hostWithTwoRails())), "ens1f0np0 ens2f0np0 ");
}

TEST(SelectRails, default_leaves_out_infiniband_and_ports_without_a_net_device) {
    auto candidates = hostWithTwoRails();
    candidates[1].rdma->linkLayer = host::LinkLayer::infiniband;
    candidates[3].link = {};
    EXPECT_EQ(names(selectRails({}, candidates)), "");
    EXPECT_FALSE(selectRails({}, candidates).complete);
}

TEST(SelectRails,
     H14_default_match_leaves_out_the_rail_with_the_default_route_and_says_so) {
    auto candidates = hostWithTwoRails();
    candidates[1].defaultRouteVia = "ens1f0np0.100";
    const auto result = selectRails({}, candidates);
    EXPECT_EQ(names(result), "ens2f0np0 ");
    ASSERT_EQ(result.findings.size(), 1U);
    EXPECT_EQ(result.findings[0].id, "rails.default-route");
    EXPECT_EQ(names(selectRails({.includeDefaultRoute = true}, candidates)),
              "ens1f0np0 ens2f0np0 ");
}

TEST(SelectRails, an_interface_without_rdma_can_be_named) {
    const auto result =
        selectRails({.match = {RailSelector{.interface = "eno*"}}}, hostWithTwoRails());
    EXPECT_EQ(names(result), "eno1 ");
    EXPECT_EQ(
        names(selectRails({.match = {RailSelector{.rdma = "*"}}}, hostWithTwoRails())),
        "ens1f0np0 ens1f0v0 ens2f0np0 ");
}

TEST(SelectRails, exclude_wins) {
    const RailSelection selection{.match = {RailSelector{.rdma = "mlx5_*"}},
                                  .exclude = {RailSelector{.interface = "ens2*"},
                                              RailSelector{.interface = "*v0"}}};
    EXPECT_EQ(names(selectRails(selection, hostWithTwoRails())), "ens1f0np0 ");
}

TEST(SelectRails, a_vlan_on_a_selected_rail_is_part_of_it) {
    auto candidates = hostWithTwoRails();
    Rail vlan{.name = "ens1f0np0.100", .link = {20}, .kind = FunctionKind::stacked};
    vlan.ports = candidates[1].ports;
    candidates.push_back(vlan);
    EXPECT_EQ(names(selectRails({.match = {RailSelector{.interface = "ens1f0np0*"}}},
                                candidates)),
              "ens1f0np0 ");
    EXPECT_EQ(
        names(selectRails({.match = {RailSelector{.interface = "*.100"}}}, candidates)),
        "ens1f0np0.100 ");
}

TEST(SelectRails, expect_exact_number) {
    const RailSelection three{.expectMin = 3, .expectMax = 3};
    const auto few = selectRails(three, hostWithTwoRails());
    EXPECT_EQ(few.expect->verdict, resource::Verdict::differs);
    EXPECT_FALSE(few.complete);
    EXPECT_FALSE(few.tooMany);

    const RailSelection one{.expectMin = 1, .expectMax = 1};
    const auto many = selectRails(one, hostWithTwoRails());
    EXPECT_TRUE(many.tooMany);
    EXPECT_EQ(many.expect->verdict, resource::Verdict::differs);

    const RailSelection two{.expectMin = 2, .expectMax = 2};
    const auto right = selectRails(two, hostWithTwoRails());
    EXPECT_EQ(right.expect->verdict, resource::Verdict::inSync);
    EXPECT_TRUE(right.complete);
}

TEST(SelectRails,
     without_expect_a_selector_without_a_match_is_a_warning_and_keeps_waiting) {
    const RailSelection selection{
        .match = {RailSelector{.rdma = "mlx5_0"}, RailSelector{.rdma = "mlx5_7"}}};
    const auto result = selectRails(selection, hostWithTwoRails());
    ASSERT_EQ(result.findings.size(), 1U);
    EXPECT_EQ(result.findings[0].id, "rails.selector-unmatched");
    EXPECT_FALSE(result.complete);
}

TEST(NoRailsFinding, says_what_was_looked_for_where_and_what_would_help) {
    const auto finding = noRailsFinding({}, hostWithTwoRails());
    EXPECT_NE(finding.evidence.find("3 RDMA ports"), std::string::npos);
    EXPECT_NE(finding.evidence.find("RDMA netlink"), std::string::npos);
    EXPECT_NE(finding.fix.find("modprobe"), std::string::npos);
}

}  // namespace
}  // namespace fabric::engine
