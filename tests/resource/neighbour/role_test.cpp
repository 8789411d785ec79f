// SPDX-License-Identifier: Apache-2.0
#include "resource/neighbour/role.hpp"

#include <gtest/gtest.h>

namespace fabric::resource::neighbour {
namespace {

using host::NeighbourState;

host::Neighbour entry(NeighbourState state, std::string_view address = "10.0.1.2") {
    return {.key = {.link = IfIndex{2}, .address = IpAddress::parse(address).value()},
            .state = state,
            .mac = MacAddress::parse("02:00:00:00:02:01"),
            .sinceUpdate = {}};
}

TEST(NeighbourRole, learned_entries_with_a_mac_are_dynamic) {
    for (const NeighbourState state : {NeighbourState::reachable,
                                       NeighbourState::stale,
                                       NeighbourState::delay,
                                       NeighbourState::probe}) {
        EXPECT_EQ(roleOf(entry(state)), Role::dynamic) << stateName(state);
    }
}

TEST(NeighbourRole, entries_without_a_mac_are_unresolved) {
    for (const NeighbourState state :
         {NeighbourState::none, NeighbourState::incomplete, NeighbourState::failed}) {
        EXPECT_EQ(roleOf(entry(state)), Role::unresolved) << stateName(state);
    }
}

TEST(NeighbourRole, H07_permanent_and_noarp_are_fixed) {
    EXPECT_EQ(roleOf(entry(NeighbourState::permanent)), Role::fixed);
    EXPECT_EQ(roleOf(entry(NeighbourState::noArp)), Role::fixed);
}

TEST(NeighbourRole, H08_extern_learn_managed_and_proxy_are_foreign_in_any_state) {
    for (const NeighbourState state :
         {NeighbourState::stale, NeighbourState::permanent, NeighbourState::failed}) {
        host::Neighbour learned = entry(state);
        learned.externLearned = true;
        EXPECT_EQ(roleOf(learned), Role::foreign);
        host::Neighbour managed = entry(state);
        managed.managed = true;
        EXPECT_EQ(roleOf(managed), Role::foreign);
        host::Neighbour proxy = entry(state);
        proxy.proxy = true;
        EXPECT_EQ(roleOf(proxy), Role::foreign);
    }
}

TEST(NeighbourRole, multicast_and_broadcast_entries_are_the_kernels) {
    EXPECT_EQ(roleOf(entry(NeighbourState::noArp, "ff02::1")), Role::kernel);
    EXPECT_EQ(roleOf(entry(NeighbourState::noArp, "224.0.0.22")), Role::kernel);
    host::Neighbour broadcast = entry(NeighbourState::noArp, "10.0.1.255");
    broadcast.mac = MacAddress::parse("ff:ff:ff:ff:ff:ff");
    EXPECT_EQ(roleOf(broadcast), Role::kernel);
    // A static entry with a group MAC is somebody's load balancer, not the kernel's.
    broadcast.state = NeighbourState::permanent;
    EXPECT_EQ(roleOf(broadcast), Role::fixed);
}

}  // namespace
}  // namespace fabric::resource::neighbour
