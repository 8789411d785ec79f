// SPDX-License-Identifier: Apache-2.0
#include "linux/machine_writer.hpp"

#include "linux/pci_tree.hpp"

#include <gtest/gtest.h>

namespace fabric::linux_host {
namespace {

TEST(MachineWriter, what_is_written_is_read_back_by_the_reader_of_the_same_machine) {
    const testing::PciTree tree;
    const PciAddress port = tree.addPort("pci0000:00/0000:00:01.0", 0x001D);
    Machine machine(tree.root());
    MachineWriter parts(machine);
    const host::Writer writer = parts.writer();
    const host::Reader reader = machine.reader();
    EXPECT_EQ(reader.pci.readConfig(port, testing::kAcsAt + 6, 2).value()[0],
              std::byte{0x1D});
    EXPECT_TRUE(writer.pci.update({.address = port,
                                   .capabilityId = testing::kAcsId,
                                   .capability = testing::kAcsAt,
                                   .registerOffset = 6,
                                   .clear = 0x002C,
                                   .set = 0}));
    EXPECT_EQ(reader.pci.readConfig(port, testing::kAcsAt + 6, 2).value()[0],
              std::byte{0x11});
    EXPECT_TRUE(writer.files.makeDirectory("/etc", 0755));
    EXPECT_TRUE(writer.files.replaceFile("/etc/file", "text", 0644));
    EXPECT_EQ(reader.files.read("/etc/file").value(), "text");
}

}  // namespace
}  // namespace fabric::linux_host
