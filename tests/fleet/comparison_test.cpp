// SPDX-License-Identifier: Apache-2.0
// Hosts as values: what is usual, who is an outlier, who owns an address.
#include "fleet/comparison.hpp"

#include "fleet/memory_spill.hpp"
#include "fleet/record_codec.hpp"
#include "report/fleet.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

namespace fabric::fleet {
namespace {

using doctor::Verdict;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

MacAddress macOf(unsigned host, unsigned rail) {
    return {.octets = {2,
                       0,
                       0,
                       static_cast<std::uint8_t>(host >> 8U),
                       static_cast<std::uint8_t>(host),
                       static_cast<std::uint8_t>(rail)}};
}

IpAddress addressOf(unsigned host, unsigned rail) {
    return IpAddress::v4(
        10, static_cast<std::uint8_t>(rail), 0, static_cast<std::uint8_t>(host + 1));
}

// A host with two lossless rails that knows nobody.
HostRecord hostOf(unsigned number) {
    HostRecord host{.name = fmt::format("node{}", number),
                    .origin = fmt::format("node{}.json", number),
                    .taken = "2026-01-01T00:00:00Z",
                    .askedSrq = 32767};
    host.readings = {{.trait = Trait::kernel, .text = "6.1"},
                     {.trait = Trait::rails, .text = "rail0 rail1"}};
    for (unsigned rail = 0; rail < 2; ++rail) {
        host.rails.push_back({.name = fmt::format("rail{}", rail),
                              .model = "15b3:1021",
                              .device = fmt::format("mlx5_{}", rail),
                              .maxSrq = 32767,
                              .readings = {{.trait = Trait::pfc, .text = "3"},
                                           {.trait = Trait::mtu, .text = "9000"},
                                           {.trait = Trait::pathMtu, .text = "4096"}},
                              .macs = {macOf(number, rail)},
                              .addresses = {{.address = addressOf(number, rail),
                                             .prefixLength = 24,
                                             .mac = macOf(number, rail)}}});
    }
    return host;
}

std::vector<HostRecord> hostsOf(unsigned count) {
    std::vector<HostRecord> hosts;
    for (unsigned number = 0; number < count; ++number) {
        hosts.push_back(hostOf(number));
    }
    return hosts;
}

fleet::Verdict verdictOf(const std::vector<HostRecord>& hosts,
                         const std::vector<std::string>& expected = {}) {
    MemorySpill spill;
    Comparison comparison(spill);
    for (const HostRecord& host : hosts) {
        EXPECT_TRUE(comparison.add(host));
    }
    auto verdict = comparison.finish(expected);
    EXPECT_TRUE(verdict.has_value());
    return std::move(*verdict);
}

std::vector<std::string> idsOf(const fleet::Verdict& verdict) {
    std::vector<std::string> ids;
    for (const Cause& cause : verdict.causes) {
        ids.push_back(cause.id);
    }
    return ids;
}

std::string textOf(const fleet::Verdict& verdict) {
    return report::toText(verdict, {});
}

Reading& readingOf(HostRecord& host, std::size_t rail, Trait trait) {
    return *std::ranges::find(host.rails.at(rail).readings, trait, &Reading::trait);
}

TEST(Comparison, hosts_that_are_alike_are_consistent) {
    const auto verdict = verdictOf(hostsOf(5));
    EXPECT_THAT(idsOf(verdict), IsEmpty());
    EXPECT_EQ(verdict.exitCode(), engine::ExitCode::asWanted);
    EXPECT_EQ(verdict.hosts, 5U);
    EXPECT_EQ(verdict.rails, 10U);
}

TEST(Comparison, no_host_at_all_is_not_consistent) {
    EXPECT_EQ(verdictOf({}).exitCode(), engine::ExitCode::unverifiable);
}

TEST(Comparison, one_rail_of_one_host_is_named_with_what_is_usual) {
    auto hosts = hostsOf(5);
    readingOf(hosts[3], 1, Trait::pfc).text = "none";
    const auto verdict = verdictOf(hosts);
    EXPECT_THAT(idsOf(verdict), ElementsAre("pfc"));
    EXPECT_EQ(verdict.exitCode(), engine::ExitCode::differences);
    EXPECT_THAT(textOf(verdict), HasSubstr("none on node3 rail1; 4 hosts have 3\n"));
}

TEST(Comparison, of_two_hosts_the_other_rails_decide) {
    auto hosts = hostsOf(2);
    readingOf(hosts[0], 0, Trait::pfc).text = "none";
    EXPECT_THAT(textOf(verdictOf(hosts)),
                HasSubstr("none on node0 rail0; 1 host has 3\n"));
}

TEST(Comparison, of_two_values_that_are_equally_frequent_both_are_named) {
    auto hosts = hostsOf(2);
    hosts[0].readings[0].text = "5.15";
    const auto verdict = verdictOf(hosts);
    EXPECT_THAT(idsOf(verdict), ElementsAre("kernel"));
    EXPECT_EQ(verdict.causes[0].usual, "");
    EXPECT_THAT(textOf(verdict), HasSubstr("5.15 on node0"));
    EXPECT_THAT(textOf(verdict), HasSubstr("6.1 on node1"));
}

TEST(Comparison, rails_of_other_names_are_still_compared_as_hosts) {
    auto hosts = hostsOf(5);
    for (RailRecord& rail : hosts[4].rails) {
        rail.name = "ens" + rail.name;
        rail.readings[0].text = "4";
    }
    hosts[4].readings[1].text = "ensrail0 ensrail1";
    const auto verdict = verdictOf(hosts);
    EXPECT_THAT(idsOf(verdict), ElementsAre("pfc", "rails"));
    EXPECT_THAT(textOf(verdict), HasSubstr("4 on node4; 4 hosts have 3\n"));
}

TEST(Comparison, a_rail_that_every_host_has_otherwise_is_alike) {
    auto hosts = hostsOf(5);
    for (HostRecord& host : hosts) {
        readingOf(host, 1, Trait::pfc).text = "none";
    }
    EXPECT_THAT(idsOf(verdictOf(hosts)), IsEmpty());
}

TEST(Comparison, what_follows_from_a_difference_is_not_told) {
    auto hosts = hostsOf(5);
    readingOf(hosts[2], 0, Trait::mtu).text = "1500";
    readingOf(hosts[2], 0, Trait::pathMtu).text = "1024";
    readingOf(hosts[3], 0, Trait::pathMtu).text = "2048";
    const auto verdict = verdictOf(hosts);
    EXPECT_THAT(idsOf(verdict), ElementsAre("mtu", "path-mtu"));
    EXPECT_THAT(textOf(verdict), Not(HasSubstr("1024")));
}

TEST(Comparison, a_host_that_does_not_tell_is_not_alike) {
    auto hosts = hostsOf(5);
    readingOf(hosts[1], 0, Trait::pfc) = {
        .trait = Trait::pfc, .text = "not permitted", .known = false};
    const auto verdict = verdictOf(hosts);
    EXPECT_EQ(verdict.exitCode(), engine::ExitCode::unverifiable);
    EXPECT_THAT(textOf(verdict), HasSubstr("unreadable pfc"));
}

TEST(Comparison, a_fleet_that_tells_nothing_is_not_alike) {
    auto hosts = hostsOf(3);
    for (HostRecord& host : hosts) {
        readingOf(host, 0, Trait::pfc).known = false;
    }
    EXPECT_EQ(verdictOf(hosts).exitCode(), engine::ExitCode::unverifiable);
}

// Every host knows the next one on both rails.
std::vector<HostRecord> acquaintedHosts(unsigned count) {
    auto hosts = hostsOf(count);
    for (unsigned number = 0; number < count; ++number) {
        const unsigned peer = (number + 1) % count;
        for (std::uint16_t rail = 0; rail < 2; ++rail) {
            hosts[number].neighbours.push_back({.rail = rail,
                                                .address = addressOf(peer, rail),
                                                .mac = macOf(peer, rail)});
        }
    }
    return hosts;
}

TEST(Comparison, neighbours_that_are_right_are_no_difference) {
    const auto verdict = verdictOf(acquaintedHosts(4));
    EXPECT_THAT(idsOf(verdict), IsEmpty());
    EXPECT_EQ(verdict.neighbours, 8U);
    EXPECT_EQ(verdict.foreign, 0U);
}

TEST(Comparison, an_address_with_the_mac_of_another_rail_names_both_ends) {
    auto hosts = acquaintedHosts(4);
    hosts[0].neighbours[0].mac = macOf(1, 1);
    const auto verdict = verdictOf(hosts);
    EXPECT_THAT(idsOf(verdict), ElementsAre("neighbour.wrong-rail"));
    EXPECT_THAT(textOf(verdict),
                HasSubstr("10.0.0.2 of node1 rail0 as rail1 on node0 rail0"));
}

TEST(Comparison, other_hosts_and_unknown_macs_are_told_apart) {
    auto hosts = acquaintedHosts(4);
    hosts[0].neighbours[0].mac = macOf(3, 0);
    hosts[1].neighbours[0].mac = macOf(99, 0);
    hosts[2].neighbours[0].address = addressOf(200, 0);
    const auto verdict = verdictOf(hosts);
    EXPECT_THAT(idsOf(verdict),
                ElementsAre("neighbour.other-host", "neighbour.unknown-mac"));
    EXPECT_EQ(verdict.foreign, 1U);
}

TEST(Comparison, addresses_and_macs_of_two_hosts_are_told) {
    auto hosts = hostsOf(4);
    hosts[1].rails[0].addresses[0].address = addressOf(0, 0);
    hosts[3].rails[1].macs = {macOf(2, 1)};
    const auto verdict = verdictOf(hosts);
    EXPECT_THAT(idsOf(verdict), ElementsAre("address.duplicate", "mac.duplicate"));
    EXPECT_THAT(textOf(verdict), HasSubstr("10.0.0.1 on node0 rail0, node1 rail0"));
}

TEST(Comparison, swapped_subnets_are_told_and_racks_are_not) {
    auto hosts = hostsOf(6);
    for (unsigned number = 3; number < 6; ++number) {  // a rack of its own
        for (RailRecord& rail : hosts[number].rails) {
            rail.addresses[0].address.octets[2] = 7;
        }
    }
    EXPECT_THAT(idsOf(verdictOf(hosts)), IsEmpty());
    std::swap(hosts[4].rails[0].addresses, hosts[4].rails[1].addresses);
    const auto verdict = verdictOf(hosts);
    EXPECT_THAT(idsOf(verdict), ElementsAre("subnet.rail"));
    EXPECT_THAT(textOf(verdict), HasSubstr("10.1.7.0/24 is that of rail1"));
}

TEST(Comparison, a_rail_alone_in_a_subnet_is_told_and_networks_per_host_are_not) {
    auto hosts = hostsOf(6);
    hosts[2].rails[0].addresses[0].prefixLength = 16;
    EXPECT_THAT(idsOf(verdictOf(hosts)), ElementsAre("subnet.stray"));
    for (HostRecord& host : hosts) {
        for (RailRecord& rail : host.rails) {
            rail.addresses[0].prefixLength = 32;
        }
    }
    EXPECT_THAT(idsOf(verdictOf(hosts)), IsEmpty());
}

TEST(Comparison, the_smallest_adapter_is_compared_with_the_largest_wish) {
    auto hosts = hostsOf(4);
    hosts[2].rails[1].maxSrq = 16383;
    EXPECT_THAT(textOf(verdictOf(hosts)),
                HasSubstr("at most 16383 of 32767 on node2 rail1"));
    for (HostRecord& host : hosts) {
        host.askedSrq = 16000;
    }
    EXPECT_THAT(idsOf(verdictOf(hosts)), IsEmpty());
}

TEST(Comparison, expected_hosts_are_found_with_and_without_their_domain) {
    auto hosts = hostsOf(3);
    hosts[1].name = "node1.example.com";
    EXPECT_THAT(idsOf(verdictOf(hosts, {"node0.example.com", "node1", "node2"})),
                IsEmpty());
    const auto verdict = verdictOf(hosts, {"node0", "node1", "node7", "node8"});
    EXPECT_THAT(idsOf(verdict), ElementsAre("host.missing", "host.unexpected"));
    EXPECT_THAT(textOf(verdict), HasSubstr("node7, node8"));
}

TEST(Comparison, facts_of_a_host_given_twice_are_compared_once_and_told) {
    auto hosts = hostsOf(3);
    hosts.push_back(hosts[0]);
    const auto verdict = verdictOf(hosts);
    EXPECT_EQ(verdict.hosts, 3U);
    ASSERT_EQ(verdict.unusable.size(), 1U);
    EXPECT_EQ(verdict.exitCode(), engine::ExitCode::unverifiable);
}

TEST(Comparison, broken_documents_without_end_are_counted_and_not_kept) {
    MemorySpill spill;
    Comparison comparison(spill);
    ASSERT_TRUE(comparison.add(hostOf(0)));
    for (unsigned number = 0; number < 5000; ++number) {
        comparison.addUnusable({.origin = "in", .problem = "broken"});
    }
    const auto verdict = comparison.finish({});
    ASSERT_TRUE(verdict.has_value());
    EXPECT_EQ(verdict->unusable.size(), kMostUnusable);
    EXPECT_EQ(verdict->moreUnusable, 4000U);
    EXPECT_THAT(textOf(*verdict), HasSubstr("5000 unreadable documents"));
}

TEST(Comparison, two_hosts_of_one_name_are_both_compared) {
    auto hosts = hostsOf(3);
    hosts[2].name = "node1";
    const auto verdict = verdictOf(hosts);
    EXPECT_EQ(verdict.hosts, 3U);
    EXPECT_THAT(idsOf(verdict), ElementsAre("host.name"));
    EXPECT_THAT(textOf(verdict), HasSubstr("node1 on node1, node1#2"));
}

TEST(Comparison, names_from_facts_do_not_reach_the_terminal_as_they_are) {
    auto hosts = hostsOf(3);
    hosts[2].name = "node\x1b[2J";
    hosts[2].readings[0].text = "6.1\n\x1b[31mfail";
    const std::string text = textOf(verdictOf(hosts));
    EXPECT_THAT(text, Not(HasSubstr("\x1b")));
    EXPECT_THAT(text, HasSubstr("node\\x1b[2J"));
}

TEST(RecordCodec, a_record_comes_back_as_it_was) {
    auto host = acquaintedHosts(3)[0];
    host.neighbours[0].fixed = true;
    host.rails[0].addresses.push_back(
        {.address = *IpAddress::parse("2001:db8::1"), .prefixLength = 64});
    const auto back = decoded(encoded(host));
    ASSERT_TRUE(back.has_value());
    EXPECT_EQ(*back, host);
}

TEST(RecordCodec, a_record_cut_off_anywhere_is_refused) {
    const std::string bytes = encoded(acquaintedHosts(3)[0]);
    for (std::size_t size = 0; size < bytes.size(); ++size) {
        EXPECT_FALSE(decoded(std::string_view(bytes).substr(0, size)));
    }
    EXPECT_FALSE(decoded(bytes + "x"));
}

}  // namespace
}  // namespace fabric::fleet
