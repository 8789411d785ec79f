// SPDX-License-Identifier: Apache-2.0
#include "base/quantity.hpp"

#include <gtest/gtest.h>

namespace fabric {
namespace {

TEST(Bounded, refuses_numbers_outside_its_range) {
    EXPECT_TRUE(Priority::from(7));
    EXPECT_FALSE(Priority::from(8));
    EXPECT_FALSE(Priority::from(-1));
    EXPECT_TRUE(Dscp::from(63));
    EXPECT_FALSE(Dscp::from(64));
    EXPECT_FALSE(Dscp::from(std::int64_t{1} << 40));
}

}  // namespace
}  // namespace fabric
