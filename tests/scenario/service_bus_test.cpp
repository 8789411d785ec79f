// SPDX-License-Identifier: Apache-2.0
// Whole runs over a real message bus with a systemd that goes wrong, and files in
// memory.
#include "engine/apply.hpp"
#include "fake/fake_host.hpp"
#include "linux/bus_systemd.hpp"
#include "linux/private_bus.hpp"
#include "linux/systemd_service_writer.hpp"
#include "scenario/storage_node.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <string>

namespace fabric::scenario {
namespace {

using engine::ExitCode;
using engine::Outcome;
using linux_host::testing::BusSystemd;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kOurs = "/etc/systemd/system/minio.service.d/90-fabricctl.conf";
constexpr const char* kOld = "[Service]\nLimitMEMLOCK=1\n";
constexpr linux_host::BusDeadlines kShort{.call = std::chrono::milliseconds(300),
                                          .reload = std::chrono::milliseconds(300),
                                          .job = std::chrono::milliseconds(300)};

class ServiceOverBus : public ::testing::Test {
  protected:
    ServiceOverBus() {
        node_.host.files.addFile("/usr/lib/systemd/system/minio.service",
                                 "[Service]\nExecStart=/usr/local/bin/minio server\n");
        node_.host.files.addFile("/usr/local/bin/minio.rdma", "ELF").mode = 0755;
        node_.host.files.addFile(kOurs, kOld);
        node_.host.programs.answers.insert_or_assign(
            "/usr/local/bin/minio.rdma",
            host::ProgramVersion{.text = "Features: GPU-Direct RDMA", .exitStatus = 0});
    }

    engine::Report apply(linux_host::BusDeadlines deadlines) {
        const linux_host::SystemdBus bus(deadlines);
        linux_host::SystemdServiceWriter services(bus);
        const host::Reader fakes = node_.reader();
        const host::Reader reader{.files = fakes.files,
                                  .links = fakes.links,
                                  .watcher = fakes.watcher,
                                  .dcb = fakes.dcb,
                                  .ethtool = fakes.ethtool,
                                  .pci = fakes.pci,
                                  .rdma = fakes.rdma,
                                  .ipv4 = fakes.ipv4,
                                  .clock = fakes.clock,
                                  .services = &bus,
                                  .programs = fakes.programs};
        host::Writer writer = node_.writer();
        writer.services = &services;
        return engine::apply(
            reader,
            writer,
            profileOf("version: 1\nname: s\nservice: { unit: minio.service }\n"),
            {});
    }

    static const resource::Assessment& dropIn(const engine::Report& report) {
        return report.resources.front().assessment;
    }

    [[nodiscard]] std::string ours() const { return node_.host.files.content(kOurs); }

    linux_host::testing::PrivateBus bus_;
    StorageNode node_{0};
};

TEST_F(ServiceOverBus, without_systemd_nothing_is_written) {
    const engine::Report report = apply({});
    EXPECT_EQ(report.exitCode(), ExitCode::unverifiable);
    EXPECT_THAT(node_.host.files.writes(), IsEmpty());
}

TEST_F(ServiceOverBus, without_an_answer_nothing_is_written) {
    const BusSystemd systemd(bus_.address(), {.silent = true});
    const engine::Report report = apply(kShort);
    EXPECT_EQ(report.exitCode(), ExitCode::unverifiable);
    EXPECT_THAT(node_.host.files.writes(), IsEmpty());
}

TEST_F(ServiceOverBus, an_answer_of_other_types_is_unreadable) {
    for (const char* property :
         {"LimitMEMLOCK", "ExecStart", "DropInPaths", "MainPID"}) {
        const BusSystemd systemd(bus_.address(), {.otherType = property});
        const engine::Report report = apply({});
        EXPECT_EQ(report.exitCode(), ExitCode::unverifiable) << property;
        EXPECT_THAT(dropIn(report).reason, HasSubstr(property));
        EXPECT_THAT(node_.host.files.writes(), IsEmpty());
    }
}

TEST_F(ServiceOverBus, S03_a_refused_unit_gets_the_former_drop_in_back) {
    const BusSystemd systemd(bus_.address(), {.loadStateAfterReload = "bad-setting"});
    const engine::Report report = apply({});
    EXPECT_EQ(report.resources.front().outcome, Outcome::failed);
    EXPECT_THAT(dropIn(report).reason, HasSubstr("bad-setting"));
    EXPECT_EQ(ours(), kOld);
    EXPECT_EQ(systemd.reloads(), 2);
}

TEST_F(ServiceOverBus, a_reload_without_an_answer_leaves_the_former_drop_in) {
    const BusSystemd systemd(bus_.address(), {.silentReload = true});
    const engine::Report report = apply({.reload = std::chrono::milliseconds(300)});
    EXPECT_EQ(report.resources.front().outcome, Outcome::failed);
    EXPECT_EQ(ours(), kOld);
    EXPECT_EQ(node_.host.files.writes().size(), 3U);  // directory, ours, and back
}

}  // namespace
}  // namespace fabric::scenario
