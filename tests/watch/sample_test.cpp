// SPDX-License-Identifier: Apache-2.0
#include "watch/sample.hpp"

#include "fake/fake_host.hpp"

#include <gmock/gmock.h>

#include <cerrno>

namespace fabric::watch {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Pair;
using ::testing::SizeIs;

constexpr std::string_view kPort = "/sys/class/infiniband/mlx5_0/ports/1";

class WatchSample : public ::testing::Test {
  protected:
    WatchSample() {
        rail.name = "ens1f0np0";
        rail.link = IfIndex{2};
        rail.driver = "mlx5_core";
        rail.ports = {{.link = IfIndex{2},
                       .name = "ens1f0np0",
                       .pci = PciAddress::parse("0000:1a:00.0"),
                       .driver = "mlx5_core",
                       .firmware = {}}};
        rail.rdma = host::RdmaPort{.device = "mlx5_0",
                                   .port = 1,
                                   .linkLayer = host::LinkLayer::ethernet,
                                   .link = IfIndex{2},
                                   .state = "active",
                                   .firmware = {},
                                   .pci = "0000:1a:00.0"};
        host.ethtool.counters[IfIndex{2}] = {{"rx_prio3_pause", 7}};
        count("hw_counters/packet_seq_err", "12\n");
        count("counters/port_xmit_data", "100\n");
    }

    void count(const std::string& name, std::string text) {
        host.files.addFile(std::string(kPort) + "/" + name, std::move(text));
    }

    [[nodiscard]] Sample taken() const { return takeSample(host.reader(), rail); }

    fake::FakeHost host;
    inventory::Rail rail;
};

TEST_F(WatchSample, the_port_and_the_rdma_device_are_both_asked) {
    const Sample sample = taken();
    EXPECT_EQ(sample.rdma, "mlx5_0/1");
    ASSERT_THAT(sample.sources, SizeIs(2));
    EXPECT_EQ(sample.sources[0].place, Place::port);
    EXPECT_THAT(sample.sources[0].counters.value(),
                ElementsAre(Pair("rx_prio3_pause", 7)));
    EXPECT_EQ(sample.sources[1].place, Place::rdma);
    EXPECT_EQ(sample.sources[1].driver, "mlx5_core");
    EXPECT_THAT(sample.sources[1].counters.value(),
                ElementsAre(Pair("packet_seq_err", 12), Pair("port_xmit_data", 100)));
}

TEST_F(WatchSample, a_file_that_holds_no_number_is_no_counter) {
    count("hw_counters/out_of_buffer", "\n");
    count("hw_counters/lifespan", "10\n");
    count("hw_counters/broken", "-1\n");
    host.files.addFile(std::string(kPort) + "/hw_counters/refused", "5\n");
    host.files.failRead(std::string(kPort) + "/hw_counters/refused", EINVAL);
    EXPECT_THAT(readRdmaCounters(host.files, *rail.rdma).value(),
                ElementsAre(Pair("lifespan", 10),
                            Pair("packet_seq_err", 12),
                            Pair("port_xmit_data", 100)));
}

TEST_F(WatchSample, what_cannot_be_read_is_an_error_in_its_place) {
    host.ethtool.counters.clear();
    host.files.erase(std::string(kPort) + "/hw_counters");
    const Sample sample = taken();
    ASSERT_THAT(sample.sources, SizeIs(2));
    EXPECT_EQ(sample.sources[0].counters.error().kind, ErrorKind::unsupported);
    EXPECT_EQ(sample.sources[1].counters.error().kind, ErrorKind::notFound);
    EXPECT_EQ(sample.lossless.error().kind, ErrorKind::unsupported);
}

TEST_F(WatchSample, a_software_device_counts_in_its_own_words) {
    rail.rdma->pci.clear();
    EXPECT_EQ(taken().sources.at(1).driver, "rdma_rxe");
}

TEST_F(WatchSample, an_infiniband_port_is_not_asked_for_pfc) {
    rail.rdma->linkLayer = host::LinkLayer::infiniband;
    EXPECT_THAT(taken().lossless.value(), IsEmpty());
}

TEST_F(WatchSample, a_rail_without_a_port_of_its_own_counts_by_itself) {
    rail.ports.clear();
    rail.rdma.reset();
    ASSERT_THAT(taken().sources, SizeIs(1));
    EXPECT_EQ(taken().sources[0].name, "ens1f0np0");
    EXPECT_TRUE(taken().sources[0].counters);
}

TEST_F(WatchSample, a_device_that_is_gone_is_told_as_that) {
    host.ethtool.readErrors[IfIndex{2}] = ENODEV;
    EXPECT_EQ(taken().sources.at(0).counters.error().sysErrno, ENODEV);
}

TEST_F(WatchSample, without_a_name_every_rail_with_an_rdma_port_is_watched) {
    host.links.add(2, "ens1f0np0");
    host.links.add(3, "eno1");
    host.rdma.add("mlx5_0", IfIndex{2});
    const auto all = watchedRails(host.reader(), "");
    ASSERT_TRUE(all) << all.error().message();
    ASSERT_THAT(*all, SizeIs(1));
    EXPECT_EQ(all->front().name, "ens1f0np0");
    const auto named = watchedRails(host.reader(), "eno1");
    ASSERT_TRUE(named) << named.error().message();
    ASSERT_THAT(*named, SizeIs(1));
    EXPECT_EQ(named->front().name, "eno1");
    EXPECT_EQ(watchedRails(host.reader(), "ens9").error().kind, ErrorKind::notFound);
}

}  // namespace
}  // namespace fabric::watch
