// SPDX-License-Identifier: Apache-2.0
#include "resource/service/environment_file.hpp"
#include "resource/service/service_fixture.hpp"

#include <cerrno>

namespace fabric::resource::service {
namespace {

using engine::ExitCode;
using engine::Outcome;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Pair;

constexpr const char* kWanted = "  environment: { MINIO_RDMA_INTERNODE: \"on\" }\n";
constexpr const char* kManaged =
    "  environment: { MINIO_RDMA_INTERNODE: \"on\" }\n  manage-environment: true\n";

class ServiceEnvironment : public ServiceFixture {
  protected:
    void environmentIs(const std::string& text) {
        host.files.addFile(kEnvironment, text);
    }
};

TEST_F(ServiceEnvironment, a_key_in_the_units_own_file_is_as_wanted) {
    EXPECT_EQ(outcome(check(kWanted), "environment"), Outcome::inSync);
}

TEST_F(ServiceEnvironment, S10_a_key_only_in_config_env_fails_and_says_why) {
    environmentIs("MINIO_VOLUMES=/data\n");
    host.files.addFile("/etc/minio/config.env", "export MINIO_RDMA_INTERNODE=on\n");
    const engine::Report report = apply(kWanted);
    EXPECT_EQ(outcome(report, "environment"), Outcome::failed);
    EXPECT_THAT(reason(report, "environment"),
                HasSubstr("only in /etc/minio/config.env"));
    EXPECT_THAT(of(report, "environment").assessment.fix,
                HasSubstr("/etc/default/minio"));
}

TEST_F(ServiceEnvironment, S10_the_late_file_is_the_one_that_the_unit_names) {
    environmentIs("MINIO_CONFIG_ENV_FILE=/srv/minio.env\n");
    host.files.addFile("/srv/minio.env", "MINIO_RDMA_INTERNODE=on\n");
    EXPECT_THAT(reason(check(kWanted), "environment"),
                HasSubstr("only in /srv/minio.env"));
}

TEST_F(ServiceEnvironment, S10_a_value_in_capitals_is_not_the_value) {
    environmentIs("MINIO_RDMA_INTERNODE=ON\n");
    const engine::Report report = apply(kWanted);
    EXPECT_EQ(outcome(report, "environment"), Outcome::failed);
    EXPECT_THAT(reason(report, "environment"),
                HasSubstr("MINIO_RDMA_INTERNODE is \"ON\" in /etc/default/minio: only "
                          "the exact text \"on\" counts"));
    EXPECT_EQ(of(report, "environment").assessment.found,
              Value(Value::Object{{"MINIO_RDMA_INTERNODE", "ON"}}));
}

TEST_F(ServiceEnvironment, a_later_file_wins_over_an_earlier_one) {
    host.files.addFile("/etc/systemd/system/minio.service.d/50-env.conf",
                       "[Service]\nEnvironmentFile=-/etc/minio.extra\n");
    host.services.daemonReload();
    EXPECT_EQ(outcome(check(kWanted), "environment"), Outcome::inSync);
    host.files.addFile("/etc/minio.extra", "MINIO_RDMA_INTERNODE=off\n");
    EXPECT_THAT(reason(check(kWanted), "environment"), HasSubstr("/etc/minio.extra"));
}

TEST_F(ServiceEnvironment, a_file_that_must_be_there_and_is_not_keeps_the_unit_down) {
    host.files.failRead(kEnvironment, EIO);
    EXPECT_EQ(outcome(check(kWanted), "environment"), Outcome::unreadable);
    host.files.failRead(kEnvironment, 0);
    host.files.erase(kEnvironment);
    const engine::Report report = check(kWanted);
    EXPECT_EQ(outcome(report, "environment"), Outcome::drifted);
    EXPECT_EQ(report.exitCode(), engine::ExitCode::differences);
    EXPECT_THAT(reason(report, "environment"),
                HasSubstr("does not start without its environment file "
                          "/etc/default/minio, which does not exist"));
    EXPECT_THAT(fix(report, "environment"), HasSubstr("put /etc/default/minio back"));
}

TEST_F(ServiceEnvironment, managed_variables_get_a_file_of_their_own) {
    environmentIs("MINIO_RDMA_INTERNODE=off\n");
    const engine::Report report = apply(kManaged);
    EXPECT_EQ(outcome(report, "environment"), Outcome::changed)
        << reason(report, "environment");
    EXPECT_THAT(host.files.content("/etc/fabricctl/minio.service.env"),
                HasSubstr("MINIO_RDMA_INTERNODE=\"on\"\n"));
    EXPECT_THAT(ours(),
                HasSubstr("EnvironmentFile=/etc/fabricctl/minio.service.env\n"));
    EXPECT_EQ(host.files.content(kEnvironment), "MINIO_RDMA_INTERNODE=off\n");
    host.services.start(kUnit);
    EXPECT_EQ(check(kManaged).exitCode(), ExitCode::asWanted);
}

TEST_F(ServiceEnvironment, a_managed_file_that_is_gone_is_made_again) {
    settle(kManaged);
    host.files.erase("/etc/fabricctl/minio.service.env");
    EXPECT_EQ(outcome(check(kManaged), "environment"), Outcome::drifted);
    EXPECT_EQ(outcome(apply(kManaged), "environment"), Outcome::changed);
    EXPECT_EQ(host.services.reloads, 0U);
}

TEST_F(ServiceEnvironment, a_managed_file_may_hold_secrets_and_only_root_reads_it) {
    constexpr const char* kFile = "/etc/fabricctl/minio.service.env";
    settle(kManaged);
    EXPECT_EQ(host.files.find(kFile)->mode, 0600U);
    host.files.find(kFile)->mode = 0644;
    EXPECT_EQ(outcome(check(kManaged), "environment"), Outcome::drifted);
    EXPECT_THAT(reason(check(kManaged), "environment"), HasSubstr("mode 0644"));
    EXPECT_EQ(outcome(apply(kManaged), "environment"), Outcome::changed);
    EXPECT_EQ(host.files.find(kFile)->mode, 0600U);
    host.files.find(kFile)->owner = 1234;
    EXPECT_THAT(reason(check(kManaged), "environment"), HasSubstr("uid 1234"));
    EXPECT_EQ(host.services.reloads, 0U);
}

TEST_F(ServiceEnvironment, differing_variables_of_a_managed_file_are_named_only) {
    constexpr const char* kTwo =
        "  environment: { MINIO_RDMA_INTERNODE: \"on\", MINIO_RDMA_DEBUG: \"off\" }\n"
        "  manage-environment: true\n";
    settle(kTwo);
    host.files.addFile("/etc/fabricctl/minio.service.env",
                       "MINIO_RDMA_INTERNODE=off\nMINIO_ROOT_PASSWORD=s3cret\n");
    const std::string why = reason(check(kTwo), "environment");
    EXPECT_THAT(why, HasSubstr("MINIO_RDMA_DEBUG is missing"));
    EXPECT_THAT(why, HasSubstr("MINIO_RDMA_INTERNODE has another value"));
    EXPECT_THAT(why, HasSubstr("MINIO_ROOT_PASSWORD is not of the profile"));
    EXPECT_THAT(why, ::testing::Not(HasSubstr("s3cret")));
}

TEST_F(ServiceEnvironment, a_report_tells_no_value_that_may_be_a_secret) {
    constexpr const char* kSecret =
        "  environment: { MINIO_ROOT_PASSWORD: \"s3cret\" }\n";
    environmentIs("MINIO_ROOT_PASSWORD=0ther\n");
    host.services.start(kUnit);
    const engine::Report report = check(kSecret);
    for (const char* property : {"environment", "process"}) {
        const Assessment& one = of(report, property).assessment;
        const std::string told = one.wanted.toText() + one.found.toText() + one.reason +
                                 one.fix + one.explanation;
        EXPECT_THAT(told, HasSubstr("MINIO_ROOT_PASSWORD"));
        EXPECT_THAT(told, HasSubstr("another value"));
        EXPECT_THAT(told, ::testing::Not(HasSubstr("s3cret"))) << property;
        EXPECT_THAT(told, ::testing::Not(HasSubstr("0ther"))) << property;
    }
}

TEST_F(ServiceEnvironment, a_managed_file_that_may_not_be_read_is_unreadable) {
    settle(kManaged);
    host.files.failRead("/etc/fabricctl/minio.service.env", EACCES);
    EXPECT_EQ(outcome(check(kManaged), "environment"), Outcome::unreadable);
}

TEST_F(ServiceEnvironment, a_later_drop_in_that_drops_our_file_is_named) {
    environmentIs("MINIO_RDMA_INTERNODE=off\n");
    host.files.addFile("/etc/systemd/system/minio.service.d/zz.conf",
                       "[Service]\nEnvironmentFile=\n"
                       "EnvironmentFile=/etc/default/minio\n");
    host.services.daemonReload();
    const engine::Report report = apply(kManaged);
    EXPECT_EQ(outcome(report, "environment"), Outcome::failed);
    EXPECT_THAT(of(report, "environment").assessment.fix, HasSubstr("zz.conf"));
}

TEST(ServiceEnvironmentFile, is_read_as_systemd_reads_it) {
    EXPECT_THAT(parseEnvironmentFile("# comment \\\nA=inside the comment\n"
                                     "B = \"x \\\"y\\\" \\n\"  \n"
                                     "C='a'\"b\"c  \n"
                                     "D=one\\\ntwo\n"
                                     "nothing\n"
                                     "; E=1\n"
                                     "F=\n"
                                     "G=last"),
                ElementsAre(Pair("B", "x \"y\" \\n"),
                            Pair("C", "abc"),
                            Pair("D", "onetwo"),
                            Pair("F", ""),
                            Pair("G", "last")));
}

// What systemd 252 itself makes of these lines.
TEST(ServiceEnvironmentFile, R6_quotes_and_blanks_behind_the_first_letter_are_letters) {
    EXPECT_THAT(parseEnvironmentFile("A=a\"b\"\n"
                                     "C=\"a\" \"b\"\n"
                                     "D=\"a\" b\n"
                                     "E='a'\\''b'\n"
                                     "F=x \\\n  y\n"
                                     "G=\"on\" # comment\n"
                                     "H=on # c\n"
                                     "L=a'b c'd\n"),
                ElementsAre(Pair("A", "a\"b\""),
                            Pair("C", "ab"),
                            Pair("D", "ab"),
                            Pair("E", "a''b'"),
                            Pair("F", "x   y"),
                            Pair("G", "on# comment"),
                            Pair("H", "on # c"),
                            Pair("L", "a'b c'd")));
}

TEST(ServiceEnvironmentFile, what_is_written_is_read_back) {
    const std::map<std::string, std::string> values{
        {"A", "plain"}, {"B", "a \"b\" $c `d` \\e"}, {"C", ""}};
    EXPECT_THAT(parseEnvironmentFile(renderEnvironmentFile(values)),
                ::testing::ElementsAreArray(values));
}

}  // namespace
}  // namespace fabric::resource::service
