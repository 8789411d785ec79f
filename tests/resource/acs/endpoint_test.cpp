// SPDX-License-Identifier: Apache-2.0
#include "resource/acs/endpoint.hpp"

#include "resource/acs/acs_machine.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace fabric::resource::acs {
namespace {

host::PciFunction function(std::string_view address,
                           std::uint16_t vendor,
                           std::uint16_t device,
                           std::uint32_t classCode) {
    return {.address = bdf(address),
            .hostBridge = "pci0000:00",
            .bridges = {bdf("0000:00:01.0")},
            .vendor = vendor,
            .device = device,
            .classCode = classCode};
}

std::optional<EndpointKind> kindOf(
    const host::PciFunction& one,
    const std::set<PciAddress>& rdma = {},
    std::vector<profile::EndpointSelector> selectors = {}) {
    const inventory::PciTopology pci({one});
    const auto found = findEndpoints(pci, rdma, selectors);
    return found.empty() ? std::nullopt : std::optional(found.front().kind);
}

TEST(AcsEndpoint, gpus_of_three_vendors_count) {
    EXPECT_EQ(kindOf(function("0000:01:00.0", 0x10DE, 0x2330, 0x030200)),
              EndpointKind::gpu);
    EXPECT_EQ(kindOf(function("0000:01:00.0", 0x10DE, 0x2204, 0x030000)),
              EndpointKind::gpu);
    EXPECT_EQ(kindOf(function("0000:01:00.0", 0x1002, 0x74A1, 0x120000)),
              EndpointKind::gpu);
    EXPECT_EQ(kindOf(function("0000:01:00.0", 0x1002, 0x740F, 0x038000)),
              EndpointKind::gpu);
    EXPECT_EQ(kindOf(function("0000:01:00.0", 0x8086, 0x0BD5, 0x038000)),
              EndpointKind::gpu);
}

TEST(AcsEndpoint, A08_what_only_looks_like_a_gpu_does_not_count) {
    EXPECT_EQ(kindOf(function("0000:01:00.0", 0x10DE, 0x22A3, 0x068000)), std::nullopt)
        << "NVSwitch";
    EXPECT_EQ(kindOf(function("0000:01:00.1", 0x10DE, 0x1AEF, 0x040300)), std::nullopt)
        << "audio of a graphics card";
    EXPECT_EQ(kindOf(function("0000:01:00.2", 0x10DE, 0x1AD8, 0x0C0330)), std::nullopt)
        << "USB of a graphics card";
    EXPECT_EQ(kindOf(function("0000:03:00.0", 0x102B, 0x0538, 0x030000)), std::nullopt)
        << "VGA of a management controller";
    EXPECT_EQ(kindOf(function("0000:03:00.0", 0x1A03, 0x2000, 0x030000)), std::nullopt)
        << "VGA of a management controller";
    auto processorGraphics = function("0000:00:02.0", 0x8086, 0x4680, 0x030000);
    processorGraphics.bridges.clear();
    EXPECT_EQ(kindOf(processorGraphics), std::nullopt);
    auto virtualGpu = function("0000:01:00.4", 0x10DE, 0x2330, 0x030200);
    virtualGpu.virtualFunction = true;
    EXPECT_EQ(kindOf(virtualGpu), std::nullopt);
}

TEST(AcsEndpoint, a_network_function_counts_only_with_an_rdma_port) {
    const auto nic = function("0000:1a:00.0", 0x15B3, 0x1021, 0x020000);
    EXPECT_EQ(kindOf(nic), std::nullopt);
    EXPECT_EQ(kindOf(nic, {bdf("0000:1a:00.0")}), EndpointKind::nic);
    const auto infiniband = function("0000:1a:00.0", 0x15B3, 0x1021, 0x020700);
    EXPECT_EQ(kindOf(infiniband, {bdf("0000:1a:00.0")}), EndpointKind::nic);
    auto virtualNic = nic;
    virtualNic.virtualFunction = true;
    EXPECT_EQ(kindOf(virtualNic, {bdf("0000:1a:00.0")}), std::nullopt);
}

TEST(AcsEndpoint, a_data_direct_function_is_a_nic) {
    EXPECT_EQ(kindOf(function("0009:03:00.0", 0x15B3, 0x2100, 0)), EndpointKind::nic);
}

TEST(AcsEndpoint, selectors_replace_the_table) {
    const std::vector<profile::EndpointSelector> selectors{
        {.vendor = "10de", .device = "", .classCode = "03*"},
        {.vendor = "15b3", .device = "102?", .classCode = "02*"}};
    EXPECT_EQ(kindOf(function("0000:01:00.0", 0x10DE, 0x2330, 0x030200), {}, selectors),
              EndpointKind::gpu);
    EXPECT_EQ(kindOf(function("0000:01:00.0", 0x15B3, 0x1021, 0x020000), {}, selectors),
              EndpointKind::nic);
    EXPECT_EQ(kindOf(function("0000:01:00.0", 0x1002, 0x74A1, 0x120000), {}, selectors),
              std::nullopt);
}

TEST(RdmaFunctions, a_port_names_its_function_or_stands_on_a_net_device) {
    fake::FakeHost host;
    host.rdma.add("mlx5_0", IfIndex{}, "0000:1a:00.0");
    // rxe on a VLAN on a bond of two ports.
    host.rdma.add("rxe0", IfIndex{14});
    host.links.add({.index = {10},
                    .name = "a0",
                    .master = {12},
                    .parentBus = "pci",
                    .parentDevice = "0000:3b:00.0"});
    host.links.add({.index = {11},
                    .name = "a1",
                    .master = {12},
                    .parentBus = "pci",
                    .parentDevice = "0000:3b:00.1"});
    host.links.add({.index = {12}, .name = "bond0", .kind = "bond"});
    host.links.add({.index = {14}, .name = "bond0.7", .kind = "vlan", .lower = {12}});
    EXPECT_EQ(rdmaFunctions(host.reader()).value(),
              (std::set<PciAddress>{
                  bdf("0000:1a:00.0"), bdf("0000:3b:00.0"), bdf("0000:3b:00.1")}));
}

TEST(RdmaFunctions, an_unreadable_list_of_ports_is_an_error_and_not_empty) {
    fake::FakeHost host;
    host.rdma.portsError = systemError("dump RDMA devices", "", EPERM);
    EXPECT_FALSE(rdmaFunctions(host.reader()).has_value());
}

}  // namespace
}  // namespace fabric::resource::acs
