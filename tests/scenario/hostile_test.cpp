// SPDX-License-Identifier: Apache-2.0
// A machine that changes under the run: rails that go, are renamed or swap their names,
// getters that fail only after the write, values that flip between two looks.
#include "engine/apply.hpp"
#include "engine/run.hpp"
#include "faulty_writer.hpp"
#include "storage_node.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>

namespace fabric::scenario {
namespace {

using engine::ExitCode;
using engine::Outcome;
using engine::Report;
using fake::DcbSetter;

const engine::ResourceReport& find(const Report& report, const std::string& id) {
    const auto found = std::ranges::find_if(
        report.resources, [&](const engine::ResourceReport& resource) {
            return resource.assessment.id == id;
        });
    if (found == report.resources.end()) {
        ADD_FAILURE() << "no resource " << id;
        static const engine::ResourceReport none;
        return none;
    }
    return *found;
}

bool isFine(const engine::ResourceReport& resource) {
    return engine::exitCodeOf(resource.outcome) == ExitCode::asWanted;
}

// Something happens before the nth write of an apply.
Report applyWhile(StorageNode& node,
                  const profile::Profile& profile,
                  std::size_t nth,
                  const std::function<void()>& change) {
    FaultyWriter writer(node.writer());
    writer.before = [&](std::size_t count) {
        if (count == nth) {
            change();
        }
    };
    return engine::apply(node.reader(), writer.writer(), profile, {});
}

// ECN only, which is addressed by name.
profile::Profile ecnProfile() {
    return profileOf(R"(version: 1
name: ecn
ecn:
  reaction-point: [3]
  notification-point: [3]
)");
}

void rename(StorageNode& node, unsigned rail, const std::string& name) {
    node.host.links.find(StorageNode::linkOf(rail))->name = name;
}

TEST(Hostile, plan_names_exactly_what_apply_writes) {
    for (const auto driver :
         {fake::DcbDriver::mlx5, fake::DcbDriver::bnxt, fake::DcbDriver::ice}) {
        StorageNode node(2, driver);
        const auto profile = losslessProfile();
        const Report plan = engine::plan(node.reader(), profile, {});
        std::vector<resource::Write> planned;
        for (const resource::Step& step : plan.steps) {
            for (resource::Write write : step.writes) {
                if (auto* const dcb = std::get_if<resource::DcbWrite>(&write)) {
                    dcb->ifRefused.reset();
                }
                planned.push_back(std::move(write));
            }
        }
        FaultyWriter writer(node.writer());
        static_cast<void>(engine::apply(node.reader(), writer.writer(), profile, {}));
        EXPECT_EQ(writer.asked.size(), planned.size());
        EXPECT_TRUE(writer.asked == planned);
    }
}

TEST(Hostile, a_link_that_stays_down_after_our_write_is_never_exit_0) {
    StorageNode node(1);
    node.fakeDcb.onLinkBounce = [&](IfIndex link) {
        node.host.links.bounce(link, std::nullopt);
    };
    const Report report =
        engine::apply(node.reader(), node.writer(), losslessProfile(), {});
    EXPECT_EQ(report.exitCode(), ExitCode::someFailed);
    const auto& pfc = find(report, "dcb/rail0/pfc");
    EXPECT_EQ(pfc.outcome, Outcome::failed);
    EXPECT_NE(pfc.assessment.reason.find("did not come back"), std::string::npos)
        << pfc.assessment.reason;
}

// Deadlines and durations hang on the monotonic clock; the other is only told.
TEST(Hostile, a_clock_that_jumps_during_the_run_changes_nothing_but_the_time_told) {
    for (const auto jump :
         {std::chrono::hours{24 * 365}, std::chrono::hours{-24 * 365}}) {
        StorageNode node(1);
        node.fakeDcb.onLinkBounce = [&](IfIndex link) {
            node.host.clock.start += jump;
            node.host.links.bounce(link, std::chrono::milliseconds(1500));
        };
        const auto before = node.host.clock.now();
        const Report report =
            engine::apply(node.reader(), node.writer(), losslessProfile(), {});
        EXPECT_EQ(report.exitCode(), ExitCode::asWanted);
        EXPECT_GE(report.duration, std::chrono::milliseconds(1500));
        EXPECT_LT(node.host.clock.now() - before, std::chrono::seconds(30));
    }
}

TEST(Hostile, D07_a_getter_that_fails_only_after_the_write_is_unreadable) {
    for (const DcbSetter getter :
         {DcbSetter::buffer, DcbSetter::pfc, DcbSetter::dcbx}) {
        StorageNode node(1);
        const Report report = applyWhile(node, losslessProfile(), 3, [&] {
            node.dcb(0).faults.unreadable = {getter};
        });
        EXPECT_NE(report.exitCode(), ExitCode::asWanted) << static_cast<int>(getter);
    }
    StorageNode node(1);
    const Report report = applyWhile(node, losslessProfile(), 3, [&] {
        node.dcb(0).faults.unreadable = {DcbSetter::buffer};
    });
    EXPECT_EQ(find(report, "dcb/rail0/priority-to-buffer").outcome,
              Outcome::unreadable);
}

TEST(Hostile, D18_a_rail_that_is_renamed_during_the_run_is_not_lost_sight_of) {
    StorageNode node(2);
    const Report report =
        applyWhile(node, ecnProfile(), 1, [&] { rename(node, 0, "swp7"); });
    EXPECT_NE(report.exitCode(), ExitCode::asWanted);
    EXPECT_FALSE(isFine(find(report, "ecn/rail0/reaction-point")));
    EXPECT_EQ(find(report, "ecn/rail1/reaction-point").outcome, Outcome::changed);
}

TEST(Hostile, D18_two_rails_that_swap_names_are_not_written_for_each_other) {
    StorageNode node(2);
    const auto profile = profileOf(R"(version: 1
name: one
rails: { match: [{ rdma: mlx5_0 }] }
ecn:
  reaction-point: [3]
)");
    engine::ApplyOptions options;
    // udev gives rail0's name to rail1 after the plan was made.
    options.execution.onStep = [&](const resource::Step&) {
        rename(node, 0, "rail1");
        rename(node, 1, "rail0");
    };
    FaultyWriter writer(node.writer());
    const Report report =
        engine::apply(node.reader(), writer.writer(), profile, options);
    EXPECT_EQ(writer.count(), 0U);
    EXPECT_NE(report.exitCode(), ExitCode::asWanted);
    EXPECT_FALSE(isFine(find(report, "ecn/rail0/reaction-point")));
}

TEST(Hostile, D18_a_check_follows_a_rename_by_the_index) {
    StorageNode node(1);
    const auto profile = profileOf(R"(version: 1
name: all
dcb: { lossless: { priority: 3, dscp: 26, buffer: 1 } }
ecn: { when-uncontrollable: report }
mtu: 9000
)");
    ASSERT_EQ(engine::apply(node.reader(), node.writer(), profile, {}).exitCode(),
              ExitCode::asWanted);
    for (const bool right : {true, false}) {
        node.host.links.find(StorageNode::linkOf(0))->name = "rail0";
        node.fakeDcb.changeAtGet(1, [&] {
            rename(node, 0, "swp7");
            node.host.files.erase("/sys/class/net/rail0");
            for (const char* point : {"roce_rp", "roce_np"}) {
                for (unsigned priority = 0; priority < 8; ++priority) {
                    node.host.files.addFile("/sys/class/net/swp7/ecn/" +
                                                std::string(point) + "/enable/" +
                                                std::to_string(priority),
                                            right && priority == 3 ? "1\n" : "0\n");
                }
            }
        });
        const Report report = engine::check(node.reader(), profile, {});
        EXPECT_EQ(find(report, "ecn/rail0/reaction-point").outcome,
                  right ? Outcome::inSync : Outcome::drifted);
        EXPECT_EQ(find(report, "dcb/rail0/pfc").outcome, Outcome::inSync);
        EXPECT_EQ(find(report, "mtu/rail0").outcome, Outcome::inSync);
    }
}

TEST(Hostile, a_rail_that_goes_at_any_write_is_told_and_spares_the_other) {
    for (std::size_t nth = 1; nth <= 40; nth += 3) {
        StorageNode node(2);
        const Report report = applyWhile(node, losslessProfile(), nth, [&] {
            node.host.links.remove(StorageNode::linkOf(0));
            node.host.ethtool.pauses.erase(StorageNode::linkOf(0));
            node.host.files.erase("/sys/class/net/rail0");
            node.dcb(0).faults.getErrno = ENODEV;
            node.dcb(0).faults.setErrno = ENODEV;
        });
        EXPECT_NE(report.exitCode(), ExitCode::asWanted) << nth;
        for (const auto& resource : report.resources) {
            const bool lost = resource.assessment.rail == "rail0";
            // A link that went down with a rail and stayed away is the one thing that
            // keeps others from being disturbed.
            const bool spared = resource.assessment.reason == "rail0 did not come back";
            EXPECT_EQ(isFine(resource), !lost && !spared)
                << resource.assessment.id << " " << engine::toString(resource.outcome);
        }
    }
}

TEST(Hostile, a_pci_function_that_goes_before_its_write_is_unreadable) {
    StorageNode node(2);
    const Report report = applyWhile(node, losslessProfile(), 1, [&] {
        node.host.pci.find(StorageNode::rootPortOf(0))->gone = true;
    });
    EXPECT_FALSE(isFine(find(report, "acs/0000:00:02.0/control")));
    EXPECT_EQ(find(report, "acs/0000:00:03.0/control").outcome, Outcome::changed);
}

TEST(Hostile, pci_that_cannot_be_listed_hides_no_rail) {
    StorageNode node(2);
    node.host.pci.functionsError = systemError("list", "/sys/bus/pci/devices", EIO);
    const Report report =
        engine::apply(node.reader(), node.writer(), losslessProfile(), {});
    EXPECT_EQ(report.exitCode(), ExitCode::unverifiable);
    EXPECT_EQ(find(report, "acs/host/control").outcome, Outcome::unreadable);
    EXPECT_EQ(find(report, "dcb/rail1/pfc").outcome, Outcome::changed);
}

TEST(Hostile, D12_duplicates_that_appear_during_the_run_are_drift) {
    StorageNode node(1);
    const Report report = applyWhile(node, losslessProfile(), 60, [&] {
        node.dcb(0).list.push_back({.selector = 5, .priority = 5, .protocol = 26});
    });
    EXPECT_EQ(find(report, "dcb/rail0/dscp-map").outcome, Outcome::failed);
    EXPECT_NE(report.exitCode(), ExitCode::asWanted);
}

TEST(Hostile, D15_dcbx_that_flips_back_between_the_looks_is_failed) {
    StorageNode node(1);
    const Report report =
        applyWhile(node, losslessProfile(), 30, [&] { node.dcb(0).dcbx = 0x0c; });
    EXPECT_EQ(find(report, "dcb/rail0/dcbx").outcome, Outcome::failed);
}

// A virtual function of rail0, with an RDMA port of its own.
void addVirtualFunction(StorageNode& node, unsigned number) {
    const std::string address = "0000:10:00." + std::to_string(number);
    const std::string name = "vf" + std::to_string(number);
    host::Link& link = node.host.links.add(100 + number, name);
    link.parentBus = "pci";
    link.parentDevice = address;
    node.host.files.addDirectory("/sys/bus/pci/devices/0000:10:00.0");
    node.host.files.addLink("/sys/bus/pci/devices/" + address + "/physfn",
                            "../0000:10:00.0");
    node.host.rdma.add("mlx5_" + name, link.index, address);
}

profile::Profile virtualFunctions(const std::string& more) {
    return profileOf(R"(version: 1
name: shared
rails: { match: [{ interface: "vf*" }] }
dcb: { dcbx: keep, pfc: [3] }
)" + more);
}

TEST(Hostile, D21_two_rails_of_one_port_are_written_once) {
    StorageNode node(1);
    addVirtualFunction(node, 1);
    addVirtualFunction(node, 2);
    const Report report =
        engine::apply(node.reader(), node.writer(), virtualFunctions(""), {});
    EXPECT_EQ(find(report, "dcb/rail0/pfc").outcome, Outcome::changed);
    EXPECT_EQ(report.exitCode(), ExitCode::asWanted);
    EXPECT_EQ(node.dcb(0).calls[DcbSetter::pfc], 1U);
}

TEST(Hostile, D21_two_rails_of_one_port_that_disagree_are_failed_and_not_written) {
    StorageNode node(1);
    addVirtualFunction(node, 1);
    addVirtualFunction(node, 2);
    const Report report = engine::apply(
        node.reader(),
        node.writer(),
        virtualFunctions("overrides: [{ match: { interface: vf2 }, dcb: { pfc: [4] } "
                         "}]\n"),
        {});
    EXPECT_EQ(find(report, "dcb/rail0/pfc").outcome, Outcome::failed);
    EXPECT_EQ(node.dcb(0).calls[DcbSetter::pfc], 0U);
}

TEST(Hostile, D21_a_shared_port_that_flips_between_two_looks_is_not_in_sync) {
    StorageNode node(1);
    addVirtualFunction(node, 1);
    addVirtualFunction(node, 2);
    node.dcb(0).pfc.pfc_en = 0x08;
    node.fakeDcb.changeAtGet(2, [&] { node.dcb(0).pfc.pfc_en = 0; });
    const Report report = engine::check(node.reader(), virtualFunctions(""), {});
    EXPECT_EQ(find(report, "dcb/rail0/pfc").outcome, Outcome::drifted);
}

TEST(Hostile, pfc_for_more_priorities_than_the_port_has_is_told) {
    StorageNode node(1);
    node.dcb(0).pfc.pfc_cap = 1;
    node.dcb(0).faults.ignored = {DcbSetter::pfc};
    const auto profile = profileOf(R"(version: 1
name: many
dcb: { pfc: [3, 4, 5] }
)");
    const Report report = engine::apply(node.reader(), node.writer(), profile, {});
    EXPECT_EQ(find(report, "dcb/rail0/pfc").outcome, Outcome::failed);
}

TEST(Hostile, check_and_plan_call_no_writer_whatever_they_meet) {
    for (int mode = 0; mode < 4; ++mode) {
        StorageNode node(2);
        node.dcb(0).faults.unreadable =
            mode == 1 ? std::set{DcbSetter::pfc} : std::set<DcbSetter>{};
        node.dcb(0).faults.getErrno = mode == 2 ? std::optional(EIO) : std::nullopt;
        node.host.pci.find(StorageNode::rootPortOf(0))->allOnes = mode == 3;
        static_cast<void>(engine::check(node.reader(), losslessProfile(), {}));
        static_cast<void>(engine::plan(node.reader(), losslessProfile(), {}));
        EXPECT_EQ(node.writeCount(), 0U);
    }
}

}  // namespace
}  // namespace fabric::scenario
