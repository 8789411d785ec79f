// SPDX-License-Identifier: Apache-2.0
// Linked without the writer library: what only looks needs none.
#include "linux/machine.hpp"

#include "linux/pci_tree.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

namespace fabric::linux_host {
namespace {

std::size_t openDescriptors() {
    return static_cast<std::size_t>(
        std::ranges::distance(std::filesystem::directory_iterator("/proc/self/fd")));
}

TEST(Machine, opens_nothing_before_it_is_asked) {
    const std::size_t before = openDescriptors();
    const Machine machine;
    const host::Reader reader = machine.reader();
    EXPECT_EQ(openDescriptors(), before);
    EXPECT_TRUE(reader.links.links());
    EXPECT_EQ(openDescriptors(), before + 1);
}

TEST(Machine, links_routes_and_dcb_share_one_socket) {
    const Machine machine;
    const host::Reader reader = machine.reader();
    const auto links = reader.links.links().value();
    const std::size_t before = openDescriptors();
    EXPECT_TRUE(reader.links.defaultRouteLinks());
    EXPECT_TRUE(reader.links.addresses());
    EXPECT_FALSE(reader.dcb.get({.link = links.at(0).index}));  // loopback has none
    EXPECT_EQ(openDescriptors(), before + 1);                   // the ioctl socket
}

TEST(Machine, knows_the_time) {
    const Machine machine;
    const host::Reader reader = machine.reader();
    const auto first = reader.clock.now();
    EXPECT_LE(first, reader.clock.now());
    EXPECT_GT(reader.clock.wallTime().time_since_epoch().count(), 0);
}

TEST(Machine, another_root_stands_for_files_and_pci) {
    const testing::PciTree tree;
    const PciAddress port = tree.addPort("pci10000:00/10000:00:01.0", 0x001D);
    const Machine machine(tree.root());
    const host::Reader reader = machine.reader();
    ASSERT_EQ(reader.pci.functions()->size(), 1U);
    EXPECT_EQ(reader.pci.readConfig(port, testing::kAcsAt + 6, 2).value()[0],
              std::byte{0x1D});
    EXPECT_EQ(reader.files.read("/sys/bus/pci/devices/10000:00:01.0/vendor").value(),
              "0x8086\n");
    EXPECT_FALSE(reader.files.read("/etc/passwd"));
}

}  // namespace
}  // namespace fabric::linux_host
