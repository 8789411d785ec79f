// SPDX-License-Identifier: Apache-2.0
#include "resource/pause/pause.hpp"

#include "resource/rail_fixture.hpp"

#include <gmock/gmock.h>

#include <cerrno>

namespace fabric::resource::pause {
namespace {

using host::PauseParameters;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::string_view kId = "pause/ens1";

class Pause : public RailFixture {
  protected:
    // Wants global pause off in both directions.
    RailTask& addRail(std::string name, std::string driver = "mlx5_core") {
        rails.push_back(physicalRail(std::move(name), std::move(driver)));
        rails.back().settings.pause = profile::PauseSettings{false, false};
        return rails.back();
    }

    void wantPfc() {
        profile::DcbSettings dcb;
        dcb.pfc = profile::Setting<std::set<Priority>>{{Priority::of(3)},
                                                       profile::Origin::derived};
        rails.back().settings.dcb = dcb;
    }

    void portHas(PauseParameters parameters, std::uint32_t index = kPort) {
        host.ethtool.pauses[IfIndex{index}] = parameters;
    }

    Comparison assessed() { return assess(host.reader(), scope()); }
};

TEST_F(Pause, off_as_wanted_is_in_sync_and_writes_nothing) {
    addRail("ens1");
    portHas({.autonegotiate = false, .rx = false, .tx = false});
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kId).verdict, Verdict::inSync);
    EXPECT_EQ(only(result, kId).found,
              Value(Value::Object{{"rx", "off"}, {"tx", "off"}}));
    EXPECT_THAT(result.steps, IsEmpty());
}

TEST_F(Pause, D25_on_where_off_is_wanted_is_one_step_that_disturbs_the_link) {
    addRail("ens1");
    wantPfc();
    portHas({.autonegotiate = false, .rx = true, .tx = true});
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kId).verdict, Verdict::differs);
    EXPECT_EQ(only(result, kId).disturbs, Disturbs::link);
    ASSERT_THAT(result.steps, SizeIs(1));
    const Step& step = result.steps[0];
    EXPECT_EQ(step.stage, Stage::pause);
    EXPECT_EQ(step.disturbs, Disturbs::link);
    EXPECT_EQ(step.link, IfIndex{kPort});
    EXPECT_THAT(step.ids, ElementsAre(std::string(kId)));
    EXPECT_THAT(
        step.writes,
        ElementsAre(Write(PauseWrite{
            IfIndex{kPort}, {.autonegotiate = false, .rx = false, .tx = false}})));
    EXPECT_THAT(result.findings, IsEmpty());
}

TEST_F(Pause, direction_that_is_not_owned_is_kept_and_not_compared) {
    addRail("ens1").settings.pause->tx.reset();
    portHas({.autonegotiate = false, .rx = false, .tx = true});
    EXPECT_EQ(only(assessed(), kId).verdict, Verdict::inSync);
    portHas({.autonegotiate = false, .rx = true, .tx = true});
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kId).found, Value(Value::Object{{"rx", "on"}}));
    EXPECT_THAT(
        writesOf(result),
        ElementsAre(Write(PauseWrite{
            IfIndex{kPort}, {.autonegotiate = false, .rx = false, .tx = true}})));
}

TEST_F(Pause, autonegotiation_is_kept_except_on_mlx5_which_refuses_it) {
    addRail("ens1", "bnxt_en");
    portHas({.autonegotiate = true, .rx = true, .tx = true});
    const auto written = [this] {
        return std::get<PauseWrite>(writesOf(assessed()).at(0)).wanted;
    };
    EXPECT_TRUE(written().autonegotiate);
    rails.clear();
    addRail("ens1", "mlx5_core");
    EXPECT_FALSE(written().autonegotiate);
}

TEST_F(Pause, ionic_is_not_written_and_says_why) {
    addRail("ens1", "ionic");
    portHas({.autonegotiate = false, .rx = true, .tx = true});
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kId).verdict, Verdict::failed);
    EXPECT_THAT(only(result, kId).reason, HasSubstr("priority pause"));
    EXPECT_THAT(only(result, kId).fix, HasSubstr("nicctl"));
    EXPECT_THAT(result.steps, IsEmpty());
}

TEST_F(Pause, ionic_in_the_wanted_state_is_in_sync) {
    addRail("ens1", "ionic");
    portHas({});
    EXPECT_EQ(only(assessed(), kId).verdict, Verdict::inSync);
}

TEST_F(Pause, driver_without_the_operation_is_unsupported) {
    addRail("ens1");
    EXPECT_EQ(only(assessed(), kId).verdict, Verdict::unsupported);
}

TEST_F(Pause, any_other_error_is_unreadable_and_never_off) {
    addRail("ens1");
    for (const int error : {EPERM, EIO, ENODEV}) {
        host.ethtool.readErrors[IfIndex{kPort}] = error;
        const Comparison result = assessed();
        EXPECT_EQ(only(result, kId).verdict, Verdict::unreadable) << error;
        EXPECT_TRUE(only(result, kId).found.isNull());
        EXPECT_THAT(result.steps, IsEmpty());
    }
}

TEST_F(Pause, refused_rail_gets_no_step) {
    addRail("ens1").refusal = "carries the default route";
    portHas({.autonegotiate = false, .rx = true, .tx = true});
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kId).verdict, Verdict::failed);
    EXPECT_EQ(only(result, kId).reason, "carries the default route");
    EXPECT_THAT(result.steps, IsEmpty());
}

TEST_F(Pause, failing_rail_does_not_hide_the_next) {
    addRail("ens0").rail.ports = {port("ens0", "mlx5_core", 9)};
    addRail("ens1");
    portHas({.autonegotiate = false, .rx = true, .tx = false});
    const Comparison result = assessed();
    EXPECT_EQ(only(result, "pause/ens0").verdict, Verdict::unsupported);
    EXPECT_EQ(only(result, kId).verdict, Verdict::differs);
    EXPECT_THAT(result.steps, SizeIs(1));
}

TEST_F(Pause, D25_pause_beside_pfc_is_a_finding_where_the_profile_does_not_own_it) {
    addRail("ens1").settings.pause.reset();
    wantPfc();
    for (const PauseParameters found : {PauseParameters{.rx = true},
                                        PauseParameters{.tx = true},
                                        PauseParameters{.rx = true, .tx = true}}) {
        portHas(found);
        const Comparison result = assessed();
        EXPECT_THAT(result.assessments, IsEmpty());
        EXPECT_THAT(result.steps, IsEmpty());
        ASSERT_THAT(result.findings, SizeIs(1));
        EXPECT_EQ(result.findings[0].id, "pause.beside-pfc");
        EXPECT_EQ(result.findings[0].severity, Severity::warn);
        EXPECT_THAT(result.findings[0].fix,
                    HasSubstr("ethtool -A ens1 autoneg off rx off tx off"));
    }
}

TEST_F(Pause, D25_direction_that_is_left_on_beside_the_owned_one_is_a_finding) {
    addRail("ens1").settings.pause->tx.reset();
    wantPfc();
    portHas({.autonegotiate = false, .rx = false, .tx = true});
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kId).verdict, Verdict::inSync);
    EXPECT_THAT(result.findings, SizeIs(1));
}

TEST_F(Pause, D25_profile_that_asks_for_both_is_told) {
    addRail("ens1").settings.pause->rx = true;
    wantPfc();
    portHas({});
    const Comparison result = assessed();
    ASSERT_THAT(result.findings, SizeIs(1));
    EXPECT_THAT(result.findings[0].evidence, HasSubstr("as the profile asks"));
}

TEST_F(Pause, D25_no_finding_without_pfc_or_with_pause_off) {
    addRail("ens1").settings.pause.reset();
    portHas({.autonegotiate = false, .rx = true, .tx = true});
    EXPECT_THAT(assessed().findings, IsEmpty());
    wantPfc();
    rails.back().settings.dcb->pfc->value.clear();
    EXPECT_THAT(assessed().findings, IsEmpty());
    wantPfc();
    portHas({});
    EXPECT_THAT(assessed().findings, IsEmpty());
}

TEST_F(Pause, D25_ice_that_shows_pause_off_under_pfc_is_in_sync) {
    addRail("ens1", "ice");
    wantPfc();
    portHas({.autonegotiate = false, .rx = false, .tx = false});
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kId).verdict, Verdict::inSync);
    EXPECT_THAT(result.findings, IsEmpty());
}

TEST_F(Pause, software_device_that_cannot_pause_needs_nothing_turned_off) {
    RailTask& task = addRail("veth0");
    task.rail.kind = inventory::FunctionKind::software;
    task.rail.ports.clear();
    task.rail.resolution = "veth, which has no physical port";
    EXPECT_EQ(only(assessed(), "pause/veth0").verdict, Verdict::notApplicable);
    task.settings.pause->rx = true;
    EXPECT_EQ(only(assessed(), "pause/veth0").verdict, Verdict::unsupported);
}

TEST_F(Pause, D21_virtual_function_whose_port_is_out_of_sight_is_unsupported) {
    RailTask& task = addRail("eth0");
    task.rail.kind = inventory::FunctionKind::virtualFunction;
    task.rail.ports.clear();
    task.rail.resolution = "VF of 0000:1a:00.0, whose port is elsewhere";
    const Comparison result = assessed();
    EXPECT_EQ(only(result, "pause/eth0").verdict, Verdict::unsupported);
    EXPECT_THAT(only(result, "pause/eth0").reason, HasSubstr("VF of 0000:1a:00.0"));
}

TEST_F(Pause, D21_rails_of_one_port_are_one_assessment_and_one_step) {
    for (const char* const name : {"v0", "v1"}) {
        addRail(name).rail.ports = {port("ens1")};
    }
    portHas({.autonegotiate = false, .rx = true, .tx = true});
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kId).verdict, Verdict::differs);
    EXPECT_THAT(result.steps, SizeIs(1));
}

}  // namespace
}  // namespace fabric::resource::pause
