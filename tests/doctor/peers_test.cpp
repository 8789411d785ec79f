// SPDX-License-Identifier: Apache-2.0
#include "doctor/peers.hpp"

#include "doctor/diagnosis.hpp"
#include "doctor/gather.hpp"
#include "doctor/healthy_node.hpp"
#include "report/doctor.hpp"
#include "report/json.hpp"

#include <gmock/gmock.h>

#include <cerrno>
#include <map>

namespace fabric::doctor {
namespace {

using std::chrono::microseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

// Answers at once: what is not listed takes the connection.
class FakeConnector : public host::Connector {
  public:
    std::vector<Result<microseconds>> connect(
        std::span<const host::Connection> wanted,
        std::chrono::milliseconds limit) override {
        asked.assign(wanted.begin(), wanted.end());
        patience = limit;
        std::vector<Result<microseconds>> answers;
        for (const host::Connection& one : wanted) {
            const auto bad = errors.find(one.to);
            answers.push_back(bad == errors.end()
                                  ? Result<microseconds>(microseconds(420))
                                  : fail(bad->second));
        }
        return answers;
    }

    std::map<IpAddress, Error> errors;
    std::vector<host::Connection> asked;
    std::chrono::milliseconds patience{0};
};

profile::PeersRead inventory(std::vector<std::string> addresses) {
    profile::PeersRead read;
    for (std::string& address : addresses) {
        read.peers.push_back({.host = "node2",
                              .rail = "ens1",
                              .address = std::move(address),
                              .mac = "b8:ce:f6:00:00:09"});
    }
    return read;
}

// Two rails with 10.0.0.1/24 and 10.0.1.1/24.
class Peers : public ::testing::Test {
  protected:
    HealthyNode node{2};
    Evidence evidence = gather(node.reader(), nullptr);
    FakeConnector connector;
};

TEST_F(Peers, each_rail_is_paired_with_the_peers_of_its_own_network) {
    const PeerEvidence peers =
        pairPeers(evidence, inventory({"10.0.0.2", "10.0.1.2", "10.0.1.3"}));
    ASSERT_THAT(peers.pairs, SizeIs(3));
    EXPECT_EQ(peers.pairs[0].way.from.text(), "10.0.0.1");
    EXPECT_EQ(peers.pairs[0].way.to.text(), "10.0.0.2");
    EXPECT_EQ(peers.pairs[0].way.port, 5555);
    EXPECT_EQ(peers.pairs[0].way.via, scenario::StorageNode::linkOf(0));
    EXPECT_EQ(peers.pairs[0].peer, "ens1 of node2");
    EXPECT_EQ(peers.pairs[2].way.from.text(), "10.0.1.1");
    EXPECT_THAT(peers.unpaired, IsEmpty());
}

TEST_F(Peers, each_pair_knows_what_both_ends_say_of_themselves) {
    profile::PeersRead read = inventory({"10.0.1.2"});
    read.peers[0].mtu = 1500;
    read.peers[0].activeMtu = 1024;
    read.peers[0].gid = "none";
    const PeerPair pair = pairPeers(evidence, read).pairs.at(0);
    EXPECT_EQ(pair.ownMtu, 9000U);
    EXPECT_EQ(pair.peerMtu, 1500U);
    EXPECT_EQ(pair.ownActiveMtu.value(), 4096U);
    EXPECT_EQ(pair.peerActiveMtu, 1024U);
    EXPECT_EQ(pair.ownGid.value(), "0000:0000:0000:0000:0000:ffff:0a00:0101");
    EXPECT_EQ(pair.peerGid, "none");
}

TEST_F(Peers, own_addresses_and_repeated_ones_are_no_peers) {
    EXPECT_THAT(
        pairPeers(evidence, inventory({"10.0.0.1", "10.0.0.2", "10.0.0.2"})).pairs,
        SizeIs(1));
}

TEST_F(Peers, a_peer_in_no_network_of_a_rail_is_told) {
    const PeerEvidence peers = pairPeers(evidence, inventory({"192.0.2.9", "fd00::2"}));
    EXPECT_THAT(peers.pairs, IsEmpty());
    EXPECT_THAT(peers.unpaired,
                ElementsAre("192.0.2.9 (ens1 of node2)", "fd00::2 (ens1 of node2)"));
}

TEST_F(Peers, the_number_of_pairs_is_bounded_and_the_rest_is_told) {
    std::vector<std::string> many;
    for (unsigned number = 0; number < kMostPairs + 7; ++number) {
        many.push_back("10.0." + std::to_string(number / 250) + "." +
                       std::to_string(2 + number % 250));
    }
    for (RailEvidence& rail : evidence.rails) {
        for (host::LinkAddress& address : rail.addresses) {
            address.prefixLength = 16;
        }
    }
    const PeerEvidence peers = pairPeers(evidence, inventory(many));
    EXPECT_THAT(peers.pairs, SizeIs(kMostPairs));
    EXPECT_THAT(peers.problems, ElementsAre(HasSubstr("the first 4096 are tried")));
}

TEST_F(Peers, the_measurement_names_device_port_and_the_index_of_the_address_now) {
    PeerPair pair = pairPeers(evidence, inventory({"10.0.0.2"})).pairs.at(0);
    EXPECT_EQ(pair.serve,
              "ib_write_bw -d mlx5_0 -i 1 -x 1 --tclass 96 -F --report_gbits");
    EXPECT_EQ(pair.run, pair.serve + " 10.0.0.2");
    evidence.rails[0].gids->at(1).index = 5;  // after a link flap
    pair = pairPeers(evidence, inventory({"10.0.0.2"})).pairs.at(0);
    EXPECT_THAT(pair.serve, HasSubstr(" -x 5 "));
}

TEST_F(Peers, without_a_gid_of_version_2_there_is_no_command) {
    for (Gid& gid : *evidence.rails[0].gids) {
        gid.type = "IB/RoCE v1";
    }
    const PeerPair pair = pairPeers(evidence, inventory({"10.0.0.2"})).pairs.at(0);
    EXPECT_EQ(pair.serve, "");
    EXPECT_EQ(pair.run, "");
    EXPECT_THAT(pair.without, HasSubstr("no RoCE v2 GID"));
}

TEST_F(Peers, a_device_that_a_shell_would_not_take_as_a_word_is_in_no_command) {
    for (const char* const name : {"mlx5;reboot", "-d", "a b", "$(x)", ""}) {
        evidence.rails[0].rail.rdma->device = name;
        const PeerPair pair = pairPeers(evidence, inventory({"10.0.0.2"})).pairs.at(0);
        EXPECT_EQ(pair.run, "") << name;
        EXPECT_FALSE(pair.without.empty()) << name;
    }
}

TEST_F(Peers, an_infiniband_pair_needs_no_gid) {
    evidence.rails[0].rail.rdma->linkLayer = host::LinkLayer::infiniband;
    EXPECT_EQ(pairPeers(evidence, inventory({"10.0.0.2"})).pairs.at(0).serve,
              "ib_write_bw -d mlx5_0 -i 1 -F --report_gbits");
}

TEST_F(Peers, all_pairs_are_asked_at_once_and_each_keeps_its_own_answer) {
    connector.errors[IpAddress::v4(10, 0, 1, 2)] =
        Error{.kind = ErrorKind::refused,
              .action = "connect",
              .subject = "10.0.1.1 to 10.0.1.2 port 5555",
              .sysErrno = ECONNREFUSED,
              .detail = {},
              .advice = {}};
    evidence.peers = pairPeers(evidence, inventory({"10.0.0.2", "10.0.1.2"}));
    connectPeers(connector, *evidence.peers);
    EXPECT_THAT(connector.asked, SizeIs(2));
    EXPECT_EQ(connector.patience, kPeerPatience);
    const Diagnosis diagnosis = diagnose(evidence, nullptr);
    EXPECT_EQ(diagnosis.exitCode(), engine::ExitCode::differences);
    const std::string text = report::toText(diagnosis, {});
    EXPECT_THAT(text, HasSubstr("fail peer.port"));
    EXPECT_THAT(text, HasSubstr("10.0.0.1 to 10.0.0.2 (ens1 of node2): open, 0.4 ms"));
    EXPECT_THAT(text, HasSubstr("10.0.1.1 to 10.0.1.2 (ens1 of node2): connect"));
    EXPECT_THAT(
        text,
        HasSubstr("    measure here: ib_write_bw -d mlx5_0 -i 1 -x 1 --tclass 96 -F "
                  "--report_gbits 10.0.0.2\n"));
    const std::string json = report::toJson(report::toValue(diagnosis));
    EXPECT_THAT(json, HasSubstr("\"open\": false"));
}

TEST_F(Peers, an_inventory_that_cannot_be_read_is_no_clean_bill) {
    profile::PeersRead broken;
    broken.problems = {"peers.yaml: there is no list 'peers'"};
    evidence.peers = pairPeers(evidence, broken);
    EXPECT_EQ(diagnose(evidence, nullptr).exitCode(), engine::ExitCode::unverifiable);
}

TEST_F(Peers, names_of_an_inventory_do_nothing_to_a_terminal) {
    profile::PeersRead hostile = inventory({"10.0.0.2", "192.0.2.1"});
    hostile.peers[0].host = "a\x1b[2J";
    hostile.peers[1].rail = "b\x1b[2J";
    evidence.peers = pairPeers(evidence, hostile);
    connectPeers(connector, *evidence.peers);
    EXPECT_THAT(report::toText(diagnose(evidence, nullptr), {.verbose = true}),
                Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace fabric::doctor
