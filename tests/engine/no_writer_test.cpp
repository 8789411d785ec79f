// SPDX-License-Identifier: Apache-2.0
// Linked against the reading libraries only. That this program links proves that plan,
// check and status need no code that writes; that it runs proves that nothing is left
// undefined.
#include "engine/run.hpp"
#include "engine/status.hpp"
#include "fake/fake_host.hpp"
#include "profile/load.hpp"

#include <gtest/gtest.h>

namespace fabric::engine {
namespace {

TEST(NoWriter, plan_check_and_status_link_without_a_writer) {
    fake::FakeHost host;
    const auto profile =
        profile::parse("version: 1\nname: t\nmtu: 9000\nacs: {}\n", "p.yaml");
    ASSERT_TRUE(profile);
    EXPECT_EQ(plan(host.reader(), *profile, {}).command, "plan");
    EXPECT_EQ(check(host.reader(), *profile, {}).command, "check");
    EXPECT_FALSE(observeStatus(host.reader(), "").stopped);
}

}  // namespace
}  // namespace fabric::engine
