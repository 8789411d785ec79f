// SPDX-License-Identifier: Apache-2.0
#include "resource/neighbour/neighbour_fixture.hpp"

#include <cerrno>

namespace fabric::resource::neighbour {
namespace {

using namespace std::chrono_literals;

class NeighbourObserve : public NeighbourFixture {
  protected:
    // A process of minio.service that started `age` ago on a machine up for 1000 s.
    void startService(std::chrono::seconds age) {
        const auto ticks = (1000s - age).count() * 100;
        host.files.addFile("/proc/uptime", "1000.00 900.00\n");
        host.files.addFile("/sys/fs/cgroup/system.slice/minio.service/cgroup.procs",
                           "4711\n4712\n");
        host.files.addFile("/proc/4711/stat",
                           "4711 (minio (x) y) S 1 4711 4711 0 -1 0 0 0 0 0 0 0 0 0 20 "
                           "0 9 0 " +
                               std::to_string(ticks) + " 0 0");
        host.files.addFile("/proc/4712/stat",
                           "4712 (minio) S 1 4711 4711 0 -1 0 0 0 0 0 0 0 0 0 20 0 9 0 "
                           "99999 0 0");
    }

    void writeSysctlFile(std::chrono::seconds ago) {
        host.files.addFile("/etc/sysctl.d/99-zz-fabricctl.conf").mtimeNs =
            std::chrono::nanoseconds((host.clock.wallTime() - ago).time_since_epoch())
                .count();
    }
};

TEST_F(NeighbourObserve, one_look_serves_all_rails) {
    host.neighbours.add(kRailA, "10.0.1.2", kRightMac);
    host.neighbours.add(kRailB, "10.0.2.2", kOtherMac);
    host.neighbours.add(IfIndex{9}, "192.168.0.1", kForeignMac);
    const State state = observe(host.reader(), rails).value();
    ASSERT_EQ(state.interfaces.size(), 2U);
    EXPECT_EQ(state.interfaces.at(kRailA).entries.size(), 1U);
    EXPECT_EQ(state.interfaces.at(kRailB).entries.size(), 1U);
    EXPECT_EQ(host.neighbours.dumps, 1U);
    EXPECT_EQ(host.links.dumps, 1U);
}

TEST_F(NeighbourObserve, interfaces_that_own_no_address_are_left_out) {
    rails[0].rail.interfaces.push_back({IfIndex{7}, "raila.100", "vlan"});
    rails[0].rail.interfaces.push_back({IfIndex{8}, "raila.200", "vlan"});
    host.links.addressList.push_back({.link = IfIndex{7},
                                      .octets = IpAddress::v4(10, 1, 1, 1).octets,
                                      .prefixLength = 24});
    host.links.addressList.push_back(
        {.link = IfIndex{8},
         .ipv6 = true,
         .octets = IpAddress::parse("fe80::1").value().octets,
         .prefixLength = 64});
    const State state = observe(host.reader(), rails).value();
    EXPECT_TRUE(state.interfaces.contains(IfIndex{7}));
    EXPECT_FALSE(state.interfaces.contains(IfIndex{8}));
    EXPECT_EQ(state.interfaces.at(IfIndex{7}).rail, "raila");
}

TEST_F(NeighbourObserve, H10_a_cache_that_keeps_changing_is_unreadable) {
    host.neighbours.readError =
        Error{.kind = ErrorKind::busy,
              .action = "list neighbour entries",
              .detail = "the table changed during each attempt"};
    const Comparison comparison = look();
    EXPECT_EQ(only(comparison, "neighbour/raila").verdict, Verdict::unreadable);
    EXPECT_TRUE(comparison.steps.empty());
}

TEST_F(NeighbourObserve, H15_a_marker_that_cannot_be_looked_at_is_unreadable) {
    setPending(kRailA);
    host.files.failRead("/run/fabricctl/flush-pending/2", EACCES);
    const Comparison comparison = look();
    EXPECT_EQ(only(comparison, "neighbour/raila").verdict, Verdict::unreadable);
    EXPECT_EQ(only(comparison, "neighbour/railb").verdict, Verdict::inSync);
}

TEST_F(NeighbourObserve, the_oldest_process_of_the_unit_counts) {
    startService(300s);
    const auto service = observeService(host.reader(), "minio.service");
    ASSERT_TRUE(service);
    EXPECT_EQ(service->oldest, host.clock.wallTime() - 300s);
    EXPECT_FALSE(service->arpChangedSince);
}

TEST_F(NeighbourObserve, no_process_of_the_unit_is_no_start) {
    EXPECT_FALSE(observeService(host.reader(), "minio.service"));
    host.files.addFile("/sys/fs/cgroup/system.slice/minio.service/cgroup.procs", "");
    EXPECT_FALSE(observeService(host.reader(), "minio.service"));
}

TEST_F(NeighbourObserve,
       a_start_or_an_uptime_beyond_all_machines_is_not_computed_with) {
    startService(300s);
    host.files.addFile("/proc/uptime", "1e300 1e300\n");
    EXPECT_FALSE(observeService(host.reader(), "minio.service"));
    startService(300s);
    for (const char* const process : {"/proc/4711/stat", "/proc/4712/stat"}) {
        host.files.addFile(process,
                           "1 (minio) S 1 4711 4711 0 -1 0 0 0 0 0 0 0 0 0 20 0 9 0 "
                           "18446744073709551615 0 0");
    }
    EXPECT_FALSE(observeService(host.reader(), "minio.service"));
}

TEST_F(NeighbourObserve, H13_settings_written_after_the_start_mean_a_restart) {
    startService(300s);
    writeSysctlFile(60s);
    const Comparison comparison = look();
    const Finding* finding = findingOf(comparison, "neighbour.restart-pending");
    ASSERT_NE(finding, nullptr);
    EXPECT_NE(finding->fix.find("every node"), std::string::npos);
}

TEST_F(NeighbourObserve, H13_a_service_started_after_the_settings_needs_none) {
    startService(60s);
    writeSysctlFile(300s);
    EXPECT_EQ(findingOf(look(), "neighbour.restart-pending"), nullptr);
}

TEST_F(NeighbourObserve, H13_correcting_under_a_running_service_tells_of_the_restart) {
    startService(300s);
    listPeers();
    host.neighbours.add(kRailA, "10.0.1.2", kOtherMac);
    const Comparison comparison = look();
    ASSERT_EQ(comparison.steps.size(), 1U);
    ASSERT_EQ(comparison.steps[0].consequences.size(), 1U);
    EXPECT_EQ(comparison.steps[0].consequences[0].id, "neighbour.restart-pending");
    EXPECT_NE(findingOf(comparison, "neighbour.restart-pending"), nullptr);
}

TEST_F(NeighbourObserve, H13_without_a_running_service_nothing_is_to_be_restarted) {
    listPeers();
    host.neighbours.add(kRailA, "10.0.1.2", kOtherMac);
    const Comparison comparison = look();
    EXPECT_TRUE(comparison.steps.at(0).consequences.empty());
    EXPECT_EQ(findingOf(comparison, "neighbour.restart-pending"), nullptr);
}

}  // namespace
}  // namespace fabric::resource::neighbour
