// SPDX-License-Identifier: Apache-2.0
// Which word of a command is the server.
#include "resource/service/program_word.hpp"

#include "resource/service/exec_line.hpp"
#include "resource/service/service_fixture.hpp"

namespace fabric::resource::service {
namespace {

using engine::ExitCode;
using engine::Outcome;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;

// The word that is taken for the server, or why none is.
std::string serverIn(const std::string& value) {
    const auto line = parseExecLine(value);
    if (!line) {
        return "line " + line.error();
    }
    const auto place = programWord(line->command(), kRdma);
    return place ? std::to_string(*place) + " " + line->command()[*place]
                 : place.error();
}

TEST(ServiceProgramWord, is_the_first_or_the_command_of_a_plain_wrapper) {
    for (const std::string text : {
             "0 /usr/local/bin/minio=/usr/local/bin/minio server x",
             "0 minio=minio server x",
             "0 /opt/minio.RELEASE.2026=/opt/minio.RELEASE.2026 server",
             "2 /usr/local/bin/minio=/usr/bin/numactl --interleave=all "
             "/usr/local/bin/minio server",
             "5 /opt/minio=numactl -i all --membind 0 /opt/minio server",
             "3 /opt/minio=numactl -m 0 /opt/minio server /opt/minio",
             "4 /opt/minio=/usr/bin/env -u X A=minio /opt/minio server",
             "3 minio=env - MINIO=/usr/bin/minio minio server",
             "3 /opt/minio=taskset -c 0-3 /opt/minio server",
             "2 /opt/minio=taskset 0xff /opt/minio server",
             "3 /opt/minio=chrt -f 10 /opt/minio server",
             "3 /opt/minio=chrt --sched-runtime 5 /opt/minio server",
             "3 /opt/minio=nice -n 5 /opt/minio server",
             "2 /opt/minio=nice -n5 /opt/minio server",
             "3 /opt/minio=ionice -c2 -n0 /opt/minio server",
             "2 /opt/minio=prlimit --memlock=unlimited /opt/minio server",
             "7 /opt/minio=nice -n 5 ionice -c 2 -- /opt/minio server",
             "2 /opt/minio=numactl $NUMA /opt/minio server",
             "2 /opt/my minio/minio=numactl -l \"/opt/my minio/minio\" server",
         }) {
        const std::size_t equals = text.find('=');
        EXPECT_EQ(serverIn(text.substr(equals + 1)), text.substr(0, equals)) << text;
    }
}

TEST(ServiceProgramWord, is_not_guessed_in_what_may_start_anything) {
    for (const std::string text : {
             "/bin/sh -c \"exec /usr/local/bin/minio server\"",
             "/bin/bash -lc 'minio server'",
             "/usr/bin/numactl --interleave=all /bin/sh -c minio",
             "/opt/launch /usr/local/bin/minio server",
             "/opt/minio.sh server",
             "/usr/bin/env -S \"A=1 minio\" server",
             "/usr/bin/env --split-string=minio minio",
             "/usr/bin/taskset -p 1 minio",
             "/usr/bin/ionice -c 2 -p 12 minio",
             "/usr/bin/prlimit --pid 12 minio",
             "/usr/bin/numactl --interleave=all",
             "/usr/bin/nice /opt/run minio",
         }) {
        EXPECT_THAT(serverIn(text), HasSubstr("runs ")) << text;
    }
}

TEST(ServiceProgramWord, the_profiles_own_program_is_known_by_its_name) {
    const std::vector<std::string> command{"/opt/aistor", "server"};
    EXPECT_EQ(programWord(command, "/opt/aistor.rdma").value(), 0U);
    EXPECT_FALSE(programWord(command, kRdma));
}

class ServiceWrapped : public ServiceFixture {
  protected:
    void unitRuns(const std::string& lines) {
        std::string text = host.files.content(kPackaged);
        text.erase(text.find("ExecStart="));
        host.files.addFile(kPackaged, text + lines);
        host.services.daemonReload();
    }
};

constexpr const char* kNumactl =
    "ExecStart=/usr/bin/numactl --interleave=all /usr/local/bin/minio server "
    "$MINIO_VOLUMES\n";

TEST_F(ServiceWrapped, a_program_behind_a_wrapper_is_replaced_there) {
    unitRuns(kNumactl);
    const engine::Report report = apply();
    EXPECT_THAT(ours(),
                HasSubstr("ExecStart=/usr/bin/numactl --interleave=all "
                          "/usr/local/bin/minio.rdma server $MINIO_VOLUMES\n"));
    EXPECT_THAT(ours(),
                HasSubstr("AssertFileIsExecutable=/usr/local/bin/minio.rdma\n"));
    EXPECT_EQ(of(report, "exec-start").assessment.found, Value(kStandard));
    EXPECT_EQ(of(report, "exec-start").after, Value(kRdma));
    EXPECT_FALSE(apply().changed);
}

TEST_F(ServiceWrapped, what_took_the_wrapper_for_the_server_is_mended) {
    unitRuns(kNumactl);
    host.files.addFile(kOurs,
                       "[Service]\nExecStart=\nExecStart=/usr/local/bin/minio.rdma "
                       "--interleave=all /usr/local/bin/minio server $MINIO_VOLUMES\n"
                       "LimitMEMLOCK=infinity\n");
    host.services.daemonReload();
    EXPECT_EQ(outcome(check(), "exec-start"), Outcome::drifted);
    EXPECT_THAT(reason(check(), "exec-start"), HasSubstr("numactl"));
    EXPECT_EQ(outcome(apply(), "exec-start"), Outcome::changed);
}

TEST_F(ServiceWrapped, a_restart_is_sent_when_the_wrapper_runs_the_program) {
    unitRuns(kNumactl);
    static_cast<void>(apply());
    host.services.start(kUnit);
    host.files.addLink("/proc/" + std::to_string(host.services.pidOf(kUnit)) + "/exe",
                       kStandard);
    static_cast<void>(apply("  restart: if-needed\n"));
    EXPECT_THAT(host.services.restarts, ::testing::ElementsAre(kUnit));
}

TEST_F(ServiceWrapped, a_later_drop_in_that_takes_the_wrapper_away_is_named) {
    unitRuns(kNumactl);
    host.files.addFile("/etc/systemd/system/minio.service.d/zz.conf",
                       "[Service]\nExecStart=\n"
                       "ExecStart=/usr/local/bin/minio.rdma server $MINIO_VOLUMES\n");
    host.services.daemonReload();
    const engine::Report report = apply();
    EXPECT_EQ(outcome(report, "exec-start"), Outcome::failed);
    EXPECT_THAT(reason(report, "exec-start"), HasSubstr("zz.conf"));
}

TEST_F(ServiceWrapped, a_command_that_may_start_anything_is_refused_and_not_written) {
    for (const char* lines : {
             "ExecStart=/bin/sh -c \"exec /usr/local/bin/minio server\"\n",
             "ExecStart=/opt/launch /usr/local/bin/minio server\n",
             "ExecStart=/usr/local/bin/minio server a ; /bin/true\n",
             "ExecStart=/bin/true\nExecStart=/usr/local/bin/minio server\n",
             "ExecStart=\"/usr/local/bin/minio server\n",
             "",
         }) {
        unitRuns(lines);
        const engine::Report report = apply();
        for (const char* property : {"drop-in", "exec-start"}) {
            EXPECT_EQ(outcome(report, property), Outcome::failed) << lines;
            EXPECT_THAT(reason(report, property), HasSubstr("the unit's own files"));
            EXPECT_THAT(of(report, property).assessment.fix,
                        HasSubstr("10-command.conf"));
        }
        EXPECT_EQ(report.exitCode(), ExitCode::someFailed);
        EXPECT_THAT(host.files.writes(), IsEmpty()) << lines;
    }
}

TEST_F(ServiceWrapped, each_refusal_says_what_stands_there) {
    unitRuns("ExecStart=/bin/sh -c minio\n");
    EXPECT_THAT(reason(check(), "exec-start"), HasSubstr("runs the shell /bin/sh"));
    unitRuns("ExecStart=/usr/local/bin/minio server ; /bin/true\n");
    EXPECT_THAT(reason(check(), "exec-start"), HasSubstr("several commands, parted"));
    unitRuns("ExecStart=/bin/true\nExecStart=/usr/local/bin/minio\n");
    EXPECT_THAT(reason(check(), "exec-start"), HasSubstr("2 ExecStart= commands"));
    unitRuns("");
    EXPECT_THAT(reason(check(), "exec-start"), HasSubstr("give no ExecStart="));
}

TEST_F(ServiceWrapped, what_runs_anything_may_keep_its_program_when_it_is_not_owned) {
    unitRuns("ExecStart=/bin/sh -c minio\n");
    const std::string limitOnly = "  binary: null\n  require-feature: null\n";
    EXPECT_EQ(outcome(apply(limitOnly), "limit-memlock"), Outcome::changed);
    EXPECT_THAT(ours(), Not(HasSubstr("ExecStart")));
}

}  // namespace
}  // namespace fabric::resource::service
