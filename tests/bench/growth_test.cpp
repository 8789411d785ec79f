// SPDX-License-Identifier: Apache-2.0
// How the cost of a check grows with rails and with PCI functions. Asserted is how
// often the machine is asked; times are printed for people.
#include "engine/run.hpp"
#include "inventory/pci_topology.hpp"
#include "linux/machine.hpp"
#include "scenario/storage_node.hpp"

#include <gtest/gtest.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <fstream>

namespace fabric::scenario {
namespace {

using Milliseconds = std::chrono::duration<double, std::milli>;

struct Cost {
    std::size_t fileReads = 0;
    unsigned dcbGets = 0;
    std::size_t linkDumps = 0;
    std::size_t pciScans = 0;
    double milliseconds = 0;
};

Cost costOfCheck(unsigned rails) {
    StorageNode node(rails);
    const auto profile = losslessProfile();
    const auto start = std::chrono::steady_clock::now();
    const auto report = engine::check(node.reader(), profile, {});
    const Milliseconds took = std::chrono::steady_clock::now() - start;
    EXPECT_GE(report.resources.size(), std::size_t{rails} * 8);
    return {.fileReads = node.host.files.readCount(),
            .dcbGets = node.fakeDcb.getCalls(),
            .linkDumps = node.host.links.dumps,
            .pciScans = node.host.pci.scans,
            .milliseconds = took.count()};
}

TEST(Growth, a_check_asks_the_machine_in_proportion_to_its_rails) {
    const Cost eight = costOfCheck(8);
    const Cost sixteen = costOfCheck(16);
    const Cost sixtyFour = costOfCheck(64);
    std::puts("rails  file reads  DCB gets  link dumps  PCI scans     ms");
    for (const auto& [rails, cost] :
         {std::pair{8, eight}, {16, sixteen}, {64, sixtyFour}}) {
        std::printf("%5d  %10zu  %8u  %10zu  %9zu  %5.1f\n",
                    rails,
                    cost.fileReads,
                    cost.dcbGets,
                    cost.linkDumps,
                    cost.pciScans,
                    cost.milliseconds);
    }
    // One rail more costs the same at 8 as at 64; what does not depend on rails is
    // asked once.
    const std::size_t perRail = (sixteen.fileReads - eight.fileReads) / 8;
    EXPECT_EQ(sixtyFour.fileReads - sixteen.fileReads, perRail * 48);
    EXPECT_EQ(sixtyFour.dcbGets, 64U);
    EXPECT_EQ(sixtyFour.linkDumps, eight.linkDumps);
    EXPECT_EQ(sixtyFour.pciScans, 1U);
}

// A PCI tree of plain files: `count` endpoints, sixteen to a root port.
void makePciTree(const std::filesystem::path& root, unsigned count) {
    namespace fs = std::filesystem;
    const fs::path links = root / "sys/bus/pci/devices";
    fs::create_directories(links);
    for (unsigned at = 0; at < count; ++at) {
        char port[16];
        char function[16];
        std::snprintf(port, sizeof(port), "%04x:00:%02x.0", at / 512, (at / 16) % 32);
        std::snprintf(function,
                      sizeof(function),
                      "%04x:%02x:%02x.%x",
                      at / 512,
                      1 + (at / 16) % 32,
                      (at / 8) % 2,
                      at % 8);
        char bridge[16];
        std::snprintf(bridge, sizeof(bridge), "pci%04x:00", at / 512);
        const fs::path device = root / "sys/devices" / bridge / port / function;
        fs::create_directories(device);
        std::ofstream(device / "uevent")
            << "DRIVER=test\nPCI_CLASS=20000\nPCI_ID=15B3:1021\n";
        std::ofstream(device / "numa_node") << "0\n";
        fs::create_symlink(fs::path("../../../devices") / bridge / port / function,
                           links / function);
    }
}

TEST(Growth, two_thousand_pci_functions_are_scanned_in_proportion) {
    char pattern[] = "/tmp/fabricctl-growth-XXXXXX";
    const std::filesystem::path base = ::mkdtemp(pattern);
    std::puts("PCI functions     ms  us per function");
    for (const unsigned count : {500U, 1000U, 2000U}) {
        const auto root = base / std::to_string(count);
        makePciTree(root, count);
        const linux_host::Machine machine(root.string());
        const auto start = std::chrono::steady_clock::now();
        const auto pci = inventory::observePci(machine.reader());
        const Milliseconds took = std::chrono::steady_clock::now() - start;
        ASSERT_TRUE(pci) << pci.error().message();
        EXPECT_EQ(pci->functions().size(), count);
        std::printf(
            "%13u  %5.1f  %15.1f\n", count, took.count(), took.count() * 1000 / count);
    }
    std::filesystem::remove_all(base);
}

}  // namespace
}  // namespace fabric::scenario
