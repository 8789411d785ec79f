// SPDX-License-Identifier: Apache-2.0
#include "linux/pci_scan.hpp"

#include "fake/fake_files.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace fabric::linux_host {
namespace {

PciAddress at(std::string_view text) {
    return PciAddress::parse(text).value();
}

TEST(PciPlace, bridges_run_from_the_root_port_to_the_parent) {
    const PciPlace place = placeInPath(
        "../../../devices/pci0000:15/0000:15:01.0/0000:16:00.0/0000:17:00.0/"
        "0000:18:00.0");
    EXPECT_EQ(place.hostBridge, "pci0000:15");
    EXPECT_EQ(place.bridges,
              (std::vector<PciAddress>{
                  at("0000:15:01.0"), at("0000:16:00.0"), at("0000:17:00.0")}));
}

TEST(PciPlace, a_function_on_a_root_bus_has_no_bridge) {
    const PciPlace place = placeInPath("../../../devices/pci0000:00/0000:00:1f.0");
    EXPECT_EQ(place.hostBridge, "pci0000:00");
    EXPECT_TRUE(place.bridges.empty());
}

TEST(PciPlace, A07_a_domain_that_starts_in_the_middle_of_the_path) {
    const PciPlace place = placeInPath(
        "../../../devices/pci0000:80/0000:80:00.5/pci10000:80/10000:80:01.0/"
        "10000:81:00.0");
    EXPECT_EQ(place.hostBridge, "pci10000:80");
    EXPECT_EQ(place.bridges, std::vector<PciAddress>{at("10000:80:01.0")});
}

TEST(PciPlace, a_host_bridge_below_a_platform_device) {
    const PciPlace place = placeInPath(
        "../../../devices/platform/NVDA2014:08/pci0008:00/0008:00:00.0/0008:01:00.0");
    EXPECT_EQ(place.hostBridge, "pci0008:00");
    EXPECT_EQ(place.bridges, std::vector<PciAddress>{at("0008:00:00.0")});
}

class PciScanTest : public ::testing::Test {
  protected:
    // A function as sysfs shows it: a directory and the link to it.
    std::string add(const std::string& path) {
        const std::string directory = "/sys/devices/" + path;
        files_.addDirectory(directory);
        files_.addLink("/sys/bus/pci/devices/" + path.substr(path.rfind('/') + 1),
                       "../../../devices/" + path);
        return directory;
    }

    fake::FakeFiles files_;
};

TEST_F(PciScanTest, everything_that_sysfs_tells) {
    const std::string nic = add("pci0000:15/0000:15:01.0/0000:16:00.0");
    files_.addFile(nic + "/uevent",
                   "DRIVER=mlx5_core\nPCI_CLASS=20000\nPCI_ID=15B3:1021\n"
                   "PCI_SUBSYS_ID=15B3:0041\nPCI_SLOT_NAME=0000:16:00.0\n");
    files_.addFile(nic + "/numa_node", "1\n");
    files_.addLink(nic + "/iommu_group", "../../../../kernel/iommu_groups/42");
    files_.addLink(nic + "/physfn", "../0000:16:00.1");
    const auto functions = scanPciFunctions(files_).value();
    ASSERT_EQ(functions.size(), 1U);
    const host::PciFunction& function = functions[0];
    EXPECT_EQ(function.address, at("0000:16:00.0"));
    EXPECT_EQ(function.vendor, 0x15B3);
    EXPECT_EQ(function.device, 0x1021);
    EXPECT_EQ(function.classCode, 0x020000U);
    EXPECT_EQ(function.driver, "mlx5_core");
    EXPECT_EQ(function.numaNode, 1);
    EXPECT_EQ(function.iommuGroup, 42);
    EXPECT_TRUE(function.virtualFunction);
    EXPECT_EQ(function.bridges, std::vector<PciAddress>{at("0000:15:01.0")});
}

TEST_F(PciScanTest, trees_without_uevent_have_a_file_per_fact) {
    const std::string gpu = add("pci0000:00/0000:00:01.0");
    files_.addFile(gpu + "/vendor", "0x10de\n");
    files_.addFile(gpu + "/device", "0x2330\n");
    files_.addFile(gpu + "/class", "0x030200\n");
    files_.addLink(gpu + "/driver", "../../../bus/pci/drivers/nvidia");
    const host::PciFunction function = scanPciFunctions(files_).value().at(0);
    EXPECT_EQ(function.vendor, 0x10DE);
    EXPECT_EQ(function.device, 0x2330);
    EXPECT_EQ(function.classCode, 0x030200U);
    EXPECT_EQ(function.driver, "nvidia");
    EXPECT_FALSE(function.virtualFunction);
    EXPECT_FALSE(function.iommuGroup.has_value());
}

TEST_F(PciScanTest, an_unknown_numa_node_is_empty) {
    const std::string nic = add("pci0000:00/0000:00:01.0");
    files_.addFile(nic + "/uevent", "PCI_CLASS=20000\nPCI_ID=15B3:1021\n");
    files_.addFile(nic + "/numa_node", "-1\n");
    const host::PciFunction function = scanPciFunctions(files_).value().at(0);
    EXPECT_FALSE(function.numaNode.has_value());
    EXPECT_EQ(function.driver, "");
}

TEST_F(PciScanTest, A07_every_domain_is_found_in_the_order_of_numbers) {
    for (const char* path : {"pci10000:00/10000:00:01.0",
                             "pci0000:00/0000:00:02.0",
                             "pci0008:00/0008:00:00.0"}) {
        files_.addFile(add(path) + "/uevent", "PCI_CLASS=60400\nPCI_ID=8086:352A\n");
    }
    const auto functions = scanPciFunctions(files_).value();
    ASSERT_EQ(functions.size(), 3U);
    EXPECT_EQ(functions[0].address, at("0000:00:02.0"));
    EXPECT_EQ(functions[1].address, at("0008:00:00.0"));
    EXPECT_EQ(functions[2].address, at("10000:00:01.0"));
}

TEST_F(PciScanTest, a_function_that_disappears_is_left_out_and_an_error_is_not) {
    files_.addFile(add("pci0000:00/0000:00:01.0") + "/uevent",
                   "PCI_CLASS=60400\nPCI_ID=8086:352A\n");
    add("pci0000:00/0000:00:02.0");  // its files are gone already
    EXPECT_EQ(scanPciFunctions(files_)->size(), 1U);
    files_.failRead("/sys/bus/pci/devices/0000:00:02.0/vendor", EACCES);
    EXPECT_EQ(scanPciFunctions(files_).error().kind, ErrorKind::permission);
}

TEST_F(PciScanTest, A02_no_pci_directory_is_an_error_and_not_an_empty_machine) {
    EXPECT_FALSE(scanPciFunctions(files_).has_value());
}

}  // namespace
}  // namespace fabric::linux_host
