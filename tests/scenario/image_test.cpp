// SPDX-License-Identifier: Apache-2.0
// An image: a directory with real files that is no running host.
#include "engine/apply_image.hpp"
#include "linux/machine.hpp"
#include "linux/machine_writer.hpp"
#include "linux/temporary_directory.hpp"
#include "scenario/storage_node.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>
#include <string>

namespace fabric::scenario {
namespace {

using engine::ExitCode;
using engine::Outcome;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kOurs = "etc/systemd/system/minio.service.d/90-fabricctl.conf";

class Image : public ::testing::Test {
  protected:
    Image() {
        directory_.write("etc/hostname", "node7\n");
        directory_.write("etc/systemd/system/keep", "");
        directory_.write("usr/lib/systemd/system/minio.service",
                         "[Unit]\nAssertFileIsExecutable=/usr/local/bin/minio\n"
                         "[Service]\nExecStart=/usr/local/bin/minio server $OPTS\n");
        directory_.write("usr/local/bin/minio.rdma", "ELF");
        ::chmod((directory_ / "usr/local/bin/minio.rdma").c_str(), 0755);
    }

    engine::Report apply() {
        linux_host::Machine machine(directory_.path().string());
        linux_host::MachineWriter writers(machine);
        host::Reader image = machine.reader();
        image.services = nullptr;
        image.programs = nullptr;
        image.modules = nullptr;
        host::Writer writer = writers.writer();
        writer.services = nullptr;
        writer.modules = nullptr;
        return engine::applyImage(image, writer, profile_, {});
    }

    engine::Report check() {
        linux_host::Machine machine(directory_.path().string());
        host::Reader image = machine.reader();
        image.services = nullptr;
        image.programs = nullptr;
        image.modules = nullptr;
        return engine::observeImage(image, profile_, {}, engine::Purpose::check);
    }

    void profileIs(const std::string& sections) {
        profile_ = profileOf("version: 1\nname: image\n" + sections);
    }

    static std::string reasonOf(const engine::Report& report,
                                const std::string& property) {
        return find(report, "service/minio.service/" + property).assessment.reason;
    }

    static std::string fixOf(const engine::Report& report,
                             const std::string& property) {
        return find(report, "service/minio.service/" + property).assessment.fix;
    }

    static std::string findings(const engine::Report& report) {
        std::string ids;
        for (const resource::Finding& finding : report.findings) {
            ids += finding.id + " ";
        }
        return ids;
    }

    static engine::ResourceReport find(const engine::Report& report,
                                       const std::string& id) {
        const auto found = std::ranges::find_if(
            report.resources,
            [&](const auto& resource) { return resource.assessment.id == id; });
        if (found == report.resources.end()) {
            ADD_FAILURE() << "no " << id;
            return {};
        }
        return *found;
    }

    linux_host::testing::TemporaryDirectory directory_;
    profile::Profile profile_ = profileOf(
        "version: 1\nname: image\n"
        "modules: [ib_core, mlx5-core]\n"
        "mtu: 9000\n"
        "service: { unit: minio.service }\n");
};

TEST_F(Image, its_files_are_prepared_and_the_rest_is_deferred_to_boot) {
    EXPECT_EQ(check().exitCode(), ExitCode::differences);
    const engine::Report report = apply();
    EXPECT_EQ(report.exitCode(), ExitCode::asWanted);
    EXPECT_EQ(report.host, "node7");
    EXPECT_EQ(find(report, "service/minio.service/drop-in").outcome, Outcome::changed);
    EXPECT_EQ(find(report, "module/mlx5_core").outcome, Outcome::changed);
    for (const char* id : {"mtu", "service/minio.service/process"}) {
        EXPECT_EQ(find(report, id).outcome, Outcome::skipped);
        EXPECT_THAT(find(report, id).assessment.reason, HasSubstr("deferred to boot"));
    }
    EXPECT_THAT(directory_.content(kOurs),
                HasSubstr("AssertFileIsExecutable=/usr/local/bin/minio.rdma\n"));
    EXPECT_THAT(directory_.content(kOurs),
                HasSubstr("ExecStart=/usr/local/bin/minio.rdma server $OPTS\n"
                          "LimitMEMLOCK=infinity\n"));
    EXPECT_THAT(directory_.content("etc/modules-load.d/fabricctl.conf"),
                HasSubstr("mlx5_core\n"));
    EXPECT_EQ(check().exitCode(), ExitCode::asWanted);
    EXPECT_FALSE(apply().changed);
}

TEST_F(Image, an_earlier_drop_in_is_kept_and_a_masked_name_hides_it) {
    directory_.write("usr/lib/systemd/system/minio.service.d/10-site.conf",
                     "[Service]\nExecStart=\nExecStart=/usr/local/bin/minio --site\n");
    static_cast<void>(apply());
    EXPECT_THAT(directory_.content(kOurs), HasSubstr("minio.rdma --site\n"));
    directory_.write("etc/systemd/system/minio.service.d/10-site.conf",
                     "[Service]\nNice=1\n");
    static_cast<void>(apply());
    EXPECT_THAT(directory_.content(kOurs), HasSubstr("minio.rdma server $OPTS\n"));
}

TEST_F(Image, without_the_unit_or_the_program_nothing_is_written) {
    std::filesystem::remove(directory_ / "usr/local/bin/minio.rdma");
    EXPECT_EQ(find(apply(), "service/minio.service/drop-in").outcome, Outcome::failed);
    std::filesystem::remove(directory_ / "usr/lib/systemd/system/minio.service");
    const engine::Report report = apply();
    EXPECT_EQ(find(report, "service/minio.service/drop-in").outcome, Outcome::failed);
    EXPECT_THAT(find(report, "service/minio.service/drop-in").assessment.reason,
                HasSubstr("missing in this image"));
    EXPECT_FALSE(std::filesystem::exists(directory_ / kOurs));
}

TEST_F(Image, an_rdma_program_that_is_a_link_to_the_standard_one_is_refused) {
    const auto standard = directory_ / "usr/local/bin/minio";
    const auto rdma = directory_ / "usr/local/bin/minio.rdma";
    std::filesystem::rename(rdma, standard);
    std::filesystem::create_symlink("minio", rdma);
    EXPECT_EQ(find(apply(), "service/minio.service/drop-in").outcome, Outcome::failed);
    EXPECT_FALSE(std::filesystem::exists(directory_ / kOurs));
    EXPECT_EQ(reasonOf(check(), "drop-in"),
              "/usr/local/bin/minio.rdma is a link to /usr/local/bin/minio, the "
              "standard program");
    EXPECT_THAT(fixOf(check(), "drop-in"), HasSubstr("install the RDMA build"));
}

// The other way round is how a package may put it: the RDMA build under both names.
TEST_F(Image, a_standard_name_that_leads_to_the_rdma_program_is_accepted) {
    std::filesystem::create_symlink("minio.rdma", directory_ / "usr/local/bin/minio");
    EXPECT_EQ(apply().exitCode(), ExitCode::asWanted);
}

TEST_F(Image, S01_a_later_drop_in_that_wins_is_named) {
    const std::string winner = "/usr/lib/systemd/system/minio.service.d/zz-vendor.conf";
    directory_.write(winner.substr(1),
                     "[Service]\nExecStart=\nExecStart=/usr/local/bin/minio server\n"
                     "LimitMEMLOCK=64K\n");
    const engine::Report report = apply();
    EXPECT_EQ(report.exitCode(), ExitCode::someFailed);
    for (const char* property : {"exec-start", "limit-memlock"}) {
        EXPECT_EQ(
            find(report, std::string("service/minio.service/") + property).outcome,
            Outcome::failed);
        EXPECT_THAT(reasonOf(report, property), HasSubstr(winner));
        EXPECT_THAT(fixOf(report, property), HasSubstr(winner));
    }
    EXPECT_THAT(reasonOf(check(), "limit-memlock"), HasSubstr("is 65536"));
    directory_.write(winner.substr(1), "[Service]\nNice=1\n");
    EXPECT_EQ(check().exitCode(), ExitCode::asWanted);
}

TEST_F(Image, what_the_files_give_is_compared_and_not_only_our_file) {
    EXPECT_EQ(find(check(), "service/minio.service/exec-start").assessment.found,
              Value("/usr/local/bin/minio"));
    EXPECT_THAT(reasonOf(check(), "limit-memlock"), HasSubstr("no file of the unit"));
    const engine::Report report = apply();
    for (const char* property : {"exec-start", "limit-memlock"}) {
        EXPECT_EQ(
            find(report, std::string("service/minio.service/") + property).outcome,
            Outcome::changed);
    }
}

TEST_F(Image, a_program_behind_a_wrapper_is_replaced_and_a_shell_refused) {
    directory_.write(
        "usr/lib/systemd/system/minio.service",
        "[Service]\nExecStart=/usr/bin/numactl -l /usr/local/bin/minio s\n");
    EXPECT_EQ(apply().exitCode(), ExitCode::asWanted);
    EXPECT_THAT(
        directory_.content(kOurs),
        HasSubstr("ExecStart=/usr/bin/numactl -l /usr/local/bin/minio.rdma s\n"));
    std::filesystem::remove(directory_ / kOurs);
    directory_.write("usr/lib/systemd/system/minio.service",
                     "[Service]\nExecStart=/bin/sh -c \"exec minio\"\n");
    EXPECT_THAT(reasonOf(apply(), "exec-start"), HasSubstr("runs the shell /bin/sh"));
    EXPECT_FALSE(std::filesystem::exists(directory_ / kOurs));
}

TEST_F(Image, an_instance_is_served_by_its_template) {
    directory_.write("usr/lib/systemd/system/minio@.service",
                     "[Service]\nExecStart=/usr/local/bin/minio server %i\n");
    profileIs("service: { unit: minio@1.service }\n");
    EXPECT_EQ(apply().exitCode(), ExitCode::asWanted);
    EXPECT_THAT(
        directory_.content("etc/systemd/system/minio@1.service.d/90-fabricctl.conf"),
        HasSubstr("ExecStart=/usr/local/bin/minio.rdma server %i\n"));
    EXPECT_FALSE(apply().changed);
}

TEST_F(Image, a_masked_unit_has_a_fix) {
    std::filesystem::create_symlink("/dev/null",
                                    directory_ / "etc/systemd/system/minio.service");
    EXPECT_THAT(reasonOf(check(), "drop-in"),
                HasSubstr("masked in this image by /etc/systemd/system/minio.service"));
    EXPECT_THAT(fixOf(check(), "drop-in"), HasSubstr("unmask minio.service"));
}

TEST_F(Image, C4_a_full_copy_of_the_unit_in_etc_is_found_as_on_a_running_host) {
    static_cast<void>(apply());
    EXPECT_THAT(findings(check()), ::testing::Not(HasSubstr("service.shadowed-unit")));
    std::filesystem::copy_file(directory_ / "usr/lib/systemd/system/minio.service",
                               directory_ / "etc/systemd/system/minio.service");
    const engine::Report report = check();
    EXPECT_EQ(report.exitCode(), ExitCode::asWanted);
    const auto found = std::ranges::find(
        report.findings, "service.shadowed-unit", &resource::Finding::id);
    ASSERT_NE(found, report.findings.end());
    EXPECT_THAT(found->evidence, HasSubstr("/usr/lib/systemd/system/minio.service"));
    EXPECT_THAT(found->fix,
                HasSubstr("rm /etc/systemd/system/minio.service in the image"));
}

TEST_F(Image, a_relative_link_to_dev_null_masks_without_a_dev) {
    std::filesystem::create_symlink("../../../dev/null",
                                    directory_ / "etc/systemd/system/minio.service");
    ASSERT_FALSE(std::filesystem::exists(directory_ / "dev/null"));
    EXPECT_THAT(reasonOf(check(), "drop-in"), HasSubstr("is masked in this image"));
}

TEST_F(Image, a_drop_in_of_an_alias_counts_for_the_unit) {
    std::filesystem::create_symlink("/usr/lib/systemd/system/minio.service",
                                    directory_ / "etc/systemd/system/aistor.service");
    directory_.write("etc/systemd/system/aistor.service.d/99-vendor.conf",
                     "[Service]\nExecStart=\nExecStart=/usr/local/bin/minio server\n");
    static_cast<void>(apply());
    EXPECT_NE(find(check(), "service/minio.service/exec-start").outcome,
              Outcome::inSync);
    std::filesystem::remove(directory_ / "etc/systemd/system/aistor.service");
    EXPECT_EQ(find(check(), "service/minio.service/exec-start").outcome,
              Outcome::inSync);
}

TEST_F(Image, an_assertion_for_the_standard_program_after_ours_is_found_and_its_file) {
    static_cast<void>(apply());
    EXPECT_THAT(findings(check()), ::testing::Not(HasSubstr("service.assert")));
    directory_.write("etc/systemd/system/minio.service.d/99-vendor.conf",
                     "[Unit]\nAssertFileIsExecutable=/usr/local/bin/minio\n");
    const engine::Report report = check();
    const auto found =
        std::ranges::find(report.findings, "service.assert", &resource::Finding::id);
    ASSERT_NE(found, report.findings.end());
    EXPECT_THAT(found->fix, HasSubstr("minio.service.d/99-vendor.conf"));
}

TEST_F(Image, C4_a_link_to_the_packaged_unit_is_no_copy_of_it) {
    std::filesystem::create_symlink("/usr/lib/systemd/system/minio.service",
                                    directory_ / "etc/systemd/system/minio.service");
    EXPECT_THAT(findings(check()), ::testing::Not(HasSubstr("service.shadowed-unit")));
}

TEST_F(Image, directories_that_a_small_image_lacks_are_made) {
    std::filesystem::remove_all(directory_ / "etc/systemd");
    profileIs("service: { binary: /usr/local/bin/minio.rdma }\n");
    EXPECT_EQ(apply().exitCode(), ExitCode::asWanted);
    EXPECT_TRUE(std::filesystem::exists(directory_ / kOurs));
    EXPECT_EQ(check().exitCode(), ExitCode::asWanted);
}

// An image whose server runs as minio-user, 4242:4343 and a member of storage, 4444.
class ImageOfAUser : public Image {
  protected:
    ImageOfAUser() {
        directory_.write("etc/passwd",
                         "root:x:0:0::/root:/bin/sh\n"
                         "minio-user:x:4242:4343::/:/sbin/nologin\n");
        directory_.write("etc/group", "root:x:0:\nstorage:x:4444:a,minio-user\n");
        userIs("minio-user");
        profileIs("service: { binary: /usr/local/bin/minio.rdma }\n");
    }

    void userIs(const std::string& user, const std::string& more = {}) {
        directory_.write("usr/lib/systemd/system/minio.service",
                         "[Service]\nUser=" + user + "\n" + more +
                             "ExecStart=/usr/local/bin/minio server\n");
    }

    void modeIs(const std::string& path, mode_t mode, gid_t group = 0) {
        const std::string inImage = directory_ / path;
        ASSERT_EQ(::chmod(inImage.c_str(), mode), 0);
        if (::geteuid() == 0) {
            ASSERT_EQ(::chown(inImage.c_str(), 0, group), 0);
        }
    }

    std::string reason() { return reasonOf(check(), "drop-in"); }
};

TEST_F(ImageOfAUser, a_program_that_its_user_may_not_execute_is_refused_in_an_image) {
    EXPECT_THAT(reason(), Not(HasSubstr("may not")));
    modeIs("usr/local/bin/minio.rdma", 0700);
    const engine::Report report = apply();
    EXPECT_EQ(report.exitCode(), ExitCode::someFailed);
    EXPECT_THAT(reasonOf(report, "drop-in"),
                HasSubstr("minio-user may not execute /usr/local/bin/minio.rdma (mode "
                          "0700, owner"));
    EXPECT_THAT(fixOf(report, "drop-in"), HasSubstr("chmod 755"));
    EXPECT_FALSE(std::filesystem::exists(directory_ / kOurs));
    userIs("");
    EXPECT_THAT(reason(), Not(HasSubstr("may not"))) << "root may";
}

TEST_F(ImageOfAUser, a_directory_on_the_way_that_its_user_may_not_pass_is_named) {
    modeIs("usr/local/bin", 0750);
    EXPECT_THAT(reason(),
                HasSubstr("minio-user may not pass /usr/local/bin on the way"));
    modeIs("usr/local/bin", 0755);
    directory_.write("opt/rdma/minio", "ELF");
    modeIs("opt/rdma/minio", 0755);
    modeIs("opt/rdma", 0700);
    std::filesystem::remove(directory_ / "usr/local/bin/minio.rdma");
    std::filesystem::create_symlink("/opt/rdma/minio",
                                    directory_ / "usr/local/bin/minio.rdma");
    EXPECT_THAT(reason(), HasSubstr("may not pass /opt/rdma on the way"));
}

TEST_F(ImageOfAUser, groups_of_the_user_and_of_the_unit_let_it_execute) {
    if (::geteuid() != 0) {
        GTEST_SKIP() << "only root gives files to groups";
    }
    modeIs("usr/local/bin/minio.rdma", 0750, 4343);
    EXPECT_THAT(reason(), Not(HasSubstr("may not"))) << "its own";
    modeIs("usr/local/bin/minio.rdma", 0750, 4444);
    EXPECT_THAT(reason(), Not(HasSubstr("may not"))) << "as a member";
    modeIs("usr/local/bin/minio.rdma", 0705, 4444);
    EXPECT_THAT(reason(), HasSubstr("may not execute")) << "the group's bits decide";
    modeIs("usr/local/bin/minio.rdma", 0750, 4545);
    EXPECT_THAT(reason(), HasSubstr("may not execute"));
    userIs("minio-user", "SupplementaryGroups=4545\n");
    EXPECT_THAT(reason(), Not(HasSubstr("may not"))) << "by the unit";
}

TEST_F(ImageOfAUser, of_a_user_who_comes_later_only_what_is_certain_is_told) {
    if (::geteuid() != 0) {
        GTEST_SKIP() << "only root gives files to groups";
    }
    userIs("from-sysusers");
    modeIs("usr/local/bin/minio.rdma", 0750, 4545);
    EXPECT_THAT(reason(), Not(HasSubstr("may not"))) << "that may be its group";
    modeIs("usr/local/bin/minio.rdma", 0750);
    EXPECT_THAT(reason(), HasSubstr("from-sysusers may not execute"));
}

TEST_F(Image, A5_what_lies_below_run_in_an_image_does_not_count) {
    directory_.write("run/systemd/system/minio.service.d/zz-vendor.conf",
                     "[Service]\nExecStart=\nExecStart=/usr/local/bin/minio server\n");
    EXPECT_EQ(apply().exitCode(), ExitCode::asWanted);
}

TEST_F(Image, managed_variables_are_for_root_only_and_named_when_they_are_left) {
    directory_.write("etc/fabricctl/keep", "");
    profileIs(
        "service: { manage-environment: true, environment: { MINIO_X: \"s3cret\" } "
        "}\n");
    EXPECT_EQ(apply().exitCode(), ExitCode::asWanted);
    struct stat status{};
    ASSERT_EQ(::stat((directory_ / "etc/fabricctl/minio.service.env").c_str(), &status),
              0);
    EXPECT_EQ(status.st_mode & 0777U, 0600U);
    EXPECT_FALSE(apply().changed);
    profileIs("service: { unit: minio.service }\n");
    EXPECT_THAT(findings(apply()), HasSubstr("service.left-over-environment"));
    profileIs("mtu: 9000\n");
    EXPECT_THAT(findings(check()), HasSubstr("service.left-over-drop-in"));
}

TEST_F(Image, a_drop_in_directory_that_is_a_link_is_named_with_a_fix) {
    std::filesystem::create_directory_symlink(
        "/usr", directory_ / "etc/systemd/system/minio.service.d");
    const engine::Report report = apply();
    EXPECT_THAT(reasonOf(report, "drop-in"),
                HasSubstr("a symbolic link is in its place"));
    EXPECT_THAT(fixOf(report, "drop-in"), HasSubstr("put a directory in its place"));
}

TEST_F(Image, a_directory_that_everybody_can_write_is_refused) {
    directory_.write("etc/systemd/system/minio.service.d/keep", "");
    ::chmod((directory_ / "etc/systemd/system/minio.service.d").c_str(), 0777);
    const engine::Report report = apply();
    EXPECT_EQ(find(report, "service/minio.service/drop-in").outcome, Outcome::failed);
    EXPECT_THAT(reasonOf(report, "drop-in"), HasSubstr("everybody"));
    EXPECT_FALSE(std::filesystem::exists(directory_ / kOurs));
}

TEST_F(Image, modules_that_the_profile_names_no_more_go_from_our_list) {
    static_cast<void>(apply());
    profileIs("modules: [ib_core]\n");
    EXPECT_EQ(find(check(), "module/boot-list").outcome, Outcome::drifted);
    EXPECT_EQ(find(apply(), "module/boot-list").outcome, Outcome::changed);
    EXPECT_THAT(directory_.content("etc/modules-load.d/fabricctl.conf"),
                ::testing::Not(HasSubstr("mlx5_core")));
    EXPECT_EQ(check().exitCode(), ExitCode::asWanted);
    profileIs("mtu: 9000\n");
    EXPECT_THAT(findings(check()), HasSubstr("module.left-over-list"));
}

TEST_F(Image, a_link_out_of_the_image_leads_nowhere) {
    std::filesystem::remove_all(directory_ / "etc/systemd/system");
    const linux_host::testing::TemporaryDirectory outside;
    std::filesystem::create_directory_symlink(outside.path(),
                                              directory_ / "etc/systemd/system");
    EXPECT_EQ(apply().exitCode(), ExitCode::someFailed);
    EXPECT_TRUE(std::filesystem::is_empty(outside.path()));
}

}  // namespace
}  // namespace fabric::scenario
