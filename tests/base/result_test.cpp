// SPDX-License-Identifier: Apache-2.0
#include "base/result.hpp"

#include <gtest/gtest.h>

#include <cerrno>
#include <memory>

namespace fabric {
namespace {

Result<std::unique_ptr<int>> makeNumber(bool works) {
    if (!works) {
        return fail(systemError("open", "/x", ENOENT));
    }
    return std::make_unique<int>(4);
}

Result<void> checkNumber(bool works) {
    const std::unique_ptr<int> number = TRY(makeNumber(works));
    return *number == 4 ? Result<void>{} : fail(Error{});
}

Result<int> twice(bool works) {
    TRY(checkNumber(works));
    return 8;
}

TEST(Result, try_passes_values_and_errors_through) {
    EXPECT_EQ(twice(true).value(), 8);
    const auto failed = twice(false);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().kind, ErrorKind::notFound);
}

TEST(Error, message_says_what_was_done_on_what_what_came_back_and_what_next) {
    Error error = systemError("set PFC", "eth4", EOPNOTSUPP);
    error.detail = "the driver has no DCB support";
    error.advice = "run fabricctl status";
    EXPECT_EQ(error.kind, ErrorKind::unsupported);
    EXPECT_EQ(
        error.message(),
        "set PFC on eth4: Operation not supported (the driver has no DCB support); "
        "run fabricctl status");
}

TEST(Error, an_action_that_ends_with_a_preposition_takes_its_subject_as_it_is) {
    EXPECT_EQ(systemError("ask systemd about", "minio.service", ETIMEDOUT).message(),
              "ask systemd about minio.service: Connection timed out");
    EXPECT_EQ(systemError("look at", "/x", ENOENT).message(),
              "look at /x: No such file or directory");
    EXPECT_EQ(systemError("reformat", "/x", ENOENT).message(),
              "reformat on /x: No such file or directory");
}

}  // namespace
}  // namespace fabric
