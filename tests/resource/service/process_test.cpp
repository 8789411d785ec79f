// SPDX-License-Identifier: Apache-2.0
#include "resource/service/process.hpp"

#include "resource/service/service_fixture.hpp"

#include <cerrno>

namespace fabric::resource::service {
namespace {

using engine::ExitCode;
using engine::Outcome;
using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kRestart = "  restart: if-needed\n";
constexpr const char* kWanted = "  environment: { MINIO_RDMA_INTERNODE: \"on\" }\n";

class ServiceProcess : public ServiceFixture {
  protected:
    [[nodiscard]] std::string procFile(const std::string& name) const {
        return "/proc/" + std::to_string(host.services.pidOf(kUnit)) + "/" + name;
    }
};

TEST_F(ServiceProcess, S04_right_properties_and_an_old_process_never_exit_0) {
    const engine::Report report = apply();
    EXPECT_EQ(outcome(report, "exec-start"), Outcome::changed);
    EXPECT_EQ(outcome(report, "process"), Outcome::drifted);
    EXPECT_EQ(report.exitCode(), ExitCode::differences);
    EXPECT_EQ(report.result(), "differs");
    EXPECT_THAT(of(report, "process").assessment.fix,
                HasSubstr("systemctl restart minio.service"));
    EXPECT_THAT(host.services.restarts, IsEmpty());
    EXPECT_EQ(check().exitCode(), ExitCode::differences);
}

TEST_F(ServiceProcess, S04_each_old_part_is_named) {
    settle(kWanted);
    host.files.addFile(
        procFile("limits"),
        "Max locked memory         8388608              8388608          "
        "    bytes     \n");
    EXPECT_THAT(reason(check(kWanted), "process"),
                HasSubstr("its locked memory limit is 8388608"));
    host.files.addFile(procFile("environ"),
                       std::string("A=1\0MINIO_RDMA_INTERNODE=off", 28));
    EXPECT_THAT(reason(check(kWanted), "process"),
                HasSubstr("started with another MINIO_RDMA_INTERNODE"));
    host.files.addLink(procFile("exe"), kStandard);
    EXPECT_THAT(reason(check(kWanted), "process"),
                HasSubstr("it runs /usr/local/bin/minio,"));
    EXPECT_EQ(outcome(check(kWanted), "process"), Outcome::drifted);
}

TEST_F(ServiceProcess, S04_a_program_replaced_under_the_process_is_seen) {
    settle();
    host.files.addLink(procFile("exe"), std::string(kRdma) + " (deleted)");
    const engine::Report report = check();
    EXPECT_EQ(outcome(report, "process"), Outcome::drifted);
    EXPECT_THAT(reason(report, "process"), HasSubstr("replaced or deleted"));
}

TEST_F(ServiceProcess, S05_a_process_with_a_low_soft_limit_is_old) {
    settle();
    host.files.addFile(
        procFile("limits"),
        "Max locked memory         8388608              unlimited        "
        "    bytes     \n");
    EXPECT_EQ(outcome(check(), "process"), Outcome::drifted);
}

TEST_F(ServiceProcess, what_was_read_of_a_number_that_was_given_again_is_not_believed) {
    settle();
    host.services.laterPid = host.services.pidOf(kUnit) + 1;
    const engine::Report report = check();
    EXPECT_EQ(outcome(report, "process"), Outcome::unreadable);
    EXPECT_THAT(reason(report, "process"), HasSubstr("ended while it was looked at"));
}

TEST_F(ServiceProcess, a_service_that_does_not_run_is_not_applicable) {
    host.services.stop(kUnit);
    const engine::Report report = apply();
    EXPECT_EQ(outcome(report, "process"), Outcome::notApplicable);
    EXPECT_EQ(report.exitCode(), ExitCode::asWanted);
}

TEST_F(ServiceProcess, restart_if_needed_restarts_once_and_converges) {
    const engine::Report report = apply(kRestart);
    EXPECT_EQ(report.exitCode(), ExitCode::asWanted) << reason(report, "process");
    EXPECT_EQ(outcome(report, "process"), Outcome::changed);
    EXPECT_EQ(of(report, "process").assessment.disturbs, Disturbs::traffic);
    EXPECT_THAT(host.services.restarts, ElementsAre(kUnit));
    EXPECT_FALSE(apply(kRestart).changed);
    EXPECT_THAT(host.services.restarts, ElementsAre(kUnit));
}

TEST_F(ServiceProcess, nothing_is_restarted_while_the_system_is_starting) {
    host.services.state = "starting";
    const engine::Report report = apply(kRestart);
    EXPECT_THAT(host.services.restarts, IsEmpty());
    EXPECT_EQ(outcome(report, "process"), Outcome::drifted);
    EXPECT_THAT(reason(report, "process"), HasSubstr("the system is starting"));
}

TEST_F(ServiceProcess, a_restart_that_would_change_nothing_is_not_sent) {
    host.files.addFile(
        "/usr/lib/systemd/system/minio.service.d/zz.conf",
        "[Service]\nExecStart=\nExecStart=/usr/local/bin/minio server\n");
    host.services.daemonReload();
    const engine::Report report = apply(kRestart);
    EXPECT_THAT(host.services.restarts, IsEmpty());
    EXPECT_EQ(outcome(report, "process"), Outcome::failed);
    EXPECT_THAT(reason(report, "process"),
                HasSubstr("not sent: it would not run /usr/local/bin/minio.rdma"));
}

TEST_F(ServiceProcess, a_wrong_environment_file_is_not_cured_by_a_restart) {
    settle(kWanted);
    host.files.addFile(kEnvironment, "MINIO_RDMA_INTERNODE=off\n");
    host.services.start(kUnit);
    const engine::Report report = apply(std::string(kWanted) + kRestart);
    EXPECT_THAT(host.services.restarts, IsEmpty());
    EXPECT_EQ(outcome(report, "process"), Outcome::drifted);
    EXPECT_EQ(outcome(report, "environment"), Outcome::failed);
}

// What no restart cures must not be tried at each apply: each one is an outage.
TEST_F(ServiceProcess, R1_a_later_file_that_takes_our_environment_is_no_restart_loop) {
    const std::string managed =
        std::string(kWanted) + "  manage-environment: true\n" + kRestart;
    host.files.addFile(kEnvironment, "MINIO_VOLUMES=/data\n");
    host.files.addFile("/usr/lib/systemd/system/minio.service.d/zz.conf",
                       "[Service]\nEnvironmentFile=\n"
                       "EnvironmentFile=/etc/default/minio\n");
    host.services.daemonReload();
    static_cast<void>(apply(managed));
    host.services.restarts.clear();
    for (int run = 0; run < 2; ++run) {
        const engine::Report report = apply(managed);
        EXPECT_EQ(outcome(report, "environment"), Outcome::failed);
        EXPECT_EQ(outcome(report, "process"), Outcome::drifted);
        EXPECT_THAT(reason(report, "process"), HasSubstr("not restarted: its env"));
        EXPECT_THAT(fix(report, "process"),
                    AllOf(HasSubstr("zz.conf"), HasSubstr("not before: systemctl")));
    }
    EXPECT_THAT(host.services.restarts, IsEmpty());
}

TEST_F(ServiceProcess, R1_a_variable_that_the_unit_unsets_is_no_restart_loop) {
    const std::string path = "/etc/systemd/system/minio.service.d/20-unset.conf";
    host.files.addFile(path,
                       "[Service]\nUnsetEnvironment=OTHER MINIO_RDMA_INTERNODE\n");
    settle();
    host.files.addFile(procFile("environ"), "MINIO_VOLUMES=/data");
    for (const char* more : {"", "  manage-environment: true\n"}) {
        const engine::Report report = apply(std::string(kWanted) + more + kRestart);
        EXPECT_EQ(outcome(report, "environment"), Outcome::failed);
        EXPECT_THAT(reason(report, "environment"),
                    AllOf(HasSubstr("UnsetEnvironment= in " + path),
                          HasSubstr("MINIO_RDMA_INTERNODE")));
        EXPECT_THAT(fix(report, "environment"), HasSubstr(path));
        EXPECT_EQ(outcome(apply(std::string(kWanted) + more + kRestart), "process"),
                  Outcome::drifted);
    }
    host.files.addFile(path, "[Service]\nUnsetEnvironment=MINIO_RDMA_INTERNODE=off\n");
    EXPECT_EQ(outcome(check(kWanted), "environment"), Outcome::inSync)
        << "only that value is taken away";
    host.files.addFile(path,
                       "[Service]\nUnsetEnvironment=MINIO_RDMA_INTERNODE\n"
                       "UnsetEnvironment=\n");
    EXPECT_EQ(outcome(check(kWanted), "environment"), Outcome::inSync);
}

TEST_F(ServiceProcess, R1_a_wrapper_that_decides_for_the_process_is_no_restart_loop) {
    const std::string command = "/etc/systemd/system/minio.service.d/10-command.conf";
    host.files.addFile(command,
                       "[Service]\nExecStart=\nExecStart=/usr/bin/prlimit "
                       "--memlock=65536 /usr/local/bin/minio server\n");
    static_cast<void>(apply());
    host.services.start(kUnit);
    host.files.addLink(procFile("exe"), kRdma);
    const std::string limits = "Max locked memory         65536    65536    bytes\n";
    host.files.addFile(procFile("limits"), limits);
    const engine::Report limited = apply(kRestart);
    EXPECT_EQ(outcome(limited, "process"), Outcome::drifted);
    EXPECT_THAT(reason(limited, "process"),
                HasSubstr("not restarted: its command goes through prlimit"));
    EXPECT_THAT(fix(limited, "process"), HasSubstr("out of prlimit in ExecStart="));
    host.files.addFile(command,
                       "[Service]\nExecStart=\nExecStart=/usr/bin/env -u "
                       "MINIO_RDMA_INTERNODE /usr/local/bin/minio server\n");
    static_cast<void>(apply(kWanted));
    host.services.start(kUnit);
    host.files.addLink(procFile("exe"), kRdma);
    host.files.addFile(procFile("environ"), "MINIO_VOLUMES=/data");
    const engine::Report unset = apply(std::string(kWanted) + kRestart);
    EXPECT_THAT(reason(unset, "process"),
                HasSubstr("not restarted: its command goes through env"));
    EXPECT_THAT(host.services.restarts, IsEmpty());
    host.files.addLink(procFile("exe"), kStandard);
    static_cast<void>(apply(std::string(kWanted) + kRestart));
    EXPECT_THAT(host.services.restarts, ElementsAre(kUnit)) << "it gets its program";
}

// A server that is stopped and cannot start again is an outage that we made.
TEST_F(ServiceProcess, R2_a_server_that_could_not_start_again_is_not_restarted) {
    host.files.erase(kEnvironment);
    const engine::Report missing = apply(kRestart);
    EXPECT_EQ(outcome(missing, "process"), Outcome::drifted);
    EXPECT_THAT(reason(missing, "process"),
                AllOf(HasSubstr("does not start without its environment file"),
                      HasSubstr(kEnvironment)));
    EXPECT_THAT(fix(missing, "process"), HasSubstr("not before: systemctl restart"));
    host.files.addFile(kEnvironment, "");
    const engine::Report empty = apply(kRestart);
    EXPECT_THAT(reason(empty, "process"),
                HasSubstr("AssertFileNotEmpty=/etc/default/minio does not hold"));
    EXPECT_THAT(host.services.restarts, IsEmpty());
    host.files.addFile(kEnvironment, "MINIO_VOLUMES=/data\n");
    EXPECT_EQ(apply(kRestart).exitCode(), ExitCode::asWanted);
    EXPECT_THAT(host.services.restarts, ElementsAre(kUnit));
}

TEST_F(ServiceProcess, a_later_assertion_of_the_standard_program_holds_a_restart) {
    const std::string later = "/etc/systemd/system/minio.service.d/99-vendor.conf";
    settle();
    host.files.addFile(procFile("limits"),
                       "Max locked memory         65536    65536    bytes\n");
    host.files.addFile(later, "[Unit]\nAssertFileIsExecutable=/usr/local/bin/minio\n");
    host.files.erase(kStandard);
    host.services.daemonReload();
    const engine::Report report = apply(kRestart);
    EXPECT_EQ(outcome(report, "process"), Outcome::drifted);
    EXPECT_THAT(reason(report, "process"),
                HasSubstr("AssertFileIsExecutable=/usr/local/bin/minio does not hold"));
    EXPECT_THAT(fix(report, "process"), HasSubstr("take it out of " + later));
    EXPECT_THAT(host.services.restarts, IsEmpty());
}

TEST_F(ServiceProcess, a_limit_that_systemd_cannot_give_is_no_restart_loop) {
    const std::string limits = "Max locked memory         65536    65536    bytes\n";
    settle();
    host.files.addFile(procFile("limits"), limits);
    host.files.addFile("/proc/1/limits", limits);
    host.files.addFile("/proc/1/status", "CapEff:\t00000000a80425fb\n");
    const engine::Report report = apply(kRestart);
    EXPECT_EQ(outcome(report, "process"), Outcome::drifted);
    EXPECT_THAT(reason(report, "process"),
                HasSubstr("systemd itself has a hard limit"));
    EXPECT_THAT(fix(report, "process"), HasSubstr("the limit of the container"));
    EXPECT_THAT(host.services.restarts, IsEmpty());
    host.files.addFile("/proc/1/status", "CapEff:\t000001ffffffffff\n");
    static_cast<void>(apply(kRestart));
    EXPECT_THAT(host.services.restarts, ElementsAre(kUnit)) << "it may give any";
}

TEST_F(ServiceProcess, R1_a_program_that_is_a_script_is_no_restart_loop) {
    settle();
    host.files.addLink(procFile("exe"), "/usr/bin/dash");
    const engine::Report report = apply(kRestart);
    EXPECT_EQ(outcome(report, "process"), Outcome::drifted);
    EXPECT_THAT(reason(report, "process"),
                HasSubstr("not restarted: it runs the interpreter /usr/bin/dash"));
    EXPECT_THAT(host.services.restarts, IsEmpty());
}

TEST_F(ServiceProcess, without_its_program_a_server_is_not_to_be_restarted_yet) {
    settle();
    host.files.erase("/usr/local/bin/minio.rdma");
    const std::string advice = fix(check(), "process");
    const auto install = advice.find("install the RDMA build");
    ASSERT_NE(install, std::string::npos) << advice;
    EXPECT_GT(advice.find("not before: systemctl restart"), install) << advice;
}

TEST_F(ServiceProcess, a_variable_that_it_never_had_is_not_called_another) {
    settle();
    host.files.addFile(kEnvironment, "MINIO_VOLUMES=/data\n");
    host.services.start(kUnit);
    const engine::Report report = check(kWanted);
    EXPECT_THAT(reason(report, "process"),
                HasSubstr("started without MINIO_RDMA_INTERNODE"));
    EXPECT_THAT(fix(report, "process"),
                HasSubstr("file that counts; not before: systemctl restart"));
}

TEST_F(ServiceProcess, S14_a_restart_without_an_end_is_a_failure_that_says_so) {
    host.services.restartFault = Error{.kind = ErrorKind::timeout,
                                       .action = "restart",
                                       .subject = kUnit,
                                       .sysErrno = 0,
                                       .detail = "the job had not ended after 120 s",
                                       .advice = "run 'fabricctl check'"};
    const engine::Report report = apply(kRestart);
    EXPECT_EQ(outcome(report, "process"), Outcome::failed);
    EXPECT_THAT(reason(report, "process"), HasSubstr("had not ended"));
    EXPECT_EQ(outcome(report, "exec-start"), Outcome::changed);
}

TEST_F(ServiceProcess, a_process_that_may_not_be_looked_at_is_unreadable) {
    settle();
    host.files.failRead(procFile("limits"), EACCES);
    const engine::Report report = check();
    EXPECT_EQ(outcome(report, "process"), Outcome::unreadable);
    EXPECT_EQ(report.exitCode(), ExitCode::unverifiable);
}

TEST_F(ServiceProcess, a_process_that_is_not_yet_the_program_is_no_difference) {
    settle();
    host.files.addLink("/proc/1/exe", "/usr/lib/systemd/systemd");
    host.files.addLink(procFile("exe"), "/usr/lib/systemd/systemd");
    const engine::Report report = check();
    EXPECT_EQ(outcome(report, "process"), Outcome::unreadable);
    EXPECT_THAT(reason(report, "process"), HasSubstr("not started its program yet"));
}

TEST(ServiceProcessFiles, limits_and_pinned_memory_are_parsed_or_refused) {
    EXPECT_EQ(parseMemlock("Max locked memory  65536   unlimited  bytes\n"),
              (host::ResourceLimit{.soft = 65536, .hard = host::kNoLimit}));
    EXPECT_FALSE(parseMemlock("Max open files 1 2\n"));
    EXPECT_FALSE(parseMemlock("Max locked memory  many  unlimited\n"));
    EXPECT_EQ(parsePinned("VmLck:\t 4 kB\nVmPin:\t   12 kB\n"), 12U * 1024U);
    EXPECT_FALSE(parsePinned("VmLck:\t 4 kB\n"));
    EXPECT_FALSE(parsePinned("VmPin:\t 18446744073709551615 kB\n"))
        << "it does not wrap to something small";
}

}  // namespace
}  // namespace fabric::resource::service
