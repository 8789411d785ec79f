// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/port_task.hpp"

#include "base/text.hpp"
#include "resource/dcb/dscp_plan.hpp"
#include "resource/dcb/property_values.hpp"
#include "resource/dcb/trust.hpp"

#include <fmt/format.h>

#include <utility>

namespace fabric::resource::dcb {

namespace {

using profile::DcbSettings;

void ownClassification(const DcbSettings& wanted, std::vector<OwnedProperty>& owned) {
    if (wanted.trust.value != profile::Trust::keep) {
        const bool dscp = wanted.trust.value == profile::Trust::dscp;
        owned.push_back({.name = "trust", .wanted = dscp ? "dscp" : "pcp"});
    }
    const DscpMap map =
        targetMap(wanted, {.unlisted = UnlistedDscp::written}, DscpEntries{});
    if (!map.empty()) {
        owned.push_back({.name = "dscp-map", .wanted = valueOf(map)});
    }
}

void ownFlow(const DcbSettings& wanted, std::vector<OwnedProperty>& owned) {
    if (wanted.pfc) {
        owned.push_back({.name = "pfc", .wanted = valueOf(wanted.pfc->value)});
    }
    if (wanted.ets) {
        owned.push_back({.name = "ets", .wanted = valueOf(*wanted.ets)});
    }
    if (wanted.maxRate) {
        owned.push_back({.name = "max-rate", .wanted = valueOf(*wanted.maxRate)});
    }
}

void ownBuffers(const DcbSettings& wanted, std::vector<OwnedProperty>& owned) {
    if (wanted.priorityToBuffer) {
        owned.push_back({.name = "priority-to-buffer",
                         .wanted = valueOf(wanted.priorityToBuffer->value),
                         .required = wanted.priorityToBuffer->isExplicit()});
    }
    if (wanted.bufferSize) {
        owned.push_back({.name = "buffer-size", .wanted = valueOf(*wanted.bufferSize)});
    }
    if (wanted.cableLength) {
        owned.push_back({.name = "cable-length",
                         .wanted = std::int64_t{wanted.cableLength->count}});
    }
}

}  // namespace

std::vector<OwnedProperty> ownedProperties(const DcbSettings& wanted) {
    std::vector<OwnedProperty> owned;
    if (wanted.dcbx.value == profile::DcbxOwner::host) {
        owned.push_back(
            {.name = "dcbx", .wanted = "host", .required = wanted.dcbx.isExplicit()});
    }
    ownClassification(wanted, owned);
    ownFlow(wanted, owned);
    ownBuffers(wanted, owned);
    return owned;
}

std::string idOf(const inventory::PhysicalPort& port, std::string_view property) {
    return fmt::format("dcb/{}/{}", port.name, property);
}

Assessment assessmentOf(const PortTask& task, std::string_view property) {
    return {.id = idOf(task.port, property),
            .kind = Kind::dcb,
            .device = task.port.name,
            .rdma = task.rdma,
            .pci = task.port.pci ? task.port.pci->text() : "",
            .property = std::string(property),
            .rail = task.rail};
}

std::string driverName(const inventory::PhysicalPort& port) {
    return port.driver.empty() ? "its driver" : escapeForTerminal(port.driver);
}

std::string dcbxFix(const DriverFacts& driver, std::string_view interface) {
    constexpr std::string_view kPlace = "INTERFACE";
    std::string fix(driver.dcbxFix);
    if (const auto at = fix.find(kPlace); at != std::string::npos) {
        fix.replace(at, kPlace.size(), escapeForTerminal(interface));
    }
    return fix;
}

void judgeUncontrollable(const PortTask& task,
                         bool required,
                         std::string_view what,
                         Assessment& assessment,
                         std::vector<Finding>& findings) {
    const DriverFacts& driver = driverFacts(task.port.driver);
    assessment.reason =
        fmt::format("{} offers no {} on this port (the kernel's answer has none)",
                    driverName(task.port),
                    what);
    if (!driver.vendorTool.empty()) {
        assessment.fix = fmt::format("look for it in {}", driver.vendorTool);
    }
    assessment.explanation =
        "A value written in the profile is unsupported on a driver without the "
        "control; a value derived from dcb.lossless or a default does not apply.";
    assessment.verdict = required ? Verdict::unsupported : Verdict::notApplicable;
    if (!required) {
        findings.push_back({.id = "dcb.uncontrollable",
                            .severity = Severity::warn,
                            .summary = fmt::format("{} cannot be set", what),
                            .evidence = assessment.property + ": " + assessment.reason,
                            .fix = assessment.fix,
                            .device = task.port.name});
    }
}

Step stepOf(const PortTask& task,
            Stage stage,
            Disturbs disturbs,
            std::string summary,
            std::vector<Assessment*> serves) {
    Step step{.stage = stage,
              .rail = task.rail,
              .link = task.port.link,
              .disturbs = disturbs,
              .summary = std::move(summary)};
    for (Assessment* const assessment : serves) {
        assessment->disturbs = disturbs;
        step.ids.push_back(assessment->id);
    }
    return step;
}

void addOwnerHint(const PortTask& task, const State& found, Assessment& assessment) {
    if (assessment.verdict != Verdict::differs || hostOwnsDcbx(found).value_or(true)) {
        return;
    }
    const DriverFacts& driver = driverFacts(task.port.driver);
    assessment.reason +=
        driver.einvalMeansFirmware
            ? "; the NIC's firmware owns DCBX, and this driver then refuses changes"
            : "; the NIC's firmware owns DCBX and may have set this or set it back";
    assessment.fix = dcbxFix(driver, task.port.name);
}

}  // namespace fabric::resource::dcb
