// SPDX-License-Identifier: Apache-2.0
#include "resource/acs/selection.hpp"

#include "resource/acs/acs_machine.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fabric::resource::acs {
namespace {

using profile::AcsScope;
using ::testing::ElementsAre;
using ::testing::IsEmpty;

struct Tree {
    std::vector<host::PciFunction> functions;
    std::vector<EndpointKind> kinds;

    void add(EndpointKind kind,
             std::string_view address,
             std::vector<std::string_view> bridges) {
        host::PciFunction function;
        function.address = bdf(address);
        for (const std::string_view bridge : bridges) {
            function.bridges.push_back(bdf(bridge));
        }
        functions.push_back(function);
        kinds.push_back(kind);
    }

    [[nodiscard]] std::map<PciAddress, Below> selected(AcsScope scope) const {
        std::vector<Endpoint> endpoints;
        for (std::size_t at = 0; at < functions.size(); ++at) {
            endpoints.push_back({.function = &functions[at], .kind = kinds[at]});
        }
        return selectBridges(endpoints, scope);
    }

    [[nodiscard]] std::vector<std::string> names(AcsScope scope) const {
        std::vector<std::string> names;
        for (const auto& [bridge, below] : selected(scope)) {
            names.push_back(bridge.text());
        }
        return names;
    }
};

Tree oneSwitch() {
    Tree tree;
    tree.add(EndpointKind::gpu,
             "0000:19:00.0",
             {"0000:15:01.0", "0000:16:00.0", "0000:17:01.0"});
    tree.add(EndpointKind::nic,
             "0000:1a:00.0",
             {"0000:15:01.0", "0000:16:00.0", "0000:17:02.0"});
    return tree;
}

TEST(AcsSelection, upstream_takes_every_bridge_above_an_endpoint_once) {
    const Tree tree = oneSwitch();
    EXPECT_THAT(
        tree.names(AcsScope::upstream),
        ElementsAre("0000:15:01.0", "0000:16:00.0", "0000:17:01.0", "0000:17:02.0"));
    const auto selected = tree.selected(AcsScope::upstream);
    EXPECT_EQ(selected.at(bdf("0000:16:00.0")), (Below{.gpus = 1, .nics = 1}));
    EXPECT_EQ(selected.at(bdf("0000:17:01.0")), (Below{.gpus = 1, .nics = 0}));
}

TEST(AcsSelection, paths_takes_only_what_lies_below_the_common_bridge) {
    EXPECT_THAT(oneSwitch().names(AcsScope::paths),
                ElementsAre("0000:17:01.0", "0000:17:02.0"));
}

TEST(AcsSelection, paths_leaves_a_sibling_branch_alone) {
    Tree tree = oneSwitch();
    tree.add(EndpointKind::nic, "0000:38:00.0", {"0000:37:01.0"});
    tree.add(EndpointKind::gpu, "0000:58:00.0", {"0000:57:01.0"});
    EXPECT_THAT(tree.names(AcsScope::paths),
                ElementsAre("0000:17:01.0", "0000:17:02.0"));
}

TEST(AcsSelection, paths_takes_every_bridge_of_a_deep_branch) {
    Tree tree;
    tree.add(EndpointKind::gpu,
             "0000:1d:00.0",
             {"0000:15:01.0",
              "0000:16:00.0",
              "0000:17:03.0",
              "0000:1b:00.0",
              "0000:1c:00.0"});
    tree.add(EndpointKind::nic,
             "0000:1a:00.0",
             {"0000:15:01.0", "0000:16:00.0", "0000:17:02.0"});
    EXPECT_THAT(
        tree.names(AcsScope::paths),
        ElementsAre("0000:17:02.0", "0000:17:03.0", "0000:1b:00.0", "0000:1c:00.0"));
}

TEST(AcsSelection, paths_with_a_second_nic_beside_the_gpu_keeps_both_meeting_points) {
    // One NIC shares the inner switch with the GPU, the other one only the outer.
    Tree tree;
    tree.add(EndpointKind::gpu,
             "0000:06:00.0",
             {"0000:00:01.0",
              "0000:01:00.0",
              "0000:02:00.0",
              "0000:03:00.0",
              "0000:04:00.0"});
    tree.add(EndpointKind::nic,
             "0000:07:00.0",
             {"0000:00:01.0",
              "0000:01:00.0",
              "0000:02:00.0",
              "0000:03:00.0",
              "0000:04:01.0"});
    tree.add(EndpointKind::nic,
             "0000:08:00.0",
             {"0000:00:01.0", "0000:01:00.0", "0000:02:01.0"});
    EXPECT_THAT(tree.names(AcsScope::paths),
                ElementsAre("0000:02:00.0",
                            "0000:02:01.0",
                            "0000:03:00.0",
                            "0000:04:00.0",
                            "0000:04:01.0"));
}

TEST(AcsSelection, paths_without_a_pair_selects_nothing) {
    Tree gpusOnly;
    gpusOnly.add(EndpointKind::gpu, "0000:41:00.0", {"0000:40:01.0"});
    gpusOnly.add(EndpointKind::gpu, "0000:42:00.0", {"0000:40:01.0"});
    EXPECT_THAT(gpusOnly.names(AcsScope::paths), IsEmpty());
    Tree apart;
    apart.add(EndpointKind::gpu, "0000:41:00.0", {"0000:40:01.0"});
    apart.add(EndpointKind::nic, "0000:61:00.0", {"0000:60:01.0"});
    EXPECT_THAT(apart.names(AcsScope::paths), IsEmpty());
    Tree onRootBus;
    onRootBus.add(EndpointKind::gpu, "0000:00:02.0", {});
    EXPECT_THAT(onRootBus.names(AcsScope::paths), IsEmpty());
}

TEST(AcsSelection, A07_domains_are_kept_apart) {
    Tree tree;
    tree.add(EndpointKind::gpu, "0008:19:00.0", {"0008:15:01.0", "0008:17:01.0"});
    tree.add(EndpointKind::nic, "0000:1a:00.0", {"0000:15:01.0", "0000:17:02.0"});
    tree.add(EndpointKind::gpu, "10000:19:00.0", {"10000:15:01.0", "10000:17:01.0"});
    tree.add(EndpointKind::nic, "10000:1a:00.0", {"10000:15:01.0", "10000:17:02.0"});
    EXPECT_THAT(tree.names(AcsScope::paths),
                ElementsAre("10000:17:01.0", "10000:17:02.0"));
}

}  // namespace
}  // namespace fabric::resource::acs
