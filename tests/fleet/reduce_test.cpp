// SPDX-License-Identifier: Apache-2.0
// What is taken from the facts of one host.
#include "fleet/reduce.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <iterator>
#include <string>

namespace fabric::fleet {
namespace {

using ::testing::StartsWith;

std::string healthyText() {
    std::ifstream file(FABRIC_HOSTS_DIR "/doctor-healthy.json");
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

HostRecord recordOf(std::string_view text, const facts::JsonBounds& bounds = {}) {
    auto facts = facts::parseFacts(text, "healthy", bounds);
    EXPECT_TRUE(facts.has_value()) << facts.error().message();
    return reduce(std::move(*facts), "healthy");
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
    const std::size_t at = text.find(from);
    EXPECT_NE(at, std::string::npos) << from;
    return text.replace(at, from.size(), to);
}

std::string valueOf(const std::vector<Reading>& readings, Trait trait) {
    const auto found = std::ranges::find(readings, trait, &Reading::trait);
    return found == readings.end() ? "(none)" : found->text;
}

TEST(Reduce, a_healthy_host_tells_every_trait_of_roce) {
    const HostRecord host = recordOf(healthyText());
    EXPECT_EQ(host.name, "node1");
    ASSERT_EQ(host.rails.size(), 2U);
    const auto& rail = host.rails[1].readings;
    EXPECT_EQ(valueOf(rail, Trait::pfc), "3");
    EXPECT_EQ(valueOf(rail, Trait::trust), "dscp");
    EXPECT_EQ(valueOf(rail, Trait::buffer), "0,0,0,1,0,0,0,0");
    EXPECT_EQ(valueOf(rail, Trait::mtu), "9000");
    EXPECT_EQ(valueOf(rail, Trait::pathMtu), "4096");
    EXPECT_EQ(valueOf(rail, Trait::pause), "rx off, tx off");
    EXPECT_EQ(valueOf(rail, Trait::firmware), "28.39");
    EXPECT_THAT(valueOf(rail, Trait::autoClass), StartsWith("service level 3; "));
    EXPECT_EQ(valueOf(rail, Trait::arp), "arp-ignore 1, arp-announce 2, rp-filter 2");
    EXPECT_EQ(valueOf(host.readings, Trait::rails), "rail0 rail1");
    EXPECT_EQ(valueOf(host.readings, Trait::kernel), "6.1.0-57-amd64");
    EXPECT_EQ(valueOf(host.readings, Trait::service), "active");
    EXPECT_EQ(valueOf(host.readings, Trait::release), "minio version RELEASE");
    EXPECT_EQ(host.rails[0].maxSrq, 32767U);
    EXPECT_EQ(host.askedSrq, 32767U);
    EXPECT_EQ(host.rails[0].addresses.at(0).address, IpAddress::v4(10, 0, 0, 1));
    for (const Reading& reading : rail) {
        EXPECT_TRUE(reading.known) << reading.text;
    }
}

TEST(Reduce, what_is_left_out_while_reading_changes_nothing) {
    const std::string text = healthyText();
    facts::JsonBounds bounds;
    bounds.leavesOut = isNotCompared;
    EXPECT_EQ(recordOf(text, bounds), recordOf(text));
    bounds.leavesOut = [](std::span<const std::string_view> path) {
        return path.size() == 3 && path[1] == "files";
    };
    EXPECT_NE(recordOf(text, bounds), recordOf(text));
}

TEST(Reduce, what_could_not_be_read_is_no_value) {
    const std::string refused = replaced(healthyText(), "\"10/21/\"", "\"99/21/\"");
    const HostRecord host = recordOf(refused);
    const auto& rail = host.rails.at(0).readings;
    const auto pfc = std::ranges::find(rail, Trait::pfc, &Reading::trait);
    ASSERT_NE(pfc, rail.end());
    EXPECT_FALSE(pfc->known);
}

TEST(Reduce, the_profile_is_told_by_its_hash) {
    EXPECT_EQ(valueOf(recordOf(healthyText()).readings, Trait::profile), "none told");
    const std::string text =
        replaced(healthyText(),
                 "\"program\": ",
                 "\"profile\": \"0123456789abcdef\", \"program\": ");
    EXPECT_EQ(valueOf(recordOf(text).readings, Trait::profile), "0123456789ab");
}

TEST(Reduce, a_value_of_any_length_becomes_a_short_one_that_differs_as_it_did) {
    std::string a = "minio " + std::string(5000, 'x');
    const std::string b = a + "y";
    const auto releaseOf = [](const std::string& version) {
        return valueOf(
            recordOf(replaced(healthyText(), "minio version RELEASE", version))
                .readings,
            Trait::release);
    };
    EXPECT_LT(releaseOf(a).size(), 200U);
    EXPECT_NE(releaseOf(a), releaseOf(b));
    EXPECT_EQ(releaseOf(a), releaseOf(a));
}

}  // namespace
}  // namespace fabric::fleet
