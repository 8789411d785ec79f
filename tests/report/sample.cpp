// SPDX-License-Identifier: Apache-2.0
#include "sample.hpp"

namespace fabric::report {

namespace {

using engine::Outcome;
using resource::Assessment;
using resource::Kind;
using resource::Verdict;

Assessment dcb(const std::string& rail,
               std::string property,
               Value wanted,
               Value found) {
    return {.id = "dcb/" + rail + "/" + property,
            .kind = Kind::dcb,
            .device = rail,
            .rdma = rail == "ens1f0np0" ? "mlx5_0" : "mlx5_1",
            .pci = rail == "ens1f0np0" ? "0000:1a:00.0" : "0000:3b:00.0",
            .property = std::move(property),
            .rail = rail,
            .wanted = std::move(wanted),
            .found = std::move(found),
            .verdict = Verdict::inSync};
}

engine::Report base(std::string command) {
    engine::Report report;
    report.command = std::move(command);
    report.profileName = "minio-roce-lossless";
    report.profilePath = "/etc/fabricctl/profile.yaml";
    report.host = "node1";
    report.bootId = "5a0f2d7e-8d7b-4a0e-9d38-111111111111";
    report.started =
        std::chrono::system_clock::time_point(std::chrono::seconds(1'700'000'000));
    report.duration = std::chrono::microseconds(12'400);
    return report;
}

Assessment drifted() {
    Assessment assessment = dcb("ens1f0np0", "pfc", Value::List{3}, Value::List{});
    assessment.verdict = Verdict::differs;
    assessment.disturbs = resource::Disturbs::link;
    assessment.reason =
        "PFC is off on every priority: the switch drops instead of pausing";
    assessment.explanation =
        "PFC must be on for exactly the priorities that the profile lists";
    return assessment;
}

Assessment lockedDown() {
    return {
        .id = "acs/0000:17:01.0/control",
        .kind = Kind::acs,
        .device = "0000:17:01.0",
        .pci = "0000:17:01.0",
        .property = "control",
        .wanted = "0x0011",
        .found = "0x001d",
        .verdict = Verdict::failed,
        .reason =
            "the kernel is locked down (integrity) and refuses writes to PCI "
            "configuration space",
        .fix = "boot with pci=config_acs=xx0x0xx@0000:17:01.0 or turn Secure Boot off"};
}

}  // namespace

engine::Report samplePlan() {
    engine::Report report = base("plan");
    report.resources = {
        {.assessment = drifted(), .outcome = Outcome::drifted},
        {.assessment = dcb("ens1f0np0", "trust", "dscp", "dscp"),
         .outcome = Outcome::inSync},
        {.assessment = dcb("ens2f0np0", "pfc", Value::List{3}, Value::List{3}),
         .outcome = Outcome::inSync},
        {.assessment = lockedDown(), .outcome = Outcome::failed}};
    report.findings = {{.id = "dcb.lldpad",
                        .severity = resource::Severity::warn,
                        .summary = "lldpad is running",
                        .evidence = "a process named lldpad\x1b[31m",
                        .fix = "systemctl disable --now lldpad.service"}};
    report.steps = {{.stage = resource::Stage::pfc,
                     .rail = "ens1f0np0",
                     .disturbs = resource::Disturbs::link,
                     .summary = "set PFC priorities to [3]",
                     .ids = {"dcb/ens1f0np0/pfc"}}};
    return report;
}

engine::Report sampleApply() {
    engine::Report report = samplePlan();
    report.command = "apply";
    report.changed = true;
    report.resources[0].outcome = Outcome::changed;
    report.resources[0].after = Value::List{3};
    return report;
}

}  // namespace fabric::report
