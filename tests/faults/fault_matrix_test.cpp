// SPDX-License-Identifier: Apache-2.0
// Every write and every read of every resource's scenario meets every fault, and the
// process is killed before every write. After each: exit 0 only when the machine really
// is as wanted, the next run converges and leaves nothing behind that an undisturbed
// one does not leave, and a third writes nothing.
//
// FABRIC_FAULT_STRIDE=N takes every N-th index of each scenario and fault; without it,
// every one.
#include "engine/report.hpp"
#include "faults/fault_case.hpp"
#include "faults/outcome_table.hpp"
#include "scenario/faulty_reader.hpp"
#include "scenario/faulty_writer.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <iostream>
#include <set>
#include <string_view>

namespace fabric::faults {
namespace {

using engine::ExitCode;
using engine::Report;
using scenario::Fault;
using scenario::FaultyReader;
using scenario::FaultyWriter;
using scenario::ReadFault;

struct NamedFault {
    const char* name;
    Fault fault;
};

struct NamedReadFault {
    const char* name;
    ReadFault fault;
};

constexpr std::array kWriteFaults{
    NamedFault{"write EIO", {.sysErrno = EIO}},
    NamedFault{"write EPERM", {.sysErrno = EPERM}},
    NamedFault{"write ENOSPC", {.sysErrno = ENOSPC}},
    NamedFault{"write EBUSY", {.sysErrno = EBUSY}},
    NamedFault{"write ENOBUFS", {.sysErrno = ENOBUFS}},
    NamedFault{"write ENODEV", {.sysErrno = ENODEV}},
    NamedFault{"write done, answers EIO", {.sysErrno = EIO, .takesEffect = true}},
    NamedFault{"write cut short", {.sysErrno = EIO, .half = true}},
    NamedFault{"write done, no answer", {.takesEffect = true, .timedOut = true}},
    NamedFault{"write lost, no answer", {.timedOut = true}},
    NamedFault{"write lost, answers 0", {}},
};

constexpr std::array kReadFaults{
    NamedReadFault{"read EIO", {.sysErrno = EIO}},
    NamedReadFault{"read EPERM", {.sysErrno = EPERM}},
    NamedReadFault{"read ENOSPC", {.sysErrno = ENOSPC}},
    NamedReadFault{"read EBUSY", {.sysErrno = EBUSY}},
    NamedReadFault{"read ENOBUFS", {.sysErrno = ENOBUFS}},
    NamedReadFault{"read ENODEV", {.sysErrno = ENODEV}},
    NamedReadFault{"read truncated", {.truncated = true}},
    NamedReadFault{"read empty", {}},
    NamedReadFault{"read, no answer", {.timedOut = true}},
};

std::size_t strideFromEnvironment() {
    const char* const text = std::getenv("FABRIC_FAULT_STRIDE");
    std::size_t stride = 1;
    if (text != nullptr) {
        const std::string_view digits(text);
        const auto parsed =
            std::from_chars(digits.data(), digits.data() + digits.size(), stride);
        EXPECT_TRUE(parsed.ec == std::errc() && stride > 0) << "FABRIC_FAULT_STRIDE";
    }
    return std::max<std::size_t>(stride, 1);
}

std::string sayOf(const Report& report) {
    std::string text = report.stopped ? report.stopped->message() + "\n" : "";
    for (const auto& resource : report.resources) {
        if (engine::exitCodeOf(resource.outcome) != ExitCode::asWanted) {
            text += resource.assessment.id + " " +
                    std::string(engine::toString(resource.outcome)) + " (" +
                    resource.assessment.reason + ")\n";
        }
    }
    return text;
}

// What lies where a run keeps files.
std::set<std::string> kept(KeptNode& node) {
    std::set<std::string> paths;
    for (const char* directory : {"/etc", "/run", "/var"}) {
        for (std::string& path : node.host.files.below(directory)) {
            // One more with every run that writes.
            if (!path.starts_with("/var/lib/fabricctl/snapshots/")) {
                paths.insert(std::move(path));
            }
        }
    }
    return paths;
}

// One scenario and what an undisturbed run of it does.
class Row {
  public:
    Row(FaultCase scenario, std::size_t stride, OutcomeTable& table)
        : case_(std::move(scenario)),
          profile_(scenario::profileOf("version: 1\nname: matrix\n" + case_.profile)),
          stride_(stride),
          table_(table) {}

    void run() {
        measure();
        for (const NamedFault& fault : kWriteFaults) {
            forEach(writes_, [&](std::size_t nth) { meetWriteFault(fault, nth); });
        }
        forEach(case_.writes ? writes_ + 1 : 0, [&](std::size_t nth) { die(nth); });
        for (const NamedReadFault& fault : kReadFaults) {
            forEach(reads_, [&](std::size_t nth) { meetReadFault(fault, nth); });
            forEach(readsWhenRight_,
                    [&](std::size_t nth) { meetReadFaultWhenRight(fault, nth); });
        }
    }

  private:
    // Each fault begins at another index, so that sampling does not always take the
    // same. No cell stays empty.
    void forEach(std::size_t count, const std::function<void(std::size_t)>& meet) {
        table_.addPossible(count);
        const std::size_t first =
            1 + offset_++ % std::max<std::size_t>(std::min(stride_, count), 1);
        for (std::size_t nth = first; nth <= count; nth += stride_) {
            meet(nth);
        }
    }

    [[nodiscard]] KeptNode& fresh() {
        node_ = std::make_unique<KeptNode>(kRails, case_.driver);
        case_.prepare(*node_);
        return *node_;
    }

    Report runOn(KeptNode& node,
                 const host::Reader& reader,
                 const host::Writer& writer) {
        static_cast<void>(node);
        return case_.run(reader, writer, profile_);
    }

    void measure() {
        KeptNode& node = fresh();
        EXPECT_NE(case_.wrong(node), "") << case_.resource << ": nothing to do";
        const FaultyReader reads(node.reader());
        FaultyWriter writes(node.writer());
        const Report report = runOn(node, reads.reader(), writes.writer());
        reads_ = reads.count();
        writes_ = writes.count();
        if (!case_.writes) {
            EXPECT_NE(report.exitCode(), ExitCode::asWanted) << sayOf(report);
            return;
        }
        EXPECT_EQ(report.exitCode(), ExitCode::asWanted) << case_.resource << "\n"
                                                         << sayOf(report);
        EXPECT_EQ(case_.wrong(node), "") << case_.resource;
        kept_ = kept(node);
        const FaultyReader again(node.reader());
        const Report second = runOn(node, again.reader(), node.writer());
        EXPECT_EQ(second.exitCode(), ExitCode::asWanted) << sayOf(second);
        readsWhenRight_ = again.count();
    }

    void meetWriteFault(const NamedFault& fault, std::size_t nth) {
        KeptNode& node = fresh();
        FaultyWriter faulty(node.writer(), nth, fault.fault);
        const Report report = runOn(node, node.reader(), faulty.writer());
        judge(node, report, fault.name, nth, {});
        expectConvergence(node, where(fault.name, nth));
        // A store that answers 0 and keeps nothing cannot be seen through.
        if (fault.fault.sysErrno != 0 || fault.fault.timedOut) {
            EXPECT_EQ(case_.atLast(node), "") << where(fault.name, nth);
        }
    }

    void die(std::size_t nth) {
        KeptNode& node = fresh();
        FaultyWriter dying(node.writer());
        dying.dieBefore(nth);
        static_cast<void>(runOn(node, node.reader(), dying.writer()));
        table_.addKilled(case_.resource, "killed before a write");
        expectConvergence(node, where("killed before", nth));
        EXPECT_EQ(case_.atLast(node), "") << where("killed before", nth);
    }

    void meetReadFault(const NamedReadFault& fault, std::size_t nth) {
        KeptNode& node = fresh();
        const FaultyReader faulty(node.reader(), nth, fault.fault);
        const Report report = runOn(node, faulty.reader(), node.writer());
        judge(node, report, fault.name, nth, faulty.struck());
        if (case_.writes) {
            expectConvergence(node, where(fault.name, nth) + faulty.struck());
        }
    }

    // What is right stays right, whatever could not be read.
    void meetReadFaultWhenRight(const NamedReadFault& fault, std::size_t nth) {
        KeptNode& node = fresh();
        static_cast<void>(runOn(node, node.reader(), node.writer()));
        const FaultyReader faulty(node.reader(), nth, fault.fault);
        const Report report = runOn(node, faulty.reader(), node.writer());
        const std::string name = std::string(fault.name) + ", all is right";
        judge(node, report, name, nth, faulty.struck());
        EXPECT_EQ(case_.wrong(node), "") << where(name, nth) << faulty.struck();
        expectConvergence(node, where(name, nth) + faulty.struck());
    }

    [[nodiscard]] std::string where(std::string_view fault, std::size_t nth) const {
        return case_.resource + ", " + std::string(fault) + " at " +
               std::to_string(nth) + " ";
    }

    // Exit 0 is only ever said of a machine that is as wanted.
    void judge(KeptNode& node,
               const Report& report,
               const std::string& fault,
               std::size_t nth,
               const std::string& struck) {
        table_.add(case_.resource, fault, report.exitCode());
        const std::string wrong = case_.wrong(node);
        if (!wrong.empty()) {
            EXPECT_NE(report.exitCode(), ExitCode::asWanted)
                << where(fault, nth) << struck << ": exit 0, and wrong is: " << wrong;
        }
    }

    void expectConvergence(KeptNode& node, const std::string& what) {
        const Report again = runOn(node, node.reader(), node.writer());
        EXPECT_EQ(again.exitCode(), ExitCode::asWanted) << what << "\n" << sayOf(again);
        EXPECT_EQ(case_.wrong(node), "") << what << ", after the next run";
        for (const std::string& path : kept(node)) {
            EXPECT_TRUE(kept_.contains(path)) << what << " leaves " << path;
        }
        FaultyWriter counter(node.writer());
        const Report third = runOn(node, node.reader(), counter.writer());
        EXPECT_EQ(counter.count(), 0U) << what << ", the third run writes";
        EXPECT_EQ(third.exitCode(), ExitCode::asWanted) << what << ", the third run";
    }

    FaultCase case_;
    profile::Profile profile_;
    std::size_t stride_;
    OutcomeTable& table_;
    std::unique_ptr<KeptNode> node_;
    std::size_t reads_ = 0;
    std::size_t writes_ = 0;
    std::size_t readsWhenRight_ = 0;
    std::size_t offset_ = 0;
    std::set<std::string> kept_;
};

TEST(FaultMatrix, no_fault_makes_a_run_lie_or_keeps_the_next_from_converging) {
    const std::size_t stride = strideFromEnvironment();
    OutcomeTable table;
    for (FaultCase& scenario : faultCases()) {
        Row(std::move(scenario), stride, table).run();
    }
    std::cout << table.text(stride);
    EXPECT_EQ(table.unknown(), 0U);
    EXPECT_GT(table.points(), 0U);
}

}  // namespace
}  // namespace fabric::faults
