// SPDX-License-Identifier: Apache-2.0
// What a look at the neighbour cache of the real kernel costs: eight rails in a network
// namespace, up to 4,000 entries, each of them listed in the inventory. Asserted is how
// often the kernel is asked, how much memory is allocated and the resident set; times
// are printed for people.
#include "fake/fake_host.hpp"
#include "linux/clock.hpp"
#include "linux/neighbours.hpp"
#include "netns/namespace.hpp"
#include "resource/neighbour/neighbour.hpp"

#include <gtest/gtest.h>

#include <linux/neighbour.h>
#include <linux/rtnetlink.h>

#include <sys/socket.h>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <new>

namespace {

std::atomic<std::size_t> allocations{0};

}  // namespace

void* operator new(std::size_t size) {
    allocations.fetch_add(1, std::memory_order_relaxed);
    void* const memory = std::malloc(size);
    if (memory == nullptr) {
        std::abort();
    }
    return memory;
}

void operator delete(void* memory) noexcept {
    std::free(memory);
}

void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}

namespace fabric::netns {
namespace {

constexpr unsigned kRails = 8;
constexpr unsigned kPerOctet = 250;

// Counts the dumps; the kernel answers.
class CountingNeighbours : public host::NeighbourReader {
  public:
    explicit CountingNeighbours(linux_host::NetlinkChannel& netlink)
        : kernel_(netlink) {}

    [[nodiscard]] Result<std::vector<host::Neighbour>> neighbours() const override {
        ++dumps;
        return kernel_.neighbours();
    }

    [[nodiscard]] Result<std::vector<host::Neighbour>> neighboursOn(
        IfIndex link) const override {
        ++dumps;
        return kernel_.neighboursOn(link);
    }

    [[nodiscard]] Result<std::unique_ptr<host::NeighbourWatch>> watch() const override {
        return kernel_.watch();
    }

    mutable unsigned dumps = 0;

  private:
    linux_host::RtnlNeighbours kernel_;
};

struct Cost {
    std::size_t assessments = 0;
    std::size_t allocations = 0;
    double milliseconds = 0;
    long peakKib = 0;
    unsigned dumps = 0;
};

IpAddress addressOf(unsigned number) {
    return IpAddress::v4(10,
                         7,
                         static_cast<std::uint8_t>(number / kPerOctet),
                         static_cast<std::uint8_t>(number % kPerOctet));
}

MacAddress macOf(unsigned number) {
    return {{0x02,
             0,
             0,
             1,
             static_cast<std::uint8_t>(number >> 8U),
             static_cast<std::uint8_t>(number)}};
}

double cpuMilliseconds() {
    timespec time{};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return static_cast<double>(time.tv_sec) * 1e3 +
           static_cast<double>(time.tv_nsec) / 1e6;
}

// The highest resident set since the last reset, in KiB (proc_pid_status(5)).
long peakMemory() {
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);) {
        if (line.starts_with("VmHWM:")) {
            return std::stol(line.substr(6));
        }
    }
    ADD_FAILURE() << "no VmHWM";
    return 0;
}

void forgetPeak() {
    std::ofstream("/proc/self/clear_refs") << "5" << std::flush;
}

class NeighbourGrowth : public ::testing::Test {
  protected:
    void SetUp() override {
        for (auto* const place : {&wire_, &host_}) {
            auto made = Namespace::create();
            if (!made) {
                GTEST_SKIP() << "no network namespace of our own: "
                             << made.error().message();
            }
            *place = std::move(*made);
        }
        for (unsigned rail = 0; rail < kRails; ++rail) {
            addRail(rail);
        }
    }

    void addRail(unsigned number) {
        const std::string name = "r" + std::to_string(number);
        const auto octet = static_cast<std::uint8_t>(number + 1);
        wire_->addVeth(
            "p" + std::to_string(number), *host_, name, {{0x02, 0, 0, 0, 0xC, octet}});
        host_->addAddress(name, {10, 8, octet, 1}, 24);
        resource::RailTask task;
        task.rail.name = name;
        task.rail.link = host_->index(name);
        task.rail.interfaces = {{task.rail.link, name, "veth"}};
        task.settings.neighbours = profile::NeighbourSettings{};
        rails_.push_back(std::move(task));
    }

    // Static entries: of learned ones the kernel keeps at most gc_thresh3. Each has its
    // line in the inventory, and one in ten the MAC of another interface.
    void grow(unsigned from, unsigned to) {
        std::vector<profile::NeighbourPeer> peers =
            rails_.front().settings.neighbours->peers;
        for (unsigned number = from; number < to; ++number) {
            const MacAddress mac = macOf(number % 10 == 9 ? number - 1 : number);
            plant(rails_[number % kRails].rail.link, addressOf(number), mac);
            peers.push_back({.host = "node" + std::to_string(number / kRails),
                             .rail = "r" + std::to_string(number % kRails),
                             .address = addressOf(number).text(),
                             .mac = macOf(number).text()});
        }
        for (resource::RailTask& task : rails_) {
            task.settings.neighbours->peers = peers;
        }
    }

    void plant(IfIndex link, const IpAddress& address, const MacAddress& mac) {
        linux_host::NetlinkRequest request{.type = RTM_NEWNEIGH, .flags = NLM_F_CREATE};
        linux_host::appendValue(request.payload,
                                ndmsg{.ndm_family = AF_INET,
                                      .ndm_ifindex = static_cast<int>(link.number),
                                      .ndm_state = NUD_PERMANENT});
        linux_host::appendAttribute(
            request.payload, NDA_DST, std::as_bytes(address.bytes()));
        linux_host::appendAttribute(request.payload, NDA_LLADDR, mac.octets);
        const auto done = host_->netlink().command(std::move(request));
        ASSERT_TRUE(done.has_value()) << done.error().message();
    }

    [[nodiscard]] Cost look() {
        const CountingNeighbours cache(host_->netlink());
        const host::Reader fake = memory_.reader();
        const host::Reader reader{.files = fake.files,
                                  .links = host_->links(),
                                  .watcher = host_->links(),
                                  .dcb = fake.dcb,
                                  .ethtool = fake.ethtool,
                                  .pci = fake.pci,
                                  .rdma = fake.rdma,
                                  .ipv4 = fake.ipv4,
                                  .clock = clock_,
                                  .neighbours = &cache};
        const resource::Scope scope{
            .rails = rails_, .host = settings_, .platform = platform_};
        forgetPeak();
        const std::size_t before = allocations.load();
        const double start = cpuMilliseconds();
        const resource::Comparison seen = resource::neighbour::assess(reader, scope);
        return {.assessments = seen.assessments.size(),
                .allocations = allocations.load() - before,
                .milliseconds = cpuMilliseconds() - start,
                .peakKib = peakMemory(),
                .dumps = cache.dumps};
    }

  private:
    std::unique_ptr<Namespace> wire_;
    std::unique_ptr<Namespace> host_;
    fake::FakeHost memory_;
    linux_host::SystemClock clock_;
    std::vector<resource::RailTask> rails_;
    profile::HostSettings settings_;
    inventory::Platform platform_;
};

TEST_F(NeighbourGrowth, four_thousand_entries_cost_one_look_and_less_than_20_mib) {
    constexpr std::array<unsigned, 3> kSizes{1000, 2000, 4000};
    std::vector<Cost> costs;
    unsigned planted = 0;
    std::puts("entries  looks  answers  allocations  CPU ms  peak KiB");
    for (const unsigned size : kSizes) {
        grow(planted, size);
        planted = size;
        const Cost cost = look();
        costs.push_back(cost);
        std::printf("%7u  %5u  %7zu  %11zu  %6.1f  %8ld\n",
                    size,
                    cost.dumps,
                    cost.assessments,
                    cost.allocations,
                    cost.milliseconds,
                    cost.peakKib);
        EXPECT_EQ(cost.dumps, 1U) << "all rails share one look";
        EXPECT_GT(cost.assessments, size / 2);
    }
    EXPECT_LT(costs.back().peakKib, 20 * 1024);
    EXPECT_LT(costs.back().allocations, 5 * costs.front().allocations)
        << "four times the entries";
}

}  // namespace
}  // namespace fabric::netns
