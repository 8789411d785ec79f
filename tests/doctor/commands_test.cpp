// SPDX-License-Identifier: Apache-2.0
// What a person is told to run names the things of this host, and can be pasted.
#include "doctor/commands.hpp"

#include "doctor/gather.hpp"
#include "doctor/healthy_node.hpp"
#include "doctor/peers.hpp"
#include "doctor/rules.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace fabric::doctor {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

Evidence healthy() {
    HealthyNode node(3);
    return gather(node.reader(), nullptr);
}

Commands commandsAbout(std::string_view id,
                       const Evidence& evidence,
                       std::vector<std::string> where) {
    Judgement judgement;
    judgement.where = std::move(where);
    return commandsFor(*findRule(id), judgement, evidence);
}

TEST(DoctorCommands, no_word_of_the_table_is_left_in_a_list_or_on_a_host) {
    const Evidence evidence = healthy();
    for (const Rule* const rule : ruleTable()) {
        const Commands listed = inGeneral(*rule);
        Judgement judgement;
        judgement.where = {"rail1"};
        const Commands here = commandsFor(*rule, judgement, evidence);
        for (const std::string& text : {listed.look,
                                        listed.fix,
                                        listed.action,
                                        here.look,
                                        here.fix,
                                        here.action}) {
            EXPECT_THAT(text, Not(HasSubstr("{"))) << rule->id;
        }
        for (const std::string_view word : {" RAIL", "BDF", " IF ", "/DEV/"}) {
            EXPECT_THAT(here.look + here.fix, Not(HasSubstr(word))) << rule->id;
        }
    }
}

TEST(DoctorCommands, a_rail_is_named_by_what_each_command_knows_it_as) {
    const Evidence evidence = healthy();
    EXPECT_EQ(commandsAbout("arp.filter", evidence, {"rail1"}).look,
              "sysctl net/ipv4/conf/all/arp_filter net/ipv4/conf/rail1/arp_filter");
    EXPECT_EQ(commandsAbout("dcb.auto_class", evidence, {"rail2"}).look,
              "dcb pfc show dev rail2; dcb app show dev rail2 dscp-prio");
    EXPECT_THAT(commandsAbout("drops.roce", evidence, {"rail2"}).look,
                HasSubstr("/sys/class/infiniband/mlx5_2/ports/1/hw_counters/"));
    EXPECT_THAT(commandsAbout("pcie.link", evidence, {"rail1"}).look,
                StartsWith("lspci -vv -s " + evidence.rails[1].rail.pci->text()));
    EXPECT_THAT(commandsAbout("subnet.overlap", evidence, {"rail2"}).look,
                HasSubstr("from 10.0.2.1"));
    // The check of a profile, and the list of ports, name it otherwise.
    EXPECT_THAT(commandsAbout("dcb.host", evidence, {"dcb/rail1/pfc"}).look,
                HasSubstr("dcb pfc show dev rail1"));
    EXPECT_THAT(commandsAbout("drops.roce", evidence, {"mlx5_1/1"}).look,
                HasSubstr("/infiniband/mlx5_1/"));
}

TEST(DoctorCommands, the_first_of_several_is_named) {
    EXPECT_EQ(commandsAbout("arp.filter", healthy(), {"rail2", "rail1"}).look,
              "sysctl net/ipv4/conf/all/arp_filter net/ipv4/conf/rail2/arp_filter");
}

TEST(DoctorCommands, an_interface_with_dots_or_odd_bytes_can_be_pasted) {
    Evidence evidence = healthy();
    evidence.rails[1].rail.interfaces.front().name = "rail1.100";
    EXPECT_THAT(commandsAbout("rp.strict", evidence, {"rail1.100"}).look,
                HasSubstr(" net/ipv4/conf/rail1.100/rp_filter"));
    evidence.rails[1].rail.ports.front().name = "a;reboot";
    EXPECT_EQ(commandsAbout("dcb.auto_class", evidence, {"rail1"}).look,
              "dcb pfc show dev 'a;reboot'; dcb app show dev 'a;reboot' dscp-prio");
}

TEST(DoctorCommands, a_neighbour_a_bridge_a_unit_and_a_peer_are_named) {
    Evidence evidence = healthy();
    EXPECT_EQ(commandsAbout("arp.static", evidence, {"neighbour/rail1/10.0.1.7"}).fix,
              "ip neigh del 10.0.1.7 dev rail1, where it is not wanted");
    EXPECT_EQ(commandsAbout("acs.redirect", evidence, {"0000:00:02.0"}).look,
              "lspci -vvv -s 0000:00:02.0 | grep ACSCtl");
    EXPECT_THAT(commandsAbout("acs.boot", evidence, {"disable-acs.service"}).fix,
                StartsWith("systemctl start disable-acs.service, "));
    PeerPair pair;
    pair.way.from = *IpAddress::parse("10.0.1.1");
    pair.way.to = *IpAddress::parse("10.0.1.2");
    pair.peer = "ens1f0 of node2";
    evidence.peers = PeerEvidence{.pairs = {pair}, .problems = {}, .unpaired = {}};
    EXPECT_EQ(commandsAbout("peer.port", evidence, {nameOf(pair)}).look,
              "ping -c 3 10.0.1.2; nc -zv 10.0.1.2 5555");
}

TEST(DoctorCommands, what_the_evidence_does_not_tell_stands_as_in_a_list) {
    const Evidence evidence = healthy();
    EXPECT_EQ(commandsAbout("arp.filter", evidence, {}).look,
              inGeneral(*findRule("arp.filter")).look);
    EXPECT_EQ(commandsAbout("arp.filter", evidence, {"gone"}).look,
              inGeneral(*findRule("arp.filter")).look);
}

TEST(DoctorCommands, the_server_is_called_as_the_profile_calls_it) {
    Evidence evidence = healthy();
    EXPECT_EQ(commandsAbout("env.internode", evidence, {}).look,
              "grep MINIO_RDMA /etc/default/minio");
    evidence.server.unit = "aistor@1.service";
    evidence.server.binary = "/opt/aistor/minio.rdma";
    evidence.server.state->environment.back().path = "/etc/aistor env";
    EXPECT_EQ(commandsAbout("bin.rdma_build", evidence, {}).look,
              "/opt/aistor/minio.rdma --version");
    EXPECT_EQ(commandsAbout("unit.symlink_hack", evidence, {}).look,
              "readlink -f /opt/aistor/minio");
    EXPECT_EQ(commandsAbout("env.internode", evidence, {}).look,
              "grep MINIO_RDMA '/etc/aistor env'");
    EXPECT_EQ(commandsAbout("unit.execstart", evidence, {}).look,
              "systemctl show aistor@1 --property=ExecStart");
    EXPECT_THAT(commandsAbout("qp.limit", evidence, {}).look,
                HasSubstr("/system.slice/aistor@1.service/rdma.max"));
}

TEST(DoctorCommands, the_profile_is_named_unless_it_is_the_usual_one) {
    Evidence evidence = healthy();
    EXPECT_EQ(commandsAbout("mod.loaded", evidence, {}).action,
              "fabricctl apply --only module, which needs a profile: fabricctl profile "
              "init writes one");
    evidence.check.emplace();
    evidence.check->profilePath = "/etc/fabricctl/profile.yaml";
    EXPECT_EQ(commandsAbout("mod.loaded", evidence, {}).action,
              "fabricctl apply --only module");
    evidence.check->profilePath = "/root/my rails.yaml";
    EXPECT_EQ(commandsAbout("mod.loaded", evidence, {}).action,
              "fabricctl apply '/root/my rails.yaml' --only module");
}

}  // namespace
}  // namespace fabric::doctor
