// SPDX-License-Identifier: Apache-2.0
// Secrets are planted in every place that is looked at; none may be in the facts.
#include "facts/redaction.hpp"

#include "facts/take.hpp"
#include "report/json.hpp"
#include "resource/arp/persistent_file.hpp"
#include "resource/service/drop_in.hpp"
#include "resource/service/environment_file.hpp"
#include "resource/service/exec_line.hpp"
#include "resource/service/program_word.hpp"
#include "resource/service/unit_file.hpp"
#include "scenario/storage_node.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace fabric::facts {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;
namespace service = resource::service;

// Each planted secret contains this, so that one search finds them all.
constexpr std::string_view kSecret = "S3CR3T";

std::string secret(std::string_view place) {
    return std::string(kSecret) + std::string(place);
}

constexpr const char* kUnitFile = "/usr/lib/systemd/system/minio.service";

void plantUnit(fake::FakeFiles& files) {
    files.addFile(
        kUnitFile,
        "# " + secret("comment") + "\n[Unit]\nDescription=" + secret("description") +
            "\nAssertFileIsExecutable=/usr/local/bin/minio\n[Service]\n"
            "Environment=MINIO_ROOT_PASSWORD=" +
            secret("unit") + " MINIO_RDMA_POOL_COUNT=4\n" + "SetCredential=key:" +
            secret("credential") + "\n" + "EnvironmentFile=-/etc/default/minio\n" +
            "ExecStart=/usr/local/bin/minio server --license=" + secret("flag") +
            " --sftp \"" + secret("quoted word") + "\" https://me:" + secret("url") +
            "@node{1...4}/disk $MINIO_OPTS ${MINIO_VOLUMES} --address :9000 \\\n   " +
            secret("joined") + "\nExecStartPre=/bin/sh -c 'echo " + secret("pre") +
            "'\nLimitMEMLOCK=65536\nUnsetEnvironment=MINIO_RDMA_DEBUG A=" +
            secret("unset") + "\n");
    files.addFile("/etc/systemd/system/minio.service.d/10-site.conf",
                  "[Service]\nEnvironment=\"B=" + secret("dropin") + "\"\n");
    files.addFile("/etc/default/minio",
                  "# " + secret("remark") + "\nMINIO_ROOT_USER=" + secret("user") +
                      "\nMINIO_ROOT_PASSWORD=\"a\nMINIO_RDMA_INTERNODE=" +
                      secret("inside quotes") + "\"\nMINIO_RDMA_INTERNODE=on\n" +
                      "MINIO_CONFIG_ENV_FILE=/etc/minio/site.env\n" +
                      secret("line without assignment") + "\n");
    files.addFile("/etc/minio/site.env",
                  "export MINIO_ROOT_PASSWORD=" + secret("late") +
                      "\nexport MINIO_RDMA_INTERNODE=on\n");
}

void plantElsewhere(fake::FakeFiles& files) {
    files.addFile("/proc/cmdline",
                  "BOOT_IMAGE=/vmlinuz root=UUID=" + secret("root") +
                      " ro rd.iscsi.password=" + secret("iscsi") +
                      " pci=noats name=\"x pci=" + secret("quoted") + "\" " +
                      secret("bare") + " -- pci=" + secret("init") + "\n");
    files.addFile("/etc/sysctl.d/10-site.conf",
                  "# " + secret("sysctl comment") + "\nkernel.hostname=" +
                      secret("sysctl") + "\nnet.ipv4.conf.all.arp_ignore = 1\n" +
                      "net.ipv4.conf.all.arp_announce = " + secret("value") + "\n");
    files.addFile("/etc/modprobe.d/site.conf",
                  "options foo key=" + secret("option") + "\ninstall mlx5_core curl " +
                      secret("install") + " \\\n && modprobe " + secret("next") +
                      "\nblacklist ice\n# " + secret("modprobe comment") + "\n");
    files.addFile("/etc/modules-load.d/fabricctl.conf",
                  "# " + secret("list comment") + "\nib_core\n");
    files.addFile("/etc/security/limits.conf",
                  "# " + secret("limits") + "\n" + secret("domain") +
                      " hard memlock unlimited\n");
    files.addFile("/proc/self/mounts",
                  "//srv/share /mnt cifs rw,username=" + secret("mount") + " 0 0\n" +
                      "configfs /sys/kernel/config configfs rw 0 0\n");
    files.addDirectory("/proc/4242");
    files.addFile("/proc/4242/comm", secret("program") + "\n");
    files.addFile("/proc/4242/cmdline", secret("arguments"));
    files.addFile("/proc/4343/comm", "tuned\n");
}

// A process with secrets in its environment, beside what the fake manager started.
void plantProcess(scenario::StorageNode& node) {
    node.host.services.daemonReload();
    node.host.services.start("minio.service");
    const auto pid = node.host.services.pidOf("minio.service");
    ASSERT_NE(pid, 0U);
    fake::FakeNode* const environ =
        node.host.files.find("/proc/" + std::to_string(pid) + "/environ");
    ASSERT_NE(environ, nullptr);
    environ->content = "MINIO_ROOT_PASSWORD=" + secret("process") + '\0' +
                       "MINIO_RDMA_INTERNODE=on" + '\0' + secret("no value") + '\0';
}

class PlantedSecrets : public ::testing::Test {
  protected:
    PlantedSecrets() {
        plantUnit(node.host.files);
        plantElsewhere(node.host.files);
        plantProcess(node);
    }

    [[nodiscard]] std::string taken() {
        return report::toJson(toValue(takeFacts(node.reader(), {})));
    }

    scenario::StorageNode node{2};
};

TEST_F(PlantedSecrets, none_leaves_the_host) {
    const std::string text = taken();
    for (std::size_t at = text.find(kSecret); at != std::string::npos;
         at = text.find(kSecret, at + 1)) {
        ADD_FAILURE() << text.substr(at > 200 ? at - 200 : 0, 300);
    }
    // Nor in the form that other bytes take.
    EXPECT_THAT(text, Not(HasSubstr("533343523354")));
}

TEST_F(PlantedSecrets, what_is_compared_is_there_all_the_same) {
    const std::string text = taken();
    for (const char* const kept : {"MINIO_RDMA_INTERNODE",
                                   "AssertFileIsExecutable=/usr/local/bin/minio",
                                   "LimitMEMLOCK=65536",
                                   "UnsetEnvironment=MINIO_RDMA_DEBUG A=left-out-",
                                   "/usr/local/bin/minio server --license=",
                                   "$MINIO_OPTS ${MINIO_VOLUMES} --address :9000",
                                   "net.ipv4.conf.all.arp_ignore = 1",
                                   "blacklist ice",
                                   "install mlx5_core \\\"left-out-",
                                   "pci=noats",
                                   "configfs /sys/kernel/config configfs"}) {
        EXPECT_THAT(text, HasSubstr(kept));
    }
}

TEST(Redaction, equal_words_stay_equal_and_different_ones_different) {
    Redaction redaction;
    host::ServiceUnit unit{
        .execStart = {{.path = "/usr/local/bin/minio",
                       .arguments = {"/usr/local/bin/minio", "server", "one", "two"}}}};
    const auto arguments = redaction.unit(unit).execStart.front().arguments;
    EXPECT_NE(arguments.at(2), arguments.at(3));
    const std::string file = redaction.fileText(
        "/etc/systemd/system/minio.service",
        "[Service]\nExecStart=/usr/local/bin/minio server one two\n");
    const auto line =
        service::parseExecLine(service::parseUnitFile(file).front().value);
    ASSERT_TRUE(line.has_value());
    EXPECT_TRUE(line->plain());
    EXPECT_EQ(line->command(), arguments);
}

TEST(Redaction, a_server_behind_a_wrapper_stays_one) {
    Redaction redaction;
    const std::string file = redaction.fileText(
        "/etc/systemd/system/minio.service",
        "[Service]\nExecStart=/usr/bin/numactl --interleave=0-3 nice -n5 "
        "/usr/local/bin/minio server /secret/disk\n");
    const auto line =
        service::parseExecLine(service::parseUnitFile(file).front().value);
    ASSERT_TRUE(line.has_value());
    EXPECT_EQ(service::programWord(line->command(), {}).value(), 4U);
    EXPECT_THAT(file, Not(HasSubstr("/secret/disk")));
}

TEST(Redaction, a_quoted_word_stays_one_that_only_systemd_can_read) {
    Redaction redaction;
    const std::string file = redaction.fileText(
        "/etc/systemd/system/minio.service",
        "[Service]\nExecStart=\"/usr/local/bin/minio\" server \"a b\"\n");
    const auto line =
        service::parseExecLine(service::parseUnitFile(file).front().value);
    ASSERT_TRUE(line.has_value());
    EXPECT_EQ(line->command().front(), "/usr/local/bin/minio");
    EXPECT_FALSE(line->plain());
}

TEST(Redaction, files_that_this_program_wrote_are_carried_byte_for_byte) {
    Redaction redaction;
    const std::string sysctl =
        resource::arp::render({{"rail0", {{"arp_ignore", "1"}}}});
    EXPECT_EQ(redaction.fileText("/etc/sysctl.d/99-zz-fabricctl.conf", sysctl), sysctl);
    const std::string environment =
        service::renderEnvironmentFile({{"MINIO_RDMA_INTERNODE", "o\"n"}});
    EXPECT_EQ(redaction.fileText("/etc/fabricctl/minio.service.env", environment),
              environment);
    profile::ServiceSettings settings;
    settings.unit = "minio.service";
    settings.binary = "/usr/local/bin/minio.rdma";
    settings.limitMemlock = profile::MemlockLimit{};
    const auto dropIn = service::makeDropIn(
        settings,
        {.execStart = {"/usr/local/bin/minio server $MINIO_OPTS"},
         .asserts = {{"AssertFileIsExecutable", "/usr/local/bin/minio"}}});
    ASSERT_EQ(dropIn.refusal, "");
    EXPECT_EQ(redaction.fileText(service::dropInPath("minio.service"), dropIn.text),
              dropIn.text);
}

TEST(Redaction, a_changed_file_of_ours_does_not_become_right_by_what_is_left_out) {
    Redaction redaction;
    const std::string sysctl =
        resource::arp::render({{"rail0", {{"arp_ignore", "1"}}}});
    for (const std::string& changed :
         {sysctl + "kernel.panic = 1\n", sysctl + "# mine\n", "\n" + sysctl}) {
        EXPECT_NE(redaction.fileText("/etc/sysctl.d/99-zz-fabricctl.conf", changed),
                  sysctl);
    }
}

TEST(Redaction, a_path_that_goes_back_up_gets_no_rule_of_another_place) {
    Redaction redaction;
    EXPECT_THAT(redaction.fileText("/sys/../etc/shadow", "root:" + secret("hash")),
                Not(HasSubstr(kSecret)));
    EXPECT_THAT(redaction.fileText("/etc/shadow", "root:" + secret("hash")),
                Not(HasSubstr(kSecret)));
}

}  // namespace
}  // namespace fabric::facts
