// SPDX-License-Identifier: Apache-2.0
#include "linux/service_log_search.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <cstdint>
#include <string>
#include <vector>

namespace fabric::linux_host {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr std::array<std::string_view, 2> kWords{"RDMA:", "IBV_WC_"};

// Entries in memory, one each microsecond, from 100 on.
class Written : public LineSource {
  public:
    explicit Written(std::vector<std::string> messages)
        : messages_(std::move(messages)) {}

    Result<std::optional<host::ServiceLine>> next() override {
        ++looked;
        if (looked == failAt) {
            return fail(systemError("read the journal", "", EBADMSG));
        }
        return at_ < messages_.size() ? lineAt(at_++) : std::nullopt;
    }

    Result<void> toEnd() override {
        at_ = messages_.size();
        return {};
    }

    Result<std::optional<host::ServiceLine>> previous() override {
        ++looked;
        return at_ > 0 ? lineAt(--at_) : std::nullopt;
    }

    std::size_t looked = 0;
    std::size_t failAt = 0;

  private:
    std::optional<host::ServiceLine> lineAt(std::size_t at) const {
        return host::ServiceLine{.message = messages_[at], .monotonicUs = 100 + at};
    }

    std::vector<std::string> messages_;
    std::size_t at_ = 0;
};

std::vector<std::string> messagesOf(const host::ServiceLines& found) {
    std::vector<std::string> messages;
    for (const host::ServiceLine& line : found.lines) {
        messages.push_back(line.message);
    }
    return messages;
}

TEST(ServiceLogSearch, only_lines_with_one_of_the_words_are_kept_in_their_order) {
    Written source({"RDMA: a", "other", "x IBV_WC_RETRY_EXC_ERR", "rdma: b"});
    const auto found = searchLines(source, 0, kWords, {}).value();
    EXPECT_THAT(messagesOf(found), ElementsAre("RDMA: a", "x IBV_WC_RETRY_EXC_ERR"));
    EXPECT_THAT(found.gap, IsEmpty());
}

TEST(ServiceLogSearch, what_was_written_before_is_left_out) {
    Written source({"RDMA: former process", "RDMA: this one"});
    EXPECT_THAT(messagesOf(searchLines(source, 101, kWords, {}).value()),
                ElementsAre("RDMA: this one"));
}

TEST(ServiceLogSearch, of_too_much_the_begin_and_the_end_are_searched_and_it_is_said) {
    std::vector<std::string> messages(1000, "chatter");
    messages.front() = "RDMA: first";
    messages[500] = "RDMA: middle";
    messages[997] = "RDMA: last but one";
    messages[999] = "RDMA: last";
    Written source(messages);
    const auto found = searchLines(source, 0, kWords, {.entries = 100}).value();
    EXPECT_THAT(messagesOf(found),
                ElementsAre("RDMA: first", "RDMA: last but one", "RDMA: last"));
    EXPECT_THAT(found.gap, HasSubstr("only the begin and the end"));
    EXPECT_LE(source.looked, 200U);
}

TEST(ServiceLogSearch, two_ends_that_meet_leave_no_gap_and_tell_nothing_twice) {
    std::vector<std::string> messages(150, "RDMA: line");
    Written source(messages);
    const auto found =
        searchLines(source, 0, kWords, {.entries = 100, .lines = 1000}).value();
    EXPECT_EQ(found.lines.size(), 150U);
    EXPECT_THAT(found.gap, IsEmpty());
}

TEST(ServiceLogSearch, lines_that_are_kept_are_bounded) {
    Written source(std::vector<std::string>(5000, "RDMA: again"));
    const auto found = searchLines(source, 0, kWords, {.lines = 10}).value();
    EXPECT_EQ(found.lines.size(), 20U);
    EXPECT_THAT(found.gap, HasSubstr("only the begin and the end"));
}

TEST(ServiceLogSearch, time_is_bounded) {
    Written source(std::vector<std::string>(5000, "chatter"));
    const auto found =
        searchLines(source, 0, kWords, {.time = std::chrono::milliseconds(0)}).value();
    EXPECT_EQ(source.looked, 0U);
    EXPECT_THAT(found.gap, HasSubstr("only the begin and the end"));
}

TEST(ServiceLogSearch, what_cannot_be_read_is_an_error_and_no_silence) {
    Written source({"RDMA: a", "RDMA: b"});
    source.failAt = 2;
    EXPECT_EQ(searchLines(source, 0, kWords, {}).error().sysErrno, EBADMSG);
}

}  // namespace
}  // namespace fabric::linux_host
