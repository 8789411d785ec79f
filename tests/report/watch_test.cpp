// SPDX-License-Identifier: Apache-2.0
#include "report/watch.hpp"

#include <gmock/gmock.h>

#include <cerrno>
#include <nlohmann/json.hpp>

namespace fabric::report {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::EndsWith;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;
using watch::Meaning;
using watch::Verdict;

constexpr Priority kThree = Priority::of(3);
constexpr Priority kZero = Priority::of(0);
// 2026-01-02T03:04:05.006Z
constexpr std::chrono::system_clock::time_point kTime{
    std::chrono::milliseconds{1'767'323'045'006}};

// Two seconds of a rail that is paused.
watch::Look pausing(std::string rail = "ens1f0np0") {
    watch::Look look;
    look.sample.rail = std::move(rail);
    look.sample.rdma = "mlx5_0/1";
    look.sample.driver = "mlx5_core";
    look.sample.layer = host::LinkLayer::ethernet;
    look.sample.lossless = std::set<Priority>{kThree};
    look.movement.seconds = 2;
    look.movement.rises = {
        {{Meaning::receivedBytes, kThree}, 2'500'000'000},
        {{Meaning::sentBytes, kThree}, 250'000'000},
        {{Meaning::sentBytes, kZero}, 25'000'000},
        {{Meaning::pauseReceived, kThree}, 240},
        {{Meaning::pauseReceivedMicros, kThree}, 62'000},
        {{Meaning::packetSequence, std::nullopt}, 0},
        {{Meaning::congestionSent, std::nullopt}, 24},
    };
    look.sinceStart = look.movement.rises;
    look.sinceStart[{Meaning::packetSequence, std::nullopt}] = 9;
    look.judgement = {.verdict = Verdict::pausing,
                      .reason = "pause_received of priority 3 240"};
    return look;
}

WatchScreen screen(std::size_t rows) {
    return {.host = "node1",
            .time = kTime,
            .interval = std::chrono::milliseconds(2500),
            .rows = rows};
}

TEST(WatchText, one_line_says_everything_that_is_known_and_what_is_not) {
    EXPECT_EQ(
        watchLine(pausing(), kTime),
        "2026-01-02T03:04:05.006Z ens1f0np0 pausing, not dropping: "
        "pause_received of priority 3 240; priority 3; in 10.00 Gb/s, out 1.00 "
        "Gb/s; paused 120/s (3.1 %), pausing ?; packet_seq_err 0, "
        "local_ack_timeout_err ?, discards ?; out_of_buffer ?; CNP out 12/s in ?, "
        "marked ?\n");
}

TEST(WatchText, foreign_names_do_nothing_to_a_terminal) {
    watch::Look look = pausing("ens\x1b[2J\n");
    look.movement.problems = {"read\x1b]0;x\x07"};
    look.movement.rebased = {"ens\x1b: rx"};
    const std::string line = watchLine(look, kTime);
    EXPECT_EQ(std::ranges::count(line, '\n'), 1);
    EXPECT_THAT(line, Not(HasSubstr("\x1b")));
    EXPECT_THAT(line, HasSubstr("\\x1b"));
    EXPECT_THAT(watchLines({look}, screen(24), {}), Each(Not(HasSubstr("\x1b"))));
    EXPECT_THAT(watchJsonLine(look, kTime), Not(HasSubstr("\x1b")));
}

TEST(WatchText, a_counter_that_began_anew_is_said) {
    watch::Look look = pausing();
    look.movement.rebased = {"ens1f0np0: rx_prio3_pause"};
    EXPECT_THAT(watchLine(look, kTime),
                HasSubstr("; ens1f0np0: rx_prio3_pause went backwards and is counted "
                          "anew\n"));
}

TEST(WatchText, what_the_fabric_is_made_of_is_said) {
    watch::Look look = pausing();
    look.sample.lossless = std::set<Priority>{};
    EXPECT_THAT(watchLine(look, kTime), HasSubstr("no priority has PFC"));
    look.sample.lossless = fail(systemError("read", "DCB", EPERM));
    EXPECT_THAT(watchLine(look, kTime), HasSubstr("PFC unknown"));
    look.sample.layer = host::LinkLayer::infiniband;
    EXPECT_THAT(watchLine(look, kTime), HasSubstr("InfiniBand"));
}

TEST(WatchText, a_rail_that_is_gone_has_no_figures) {
    watch::Look look = pausing();
    look.present = false;
    look.judgement = {.verdict = Verdict::unknown, .reason = "gone"};
    EXPECT_EQ(watchLine(look, kTime),
              "2026-01-02T03:04:05.006Z ens1f0np0 unknown: gone\n");
}

TEST(WatchScreen, a_rail_has_some_lines_when_there_is_room) {
    EXPECT_THAT(
        watchLines({pausing()}, screen(24), {}),
        ElementsAre(
            "node1  03:04:05 UTC, every 2.5s",
            "ens1f0np0  pausing, not dropping: pause_received of priority 3 "
            "240  priority 3",
            "  in 10.00 Gb/s, out 1.00 Gb/s; paused 120/s (3.1 %), pausing ?",
            "  packet_seq_err 0 (9), local_ack_timeout_err ? (?), discards ? (?)",
            "  out_of_buffer ? (?); CNP out 12/s in ?, marked ?",
            "  other priorities: 0 in ? Gb/s, out 0.10 Gb/s"));
}

TEST(WatchScreen, many_rails_have_one_line_each_and_the_rest_is_counted) {
    const std::vector<watch::Look> rails{pausing("a"), pausing("b"), pausing("c")};
    EXPECT_THAT(watchLines(rails, screen(5), {}),
                ElementsAre(StartsWith("node1"),
                            "a  pausing, not dropping  in 10.00 Gb/s, out 1.00 Gb/s",
                            StartsWith("b  "),
                            StartsWith("c  ")));
    EXPECT_THAT(
        watchLines(rails, screen(4), {}),
        ElementsAre(
            StartsWith("node1"), StartsWith("a  "), "2 more rails: see --rail NAME"));
    EXPECT_THAT(watchLines(rails, screen(1), {}), SizeIs(1));
    EXPECT_THAT(watchLines(rails, screen(0), {}), SizeIs(1));
}

TEST(WatchScreen, quiet_shows_what_is_wrong_alone) {
    watch::Look wrong = pausing("b");
    wrong.judgement = {.verdict = Verdict::dropping, .reason = "packet_seq_err 1"};
    const auto lines = watchLines({pausing("a"), wrong}, screen(24), {.quiet = true});
    EXPECT_THAT(lines.at(1), StartsWith("b  dropping: packet_seq_err 1"));
    EXPECT_THAT(lines, Each(Not(StartsWith("a  "))));
}

TEST(WatchScreen, colour_is_never_the_only_word) {
    const auto plain = watchLines({pausing()}, screen(24), {});
    EXPECT_THAT(plain, Each(Not(HasSubstr("\x1b"))));
    const auto coloured = watchLines({pausing()}, screen(24), {.color = true});
    EXPECT_THAT(coloured.at(1),
                HasSubstr("\x1b[33mpausing, not dropping: pause_received of priority 3 "
                          "240\x1b[0m"));
}

TEST(WatchJson, a_line_is_one_document_in_which_unknown_is_null) {
    const std::string line = watchJsonLine(pausing(), kTime);
    EXPECT_THAT(line, EndsWith("}\n"));
    EXPECT_EQ(std::ranges::count(line, '\n'), 1);
    const auto tree = nlohmann::json::parse(line);
    EXPECT_EQ(tree.at("schema"), "fabricctl/watch/1");
    EXPECT_EQ(tree.at("time"), "2026-01-02T03:04:05.006Z");
    EXPECT_EQ(tree.at("verdict"), "pausing");
    EXPECT_EQ(tree.at("lossless_priorities"), nlohmann::json::array({3}));
    const auto& rises = tree.at("rises");
    EXPECT_EQ(rises.at("packet_seq_err"), 0);
    EXPECT_TRUE(rises.at("out_of_buffer").is_null());
    EXPECT_EQ(rises.at("priorities").at("3").at("pause_received"), 240);
    EXPECT_EQ(rises.at("priorities").at("0").at("sent_bytes"), 25'000'000);
    EXPECT_TRUE(rises.at("priorities").at("0").at("received_bytes").is_null());
    EXPECT_EQ(tree.at("since_start").at("packet_seq_err"), 9);
}

TEST(WatchJson, what_has_no_rdma_port_and_no_known_pfc_is_null) {
    watch::Look look = pausing();
    look.sample.rdma = "";
    look.sample.lossless = fail(systemError("read", "DCB", EPERM));
    const auto tree = nlohmann::json::parse(watchJsonLine(look, kTime));
    EXPECT_TRUE(tree.at("rdma").is_null());
    EXPECT_TRUE(tree.at("lossless_priorities").is_null());
}

}  // namespace
}  // namespace fabric::report
