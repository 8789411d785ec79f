// SPDX-License-Identifier: Apache-2.0
#include "profile/load.hpp"
#include "profile/profile.hpp"
#include "profile/texts.hpp"

#include <gtest/gtest.h>

namespace fabric::profile {

namespace {

std::string listed(const ProfileErrors& errors) {
    std::string text;
    for (const ProfileError& error : errors) {
        text += error.text() + "\n";
    }
    return text;
}

Profile whole() {
    auto profile = parse(kWholeProfile, "whole.yaml");
    EXPECT_TRUE(profile.has_value()) << listed(profile.error());
    return std::move(*profile);
}

const RailIdentity kFirst{.rdma = "mlx5_0",
                          .interface = "ens1f0np0",
                          .pci = "0000:1a:00.0",
                          .driver = "mlx5_core",
                          .vendor = "15b3",
                          .mac = "b8:ce:f6:00:00:02",
                          .numaNode = "0"};

RailIdentity second() {
    RailIdentity rail = kFirst;
    rail.interface = "ens2f0np0";
    return rail;
}

TEST(ProfileExample, whole_profile_reads_into_settings) {
    const Profile profile = whole();
    EXPECT_EQ(profile.name(), "minio-roce-lossless");
    EXPECT_EQ(profile.rails().match.size(), 2U);
    EXPECT_EQ(profile.rails().expectMin, 8U);
    EXPECT_EQ(profile.rails().wait, std::chrono::seconds(30));
    ASSERT_TRUE(profile.host().modules);
    EXPECT_EQ(profile.host().modules->size(), 5U);
    ASSERT_TRUE(profile.host().service);
    EXPECT_EQ(profile.host().service->environment.at("MINIO_RDMA_INTERNODE"), "on");
    EXPECT_FALSE(profile.host().service->limitMemlock->bytes);
}

TEST(ProfileExample, whole_profile_gives_dcb_of_a_rail) {
    const auto rail = whole().settingsFor(second());
    ASSERT_TRUE(rail) << listed(rail.error());
    ASSERT_TRUE(rail->dcb);
    EXPECT_EQ(rail->dcb->trust, (Setting<Trust>{Trust::dscp, Origin::explicitly}));
    EXPECT_EQ(rail->dcb->bufferSize->at(BufferIndex::of(1)).count, 256U * 1024U);
    EXPECT_EQ(rail->dcb->maxRate->at(TrafficClass::of(3)).count, 100'000'000U);
    EXPECT_EQ(rail->dcb->cableLength->count, 5U);
    EXPECT_EQ(rail->dcb->ets->bandwidthPercent.at(TrafficClass::of(0)), 50U);
    EXPECT_EQ(rail->mtu->bytes, 9000U);
    EXPECT_EQ(rail->rdmaCmTos, 104);
    EXPECT_EQ(rail->pause->rx, false);
}

TEST(ProfileExample, override_counts_for_the_rail_that_it_matches) {
    EXPECT_EQ(whole().settingsFor(kFirst)->mtu->bytes, 4200U);
}

}  // namespace

}  // namespace fabric::profile
