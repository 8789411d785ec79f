// SPDX-License-Identifier: Apache-2.0
#include "engine/executor.hpp"

#include "fake/fake_host.hpp"

#include <gtest/gtest.h>

namespace fabric::engine {
namespace {

using resource::AttributeWrite;
using resource::Disturbs;
using resource::MtuWrite;
using resource::Step;
using std::chrono::milliseconds;

constexpr IfIndex kFirst{2};
constexpr IfIndex kSecond{3};

class ExecutorTest : public testing::Test {
  protected:
    void SetUp() override {
        host.links.add(kFirst.number, "rail0");
        host.links.add(kSecond.number, "rail1");
    }

    // A write to this attribute lets the carrier of the link drop `after` it was
    // accepted, and return `back` later, or never.
    AttributeWrite bouncing(IfIndex link,
                            milliseconds after,
                            std::optional<milliseconds> back) {
        const std::string path = "/sys/bounce" + std::to_string(link.number);
        host.files.addAttribute(path, "", [this, link, after, back](std::string_view) {
            host::Link down = *host.links.find(link);
            down.carrier = false;
            ++down.carrierDownCount;
            host.links.changeAfter(after, down);
            if (back) {
                down.carrier = true;
                host.links.changeAfter(after + *back, down);
            }
            return 0;
        });
        return {.path = path, .text = "1"};
    }

    static Step step(std::string rail,
                     IfIndex link,
                     Disturbs disturbs,
                     resource::Write write) {
        return {.rail = std::move(rail),
                .link = link,
                .disturbs = disturbs,
                .writes = {std::move(write)}};
    }

    std::vector<StepResult> run(const std::vector<Step>& plan) {
        return execute(plan, host.reader(), host.writer(), options);
    }

    milliseconds elapsed() const {
        return std::chrono::duration_cast<milliseconds>(host.clock.now() - start);
    }

    fake::FakeHost host;
    ExecutionOptions options;
    std::chrono::steady_clock::time_point start = host.clock.now();
};

TEST_F(ExecutorTest, one_failure_never_hides_another_rail) {
    host.links.mtuErrors[kFirst] = EIO;
    const auto results =
        run({step("rail0", kFirst, Disturbs::none, MtuWrite{kFirst, 9000}),
             step("rail1", kSecond, Disturbs::none, MtuWrite{kSecond, 9000})});
    EXPECT_EQ(results[0].error->sysErrno, EIO);
    EXPECT_TRUE(results[1].accepted);
    EXPECT_EQ(host.links.find(kSecond)->mtu, 9000U);
}

TEST_F(ExecutorTest, a_step_stops_at_its_first_failed_write) {
    host.links.mtuErrors[kFirst] = EIO;
    Step both = step("rail0", kFirst, Disturbs::none, MtuWrite{kFirst, 9000});
    both.writes.emplace_back(MtuWrite{kSecond, 9000});
    EXPECT_FALSE(run({both})[0].accepted);
    EXPECT_EQ(host.links.mtuChanges.size(), 1U);
}

TEST_F(ExecutorTest, waits_for_the_carrier_before_the_next_rail) {
    std::vector<milliseconds> startedAt;
    options.onStep = [&](const Step&) { startedAt.push_back(elapsed()); };
    const auto results =
        run({step("rail0",
                  kFirst,
                  Disturbs::link,
                  bouncing(kFirst, milliseconds(20), milliseconds(3000))),
             step("rail1",
                  kSecond,
                  Disturbs::link,
                  bouncing(kSecond, milliseconds(20), milliseconds(100)))});
    EXPECT_TRUE(results[1].accepted);
    EXPECT_GE(startedAt.at(1), milliseconds(3020));
    EXPECT_LT(startedAt.at(1), milliseconds(3100));
}

TEST_F(ExecutorTest,
       a_rail_that_does_not_come_back_keeps_other_links_from_being_disturbed) {
    const auto results =
        run({step("rail0",
                  kFirst,
                  Disturbs::link,
                  bouncing(kFirst, milliseconds(20), std::nullopt)),
             step("rail1",
                  kSecond,
                  Disturbs::link,
                  bouncing(kSecond, milliseconds(20), milliseconds(100))),
             step("rail1", kSecond, Disturbs::none, MtuWrite{kSecond, 9000})});
    EXPECT_TRUE(results[0].accepted);
    EXPECT_FALSE(results[1].attempted);
    EXPECT_EQ(results[1].notAttempted, "rail0 did not come back");
    EXPECT_TRUE(results[2].accepted);
    EXPECT_GE(elapsed(), kCarrierDeadline);
    EXPECT_LT(elapsed(), kCarrierDeadline + milliseconds(100));
}

TEST_F(ExecutorTest, a_rail_without_carrier_is_not_waited_for) {
    host.links.find(kFirst)->carrier = false;
    run({step("rail0", kFirst, Disturbs::link, MtuWrite{kFirst, 9000})});
    EXPECT_EQ(elapsed(), milliseconds(0));
}

TEST_F(ExecutorTest, a_link_that_does_not_bounce_costs_the_grace_time_only) {
    const auto results =
        run({step("rail0", kFirst, Disturbs::link, MtuWrite{kFirst, 9000}),
             step("rail1", kSecond, Disturbs::link, MtuWrite{kSecond, 9000})});
    EXPECT_TRUE(results[1].accepted);
    EXPECT_LE(elapsed(), milliseconds(2000));
}

TEST_F(ExecutorTest, an_overrun_of_the_event_socket_reads_the_link_again) {
    host.links.failWatchAfter(milliseconds(50), Error{.kind = ErrorKind::busy});
    const auto results =
        run({step("rail0",
                  kFirst,
                  Disturbs::link,
                  bouncing(kFirst, milliseconds(20), milliseconds(200))),
             step("rail1", kSecond, Disturbs::link, MtuWrite{kSecond, 9000})});
    EXPECT_TRUE(results[1].accepted);
}

TEST_F(ExecutorTest, a_signal_lets_the_write_under_way_finish_and_nothing_more) {
    int asked = 0;
    options.stopRequested = [&]() -> std::optional<std::string> {
        return ++asked > 1 ? std::optional<std::string>("SIGTERM") : std::nullopt;
    };
    const auto results =
        run({step("rail0", kFirst, Disturbs::none, MtuWrite{kFirst, 9000}),
             step("rail1", kSecond, Disturbs::none, MtuWrite{kSecond, 9000})});
    EXPECT_TRUE(results[0].accepted);
    EXPECT_EQ(results[1].notAttempted, "not attempted: SIGTERM");
    EXPECT_EQ(host.links.mtuChanges.size(), 1U);
}

TEST_F(ExecutorTest, a_file_is_replaced_whole_with_its_mode) {
    host.files.addDirectory("/run/fabricctl");
    const auto results =
        run({step("rail0",
                  kFirst,
                  Disturbs::none,
                  resource::FileReplace{
                      .path = "/run/fabricctl/x", .text = "new\n", .mode = 0600})});
    EXPECT_TRUE(results[0].accepted);
    EXPECT_EQ(host.files.content("/run/fabricctl/x"), "new\n");
    EXPECT_EQ(host.files.find("/run/fabricctl/x")->mode, 0600U);
}

TEST_F(ExecutorTest, removing_a_file_that_is_gone_is_no_failure) {
    host.files.addFile("/run/fabricctl/x");
    const Step removal = step("rail0",
                              kFirst,
                              Disturbs::none,
                              resource::FileRemove{.path = "/run/fabricctl/x"});
    const auto results = run({removal, removal});
    EXPECT_FALSE(host.files.exists("/run/fabricctl/x"));
    EXPECT_TRUE(results[0].accepted);
    EXPECT_TRUE(results[1].accepted);
    host.files.addFile("/run/fabricctl/x");
    host.files.failWrite("/run/fabricctl/x", EROFS);
    EXPECT_EQ(run({removal})[0].error->sysErrno, EROFS);
}

TEST_F(ExecutorTest, a_step_after_which_the_link_stays_down_has_failed) {
    const auto results = run({step("rail0",
                                   kFirst,
                                   Disturbs::link,
                                   bouncing(kFirst, milliseconds(5), std::nullopt))});
    ASSERT_TRUE(results[0].error);
    EXPECT_EQ(results[0].error->kind, ErrorKind::timeout);
    EXPECT_NE(results[0].error->message().find("did not come back"), std::string::npos);
}

TEST_F(ExecutorTest, D18_paths_under_a_name_that_moved_are_not_written) {
    host.files.addFile("/sys/class/net/rail0/value", "0");
    Step byName =
        step("rail0",
             kFirst,
             Disturbs::none,
             AttributeWrite{.path = "/sys/class/net/rail0/value", .text = "1"});
    byName.linkName = "rail0";
    EXPECT_TRUE(run({byName})[0].accepted);
    host.links.find(kFirst)->name = "swp7";
    host.links.find(kSecond)->name = "rail0";
    const auto moved = run({byName});
    ASSERT_TRUE(moved[0].error);
    EXPECT_EQ(moved[0].error->kind, ErrorKind::mismatch);
    host.links.remove(kFirst);
    EXPECT_TRUE(run({byName})[0].error);
    EXPECT_EQ(host.files.writes().size(), 1U);
}

}  // namespace
}  // namespace fabric::engine
