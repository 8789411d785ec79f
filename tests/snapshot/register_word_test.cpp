// SPDX-License-Identifier: Apache-2.0
#include "snapshot/register_word.hpp"

#include <gtest/gtest.h>

namespace fabric::snapshot {
namespace {

// Answers with fewer bytes than it was asked for.
class ShortAnswers : public host::PciReader {
  public:
    explicit ShortAnswers(std::size_t bytes) : bytes_(bytes) {}

    [[nodiscard]] Result<std::vector<host::PciFunction>> functions() const override {
        return std::vector<host::PciFunction>{};
    }

    [[nodiscard]] Result<std::vector<std::byte>> readConfig(
        PciAddress, std::uint16_t, std::uint16_t) const override {
        return std::vector<std::byte>(bytes_);
    }

  private:
    std::size_t bytes_;
};

TEST(RegisterWord, an_answer_cut_short_is_malformed_and_ends_no_run) {
    for (const std::size_t bytes : {0U, 1U}) {
        const auto value = readRegister(
            ShortAnswers(bytes), {}, {.capabilityId = 0x0D, .capability = 0x100});
        ASSERT_FALSE(value);
        EXPECT_EQ(value.error().kind, ErrorKind::malformed);
    }
}

}  // namespace
}  // namespace fabric::snapshot
