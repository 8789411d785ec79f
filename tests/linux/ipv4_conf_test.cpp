// SPDX-License-Identifier: Apache-2.0
#include "linux/ipv4_conf.hpp"

#include "fake/fake_files.hpp"
#include "linux/ipv4_conf_writer.hpp"
#include "linux/network_namespace.hpp"
#include "linux/posix_file_writer.hpp"
#include "linux/posix_files.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

namespace fabric::linux_host {
namespace {

using host::Ipv4Key;

std::vector<std::byte> linkWithArray(std::size_t entries) {
    std::vector<std::byte> array;
    for (std::uint32_t at = 1; at <= entries; ++at) {
        appendValue(array, at * 10U);
    }
    std::vector<std::byte> inet;
    appendAttribute(inet, IFLA_INET_CONF, ByteView(array));
    std::vector<std::byte> families;
    appendAttribute(families, AF_INET6, std::uint32_t{7});
    appendAttribute(families, AF_INET, ByteView(inet));
    std::vector<std::byte> payload;
    appendValue(payload, ifinfomsg{.ifi_index = 4});
    appendAttribute(payload, IFLA_AF_SPEC, ByteView(families));
    return payload;
}

TEST(Ipv4Conf, the_array_starts_with_number_one) {
    const auto conf = decodeIpv4Conf(linkWithArray(33)).value();
    ASSERT_TRUE(conf.has_value());
    EXPECT_EQ(conf->link, IfIndex{4});
    EXPECT_EQ(conf->values,
              (host::Ipv4Values{{Ipv4Key::rpFilter, 80},
                                {Ipv4Key::arpFilter, 130},
                                {Ipv4Key::arpAnnounce, 180},
                                {Ipv4Key::arpIgnore, 190}}));
}

TEST(Ipv4Conf, a_key_that_the_kernel_does_not_have_is_missing) {
    const auto conf = decodeIpv4Conf(linkWithArray(18)).value();
    ASSERT_TRUE(conf.has_value());
    EXPECT_TRUE(conf->values.contains(Ipv4Key::arpAnnounce));
    EXPECT_FALSE(conf->values.contains(Ipv4Key::arpIgnore));
}

TEST(Ipv4Conf, a_link_without_ipv4_is_nothing_and_a_cut_off_one_an_error) {
    std::vector<std::byte> bare;
    appendValue(bare, ifinfomsg{.ifi_index = 4});
    EXPECT_FALSE(decodeIpv4Conf(bare).value().has_value());
    EXPECT_FALSE(decodeIpv4Conf(ByteView(bare).first(4)).has_value());
    std::vector<std::byte> broken = linkWithArray(33);
    broken.resize(broken.size() - 8);
    EXPECT_EQ(decodeIpv4Conf(broken).error().kind, ErrorKind::malformed);
}

TEST(Ipv4Conf, conf_all_is_a_signed_number_in_a_file) {
    NetlinkChannel netlink(kernelProtocol(NETLINK_ROUTE));
    fake::FakeFiles files;
    const RtnlIpv4Conf conf(netlink, files);
    files.addFile("/proc/sys/net/ipv4/conf/all/arp_ignore", "-1\n");
    EXPECT_EQ(conf.all(Ipv4Key::arpIgnore).value(), -1);
    files.addFile("/proc/sys/net/ipv4/conf/all/arp_ignore", "1 2\n");
    EXPECT_EQ(conf.all(Ipv4Key::arpIgnore).error().kind, ErrorKind::malformed);
    EXPECT_EQ(conf.all(Ipv4Key::rpFilter).error().sysErrno, ENOENT);
}

class Ipv4ConfKernel : public testing::NetworkNamespaceTest {
  protected:
    [[nodiscard]] host::Ipv4Values valuesOf(IfIndex link) const {
        const auto all = conf_.interfaces().value();
        const auto found = std::ranges::find(all, link, &host::Ipv4Conf::link);
        return found == all.end() ? host::Ipv4Values{} : found->values;
    }

    RootDirectory root_;
    PosixFiles files_{root_};
    PosixFileWriter fileWriter_{root_};
    RtnlIpv4Conf conf_{netlink_, files_};
    RtnlIpv4ConfWriter writer_{netlink_, fileWriter_};
};

TEST_F(Ipv4ConfKernel, H05_values_are_set_and_read_by_index_whatever_the_name) {
    addVeth("v0.100", "peer*");
    for (const char* name : {"v0.100", "peer*"}) {
        const IfIndex link = index(name);
        ASSERT_TRUE(
            writer_.set(link, {{Ipv4Key::arpIgnore, 1}, {Ipv4Key::arpAnnounce, 2}}));
        const host::Ipv4Values values = valuesOf(link);
        EXPECT_EQ(values.at(Ipv4Key::arpIgnore), 1);
        EXPECT_EQ(values.at(Ipv4Key::arpAnnounce), 2);
        EXPECT_EQ(values.at(Ipv4Key::arpFilter), 0);
        const std::string path = "/proc/sys/net/ipv4/conf/" + std::string(name);
        EXPECT_EQ(files_.read(path + "/arp_ignore").value(), "1\n");
        EXPECT_EQ(files_.read(path + "/arp_announce").value(), "2\n");
    }
}

TEST_F(Ipv4ConfKernel, conf_all_is_written_through_its_file) {
    ASSERT_TRUE(writer_.setAll({{Ipv4Key::arpIgnore, 4}, {Ipv4Key::rpFilter, 2}}));
    EXPECT_EQ(conf_.all(Ipv4Key::arpIgnore).value(), 4);
    EXPECT_EQ(conf_.all(Ipv4Key::rpFilter).value(), 2);
    EXPECT_EQ(valuesOf(index("lo")).at(Ipv4Key::arpIgnore), 0);
}

TEST_F(Ipv4ConfKernel, a_link_that_is_gone_is_said) {
    const auto refused = writer_.set(IfIndex{4242}, {{Ipv4Key::arpIgnore, 1}});
    EXPECT_EQ(refused.error().kind, ErrorKind::notFound);
    EXPECT_EQ(refused.error().action, "set arp_ignore=1");
}

TEST_F(Ipv4ConfKernel, H06_a_new_link_starts_without_the_values_of_the_old) {
    addVeth("v0", "v1");
    ASSERT_TRUE(writer_.set(index("v0"), {{Ipv4Key::arpIgnore, 1}}));
    NetlinkRequest removal{.type = RTM_DELLINK};
    appendValue(removal.payload,
                ifinfomsg{.ifi_index = static_cast<int>(index("v0").number)});
    ASSERT_TRUE(netlink_.command(std::move(removal)));
    addVeth("v0", "v1");
    EXPECT_EQ(valuesOf(index("v0")).at(Ipv4Key::arpIgnore), 0);
}

}  // namespace
}  // namespace fabric::linux_host
