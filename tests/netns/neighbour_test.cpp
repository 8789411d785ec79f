// SPDX-License-Identifier: Apache-2.0
// The neighbour cache of the real kernel: host A is this machine, host B its peer. Both
// rails of both hosts are on one bridge.
#include "resource/neighbour/neighbour.hpp"

#include "engine/executor.hpp"
#include "engine/wire.hpp"
#include "linux/announcer.hpp"
#include "linux/arp_frame.hpp"
#include "linux/clock.hpp"
#include "linux/neighbour_writer.hpp"
#include "linux/neighbours.hpp"
#include "linux/packet_socket.hpp"
#include "linux/prober.hpp"
#include "netns/two_hosts.hpp"

#include <gtest/gtest.h>

#include <linux/neighbour.h>
#include <linux/rtnetlink.h>

#include <sys/socket.h>

#include <algorithm>
#include <array>

namespace fabric::netns {
namespace {

using engine::Sharing;
using host::NeighbourState;
using resource::Comparison;
using resource::Verdict;
using namespace std::chrono_literals;

constexpr const char* kMarkerDirectory = "/run/fabricctl/flush-pending/";

// An entry as ip-neighbour(8) would add it.
struct Planted {
    std::string interface = "a1";
    IpAddress address;
    MacAddress mac{{0x02, 0, 0, 0, 0xD, 1}};
    std::uint16_t state = NUD_STALE;
    std::uint8_t flags = 0;
    std::uint32_t extended = 0;
};

class NetnsNeighbour : public TwoHosts {
  protected:
    void SetUp() override {
        TwoHosts::SetUp();
        if (IsSkipped()) {
            return;
        }
        useSeparateSubnets();
        cache_ = std::make_unique<linux_host::RtnlNeighbours>(a->netlink());
        cacheWriter_ = std::make_unique<linux_host::RtnlNeighbourWriter>(a->netlink());
        addRail("a1", {{0x02, 0, 0, 0, 0xA, 1}});
        addRail("a2", {{0x02, 0, 0, 0, 0xA, 2}});
    }

    void plant(const Planted& entry) {
        linux_host::NetlinkRequest request{.type = RTM_NEWNEIGH,
                                           .flags = NLM_F_CREATE | NLM_F_REPLACE};
        linux_host::appendValue(
            request.payload,
            ndmsg{.ndm_family = AF_INET,
                  .ndm_ifindex = static_cast<int>(a->index(entry.interface).number),
                  .ndm_state = entry.state,
                  .ndm_flags = entry.flags});
        linux_host::appendAttribute(
            request.payload, NDA_DST, std::as_bytes(entry.address.bytes()));
        if (entry.state != NUD_NONE) {
            linux_host::appendAttribute(request.payload, NDA_LLADDR, entry.mac.octets);
        }
        if (entry.extended != 0) {
            linux_host::appendAttribute(request.payload, NDA_FLAGS_EXT, entry.extended);
        }
        const auto done = a->netlink().command(std::move(request));
        ASSERT_TRUE(done.has_value())
            << entry.address.text() << ": " << done.error().message();
    }

    [[nodiscard]] std::optional<host::Neighbour> find(const std::string& interface,
                                                      const IpAddress& address) const {
        const IfIndex link = a->index(interface);
        const auto entries = cache_->neighbours().value();
        for (const host::Neighbour& entry : entries) {
            if (entry.key.link == link && entry.key.address == address) {
                return entry;
            }
        }
        return std::nullopt;
    }

    void setPending(const std::string& interface) {
        memory.files.addFile(marker(interface));
    }

    [[nodiscard]] std::string marker(const std::string& interface) const {
        return kMarkerDirectory + std::to_string(a->index(interface).number);
    }

    void listPeers() {
        for (resource::RailTask& task : tasks) {
            task.settings.neighbours->peers = {{"B", "b1", "10.0.1.2", kB1.text()},
                                               {"B", "b2", "10.0.2.2", kB2.text()}};
        }
    }

    [[nodiscard]] host::Reader reader() const {
        const host::Reader fake = memory.reader();
        return {.files = fake.files,
                .links = a->links(),
                .watcher = a->links(),
                .dcb = fake.dcb,
                .ethtool = fake.ethtool,
                .pci = fake.pci,
                .rdma = fake.rdma,
                .ipv4 = fake.ipv4,
                .clock = clock_,
                .neighbours = cache_.get()};
    }

    [[nodiscard]] Comparison look() const {
        const resource::Scope scope{
            .rails = tasks, .host = settings_, .platform = platform_};
        return resource::neighbour::assess(reader(), scope);
    }

    // Carries out what a look planned, in the namespace of A.
    void carryOut(const Comparison& comparison) {
        const host::Writer fake = memory.writer();
        const host::Writer writer{.files = fake.files,
                                  .links = fake.links,
                                  .dcb = fake.dcb,
                                  .ethtool = fake.ethtool,
                                  .pci = fake.pci,
                                  .ipv4 = fake.ipv4,
                                  .neighbours = cacheWriter_.get(),
                                  .announcer = &announcer_};
        a->inside([&] {
            for (const engine::StepResult& result :
                 engine::execute(comparison.steps, reader(), writer, {})) {
                EXPECT_TRUE(result.accepted)
                    << (result.error ? result.error->message() : result.notAttempted);
            }
        });
    }

    static Verdict verdictOf(const Comparison& comparison, const std::string& id) {
        const auto found =
            std::ranges::find(comparison.assessments, id, &resource::Assessment::id);
        EXPECT_NE(found, comparison.assessments.end()) << id;
        return found == comparison.assessments.end() ? Verdict::failed : found->verdict;
    }

    // Waits until A's cache holds this MAC for the address.
    void awaitMac(host::NeighbourWatch& watch,
                  const IpAddress& address,
                  const MacAddress& mac) {
        const auto deadline = std::chrono::steady_clock::now() + 10s;
        while (true) {
            const auto event = watch.next(deadline);
            ASSERT_TRUE(event && *event) << "the cache never told of " << mac.text();
            if ((*event)->entry.key.address == address && (*event)->entry.mac == mac) {
                return;
            }
        }
    }

    std::vector<resource::RailTask> tasks;

  private:
    void addRail(const std::string& name, const MacAddress& mac) {
        resource::RailTask task;
        task.rail.name = name;
        task.rail.link = a->index(name);
        task.rail.mac = mac;
        task.rail.interfaces = {{task.rail.link, name, "veth"}};
        task.settings.neighbours = profile::NeighbourSettings{};
        tasks.push_back(std::move(task));
    }

    linux_host::SystemClock clock_;
    std::unique_ptr<linux_host::RtnlNeighbours> cache_;
    std::unique_ptr<linux_host::RtnlNeighbourWriter> cacheWriter_;
    linux_host::PacketAnnouncer announcer_;
    profile::HostSettings settings_;
    inventory::Platform platform_;
};

TEST_F(NetnsNeighbour, H07_H08_a_flush_takes_learned_entries_and_nothing_else) {
    const auto at = [](std::uint8_t last) { return IpAddress::v4(10, 0, 1, last); };
    plant({.address = at(10)});
    plant({.address = at(11), .state = NUD_PERMANENT});
    plant({.address = at(12), .state = NUD_NOARP});
    plant({.address = at(13), .flags = NTF_EXT_LEARNED});
    plant({.address = at(14), .state = NUD_PERMANENT, .flags = NTF_EXT_LEARNED});
    plant({.address = at(15), .state = NUD_NONE, .extended = NTF_EXT_MANAGED});
    plant({.address = at(16), .state = NUD_NONE, .flags = NTF_PROXY});
    plant({.interface = "a2", .address = IpAddress::v4(10, 0, 2, 10)});
    setPending("a1");
    const Comparison comparison = look();
    carryOut(comparison);

    const auto learned = find("a1", at(10));
    EXPECT_TRUE(!learned || !learned->isUsable());
    EXPECT_EQ(find("a1", at(11)).value().state, NeighbourState::permanent);
    EXPECT_EQ(find("a1", at(12)).value().state, NeighbourState::noArp);
    EXPECT_EQ(find("a1", at(13)).value().state, NeighbourState::stale);
    EXPECT_EQ(find("a1", at(14)).value().state, NeighbourState::permanent);
    EXPECT_TRUE(find("a1", at(15)).value().managed);
    EXPECT_TRUE(find("a1", at(16)).value().proxy);
    EXPECT_EQ(find("a2", IpAddress::v4(10, 0, 2, 10)).value().state,
              NeighbourState::stale)
        << "another rail's entries are none of this flush";
    EXPECT_FALSE(memory.files.exists(marker("a1")));
    const auto foreign = std::ranges::find(
        comparison.findings, "neighbour.foreign", &resource::Finding::id);
    ASSERT_NE(foreign, comparison.findings.end());
    for (const std::uint8_t last : std::array<std::uint8_t, 4>{13, 14, 15, 16}) {
        EXPECT_NE(foreign->evidence.find(at(last).text()), std::string::npos)
            << foreign->evidence;
    }
}

TEST_F(NetnsNeighbour, a_wrong_entry_is_corrected_and_a_second_run_is_silent) {
    setOnB(host::Ipv4Key::arpIgnore, 1);
    listPeers();
    plant({.address = IpAddress::v4(10, 0, 1, 2), .mac = kB2});
    const Comparison before = look();
    EXPECT_EQ(verdictOf(before, "neighbour/a1/10.0.1.2"), Verdict::differs);
    carryOut(before);
    EXPECT_EQ(find("a1", IpAddress::v4(10, 0, 1, 2)).value().mac, kB1);

    std::unique_ptr<host::NeighbourWatch> watch;
    a->inside([&] { watch = reader().neighbours->watch().value(); });
    std::optional<linux_host::PacketSocket> tap;
    wire->inside([&] {
        tap =
            linux_host::PacketSocket::open(wire->index("pa1"), linux_host::kArpProtocol)
                .value();
    });
    const Comparison second = look();
    EXPECT_EQ(verdictOf(second, "neighbour/a1/10.0.1.2"), Verdict::inSync);
    EXPECT_TRUE(second.steps.empty());
    carryOut(second);
    const auto event = watch->next(std::chrono::steady_clock::now());
    ASSERT_TRUE(event.has_value());
    EXPECT_FALSE(event->has_value()) << "the cache was touched";
    EXPECT_FALSE(tap->receiveNow().value().has_value()) << "a frame was sent";
}

TEST_F(NetnsNeighbour, H09_a_flush_helps_only_when_the_peer_is_fixed) {
    listPeers();
    // B's right rail is silent and its other one answers for every address.
    constexpr int kNeverAnswer = 8;
    b->setSysctl("conf/b1/arp_ignore", kNeverAnswer);
    plant({.address = IpAddress::v4(10, 0, 1, 2), .mac = kB2});
    carryOut(look());
    const Comparison still = look();
    EXPECT_EQ(verdictOf(still, "neighbour/a1/10.0.1.2"), Verdict::differs);

    setOnB(host::Ipv4Key::arpIgnore, 1);
    carryOut(still);
    EXPECT_EQ(verdictOf(look(), "neighbour/a1/10.0.1.2"), Verdict::inSync);
}

TEST_F(NetnsNeighbour, H15_a_flush_that_was_left_over_announces_the_rail) {
    setPending("a1");
    std::optional<linux_host::PacketSocket> tap;
    b->inside([&] {
        tap = linux_host::PacketSocket::open(b->index("b1"), linux_host::kArpProtocol)
                  .value();
    });
    carryOut(look());
    const auto expected = linux_host::arpRequest({{0x02, 0, 0, 0, 0xA, 1}},
                                                 IpAddress::v4(10, 0, 1, 1),
                                                 IpAddress::v4(10, 0, 1, 1));
    bool heard = false;
    while (const auto frame = tap->receiveNow().value()) {
        heard = heard || std::ranges::equal(frame->first(expected.size()), expected);
    }
    EXPECT_TRUE(heard);
}

TEST_F(NetnsNeighbour, a_gratuitous_arp_heals_a_learned_entry_and_no_permanent_one) {
    const IpAddress learned = IpAddress::v4(10, 0, 1, 2);
    const IpAddress fixed = IpAddress::v4(10, 0, 1, 3);
    b->addAddress("b1", {10, 0, 1, 3}, 24);
    plant({.address = learned, .mac = kB2});
    plant({.address = fixed, .mac = kB2, .state = NUD_PERMANENT});
    std::unique_ptr<host::NeighbourWatch> watch;
    a->inside([&] { watch = reader().neighbours->watch().value(); });
    b->inside([&] {
        linux_host::PacketAnnouncer announcer;
        const IfIndex link = b->index("b1");
        ASSERT_TRUE(announcer.announce(link, kB1, fixed).has_value());
        ASSERT_TRUE(announcer.announce(link, kB1, learned).has_value());
    });
    awaitMac(*watch, learned, kB1);
    EXPECT_EQ(find("a1", fixed).value().mac, kB2);
}

TEST_F(NetnsNeighbour, rails_on_one_bridge_share_a_domain_and_off_it_they_do_not) {
    linux_host::PacketProber prober(a->links());
    std::vector<inventory::Rail> rails;
    std::ranges::transform(tasks, std::back_inserter(rails), &resource::RailTask::rail);
    a->inside([&] {
        const auto seen = engine::probeDomains(reader(), prober, rails).value();
        ASSERT_EQ(seen.size(), 2U);
        EXPECT_EQ(seen[0].sharing, Sharing::shared) << seen[0].reason;
        EXPECT_EQ(seen[0].with, std::vector<std::string>{"a2"});
    });
    linux_host::NetlinkRequest request{.type = RTM_SETLINK};
    linux_host::appendValue(
        request.payload,
        ifinfomsg{.ifi_index = static_cast<int>(wire->index("pa2").number)});
    linux_host::appendAttribute(request.payload, IFLA_MASTER, std::uint32_t{0});
    ASSERT_TRUE(wire->netlink().command(std::move(request)).has_value());
    a->inside([&] {
        const auto seen = engine::probeDomains(reader(), prober, rails).value();
        EXPECT_EQ(seen[0].sharing, Sharing::notObserved);
        EXPECT_EQ(seen[1].sharing, Sharing::notObserved);
    });
}

TEST_F(NetnsNeighbour, an_audit_counts_two_macs_before_the_peers_fix_and_one_after) {
    linux_host::PacketProber prober(a->links());
    const auto ask = [&] {
        std::vector<MacAddress> macs;
        a->inside([&] {
            macs = prober.whoAnswers(a->index("a1"), IpAddress::v4(10, 0, 1, 2), 500ms)
                       .value();
        });
        return macs;
    };
    EXPECT_EQ(ask(), (std::vector<MacAddress>{kB1, kB2}));
    setOnB(host::Ipv4Key::arpIgnore, 1);
    EXPECT_EQ(ask(), std::vector<MacAddress>{kB1});
}

}  // namespace
}  // namespace fabric::netns
