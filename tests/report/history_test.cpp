// SPDX-License-Identifier: Apache-2.0
#include "report/history.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fabric::report {
namespace {

using engine::HistoryEntry;
using ::testing::HasSubstr;
using ::testing::Not;

HistoryEntry beginOf(const std::string& run, const std::string& time) {
    return {.time = time,
            .run = {.id = run,
                    .command = "apply",
                    .bootId = "b",
                    .user = 0,
                    .loginUser = 1000,
                    .process = 42,
                    .profile = {{.path = "/etc/p.yaml", .sha256 = "ab12"},
                                {.path = "/etc/base.yaml", .sha256 = "cd34"}}},
            .write = {},
            .end = {}};
}

HistoryEntry writeOf(const std::string& run, const std::string& rail) {
    HistoryEntry entry = beginOf(run, "2026-01-31T12:00:01.000Z");
    entry.write = engine::HistoryWrite{
        .step = rail == "rail0" ? 1U : 2U,
        .rail = rail,
        .summary = "set PFC priorities to [3]",
        .changes = {{.id = "dcb/" + rail + "/pfc",
                     .old = Value::List{},
                     .wanted = Value::List{3}}},
        .wrote = Value::Object{{"kind", "dcb"}, {"attributes", "00ff"}},
        .accepted = true,
        .sysErrno = 0,
        .message = ""};
    return entry;
}

HistoryEntry endOf(const std::string& run, const std::string& time) {
    HistoryEntry entry = beginOf(run, time);
    entry.end = engine::HistoryEnd{.exitCode = 3, .result = "partial", .lostLines = 2};
    return entry;
}

History sample() {
    return {.entries = {beginOf("A", "2026-01-31T12:00:00.000Z"),
                        writeOf("A", "rail0"),
                        writeOf("A", "rail1"),
                        endOf("A", "2026-01-31T12:00:02.000Z"),
                        beginOf("B", "2026-02-01T00:00:00.000Z"),
                        writeOf("B", "rail0")}};
}

std::string linesOf(const History& history) {
    std::string text;
    for (const HistoryEntry& entry : history.entries) {
        text += toHistoryLine(entry) + "\n";
    }
    return text;
}

TEST(HistoryLines, what_is_written_reads_back_as_the_same) {
    const History read = parseHistory(linesOf(sample()));
    EXPECT_EQ(read.entries, sample().entries);
    EXPECT_EQ(read.foreignLines, 0U);
    EXPECT_FALSE(read.tornLine);
}

TEST(HistoryLines, a_run_without_profile_or_login_reads_back_too) {
    HistoryEntry entry = beginOf("A", "t");
    entry.run.profile.clear();
    entry.run.loginUser.reset();
    EXPECT_EQ(parseHistory(toHistoryLine(entry) + "\n").entries.front(), entry);
}

TEST(HistoryLines, are_one_line_of_plain_ascii_whatever_they_tell) {
    HistoryEntry entry = writeOf("A", "a\nb\x1b[31m");
    entry.write->message = "\xff\xc2\x9b";
    const std::string line = toHistoryLine(entry);
    for (const char character : line) {
        EXPECT_GE(character, ' ');
        EXPECT_LT(character, 0x7f);
    }
    EXPECT_EQ(parseHistory(line + "\n").entries.size(), 1U);
}

TEST(HistoryLines, foreign_lines_are_counted_and_a_torn_one_is_told) {
    const std::string good = toHistoryLine(beginOf("A", "t")) + "\n";
    const std::string deep(200'000, '[');
    const History read = parseHistory(good + "\n{}\nnull\n" + deep + "\n" +
                                      R"({"schema":"fabricctl/history/2"})" + "\n" +
                                      good + good.substr(0, 30));
    EXPECT_EQ(read.entries.size(), 2U);
    EXPECT_EQ(read.foreignLines, 5U);
    EXPECT_TRUE(read.tornLine);
}

TEST(HistoryLines, what_a_crash_left_before_later_lines_is_torn_and_not_foreign) {
    const std::string good = toHistoryLine(writeOf("A", "rail0")) + "\n";
    for (const std::size_t length :
         {std::size_t{1}, std::size_t{30}, good.size() - 2}) {
        for (const std::string& zeros : {std::string(), std::string(4096, '\0')}) {
            const std::string torn = good.substr(0, length) + zeros;
            const History read = parseHistory(good + torn + "\n" + good, "h");
            EXPECT_EQ(read.foreignLines, 0U) << length;
            EXPECT_EQ(read.entries.size(), 2U) << length;
            EXPECT_EQ(read.tornLines,
                      (std::vector{TornLine{.file = "h", .byte = good.size()}}));
            EXPECT_FALSE(read.tornLine);
        }
    }
    EXPECT_EQ(parseHistory(std::string(9, '\0') + "\n").tornLines.size(), 1U);
    const std::vector<std::string> foreign{"",
                                           "x",
                                           "{\"schema\":\"other/1\"",
                                           good.substr(0, 40) + "\x1b",
                                           good.substr(1, 50),
                                           "{\"schema\":\"fabricctl/history/1\"}"};
    for (const std::string& line : foreign) {
        EXPECT_EQ(parseHistory(line + "\n" + good).foreignLines, 1U) << line;
    }
}

TEST(HistoryLines, a_torn_end_of_the_older_file_is_torn) {
    const std::string good = toHistoryLine(beginOf("A", "t")) + "\n";
    History all = parseHistory(good + good.substr(0, 9), "older");
    all.append(parseHistory(good, "now"));
    EXPECT_EQ(all.foreignLines, 0U);
    EXPECT_FALSE(all.tornLine);
    EXPECT_EQ(all.tornLines,
              (std::vector{TornLine{.file = "older", .byte = good.size()}}));
    EXPECT_THAT(toText(all, {}),
                HasSubstr(": older byte " + std::to_string(good.size())));
}

TEST(HistoryLines, what_a_restore_puts_back_and_what_waits_read_back) {
    HistoryEntry entry = beginOf("A", "t");
    entry.run.restores = "20261130T084512Z-000002";
    entry.run.confirmUntil = "2026-11-30T08:47:12Z";
    const History read = parseHistory(toHistoryLine(entry) + "\n");
    ASSERT_EQ(read.entries.size(), 1U);
    EXPECT_EQ(read.entries.front(), entry);
    const std::string text = toText(read, {});
    EXPECT_THAT(text, HasSubstr("puts back 20261130T084512Z-000002"));
    EXPECT_THAT(text, HasSubstr("undone at 2026-11-30T08:47:12Z"));
}

TEST(HistoryLines, a_number_where_text_belongs_is_a_foreign_line) {
    std::string line = toHistoryLine(beginOf("A", "t"));
    line.replace(line.find("\"apply\""), 7, "7");
    EXPECT_EQ(parseHistory(line + "\n").foreignLines, 1U);
}

TEST(HistoryLines, an_unknown_result_or_no_list_of_changes_is_a_foreign_line) {
    const std::string good = toHistoryLine(writeOf("A", "rail0"));
    std::string other = good;
    other.replace(other.find("\"accepted\""), 10, "\"perhaps\"");
    std::string none = good;
    const std::size_t begin = none.find("\"changes\":") + 10;
    none.replace(begin, none.find("],\"wrote\"") + 1 - begin, "null");
    EXPECT_EQ(parseHistory(other + "\n" + none + "\n").foreignLines, 2U);
}

TEST(HistoryLines, a_number_that_would_be_read_as_another_is_a_foreign_line) {
    const std::vector<std::pair<std::string, std::string>> changes{
        {"\"uid\":0", "\"uid\":4294967296"},
        {"\"uid\":0", "\"uid\":-1"},
        {"\"uid\":0", "\"uid\":false"},
        {"\"uid\":0", "\"uid\":1e300"},
        {"\"login_uid\":1000", "\"login_uid\":0.5"},
        {"\"pid\":42", "\"pid\":4294967338"},
        {"\"errno\":0", "\"errno\":4294967296"},
        {"\"step\":1", "\"step\":1.5"}};
    for (const auto& [from, to] : changes) {
        std::string line = toHistoryLine(writeOf("A", "rail0"));
        line.replace(line.find(from), from.size(), to);
        EXPECT_EQ(parseHistory(line + "\n").foreignLines, 1U) << to;
    }
    std::string end = toHistoryLine(endOf("A", "t"));
    end.replace(end.find("\"exit_code\":3"), 13, "\"exit_code\":true");
    EXPECT_EQ(parseHistory(end + "\n").foreignLines, 1U);
}

TEST(HistoryFilters, a_run_is_kept_whole_when_it_wrote_since_then) {
    using namespace std::chrono;
    const sys_seconds noon = sys_days(year(2026) / 1 / 31) + 12h + 2s;
    const History since = filtered(sample(), {.since = noon, .rail = {}, .run = {}});
    EXPECT_EQ(since.entries.size(), 6U);
    const History later =
        filtered(sample(), {.since = noon + 1ms, .rail = {}, .run = {}});
    EXPECT_EQ(later.entries.size(), 2U);
}

TEST(HistoryFilters, a_rail_leaves_its_writes_with_begin_and_end) {
    const History rail = filtered(sample(), {.since = {}, .rail = "rail1", .run = {}});
    ASSERT_EQ(rail.entries.size(), 3U);
    EXPECT_EQ(rail.entries[1].write->rail, "rail1");
    EXPECT_EQ(filtered(sample(), {.since = {}, .rail = {}, .run = "B"}).entries.size(),
              2U);
}

TEST(HistoryText, says_who_what_from_and_to_and_how_it_ended) {
    const std::string text = toText(sample(), {});
    EXPECT_THAT(text, HasSubstr("apply  A"));
    EXPECT_THAT(text, HasSubstr("login uid 1000"));
    EXPECT_THAT(text, HasSubstr("profile /etc/p.yaml (sha256 ab12)"));
    EXPECT_THAT(text, HasSubstr("dcb/rail0/pfc: [] -> [3]"));
    EXPECT_THAT(text, HasSubstr("partial, exit 3"));
    EXPECT_THAT(text, HasSubstr("2 of its lines could not be written"));
    EXPECT_THAT(text, HasSubstr("no end"));  // of run B
    EXPECT_THAT(text, Not(HasSubstr("attributes")));
    EXPECT_THAT(toText(sample(), {.verbose = true}), HasSubstr("attributes"));
}

TEST(HistoryText, who_confirmed_a_run_is_told_and_does_not_end_it) {
    History history = sample();
    std::erase_if(history.entries,
                  [](const auto& entry) { return entry.run.id != "B"; });
    ASSERT_FALSE(history.entries.empty());
    engine::HistoryEntry confirm = history.entries.front();
    confirm.write = {};
    confirm.end = {};
    confirm.run.command = "confirm";
    confirm.run.process += 1;
    confirm.run.user = 4711;
    history.entries.push_back(confirm);
    confirm.end = engine::HistoryEnd{.exitCode = 0, .result = "converged"};
    history.entries.push_back(confirm);
    const std::string text = toText(history, {});
    EXPECT_THAT(text, HasSubstr("confirm  B"));
    EXPECT_THAT(text, HasSubstr("uid 4711"));
    EXPECT_THAT(text, HasSubstr("no end")) << "the run that was confirmed was killed";
}

// The deadline alone is no word about what became of the wait.
TEST(HistoryText, what_became_of_a_wait_is_told_also_of_one_run) {
    const std::string deadline = "2026-01-31T12:10:00Z";
    HistoryEntry apply = endOf("A", "2026-01-31T12:00:02.000Z");
    apply.run.confirmUntil = deadline;
    const auto textWith = [&](const HistoryEntry& later) {
        return toText(filtered({.entries = {apply, later}}, {.run = "A"}), {});
    };
    HistoryEntry restore = endOf("R", "2026-01-31T12:05:00.000Z");
    restore.run.command = "restore";
    restore.run.restores = "A";
    EXPECT_THAT(textWith(restore),
                HasSubstr("undone in part only at 2026-01-31T12:05"));
    restore.end->exitCode = 0;
    EXPECT_THAT(textWith(restore), HasSubstr("undone at 2026-01-31T12:05:00.000Z"));
    EXPECT_THAT(textWith(restore), Not(HasSubstr("unless")));
    restore.run.bootId = "another";
    EXPECT_THAT(textWith(restore), HasSubstr("to be undone at " + deadline))
        << "a boot ended the wait; the restore may have been of a part";
    HistoryEntry confirm = endOf("A", "2026-01-31T12:06:00.000Z");
    confirm.run.command = "confirm";
    EXPECT_THAT(textWith(confirm), HasSubstr("confirmed at 2026-01-31T12:06:00.000Z"));
    EXPECT_THAT(textWith(beginOf("C", "t")), HasSubstr("unless it is confirmed"));
}

TEST(HistoryText, a_refused_write_is_shown_even_when_quiet) {
    History history = sample();
    history.entries[1].write->accepted = false;
    history.entries[1].write->message = "set PFC: Operation not permitted\x1b[31m";
    const std::string text = toText(history, {.quiet = true});
    EXPECT_THAT(text, HasSubstr("refused: set PFC: Operation not permitted\\x1b"));
    EXPECT_THAT(text, Not(HasSubstr("dcb/rail1/pfc")));
}

TEST(HistoryText, an_empty_history_says_so) {
    EXPECT_EQ(toText(History{}, {}), "no changes\n");
}

}  // namespace
}  // namespace fabric::report
