// SPDX-License-Identifier: Apache-2.0
// What plan, check and status say of a machine they say of its facts too.
#include "facts/replay.hpp"

#include "engine/apply.hpp"
#include "engine/run.hpp"
#include "engine/status.hpp"
#include "facts/summary.hpp"
#include "facts/take.hpp"
#include "facts/widest_look.hpp"
#include "hosts/captured_host.hpp"
#include "report/json.hpp"
#include "report/status.hpp"
#include "scenario/storage_node.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <functional>
#include <set>
#include <sstream>

namespace fabric::facts {
namespace {

using scenario::profileOf;
using scenario::StorageNode;
using ::testing::IsEmpty;

// Through the text, as a file goes.
Facts sent(const Facts& facts) {
    auto read = parseFacts(report::toJson(toValue(facts)), "facts.json");
    if (!read) {
        ADD_FAILURE() << read.error().message();
        return {};
    }
    return std::move(*read);
}

std::string jsonOf(engine::Report report) {
    report.duration = {};
    return report::toJson(report);
}

std::vector<profile::Profile> everyProfile() {
    std::vector<profile::Profile> profiles;
    for (const std::string_view text : widestProfiles()) {
        profiles.push_back(profileOf(std::string(text)));
    }
    for (const char* const name :
         {"minio-roce-lossless", "minio-infiniband", "roce-lossless", "gpu-direct"}) {
        std::ifstream file(std::string(FABRIC_PROFILES "/") + name + ".yaml");
        std::ostringstream text;
        text << file.rdbuf();
        profiles.push_back(profileOf(text.str()));
    }
    profiles.push_back(scenario::losslessProfile());
    return profiles;
}

// Takes the facts without knowing any of the profiles, then compares.
void expectSameReports(const host::Reader& machine) {
    const ReplayHost replay(sent(takeFacts(machine, {})).observed);
    for (const profile::Profile& profile : everyProfile()) {
        SCOPED_TRACE(profile.name());
        EXPECT_EQ(jsonOf(engine::check(replay.reader(), profile, {})),
                  jsonOf(engine::check(machine, profile, {})));
        EXPECT_EQ(jsonOf(engine::plan(replay.reader(), profile, {})),
                  jsonOf(engine::plan(machine, profile, {})));
        EXPECT_THAT(replay.unanswered(), IsEmpty());
    }
    EXPECT_EQ(
        report::toJson(report::toValue(engine::observeStatus(replay.reader(), ""))),
        report::toJson(report::toValue(engine::observeStatus(machine, ""))));
    EXPECT_THAT(replay.unanswered(), IsEmpty());
}

TEST(Replay, a_storage_node_of_each_driver_gives_the_same_reports) {
    for (const auto driver : {fake::DcbDriver::mlx5,
                              fake::DcbDriver::bnxt,
                              fake::DcbDriver::ice,
                              fake::DcbDriver::plain,
                              fake::DcbDriver::none}) {
        SCOPED_TRACE(static_cast<int>(driver));
        StorageNode node(2, driver);
        expectSameReports(node.reader());
        static_cast<void>(engine::apply(
            node.reader(), node.writer(), scenario::losslessProfile(), {}));
        expectSameReports(node.reader());
    }
}

TEST(Replay, each_captured_host_gives_the_same_reports) {
    for (const char* const name : {"amd-starship",
                                   "gb300-data-direct",
                                   "h100-pex890xx",
                                   "h200-guest",
                                   "h200-pex890xx",
                                   "intel-plx"}) {
        SCOPED_TRACE(name);
        fake::FakeHost machine;
        hosts::load(name, machine);
        expectSameReports(machine.reader());
    }
}

std::set<std::string> unreadableIds(const engine::Report& report) {
    std::set<std::string> ids;
    for (const engine::ResourceReport& resource : report.resources) {
        if (resource.outcome == engine::Outcome::unreadable) {
            ids.insert(resource.assessment.id);
        }
    }
    return ids;
}

std::set<std::string> toldUnreadable(const Facts& facts) {
    std::set<std::string> parts;
    for (const Value& one : *facts.host.member("unreadable")->asList()) {
        parts.insert(*one.member("part")->asText());
    }
    return parts;
}

// Facts that say that everything could be read, of which a check then says that it
// could not.
TEST(Facts, list_whatever_a_check_of_them_cannot_read) {
    StorageNode node(2);
    node.host.files.addFile("/lib/modules/6.1.0-57-amd64/modules.builtin");
    node.host.files.addFile("/proc/self/mounts",
                            "configfs /sys/kernel/config configfs rw 0 0\n");
    EXPECT_TRUE(allRead(takeFacts(node.reader(), {})))
        << summaryOf(takeFacts(node.reader(), {}));
    node.host.services.unitFault =
        Error{.kind = ErrorKind::notFound, .detail = "no system bus"};
    node.host.files.failRead("/proc/sys/net/ipv4/conf/all/arp_ignore", EIO);
    const std::vector own{
        profileOf("version: 1\nname: own\nservice: { unit: own.service }\n")};
    const Facts facts = takeFacts(node.reader(), own);
    EXPECT_FALSE(allRead(facts));
    EXPECT_THAT(summaryOf(facts), ::testing::HasSubstr("no system bus"));
    const std::set<std::string> told = toldUnreadable(facts);
    const ReplayHost replay(sent(facts).observed);
    std::vector<profile::Profile> profiles = everyProfile();
    profiles.push_back(own.front());
    std::size_t unreadable = 0;
    for (const profile::Profile& profile : profiles) {
        const auto ids = unreadableIds(engine::check(replay.reader(), profile, {}));
        unreadable += ids.size();
        EXPECT_TRUE(std::ranges::includes(told, ids)) << profile.name();
    }
    EXPECT_GT(unreadable, 0U);
}

}  // namespace
}  // namespace fabric::facts
