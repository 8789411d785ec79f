// SPDX-License-Identifier: Apache-2.0
// Files of facts that are cut off, changed, too large or of another version.
#include "engine/run.hpp"
#include "facts/facts.hpp"
#include "facts/replay.hpp"
#include "facts/settle.hpp"
#include "facts/take.hpp"
#include "report/json.hpp"
#include "scenario/storage_node.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <ctime>
#include <string>

namespace fabric::facts {
namespace {

using scenario::profileOf;
using scenario::StorageNode;
using ::testing::Contains;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

std::string textOf(StorageNode& node) {
    return report::toJson(toValue(takeFacts(node.reader(), {})));
}

Error refusalOf(const std::string& text) {
    const auto read = parseFacts(text, "f.json");
    EXPECT_FALSE(read.has_value());
    return read ? Error{} : read.error();
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    const std::size_t answers = text.find("\"observed\"");
    const std::size_t at = text.find(
        from, from.contains("schema") || from.contains("fabricctl/") ? 0 : answers);
    EXPECT_NE(at, std::string::npos) << from;
    return at == std::string::npos ? text : text.replace(at, from.size(), to);
}

TEST(HostileFacts, a_file_cut_off_anywhere_is_refused_with_place_and_advice) {
    StorageNode node(1);
    const std::string text = textOf(node);
    const std::string body = text.substr(0, text.rfind('}'));
    const std::size_t step = std::max<std::size_t>(body.size() / 20, 1);
    for (std::size_t length = 0; length < body.size(); length += step) {
        const Error error = refusalOf(body.substr(0, length));
        EXPECT_EQ(error.kind, ErrorKind::malformed);
        EXPECT_THAT(error.detail, HasSubstr("line ")) << length;
        EXPECT_THAT(error.advice, HasSubstr("fabricctl facts"));
    }
}

TEST(HostileFacts, another_version_is_refused_by_name) {
    StorageNode node(1);
    const std::string text = textOf(node);
    const Error later =
        refusalOf(replaced(text, "fabricctl/facts/1", "fabricctl/facts/2"));
    EXPECT_THAT(later.detail, HasSubstr("fabricctl/facts/2"));
    EXPECT_THAT(later.advice, HasSubstr("newer"));
    EXPECT_THAT(
        refusalOf(replaced(text, "fabricctl/facts/1", "fabricctl/report/1")).detail,
        HasSubstr("no file of facts"));
    EXPECT_THAT(refusalOf("[]").detail, HasSubstr("/schema"));
    EXPECT_THAT(refusalOf("{\"schema\": \"fabricctl/facts/1\"}").detail,
                HasSubstr("observed"));
}

TEST(HostileFacts, what_is_wrong_is_named_by_its_pointer) {
    StorageNode node(1);
    const std::string text = textOf(node);
    const auto detail = [&](std::string_view from, std::string_view to) {
        return refusalOf(replaced(text, from, to)).detail;
    };
    EXPECT_THAT(detail("\"admin_up\": true", "\"admin_up\": 1"),
                HasSubstr("/observed/links/value/0/admin_up"));
    EXPECT_THAT(detail("\"admin_up\": true,", ""),
                HasSubstr("\"admin_up\" is missing"));
    EXPECT_THAT(detail("\"admin_up\": true", "\"admin_up\": true, \"x\": 0"),
                HasSubstr("\"x\" is not known"));
    EXPECT_THAT(detail("\"prefix_length\": 24", "\"prefix_length\": 256"),
                HasSubstr("in its range"));
    EXPECT_THAT(detail("\"prefix_length\": 24", "\"prefix_length\": -1"),
                HasSubstr("in its range"));
    EXPECT_THAT(detail("\"ranges\": {", "\"ranges\": {\"x\": \"00\", "),
                HasSubstr("/observed/config/"));
    EXPECT_THAT(detail("\"ranges\": {", "\"ranges\": {\"70000\": \"00\", "),
                HasSubstr("70000"));
    EXPECT_THAT(detail("\"wall_ns\"", "\"wall_n\""), HasSubstr("/observed: "));
}

TEST(HostileFacts, a_time_before_the_clock_began_is_refused) {
    StorageNode node(1);
    for (const char* const member : {"steady_ns", "wall_ns"}) {
        Facts facts = takeFacts(node.reader(), {});
        (std::string_view(member) == "wall_ns" ? facts.observed.wallNs
                                               : facts.observed.steadyNs) = INT64_MIN;
        const Error error = refusalOf(report::toJson(toValue(facts)));
        EXPECT_THAT(error.detail, HasSubstr(std::string("/observed/") + member));
    }
}

TEST(ConfigSpaceRanges, bytes_seen_first_stay_and_gaps_between_them_are_filled) {
    const auto of = [](std::initializer_list<int> numbers) {
        std::vector<std::byte> bytes;
        for (const int number : numbers) {
            bytes.push_back(static_cast<std::byte>(number));
        }
        return bytes;
    };
    ConfigSpace space;
    space.add(2, of({2, 3}));
    space.add(6, of({6}));
    space.add(8, of({8, 9}));
    space.add(1, of({101, 102, 103, 104, 105, 106, 107}));
    ASSERT_EQ(space.ranges.size(), 1U);
    EXPECT_EQ(space.find(1, 9), of({101, 2, 3, 104, 105, 6, 107, 8, 9}));
    space.add(3, of({0, 0}));
    space.add(12, of({12}));
    EXPECT_EQ(space.ranges.size(), 2U);
    EXPECT_EQ(space.find(9, 1), of({9}));
    EXPECT_FALSE(space.find(9, 2));
}

TEST(ConfigSpaceRanges, many_that_touch_cost_what_they_hold) {
    const std::clock_t start = std::clock();
    for (int round = 0; round < 20; ++round) {
        ConfigSpace space;
        for (std::uint32_t offset = 0; offset <= UINT16_MAX; ++offset) {
            space.add(static_cast<std::uint16_t>(offset), {std::byte{1}});
        }
        EXPECT_EQ(space.ranges.size(), 1U);
    }
    // Processor time. To copy the whole at each step is 40 GB.
    EXPECT_LT(std::clock() - start, 5 * CLOCKS_PER_SEC);
}

TEST(HostileFacts, every_value_of_another_type_is_refused_or_harmless) {
    StorageNode node(1);
    const std::string text = textOf(node);
    const std::size_t start = text.find("\"observed\"");
    std::size_t refused = 0;
    std::size_t tried = 0;
    // At every fiftieth value an unexpected one.
    for (std::size_t at = text.find("\": ", start); at != std::string::npos;
         at = text.find("\": ", at + 1)) {
        if (++tried % 50 != 0) {
            continue;
        }
        std::string changed = text;
        changed.insert(at + 3, "[null, ");
        changed.insert(std::min(changed.find('\n', at), changed.size()), "]");
        refused += parseFacts(changed, "f.json").has_value() ? 0 : 1;
    }
    EXPECT_GT(refused, tried / 100);
}

TEST(HostileFacts, a_question_that_is_not_answered_is_no_absence) {
    StorageNode node(1);
    Facts facts = takeFacts(node.reader(), {});
    const profile::Profile profile = profileOf(
        "version: 1\nname: t\nrails: { match: [{ interface: \"*\" }] }\nmodules: "
        "[some_module]\n");
    const ReplayHost replay(facts.observed);
    engine::Report report = engine::check(replay.reader(), profile, {});
    settle(replay, profile, {.file = "f.json"}, report);
    EXPECT_EQ(report.exitCode(), engine::ExitCode::unverifiable);
    EXPECT_EQ(report.result(), "unverifiable");
    EXPECT_THAT(replay.unanswered(), Contains(HasSubstr("some_module")));
    ASSERT_GE(report.resources.size(), 2U);
    EXPECT_EQ(report.resources.at(0).assessment.id, "facts/answers");
    EXPECT_EQ(report.resources.at(1).outcome, engine::Outcome::unreadable);
    EXPECT_THAT(report.resources.at(1).assessment.reason,
                HasSubstr("not in this facts file"));
}

TEST(HostileFacts, an_answer_taken_out_makes_the_report_unverifiable) {
    StorageNode node(1);
    const Facts facts = takeFacts(node.reader(), {});
    const profile::Profile profile = scenario::losslessProfile();
    // Files that somebody asks about without looking at the error.
    for (const auto& [path, answers] : facts.observed.files) {
        Observed less = facts.observed;
        less.files.erase(path);
        const ReplayHost replay(std::move(less));
        engine::Report report = engine::check(replay.reader(), profile, {});
        settle(replay, profile, {}, report);
        const bool asked = !replay.unanswered().empty();
        EXPECT_TRUE(!asked || report.exitCode() != engine::ExitCode::asWanted) << path;
        EXPECT_TRUE(!asked || report.exitCode() != engine::ExitCode::differences)
            << path;
    }
}

TEST(HostileFacts, an_environment_variable_that_is_not_carried_is_never_compared) {
    StorageNode node(1);
    node.host.files.addFile("/usr/lib/systemd/system/minio.service",
                            "[Service]\nExecStart=/usr/local/bin/minio server\n"
                            "EnvironmentFile=/etc/default/minio\n");
    node.host.files.addFile("/etc/default/minio", "MINIO_SITE=a\n");
    node.host.services.daemonReload();
    const profile::Profile profile = profileOf(
        "version: 1\nname: t\nservice:\n  unit: minio.service\n  environment: { "
        "MINIO_SITE: \"b\" }\n");
    const ReplayHost replay(takeFacts(node.reader(), {}).observed);
    engine::Report report = engine::check(replay.reader(), profile, {});
    settle(replay, profile, {}, report);
    const auto environment = std::ranges::find_if(
        report.resources, [](const engine::ResourceReport& resource) {
            return resource.assessment.id == "service/minio.service/environment";
        });
    ASSERT_NE(environment, report.resources.end());
    EXPECT_EQ(environment->outcome, engine::Outcome::unreadable);
    const std::string text = report::toJson(report);
    EXPECT_THAT(text, HasSubstr("the profile names MINIO_SITE"));
    EXPECT_THAT(text, Not(HasSubstr("is set in no environment file")));
}

host::Neighbour neighbour(unsigned number) {
    return {.key = {.link = StorageNode::linkOf(0),
                    .address = IpAddress::v4(10,
                                             static_cast<std::uint8_t>(number >> 16U),
                                             static_cast<std::uint8_t>(number >> 8U),
                                             static_cast<std::uint8_t>(number))},
            .state = host::NeighbourState::stale,
            .mac = MacAddress{{2, 0, 0, 0, 0, 1}}};
}

std::chrono::duration<double> timeFor(unsigned neighbours) {
    StorageNode node(1);
    for (unsigned number = 0; number < neighbours; ++number) {
        static_cast<void>(node.host.neighbours.add(neighbour(number)));
    }
    const auto start = std::chrono::steady_clock::now();
    const auto facts = parseFacts(textOf(node), "f.json");
    const auto end = std::chrono::steady_clock::now();
    EXPECT_TRUE(facts.has_value());
    if (facts) {
        EXPECT_EQ((*facts->observed.neighbours)->size(), neighbours);
    }
    return end - start;
}

TEST(HostileFacts, ten_thousand_neighbours_cost_no_more_than_their_number) {
    const auto few = timeFor(2'500);
    const auto many = timeFor(10'000);
    // Four times as many: sixteen times as long would be the square.
    EXPECT_LT(many.count(), few.count() * 10 + 0.5);
}

}  // namespace
}  // namespace fabric::facts
