// SPDX-License-Identifier: Apache-2.0
#include "snapshot/privilege.hpp"

#include "snapshot/things.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <linux/capability.h>

#include <initializer_list>
#include <string>

namespace fabric::snapshot {
namespace {

using ::testing::HasSubstr;

class RestorePrivilege : public ::testing::Test {
  protected:
    static std::uint64_t held(std::initializer_list<unsigned> capabilities) {
        std::uint64_t bits = 0;
        for (const unsigned capability : capabilities) {
            bits |= std::uint64_t{1} << capability;
        }
        return bits;
    }

    static Snapshot of(Thing thing) {
        Snapshot snapshot = emptySnapshot();
        snapshot.items = {{resource::Kind::mtu, "x", "a", std::move(thing)}};
        return snapshot;
    }

    // "" when nothing is missing.
    [[nodiscard]] std::string missing(const Snapshot& snapshot,
                                      std::uint64_t capabilities) const {
        const auto error = missingCapability(snapshot, platform_, capabilities);
        return error ? error->message() : std::string();
    }

    inventory::Platform platform_{.initialUserNamespace = true};
};

TEST_F(RestorePrivilege, is_what_the_things_of_the_snapshot_need_and_no_more) {
    const Snapshot network = of(Mtu{.link = sampleLink(), .bytes = 1500});
    EXPECT_EQ(missing(network, held({CAP_NET_ADMIN})), "");
    EXPECT_THAT(missing(network, held({CAP_SYS_ADMIN})), HasSubstr("CAP_NET_ADMIN"));
    const Snapshot registers = of(PciWord{});
    EXPECT_EQ(missing(registers, held({CAP_SYS_ADMIN})), "");
    EXPECT_THAT(missing(registers, held({CAP_NET_ADMIN})), HasSubstr("CAP_SYS_ADMIN"));
    EXPECT_EQ(missing(of(File{.path = "/etc/x", .content = {}}), 0), "");
}

TEST_F(RestorePrivilege, gives_files_away_as_a_whole_or_begins_nothing) {
    const auto file = [](uid_t user, gid_t group) {
        return of(File{.path = "/etc/x",
                       .content = FileContent{
                           .bytes = "", .owner = {.user = user, .group = group}}});
    };
    EXPECT_EQ(missing(file(0, 0), 0), "");
    EXPECT_EQ(missing(file(0, 7), held({CAP_CHOWN})), "");
    EXPECT_THAT(missing(file(0, 7), held({CAP_FOWNER})), HasSubstr("CAP_CHOWN"));
    EXPECT_EQ(missing(file(7, 7), held({CAP_CHOWN, CAP_FOWNER})), "");
    EXPECT_THAT(missing(file(7, 7), held({CAP_CHOWN})), HasSubstr("CAP_FOWNER"));
}

TEST_F(RestorePrivilege, of_another_user_namespace_counts_for_nothing) {
    platform_.initialUserNamespace = false;
    EXPECT_THAT(missing(of(Mtu{.link = sampleLink(), .bytes = 1500}), ~0ULL),
                HasSubstr("initial user namespace"));
}

}  // namespace
}  // namespace fabric::snapshot
