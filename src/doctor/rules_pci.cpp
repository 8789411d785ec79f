// SPDX-License-Identifier: Apache-2.0
// Between GPUs and adapters.
#include "doctor/evidence.hpp"
#include "doctor/judgement.hpp"
#include "doctor/rules.hpp"
#include "resource/acs/mask.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fabric::doctor {

namespace {

namespace acs = resource::acs;
using inventory::PciRelation;
using resource::kernel_module::Presence;

constexpr std::uint16_t kDirectTranslated = 0x0040;  // PCI_ACS_DT

// Below one switch redirection sends what needs no host bridge up to it; between root
// ports the root complex decides anyway.
Judgement judgeBridge(const acs::GpuNicPath& path, const acs::PathBridge& bridge) {
    const Value expected = "ReqRedir- CmpltRedir-";
    const auto redirects = bridge.redirects();
    if (!redirects) {
        const bool refused = bridge.registers.presence == acs::Presence::unprivileged;
        return unreadable({.kind = refused ? ErrorKind::permission : ErrorKind::io,
                           .action = "read the ACS registers of",
                           .subject = bridge.address.text(),
                           .sysErrno = 0,
                           .detail = bridge.registers.detail,
                           .advice = {}});
    }
    const Value found = acs::bitNames(bridge.registers.control);
    if (!*redirects) {
        return passed(expected, found);
    }
    const bool direct = (bridge.registers.control & kDirectTranslated) != 0;
    const bool belowSwitch =
        path.relation == PciRelation::pix || path.relation == PciRelation::pxb;
    const std::string pair =
        fmt::format("between {} and {}", path.gpu.text(), path.nic.text());
    return belowSwitch && !direct
               ? failed(expected,
                        found,
                        "peer traffic is sent up to the host bridge " + pair)
               : warned(expected,
                        found,
                        "redirection is on " + pair +
                            ", which do not share a switch, or translated requests "
                            "pass: the root complex has to reflect it");
}

bool isJudged(const acs::GpuNicPath& path) {
    return path.relation == PciRelation::pix || path.relation == PciRelation::pxb ||
           path.relation == PciRelation::phb;
}

Judgement judgeRedirect(const Evidence& evidence) {
    if (!evidence.pci.paths) {
        return unreadable(evidence.pci.paths.error());
    }
    Judged bridges;
    std::map<std::string, Judgement> byBridge;
    for (const acs::GpuNicPath& path : *evidence.pci.paths) {
        for (const acs::PathBridge& bridge :
             isJudged(path) ? path.between : std::vector<acs::PathBridge>{}) {
            Judgement judgement = judgeBridge(path, bridge);
            const auto known = byBridge.find(bridge.address.text());
            if (known == byBridge.end()) {
                byBridge.emplace(bridge.address.text(), std::move(judgement));
            } else if (isWorse(judgement.verdict, known->second.verdict)) {
                known->second = std::move(judgement);
            }
        }
    }
    for (auto& [bridge, judgement] : byBridge) {
        bridges.add(bridge, std::move(judgement));
    }
    return bridges.worst(evidence.pci.gpus == 0
                             ? "there is no GPU"
                             : "no GPU and RDMA adapter share a host bridge");
}

Judgement judgeIommu(const Evidence& evidence) {
    if (!evidence.pci.paths) {
        return unreadable(evidence.pci.paths.error());
    }
    if (evidence.pci.gpus == 0) {
        return notApplicable("there is no GPU");
    }
    const Value expected = "off, or pass-through";
    if (!evidence.pci.translating.empty()) {
        return warned(expected,
                      "translating (" + evidence.pci.translating + ")",
                      "every access between GPU and adapter goes through the IOMMU");
    }
    const Value found = evidence.pci.iommu ? "pass-through" : "off";
    const Verdict redirect = judgeRedirect(evidence).verdict;
    if (!evidence.pci.iommu && redirect == Verdict::fail) {
        return warned("pass-through, or off with no redirect bit set",
                      found,
                      "nothing reflects what ACS redirects: clear the redirect bits");
    }
    return passed(expected, found);
}

Judgement judgeLockdown(const Evidence& evidence) {
    const auto lockdown = evidence.platform.lockdown;
    const Value expected = "none, or no ACS bit to clear";
    if (lockdown == inventory::Lockdown::none) {
        return passed(expected, "none");
    }
    if (lockdown == inventory::Lockdown::unknown) {
        return passed(expected, "this kernel has no lockdown, or does not show it");
    }
    const Value found =
        lockdown == inventory::Lockdown::integrity ? "integrity" : "confidentiality";
    const std::string reason =
        "kernel lockdown refuses every write to the ACS registers";
    const Judgement redirected = judgeRedirect(evidence);
    const Verdict redirect = redirected.verdict;
    if (redirect == Verdict::unreadable) {
        return redirected;
    }
    if (redirect == Verdict::fail) {
        return failed(expected, found, reason);
    }
    return redirect == Verdict::warn ? warned(expected, found, reason)
                                     : passed(expected, found);
}

Judgement judgePeerMemory(const Evidence& evidence) {
    if (!evidence.pci.paths) {
        return unreadable(evidence.pci.paths.error());
    }
    if (evidence.pci.gpus == 0) {
        return notApplicable("there is no GPU");
    }
    const auto loaded = [&](std::string_view name) {
        return std::ranges::any_of(evidence.modules.modules, [&](const auto& module) {
            return module.name == name && module.presence == Presence::live;
        });
    };
    if (!loaded("nvidia")) {
        return notApplicable("no NVIDIA driver is loaded");
    }
    const Value expected = "nvidia_peermem, or dma-buf";
    if (loaded("nvidia_peermem") || loaded("nv_peer_mem")) {
        return passed(expected, "nvidia_peermem");
    }
    if (!inventory::kernelAtLeast(evidence.platform.kernelRelease, 5, 12)) {
        return warned(
            expected,
            "neither",
            "nvidia_peermem is not loaded, and this kernel has no dma-buf for "
            "RDMA");
    }
    const auto& driver = evidence.pci.nvidiaDriver;
    if (!driver) {
        return driver.error().kind == ErrorKind::permission
                   ? unreadable(driver.error())
                   : inconclusive(
                         "the NVIDIA driver does not say of which kind it is: " +
                         driver.error().message());
    }
    // "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64 ..."; the other kind has
    // no dma-buf.
    return driver->contains("Open Kernel Module")
               ? passed(expected, "dma-buf of the open driver")
               : warned(expected,
                        "neither",
                        "nvidia_peermem is not loaded, and the driver is not the open "
                        "one, which alone has dma-buf");
}

constexpr auto kRules = std::to_array<Rule>({
    {.id = "lockdown",
     .worst = Verdict::fail,
     .cause = "kernel lockdown keeps ACS redirection from being cleared",
     .source = "experience",
     .look = "cat /sys/kernel/security/lockdown",
     .fix = "pci=config_acs= on the kernel's command line; fabricctl check names it",
     .action = {},
     .restart = Restart::reboot,
     .judge = judgeLockdown},
    {.id = "acs.redirect",
     .worst = Verdict::fail,
     .cause = "PCIe ACS redirects traffic between GPU and adapter",
     .source = "Troubleshoot RDMA: remote operation error",
     .look = "lspci -vvv -s {bridge} | grep ACSCtl",
     .fix = "clear ReqRedir and CmpltRedir on every bridge of the path",
     .action = "{apply} --only acs",
     .restart = Restart::none,
     .judge = judgeRedirect},
    {.id = "iommu.mode",
     .worst = Verdict::warn,
     .cause = "the IOMMU translates what GPU and adapter say to each other",
     .source = "Configure the RDMA fabric: PCIe ACS",
     .look = "grep -o '[a-z_]*iommu[^ ]*' /proc/cmdline; cat "
             "/sys/kernel/iommu_groups/*/type",
     .fix = "where it translates, iommu=pt on the kernel's command line; where it is "
            "off, clear the redirect bits (acs.redirect)",
     .action = {},
     .restart = Restart::reboot,
     .judge = judgeIommu},
    {.id = "peermem.dmabuf",
     .worst = Verdict::warn,
     .cause = "nothing gives the adapter access to GPU memory",
     .source = "experience",
     .look = "lsmod | grep -E 'nvidia_peermem|nv_peer_mem'; head -1 "
             "/proc/driver/nvidia/version",
     .fix = "load nvidia_peermem, now and at every boot",
     .action = "{apply} --only module",
     .restart = Restart::thisNode,
     .judge = judgePeerMemory},
});

}  // namespace

std::span<const Rule> pciRules() {
    return kRules;
}

}  // namespace fabric::doctor
