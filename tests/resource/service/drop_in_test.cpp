// SPDX-License-Identifier: Apache-2.0
#include "resource/service/drop_in.hpp"

#include "resource/service/exec_line.hpp"
#include "resource/service/service_fixture.hpp"

#include <cerrno>

namespace fabric::resource::service {
namespace {

using engine::ExitCode;
using engine::Outcome;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

class ServiceDropIn : public ServiceFixture {};

TEST_F(ServiceDropIn, keeps_the_arguments_and_replaces_only_the_program) {
    const engine::Report report = apply();
    EXPECT_THAT(ours(),
                HasSubstr("[Service]\n"
                          "ExecStart=\n"
                          "ExecStart=/usr/local/bin/minio.rdma server "
                          "$MINIO_OPTS $MINIO_VOLUMES\n"
                          "LimitMEMLOCK=infinity\n"));
    EXPECT_EQ(outcome(report, "drop-in"), Outcome::changed);
    EXPECT_EQ(outcome(report, "exec-start"), Outcome::changed);
    EXPECT_EQ(outcome(report, "limit-memlock"), Outcome::changed);
    EXPECT_EQ(host.services.reloads, 1U);
    EXPECT_EQ(host.files.find(kOurs)->mode, 0644U);
}

TEST_F(ServiceDropIn, a_second_apply_writes_nothing_and_reloads_nothing) {
    settle();
    const engine::Report report = apply();
    EXPECT_EQ(report.exitCode(), ExitCode::asWanted);
    EXPECT_FALSE(report.changed);
    EXPECT_THAT(host.files.writes(), IsEmpty());
    EXPECT_EQ(host.services.reloads, 0U);
}

TEST_F(ServiceDropIn, check_writes_nothing) {
    const engine::Report report = check();
    EXPECT_EQ(report.exitCode(), ExitCode::differences);
    EXPECT_THAT(host.files.writes(), IsEmpty());
    EXPECT_EQ(host.services.reloads, 0U);
    EXPECT_EQ(of(report, "drop-in").assessment.fix, "fabricctl apply profile.yaml");
}

TEST_F(ServiceDropIn, S03_the_command_list_is_emptied_first) {
    static_cast<void>(apply());
    const std::size_t reset = ours().find("ExecStart=\n");
    ASSERT_NE(reset, std::string::npos);
    EXPECT_LT(reset, ours().find("ExecStart=/"));
    EXPECT_EQ(host.services.unit(kUnit)->loadState, "loaded");
}

TEST_F(ServiceDropIn, S03_a_unit_that_does_not_load_gets_its_old_drop_in_back) {
    settle();
    const std::string before = ours();
    // A second command that ours does not reset: systemd refuses the unit.
    host.files.addFile(std::string(kDropIns) + "/95-second.conf",
                       "[Service]\nExecStart=/bin/true\n");
    const engine::Report report = apply("  limit-memlock: 64GiB\n");
    EXPECT_EQ(ours(), before);
    EXPECT_EQ(outcome(report, "limit-memlock"), Outcome::failed);
    EXPECT_THAT(reason(report, "limit-memlock"), HasSubstr("bad-setting"));
    EXPECT_THAT(reason(report, "limit-memlock"), HasSubstr("is back"));
    EXPECT_EQ(host.services.reloads, 2U);
}

TEST_F(ServiceDropIn, S03_a_first_drop_in_that_does_not_load_is_taken_away) {
    host.files.addFile(std::string(kDropIns) + "/95-second.conf",
                       "[Service]\nExecStart=/bin/true\n");
    host.services.daemonReload();
    const engine::Report report = apply();
    EXPECT_FALSE(host.files.exists(kOurs));
    EXPECT_EQ(outcome(report, "drop-in"), Outcome::failed);
    EXPECT_EQ(report.exitCode(), ExitCode::someFailed);
}

TEST_F(ServiceDropIn, S06_every_assert_is_made_again_with_the_program_replaced) {
    static_cast<void>(apply());
    EXPECT_THAT(ours(),
                HasSubstr("[Unit]\n"
                          "AssertFileIsExecutable=\n"
                          "AssertFileIsExecutable=/usr/local/bin/minio.rdma\n"
                          "AssertFileNotEmpty=/etc/default/minio\n"));
    const auto unit = host.services.unit(kUnit);
    ASSERT_EQ(unit->asserts.size(), 2U);
    EXPECT_EQ(unit->asserts.front().parameter, kRdma);
}

TEST_F(ServiceDropIn, S07_a_drop_in_that_systemd_has_not_read_is_reloaded) {
    settle();
    const std::string text = ours();
    host.files.erase(kOurs);
    host.services.daemonReload();
    host.files.addFile(kOurs, text);
    ASSERT_FALSE(host.services.unit(kUnit)->needDaemonReload);
    EXPECT_EQ(outcome(check(), "drop-in"), Outcome::drifted);
    EXPECT_THAT(reason(check(), "drop-in"), HasSubstr("has not read"));
    const engine::Report report = apply();
    EXPECT_EQ(outcome(report, "drop-in"), Outcome::changed);
    EXPECT_EQ(host.services.reloads, 1U);
    EXPECT_THAT(host.files.writes(), IsEmpty());
}

TEST_F(ServiceDropIn, S07_need_daemon_reload_is_drift) {
    settle();
    host.files.addFile(kPackaged, host.files.content(kPackaged) + "# upgraded\n");
    EXPECT_THAT(reason(check(), "drop-in"),
                HasSubstr("changed after systemd read them"));
    EXPECT_EQ(outcome(apply(), "drop-in"), Outcome::changed);
    EXPECT_EQ(check().exitCode(), ExitCode::asWanted);
}

TEST_F(ServiceDropIn, S07_a_reload_that_reads_nothing_is_a_failure) {
    host.services.deafReload = true;
    static_cast<void>(host.services.unit(kUnit));
    const engine::Report report = apply();
    EXPECT_EQ(outcome(report, "drop-in"), Outcome::failed);
    EXPECT_EQ(outcome(report, "exec-start"), Outcome::failed);
}

TEST_F(ServiceDropIn, an_upgrade_that_adds_an_argument_reaches_the_drop_in) {
    settle();
    std::string packaged = host.files.content(kPackaged);
    packaged.replace(packaged.find("$MINIO_OPTS"), 0, "--new-flag ");
    host.files.addFile(kPackaged, packaged);
    host.services.daemonReload();
    EXPECT_EQ(outcome(check(), "drop-in"), Outcome::drifted);
    static_cast<void>(apply());
    EXPECT_THAT(ours(), HasSubstr("minio.rdma server --new-flag $MINIO_OPTS"));
    EXPECT_EQ(outcome(check(), "drop-in"), Outcome::inSync);
}

TEST_F(ServiceDropIn, an_earlier_drop_in_of_others_is_kept) {
    host.files.addFile(std::string(kDropIns) + "/10-site.conf",
                       "[Service]\nExecStart=\n"
                       "ExecStart=/usr/local/bin/minio server --site $MINIO_VOLUMES\n");
    host.services.daemonReload();
    static_cast<void>(apply());
    EXPECT_THAT(ours(), HasSubstr("minio.rdma server --site $MINIO_VOLUMES\n"));
}

TEST_F(ServiceDropIn, a_hand_edit_is_undone) {
    settle();
    host.files.addFile(kOurs, ours() + "Nice=5\n");
    EXPECT_EQ(outcome(check(), "drop-in"), Outcome::drifted);
    static_cast<void>(apply());
    EXPECT_THAT(ours(), Not(HasSubstr("Nice")));
}

TEST_F(ServiceDropIn, a_read_only_etc_is_said_and_leaves_the_old_file) {
    settle();
    const std::string before = ours();
    host.files.failWrite(kOurs, EROFS);
    const engine::Report report = apply("  limit-memlock: 64GiB\n");
    EXPECT_EQ(outcome(report, "limit-memlock"), Outcome::failed);
    EXPECT_THAT(reason(report, "limit-memlock"), HasSubstr("Read-only file system"));
    EXPECT_EQ(ours(), before);
    EXPECT_EQ(host.services.reloads, 0U);
}

TEST_F(ServiceDropIn, a_full_disk_and_a_forbidden_write_leave_the_old_file) {
    for (const int error : {ENOSPC, EPERM}) {
        settle();
        const std::string before = ours();
        host.files.failWrite(kOurs, error);
        EXPECT_EQ(outcome(apply("  limit-memlock: 64GiB\n"), "drop-in"),
                  Outcome::failed);
        EXPECT_EQ(ours(), before);
        host.files.failWrite(kOurs, 0);
    }
}

TEST_F(ServiceDropIn, a_reload_without_an_answer_puts_the_old_file_back) {
    settle();
    const std::string before = ours();
    host.services.reloadFault = Error{.kind = ErrorKind::timeout,
                                      .action = "reload",
                                      .subject = "systemd",
                                      .sysErrno = 0,
                                      .detail = "no reply",
                                      .advice = {}};
    const engine::Report report = apply("  limit-memlock: 64GiB\n");
    EXPECT_EQ(outcome(report, "drop-in"), Outcome::failed);
    EXPECT_THAT(reason(report, "drop-in"), HasSubstr("no reply"));
    EXPECT_EQ(ours(), before);
    EXPECT_EQ(host.services.reloads, 1U);  // not a second wait
}

TEST(ServiceMakeDropIn, a_value_that_ends_with_a_backslash_is_refused) {
    const profile::ServiceSettings settings;
    const auto made = [&](const std::string& exec, const std::string& assertion) {
        return makeDropIn(settings,
                          {.execStart = {exec},
                           .asserts = {{"AssertPathExists", assertion}},
                           .conditions = {}});
    };
    EXPECT_THAT(made("/bin/minio server", "/data").refusal, IsEmpty());
    for (const WantedDropIn& wanted :
         {made("/bin/minio server \\", "/data"), made("/bin/minio", "/data\\")}) {
        EXPECT_THAT(wanted.refusal, HasSubstr("backslash"));
        EXPECT_THAT(wanted.text, IsEmpty()) << "the next line would be joined to it";
    }
}

TEST(ServiceExecLine, prefixes_quotes_and_the_rest_are_kept) {
    const auto line = parseExecLine("-@\"/opt/my minio\" minio  --a=\"x y\" $OPTS");
    ASSERT_TRUE(line);
    EXPECT_EQ(line->words.front().text, "/opt/my minio");
    EXPECT_TRUE(line->namesItself());
    EXPECT_EQ(withProgram(*line, 0, "/opt/r dma"),
              "-@\"/opt/r dma\" minio  --a=\"x y\" $OPTS");
    EXPECT_FALSE(line->plain());
    EXPECT_TRUE(parseExecLine("/bin/a --b $C")->plain());
    EXPECT_EQ(line->command(),
              (std::vector<std::string>{"/opt/my minio", "--a=x y", "$OPTS"}));
    EXPECT_EQ(withProgram(*line, 1, "/opt/$x"),
              "-@\"/opt/my minio\" minio  /opt/$$x $OPTS");
    EXPECT_FALSE(parseExecLine("/bin/a %i")->plain());
}

TEST(ServiceExecLine, several_commands_and_open_quotes_are_none) {
    EXPECT_FALSE(parseExecLine("/bin/a ; /bin/b"));
    EXPECT_FALSE(parseExecLine("\"/bin/a"));
    EXPECT_FALSE(parseExecLine("-"));
    EXPECT_FALSE(parseExecLine(""));
    EXPECT_TRUE(parseExecLine("/bin/a \\; \";\" /bin/b"));
}

TEST(ServiceExecLine, a_word_goes_on_behind_its_quote) {
    EXPECT_EQ(parseExecLine("\"/opt/minio\"x server")->words.front().text,
              "/opt/miniox");
    EXPECT_EQ(parseExecLine("'/opt/minio'\"x\"")->words.front().text, "/opt/miniox");
    EXPECT_EQ(parseExecLine("\"/opt/minio\"\tserver")->words.size(), 2U);
}

TEST(ServiceExecLine, a_percent_sign_is_doubled) {
    EXPECT_EQ(quotedWord("/opt/100%"), "/opt/100%%");
}

TEST(ServiceUnitFile, R7_of_two_backslashes_at_the_end_none_joins_lines) {
    const auto settings =
        parseUnitFile("[Service]\nExecStart=/bin/a \\\\\nNice=5\nA=b \\\\\\\nc\n");
    ASSERT_EQ(settings.size(), 3U);
    EXPECT_EQ(settings[0].value, "/bin/a \\\\");
    EXPECT_EQ(settings[1], (UnitSetting{"Service", "Nice", "5"}));
    EXPECT_EQ(settings[2].value, "b \\\\ c");
}

TEST(ServiceMakeDropIn, R7_blanks_behind_the_marks_of_a_check_are_not_its_path) {
    const profile::ServiceSettings settings;
    const WantedDropIn made =
        makeDropIn(settings,
                   {.execStart = {"/usr/local/bin/minio server"},
                    .asserts = {{"AssertFileIsExecutable", "| /usr/local/bin/minio"}},
                    .conditions = {}});
    EXPECT_THAT(made.text,
                HasSubstr("AssertFileIsExecutable=| /usr/local/bin/minio.rdma\n"));
}

TEST(ServiceUnitFile, a_byte_order_mark_hides_no_section) {
    const auto settings = parseUnitFile("\xEF\xBB\xBF[Service]\nLimitMEMLOCK=8M\n");
    ASSERT_EQ(settings.size(), 1U);
    EXPECT_EQ(settings.front().section, "Service");
}

TEST(ServiceUnitFile, joined_lines_comments_and_resets) {
    const auto settings = parseUnitFile(
        "[Service]\n"
        "ExecStart=/bin/a \\\n"
        "# in between\n"
        "  --x\n"
        "; note\n"
        "  Key = v \n");
    ASSERT_EQ(settings.size(), 2U);
    EXPECT_EQ(settings[0].value, "/bin/a    --x");
    EXPECT_EQ(settings[1], (UnitSetting{"Service", "Key", "v"}));
    const UnitLists lists =
        mergeLists({{.path = "a",
                     .settings = parseUnitFile("[Unit]\nAssertPathExists=/x\n"
                                               "[Service]\nExecStart=/bin/a\n")},
                    {.path = "b",
                     .settings = parseUnitFile("[Unit]\nAssertFileNotEmpty=\n"
                                               "[Service]\nExecStart=\n")}});
    EXPECT_THAT(lists.asserts, IsEmpty());
    EXPECT_THAT(lists.execStart, IsEmpty());
}

}  // namespace
}  // namespace fabric::resource::service
