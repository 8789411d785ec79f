// SPDX-License-Identifier: Apache-2.0
#include "snapshot/whereabouts.hpp"

#include "fake/fake_host.hpp"
#include "snapshot/place.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace fabric::snapshot {
namespace {

constexpr const char* kFirstMac = "b8:ce:f6:00:00:01";
constexpr const char* kSecondMac = "b8:ce:f6:00:00:02";

class Identity : public ::testing::Test {
  protected:
    // A port of an adapter, with the vendor and device of its function.
    host::Link& addNic(std::uint32_t index,
                       const std::string& name,
                       const char* mac,
                       const std::string& pci,
                       const char* device = "0x1021\n") {
        host::Link& link = host.links.add(index, name);
        link.permanentMac = *MacAddress::parse(mac);
        link.parentBus = "pci";
        link.parentDevice = pci;
        host.files.addFile("/sys/bus/pci/devices/" + pci + "/vendor", "0x15b3\n");
        host.files.addFile("/sys/bus/pci/devices/" + pci + "/device", device);
        return link;
    }

    LinkIdentity identityOf(std::uint32_t index) {
        const host::Reader reader = host.reader();
        return Whereabouts(reader).identityOf(IfIndex{index}).value();
    }

    Result<host::Link> find(const LinkIdentity& identity) {
        const host::Reader reader = host.reader();
        return Whereabouts(reader).find(identity);
    }

    fake::FakeHost host;
};

TEST_F(Identity, a_nic_is_found_again_by_another_name_index_and_bus) {
    addNic(5, "ens1", kFirstMac, "0000:1a:00.0");
    const LinkIdentity before = identityOf(5);
    host.links.remove(IfIndex{5});
    addNic(9, "rail7", kFirstMac, "0000:3b:00.0");
    const auto now = find(before);
    ASSERT_TRUE(now) << now.error().message();
    EXPECT_EQ(now->name, "rail7");
    EXPECT_EQ(now->index, IfIndex{9});
}

TEST_F(Identity, two_nics_of_one_model_that_swapped_their_names_are_told_apart) {
    addNic(5, "rail0", kFirstMac, "0000:1a:00.0");
    addNic(6, "rail1", kSecondMac, "0000:1b:00.0");
    const LinkIdentity first = identityOf(5);
    host.links.find(IfIndex{5})->name = "rail1";
    host.links.find(IfIndex{6})->name = "rail0";
    EXPECT_EQ(find(first)->name, "rail1");
}

TEST_F(Identity, the_same_mac_on_another_model_is_another_device) {
    addNic(5, "rail0", kFirstMac, "0000:1a:00.0");
    const LinkIdentity before = identityOf(5);
    host.links.remove(IfIndex{5});
    addNic(5, "rail0", kFirstMac, "0000:1a:00.1", "0x101d\n");
    EXPECT_EQ(find(before).error().kind, ErrorKind::mismatch);
}

// Seen in the fault matrix: it was taken for "another one now: 0000:0000".
TEST_F(Identity, a_nic_that_cannot_be_read_is_no_other_nic) {
    addNic(5, "rail0", kFirstMac, "0000:1a:00.0");
    host::Link& vlan = host.links.add(7, "rail0.100");
    vlan.kind = "vlan";
    vlan.lower = IfIndex{5};
    const LinkIdentity before = identityOf(5);
    const LinkIdentity above = identityOf(7);
    const host::Reader reader = host.reader();
    for (const char* file : {"vendor", "device"}) {
        const std::string path =
            std::string("/sys/bus/pci/devices/0000:1a:00.0/") + file;
        host.files.failRead(path, EIO);
        EXPECT_EQ(find(before).error().kind, ErrorKind::io) << file;
        EXPECT_EQ(find(above).error().kind, ErrorKind::io) << file;
        const auto kept = Whereabouts(reader).identityOf(IfIndex{5});
        ASSERT_FALSE(kept) << "kept as " << kept->text() << ", which no device is";
        EXPECT_EQ(kept.error().kind, ErrorKind::io);
        host.files.failRead(path, 0);
        host.files.addFile(path, "");
        EXPECT_EQ(find(before).error().kind, ErrorKind::malformed) << file;
        host.files.addFile(path,
                           file == std::string("vendor") ? "0x15b3\n" : "0x1021\n");
    }
    EXPECT_TRUE(find(before));
}

TEST_F(Identity, a_nic_that_is_gone_is_not_found_under_its_old_name) {
    addNic(5, "rail0", kFirstMac, "0000:1a:00.0");
    const LinkIdentity before = identityOf(5);
    host.links.remove(IfIndex{5});
    addNic(5, "rail0", kSecondMac, "0000:1a:00.0");
    EXPECT_EQ(find(before).error().kind, ErrorKind::notFound);
}

TEST_F(Identity, a_nic_that_two_devices_answer_to_is_refused) {
    addNic(5, "rail0", kFirstMac, "0000:1a:00.0");
    const LinkIdentity before = identityOf(5);
    addNic(6, "rail1", kFirstMac, "0000:1b:00.0");
    EXPECT_EQ(find(before).error().kind, ErrorKind::refused);
}

TEST_F(Identity, a_nic_without_a_permanent_mac_has_no_identity) {
    addNic(5, "rail0", kFirstMac, "0000:1a:00.0").permanentMac.reset();
    const host::Reader reader = host.reader();
    EXPECT_EQ(Whereabouts(reader).identityOf(IfIndex{5}).error().kind,
              ErrorKind::unsupported);
}

TEST_F(Identity, a_vlan_is_the_same_only_on_the_same_adapter) {
    addNic(5, "rail0", kFirstMac, "0000:1a:00.0");
    addNic(6, "rail1", kSecondMac, "0000:1b:00.0");
    host::Link& vlan = host.links.add(7, "rail0.100");
    vlan.kind = "vlan";
    vlan.lower = IfIndex{5};
    const LinkIdentity before = identityOf(7);
    EXPECT_EQ(before.on, std::vector{*identityOf(5).nic});
    EXPECT_EQ(find(before)->index, IfIndex{7});
    host.links.find(IfIndex{7})->lower = IfIndex{6};
    EXPECT_EQ(find(before).error().kind, ErrorKind::mismatch);
}

// A root port with one function below it.
class PciPath : public ::testing::Test {
  protected:
    void add(const std::string& root, std::uint8_t rootBus, std::uint8_t bus) {
        const PciAddress port{.domain = 0, .bus = rootBus, .device = 2, .function = 0};
        host.pci.add({.address = port,
                      .hostBridge = root,
                      .vendor = 0x8086,
                      .device = 0x347A,
                      .classCode = 0x060400});
        host.pci.add({.address = {.domain = 0, .bus = bus, .device = 0, .function = 0},
                      .hostBridge = root,
                      .bridges = {port},
                      .vendor = 0x15B3,
                      .device = 0x1021,
                      .classCode = 0x020000});
    }

    static PciAddress function(std::uint8_t bus) {
        return {.domain = 0, .bus = bus, .device = 0, .function = 0};
    }

    fake::FakeHost host;
};

TEST_F(PciPath, a_function_is_found_again_on_another_bus) {
    add("pci0000:00", 0, 0x1a);
    const host::Reader before = host.reader();
    const PciIdentity identity = Whereabouts(before).identityOf(function(0x1a)).value();
    EXPECT_EQ(identity.way.size(), 2U);
    fake::FakeHost later;
    std::swap(later.pci, host.pci);
    host.pci = {};
    add("pci0000:00", 0, 0x44);
    const host::Reader now = host.reader();
    EXPECT_EQ(Whereabouts(now).find(identity).value(), function(0x44));
}

TEST_F(PciPath, equal_paths_below_two_roots_are_told_apart) {
    add("pci0000:00", 0, 0x1a);
    add("pci0000:80", 0x80, 0x9a);
    const host::Reader reader = host.reader();
    Whereabouts where(reader);
    for (const std::uint8_t bus : {std::uint8_t{0x1a}, std::uint8_t{0x9a}}) {
        const PciIdentity identity = where.identityOf(function(bus)).value();
        EXPECT_EQ(where.find(identity).value(), function(bus));
    }
}

TEST_F(PciPath, a_root_whose_bus_number_moved_is_known_by_its_firmware_path) {
    add("pci0000:80", 0x80, 0x9a);
    host.files.addFile("/sys/devices/pci0000:80/firmware_node/path", "\\_SB_.PC01\n");
    const host::Reader before = host.reader();
    const PciIdentity identity = Whereabouts(before).identityOf(function(0x9a)).value();
    EXPECT_EQ(identity.firmwareRoot, "\\_SB_.PC01");
    host.pci = {};
    add("pci0000:40", 0x40, 0x5a);
    add("pci0000:80", 0x80, 0x9a);
    host.files.addFile("/sys/devices/pci0000:40/firmware_node/path", "\\_SB_.PC01\n");
    host.files.find("/sys/devices/pci0000:80/firmware_node/path")->content =
        "\\_SB_.PC02\n";
    const host::Reader now = host.reader();
    EXPECT_EQ(Whereabouts(now).find(identity).value(), function(0x5a));
}

TEST_F(PciPath, another_device_on_the_way_is_another_function) {
    add("pci0000:00", 0, 0x1a);
    const host::Reader reader = host.reader();
    const PciIdentity identity = Whereabouts(reader).identityOf(function(0x1a)).value();
    host.pci.find({.domain = 0, .bus = 0, .device = 2, .function = 0})->info.device = 1;
    const host::Reader now = host.reader();
    EXPECT_EQ(Whereabouts(now).find(identity).error().kind, ErrorKind::notFound);
}

class Places : public Identity {
  protected:
    void SetUp() override {
        addNic(5, "ens1", kFirstMac, "0000:1a:00.0");
        host.rdma.add("mlx5_0", IfIndex{5}, "0000:1a:00.0");
    }

    // The place of a path, and that path again after everything was renamed.
    std::string afterRenaming(const std::string& path) {
        const host::Reader reader = host.reader();
        Whereabouts before(reader);
        const Place place = placeOf(before, path, IfIndex{5}).value();
        EXPECT_EQ(place.link, IfIndex{5}) << path;
        EXPECT_EQ(pathAt(before, place.text, host.links.find(IfIndex{5})).value(),
                  path);
        host.rdma = {};
        host.rdma.add("rocep59s0", IfIndex{5}, "0000:3b:00.0");
        host::Link& link = *host.links.find(IfIndex{5});
        link.name = "rail7";
        link.parentDevice = "0000:3b:00.0";
        const host::Reader now = host.reader();
        Whereabouts after(now);
        return pathAt(after, place.text, &link).value();
    }
};

TEST_F(Places, an_attribute_of_an_interface_follows_its_name) {
    EXPECT_EQ(afterRenaming("/sys/class/net/ens1/ecn/roce_np/enable/3"),
              "/sys/class/net/rail7/ecn/roce_np/enable/3");
}

TEST_F(Places, one_of_an_rdma_device_follows_that_of_its_port) {
    EXPECT_EQ(
        afterRenaming("/sys/kernel/config/rdma_cm/mlx5_0/ports/1/default_roce_tos"),
        "/sys/kernel/config/rdma_cm/rocep59s0/ports/1/default_roce_tos");
}

TEST_F(Places, one_of_a_function_follows_its_address) {
    EXPECT_EQ(
        afterRenaming("/sys/kernel/debug/mlx5/0000:1a:00.0/cc_params/np_cnp_dscp"),
        "/sys/kernel/debug/mlx5/0000:3b:00.0/cc_params/np_cnp_dscp");
}

TEST_F(Places, one_of_a_device_that_is_not_there_has_no_place) {
    const host::Reader reader = host.reader();
    Whereabouts where(reader);
    EXPECT_FALSE(placeOf(where, "/sys/class/net/other/mtu", IfIndex{5}));
    EXPECT_FALSE(placeOf(where, "/sys/kernel/config/rdma_cm/mlx5_9/ports", IfIndex{5}));
    EXPECT_FALSE(pathAt(where, "/sys/class/net/{interface}/mtu", nullptr));
}

}  // namespace
}  // namespace fabric::snapshot
