// SPDX-License-Identifier: Apache-2.0
#include "fake/fake_files.hpp"
#include "profile/error_case.hpp"
#include "profile/load.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

namespace fabric::profile {

namespace {

const std::string kInstalled = "/usr/share/fabricctl/profiles/";

// The profiles of the source tree where they are installed, owned by root.
class Shipped : public testing::Test {
  protected:
    Shipped() {
        for (const auto& entry :
             std::filesystem::directory_iterator(FABRIC_PROFILES_DIR)) {
            std::ifstream stream(entry.path());
            files_.addFile(kInstalled + entry.path().filename().string(),
                           {std::istreambuf_iterator<char>(stream), {}});
        }
    }

    Profile read(const std::string& name) {
        auto profile = load(files_, kInstalled + name, {.strict = true});
        EXPECT_TRUE(profile) << testing::PrintToString(errorLines(profile.error()));
        EXPECT_TRUE(profile->warnings().empty());
        return std::move(*profile);
    }

    fake::FakeFiles files_;
};

const RailIdentity kRail{.interface = "ens1f0np0", .driver = "mlx5_core"};

TEST_F(Shipped, minio_roce_lossless_has_all_that_the_pages_ask_for) {
    const Profile profile = read("minio-roce-lossless.yaml");
    const RailSettings rail = profile.settingsFor(kRail).value();
    EXPECT_EQ(rail.dcb->trust, (Setting<Trust>{Trust::dscp, Origin::explicitly}));
    EXPECT_EQ(rail.dcb->pfc->value, std::set<Priority>{Priority::of(3)});
    EXPECT_EQ(rail.dcb->dscpToPriority->value,
              (std::map<Dscp, Priority>{{Dscp::of(26), Priority::of(3)}}));
    EXPECT_EQ(rail.dcb->priorityToBuffer->value.at(Priority::of(3)).number(), 1);
    EXPECT_EQ(rail.ecn->reactionPoint->value, std::set<Priority>{Priority::of(3)});
    EXPECT_EQ(rail.ecn->notificationPoint->value, std::set<Priority>{Priority::of(3)});
    EXPECT_EQ(rail.arp->ignore, 1);
    EXPECT_EQ(rail.arp->announce, 2);
    EXPECT_TRUE(rail.neighbours);
    EXPECT_EQ(profile.host().acs->clear, AcsClear::redirect);
    EXPECT_FALSE(profile.host().service->limitMemlock->bytes);
    EXPECT_EQ(profile.host().service->environment.at("MINIO_RDMA_INTERNODE"), "on");
}

TEST_F(Shipped, minio_infiniband_leaves_ethernet_alone) {
    const Profile profile = read("minio-infiniband.yaml");
    EXPECT_FALSE(profile.owns("dcb") || profile.owns("ecn") || profile.owns("arp"));
    EXPECT_TRUE(profile.owns("acs") && profile.owns("service"));
}

TEST_F(Shipped, roce_lossless_has_no_server) {
    const Profile profile = read("roce-lossless.yaml");
    EXPECT_TRUE(profile.owns("dcb") && profile.owns("ecn") && profile.owns("arp"));
    EXPECT_FALSE(profile.owns("service") || profile.owns("acs"));
    EXPECT_EQ(profile.settingsFor(kRail)->pause->rx, false);
}

TEST_F(Shipped, gpu_direct_has_acs_and_modules_only) {
    const Profile profile = read("gpu-direct.yaml");
    EXPECT_TRUE(profile.host().acs && profile.host().modules);
    const RailSettings rail = profile.settingsFor(kRail).value();
    EXPECT_FALSE(rail.dcb || rail.ecn || rail.arp || rail.mtu || rail.neighbours);
}

TEST_F(Shipped, example_site_layers_over_the_shipped_one) {
    const Profile profile = read("example-site.yaml");
    EXPECT_EQ(profile.name(), "example-site");
    const RailSettings one = profile.settingsFor(kRail).value();
    EXPECT_EQ(one.dcb->pfc->value, std::set<Priority>{Priority::of(3)});
    EXPECT_EQ(one.dcb->dscpToPriority->value.count(Dscp::of(24)), 1U);
    EXPECT_EQ(one.dcb->cableLength->count, 30U);
    EXPECT_EQ(one.mtu->bytes, 4200U);
    const RailSettings other =
        profile.settingsFor({.interface = "eth1", .driver = "bnxt_en"}).value();
    EXPECT_EQ(other.mtu->bytes, 9000U);
    EXPECT_FALSE(other.dcb->priorityToBuffer);
    EXPECT_EQ(profile.host().service->environment.size(), 2U);
}

TEST_F(Shipped, a_site_file_elsewhere_extends_the_installed_one) {
    files_.addFile(
        "/etc/fabricctl/profile.yaml",
        "version: 1\nextends: " + kInstalled + "minio-roce-lossless.yaml\nmtu: 9000\n");
    const auto profile = load(files_, "/etc/fabricctl/profile.yaml", {.strict = true});
    ASSERT_TRUE(profile);
    EXPECT_EQ(profile->name(), "minio-roce-lossless");
    EXPECT_TRUE(profile->owns("mtu") && profile->owns("dcb"));
}

TEST_F(Shipped, every_file_is_one_of_these) {
    EXPECT_EQ(files_.list("/usr/share/fabricctl/profiles").value(),
              (std::vector<std::string>{"example-site.yaml",
                                        "gpu-direct.yaml",
                                        "meson.build",
                                        "minio-infiniband.yaml",
                                        "minio-roce-lossless.yaml",
                                        "roce-lossless.yaml"}));
}

}  // namespace

}  // namespace fabric::profile
