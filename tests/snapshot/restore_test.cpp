// SPDX-License-Identifier: Apache-2.0
// Whole runs on a machine in memory: apply, then restore, and every byte of the machine
// compared.
#include "snapshot/restore.hpp"

#include "inventory/platform.hpp"
#include "snapshot/compare.hpp"
#include "snapshot/cut_off.hpp"
#include "snapshot/kept_node.hpp"
#include "snapshot/look.hpp"
#include "snapshot/store.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace fabric::snapshot {
namespace {

using engine::ExitCode;
using engine::Outcome;
using fake::DcbDriver;

class Restore : public ::testing::TestWithParam<DcbDriver> {};

TEST_P(Restore, brings_back_every_byte_of_eight_rails) {
    KeptNode node(8, GetParam());
    const std::string before = node.everything();
    node.apply(wholeProfile());
    ASSERT_TRUE(node.saved) << node.saved.error().message();
    ASSERT_NE(node.everything(), before);
    const auto snapshot = load(node.host.files, node.saved->id);
    ASSERT_TRUE(snapshot) << snapshot.error().message();
    const engine::Report report = node.restore(*snapshot);
    EXPECT_EQ(notAsWanted(report), "");
    EXPECT_TRUE(report.changed);
    EXPECT_EQ(node.everything(), before);
}

TEST_P(Restore, is_undone_by_restoring_what_it_found) {
    KeptNode node(2, GetParam());
    node.apply(wholeProfile());
    const std::string applied = node.everything();
    node.restore(**loadLatest(node.reader()));
    ASSERT_NE(node.everything(), applied);
    const auto undo = load(node.host.files, node.saved->id);
    ASSERT_TRUE(undo);
    EXPECT_EQ(undo->command, "restore");
    EXPECT_EQ(notAsWanted(node.restore(*undo)), "");
    EXPECT_EQ(node.everything(), applied);
}

TEST_P(Restore, a_second_time_writes_nothing) {
    KeptNode node(2, GetParam());
    node.apply(wholeProfile());
    const auto snapshot = *loadLatest(node.reader());
    node.restore(*snapshot);
    const std::size_t writes = node.writeCount();
    const engine::Report again = node.restore(*snapshot);
    EXPECT_EQ(node.writeCount(), writes);
    EXPECT_FALSE(again.changed);
    EXPECT_EQ(again.exitCode(), ExitCode::asWanted);
}

TEST_P(Restore, of_the_baseline_undoes_two_applies) {
    KeptNode node(2, GetParam());
    const std::string before = node.everything();
    node.apply(scenario::profileOf("version: 1\nname: one\nmtu: 4200\n"));
    node.apply(wholeProfile());
    const auto baseline = load(node.host.files, kBaselineId);
    ASSERT_TRUE(baseline) << baseline.error().message();
    EXPECT_EQ(notAsWanted(node.restore(*baseline)), "");
    EXPECT_EQ(node.everything(), before);
}

INSTANTIATE_TEST_SUITE_P(Snapshot,
                         Restore,
                         ::testing::Values(DcbDriver::mlx5,
                                           DcbDriver::bnxt,
                                           DcbDriver::ice,
                                           DcbDriver::plain));

TEST(RestoreRun, an_apply_that_writes_nothing_keeps_nothing) {
    KeptNode node(2);
    node.apply(wholeProfile());
    const auto ids = storedIds(node.host.files).value();
    node.apply(wholeProfile());
    EXPECT_EQ(storedIds(node.host.files).value(), ids);
}

TEST(RestoreRun, a_dry_run_says_the_steps_and_writes_nothing) {
    KeptNode node(2);
    node.apply(wholeProfile());
    const std::size_t writes = node.writeCount();
    const host::Reader reader = node.reader();
    const engine::Report report =
        differences(reader, "restore", **loadLatest(node.reader()));
    EXPECT_FALSE(report.steps.empty());
    EXPECT_EQ(report.exitCode(), ExitCode::differences);
    EXPECT_EQ(node.writeCount(), writes);
}

profile::Profile mtuProfile(unsigned mtu) {
    return scenario::profileOf("version: 1\nname: one\nmtu: " + std::to_string(mtu) +
                               "\n");
}

// A restore without an id: what was undone must not come back by undoing that.
class LastApply : public ::testing::Test {
  protected:
    std::string apply(unsigned mtu) {
        node.apply(mtuProfile(mtu));
        return node.saved->id;
    }

    // By its id; the id of the snapshot that the restore left.
    std::string restore(std::string_view id) {
        node.restore(*load(node.host.files, id));
        return node.saved->id;
    }

    std::string latest() {
        const auto found = loadLatest(node.reader());
        return found && *found ? (*found)->id : "";
    }

    std::uint32_t mtu() { return node.host.links.find(node.linkOf(0))->mtu; }

    KeptNode node{1};
};

TEST_F(LastApply, that_was_undone_is_not_undone_once_more_nor_is_the_restore) {
    const std::uint32_t before = mtu();
    const std::string first = apply(4200);
    const std::string second = apply(9000);
    EXPECT_EQ(latest(), second);
    restore(second);
    EXPECT_EQ(mtu(), 4200U);
    EXPECT_EQ(latest(), first) << "one apply further back, each time";
    restore(first);
    EXPECT_EQ(mtu(), before);
    const auto nothing = loadLatest(node.reader());
    ASSERT_TRUE(nothing) << nothing.error().message();
    EXPECT_FALSE(*nothing) << (*nothing)->id;
}

// "None was undone" is what a damaged record must never be taken for.
TEST_F(LastApply, is_not_known_when_the_record_of_restores_is_damaged) {
    const std::string first = apply(4200);
    const std::string second = apply(9000);
    restore(second);
    node.host.files.addFile(kRestoredPath, "\x01\x02 garbage\n");
    const auto latest = loadLatest(node.reader());
    ASSERT_FALSE(latest) << "it chose " << (*latest)->id;
    EXPECT_NE(latest.error().message().find(kRestoredPath), std::string::npos);
    EXPECT_NE(latest.error().advice.find("fabricctl restore ID"), std::string::npos);
    EXPECT_FALSE(noteRestored(node.host.files, node.host.files, first))
        << "nor is it written over";
    ASSERT_TRUE(load(node.host.files, first)) << "one that is named can be put back";
    ASSERT_TRUE(node.host.files.removeFile(kRestoredPath));
    EXPECT_TRUE(loadLatest(node.reader())) << "what the advice says helps";
}

TEST_F(LastApply, that_an_older_snapshot_took_along_is_undone_too) {
    const std::string first = apply(4200);
    apply(9000);
    restore(first);
    EXPECT_EQ(latest(), "");
    const std::string third = apply(3000);
    EXPECT_EQ(latest(), third);
    restore(kBaselineId);
    EXPECT_EQ(latest(), "");
}

TEST_F(LastApply, is_in_effect_again_once_its_restore_was_undone_by_name) {
    const std::string only = apply(9000);
    const std::string undone = restore(only);
    EXPECT_EQ(latest(), "");
    const std::string redone = restore(undone);
    EXPECT_EQ(mtu(), 9000U);
    EXPECT_EQ(latest(), only);
    restore(redone);
    EXPECT_EQ(latest(), "");
}

TEST_F(LastApply, is_still_to_be_undone_after_a_restore_that_failed) {
    const std::string only = apply(9000);
    node.host.links.ignoreMtu = true;
    restore(only);
    node.host.links.ignoreMtu = false;
    EXPECT_EQ(latest(), only);
}

TEST_F(LastApply, is_undone_also_when_somebody_wrote_since) {
    const std::string first = apply(4200);
    restore(apply(9000));
    node.host.links.find(node.linkOf(0))->mtu = 3000;
    EXPECT_EQ(latest(), first);
}

TEST_F(LastApply, that_cannot_be_read_is_not_passed_over_without_a_word) {
    const std::string first = apply(4200);
    const std::string second = apply(9000);
    node.host.files.find(pathOf(second))->content = "{";
    const auto found = loadLatest(node.reader());
    ASSERT_FALSE(found);
    EXPECT_NE(found.error().message().find(second), std::string::npos);
    EXPECT_NE(found.error().advice.find("fabricctl restore " + first),
              std::string::npos)
        << found.error().advice;
}

// A run that changed nothing: its snapshot would hide the one that matters.
class UnusedSnapshot : public ::testing::Test {
  protected:
    UnusedSnapshot() {
        node.apply(mtuProfile(4200));
        changed = node.saved->id;
    }

    void expectOnlyTheRunThatChanged() {
        EXPECT_EQ(storedIds(node.host.files).value(), std::vector{changed});
        EXPECT_EQ((*loadLatest(node.reader()))->id, changed);
    }

    KeptNode node{1};
    std::string changed;
};

TEST_F(UnusedSnapshot, of_a_run_whose_writes_had_no_effect_goes) {
    node.host.links.ignoreMtu = true;
    EXPECT_EQ(node.apply(mtuProfile(9000)).exitCode(), ExitCode::someFailed);
    EXPECT_NE(node.saved->id, changed);
    ASSERT_TRUE(node.kept);
    EXPECT_FALSE(*node.kept);
    expectOnlyTheRunThatChanged();
}

TEST_F(UnusedSnapshot, of_a_run_that_was_stopped_before_its_first_write_goes) {
    node.signal = "SIGTERM";
    EXPECT_EQ(node.apply(mtuProfile(9000)).exitCode(), ExitCode::someFailed);
    expectOnlyTheRunThatChanged();
}

TEST_F(UnusedSnapshot, of_a_run_that_was_killed_is_not_chosen_and_goes_with_the_next) {
    node.killed = true;
    node.host.links.ignoreMtu = true;
    node.apply(mtuProfile(9000));
    ASSERT_EQ(storedIds(node.host.files)->size(), 2U);
    EXPECT_EQ((*loadLatest(node.reader()))->id, changed);
    node.apply(mtuProfile(9000));
    EXPECT_EQ(storedIds(node.host.files)->size(), 2U);
    EXPECT_EQ((*loadLatest(node.reader()))->id, changed);
}

TEST_F(UnusedSnapshot, is_none_when_the_killed_run_had_written) {
    node.killed = true;
    node.apply(mtuProfile(9000));
    const std::string last = node.saved->id;
    EXPECT_EQ((*loadLatest(node.reader()))->id, last);
    node.killed = false;
    node.apply(mtuProfile(1400));
    EXPECT_EQ(storedIds(node.host.files), (std::vector{changed, last, node.saved->id}));
}

TEST_F(UnusedSnapshot, does_not_push_out_what_can_be_restored) {
    node.host.links.ignoreMtu = true;
    for (std::size_t run = 0; run < kKeptSnapshots + 2; ++run) {
        node.killed = run % 2 == 0;
        node.apply(mtuProfile(9000));
    }
    EXPECT_EQ(storedIds(node.host.files)->front(), changed);
    EXPECT_EQ((*loadLatest(node.reader()))->id, changed);
}

std::size_t countOf(const engine::Report& report, Outcome outcome) {
    return static_cast<std::size_t>(std::ranges::count(
        report.resources, outcome, &engine::ResourceReport::outcome));
}

std::string evidenceOf(const engine::Report& report, std::string_view id) {
    const auto found = std::ranges::find(report.findings, id, &resource::Finding::id);
    return found == report.findings.end() ? "" : found->evidence;
}

TEST(RestoreRun, an_adapter_that_is_gone_is_a_difference_and_the_rest_is_restored) {
    KeptNode node(2);
    node.apply(wholeProfile());
    const auto snapshot = *loadLatest(node.reader());
    // Another adapter takes its name.
    node.host.links.find(KeptNode::linkOf(0))->permanentMac =
        MacAddress{{2, 0, 0, 0, 0, 9}};
    const std::uint32_t mtu = node.host.links.find(KeptNode::linkOf(0))->mtu;
    const engine::Report report = node.restore(*snapshot);
    EXPECT_EQ(report.exitCode(), ExitCode::differences);
    EXPECT_EQ(report.result(), "differs");
    EXPECT_GT(countOf(report, Outcome::drifted), 1U);
    const std::string named = evidenceOf(report, "restore.not-put-back");
    EXPECT_NE(named.find("rail0 of then"), std::string::npos) << named;
    EXPECT_EQ(named.find("rail0", named.find("rail0") + 1), std::string::npos)
        << "once, whatever of it was kept: " << named;
    EXPECT_EQ(named.find("rail1"), std::string::npos) << named;
    EXPECT_EQ(node.host.links.find(KeptNode::linkOf(0))->mtu, mtu);
    EXPECT_EQ(node.dcb(0).pfc.pfc_en, 0x08);
    EXPECT_EQ(node.host.links.find(KeptNode::linkOf(1))->mtu, 1500U);
    EXPECT_EQ(node.dcb(1).pfc.pfc_en, 0);
}

TEST(RestoreRun, what_is_known_to_be_gone_is_still_named_and_no_difference) {
    KeptNode node(2);
    node.apply(wholeProfile());
    const auto snapshot = *loadLatest(node.reader());
    node.host.links.find(KeptNode::linkOf(0))->permanentMac =
        MacAddress{{2, 0, 0, 0, 0, 9}};
    EXPECT_EQ(differences(node.reader(), "restore", *snapshot).exitCode(),
              ExitCode::differences);
    node.gone = Gone::accepted;
    const engine::Report report = node.restore(*snapshot);
    EXPECT_EQ(notAsWanted(report), "");
    EXPECT_GT(countOf(report, Outcome::notApplicable), 1U);
    EXPECT_NE(evidenceOf(report, "restore.not-put-back"), "");
    EXPECT_FALSE(*loadLatest(node.reader())) << "nothing is left to undo";
}

// A read that failed once, before the first write: EIO on a netlink dump.
TEST(RestoreRun, what_its_run_could_not_read_is_not_said_to_be_back) {
    KeptNode node(2);
    node.apply(wholeProfile());
    Snapshot snapshot = *load(node.host.files, node.saved->id);
    snapshot.notRestored.push_back(
        {.what = "arp_ignore of rail0", .why = "Input/output error", .unread = true});
    const engine::Report report = node.restore(snapshot);
    EXPECT_EQ(report.exitCode(), ExitCode::unverifiable);
    EXPECT_FALSE(
        isAsItWas(node.reader(), snapshot, inventory::observePlatform(node.reader())));
    const engine::Report accepted = differences(
        node.reader(), "restore", snapshot, {.gone = Gone::accepted, .left = {}});
    EXPECT_EQ(accepted.exitCode(), ExitCode::asWanted);
}

TEST(RestoreRun, two_adapters_that_cannot_be_told_apart_are_not_gone) {
    KeptNode node(2);
    node.apply(wholeProfile());
    const auto snapshot = *loadLatest(node.reader());
    node.host.links.find(KeptNode::linkOf(0))->permanentMac =
        node.host.links.find(KeptNode::linkOf(1))->permanentMac;
    node.gone = Gone::accepted;
    const engine::Report report = node.restore(*snapshot);
    EXPECT_EQ(report.exitCode(), ExitCode::differences) << notAsWanted(report);
    EXPECT_EQ((*loadLatest(node.reader()))->id, snapshot->id);
}

TEST(RestoreRun, what_others_changed_since_is_told_before_it_goes) {
    KeptNode node(2);
    node.apply(mtuProfile(4200));
    node.apply(mtuProfile(9000));
    const auto oldest = load(node.host.files, storedIds(node.host.files)->front());
    EXPECT_EQ(evidenceOf(node.restore(**loadLatest(node.reader())), kChangedSince), "");
    node.apply(mtuProfile(9000));
    node.host.links.find(KeptNode::linkOf(1))->mtu = 3000;
    const engine::Report report = node.restore(*oldest);
    EXPECT_EQ(report.exitCode(), ExitCode::asWanted) << notAsWanted(report);
    EXPECT_EQ(evidenceOf(report, kChangedSince), "mtu/rail1: 9000 was left, is 3000");
}

// Each run knows what it left of the values that it wrote, and no others.
TEST(RestoreRun, what_a_run_wrote_a_part_of_is_compared_by_that_part) {
    KeptNode node(1);
    const auto arp =
        scenario::profileOf("version: 1\nname: one\narp: { persist: false }\n");
    auto& values = node.host.ipv4.of(KeptNode::linkOf(0));
    const auto before = values;
    node.apply(arp);
    const auto wanted = values;
    const auto differing = std::ranges::count_if(
        wanted, [&](const auto& one) { return before.at(one.first) != one.second; });
    ASSERT_GT(differing, 1) << "a thing with several values";
    values[host::Ipv4Key::arpIgnore] = 0;
    node.apply(arp);
    ASSERT_EQ(values, wanted);
    EXPECT_EQ(evidenceOf(node.restore(**loadLatest(node.reader())), kChangedSince), "");
    const auto first = *loadLatest(node.reader());
    EXPECT_EQ(
        evidenceOf(
            differences(
                node.reader(), "restore", *first, {.left = lastLeft(node.host.files)}),
            kChangedSince),
        "");
    values[host::Ipv4Key::arpAnnounce] = 1;
    const std::string told = evidenceOf(node.restore(*first), kChangedSince);
    EXPECT_NE(told.find("{arp_announce: 2} was left, is {arp_announce: 1}"),
              std::string::npos)
        << told;
}

TEST(RestoreRun, what_earlier_runs_left_of_a_thing_is_known_beside_the_last) {
    Left left{{"a", {{"x", "1"}, {"y", "2"}}}, {"b", {{"", "absent"}}}};
    absorb({{"a", {{"y", "3"}}}, {"b", {{"bytes", "7"}}}}, left);
    EXPECT_EQ(left, (Left{{"a", {{"x", "1"}, {"y", "3"}}}, {"b", {{"bytes", "7"}}}}));
}

TEST(CutOff, a_run_that_finds_all_as_wanted_says_of_no_part_that_it_is_undone) {
    KeptNode node(1);
    node.killed = true;
    node.apply(mtuProfile(9000));
    const auto run = cutOffRun(node.reader());
    ASSERT_TRUE(run);
    const auto said = [&](AfterCutOff now, bool waits) {
        const auto finding = cutOffFinding(*run, waits, now);
        return finding.summary + " | " + finding.fix;
    };
    const std::string unknown = said(AfterCutOff::unknown, false);
    EXPECT_NE(unknown.find("may not be done"), std::string::npos) << unknown;
    EXPECT_NE(unknown.find("to complete it: fabricctl apply test.yaml"),
              std::string::npos)
        << unknown;
    for (const auto now : {AfterCutOff::asWanted, AfterCutOff::settled}) {
        const std::string text = said(now, false);
        EXPECT_EQ(text.find("not be done"), std::string::npos) << text;
        EXPECT_EQ(text.find("to complete"), std::string::npos) << text;
        EXPECT_NE(text.find("found everything as wanted"), std::string::npos) << text;
        EXPECT_NE(text.find("fabricctl restore " + run->id), std::string::npos) << text;
    }
    EXPECT_EQ(said(AfterCutOff::settled, false).find("fabricctl apply"),
              std::string::npos)
        << "only the way back is left";
    EXPECT_EQ(said(AfterCutOff::asWanted, true).find("fabricctl apply"),
              std::string::npos)
        << "nothing may write while it waits";
}

TEST(RestoreRun, what_a_killed_run_left_is_not_blamed_on_others) {
    KeptNode node(1);
    node.apply(mtuProfile(4200));
    node.killed = true;
    node.apply(mtuProfile(9000));
    node.killed = false;
    EXPECT_EQ(evidenceOf(node.restore(**loadLatest(node.reader())), kChangedSince), "");
}

TEST(RestoreRun, a_renamed_adapter_is_restored_and_the_one_with_its_name_is_not) {
    KeptNode node(2);
    node.apply(scenario::profileOf(
        "version: 1\nname: one\nrails: { match: [{ rdma: mlx5_0 }] }\nmtu: 4200\n"));
    const auto snapshot = *loadLatest(node.reader());
    node.host.links.find(KeptNode::linkOf(0))->name = "rail1";
    node.host.links.find(KeptNode::linkOf(1))->name = "rail0";
    EXPECT_EQ(notAsWanted(node.restore(*snapshot)), "");
    EXPECT_EQ(node.host.links.mtuChanges.back().link, KeptNode::linkOf(0));
    EXPECT_EQ(node.host.links.find(KeptNode::linkOf(0))->mtu, 1500U);
}

TEST(RestoreRun, a_setting_that_does_not_move_is_a_failure) {
    KeptNode node(1);
    node.apply(wholeProfile());
    node.host.links.ignoreMtu = true;
    const engine::Report report = node.restore(**loadLatest(node.reader()));
    EXPECT_EQ(report.exitCode(), ExitCode::someFailed);
    EXPECT_EQ(countOf(report, Outcome::failed), 1U) << notAsWanted(report);
}

TEST(RestoreRun, what_was_not_read_is_not_written) {
    KeptNode node(1);
    node.apply(scenario::profileOf("version: 1\nname: one\nmtu: 4200\n"));
    node.dcb(0).pfc.pfc_en = 0x20;
    node.host.ethtool.pauses.at(KeptNode::linkOf(0)).rx = true;
    node.restore(**loadLatest(node.reader()));
    EXPECT_EQ(node.dcb(0).pfc.pfc_en, 0x20);
    EXPECT_TRUE(node.host.ethtool.pauses.at(KeptNode::linkOf(0)).rx);
    EXPECT_EQ(node.fakeDcb.setterCalls(), 0U);
}

TEST(RestoreRun, bits_of_a_bridge_that_no_run_wrote_stay_as_they_are_now) {
    constexpr std::uint16_t kControl = 0x14E;
    KeptNode node(1);
    node.apply(wholeProfile());
    auto& bridge = *node.host.pci.find(KeptNode::rootPortOf(0));
    ASSERT_EQ(bridge.word(kControl), 0x0011);
    bridge.setWord(kControl,
                   0x0001);  // somebody else took source validation's pair off
    node.restore(**loadLatest(node.reader()));
    EXPECT_EQ(bridge.word(kControl), 0x000d);
}

// Seen in the lab: the buffer of the former PFC priority is too small to be set while a
// priority with PFC is mapped to it.
TEST(RestoreRun, buffers_go_back_while_no_priority_with_pfc_is_in_their_way) {
    KeptNode node(1);
    fake::FakeDcbPort& port = node.dcb(0);
    port.pfc.pfc_en = 0x20;
    port.buffer.buffer_size[0] = 144U * 100;
    ASSERT_LT(port.buffer.buffer_size[0], port.losslessMinimum);
    const std::string before = node.everything();
    node.apply(wholeProfile());
    ASSERT_EQ(port.pfc.pfc_en, 0x08);
    EXPECT_EQ(notAsWanted(node.restore(**loadLatest(node.reader()))), "");
    EXPECT_EQ(node.everything(), before);
}

TEST(RestoreRun, a_port_that_the_firmware_owned_goes_back_to_it_last) {
    KeptNode node(1);
    ASSERT_EQ(node.dcb(0).dcbx & 1U, 0U);
    node.apply(wholeProfile());
    ASSERT_EQ(node.dcb(0).dcbx & 1U, 1U);
    const host::Reader reader = node.reader();
    const engine::Report plan =
        differences(reader, "restore", **loadLatest(node.reader()));
    const auto isDcb = [](const resource::Step& step) {
        return step.ids.front().starts_with("dcb/");
    };
    const auto last = std::find_if(plan.steps.rbegin(), plan.steps.rend(), isDcb);
    ASSERT_NE(last, plan.steps.rend());
    EXPECT_EQ(last->ids, std::vector<std::string>{"dcb/rail0/dcbx"});
}

constexpr const char* kUnit = "minio.service";
constexpr const char* kDropIn = "/etc/systemd/system/minio.service.d/90-fabricctl.conf";

// A unit with a drop-in that is not the one of the snapshot any more.
class DropIn : public ::testing::Test {
  protected:
    DropIn() {
        node.host.files.addFile("/usr/lib/systemd/system/minio.service",
                                "[Service]\nExecStart=/usr/bin/minio\n");
        node.host.files.addFile(kDropIn, "[Service]\nLimitMEMLOCK=infinity\n");
        node.host.services.daemonReload();
    }

    engine::Report restoreTo(std::optional<FileContent> content) {
        Snapshot snapshot;
        snapshot.items = {
            {.kind = resource::Kind::service,
             .label = kDropIn,
             .from = "x",
             .thing =
                 File{.path = kDropIn, .content = std::move(content), .unit = kUnit}}};
        return node.restore(snapshot);
    }

    KeptNode node{1};
};

TEST_F(DropIn, that_was_not_there_goes_and_the_unit_is_read_anew) {
    EXPECT_EQ(notAsWanted(restoreTo({})), "");
    EXPECT_FALSE(node.host.files.exists(kDropIn));
    EXPECT_TRUE(node.host.services.unit(kUnit)->dropInPaths.empty());
    EXPECT_EQ(node.host.services.reloads, 1U);
}

TEST_F(DropIn, of_then_comes_back_and_the_unit_is_read_anew) {
    EXPECT_EQ(notAsWanted(restoreTo(
                  FileContent{.bytes = "[Service]\nLimitMEMLOCK=1G\n", .mode = 0640})),
              "");
    EXPECT_EQ(node.host.files.content(kDropIn), "[Service]\nLimitMEMLOCK=1G\n");
    EXPECT_EQ(node.host.files.find(kDropIn)->mode, 0640U);
    EXPECT_EQ(node.host.services.reloads, 1U);
}

// The snapshot of a host where systemd had the other limit in force.
class InForce : public DropIn {
  protected:
    engine::Report restore() {
        Snapshot snapshot;
        const File file{
            .path = kDropIn,
            .content = FileContent{.bytes = "[Service]\nLimitMEMLOCK=1073741824\n",
                                   .mode = 0644},
            .unit = kUnit};
        UnitInForce unit{.unit = kUnit,
                         .execStart = {{"/usr/bin/minio", {"/usr/bin/minio"}}},
                         .asserts = {},
                         .limitMemlock = {.soft = 1U << 30U, .hard = 1U << 30U}};
        snapshot.items = {
            {resource::Kind::service, kDropIn, "x", file},
            {resource::Kind::service, kUnit, "x", std::move(unit)},
        };
        return node.restore(snapshot);
    }
};

TEST_F(InForce, comes_back_with_the_file) {
    EXPECT_EQ(notAsWanted(restore()), "");
    EXPECT_EQ(node.host.services.unit(kUnit)->limitMemlock.hard, 1U << 30U);
    EXPECT_EQ(node.host.services.reloads, 1U);
}

TEST_F(InForce, is_seen_to_be_missing_when_systemd_read_nothing) {
    node.host.services.deafReload = true;
    EXPECT_TRUE(notAsWanted(restore()).starts_with("service/minio.service/in-force "));
}

TEST_F(InForce, comes_back_when_only_the_reload_is_missing) {
    node.host.files.addFile(kDropIn, "[Service]\nLimitMEMLOCK=1073741824\n");
    EXPECT_EQ(notAsWanted(restore()), "");
    EXPECT_EQ(node.host.services.unit(kUnit)->limitMemlock.hard, 1U << 30U);
}

TEST_F(InForce, is_told_from_it_when_a_later_drop_in_wins_since) {
    node.host.files.addFile("/etc/systemd/system/minio.service.d/99-later.conf",
                            "[Service]\nLimitMEMLOCK=2147483648\n");
    const engine::Report report = restore();
    EXPECT_TRUE(notAsWanted(report).starts_with("service/minio.service/in-force "));
    EXPECT_NE(report.exitCode(), engine::ExitCode::asWanted);
}

TEST_F(InForce, of_a_unit_that_is_gone_is_a_difference) {
    node.host.files.erase("/usr/lib/systemd/system/minio.service");
    node.host.services.daemonReload();
    const engine::Report report = restore();
    EXPECT_EQ(report.resources.back().outcome, engine::Outcome::drifted);
    EXPECT_NE(evidenceOf(report, "restore.not-put-back"), "");
}

TEST_F(InForce, is_unreadable_without_an_answer) {
    node.host.services.unitFault = systemError("call", "systemd", ETIMEDOUT);
    EXPECT_TRUE(notAsWanted(restore()).starts_with("service/minio.service/in-force "));
}

// Says of every unit that it is as given.
class UnitFileState : public host::ServiceReader {
  public:
    explicit UnitFileState(std::string state) : state_(std::move(state)) {}

    Result<host::ServiceUnit> unit(std::string_view name) const override {
        host::ServiceUnit unit;
        unit.name = name;
        unit.unitFileState = state_;
        return unit;
    }

    Result<std::string> systemState() const override { return "running"; }

  private:
    std::string state_;
};

TEST(RestoreRun, the_boot_unit_is_named_while_it_is_enabled) {
    KeptNode node(1);
    node.apply(scenario::profileOf("version: 1\nname: one\nmtu: 4200\n"));
    const auto tells = [&](const char* state) {
        const UnitFileState services(state);
        host::Reader reader = node.reader();
        reader.services = &services;
        const auto report = differences(reader, "restore", **loadLatest(node.reader()));
        return std::ranges::any_of(report.findings, [](const auto& finding) {
            return finding.id == "restore.boot-unit";
        });
    };
    EXPECT_FALSE(tells("disabled"));
    EXPECT_TRUE(tells("enabled"));
}

}  // namespace
}  // namespace fabric::snapshot
