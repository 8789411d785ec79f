// SPDX-License-Identifier: Apache-2.0
// ARP settings, flush and announcement together, on the real kernel: host B is this
// machine, host A its peer, which runs nothing.
#include "engine/executor.hpp"
#include "engine/planner.hpp"
#include "linux/announcer.hpp"
#include "linux/clock.hpp"
#include "linux/neighbour_writer.hpp"
#include "linux/neighbours.hpp"
#include "netns/two_hosts.hpp"
#include "resource/arp/arp.hpp"
#include "resource/neighbour/neighbour.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

namespace fabric::netns {
namespace {

using resource::Comparison;

class NetnsHealing : public TwoHosts {
  protected:
    void SetUp() override {
        TwoHosts::SetUp();
        if (IsSkipped()) {
            return;
        }
        useSeparateSubnets();
        cache_ = std::make_unique<linux_host::RtnlNeighbours>(b->netlink());
        cacheWriter_ = std::make_unique<linux_host::RtnlNeighbourWriter>(b->netlink());
        for (const auto& [name, mac] : {std::pair{"b1", kB1}, {"b2", kB2}}) {
            resource::RailTask task;
            task.rail.name = name;
            task.rail.link = b->index(name);
            task.rail.mac = mac;
            task.rail.interfaces = {{task.rail.link, name, "veth"}};
            task.settings.arp = profile::ArpSettings{.persist = false};
            task.settings.neighbours = profile::NeighbourSettings{};
            tasks_.push_back(std::move(task));
        }
    }

    // Both resources as one run plans them: the flush follows from the ARP change.
    [[nodiscard]] std::vector<resource::Step> plan() {
        std::vector<resource::Step> steps;
        b->inside([&] {
            resource::Scope scope{
                .rails = tasks_, .host = settings_, .platform = platform_};
            const resource::Comparison arp = resource::arp::assess(reader(), scope);
            scope.planned = arp.steps;
            const Comparison neighbours = resource::neighbour::assess(reader(), scope);
            steps = arp.steps;
            std::ranges::copy(neighbours.steps, std::back_inserter(steps));
        });
        return engine::orderSteps(std::move(steps));
    }

    void carryOut(const std::vector<resource::Step>& steps) {
        host::Writer writer = writerOfB();
        writer.neighbours = cacheWriter_.get();
        writer.announcer = &announcer_;
        b->inside([&] {
            for (const engine::StepResult& result :
                 engine::execute(steps, reader(), writer, {})) {
                EXPECT_TRUE(result.accepted)
                    << (result.error ? result.error->message() : result.notAttempted);
            }
        });
    }

  private:
    host::Reader reader() {
        const host::Reader seen = readerOfB();
        return {.files = seen.files,
                .links = seen.links,
                .watcher = seen.watcher,
                .dcb = seen.dcb,
                .ethtool = seen.ethtool,
                .pci = seen.pci,
                .rdma = seen.rdma,
                .ipv4 = seen.ipv4,
                .clock = clock_,
                .neighbours = cache_.get()};
    }

    linux_host::SystemClock clock_;
    std::unique_ptr<linux_host::RtnlNeighbours> cache_;
    std::unique_ptr<linux_host::RtnlNeighbourWriter> cacheWriter_;
    linux_host::PacketAnnouncer announcer_;
    std::vector<resource::RailTask> tasks_;
    profile::HostSettings settings_;
    inventory::Platform platform_;
};

TEST_F(NetnsHealing, an_apply_on_one_host_makes_the_caches_of_its_peers_right) {
    // A asks for both addresses until one of them is wrong in its cache.
    const auto wrongNow = [&] {
        return (a->cached("a1", firstOfB) == kB2 ? 1 : 0) +
               (a->cached("a2", secondOfB) == kB1 ? 1 : 0);
    };
    for (int attempt = 0; attempt < 4 * kTries && wrongNow() == 0; ++attempt) {
        static_cast<void>(a->resolve("a1", firstOfB));
        static_cast<void>(a->resolve("a2", secondOfB));
    }
    ASSERT_GT(wrongNow(), 0) << "no flux to cure";

    const auto steps = plan();
    EXPECT_FALSE(steps.empty());
    carryOut(steps);
    EXPECT_EQ(a->cached("a1", firstOfB), kB1);
    EXPECT_EQ(a->cached("a2", secondOfB), kB2);
    EXPECT_TRUE(plan().empty()) << "a second run has nothing to do";
    EXPECT_EQ(memory.files.exists("/run/fabricctl/flush-pending/" +
                                  std::to_string(b->index("b1").number)),
              false);
}

}  // namespace
}  // namespace fabric::netns
