// SPDX-License-Identifier: Apache-2.0
// Every read of a whole run fails once. A machine that is wrong is never called right,
// one that is right is never made wrong, and the next run finds its way.
#include "engine/apply.hpp"
#include "engine/run.hpp"
#include "faulty_reader.hpp"
#include "storage_node.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace fabric::scenario {
namespace {

using engine::ExitCode;
using engine::Report;

constexpr unsigned kRails = 2;

profile::Profile wanted() {
    return profileOf(R"(version: 1
name: blind
rails: { match: [{ interface: "rail*" }] }
dcb:
  trust: dscp
  lossless: { priority: 3, dscp: 26, buffer: 1 }
  other-dscp: default
ecn: { reaction-point: [3], notification-point: [3] }
mtu: 9000
pause: { rx: off, tx: off }
acs: { clear: redirect }
arp: { persist: true }
)");
}

std::string wrongOn(StorageNode& node, unsigned rail) {
    return node.wrongOn(rail) + node.wrongArpOn(rail);
}

bool complainsAbout(const Report& report, unsigned rail) {
    const std::string name = StorageNode::nameOf(rail);
    const std::string bridge = StorageNode::rootPortOf(rail).text();
    return std::ranges::any_of(report.resources, [&](const auto& resource) {
        const bool concerned = resource.assessment.rail == name ||
                               resource.assessment.device == bridge ||
                               resource.assessment.rail.empty();
        return concerned && engine::exitCodeOf(resource.outcome) != ExitCode::asWanted;
    });
}

// Unless nothing could be run at all, which is said too.
void expectHonest(StorageNode& node,
                  unsigned rails,
                  const Report& report,
                  const std::string& what) {
    if (report.stopped) {
        return;
    }
    for (unsigned rail = 0; rail < rails; ++rail) {
        const std::string wrong = wrongOn(node, rail);
        EXPECT_TRUE(wrong.empty() || complainsAbout(report, rail))
            << what << ": rail" << rail << " is wrong (" << wrong
            << "), the report says nothing of it";
    }
}

// The kinds in turn; 0 is an answer with nothing in it.
ReadFault faultOf(std::size_t nth) {
    constexpr std::array kNumbers{EIO, 0, EACCES, ENOMEM, ETIMEDOUT};
    return {.sysErrno = kNumbers.at(nth % kNumbers.size())};
}

std::string nameOf(const FaultyReader& reader, std::size_t nth) {
    return reader.struck() + " (read " + std::to_string(nth) + ", errno " +
           std::to_string(faultOf(nth).sysErrno) + ")";
}

TEST(Blind, a_check_that_cannot_read_one_thing_never_calls_a_wrong_machine_right) {
    StorageNode node(kRails);
    const profile::Profile profile = wanted();
    for (std::size_t nth = 1;; ++nth) {
        const FaultyReader reader(node.reader(), nth, faultOf(nth));
        const Report report = engine::check(reader.reader(), profile, {});
        if (reader.struck().empty()) {
            ASSERT_GT(nth, 100U);
            break;
        }
        EXPECT_NE(report.exitCode(), ExitCode::asWanted) << nameOf(reader, nth);
        expectHonest(node, kRails, report, nameOf(reader, nth));
    }
}

TEST(Blind, a_right_machine_stays_right_whatever_cannot_be_read) {
    StorageNode node(kRails);
    const profile::Profile profile = wanted();
    ASSERT_EQ(engine::apply(node.reader(), node.writer(), profile, {}).exitCode(),
              ExitCode::asWanted);
    for (std::size_t nth = 1;; ++nth) {
        const FaultyReader reader(node.reader(), nth, faultOf(nth));
        static_cast<void>(engine::apply(reader.reader(), node.writer(), profile, {}));
        if (reader.struck().empty()) {
            break;
        }
        for (unsigned rail = 0; rail < kRails; ++rail) {
            ASSERT_EQ(wrongOn(node, rail), "") << nameOf(reader, nth);
        }
    }
}

TEST(Blind, an_apply_that_cannot_read_one_thing_is_honest_and_the_next_one_converges) {
    const profile::Profile profile = wanted();
    constexpr unsigned kOne = 1;
    for (std::size_t nth = 1;; ++nth) {
        StorageNode node(kOne);
        const FaultyReader reader(node.reader(), nth, faultOf(nth));
        const Report report =
            engine::apply(reader.reader(), node.writer(), profile, {});
        if (reader.struck().empty()) {
            ASSERT_GT(nth, 100U);
            break;
        }
        expectHonest(node, kOne, report, nameOf(reader, nth));
        const Report again = engine::apply(node.reader(), node.writer(), profile, {});
        EXPECT_EQ(again.exitCode(), ExitCode::asWanted) << nameOf(reader, nth);
        EXPECT_EQ(wrongOn(node, 0), "") << nameOf(reader, nth);
    }
}

}  // namespace
}  // namespace fabric::scenario
