// SPDX-License-Identifier: Apache-2.0
#include "engine/wire.hpp"

#include "engine/own_peers.hpp"
#include "fake/fake_host.hpp"

#include <gtest/gtest.h>

namespace fabric::engine {
namespace {

using host::ProbedLink;
using resource::Severity;

constexpr IfIndex kA{2};
constexpr IfIndex kB{3};
constexpr IfIndex kC{4};
const std::vector<std::string> kNames{"raila", "railb", "railc"};

ProbedLink probed(IfIndex link, std::set<IfIndex> heard = {}) {
    return {.link = link, .heardFrom = std::move(heard), .error = {}};
}

ProbedLink broken(IfIndex link) {
    return {.link = link,
            .heardFrom = {},
            .error = Error{.kind = ErrorKind::io, .action = "listen"}};
}

// Answers from a table; remembers what it was asked.
class FakeProber : public host::Prober {
  public:
    std::vector<ProbedLink> domains;
    std::vector<MacAddress> macs;
    std::vector<IfIndex> asked;
    std::function<void()> whenAsked = [] {};

    Result<std::vector<ProbedLink>> probeDomains(
        std::span<const IfIndex> links, std::chrono::milliseconds /*window*/) override {
        asked.assign(links.begin(), links.end());
        return domains;
    }

    Result<std::vector<MacAddress>> whoAnswers(
        IfIndex link,
        IpAddress /*ipv4*/,
        std::chrono::milliseconds /*window*/) override {
        asked.push_back(link);
        whenAsked();
        return macs;
    }
};

TEST(JudgeDomains, a_frame_heard_one_way_is_proof_for_both) {
    const std::vector<ProbedLink> seen{probed(kA), probed(kB, {kA}), probed(kC)};
    const auto judged = judgeDomains(seen, kNames);
    EXPECT_EQ(judged[0].sharing, Sharing::shared);
    EXPECT_EQ(judged[0].with, std::vector<std::string>{"railb"});
    EXPECT_EQ(judged[1].sharing, Sharing::shared);
    EXPECT_EQ(judged[2].sharing, Sharing::notObserved);
}

TEST(JudgeDomains, a_link_that_could_not_be_asked_is_not_taken_as_separate) {
    const std::vector<ProbedLink> seen{probed(kA), probed(kB), broken(kC)};
    const auto judged = judgeDomains(seen, kNames);
    EXPECT_EQ(judged[0].sharing, Sharing::notObserved);
    EXPECT_EQ(judged[2].sharing, Sharing::couldNotTell);
    EXPECT_FALSE(judged[2].reason.empty());
}

TEST(JudgeDomains, one_listener_alone_can_tell_nothing) {
    const std::vector<ProbedLink> seen{probed(kA), broken(kB), broken(kC)};
    EXPECT_EQ(judgeDomains(seen, kNames)[0].sharing, Sharing::couldNotTell);
    const std::vector<ProbedLink> single{probed(kA)};
    EXPECT_EQ(judgeDomains(single, kNames)[0].sharing, Sharing::couldNotTell);
}

TEST(SharingFindings, what_could_not_be_told_is_a_warning) {
    const auto told = sharingFindings(std::vector<InterfaceSharing>{
        {.interface = "raila", .sharing = Sharing::shared, .with = {"railb"}},
        {.interface = "railb", .sharing = Sharing::shared, .with = {"raila"}},
        {.interface = "railc", .reason = "listen: Network is down"}});
    ASSERT_EQ(told.size(), 2U);
    EXPECT_EQ(told[0].severity, Severity::info);
    EXPECT_EQ(told[0].evidence, "raila, railb");
    EXPECT_EQ(told[1].severity, Severity::warn);
    const auto failed = sharingFindings(fail(Error{.action = "make a nonce"}));
    ASSERT_EQ(failed.size(), 1U);
    EXPECT_EQ(failed[0].severity, Severity::warn);
}

class WireTest : public ::testing::Test {
  protected:
    WireTest() {
        host.files.addFile("/proc/sys/kernel/hostname", "node1\n");
        addRail(kA, "raila", IpAddress::v4(10, 0, 1, 1));
        addRail(kB, "railb", IpAddress::v4(10, 0, 2, 1));
    }

    void addRail(IfIndex link, const std::string& name, const IpAddress& address) {
        host.links.add(link.number, name).mac =
            MacAddress{{2, 0, 0, 0, 1, static_cast<std::uint8_t>(link.number)}};
        host.links.addressList.push_back(
            {.link = link, .octets = address.octets, .prefixLength = 24});
        inventory::Rail rail;
        rail.name = name;
        rail.link = link;
        rail.interfaces = {{link, name, ""}};
        rails.push_back(rail);
    }

    fake::FakeHost host;
    FakeProber prober;
    std::vector<inventory::Rail> rails;
};

TEST_F(WireTest, interfaces_that_own_an_address_are_probed) {
    rails[0].interfaces.push_back({kC, "raila.100", "vlan"});
    host.links.add(kC.number, "raila.100");
    std::erase_if(host.links.addressList,
                  [](const auto& address) { return address.link == kA; });
    host.links.addressList.push_back(
        {.link = kC, .octets = IpAddress::v4(10, 0, 1, 1).octets, .prefixLength = 24});
    prober.domains = {probed(kC), probed(kB)};
    const auto seen = probeDomains(host.reader(), prober, rails).value();
    EXPECT_EQ(prober.asked, (std::vector<IfIndex>{kC, kB}));
    EXPECT_EQ(seen[0].interface, "raila.100");
}

TEST_F(WireTest, a_link_without_carrier_cannot_tell) {
    host.links.find(kA)->carrier = false;
    prober.domains = {probed(kA), probed(kB)};
    const auto seen = probeDomains(host.reader(), prober, rails).value();
    EXPECT_EQ(seen[0].sharing, Sharing::couldNotTell);
    EXPECT_EQ(seen[1].sharing, Sharing::couldNotTell) << "nobody was there to hear it";
}

TEST_F(WireTest, an_audit_asks_on_the_rail_of_the_subnet_only) {
    prober.macs = {MacAddress{{2, 0, 0, 0, 2, 1}}, MacAddress{{2, 0, 0, 0, 2, 2}}};
    const auto audit =
        auditPeer(host.reader(), prober, rails, IpAddress::v4(10, 0, 2, 9)).value();
    EXPECT_EQ(prober.asked, std::vector<IfIndex>{kB});
    ASSERT_EQ(audit.answers.size(), 1U);
    EXPECT_EQ(audit.answers[0].macs.size(), 2U);
    EXPECT_FALSE(audit.answers[0].cacheChanged());
}

TEST_F(WireTest, an_audit_says_when_it_changed_the_cache) {
    host.neighbours.add(kB, "10.0.2.9", "02:00:00:00:02:01");
    prober.whenAsked = [&] {
        host.neighbours.add(kB, "10.0.2.9", "02:00:00:00:02:02");
    };
    const auto audit =
        auditPeer(host.reader(), prober, rails, IpAddress::v4(10, 0, 2, 9)).value();
    EXPECT_TRUE(audit.answers[0].cacheChanged());
    EXPECT_EQ(audit.answers[0].cachedAfter, MacAddress::parse("02:00:00:00:02:02"));
}

TEST_F(WireTest, what_cannot_be_audited_sends_nothing) {
    for (const char* const address : {"fd00::1", "10.0.1.1", "192.168.7.7"}) {
        EXPECT_FALSE(
            auditPeer(host.reader(), prober, rails, IpAddress::parse(address).value()))
            << address;
    }
    EXPECT_TRUE(prober.asked.empty());
}

TEST_F(WireTest, a_host_exports_its_own_rails) {
    host.links.addressList.push_back(
        {.link = kA,
         .ipv6 = true,
         .octets = IpAddress::parse("fe80::1").value().octets,
         .prefixLength = 64});
    EXPECT_TRUE(observeOwnPeers(host.reader(), "").value().peers.empty())
        << "no RDMA port";
    const OwnPeers own = observeOwnPeers(host.reader(), "raila").value();
    EXPECT_EQ(own.host, "node1");
    ASSERT_EQ(own.peers.size(), 1U);
    EXPECT_EQ(own.peers[0],
              (profile::NeighbourPeer{
                  "node1", "raila", "10.0.1.1", "02:00:00:00:01:02", 1500, 0, ""}));
}

TEST_F(WireTest, a_host_exports_what_rdma_meets_at_its_addresses) {
    host.rdma.add("mlx5_0", kA);
    host.rdma.verbs[{"mlx5_0", 1}] = {
        .activeMtu = 1024, .maxMtu = 4096, .maxSrqWorkRequests = 32767};
    const std::string port = "/sys/class/infiniband/mlx5_0/ports/1";
    host.files.addFile(port + "/gids/3", "0000:0000:0000:0000:0000:ffff:0a00:0101\n");
    host.files.addFile(port + "/gid_attrs/types/3", "IB/RoCE v1\n");
    profile::NeighbourPeer told =
        observeOwnPeers(host.reader(), "").value().peers.at(0);
    EXPECT_EQ(told.mtu, 1500U);
    EXPECT_EQ(told.activeMtu, 1024U);
    EXPECT_EQ(told.gid, "none") << "version 1 is not what is spoken";
    host.files.addFile(port + "/gid_attrs/types/3", "RoCE v2\n");
    told = observeOwnPeers(host.reader(), "").value().peers.at(0);
    EXPECT_EQ(told.gid, "0000:0000:0000:0000:0000:ffff:0a00:0101");
}

}  // namespace
}  // namespace fabric::engine
