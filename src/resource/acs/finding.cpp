// SPDX-License-Identifier: Apache-2.0
#include "resource/acs/finding.hpp"

#include "base/text.hpp"
#include "resource/acs/kernel_parameter.hpp"

#include <linux/pci_regs.h>

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace fabric::resource::acs {

namespace {

using profile::Consent;

// The addresses of the ports for which `holds`, separated by spaces; "" for none.
std::string portsWhere(
    const Seen& seen,
    const std::function<bool(const Port&, const Assessment&)>& holds) {
    std::string text;
    for (std::size_t at = 0; at < seen.ports.size(); ++at) {
        if (holds(seen.ports[at], seen.assessments[at])) {
            text += (text.empty() ? "" : " ") + seen.ports[at].address.text();
        }
    }
    return text;
}

void addWhere(std::vector<Finding>& findings,
              const Seen& seen,
              Finding finding,
              const std::function<bool(const Port&, const Assessment&)>& holds) {
    finding.evidence = portsWhere(seen, holds);
    if (!finding.evidence.empty()) {
        findings.push_back(std::move(finding));
    }
}

// The bits are off or about to be: the hazard is real and not merely refused.
bool clears(const Assessment& assessment) {
    return assessment.verdict == Verdict::inSync ||
           assessment.verdict == Verdict::differs;
}

void addHazards(std::vector<Finding>& findings, const Seen& seen) {
    if (seen.settings.onTranslatingIommu != Consent::proceed) {
        addWhere(findings,
                 seen,
                 {.id = "acs.translating-iommu",
                  .severity = Severity::warn,
                  .summary = "peer traffic is not redirected although the IOMMU "
                             "translates for a device below: a switch takes its "
                             "addresses for bus addresses",
                  .evidence = {},
                  .fix = "boot with iommu=pt"},
                 [](const Port& port, const Assessment& assessment) {
                     return clears(assessment) && !port.hazard.translating.empty();
                 });
    }
    if (seen.settings.onPassthrough != Consent::proceed) {
        addWhere(
            findings,
            seen,
            {.id = "acs.passthrough",
             .severity = Severity::warn,
             .summary = "peer traffic is not redirected although a device below is "
                        "handed to a guest or a user process; IOMMU groups do not "
                        "show the lost isolation",
             .evidence = {},
             .fix = "release the device from vfio-pci or pci-stub"},
            [](const Port& port, const Assessment& assessment) {
                return clears(assessment) && !port.hazard.passthrough.empty();
            });
    }
}

void addPortStates(std::vector<Finding>& findings, const Seen& seen) {
    addWhere(
        findings,
        seen,
        {.id = "acs.translation-blocking",
         .severity = Severity::warn,
         .summary = "translation blocking (TB) is on: the kernel takes the devices "
                    "below for untrusted, or was booted with pci=noats",
         .evidence = {},
         .fix = "look for 'external' or 'untrusted' devices and at /proc/cmdline"},
        [](const Port& port, const Assessment&) {
            return port.registers.presence == Presence::present &&
                   (port.registers.control & PCI_ACS_TB) != 0;
        });
    addWhere(
        findings,
        seen,
        {.id = "acs.translated-traffic",
         .severity = Severity::info,
         .summary = "NICs below use address translation services and DT is on: "
                    "this is the design for virtual machines, it is left alone",
         .evidence = {},
         .fix = {}},
        [](const Port& port, const Assessment&) { return port.translatedTraffic; });
}

void addGuest(std::vector<Finding>& findings, const Seen& seen) {
    if (seen.platform.guest != true || seen.settings.onGuest != Consent::warn) {
        return;
    }
    const std::string& name = seen.platform.hypervisor;
    findings.push_back(
        {.id = "acs.guest",
         .severity = Severity::warn,
         .summary =
             "this is a virtual machine, where ACS is cosmetic: the real switches "
             "belong to the host",
         .evidence = name.empty() ? "the processor's hypervisor bit"
                                  : "hypervisor: " + escapeForTerminal(name),
         .fix = "configure ACS on the host; acs.on-guest: proceed silences this"});
}

void addLockdown(std::vector<Finding>& findings, const Seen& seen) {
    if (!seen.policy.lockedDown()) {
        return;
    }
    addWhere(
        findings,
        seen,
        {.id = "acs.lockdown",
         .severity = Severity::fail,
         .summary = "kernel lockdown refuses writes to PCI config space, registers "
                    "differ",
         .evidence = {},
         .fix = seen.policy.bootAdvice},
        [](const Port&, const Assessment& assessment) {
            return assessment.verdict == Verdict::differs;
        });
}

// A parameter on the command line is a wish; the register decides.
void addCommandLine(std::vector<Finding>& findings, const Seen& seen) {
    const std::string options = acsOptions(seen.platform.kernelCommandLine);
    const bool unmet =
        std::ranges::any_of(seen.assessments, [](const Assessment& assessment) {
            return assessment.verdict == Verdict::differs ||
                   assessment.verdict == Verdict::failed;
        });
    if (options.empty() || !unmet) {
        return;
    }
    findings.push_back(
        {.id = "acs.command-line",
         .severity = Severity::warn,
         .summary =
             "the kernel command line asks for ACS settings, and registers differ",
         .evidence = escapeForTerminal(options),
         .fix =
             "the register decides; kernels 6.11 to 6.14 without commit 9cf8a952d57b "
             "read config_acs and disable_acs_redir wrongly, and noacs is no option "
             "of the mainline kernel"});
}

}  // namespace

std::vector<Finding> portFindings(const Seen& seen) {
    std::vector<Finding> findings;
    addGuest(findings, seen);
    addLockdown(findings, seen);
    addHazards(findings, seen);
    addPortStates(findings, seen);
    addCommandLine(findings, seen);
    return findings;
}

}  // namespace fabric::resource::acs
