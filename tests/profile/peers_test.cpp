// SPDX-License-Identifier: Apache-2.0
#include "profile/peers.hpp"

#include "fake/fake_files.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace fabric::profile {
namespace {

constexpr const char* kNode2 =
    "schema: fabricctl/peers/1\nhost: node2\npeers:\n"
    "  - { host: node2, rail: ens1, address: 10.0.1.2, mac: \"02:00:00:00:02:01\" }\n"
    "  - { host: node2, rail: ens2, address: fd00::2, mac: \"02:00:00:00:02:02\" }\n";

TEST(Peers, yaml_and_json_are_read) {
    const PeersRead yaml = parsePeers(kNode2, "node2.yaml");
    EXPECT_TRUE(yaml.problems.empty());
    ASSERT_EQ(yaml.peers.size(), 2U);
    EXPECT_EQ(yaml.peers[1],
              (NeighbourPeer{"node2", "ens2", "fd00::2", "02:00:00:00:02:02"}));
    const PeersRead json = parsePeers(
        R"({"peers": [{"host": "n", "rail": "r", "address": "10.0.1.2",
                       "mac": "02:00:00:00:02:01", "more": [1]}]})",
        "n.json");
    EXPECT_TRUE(json.problems.empty());
    EXPECT_EQ(json.peers.size(), 1U);
}

TEST(Peers, an_entry_that_is_not_whole_is_a_problem_and_the_others_count) {
    const PeersRead read =
        parsePeers(std::string(kNode2) +
                       "  - { host: node2, rail: ens3, address: 10.0.1, mac: x }\n"
                       "  - { host: node2 }\n"
                       "  - text\n",
                   "node2.yaml");
    EXPECT_EQ(read.peers.size(), 2U);
    ASSERT_EQ(read.problems.size(), 3U);
    EXPECT_NE(read.problems[0].find("node2.yaml:6:"), std::string::npos)
        << read.problems[0];
}

TEST(Peers, what_rdma_meets_is_told_or_not_and_nonsense_is_a_problem) {
    const PeersRead read = parsePeers(
        R"(peers:
  - { host: n, rail: r, address: 10.0.1.2, mac: "02:00:00:00:02:01", mtu: 9000, active-mtu: 4096, gid: none }
  - { host: n, rail: r, address: 10.0.1.3, mac: "02:00:00:00:02:01", mtu: big }
  - { host: n, rail: r, address: 10.0.1.4, mac: "02:00:00:00:02:01", active-mtu: 0 }
  - { host: n, rail: r, address: 10.0.1.5, mac: "02:00:00:00:02:01", gid: "x" }
)",
        "n.yaml");
    ASSERT_EQ(read.peers.size(), 1U);
    EXPECT_EQ(
        read.peers[0],
        (NeighbourPeer{"n", "r", "10.0.1.2", "02:00:00:00:02:01", 9000, 4096, "none"}));
    EXPECT_EQ(read.problems.size(), 3U);
}

TEST(Peers, a_document_without_peers_is_a_problem) {
    EXPECT_EQ(parsePeers("host: node2\n", "a").problems.size(), 1U);
    EXPECT_EQ(parsePeers("peers: {}\n", "a").problems.size(), 1U);
    EXPECT_FALSE(parsePeers("[", "a").problems.empty());
    EXPECT_FALSE(parsePeers("", "a").problems.empty());
}

TEST(Peers, a_directory_is_read_file_by_file) {
    fake::FakeFiles files;
    files.addFile("/peers/b.json", R"({"peers":[{"host":"b","rail":"r",
        "address":"10.0.1.3","mac":"02:00:00:00:03:01"}]})");
    files.addFile("/peers/a.yaml", kNode2);
    files.addFile("/peers/notes.txt", "not an inventory");
    const PeersRead read = readPeers(files, "/peers");
    EXPECT_TRUE(read.problems.empty());
    ASSERT_EQ(read.peers.size(), 3U);
    EXPECT_EQ(read.peers[0].host, "node2") << "by file name";
    files.failRead("/peers/b.json", EACCES);
    EXPECT_EQ(readPeers(files, "/peers").problems.size(), 1U);
}

TEST(Peers, an_empty_directory_and_a_missing_one_are_problems) {
    fake::FakeFiles files;
    files.addDirectory("/peers");
    EXPECT_EQ(readPeers(files, "/peers").problems.size(), 1U);
    EXPECT_EQ(readPeers(files, "/nowhere").problems.size(), 1U);
}

}  // namespace
}  // namespace fabric::profile
