// SPDX-License-Identifier: Apache-2.0
#include "facts/selection.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <ranges>

namespace fabric::facts {

namespace {

struct Rule {
    std::string_view pattern;  // globMatches: "*" reaches over "/"
    Carry carry;
};

// The first that matches.
constexpr std::array kRules{
    Rule{"/sys/*", Carry::whole},
    Rule{"/proc/sys/*", Carry::whole},
    Rule{"/proc/cmdline", Carry::commandLine},
    Rule{"/proc/cpuinfo", Carry::processors},
    Rule{"/proc/self/mounts", Carry::mounts},
    Rule{"/proc/uptime", Carry::whole},
    Rule{"/proc/meminfo", Carry::whole},
    Rule{"/proc/net/stat/arp_cache", Carry::whole},
    Rule{"/proc/xen/capabilities", Carry::whole},
    Rule{"/proc/irq/*", Carry::whole},
    Rule{"/proc/driver/nvidia/version", Carry::whole},
    Rule{"/proc/*/environ", Carry::environ},
    Rule{"/proc/*/comm", Carry::whole},
    Rule{"/proc/*/limits", Carry::whole},
    Rule{"/proc/*/stat", Carry::whole},
    Rule{"/proc/*/status", Carry::whole},
    Rule{"/proc/*/uid_map", Carry::whole},
    Rule{"/proc/*/cgroup", Carry::whole},
    Rule{"*/systemd/*.service", Carry::unitFile},
    Rule{"*/systemd/*.conf", Carry::unitFile},
    Rule{"*/sysctl.d/*.conf", Carry::sysctl},
    Rule{"/etc/sysctl.conf", Carry::sysctl},
    Rule{"*/modprobe.d/*.conf", Carry::modprobe},
    Rule{"*/modules-load.d/*.conf", Carry::moduleList},
    Rule{"/etc/security/limits.conf", Carry::limits},
    Rule{"/etc/security/limits.d/*", Carry::limits},
};

// Names of the programs in resource/arp/other_writer.cpp and engine/other_owner.cpp.
// The storage server's are those that doctor looks for.
constexpr std::array<std::string_view, 8> kWatchedPrograms{"lldpad",
                                                           "kube-proxy",
                                                           "tuned",
                                                           "wickedd",
                                                           "keepalived",
                                                           "lldpd",
                                                           "minio",
                                                           "minio.rdma"};

// Documentation/admin-guide/kernel-parameters.txt; those of modules are matched below.
constexpr std::array<std::string_view, 46> kParameters{"BOOT_IMAGE",
                                                       "amd_iommu",
                                                       "apparmor",
                                                       "biosdevname",
                                                       "debug",
                                                       "default_hugepagesz",
                                                       "hugepages",
                                                       "hugepagesz",
                                                       "idle",
                                                       "integrity",
                                                       "intel_idle.max_cstate",
                                                       "intel_iommu",
                                                       "intel_pstate",
                                                       "iommu",
                                                       "iommu.passthrough",
                                                       "iommu.strict",
                                                       "ipv6.disable",
                                                       "isolcpus",
                                                       "lockdown",
                                                       "lsm",
                                                       "maxcpus",
                                                       "mce",
                                                       "mem",
                                                       "mitigations",
                                                       "modprobe.blacklist",
                                                       "module.sig_enforce",
                                                       "module_blacklist",
                                                       "net.ifnames",
                                                       "nohz_full",
                                                       "nosmt",
                                                       "nr_cpus",
                                                       "numa_balancing",
                                                       "pci",
                                                       "pcie_acs_override",
                                                       "pcie_aspm",
                                                       "pcie_ports",
                                                       "processor.max_cstate",
                                                       "quiet",
                                                       "rcu_nocbs",
                                                       "ro",
                                                       "rw",
                                                       "security",
                                                       "selinux",
                                                       "splash",
                                                       "transparent_hugepage",
                                                       "vfio-pci.ids"};

constexpr std::array<std::string_view, 8> kModuleParameters{"mlx5_core.*",
                                                            "mlx5_ib.*",
                                                            "mlx4_core.*",
                                                            "ib_core.*",
                                                            "rdma_cm.*",
                                                            "bnxt_en.*",
                                                            "ice.*",
                                                            "irdma.*"};

// Asserts and conditions name paths; the rest holds no text of its own.
constexpr std::array<std::string_view, 15> kSettings{"Assert*",
                                                     "Condition*",
                                                     "ExecStart",
                                                     "LimitMEMLOCK",
                                                     "EnvironmentFile",
                                                     "UnsetEnvironment",
                                                     "DeviceAllow",
                                                     "DevicePolicy",
                                                     "PrivateDevices",
                                                     "After",
                                                     "Before",
                                                     "Requires",
                                                     "Wants",
                                                     "Type",
                                                     "WantedBy"};

bool anyMatches(const auto& patterns, std::string_view name) {
    return std::ranges::any_of(
        patterns, [&](std::string_view pattern) { return globMatches(pattern, name); });
}

}  // namespace

Carry carryOf(std::string_view path) {
    // A path that goes back up is somebody's trick.
    if (path.contains("/../")) {
        return Carry::environmentFile;
    }
    const auto* const rule = std::ranges::find_if(
        kRules, [&](const Rule& one) { return globMatches(one.pattern, path); });
    return rule == kRules.end() ? Carry::environmentFile : rule->carry;
}

bool isWatchedProgram(std::string_view name) {
    return isOneOf(name, kWatchedPrograms);
}

bool isCarriedParameter(std::string_view name) {
    return isOneOf(name, kParameters) || anyMatches(kModuleParameters, name);
}

bool isCarriedSetting(std::string_view key) {
    return anyMatches(kSettings, key);
}

}  // namespace fabric::facts
