// SPDX-License-Identifier: Apache-2.0
#include "linux/rdma_devices.hpp"

#include "fake/fake_files.hpp"
#include "linux/netlink_peer.hpp"
#include "linux/verbs.hpp"

#include <gtest/gtest.h>

#include <rdma/rdma_netlink.h>

#include <cerrno>
#include <filesystem>

namespace fabric::linux_host {
namespace {

using namespace testing;
using namespace std::chrono_literals;

void addText(Bytes& bytes, std::uint16_t type, std::string_view text) {
    Bytes terminated = bytesOf(text);
    terminated.push_back(std::byte{0});
    appendAttribute(bytes, type, ByteView(terminated));
}

Bytes devicePayload(std::uint32_t index,
                    std::string_view name,
                    std::string_view firmware) {
    Bytes bytes;
    appendAttribute(bytes, RDMA_NLDEV_ATTR_DEV_INDEX, index);
    addText(bytes, RDMA_NLDEV_ATTR_DEV_NAME, name);
    appendAttribute(bytes, RDMA_NLDEV_ATTR_PORT_INDEX, std::uint32_t{1});
    if (!firmware.empty()) {
        addText(bytes, RDMA_NLDEV_ATTR_FW_VERSION, firmware);
    }
    return bytes;
}

Bytes portPayload(std::uint32_t number, std::uint8_t state, std::uint32_t netdev) {
    Bytes bytes;
    appendAttribute(bytes, RDMA_NLDEV_ATTR_DEV_INDEX, std::uint32_t{0});
    appendAttribute(bytes, RDMA_NLDEV_ATTR_PORT_INDEX, number);
    appendAttribute(bytes, RDMA_NLDEV_ATTR_PORT_STATE, state);
    if (netdev != 0) {
        appendAttribute(bytes, RDMA_NLDEV_ATTR_NDEV_INDEX, netdev);
    }
    return bytes;
}

constexpr std::uint16_t kAnswer = RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_GET);

Bytes part(std::uint32_t sequence, const Bytes& payload) {
    return message(kAnswer, sequence, payload, NLM_F_MULTI);
}

class RdmaTest : public ::testing::Test {
  protected:
    void addDevice(const std::string& name, const std::string& layer) {
        files_.addFile("/sys/class/infiniband/" + name + "/ports/1/link_layer", layer);
    }

    void addParent(const std::string& name, const std::string& path) {
        files_.addDirectory("/sys/devices/" + path);
        files_.addLink("/sys/class/infiniband/" + name + "/device",
                       "/sys/devices/" + path);
    }

    fake::FakeFiles files_;
};

TEST_F(RdmaTest, no_rdma_stack_is_an_empty_list_and_no_socket_is_opened) {
    NetlinkPeer peer(std::vector<NetlinkPeer::Script>{});
    NetlinkChannel channel(peer.opener(), 10ms);
    EXPECT_TRUE(NetlinkRdma(channel, files_).ports()->empty());
    files_.addDirectory("/sys/class/infiniband");
    EXPECT_TRUE(NetlinkRdma(channel, files_).ports()->empty());
    EXPECT_EQ(peer.openings(), 0U);
}

TEST_F(RdmaTest, a_kernel_without_rdma_netlink_is_an_empty_list) {
    addDevice("mlx5_0", "Ethernet\n");
    NetlinkChannel channel([]() -> Result<NetlinkSocket> {
        Error error = systemError("open netlink socket", {}, EPROTONOSUPPORT);
        error.kind = ErrorKind::unsupported;
        return fail(std::move(error));
    });
    EXPECT_TRUE(NetlinkRdma(channel, files_).ports()->empty());
}

TEST_F(RdmaTest, an_unreadable_sysfs_is_an_error_and_not_an_empty_list) {
    addDevice("mlx5_0", "Ethernet\n");
    files_.failRead("/sys/class/infiniband", EACCES);
    NetlinkPeer peer(std::vector<NetlinkPeer::Script>{});
    NetlinkChannel channel(peer.opener(), 10ms);
    EXPECT_EQ(NetlinkRdma(channel, files_).ports().error().kind, ErrorKind::permission);
}

TEST_F(RdmaTest, ports_of_several_devices_with_parent_layer_and_net_device) {
    addDevice("mlx5_0", "Ethernet\n");
    addParent("mlx5_0", "pci0000:15/0000:15:01.0/0000:1a:00.0");
    addDevice("ibp2", "InfiniBand\n");
    addParent("ibp2", "pci0000:15/0000:15:02.0/0000:1b:00.0/mlx5_core.sf.4");
    addDevice("rxe0", "Ethernet\n");
    NetlinkPeer peer({{part(1, devicePayload(0, "mlx5_0", "28.39.1002")),
                       part(1, devicePayload(1, "ibp2", "28.39.1002")),
                       part(1, devicePayload(2, "rxe0", "")),
                       doneMessage(1),
                       part(2, portPayload(1, 4, 7)),
                       doneMessage(2),
                       part(3, portPayload(1, 1, 0)),
                       doneMessage(3),
                       part(4, portPayload(1, 4, 9)),
                       doneMessage(4)}});
    NetlinkChannel channel(peer.opener(), 50ms);
    const auto ports = NetlinkRdma(channel, files_).ports().value();
    ASSERT_EQ(ports.size(), 3U);
    EXPECT_EQ(ports[0].device, "ibp2");
    EXPECT_EQ(ports[0].linkLayer, host::LinkLayer::infiniband);
    EXPECT_EQ(ports[0].state, "down");
    EXPECT_TRUE(ports[0].link.none());
    EXPECT_EQ(ports[0].pci, "0000:1b:00.0");
    EXPECT_EQ(ports[1].device, "mlx5_0");
    EXPECT_EQ(ports[1].linkLayer, host::LinkLayer::ethernet);
    EXPECT_EQ(ports[1].state, "active");
    EXPECT_EQ(ports[1].link, IfIndex{7});
    EXPECT_EQ(ports[1].pci, "0000:1a:00.0");
    EXPECT_EQ(ports[1].firmware, "28.39.1002");
    EXPECT_EQ(ports[2].device, "rxe0");
    EXPECT_EQ(ports[2].pci, "");
    EXPECT_EQ(ports[2].firmware, "");
    // The second request asks for the ports of one device.
    const auto sent = peer.takeRequests();
    ASSERT_EQ(sent.size(), 4U);
    EXPECT_EQ(valueAt<nlmsghdr>(sent[2])->nlmsg_type,
              RDMA_NL_GET_TYPE(RDMA_NL_NLDEV, RDMA_NLDEV_CMD_PORT_GET));
    const auto asked = Attributes::parse(ByteView(sent[2]).subspan(16));
    EXPECT_EQ(asked->value<std::uint32_t>(RDMA_NLDEV_ATTR_DEV_INDEX), 1U);
}

TEST_F(RdmaTest, a_device_that_disappears_is_left_out_and_a_refusal_is_not) {
    addDevice("mlx5_0", "Ethernet\n");
    NetlinkPeer gone({{part(1, devicePayload(0, "mlx5_0", "")),
                       doneMessage(1),
                       errorMessage(2, -ENODEV)}});
    NetlinkChannel goneChannel(gone.opener(), 50ms);
    EXPECT_TRUE(NetlinkRdma(goneChannel, files_).ports()->empty());
    NetlinkPeer refused({{part(1, devicePayload(0, "mlx5_0", "")),
                          doneMessage(1),
                          errorMessage(2, -EPERM)}});
    NetlinkChannel refusedChannel(refused.opener(), 50ms);
    EXPECT_EQ(NetlinkRdma(refusedChannel, files_).ports().error().kind,
              ErrorKind::permission);
}

TEST(RdmaDecode, answers_without_an_index_or_cut_off_are_malformed) {
    Bytes nameless;
    appendAttribute(nameless, RDMA_NLDEV_ATTR_DEV_INDEX, std::uint32_t{0});
    EXPECT_EQ(decodeRdmaDevice(nameless).error().kind, ErrorKind::malformed);
    EXPECT_EQ(decodeRdmaPort(nameless).error().kind, ErrorKind::malformed);
    const Bytes whole = devicePayload(0, "mlx5_0", "28.39.1002");
    EXPECT_EQ(decodeRdmaDevice(ByteView(whole).first(13)).error().kind,
              ErrorKind::malformed);
}

TEST(RdmaDecode, an_unknown_port_state_is_empty) {
    EXPECT_EQ(decodeRdmaPort(portPayload(1, 0, 0))->state, "");
    EXPECT_EQ(decodeRdmaPort(portPayload(1, 200, 0))->state, "");
    EXPECT_EQ(decodeRdmaPort(portPayload(1, 2, 0))->state, "init");
    EXPECT_EQ(decodeRdmaPort(portPayload(1, 3, 0))->state, "armed");
}

TEST(Verbs, a_device_that_does_not_exist_is_an_error_that_names_it) {
    const auto attributes = queryVerbsPort("no_such_device", 1);
    ASSERT_FALSE(attributes.has_value());
    EXPECT_EQ(attributes.error().subject, "no_such_device");
    EXPECT_NE(attributes.error().sysErrno, 0);
}

}  // namespace
}  // namespace fabric::linux_host
