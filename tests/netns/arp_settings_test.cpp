// SPDX-License-Identifier: Apache-2.0
#include "engine/executor.hpp"
#include "engine/planner.hpp"
#include "netns/two_hosts.hpp"
#include "resource/arp/arp.hpp"

#include <algorithm>

namespace fabric::netns {
namespace {

using host::Ipv4Key;
using resource::Verdict;
using namespace std::chrono_literals;

class ArpSettings : public TwoHosts {
  protected:
    resource::RailTask& addRail(const std::string& name) {
        resource::RailTask task;
        task.rail.name = name;
        task.rail.link = b->index(name);
        task.rail.interfaces = {{task.rail.link, name, "veth"}};
        task.settings.arp = profile::ArpSettings{.persist = false};
        rails.push_back(std::move(task));
        return rails.back();
    }

    resource::Comparison look() {
        resource::Comparison seen;
        b->inside([&] {
            seen = resource::arp::assess(
                readerOfB(), {.rails = rails, .host = settings, .platform = platform});
        });
        return seen;
    }

    void apply() {
        const auto plan = engine::orderSteps(look().steps);
        b->inside([&] {
            for (const engine::StepResult& result :
                 engine::execute(plan, readerOfB(), writerOfB(), {})) {
                EXPECT_TRUE(result.accepted) << result.error->message();
            }
        });
    }

    resource::Assessment find(const std::string& id) {
        const resource::Comparison seen = look();
        const auto found =
            std::ranges::find(seen.assessments, id, &resource::Assessment::id);
        EXPECT_NE(found, seen.assessments.end()) << id;
        return found == seen.assessments.end() ? resource::Assessment{} : *found;
    }

    std::vector<resource::RailTask> rails;
    profile::HostSettings settings;
    inventory::Platform platform;
};

TEST_F(ArpSettings, flux_before_and_every_try_right_after_apply) {
    useSeparateSubnets();
    addRail("b1");
    addRail("b2");
    EXPECT_GT(resolveBoth().wrong, 0);
    EXPECT_EQ(find("arp/b1/arp-ignore").verdict, Verdict::differs);
    apply();
    EXPECT_EQ(resolveBoth().right, 2 * kTries);
    for (const char* key : {"arp_ignore", "arp_announce"}) {
        const std::string name(key);
        EXPECT_EQ(b->sysctl("conf/b1/" + name), name == "arp_ignore" ? 1 : 2);
    }
    EXPECT_EQ(find("arp/b2/arp-announce").verdict, Verdict::inSync);
}

TEST_F(ArpSettings, flux_in_one_subnet_is_cured_with_loose_rp_filter) {
    useOneSubnet();
    addRail("b1").settings.arp->rpFilter = 2;
    addRail("b2").settings.arp->rpFilter = 2;
    EXPECT_GT(resolveBoth().wrong, 0);
    apply();
    EXPECT_EQ(resolveBoth().right, 2 * kTries);
}

TEST_F(ArpSettings, flux_in_one_subnet_is_cured_without_rp_filter) {
    useOneSubnet();
    addRail("b1").settings.arp->rpFilter = 0;
    addRail("b2").settings.arp->rpFilter = 0;
    EXPECT_GT(resolveBoth().wrong, 0);
    apply();
    EXPECT_EQ(resolveBoth().right, 2 * kTries);
    EXPECT_EQ(b->sysctl("conf/b2/rp_filter"), 0);
}

TEST_F(ArpSettings,
       H11_strict_rp_filter_in_one_subnet_is_told_and_apply_revives_the_rail) {
    useOneSubnet();
    setOnB(Ipv4Key::rpFilter, 1);
    addRail("b1");
    addRail("b2");
    apply();
    EXPECT_FALSE(a->resolve("a2", secondOfB).has_value());
    const resource::Comparison seen = look();
    EXPECT_NE(std::ranges::find(
                  seen.findings, "arp.strict-rp-filter", &resource::Finding::id),
              seen.findings.end());
    for (resource::RailTask& task : rails) {
        task.settings.arp->rpFilter = 2;
    }
    apply();
    EXPECT_EQ(resolveBoth().right, 2 * kTries);
}

TEST_F(ArpSettings, H01_all_four_is_seen_and_left_alone_under_scope_rails) {
    useSeparateSubnets();
    addRail("b1");
    b->setSysctl("conf/all/arp_ignore", 4);
    apply();
    EXPECT_EQ(b->sysctl("conf/b1/arp_ignore"), 1);
    EXPECT_EQ(b->sysctl("conf/all/arp_ignore"), 4);
    const resource::Assessment ignore = find("arp/b1/arp-ignore");
    EXPECT_EQ(ignore.verdict, Verdict::differs);
    EXPECT_TRUE(ignore.reason.contains("conf.all decides")) << ignore.reason;
}

TEST_F(ArpSettings, scope_all_writes_conf_all_of_this_namespace) {
    useSeparateSubnets();
    addRail("b1").settings.arp->scopeAll = true;
    b->setSysctl("conf/all/arp_ignore", 4);
    apply();
    EXPECT_EQ(b->sysctl("conf/all/arp_ignore"), 1);
    EXPECT_EQ(b->sysctl("conf/all/arp_announce"), 2);
    EXPECT_EQ(find("arp/b1/arp-ignore").verdict, Verdict::inSync);
}

TEST_F(ArpSettings, H05_a_rail_called_v0_100_is_set_like_any_other) {
    useSeparateSubnets();
    wire->addVeth("pv", *b, "v0.100", {{0x02, 0, 0, 0, 0xB, 3}});
    b->addAddress("v0.100", {10, 0, 3, 2}, 24);
    addRail("v0.100");
    EXPECT_EQ(find("arp/v0.100/arp-ignore").verdict, Verdict::differs);
    apply();
    EXPECT_EQ(b->sysctl("conf/v0.100/arp_ignore"), 1);
    EXPECT_EQ(b->sysctl("conf/v0.100/arp_announce"), 2);
    EXPECT_EQ(find("arp/v0.100/arp-ignore").verdict, Verdict::inSync);
}

TEST_F(ArpSettings, H06_a_deleted_and_recreated_link_is_drift) {
    useSeparateSubnets();
    wire->addVeth("pv", *b, "v1", {{0x02, 0, 0, 0, 0xB, 3}});
    b->addAddress("v1", {10, 0, 3, 2}, 24);
    addRail("v1");
    apply();
    EXPECT_EQ(find("arp/v1/arp-ignore").verdict, Verdict::inSync);
    wire->removeLink("pv");
    wire->addVeth("pv", *b, "v1", {{0x02, 0, 0, 0, 0xB, 3}});
    b->addAddress("v1", {10, 0, 3, 2}, 24);
    rails.clear();
    addRail("v1");
    EXPECT_EQ(find("arp/v1/arp-ignore").verdict, Verdict::differs);
}

// Every RTM_SETLINK with settings is told to those who listen for link changes
// (net/core/rtnetlink.c, do_setlink).
TEST_F(ArpSettings, a_second_apply_sends_no_setlink) {
    useSeparateSubnets();
    addRail("b1");
    addRail("b2");
    std::unique_ptr<host::LinkWatch> watch;
    b->inside([&] { watch = b->links().watch().value(); });
    const auto heardUntilMtu = [&](std::uint32_t mtu) {
        int heard = 0;
        const auto deadline = std::chrono::steady_clock::now() + 10s;
        while (true) {
            const auto link = watch->next(deadline);
            if (!link || !*link) {
                ADD_FAILURE() << "the last change was not heard";
                return heard;
            }
            if ((*link)->mtu == mtu) {
                return heard;
            }
            ++heard;
        }
    };
    apply();
    b->setMtu("lo", 1401);
    EXPECT_GE(heardUntilMtu(1401), 2);
    apply();
    b->setMtu("lo", 1402);
    EXPECT_EQ(heardUntilMtu(1402), 0);
    EXPECT_TRUE(look().steps.empty());
}

TEST_F(ArpSettings, values_follow_the_interface_through_a_rename) {
    useSeparateSubnets();
    addRail("b1");
    apply();
    b->rename("b1", "ens1f0np0");
    rails.clear();
    addRail("ens1f0np0");
    EXPECT_EQ(find("arp/ens1f0np0/arp-ignore").verdict, Verdict::inSync);
}

}  // namespace
}  // namespace fabric::netns
