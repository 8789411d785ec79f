// SPDX-License-Identifier: Apache-2.0
#include "engine/preparation.hpp"

#include "engine/rail_wait.hpp"
#include "engine/run.hpp"
#include "fake/fake_host.hpp"
#include "profile/load.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace fabric::engine {
namespace {

using std::chrono::seconds;

profile::Profile profileOf(const std::string& sections) {
    auto read = profile::parse("version: 1\nname: x\n" + sections, "x.yaml");
    EXPECT_TRUE(read);
    return std::move(*read);
}

seconds waitAtBoot(const std::string& sections, const RunOptions& run = {}) {
    return std::chrono::duration_cast<seconds>(
        railWait(profileOf(sections), run, std::nullopt, true));
}

bool finds(const Report& report, std::string_view id) {
    return std::ranges::find(report.findings, id, &resource::Finding::id) !=
           report.findings.end();
}

TEST(RailWait, at_boot_is_a_minute_only_where_the_profile_says_nothing) {
    EXPECT_EQ(waitAtBoot("mtu: 9000\n"), seconds(60));
    EXPECT_EQ(waitAtBoot("mtu: 9000\nrails: { wait: 0s }\n"), seconds(0));
    EXPECT_EQ(waitAtBoot("mtu: 9000\nrails: { wait: 90s }\n"), seconds(90));
    EXPECT_EQ(railWait(profileOf("mtu: 9000\n"), {}, seconds(5), true), seconds(5));
    EXPECT_EQ(railWait(profileOf("mtu: 9000\n"), {}, std::nullopt, false), seconds(0));
}

TEST(RailWait, is_none_where_no_rail_is_looked_at) {
    EXPECT_EQ(waitAtBoot("modules: [ib_core]\n"), seconds(0));
    EXPECT_EQ(waitAtBoot("acs: {}\nrails: { wait: 90s }\n"), seconds(0));
    const std::string both = "modules: [ib_core]\nmtu: 9000\nrails: { wait: 90s }\n";
    EXPECT_EQ(waitAtBoot(both, {.only = {resource::Kind::module}}), seconds(0));
    EXPECT_EQ(waitAtBoot(both, {.only = {resource::Kind::mtu}}), seconds(90));
    EXPECT_EQ(waitAtBoot(both, {.rail = "rail0"}), seconds(0));
}

TEST(RailWait, a_number_of_rails_is_waited_for_without_any_section_about_them) {
    EXPECT_EQ(waitAtBoot("modules: [ib_core]\nrails: { expect: 8 }\n"), seconds(60));
}

TEST(Preparation, a_number_of_rails_is_looked_at_without_any_section_about_them) {
    const fake::FakeHost host;
    const Report report = check(host.reader(), profileOf("rails: { expect: 8 }\n"), {});
    EXPECT_EQ(report.exitCode(), ExitCode::differences);
}

TEST(Preparation, a_name_of_no_rail_is_an_error_whatever_the_profile_has) {
    const fake::FakeHost host;
    for (const char* const sections : {"", "modules: [ib_core]\n", "mtu: 9000\n"}) {
        const auto profile = profileOf(sections);
        for (const Purpose purpose : {Purpose::check, Purpose::plan, Purpose::apply}) {
            const Preparation named =
                prepare(host.reader(), profile, {.rail = "foo"}, purpose);
            EXPECT_TRUE(named.stopped) << sections;
        }
        // Device events name any interface.
        EXPECT_FALSE(
            prepare(host.reader(), profile, {.rail = "ifindex:7"}, Purpose::apply)
                .stopped)
            << sections;
    }
}

TEST(Preparation, a_profile_that_manages_nothing_is_told_so) {
    const fake::FakeHost host;
    EXPECT_TRUE(
        finds(check(host.reader(), profileOf(""), {}), "profile.nothing-managed"));
    EXPECT_FALSE(finds(check(host.reader(), profileOf("modules: []\n"), {}),
                       "profile.nothing-managed"));
}

}  // namespace
}  // namespace fabric::engine
