// SPDX-License-Identifier: Apache-2.0
// What systemd has in force, against what our file says.
#include "resource/service/service_fixture.hpp"

#include <cerrno>

namespace fabric::resource::service {
namespace {

using engine::ExitCode;
using engine::Outcome;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class ServiceEffective : public ServiceFixture {};

TEST_F(ServiceEffective, S01_a_later_drop_in_that_wins_is_a_failure_and_is_named) {
    const std::string winner = "/usr/lib/systemd/system/minio.service.d/zz-vendor.conf";
    host.files.addFile(
        winner, "[Service]\nExecStart=\nExecStart=/usr/local/bin/minio server\n");
    host.services.daemonReload();
    const engine::Report report = apply();
    EXPECT_EQ(report.exitCode(), ExitCode::someFailed);
    EXPECT_EQ(outcome(report, "exec-start"), Outcome::failed);
    EXPECT_THAT(reason(report, "exec-start"), HasSubstr(winner));
    EXPECT_THAT(of(report, "exec-start").assessment.fix, HasSubstr(winner));
    EXPECT_EQ(outcome(report, "limit-memlock"), Outcome::changed);
    // Nothing more can be done: the next run writes nothing and still fails.
    host.files.forgetWrites();
    EXPECT_EQ(outcome(apply(), "exec-start"), Outcome::failed);
    EXPECT_THAT(host.files.writes(), IsEmpty());
    EXPECT_EQ(outcome(check(), "exec-start"), Outcome::drifted);
}

TEST_F(ServiceEffective, S01_a_later_drop_in_that_sets_something_else_is_no_matter) {
    host.files.addFile("/usr/lib/systemd/system/minio.service.d/zz-vendor.conf",
                       "[Service]\nNice=5\n");
    host.services.daemonReload();
    EXPECT_EQ(outcome(apply(), "exec-start"), Outcome::changed);
}

TEST_F(ServiceEffective, S02_a_full_copy_in_etc_is_found) {
    host.files.addFile("/etc/systemd/system/minio.service",
                       host.files.content(kPackaged));
    host.services.daemonReload();
    const engine::Report report = check();
    const auto found = finding(report, "service.shadowed-unit");
    ASSERT_TRUE(found);
    EXPECT_THAT(found->evidence, HasSubstr(kPackaged));
    EXPECT_THAT(found->fix, HasSubstr("rm /etc/systemd/system/minio.service"));
}

TEST_F(ServiceEffective, S02_a_unit_that_exists_only_in_etc_hides_nothing) {
    host.files.addFile("/etc/systemd/system/minio.service",
                       host.files.content(kPackaged));
    host.files.erase(kPackaged);
    host.services.daemonReload();
    EXPECT_FALSE(finding(check(), "service.shadowed-unit"));
}

TEST_F(ServiceEffective, S05_a_low_soft_limit_below_an_unlimited_hard_one_fails) {
    host.files.addFile("/run/systemd/system/minio.service.d/99-limit.conf",
                       "[Service]\nLimitMEMLOCK=8388608:infinity\n");
    host.services.daemonReload();
    const engine::Report report = apply();
    EXPECT_EQ(outcome(report, "limit-memlock"), Outcome::failed);
    EXPECT_EQ(of(report, "limit-memlock").assessment.found,
              Value(Value::Object{{"hard", "infinity"}, {"soft", 8388608}}));
    EXPECT_THAT(reason(report, "limit-memlock"), HasSubstr("99-limit.conf"));
}

TEST_F(ServiceEffective, S08_a_binary_that_is_not_the_rdma_build_is_refused) {
    answer(kRdma, "minio version RELEASE\n");
    const engine::Report report = apply();
    EXPECT_EQ(outcome(report, "drop-in"), Outcome::failed);
    EXPECT_THAT(reason(report, "drop-in"),
                HasSubstr("does not print \"GPU-Direct RDMA\""));
    EXPECT_FALSE(host.files.exists(kOurs));
    EXPECT_EQ(host.services.reloads, 0U);
    EXPECT_EQ(report.exitCode(), ExitCode::someFailed);
}

TEST_F(ServiceEffective, S08_the_program_is_asked_as_the_services_user) {
    static_cast<void>(check());
    EXPECT_THAT(host.programs.asked,
                ::testing::ElementsAre("/usr/local/bin/minio.rdma as minio-user"));
}

TEST_F(ServiceEffective, S08_a_missing_or_unexecutable_binary_is_refused) {
    host.files.find(kRdma)->mode = 0644;
    EXPECT_THAT(reason(apply(), "drop-in"), HasSubstr("not an executable file"));
    host.files.erase(kRdma);
    EXPECT_THAT(reason(apply(), "drop-in"), HasSubstr("does not exist"));
    EXPECT_FALSE(host.files.exists(kOurs));
    EXPECT_THAT(host.programs.asked, IsEmpty());
}

TEST_F(ServiceEffective, a_unit_with_a_root_of_its_own_is_refused_and_not_misjudged) {
    const std::string dropIn = std::string(kDropIns) + "/10-root.conf";
    host.files.addFile(dropIn, "[Service]\nRootDirectory=/srv/minio\n");
    host.services.daemonReload();
    const engine::Report report = apply();
    EXPECT_THAT(reason(report, "drop-in"),
                HasSubstr("RootDirectory= in " + dropIn + " gives the unit a root"));
    EXPECT_THAT(fix(report, "drop-in"), HasSubstr("service.binary: null"));
    EXPECT_FALSE(host.files.exists(kOurs));
    host.files.addFile(dropIn, "[Service]\nRootDirectory=/\n");
    host.services.daemonReload();
    EXPECT_EQ(outcome(apply(), "drop-in"), Outcome::changed) << "that is no other root";
}

TEST_F(ServiceEffective, a_directory_as_binary_is_not_made_executable) {
    host.files.erase(kRdma);
    host.files.addDirectory(kRdma).mode = 0755;
    const engine::Report report = check();
    EXPECT_THAT(reason(report, "drop-in"), HasSubstr("minio.rdma is a directory"));
    EXPECT_THAT(fix(report, "drop-in"), HasSubstr("service.binary"));
    EXPECT_THAT(fix(report, "drop-in"), ::testing::Not(HasSubstr("chmod")));
}

TEST_F(ServiceEffective, a_binary_that_is_deleted_later_is_found) {
    settle();
    host.files.erase(kRdma);
    const engine::Report report = check();
    EXPECT_EQ(outcome(report, "exec-start"), Outcome::failed);
    EXPECT_THAT(of(report, "exec-start").assessment.fix, HasSubstr("install"));
}

TEST_F(ServiceEffective,
       S09_a_standard_binary_that_is_a_link_to_the_rdma_one_is_found) {
    host.files.erase(kStandard);
    host.files.addLink(kStandard, kRdma);
    const auto found = finding(check(), "service.repointed-program");
    ASSERT_TRUE(found);
    EXPECT_THAT(found->summary, HasSubstr("upgrade"));
    static_cast<void>(apply());
    EXPECT_TRUE(finding(check(), "service.repointed-program"));
    EXPECT_EQ(outcome(check(), "exec-start"), Outcome::inSync);
}

TEST_F(ServiceEffective, a_unit_that_does_not_exist_is_named) {
    host.files.erase(kPackaged);
    host.services.daemonReload();
    const engine::Report seen = check();
    EXPECT_EQ(outcome(seen, "drop-in"), Outcome::drifted);
    EXPECT_THAT(reason(seen, "drop-in"), HasSubstr("knows no unit minio.service"));
    const engine::Report report = apply();
    EXPECT_EQ(outcome(report, "drop-in"), Outcome::failed);
    EXPECT_THAT(host.files.writes(), IsEmpty());
}

TEST_F(ServiceEffective, a_masked_unit_is_named) {
    host.services.masked.insert(kUnit);
    host.services.daemonReload();
    EXPECT_EQ(of(check(), "drop-in").assessment.fix, "systemctl unmask minio.service");
}

TEST_F(ServiceEffective, B3_a_mask_in_run_is_taken_away_in_run) {
    host.files.erase(kPackaged);
    host.files.addFile("/run/systemd/system/minio.service", "");
    host.services.masked.insert(kUnit);
    host.services.daemonReload();
    EXPECT_EQ(of(check(), "drop-in").assessment.fix,
              "systemctl unmask --runtime minio.service");
}

TEST_F(ServiceEffective, B5_a_binary_that_the_user_may_not_run_needs_another_mode) {
    host.programs.answers.insert_or_assign(std::string(kRdma),
                                           fail(systemError("run", kRdma, EACCES)));
    const engine::Report report = check();
    EXPECT_THAT(reason(report, "exec-start"), HasSubstr("Permission denied"));
    EXPECT_THAT(of(report, "exec-start").assessment.fix,
                HasSubstr("chmod 755 /usr/local/bin/minio.rdma; minio-user"));
    host.programs.answers.insert_or_assign(std::string(kRdma),
                                           fail(systemError("run", kRdma, EIO)));
    EXPECT_THAT(of(check(), "exec-start").assessment.fix,
                HasSubstr("install the RDMA"));
}

TEST_F(ServiceEffective, B8_a_drop_in_that_is_as_wanted_does_not_fail_for_its_program) {
    settle();
    host.files.find(kRdma)->mode = 0644;
    const engine::Report report = check();
    EXPECT_EQ(outcome(report, "drop-in"), Outcome::inSync);
    EXPECT_EQ(outcome(report, "exec-start"), Outcome::failed);
    EXPECT_EQ(report.exitCode(), ExitCode::someFailed);
}

TEST_F(ServiceEffective, B8_a_look_says_of_nothing_that_it_is_not_written) {
    host.files.find(kRdma)->mode = 0644;
    const engine::Report report = check();
    EXPECT_EQ(outcome(report, "drop-in"), Outcome::failed);
    EXPECT_EQ(reason(report, "drop-in"),
              "/usr/local/bin/minio.rdma is not an executable file");
    for (const engine::ResourceReport& resource : report.resources) {
        EXPECT_THAT(resource.assessment.reason, ::testing::Not(HasSubstr("written")));
    }
}

TEST_F(ServiceEffective, without_an_answer_from_systemd_nothing_is_written) {
    for (const ErrorKind kind :
         {ErrorKind::notFound, ErrorKind::timeout, ErrorKind::malformed}) {
        host.services.unitFault = Error{.kind = kind,
                                        .action = "ask systemd about",
                                        .subject = kUnit,
                                        .sysErrno = 0,
                                        .detail = "no system bus",
                                        .advice = "start dbus.socket"};
        const engine::Report report = apply();
        EXPECT_EQ(report.exitCode(), ExitCode::unverifiable);
        EXPECT_EQ(outcome(report, "drop-in"), Outcome::unreadable);
        EXPECT_THAT(reason(report, "drop-in"), HasSubstr("no system bus"));
        EXPECT_THAT(host.files.writes(), IsEmpty());
    }
}

TEST_F(ServiceEffective, what_the_profile_does_not_own_is_left_alone) {
    const std::string limitOnly = "  binary: null\n  require-feature: null\n";
    static_cast<void>(apply(limitOnly));
    EXPECT_THAT(ours(), HasSubstr("LimitMEMLOCK=infinity"));
    EXPECT_THAT(ours(), ::testing::Not(HasSubstr("ExecStart")));
    EXPECT_THAT(host.programs.asked, IsEmpty());
}

TEST_F(ServiceEffective, other_programs_arguments_are_compared_too) {
    settle();
    host.files.addFile("/etc/systemd/system/minio.service.d/zz.conf",
                       "[Service]\nExecStart=\n"
                       "ExecStart=/usr/local/bin/minio.rdma server --other\n");
    host.services.daemonReload();
    EXPECT_THAT(reason(check(), "exec-start"), HasSubstr("server --other"));
    EXPECT_EQ(outcome(check(), "exec-start"), Outcome::drifted);
}

}  // namespace
}  // namespace fabric::resource::service
