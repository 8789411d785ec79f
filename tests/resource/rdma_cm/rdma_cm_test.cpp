// SPDX-License-Identifier: Apache-2.0
#include "resource/rdma_cm/rdma_cm.hpp"

#include "resource/rail_fixture.hpp"

#include <gmock/gmock.h>

#include <cerrno>

namespace fabric::resource::rdma_cm {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

constexpr std::string_view kId = "rdma-cm/ens1";
const std::string kRoot = "/sys/kernel/config/rdma_cm";
const std::string kGroup = kRoot + "/mlx5_0";
const std::string kTos = kGroup + "/ports/1/default_roce_tos";

class RdmaCm : public RailFixture {
  protected:
    RailTask& addRail(std::string name) {
        rails.push_back(physicalRail(std::move(name)));
        rails.back().settings.rdmaCmTos = 104;
        return rails.back();
    }

    Comparison assessed() { return assess(host.reader(), scope()); }
};

TEST_F(RdmaCm, wanted_value_is_in_sync_and_writes_nothing) {
    addRail("ens1");
    host.files.addFile(kTos, "104\n");
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kId).verdict, Verdict::inSync);
    EXPECT_EQ(only(result, kId).found, Value(104));
    EXPECT_EQ(only(result, kId).property, "default-tos");
    EXPECT_EQ(only(result, kId).rdma, "mlx5_0");
    EXPECT_THAT(only(result, kId).explanation, HasSubstr("DSCP 26"));
    EXPECT_THAT(result.steps, IsEmpty());
}

TEST_F(RdmaCm, dscp_written_as_type_of_service_is_a_warning_for_all_rails_at_once) {
    for (const char* const name : {"ens1", "ens2"}) {
        RailTask& task = addRail(name);
        task.settings.rdmaCmTos = 26;
        task.settings.dcb = profile::DcbSettings{
            .lossless =
                profile::Lossless{.priority = Priority::of(3), .dscp = Dscp::of(26)}};
    }
    host.files.addFile(kTos, "26\n");
    const Comparison result = assessed();
    ASSERT_THAT(result.findings, SizeIs(1));
    EXPECT_EQ(result.findings[0].id, "rdma-cm.tos-not-lossless");
    EXPECT_THAT(result.findings[0].summary, HasSubstr("26 is DSCP 6"));
    EXPECT_THAT(result.findings[0].evidence, HasSubstr("ens1, ens2"));
    EXPECT_THAT(result.findings[0].fix, HasSubstr("rdma-cm-tos: 104"));
    for (RailTask& task : rails) {
        task.settings.rdmaCmTos = 106;  // DSCP 26 with ECN bits
    }
    EXPECT_THAT(assessed().findings, IsEmpty());
}

TEST_F(RdmaCm, other_value_is_one_write_that_disturbs_nothing) {
    addRail("ens1");
    host.files.addFile(kTos, "0\n");
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kId).verdict, Verdict::differs);
    ASSERT_THAT(result.steps, SizeIs(1));
    EXPECT_EQ(result.steps[0].stage, Stage::rdmaCm);
    EXPECT_EQ(result.steps[0].disturbs, Disturbs::none);
    EXPECT_THAT(result.steps[0].writes,
                ElementsAre(Write(AttributeWrite{kTos, "104"})));
}

TEST_F(RdmaCm, port_of_the_rdma_device_is_the_one_that_is_read) {
    addRail("ens1").rail.rdma->port = 2;
    host.files.addFile(kTos, "104\n");
    host.files.addFile(kGroup + "/ports/2/default_roce_tos", "7\n");
    EXPECT_EQ(only(assessed(), kId).found, Value(7));
}

TEST_F(RdmaCm, absent_group_cannot_be_read_and_is_made_before_the_write) {
    addRail("ens1");
    host.files.addDirectory(kRoot);
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kId).verdict, Verdict::differs);
    EXPECT_TRUE(only(result, kId).found.isNull());
    EXPECT_THAT(only(result, kId).reason, HasSubstr(kGroup));
    EXPECT_THAT(writesOf(result),
                ElementsAre(Write(DirectoryCreate{kGroup}),
                            Write(AttributeWrite{kTos, "104"})));
}

TEST_F(RdmaCm, module_that_is_not_loaded_leaves_the_value_unknown) {
    addRail("ens1");
    host.files.addFile("/proc/self/mounts",
                       "configfs /sys/kernel/config configfs rw,nosuid 0 0\n");
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kId).verdict, Verdict::unreadable);
    EXPECT_THAT(only(result, kId).reason, HasSubstr("not loaded"));
    EXPECT_THAT(only(result, kId).fix, HasSubstr("modprobe rdma_cm"));
    EXPECT_THAT(result.steps, IsEmpty());
}

TEST_F(RdmaCm, module_that_the_profile_loads_first_is_planned_for) {
    addRail("ens1");
    settings.modules = {"ib_core", "rdma_cm"};
    host.files.addFile("/proc/self/mounts",
                       "configfs /sys/kernel/config configfs rw 0 0\n");
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kId).verdict, Verdict::differs);
    EXPECT_THAT(writesOf(result), SizeIs(2));
}

TEST_F(RdmaCm, configfs_that_is_not_mounted_is_told_from_a_missing_module) {
    addRail("ens1");
    settings.modules = {"rdma_cm"};
    host.files.addFile("/proc/self/mounts", "sysfs /sys sysfs rw 0 0\n");
    host.files.addDirectory("/sys/kernel/config");
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kId).verdict, Verdict::unreadable);
    EXPECT_THAT(only(result, kId).reason, HasSubstr("not mounted"));
    EXPECT_THAT(only(result, kId).fix, HasSubstr("sys-kernel-config.mount"));
    EXPECT_THAT(result.steps, IsEmpty());
}

TEST_F(RdmaCm, refusal_names_the_capability) {
    addRail("ens1");
    host.files.failRead(kGroup, EACCES);
    EXPECT_EQ(only(assessed(), kId).verdict, Verdict::unreadable);
    EXPECT_THAT(only(assessed(), kId).fix, HasSubstr("CAP_DAC_OVERRIDE"));
}

TEST_F(RdmaCm, file_that_cannot_be_read_or_parsed_is_unreadable) {
    addRail("ens1");
    for (const char* const text : {"", "x\n", "256\n", "-1\n"}) {
        host.files.addFile(kTos, text);
        EXPECT_EQ(only(assessed(), kId).verdict, Verdict::unreadable) << text;
    }
    host.files.addFile(kTos, "104\n");
    host.files.failRead(kTos, ENODEV);
    EXPECT_EQ(only(assessed(), kId).verdict, Verdict::unreadable);
}

TEST_F(RdmaCm, rail_without_an_rdma_port_is_not_applicable) {
    addRail("ens1").rail.rdma.reset();
    EXPECT_EQ(only(assessed(), kId).verdict, Verdict::notApplicable);
    EXPECT_EQ(only(assessed(), kId).reason, "the interface carries no RDMA port");
}

TEST_F(RdmaCm, infiniband_port_is_not_applicable) {
    addRail("ens1").rail.rdma->linkLayer = host::LinkLayer::infiniband;
    host.files.addFile(kTos, "0\n");
    EXPECT_EQ(only(assessed(), kId).verdict, Verdict::notApplicable);
}

TEST_F(RdmaCm, refused_rail_gets_no_step) {
    addRail("ens1").refusal = "carries the default route";
    host.files.addFile(kTos, "0\n");
    const Comparison result = assessed();
    EXPECT_EQ(only(result, kId).verdict, Verdict::failed);
    EXPECT_THAT(result.steps, IsEmpty());
}

TEST_F(RdmaCm, failing_rail_does_not_hide_the_next) {
    addRail("ens0").rail.rdma->device = "mlx5_9";
    host.files.failRead(kRoot + "/mlx5_9", EIO);
    addRail("ens1");
    host.files.addFile(kTos, "0\n");
    const Comparison result = assessed();
    EXPECT_EQ(only(result, "rdma-cm/ens0").verdict, Verdict::unreadable);
    EXPECT_EQ(only(result, kId).verdict, Verdict::differs);
}

TEST_F(RdmaCm, value_that_is_not_owned_is_not_looked_at) {
    addRail("ens1").settings.rdmaCmTos.reset();
    EXPECT_THAT(assessed().assessments, IsEmpty());
    EXPECT_EQ(host.files.readCount(), 0U);
}

TEST_F(RdmaCm, observation_tells_the_default_mode_too) {
    addRail("ens1");
    host.files.addFile(kTos, "0\n");
    host.files.addFile(kGroup + "/ports/1/default_roce_mode", "RoCE v2\n");
    EXPECT_EQ(observe(host.reader(), *rails[0].rail.rdma).mode, "RoCE v2");
}

TEST_F(RdmaCm, ecn_bits_in_the_type_of_service_are_pointed_out) {
    addRail("ens1").settings.rdmaCmTos = 106;
    host.files.addFile(kTos, "106\n");
    EXPECT_THAT(only(assessed(), kId).explanation,
                HasSubstr("DSCP 26 with ECN bits set"));
}

TEST_F(RdmaCm, written_steps_bring_the_rail_in_sync) {
    addRail("ens1");
    host.files.addFile(kTos, "0\n");
    for (const Write& write : writesOf(assessed())) {
        const auto& attribute = std::get<AttributeWrite>(write);
        ASSERT_TRUE(host.files.writeAttribute(attribute.path, attribute.text));
    }
    EXPECT_EQ(only(assessed(), kId).verdict, Verdict::inSync);
}

}  // namespace
}  // namespace fabric::resource::rdma_cm
