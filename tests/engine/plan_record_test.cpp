// SPDX-License-Identifier: Apache-2.0
#include "engine/plan_record.hpp"

#include "base/text.hpp"
#include "engine/fingerprint.hpp"

#include <gtest/gtest.h>

#include <set>
#include <string>

namespace fabric::engine {
namespace {

using resource::Assessment;
using resource::Step;
using resource::Verdict;

Assessment property(std::string id, Value found, Verdict verdict = Verdict::differs) {
    Assessment assessment;
    assessment.id = std::move(id);
    assessment.found = std::move(found);
    assessment.wanted = 9000;
    assessment.verdict = verdict;
    return assessment;
}

Step mtuStep(std::uint32_t bytes) {
    return {.rail = "r1",
            .link = {4},
            .summary = "set MTU",
            .ids = {"mtu/r1"},
            .writes = {resource::MtuWrite{.link = {4}, .bytes = bytes}}};
}

std::string moved(const PlanRecord& was, const PlanRecord& now) {
    std::string text;
    for (const std::string& change : movedOn(was, now)) {
        text += (text.empty() ? "" : "; ") + change;
    }
    return text;
}

TEST(PlanRecord, the_same_host_has_not_moved) {
    const auto make = [] {
        return recordPlan(std::vector{property("mtu/r1", 1500)},
                          std::vector{mtuStep(9000)});
    };
    EXPECT_EQ(moved(make(), make()), "");
    EXPECT_EQ(otherState(make(), make()), std::nullopt);
}

TEST(PlanRecord, what_was_and_what_is_are_named) {
    const PlanRecord was =
        recordPlan(std::vector{property("mtu/r1", 1500), property("mtu/r2", 1500)}, {});
    EXPECT_EQ(
        moved(was,
              recordPlan(
                  std::vector{property("mtu/r1", 1400), property("mtu/r2", 1500)}, {})),
        "mtu/r1: was 1500, is 1400");
    EXPECT_EQ(
        moved(was,
              recordPlan(
                  std::vector{property("mtu/r1", 1500), property("mtu/r3", 1500)}, {})),
        "mtu/r3: was not there, is 1500; mtu/r2: was 1500, is gone");
    EXPECT_EQ(moved(was,
                    recordPlan(std::vector{property("mtu/r1", 1500, Verdict::failed),
                                           property("mtu/r2", 1500)},
                               {})),
              "mtu/r1: was drifted, is failed");
}

TEST(PlanRecord, another_write_is_another_plan_whatever_it_is_called) {
    const auto with = [](std::vector<Step> steps) {
        return recordPlan(std::vector{property("mtu/r1", 1500)}, steps);
    };
    Step renamed = mtuStep(9000);
    renamed.summary = "make it 9000";
    EXPECT_EQ(moved(with({mtuStep(9000)}), with({renamed})), "");
    EXPECT_EQ(moved(with({mtuStep(9000)}), with({mtuStep(9001)})),
              "step 'set MTU' is not what would be done now; step 'set MTU' is new");
    EXPECT_EQ(moved(with({mtuStep(1), mtuStep(2)}), with({mtuStep(2), mtuStep(1)})),
              "the steps have another order or number");
    EXPECT_EQ(moved(with({mtuStep(1)}), with({mtuStep(1), mtuStep(1)})),
              "the steps have another order or number");
}

TEST(PlanRecord, a_neighbour_entry_that_may_come_and_go_does_not_count) {
    Assessment right = property("neighbour/r1/10.0.0.2", "02:00", Verdict::inSync);
    right.goneIsAsWanted = true;
    EXPECT_EQ(moved(recordPlan(std::vector{right}, {}), recordPlan({}, {})), "");
    Assessment wrong = right;
    wrong.verdict = Verdict::differs;
    EXPECT_NE(moved(recordPlan(std::vector{wrong}, {}), recordPlan({}, {})), "");
}

TEST(PlanRecord, a_change_too_many_to_show_is_counted) {
    std::vector<Assessment> was;
    std::vector<Assessment> now;
    for (int at = 0; at < 20; ++at) {
        was.push_back(property("mtu/r" + std::to_string(at), 1500));
        now.push_back(property("mtu/r" + std::to_string(at), 1400));
    }
    const auto error = otherState(recordPlan(was, {}), recordPlan(now, {}));
    ASSERT_TRUE(error);
    EXPECT_TRUE(
        error->detail.ends_with("; and 17 more, which 'fabricctl plan FILE' lists"))
        << error->detail;
    EXPECT_TRUE(error->detail.starts_with("the host moved on: mtu/r0: was 1500"))
        << error->detail;
}

TEST(PlanRecord, a_long_value_is_cut_between_characters) {
    std::string text;
    for (int at = 0; at < 300; ++at) {
        text += "\u00e4";
    }
    const std::vector<Assessment> was{property("dcb/r1/dscp-map", text)};
    const std::vector<Assessment> now{property("dcb/r1/dscp-map", "x" + text)};
    const auto error = otherState(recordPlan(was, {}), recordPlan(now, {}));
    ASSERT_TRUE(error);
    EXPECT_LT(error->detail.size(), 140U);
    EXPECT_EQ(escapeForTerminal(error->detail), error->detail);
}

TEST(PlanRecord, another_profile_is_named_by_the_file_that_changed) {
    PlanRecord plan;
    plan.profile = {{"/p.yaml", "aa"}, {"/base.yaml", "bb"}};
    const auto told = [&](const std::vector<HashedFile>& now) {
        const auto error = otherProfile(plan, now);
        return error ? error->detail : "";
    };
    EXPECT_EQ(told({{"/p.yaml", "aa"}, {"/base.yaml", "bb"}}), "");
    EXPECT_EQ(told({{"/p.yaml", "aa"}, {"/base.yaml", "cc"}}),
              "the profile changed: /base.yaml");
    EXPECT_EQ(told({{"/p.yaml", "aa"}}), "the profile changed: /base.yaml");
    EXPECT_EQ(told({{"/p.yaml", "aa"}, {"/base.yaml", "bb"}, {"/more.yaml", "dd"}}),
              "the profile changed: /more.yaml");
    plan.profile.back().sha256 = "";
    EXPECT_EQ(told({{"/p.yaml", "aa"}, {"/base.yaml", ""}}),
              "the profile cannot be read any more: /base.yaml")
        << "what nobody could read is equal to nothing";
}

TEST(PlanRecord, another_host_or_boot_is_refused) {
    PlanRecord plan;
    plan.host = "one";
    plan.bootId = "first";
    inventory::Platform platform;
    platform.hostName = "one";
    platform.bootId = "first";
    EXPECT_EQ(notForHere(plan, platform), std::nullopt);
    platform.bootId = "second";
    EXPECT_TRUE(notForHere(plan, platform)->detail.contains("booted"));
    platform.hostName = "two";
    EXPECT_EQ(notForHere(plan, platform)->detail, "it was made on one, this is two");
}

TEST(Fingerprint, every_field_of_every_write_counts) {
    const IpAddress one = IpAddress::v4(10, 0, 0, 1);
    const IpAddress two = IpAddress::v4(10, 0, 0, 2);
    const host::DcbRequest request{.link = {1}, .attributes = {std::byte{1}}};
    const host::DcbRequest other{.link = {1}, .attributes = {std::byte{2}}};
    const std::vector<resource::Write> writes{
        resource::DcbWrite{.request = request},
        resource::DcbWrite{.request = other},
        resource::DcbWrite{.request = request, .ifRefused = other},
        resource::DcbWrite{.request = {.link = {2}, .attributes = {std::byte{1}}}},
        resource::AttributeWrite{"/a", "1"},
        resource::AttributeWrite{"/a", "0"},
        resource::AttributeWrite{"/a1", ""},
        resource::DirectoryCreate{"/a"},
        resource::FileReplace{.path = "/a", .text = "t"},
        resource::FileReplace{.path = "/a", .text = "t", .mode = 0600},
        resource::FileRemove{"/a"},
        resource::MtuWrite{{1}, 9000},
        resource::MtuWrite{{9000}, 1},
        resource::PauseWrite{{1}, {.rx = true}},
        resource::PauseWrite{{1}, {.tx = true}},
        resource::Ipv4ConfWrite{{1}, {{host::Ipv4Key::arpIgnore, 1}}},
        resource::Ipv4ConfWrite{{1}, {{host::Ipv4Key::arpIgnore, 2}}},
        resource::Ipv4ConfWrite{{1}, {{host::Ipv4Key::arpFilter, 1}}},
        resource::ModuleLoad{"a"},
        resource::DropInWrite{.unit = "u", .file = {.path = "/a", .text = "t"}},
        resource::DropInWrite{
            .unit = "u", .file = {.path = "/a", .text = "t"}, .previous = ""},
        resource::ManagerReload{"u"},
        host::RestartRequest{.unit = "u"},
        host::RestartRequest{.unit = "u", .limitMemlock = host::ResourceLimit{1, 2}},
        host::RestartRequest{.unit = "u", .program = "/p"},
        resource::NeighbourDelete{.link = {1}, .addresses = {one}},
        resource::NeighbourDelete{.link = {1}, .addresses = {two}},
        resource::NeighbourDelete{.link = {1}, .everyDynamic = true},
        resource::NeighbourResolve{{1}, {one}},
        resource::NeighbourResolve{{1}, {one, two}},
        resource::GratuitousArp{{1}, {{2, 0, 0, 0, 0, 1}}, one},
        resource::GratuitousArp{{1}, {{2, 0, 0, 0, 0, 2}}, one},
        host::PciCapabilityWrite{.capabilityId = 13, .set = 1},
        host::PciCapabilityWrite{.capabilityId = 13, .clear = 1},
    };
    std::set<std::string> prints;
    for (const resource::Write& write : writes) {
        const Step step{.writes = {write}};
        EXPECT_EQ(fingerprintOf(step), fingerprintOf(step));
        prints.insert(fingerprintOf(step));
    }
    EXPECT_EQ(prints.size(), writes.size());
}

TEST(Fingerprint, a_flush_of_a_whole_interface_is_one_step_whoever_is_there) {
    const auto flush = [](bool every, std::vector<IpAddress> addresses) {
        return fingerprintOf(
            Step{.disturbs = addresses.empty() ? resource::Disturbs::none
                                               : resource::Disturbs::traffic,
                 .writes = {
                     resource::NeighbourDelete{
                         .link = {1}, .addresses = addresses, .everyDynamic = every},
                     resource::NeighbourResolve{.link = {1}, .addresses = addresses}}});
    };
    const IpAddress one = IpAddress::v4(10, 0, 0, 1);
    EXPECT_EQ(flush(true, {}), flush(true, {one}));
    EXPECT_NE(flush(false, {}), flush(false, {one}));
}

TEST(PlanRecord, B9_a_plan_that_is_refused_says_so_in_its_own_words) {
    PlanRecord plan;
    plan.host = "other";
    const auto other = notForHere(plan, {});
    ASSERT_TRUE(other);
    EXPECT_TRUE(other->message().starts_with("carry out the plan: refused (it was"));
    EXPECT_EQ(other->message().find("read-back"), std::string::npos);
}

TEST(Fingerprint, values_that_read_alike_are_told_apart) {
    const auto print = [](const Value& value) {
        Fingerprint made;
        made.addValue(value);
        return made.digest();
    };
    const std::vector<Value> values{Value(),
                                    Value("null"),
                                    Value(3),
                                    Value("3"),
                                    Value(true),
                                    Value("true"),
                                    Value(Value::List{"a", "b"}),
                                    Value(Value::List{"a, b"}),
                                    Value(Value::List{Value::List{"a"}, "b"}),
                                    Value(Value::Object{{"a", "b"}}),
                                    Value(Value::List{})};
    std::set<std::string> prints;
    for (const Value& value : values) {
        prints.insert(print(value));
    }
    EXPECT_EQ(prints.size(), values.size());
}

}  // namespace
}  // namespace fabric::engine
