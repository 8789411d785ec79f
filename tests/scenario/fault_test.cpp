// SPDX-License-Identifier: Apache-2.0
// Every write of a whole run fails once, in every way that a kernel knows. What the run
// says is held against what the fakes really hold.
#include "engine/apply.hpp"
#include "engine/run.hpp"
#include "faulty_writer.hpp"
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

// Something to do for every resource: pause is on, and rail1 has only a DSCP entry with
// a wrong priority, which drivers exchange in several writes.
void spoil(StorageNode& node) {
    for (unsigned rail = 0; rail < kRails; ++rail) {
        node.host.ethtool.pauses[StorageNode::linkOf(rail)] = {.rx = true, .tx = true};
    }
    fake::FakeDcbPort& port = node.dcb(1);
    port.list = {{.selector = 5, .priority = 5, .protocol = 26}};
    port.hardwareMap.at(26) = 5;
    port.hardwareTrustsDscp = true;
}

// losslessProfile() without the DSCPs that it does not name: fewer writes of one kind.
profile::Profile everySeamProfile() {
    return profileOf(R"(version: 1
name: every-seam
dcb:
  trust: dscp
  lossless: { priority: 3, dscp: 26, buffer: 1 }
  dscp-to-priority: { 26: 3, 48: 6 }
  other-dscp: keep
ecn: { when-uncontrollable: report }
mtu: 9000
pause: { rx: off, tx: off }
acs: { clear: redirect }
arp: { persist: true }
)");
}

std::string wrongOn(StorageNode& node, unsigned rail) {
    return node.wrongOn(rail) + node.wrongArpOn(rail);
}

std::string sayOf(const Report& report) {
    std::string text;
    for (const auto& resource : report.resources) {
        if (engine::exitCodeOf(resource.outcome) != ExitCode::asWanted) {
            text += resource.assessment.id + " " +
                    std::string(engine::toString(resource.outcome)) + " (" +
                    resource.assessment.reason + ")\n";
        }
    }
    return text;
}

bool complainsAbout(const Report& report, unsigned rail) {
    const std::string name = StorageNode::nameOf(rail);
    const std::string bridge = StorageNode::rootPortOf(rail).text();
    return std::ranges::any_of(report.resources, [&](const auto& resource) {
        return (resource.assessment.rail == name ||
                resource.assessment.device == bridge) &&
               engine::exitCodeOf(resource.outcome) != ExitCode::asWanted;
    });
}

// The report never says more than the machine holds, rail by rail.
void expectHonest(StorageNode& node, const Report& report, const std::string& what) {
    for (unsigned rail = 0; rail < kRails; ++rail) {
        const std::string wrong = wrongOn(node, rail);
        if (!wrong.empty()) {
            EXPECT_TRUE(complainsAbout(report, rail))
                << what << ": rail" << rail << " is wrong (" << wrong
                << "), the report says nothing of it:\n"
                << sayOf(report);
            EXPECT_NE(report.exitCode(), ExitCode::asWanted) << what;
        }
    }
}

// A run after the fault has gone makes everything right and a third one writes nothing.
void expectConvergence(StorageNode& node,
                       const profile::Profile& profile,
                       const std::string& what) {
    const Report again = engine::apply(node.reader(), node.writer(), profile, {});
    EXPECT_EQ(again.exitCode(), ExitCode::asWanted) << what << "\n" << sayOf(again);
    for (unsigned rail = 0; rail < kRails; ++rail) {
        EXPECT_EQ(wrongOn(node, rail), "") << what << ", after the second run";
    }
    FaultyWriter counter(node.writer());
    static_cast<void>(engine::apply(node.reader(), counter.writer(), profile, {}));
    EXPECT_EQ(counter.count(), 0U) << what << ", the third run writes";
}

std::size_t writesOfACleanRun(fake::DcbDriver driver) {
    StorageNode node(kRails, driver);
    spoil(node);
    FaultyWriter counter(node.writer());
    const Report report =
        engine::apply(node.reader(), counter.writer(), everySeamProfile(), {});
    EXPECT_EQ(report.exitCode(), ExitCode::asWanted) << sayOf(report);
    for (unsigned rail = 0; rail < kRails; ++rail) {
        EXPECT_EQ(wrongOn(node, rail), "");
    }
    return counter.count();
}

class EveryWrite : public testing::TestWithParam<fake::DcbDriver> {
  protected:
    void meet(std::size_t nth, Fault fault, const std::string& what) {
        StorageNode node(kRails, GetParam());
        spoil(node);
        FaultyWriter faulty(node.writer(), nth, fault);
        const Report report =
            engine::apply(node.reader(), faulty.writer(), profile_, {});
        const std::string where = what + " at write " + std::to_string(nth);
        expectHonest(node, report, where);
        if (fault.sysErrno != 0) {
            EXPECT_NE(report.exitCode(), ExitCode::asWanted) << where;
        }
        expectConvergence(node, profile_, where);
    }

    const profile::Profile profile_ = everySeamProfile();
};

TEST_P(EveryWrite, that_fails_is_told_and_the_next_run_converges) {
    constexpr std::array kNumbers{EIO, EPERM, EOPNOTSUPP, ENODEV, EBUSY, EINVAL, EINTR};
    const std::size_t writes = writesOfACleanRun(GetParam());
    ASSERT_GT(writes, 10U);
    for (std::size_t nth = 1; nth <= writes; ++nth) {
        const int number = kNumbers.at(nth % kNumbers.size());
        meet(nth,
             {.sysErrno = number, .takesEffect = false},
             "errno " + std::to_string(number));
    }
}

TEST_P(EveryWrite, that_takes_effect_and_fails_is_told_and_the_next_run_converges) {
    const std::size_t writes = writesOfACleanRun(GetParam());
    for (std::size_t nth = 1; nth <= writes; ++nth) {
        meet(nth, {.sysErrno = ENOMEM, .takesEffect = true}, "effect and ENOMEM");
    }
}

TEST_P(EveryWrite, D14_that_lies_is_found_out_and_the_next_run_converges) {
    const std::size_t writes = writesOfACleanRun(GetParam());
    for (std::size_t nth = 1; nth <= writes; ++nth) {
        meet(nth, {}, "success without effect");
    }
}

// 1 and 2 are what drivers answer besides errno; 244 is ENOMEM or ENOTSUPP.
TEST_P(EveryWrite, D01_D06_answers_a_result_byte_that_is_never_taken_for_success) {
    constexpr std::array<std::uint8_t, 7> kCodes{1, 2, 127, 128, 161, 244, 255};
    const std::size_t writes = writesOfACleanRun(GetParam());
    for (std::size_t nth = 1; nth <= writes; ++nth) {
        const std::uint8_t code = kCodes.at(nth % kCodes.size());
        meet(nth, {.dcbCode = code}, "result byte " + std::to_string(code));
    }
}

// A process that is killed has told nobody anything; the next run must find its way.
TEST_P(EveryWrite, that_is_the_last_before_the_process_dies_leaves_a_way_back) {
    const std::size_t writes = writesOfACleanRun(GetParam());
    for (std::size_t last = 0; last < writes; ++last) {
        StorageNode node(kRails, GetParam());
        spoil(node);
        FaultyWriter counted(node.writer());
        engine::ApplyOptions options;
        options.execution.stopRequested = [&]() -> std::optional<std::string> {
            return counted.count() >= last ? std::optional<std::string>("SIGTERM")
                                           : std::nullopt;
        };
        const Report stopped =
            engine::apply(node.reader(), counted.writer(), profile_, options);
        const std::string where = "stopped after write " + std::to_string(last);
        EXPECT_LE(counted.count(), std::max<std::size_t>(last, 1)) << where;
        expectHonest(node, stopped, where);
        expectConvergence(node, profile_, where);
    }
}

std::string driverName(const testing::TestParamInfo<fake::DcbDriver>& info) {
    return info.param == fake::DcbDriver::mlx5   ? "mlx5"
           : info.param == fake::DcbDriver::bnxt ? "bnxt"
                                                 : "ice";
}

INSTANTIATE_TEST_SUITE_P(Scenario,
                         EveryWrite,
                         testing::Values(fake::DcbDriver::mlx5,
                                         fake::DcbDriver::bnxt,
                                         fake::DcbDriver::ice),
                         driverName);

}  // namespace
}  // namespace fabric::scenario
