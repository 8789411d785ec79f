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
