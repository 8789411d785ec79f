// SPDX-License-Identifier: Apache-2.0
// Whole looks: healthy hosts are called healthy, and what cannot be seen is said.
#include "report/doctor.hpp"

#include "doctor/diagnosis.hpp"
#include "doctor/gather.hpp"
#include "doctor/healthy_node.hpp"
#include "doctor/rules.hpp"
#include "facts/replay.hpp"
#include "facts/take.hpp"
#include "hosts/captured_host.hpp"
#include "report/json.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <set>

namespace fabric::doctor {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

Diagnosis diagnosed(const host::Reader& reader, const Symptom* symptom = nullptr) {
    return diagnose(gather(reader, nullptr), symptom);
}

const Diagnosed& ruleOf(const Diagnosis& diagnosis, std::string_view id) {
    const auto found = std::ranges::find_if(
        diagnosis.rules, [&](const Diagnosed& one) { return one.rule->id == id; });
    EXPECT_NE(found, diagnosis.rules.end()) << id;
    return *found;
}

std::vector<std::string> alarms(const Diagnosis& diagnosis) {
    std::vector<std::string> found;
    for (const Diagnosed& one : diagnosis.rules) {
        const Verdict verdict = one.judgement.verdict;
        if (verdict == Verdict::fail || verdict == Verdict::warn ||
            verdict == Verdict::unreadable) {
            found.push_back(std::string(one.rule->id) + ": " + one.judgement.reason);
        }
    }
    return found;
}

TEST(Doctor, a_healthy_host_with_eight_rails_has_no_warning_and_no_alarm) {
    HealthyNode node(8);
    const Diagnosis diagnosis = diagnosed(node.reader());
    EXPECT_THAT(alarms(diagnosis), IsEmpty());
    EXPECT_EQ(diagnosis.exitCode(), engine::ExitCode::asWanted);
    ASSERT_EQ(diagnosis.classes.size(), 8U);
    for (const AutoClass& one : diagnosis.classes) {
        // An mlx5 port lists all 64 DSCPs: those of priority 3 are 24 to 31.
        EXPECT_EQ(one.serviceLevel, 3U) << one.text();
        EXPECT_EQ(one.trafficClass, std::nullopt);
        EXPECT_EQ(one.candidates.size(), 8U);
    }
}

resource::dcb::State portOf(std::uint8_t pfc,
                            std::vector<resource::dcb::AppEntry> entries) {
    resource::dcb::State state;
    state.pfc = resource::dcb::Pfc{.enabled = pfc};
    state.apps = std::move(entries);
    return state;
}

// A healthy node whose ports say this over dcbnl.
Evidence withPorts(std::uint8_t pfc,
                   const std::vector<resource::dcb::AppEntry>& entries) {
    HealthyNode node(2);
    Evidence evidence = gather(node.reader(), nullptr);
    for (RailEvidence& rail : evidence.rails) {
        rail.ports.front().dcb = portOf(pfc, entries);
    }
    return evidence;
}

resource::dcb::AppEntry dscp(std::uint16_t number, std::uint8_t priority) {
    return {.selector = resource::dcb::kSelectorDscp,
            .protocol = number,
            .priority = priority};
}

TEST(Doctor, D28_auto_takes_the_dscp_of_the_lossless_priority_or_says_why_not) {
    const auto judged = [](const Evidence& evidence) {
        return ruleOf(diagnose(evidence, nullptr), "dcb.auto_class").judgement;
    };
    Evidence one = withPorts(0x08, {dscp(26, 3), dscp(46, 5)});
    EXPECT_EQ(autoClasses(one).front().trafficClass, 104U);
    EXPECT_EQ(autoClasses(one).front().serviceLevel, 3U);
    EXPECT_EQ(judged(one).verdict, Verdict::pass);
    // Another block than the priority's own: nobody says which one is taken.
    const Evidence two = withPorts(0x08, {dscp(26, 3), dscp(46, 3)});
    EXPECT_EQ(autoClasses(two).front().trafficClass, std::nullopt);
    EXPECT_EQ(judged(two).verdict, Verdict::warn);
    const Evidence none = withPorts(0x08, {dscp(46, 5)});
    EXPECT_TRUE(autoClasses(none).front().bestEffort());
    EXPECT_EQ(judged(none).verdict, Verdict::warn);
    EXPECT_TRUE(autoClasses(withPorts(0, {dscp(26, 3)})).front().bestEffort());
    // Rails that differ, and a setting that stands against the host.
    one.rails.back().ports.front().dcb = portOf(0x08, {dscp(24, 3)});
    EXPECT_EQ(judged(one).verdict, Verdict::warn);
    EXPECT_THAT(judged(one).reason, HasSubstr("differ"));
    one = withPorts(0x08, {dscp(26, 3)});
    one.server.state->environment.front().variables.emplace().emplace_back(
        "MINIO_RDMA_INTERNODE_TRAFFIC_CLASS", "96");
    EXPECT_EQ(judged(one).verdict, Verdict::warn);
    EXPECT_THAT(judged(one).found.toText(), HasSubstr("96"));
}

void setClass(Evidence& evidence, const std::string& value) {
    evidence.server.state->environment.front().variables.emplace().emplace_back(
        "MINIO_RDMA_INTERNODE_TRAFFIC_CLASS", value);
}

// An mlx5 port shows the whole block of a priority: eight candidates, no traffic class.
TEST(Doctor,
     D28_a_setting_outside_of_several_candidates_and_rails_that_differ_are_told) {
    const auto judged = [](const Evidence& evidence) {
        return ruleOf(diagnose(evidence, nullptr), "dcb.auto_class").judgement;
    };
    Evidence block = withPorts(0x08, {dscp(24, 3), dscp(26, 3), dscp(46, 5)});
    EXPECT_EQ(judged(block).verdict, Verdict::pass);
    setClass(block, "104");  // DSCP 26
    EXPECT_EQ(judged(block).verdict, Verdict::pass);
    setClass(block, "106");  // the same, with ECT(0)
    EXPECT_EQ(judged(block).verdict, Verdict::pass);
    setClass(block, "184");  // DSCP 46, on a priority that drops
    EXPECT_EQ(judged(block).verdict, Verdict::warn);
    EXPECT_THAT(judged(block).found.toText(), HasSubstr("184"));
    Evidence different = withPorts(0x08, {dscp(24, 3), dscp(26, 3)});
    different.rails.back().ports.front().dcb = portOf(0x08, {dscp(24, 3), dscp(25, 3)});
    EXPECT_EQ(judged(different).verdict, Verdict::warn);
    EXPECT_THAT(judged(different).reason, HasSubstr("differ"));
}

TEST(Doctor, facts_of_a_host_give_the_same_diagnosis_as_the_host) {
    HealthyNode node(2);
    const facts::ReplayHost replay(facts::takeFacts(node.reader(), {}).observed);
    EXPECT_EQ(report::toJson(report::toValue(diagnosed(replay.reader()))),
              report::toJson(report::toValue(diagnosed(node.reader()))));
    EXPECT_THAT(replay.unanswered(), IsEmpty());
}

TEST(Doctor, four_nvswitch_ports_with_0x001d_are_no_acs_alarm) {
    fake::FakeHost machine;
    hosts::load("h100-pex890xx", machine);
    const Diagnosis diagnosis = diagnosed(machine.reader());
    for (const char* const id : {"acs.redirect", "lockdown", "iommu.mode"}) {
        EXPECT_EQ(ruleOf(diagnosis, id).judgement.verdict, Verdict::pass)
            << id << ": " << ruleOf(diagnosis, id).judgement.reason;
    }
    hosts::setControl(machine, "0000:17:02.0", 0x001D);
    const Diagnosed broken = ruleOf(diagnosed(machine.reader()), "acs.redirect");
    EXPECT_EQ(broken.judgement.verdict, Verdict::fail);
    EXPECT_THAT(broken.judgement.found.toText(), HasSubstr("0000:17:02.0"));
}

TEST(Doctor, without_root_it_says_what_it_could_not_see) {
    HealthyNode node(2);
    node.node.host.files.addFile("/proc/self/status",
                                 "Uid:\t1000\t1000\t1000\t1000\nCapEff:\t0\n");
    const auto pid = node.node.host.services.pidOf("minio.service");
    node.node.host.files.failRead("/proc/" + std::to_string(pid) + "/environ", EACCES);
    const Diagnosis diagnosis = diagnosed(node.reader());
    EXPECT_EQ(diagnosis.exitCode(), engine::ExitCode::unverifiable);
    const Judgement& judgement = ruleOf(diagnosis, "proc.stale_exe").judgement;
    EXPECT_EQ(judgement.verdict, Verdict::unreadable);
    EXPECT_THAT(judgement.reason, HasSubstr("root"));
    const std::string text = report::toText(diagnosis, {});
    EXPECT_THAT(text, HasSubstr("run it as root to see what could not be read"));
    EXPECT_THAT(text, ::testing::ContainsRegex("\nunreadable [a-z]"));
}

TEST(Doctor, a_walk_that_judged_nothing_says_why_and_does_not_look_healthy) {
    fake::FakeHost machine;
    const Diagnosis bare = diagnosed(machine.reader(), findSymptom("plateau"));
    ASSERT_EQ(bare.count(Verdict::pass), 0U);
    const std::string text = report::toText(bare, {.quiet = true});
    EXPECT_THAT(text, HasSubstr("nothing was judged: "));
    EXPECT_THAT(text, HasSubstr("there is no RDMA device"));
    HealthyNode node(2);
    EXPECT_THAT(report::toText(diagnosed(node.reader()), {}),
                Not(HasSubstr("nothing was judged")));
}

TEST(Doctor, a_failure_that_follows_from_another_is_not_told_as_a_cause) {
    HealthyNode node(2);
    node.node.host.files.erase("/sys/module/mlx5_ib");
    node.node.host.rdma.portList.clear();
    const Diagnosis diagnosis = diagnosed(node.reader());
    EXPECT_EQ(ruleOf(diagnosis, "mod.loaded").judgement.verdict, Verdict::fail);
    EXPECT_EQ(ruleOf(diagnosis, "verbs.port").judgement.verdict, Verdict::inconclusive);
    EXPECT_EQ(ruleOf(diagnosis, "verbs.port").follows, "mod.loaded");
    EXPECT_EQ(diagnosis.count(Verdict::fail), 1U);
    // Also where the symptom's walk does not list the cause.
    const Diagnosis timeout = diagnosed(node.reader(), findSymptom("timeout"));
    EXPECT_EQ(ruleOf(timeout, "verbs.port").follows, "mod.loaded");
}

TEST(Doctor, every_rule_of_a_symptom_is_in_the_table_and_no_name_twice) {
    std::set<std::string_view> ids;
    for (const Rule* const rule : ruleTable()) {
        EXPECT_TRUE(ids.insert(rule->id).second) << rule->id;
        EXPECT_FALSE(rule->cause.empty() || rule->source.empty() ||
                     rule->look.empty() || rule->fix.empty())
            << rule->id;
        EXPECT_TRUE(rule->worst == Verdict::fail || rule->worst == Verdict::warn);
    }
    std::set<std::string_view> names;
    for (const Symptom& symptom : symptoms()) {
        EXPECT_TRUE(names.insert(symptom.name).second) << symptom.name;
        std::set<std::string_view> once;
        for (const std::string_view id : symptom.rules) {
            EXPECT_NE(findRule(id), nullptr) << symptom.name << " " << id;
            EXPECT_TRUE(once.insert(id).second) << symptom.name << " " << id;
        }
    }
    for (const Consequence& one : consequences()) {
        EXPECT_NE(findRule(one.rule), nullptr) << one.rule;
        EXPECT_NE(findRule(one.cause), nullptr) << one.cause;
    }
}

TEST(Doctor, a_symptom_walks_its_causes_in_order_and_stops_for_none) {
    HealthyNode node(2);
    node.node.host.files.erase("/usr/local/bin/minio.rdma");
    const Symptom* const symptom = findSymptom("tcp-fallback");
    const Diagnosis diagnosis = diagnosed(node.reader(), symptom);
    ASSERT_EQ(diagnosis.rules.size(), symptom->rules.size());
    for (std::size_t at = 0; at < symptom->rules.size(); ++at) {
        EXPECT_EQ(diagnosis.rules[at].rule->id, symptom->rules[at]);
    }
    EXPECT_EQ(diagnosis.rules.front().judgement.verdict, Verdict::fail);
}

TEST(Doctor, counters_need_two_looks_and_load) {
    HealthyNode node(1);
    Evidence evidence = gather(node.reader(), nullptr);
    const auto drops = [&] {
        return ruleOf(diagnose(evidence, nullptr), "drops.roce").judgement;
    };
    EXPECT_EQ(drops().verdict, Verdict::inconclusive);
    EXPECT_THAT(drops().reason, HasSubstr("--interval"));
    lookAgain(node.reader(), std::chrono::seconds(10), evidence);
    EXPECT_EQ(drops().verdict, Verdict::inconclusive);
    EXPECT_THAT(drops().reason, HasSubstr("no load"));
    const std::string port = "/sys/class/infiniband/mlx5_0/ports/1/";
    node.node.host.files.addFile(port + "counters/port_xmit_data", "900000000\n");
    lookAgain(node.reader(), std::chrono::seconds(10), evidence);
    EXPECT_EQ(drops().verdict, Verdict::pass);
    node.node.host.files.addFile(port + "hw_counters/packet_seq_err", "9\n");
    lookAgain(node.reader(), std::chrono::seconds(10), evidence);
    EXPECT_EQ(drops().verdict, Verdict::fail);
    EXPECT_THAT(drops().found.toText(), HasSubstr("packet_seq_err: 2"));
    // A counter that went backwards was reset, and has not risen.
    node.node.host.files.addFile(port + "hw_counters/packet_seq_err", "1\n");
    lookAgain(node.reader(), std::chrono::seconds(10), evidence);
    EXPECT_EQ(drops().verdict, Verdict::pass);
}

TEST(Doctor, facts_carry_what_a_port_counts_and_nothing_of_its_queues) {
    HealthyNode node(1);
    const auto facts = facts::takeFacts(node.reader(), {});
    ASSERT_TRUE(facts.observed.statistics);
    const auto& told = facts.observed.statistics->at(scenario::StorageNode::linkOf(0));
    ASSERT_TRUE(told);
    EXPECT_EQ(told->at("rx_prio3_pause"), 40U);
    EXPECT_FALSE(told->contains("rx0_packets"));
}

TEST(Doctor, text_of_a_host_is_escaped) {
    HealthyNode node(1);
    node.node.host.files.addFile("/etc/default/minio",
                                 "MINIO_RDMA_INTERNODE=on\nMINIO_RDMA_X=\x1b[31m\n");
    const std::string text = report::toText(diagnosed(node.reader()), {});
    EXPECT_THAT(text, HasSubstr("MINIO_RDMA_X"));
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
}

}  // namespace
}  // namespace fabric::doctor
