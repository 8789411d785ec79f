// SPDX-License-Identifier: Apache-2.0
#include "snapshot/capture.hpp"

#include "inventory/platform.hpp"
#include "resource/dcb/message.hpp"
#include "snapshot/compare.hpp"
#include "snapshot/kept_node.hpp"
#include "snapshot/store.hpp"
#include "snapshot/whereabouts.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

namespace fabric::snapshot {
namespace {

using resource::Step;
using resource::Write;

class Capture : public ::testing::Test {
  protected:
    Snapshot captured(std::vector<Write> writes, IfIndex link = {}) {
        const host::Reader reader = node.reader();
        const std::vector<Step> plan{{.stage = resource::Stage::service,
                                      .rail = {},
                                      .link = link,
                                      .summary = "test",
                                      .ids = {"x"},
                                      .writes = std::move(writes)}};
        return capture(reader, plan, {.command = "apply", .platform = platform})
            .value();
    }

    KeptNode node{2};
    inventory::Platform platform;
};

TEST_F(Capture, what_no_restore_brings_back_is_listed_and_not_called_unread) {
    const Snapshot snapshot = captured({resource::ModuleLoad{"nvidia_peermem"},
                                        host::RestartRequest{.unit = "minio.service"},
                                        resource::NeighbourDelete{},
                                        resource::NeighbourResolve{},
                                        resource::GratuitousArp{},
                                        resource::ManagerReload{"minio.service"},
                                        resource::DirectoryCreate{"/etc/new"}});
    EXPECT_TRUE(snapshot.items.empty());
    EXPECT_EQ(snapshot.notRestored.size(), 5U);
    EXPECT_TRUE(std::ranges::none_of(snapshot.notRestored, &Kept::unread));
}

TEST_F(Capture, the_notes_of_this_program_are_no_state_of_the_host) {
    const Snapshot snapshot = captured(
        {resource::DirectoryCreate{"/run/fabricctl/flush-pending"},
         resource::FileReplace{.path = "/run/fabricctl/flush-pending/10", .text = "x"},
         resource::FileRemove{"/run/fabricctl/flush-pending/10"}});
    EXPECT_TRUE(snapshot.items.empty());
    EXPECT_TRUE(snapshot.notRestored.empty());
}

TEST_F(Capture, a_file_is_kept_byte_for_byte_with_owner_and_mode) {
    auto& file =
        node.host.files.addFile("/etc/fabricctl/minio.env", std::string("a\0\xff", 3));
    file.mode = 0640;
    file.owner = 12;
    file.group = 34;
    const Snapshot snapshot = captured(
        {resource::FileReplace{.path = "/etc/fabricctl/minio.env", .text = "new"}});
    const auto& kept = std::get<File>(snapshot.items.at(0).thing);
    EXPECT_EQ(*kept.content,
              (FileContent{.bytes = std::string("a\0\xff", 3),
                           .mode = 0640,
                           .owner = {.user = 12, .group = 34}}));
}

TEST_F(Capture, a_link_in_place_of_a_file_is_not_followed) {
    node.host.files.addFile("/etc/shadow", "secret");
    const char* const ours = "/etc/sysctl.d/99-zz-fabricctl.conf";
    node.host.files.addLink(ours, "/etc/shadow");
    const Snapshot snapshot =
        captured({resource::FileReplace{.path = ours, .text = "new"}});
    EXPECT_TRUE(snapshot.items.empty());
    EXPECT_TRUE(snapshot.notRestored.at(0).unread);
}

TEST_F(Capture, what_a_restore_could_not_tell_apart_is_said_before_the_write) {
    const IfIndex first = KeptNode::linkOf(0);
    node.host.links.find(KeptNode::linkOf(1))->permanentMac =
        node.host.links.find(first)->permanentMac;
    const Snapshot snapshot = captured({resource::MtuWrite{first, 9000}});
    EXPECT_TRUE(snapshot.items.empty());
    ASSERT_EQ(snapshot.notRestored.size(), 1U);
    EXPECT_TRUE(snapshot.notRestored.front().unread);
}

TEST_F(Capture, an_attribute_in_a_group_that_is_made_first_cannot_have_been_read) {
    const std::string group = "/sys/kernel/config/rdma_cm/mlx5_0";
    const Snapshot snapshot =
        captured({resource::DirectoryCreate{group},
                  resource::AttributeWrite{group + "/ports/1/default_roce_tos", "104"}},
                 KeptNode::linkOf(0));
    EXPECT_TRUE(snapshot.items.empty());
    EXPECT_TRUE(std::ranges::none_of(snapshot.notRestored, &Kept::unread));
}

TEST_F(Capture, a_port_that_cannot_be_read_keeps_no_other_from_being_kept) {
    node.dcb(0).faults.getErrno = EIO;
    const Snapshot snapshot =
        captured({resource::DcbWrite{{.link = KeptNode::linkOf(0),
                                      .command = host::DcbCommand::setDcbx}},
                  resource::DcbWrite{{.link = KeptNode::linkOf(1),
                                      .command = host::DcbCommand::setDcbx}}});
    ASSERT_EQ(snapshot.items.size(), 1U);
    EXPECT_EQ(snapshot.items.front().label, "rail1");
    ASSERT_EQ(snapshot.notRestored.size(), 1U);
    EXPECT_TRUE(snapshot.notRestored.front().unread);
}

// Seen in the lab: enabling PFC turned global pause off, and nothing had read it.
TEST_F(Capture, who_sets_pfc_overwrites_global_pause_too) {
    node.host.ethtool.pauses.at(KeptNode::linkOf(0)).rx = true;
    const Snapshot snapshot = captured({resource::DcbWrite{
        resource::dcb::setPfcRequest(KeptNode::linkOf(0), {.enabled = 8})}});
    const auto pause =
        std::ranges::find(snapshot.items, resource::Kind::pause, &Item::kind);
    ASSERT_NE(pause, snapshot.items.end());
    EXPECT_TRUE(std::get<Pause>(pause->thing).parameters.rx);
}

// What one apply of the whole profile adds to the reads of the machine.
struct Cost {
    std::size_t gets = 0;
    std::size_t files = 0;
    std::size_t dumps = 0;
    std::size_t confs = 0;
};

Cost costOf(unsigned rails) {
    KeptNode node(rails);
    engine::ApplyOptions options;
    Cost cost;
    options.beforeWriting =
        [&](const std::vector<Step>& plan,
            const engine::Preparation& preparation) -> Result<void> {
        const host::Reader reader = node.reader();
        const Cost before{node.fakeDcb.getCalls(),
                          node.host.files.readCount(),
                          node.host.links.dumps,
                          node.host.ipv4.dumps};
        EXPECT_TRUE(capture(reader,
                            plan,
                            {.command = "apply",
                             .platform = preparation.platform,
                             .pci = preparation.pci ? &*preparation.pci : nullptr}));
        cost = {node.fakeDcb.getCalls() - before.gets,
                node.host.files.readCount() - before.files,
                node.host.links.dumps - before.dumps,
                node.host.ipv4.dumps - before.confs};
        return {};
    };
    EXPECT_FALSE(
        engine::apply(node.reader(), node.writer(), wholeProfile(), options).stopped);
    return cost;
}

TEST(CaptureCost, is_one_look_at_each_port_and_grows_with_the_rails) {
    const Cost two = costOf(2);
    const Cost eight = costOf(8);
    EXPECT_EQ(two.gets, 2U);
    EXPECT_EQ(eight.gets, 8U);
    EXPECT_EQ(eight.dumps, 1U);
    EXPECT_EQ(eight.confs, 1U);
    // Of each rail: four ECN attributes that change, ids and driver of its function.
    constexpr std::size_t kReadsOfOneRail = 8;
    EXPECT_LE(eight.files - two.files, 6 * kReadsOfOneRail);
}

TEST(CaptureTogether, a_vlan_goes_down_before_what_it_stands_on) {
    KeptNode node(1);
    host::Link& vlan = node.host.links.add(30, "rail0.7");
    vlan.kind = "vlan";
    vlan.lower = KeptNode::linkOf(0);
    node.apply(scenario::profileOf("version: 1\nname: one\nmtu: 4200\n"));
    ASSERT_EQ(node.host.links.find(IfIndex{30})->mtu, 4200U);
    const std::size_t before = node.host.links.mtuChanges.size();
    EXPECT_EQ(notAsWanted(node.restore(**loadLatest(node.reader()))), "");
    const auto& changes = node.host.links.mtuChanges;
    ASSERT_EQ(changes.size(), before + 2);
    EXPECT_EQ(changes[before].link, IfIndex{30});
    EXPECT_EQ(changes[before + 1].link, KeptNode::linkOf(0));
}

TEST(CaptureTogether, a_bond_that_is_written_takes_its_members_along) {
    KeptNode node(2);
    host::Link& bond = node.host.links.add(30, "bond0");
    bond.kind = "bond";
    bond.mtu = 4200;
    for (const unsigned rail : {0U, 1U}) {
        host::Link& member = *node.host.links.find(KeptNode::linkOf(rail));
        member.master = IfIndex{30};
        member.mtu = 4200;
    }
    const auto item = [&](IfIndex link, LinkIdentity identity) {
        return Item{.kind = resource::Kind::mtu,
                    .label = node.host.links.find(link)->name,
                    .from = "x",
                    .thing = Mtu{.link = std::move(identity), .bytes = 1500}};
    };
    const host::Reader reader = node.reader();
    Whereabouts where(reader);
    Snapshot snapshot;
    for (const IfIndex link : {KeptNode::linkOf(0), KeptNode::linkOf(1), IfIndex{30}}) {
        snapshot.items.push_back(item(link, where.identityOf(link).value()));
    }
    const resource::Comparison found = compare(reader, snapshot, inventory::Platform{});
    ASSERT_EQ(found.steps.size(), 1U);
    EXPECT_EQ(found.steps.front().link, IfIndex{30});
    EXPECT_EQ(found.steps.front().ids.size(), 3U);
}

}  // namespace
}  // namespace fabric::snapshot
