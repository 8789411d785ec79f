// SPDX-License-Identifier: Apache-2.0
// What check, plan and doctor find of disguised facts is what they find of the true
// ones, with other names in it; and nothing of the true names is left.
#include "facts/disguise.hpp"

#include "doctor/diagnosis.hpp"
#include "doctor/gather.hpp"
#include "engine/apply.hpp"
#include "engine/run.hpp"
#include "engine/status.hpp"
#include "facts/json_reader.hpp"
#include "facts/learnt_names.hpp"
#include "facts/profile_disguise.hpp"
#include "facts/profile_text.hpp"
#include "facts/replay.hpp"
#include "facts/take.hpp"
#include "hosts/captured_host.hpp"
#include "profile/yaml.hpp"
#include "profile/yaml_writer.hpp"
#include "report/doctor.hpp"
#include "report/json.hpp"
#include "report/status.hpp"
#include "scenario/storage_node.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <sstream>

namespace fabric::facts {
namespace {

using scenario::profileOf;
using scenario::StorageNode;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;

std::string read(const std::string& path) {
    std::ifstream file(path);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

// Lists in an order that does not depend on names.
Value canonical(const Value& tree) {
    if (const Value::List* const list = tree.asList()) {
        Value::List sorted;
        std::ranges::transform(*list, std::back_inserter(sorted), canonical);
        std::ranges::sort(sorted, {}, &Value::toText);
        return sorted;
    }
    if (const Value::Object* const object = tree.asObject()) {
        Value::Object members;
        for (const auto& [name, value] : *object) {
            members.emplace(name, canonical(value));
        }
        return members;
    }
    return tree;
}

// What a report or a diagnosis concludes, without the words of selectors in it.
Value concluded(const Value& tree) {
    Value::List found;
    for (const auto& [list, members] :
         {std::pair("resources", std::vector{"id", "outcome", "wanted", "found"}),
          std::pair("findings", std::vector{"id", "severity"}),
          std::pair("rules", std::vector{"id", "verdict"}),
          std::pair("rails", std::vector{"interface", "name"})}) {
        const Value* const items = tree.member(list);
        for (const Value& item : items == nullptr ? Value::List{} : *items->asList()) {
            Value::Object kept;
            for (const char* const name : members) {
                const Value* const member = item.member(name);
                kept.emplace(name, member == nullptr ? Value{} : *member);
            }
            found.emplace_back(std::move(kept));
        }
    }
    return canonical(found);
}

Value valueOf(engine::Report report) {
    report.duration = {};
    return readJson(report::toJson(report)).value();
}

std::vector<std::string> profiles() {
    std::vector<std::string> texts;
    for (const char* const name :
         {"minio-roce-lossless", "minio-infiniband", "roce-lossless", "gpu-direct"}) {
        texts.push_back(read(std::string(FABRIC_PROFILES "/") + name + ".yaml"));
    }
    texts.emplace_back(R"(version: 1
name: selectors
rails:
  match: [{ interface: "ra*" }, { rdma: "mlx5_*" }, { interface: "*1" }]
  exclude: [{ interface: "r??l9" }, { interface: "corp*" }]
  expect: 2
mtu: 4200
neighbours:
  flush: when-changed
  peers:
    - { host: node2, rail: rail0, address: 10.0.0.2, mac: "02:00:00:00:00:02" }
    - { host: node2, rail: rail1, address: 10.0.1.2, mac: "b8:ce:f6:00:00:03" }
overrides:
  - match: { interface: "r*l0" }
    mtu: 9000
  - match: { mac: "02:*" }
    rdma-cm-tos: 104
)");
    return texts;
}

// The profile as it stands in a bundle.
profile::Profile disguised(const Observed& seen,
                           Disguise& disguise,
                           const profile::Profile& profile) {
    profile::TreeNode tree = mergedProfile(profile);
    disguiseProfile(seen, disguise, tree);
    const std::string text = profile::writeYaml(tree);
    SCOPED_TRACE(text);
    return profileOf(text);
}

// Everything that was found, in both.
void expectSameFindings(const Facts& facts) {
    Disguise disguise(facts, "salt");
    disguise.names().addHost("node2");
    const auto other = disguise.facts(facts);
    ASSERT_TRUE(other) << other.error().message();
    const ReplayHost plain(facts.observed);
    const ReplayHost hidden(other->observed);
    const auto expectSame = [&](const Value& told, const Value& wanted, bool words) {
        const Value same = disguise.tree(wanted);
        EXPECT_EQ((words ? canonical(told) : concluded(told)).toText(),
                  (words ? canonical(same) : concluded(same)).toText());
    };
    for (const std::string& text : profiles()) {
        const profile::Profile profile = profileOf(text);
        SCOPED_TRACE(profile.name());
        const profile::Profile otherProfile =
            disguised(facts.observed, disguise, profile);
        const bool words = profile.name() != "selectors";
        expectSame(valueOf(engine::check(hidden.reader(), otherProfile, {})),
                   valueOf(engine::check(plain.reader(), profile, {})),
                   words);
        expectSame(valueOf(engine::plan(hidden.reader(), otherProfile, {})),
                   valueOf(engine::plan(plain.reader(), profile, {})),
                   words);
        expectSame(report::toValue(doctor::diagnose(
                       doctor::gather(hidden.reader(), &otherProfile), nullptr)),
                   report::toValue(doctor::diagnose(
                       doctor::gather(plain.reader(), &profile), nullptr)),
                   words);
    }
    expectSame(report::toValue(engine::observeStatus(hidden.reader(), "")),
               report::toValue(engine::observeStatus(plain.reader(), "")),
               true);
    EXPECT_THAT(hidden.unanswered(), SizeIs(plain.unanswered().size()));
}

void addNeighbours(StorageNode& node) {
    node.host.neighbours.add(StorageNode::linkOf(0), "10.0.0.2", "02:00:00:00:00:02");
    // On the wrong rail.
    node.host.neighbours.add(StorageNode::linkOf(1), "10.0.1.2", "02:00:00:00:00:02");
    node.host.neighbours.add(StorageNode::linkOf(1), "10.0.1.77", "b8:ce:f6:00:00:77");
}

TEST(DisguisedFacts, of_a_storage_node_of_each_driver_give_the_same_findings) {
    for (const auto driver : {fake::DcbDriver::mlx5,
                              fake::DcbDriver::bnxt,
                              fake::DcbDriver::ice,
                              fake::DcbDriver::none}) {
        SCOPED_TRACE(static_cast<int>(driver));
        StorageNode node(2, driver);
        addNeighbours(node);
        expectSameFindings(takeFacts(node.reader(), {}));
        static_cast<void>(engine::apply(
            node.reader(), node.writer(), scenario::losslessProfile(), {}));
        expectSameFindings(takeFacts(node.reader(), {}));
    }
}

TEST(DisguisedFacts, of_each_captured_host_give_the_same_findings) {
    for (const char* const name : {"amd-starship",
                                   "gb300-data-direct",
                                   "h100-pex890xx",
                                   "h200-guest",
                                   "h200-pex890xx",
                                   "intel-plx"}) {
        SCOPED_TRACE(name);
        fake::FakeHost machine;
        hosts::load(name, machine);
        expectSameFindings(takeFacts(machine.reader(), {}));
    }
}

TEST(DisguisedFacts, of_a_healthy_node_give_the_same_findings) {
    const auto facts = parseFacts(read(FABRIC_HOSTS_DIR "/doctor-healthy.json"),
                                  "doctor-healthy.json");
    ASSERT_TRUE(facts) << facts.error().message();
    expectSameFindings(*facts);
}

TEST(DisguisedFacts, hold_no_name_and_no_address_of_the_host) {
    StorageNode node(2);
    addNeighbours(node);
    node.host.files.addFile("/proc/sys/kernel/hostname", "storage-a17.corp.lan\n");
    node.host.files.addFile("/etc/sysctl.d/10-site.conf",
                            "net.ipv4.conf.rail0.arp_ignore = 1\n"
                            "net/ipv4/conf/rail1/arp_ignore = 1\n");
    const Facts facts = takeFacts(node.reader(), {});
    ASSERT_EQ(facts.hostName, "storage-a17.corp.lan");
    const std::string plain = report::toJson(toValue(facts));
    Disguise disguise(facts, "salt");
    const auto other = disguise.facts(facts);
    ASSERT_TRUE(other);
    const std::string text = report::toJson(toValue(*other));
    for (const char* const name : {"storage-a17",
                                   "corp.lan",
                                   "rail0",
                                   "rail1",
                                   "10.0.0.1",
                                   "10.0.1.1",
                                   "10.0.1.77",
                                   "02:00:00:00:00:02",
                                   "b8:ce:f6:00:00:77"}) {
        EXPECT_THAT(plain, HasSubstr(name));
        EXPECT_THAT(text, Not(HasSubstr(name)));
    }
    for (const char* const kept : {"mlx5_0", "0000:10:00.0", "b8:ce:f6", "28.39"}) {
        EXPECT_THAT(text, HasSubstr(kept));
    }
}

// "node0" is what the kernel calls its first processors, and a name of hosts.
TEST(DisguisedFacts, hold_no_name_that_is_also_a_part_of_a_path) {
    StorageNode node(2);
    fake::FakeFiles& files = node.host.files;
    files.addFile("/proc/sys/kernel/hostname", "node0\n");
    files.addFile("/sys/devices/system/node/online", "0-1\n");
    files.addFile("/sys/devices/system/node/node0/cpulist", "0-31\n");
    files.addFile("/home/alice/node0/minio.env", "MINIO_RDMA_INTERNODE=on\n");
    files.addDirectory("/etc/systemd/system");
    files.addFile("/usr/lib/systemd/system/minio.service",
                  "[Service]\nUser=alice\nEnvironmentFile=/home/alice/node0/minio.env\n"
                  "ExecStart=/home/alice/node0/minio server\n");
    node.host.services.daemonReload();
    const Facts facts = takeFacts(node.reader(), {});
    const std::string plain = report::toJson(toValue(facts));
    Disguise disguise(facts, "salt");
    const auto other = disguise.facts(facts);
    ASSERT_TRUE(other);
    const std::string text = report::toJson(toValue(*other));
    for (const char* const name : {"alice", "/node0/minio", "\"node0\""}) {
        EXPECT_THAT(plain, HasSubstr(name));
        EXPECT_THAT(text, Not(HasSubstr(name)));
    }
    EXPECT_THAT(text, HasSubstr("/sys/devices/system/node/node0/cpulist"));
    expectSameFindings(facts);
}

TEST(NameDisguise, names_of_the_kernel_and_of_udev_say_nothing_of_people) {
    for (const char* const name : {"lo",
                                   "eth0",
                                   "ens1f0np0",
                                   "enp26s0f0np0",
                                   "enP2p1s0v3",
                                   "eno1",
                                   "ens1f0np0.100",
                                   "bond0.7",
                                   "ib0",
                                   "ibp26s0",
                                   "enxb8cef6000001",
                                   "br0",
                                   "veth12"}) {
        EXPECT_TRUE(isUsualInterface(name)) << name;
    }
    for (const char* const name : {"storage0",
                                   "rail1",
                                   "acme",
                                   "eth-acme",
                                   "enterprise0",
                                   "ens1acme",
                                   "ethacme0",
                                   "ens1.acme"}) {
        EXPECT_FALSE(isUsualInterface(name)) << name;
    }
    for (const char* const name : {"mlx5_0",
                                   "mlx5_bond_0",
                                   "rocep26s0f0",
                                   "bnxt_re0",
                                   "irdma1",
                                   "ibp26s0",
                                   "rxe0"}) {
        EXPECT_TRUE(isUsualRdmaDevice(name)) << name;
    }
    EXPECT_FALSE(isUsualRdmaDevice("acme_0"));
}

TEST(NameDisguise, names_that_differ_by_their_numbers_still_do) {
    NameDisguise names;
    names.addInterface("storage0");
    names.addInterface("storage1");
    names.addInterface("storage-a1.100");
    names.addInterface("ens1f0np0");
    EXPECT_EQ(names.of("storage0"), "na0");
    EXPECT_EQ(names.of("storage1"), "na1");
    EXPECT_EQ(names.of("storage-a1.100"), "na-a1.100");
    EXPECT_EQ(names.of("ens1f0np0"), "ens1f0np0");
}

Value json(const char* text) {
    return readJson(text).value();
}

// What names a device in each kind of document that a bundle holds.
TEST(LearntNames, are_those_of_devices_that_are_gone) {
    for (const char* const document :
         {R"({"rail": "acme1"})",
          R"({"steps": [{"rail": "rail0, acme1"}]})",
          R"({"rdma": "acme1"})",
          R"({"kind": "mtu", "device": "acme1"})",
          R"({"id": "arp.stricter", "device": "acme1"})",
          R"({"changes": [{"id": "dcb/acme1/pfc", "old": 1}]})",
          R"({"resources": ["neighbour/acme1/10.0.0.1"]})",
          R"({"wrote": {"path": "/proc/sys/net/ipv4/conf/acme1/arp_ignore"}})",
          R"({"after": ["net.ipv4.conf.acme1.arp_ignore = 1"]})"}) {
        NameDisguise names;
        learnDocument(json(document), names);
        EXPECT_TRUE(names.names().contains("acme1")) << document;
    }
    NameDisguise names;
    learnDocument(json(R"([{"kind": "module", "device": "rdma_cm"},
                           {"kind": "acs", "id": "acs/host/control", "device": "host"},
                           {"id": "neighbour/peers-from"}, {"id": "service/x/y"},
                           {"rail": "ens1f0np0", "rdma": "mlx5_0"},
                           "/proc/sys/net/ipv4/conf/all/arp_ignore",
                           "net.ipv4.conf.*.arp_ignore", "/etc/fabricctl.conf.d"])"),
                  names);
    EXPECT_THAT(names.names(), SizeIs(0));
}

TEST(LearntNames, are_those_that_a_file_sets_up_for_a_device_that_is_gone) {
    StorageNode node(2);
    node.host.files.addFile("/etc/sysctl.d/10-site.conf",
                            "net.ipv4.conf.acme1.arp_ignore = 1\n"
                            "net/ipv4/neigh/acme2/gc_stale_time = 1\n"
                            "net.ipv4.conf.acme3/100.arp_ignore = 1\n");
    const Facts facts = takeFacts(node.reader(), {});
    EXPECT_THAT(report::toJson(toValue(facts)), HasSubstr("acme2"));
    const auto other = Disguise(facts, "salt").facts(facts);
    ASSERT_TRUE(other);
    EXPECT_THAT(report::toJson(toValue(*other)), Not(HasSubstr("acme")));
    expectSameFindings(facts);
}

TEST(LearntNames, are_those_of_the_selectors_of_a_profile) {
    NameDisguise names;
    learnProfile(mergedProfile(profileOf(R"(version: 1
name: acme-prod
rails:
  match: [{ interface: "acme1" }, { interface: "acme*" }, { rdma: "mlx5_*" }]
  exclude: [{ rdma: "corp_0" }, { interface: "ens*" }]
neighbours:
  peers: [{ host: b, rail: blue1, address: 10.0.0.2, mac: "02:00:00:00:00:02" }]
overrides:
  - match: { interface: "green1" }
    mtu: 9000
)")),
                 names);
    for (const char* const name :
         {"acme1", "acme*", "corp_0", "blue1", "green1", "acme-prod"}) {
        EXPECT_TRUE(names.names().contains(name)) << name;
    }
    EXPECT_THAT(names.names(), SizeIs(6));
}

TEST(LearntNames, of_profiles_are_replaced_where_they_stand) {
    StorageNode node(2);
    const Facts facts = takeFacts(node.reader(), {});
    Disguise disguise(facts, "salt");
    const Value report = json(R"({"profile": {"name": "acme-prod",
        "path": "/etc/fabricctl/acme-prod.yaml",
        "extends": [{"path": "/etc/fabricctl/acme-base.yml"}]},
        "reason": "acme-prod and acme-base say so"})");
    learnDocument(report, disguise.names());
    const std::string text = report::toJson(disguise.tree(report));
    EXPECT_THAT(text, Not(HasSubstr("acme")));
    EXPECT_THAT(text, HasSubstr("/etc/fabricctl/profile-1.yaml"));
    EXPECT_THAT(text, HasSubstr("profile-1 and profile-2 say so"));
    profile::TreeNode tree = mergedProfile(
        profileOf("version: 1\nname: acme-prod\ndescription: For ACME\nmtu: 9000\n"));
    disguiseProfile(facts.observed, disguise, tree);
    const profile::Profile other = profileOf(profile::writeYaml(tree));
    EXPECT_EQ(other.name(), "profile-1");
    EXPECT_EQ(other.document().description, "left-out");
}

// "links" is what facts are made of, "dscp" a value of the profile.
TEST(LearntNames, of_profiles_take_no_place_of_a_word_of_a_format) {
    StorageNode node(2);
    const Facts facts = takeFacts(node.reader(), {});
    for (const char* const name : {"links", "files", "dscp", "lossless", "mlx5_core"}) {
        Disguise disguise(facts, "salt");
        const profile::Profile profile = profileOf(std::string("version: 1\nname: ") +
                                                   name + "\ndcb: { trust: dscp }\n");
        profile::TreeNode tree = mergedProfile(profile);
        learnProfile(tree, disguise.names());
        const auto other = disguise.facts(facts);
        ASSERT_TRUE(other) << name << other.error().message();
        EXPECT_EQ(other->observed.files.size(), facts.observed.files.size()) << name;
        disguiseProfile(facts.observed, disguise, tree);
        const std::string text = profile::writeYaml(tree);
        EXPECT_THAT(text, HasSubstr("profile-1"));
        EXPECT_THAT(text, HasSubstr("trust: dscp"));
        EXPECT_THAT(
            report::toJson(disguise.tree(json(
                (std::string(R"({"profile": {"name": ")") + name + "\"}}").c_str()))),
            HasSubstr("profile-1"));
    }
    // Shipped ones are nobody's.
    NameDisguise names;
    names.addProfile("minio-roce-lossless");
    EXPECT_EQ(names.profileOf("minio-roce-lossless"), "minio-roce-lossless");
}

class DisguisedText : public ::testing::Test {
  protected:
    DisguisedText() : disguise(factsOf(), "salt") {}

    static Facts factsOf() {
        Facts facts{.hostName = "node1.corp.lan"};
        facts.observed.links = std::vector<host::Link>{
            {.index = {3}, .name = "storage0"}, {.index = {4}, .name = "server"}};
        facts.observed.units["minio.service"] = host::ServiceUnit{.user = "jane"};
        return facts;
    }

    std::string said(std::string_view text) {
        return disguise.text(text, Reading::anyone);
    }

    Disguise disguise;
};

TEST_F(DisguisedText, holds_names_where_words_begin_and_end) {
    EXPECT_EQ(said("node1: storage0 up"), "host1: na0 up");
    EXPECT_EQ(said("/sys/class/net/storage0/lower_storage0"),
              "/sys/class/net/na0/lower_na0");
    EXPECT_EQ(said("net.ipv4.conf.storage0.arp_ignore"),
              "net.ipv4.conf.na0.arp_ignore");
    EXPECT_EQ(said("storage01 xstorage0 storage0_x"), "storage01 xstorage0 storage0_x");
    // A word that this program compares with is no name.
    EXPECT_EQ(said("minio server"), "minio server");
    EXPECT_EQ(said("user jane"), "user user1");
}

TEST_F(DisguisedText, holds_strangers_that_somebody_named) {
    const std::string text = said(
        "dial https://node7:9000/x and https://node8.corp.lan/, mail jim@example.org, "
        "/home/joe/x, node7, s3.amazon.com; mlx5_core.ko, minio.service, main.go:7");
    for (const char* const name :
         {"node7", "node8", "corp", "jim", "joe", "example.org", "amazon"}) {
        EXPECT_THAT(text, Not(HasSubstr(name))) << text;
    }
    for (const char* const kept :
         {":9000/x", "mlx5_core.ko", "minio.service", "main.go:7"}) {
        EXPECT_THAT(text, HasSubstr(kept)) << text;
    }
    EXPECT_EQ(said("node7"), said("node7"));
}

TEST_F(DisguisedText, leaves_an_address_of_nobody_as_it_was_written) {
    EXPECT_EQ(said("0::/system.slice/minio.service"), "0::/system.slice/minio.service");
}

// A report names the profile that was applied.
TEST_F(DisguisedText, holds_whose_home_a_file_lies_in_whoever_wrote_of_it) {
    const std::string path = disguise.text("/home/sue/site.yaml", Reading::facts);
    EXPECT_THAT(path, Not(HasSubstr("sue")));
    EXPECT_THAT(path, HasSubstr("/home/"));
    EXPECT_THAT(path, HasSubstr("/site.yaml"));
    EXPECT_THAT(disguise.text("sue", Reading::facts), Not(HasSubstr("sue")));
}

TEST_F(DisguisedText, holds_addresses_in_each_of_their_forms) {
    const std::string text = said(
        "10.0.1.2 (10.0.1.2:9000) [fd00::77]:9000 b8:ce:f6:12:34:56, "
        "b8ce:f603:0012:3456 "
        "0xb8cef60300123456 enxb8cef6123456 fe80::bace:f6ff:fe12:3456%storage0 "
        "0000:0000:0000:0000:0000:ffff:0a00:0102 7c3b4a52-1f0e-4d6b-9a8c-112233445566 "
        "10.0.1.2. 80:00:02:08:fe:80:00:00:00:00:00:00:b8:ce:f6:03:00:12:34:56");
    for (const char* const part : {"10.0.1.2",
                                   "fd00::77",
                                   "12:34:56",
                                   "0012:3456",
                                   "0300123456",
                                   "cef6123456",
                                   "fe12:3456",
                                   "0a00:0102",
                                   "7c3b4a52",
                                   "112233445566"}) {
        EXPECT_THAT(text, Not(HasSubstr(part))) << text;
    }
    EXPECT_THAT(text, HasSubstr(":9000) [fd"));
    EXPECT_THAT(text, HasSubstr("%na0"));
}

TEST_F(DisguisedText, leaves_what_only_looks_like_an_address) {
    for (const char* const text :
         {"0000:1a:00.0: 12:34:56 at 2026-11-30T19:00:00.123456Z",
          "firmware version 22.31.1.4 (fw 20.10.1.2)",
          "6.1.0-57-amd64 4.18.0-553.16.1.el8",
          "1.2.3.4.5 127.0.0.1 ::1 0.0.0.0 255.255.255.0",
          "abc: dead beef: fee"}) {
        EXPECT_EQ(said(text), text);
    }
}

TEST_F(DisguisedText, names_a_network_by_its_first_address) {
    const std::string network = said("10.0.1.0/24");
    const std::string address = said("10.0.1.77/24");
    EXPECT_TRUE(network.ends_with(".0/24")) << network;
    EXPECT_EQ(network.substr(0, network.rfind('.')),
              address.substr(0, address.rfind('.')));
}

}  // namespace
}  // namespace fabric::facts
