// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/apply.hpp"
#include "engine/run.hpp"
#include "fake/fake_host.hpp"
#include "profile/load.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

namespace fabric::resource::service {

inline constexpr const char* kUnit = "minio.service";
inline constexpr const char* kPackaged = "/usr/lib/systemd/system/minio.service";
inline constexpr const char* kDropIns = "/etc/systemd/system/minio.service.d";
inline constexpr const char* kOurs =
    "/etc/systemd/system/minio.service.d/90-fabricctl.conf";
inline constexpr const char* kStandard = "/usr/local/bin/minio";
inline constexpr const char* kRdma = "/usr/local/bin/minio.rdma";
inline constexpr const char* kEnvironment = "/etc/default/minio";

// A host with the packaged unit, both builds of the server, and the server running as
// the package left it: the standard build with the limit of every service.
class ServiceFixture : public ::testing::Test {
  protected:
    ServiceFixture() {
        host.files.addFile("/proc/self/status",
                           "Uid:\t0\t0\t0\t0\nCapEff:\t000001ffffffffff\n");
        host.files.addFile("/proc/self/uid_map", "         0          0 4294967295\n");
        host.files.addDirectory("/etc/systemd/system");
        host.files.addFile(kPackaged,
                           "[Unit]\n"
                           "Description=MinIO\n"
                           "AssertFileIsExecutable=/usr/local/bin/minio\n"
                           "AssertFileNotEmpty=/etc/default/minio\n"
                           "[Service]\n"
                           "Type=notify\n"
                           "User=minio-user\n"
                           "EnvironmentFile=/etc/default/minio\n"
                           "ExecStart=/usr/local/bin/minio server $MINIO_OPTS "
                           "$MINIO_VOLUMES\n");
        host.files.addFile(kStandard, "ELF").mode = 0755;
        host.files.addFile(kRdma, "ELF").mode = 0755;
        host.files.addFile(kEnvironment,
                           "MINIO_VOLUMES=\"/data{1...4}\"\n"
                           "MINIO_CONFIG_ENV_FILE=/etc/minio/config.env\n"
                           "MINIO_RDMA_INTERNODE=on\n");
        answer(kRdma, "minio version RELEASE\nFeatures: GPU-Direct RDMA\n");
        host.services.start(kUnit);
    }

    void answer(const std::string& program, const std::string& text) {
        host.programs.answers.insert_or_assign(
            program, host::ProgramVersion{.text = text, .exitStatus = 0});
    }

    // A profile whose only section is the service; `more` are lines of it.
    static profile::Profile service(const std::string& more = {}) {
        const auto parsed = profile::parse(
            "version: 1\nname: node\nservice:\n  unit: minio.service\n" + more,
            "profile.yaml");
        EXPECT_TRUE(parsed) << parsed.error().front().text();
        return *parsed;
    }

    engine::Report apply(const std::string& more = {}) {
        return engine::apply(host.reader(), host.writer(), service(more), {});
    }

    engine::Report check(const std::string& more = {}) {
        return engine::check(host.reader(), service(more), {});
    }

    static engine::ResourceReport of(const engine::Report& report,
                                     const std::string& property) {
        const std::string id = "service/minio.service/" + property;
        const auto found = std::ranges::find_if(
            report.resources, [&](const engine::ResourceReport& resource) {
                return resource.assessment.id == id;
            });
        if (found == report.resources.end()) {
            ADD_FAILURE() << "no " << id
                          << (report.stopped ? ": " + report.stopped->message() : "");
            return {};
        }
        return *found;
    }

    static engine::Outcome outcome(const engine::Report& report,
                                   const std::string& property) {
        return of(report, property).outcome;
    }

    static std::string reason(const engine::Report& report,
                              const std::string& property) {
        return of(report, property).assessment.reason;
    }

    static std::string fix(const engine::Report& report, const std::string& property) {
        return of(report, property).assessment.fix;
    }

    static std::optional<Finding> finding(const engine::Report& report,
                                          std::string_view id) {
        const auto found = std::ranges::find(report.findings, id, &Finding::id);
        return found == report.findings.end() ? std::nullopt : std::optional(*found);
    }

    [[nodiscard]] std::string ours() const { return host.files.content(kOurs); }

    // Configured and started again, so that nothing is left to do.
    void settle(const std::string& more = {}) {
        static_cast<void>(apply(more));
        host.services.start(kUnit);
        ASSERT_EQ(check(more).exitCode(), engine::ExitCode::asWanted);
        host.files.forgetWrites();
        host.services.reloads = 0;
    }

    fake::FakeHost host;
};

}  // namespace fabric::resource::service
