// SPDX-License-Identifier: Apache-2.0
#include "inventory/hypervisor.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace fabric::inventory {

namespace {

// One line per processor thread: two thousand threads fit.
constexpr std::size_t kCpuInfoLimit = std::size_t{16} << 20U;

// CPUID leaf 1, ECX bit 31 is feature word 4, bit 31 (X86_FEATURE_HYPERVISOR,
// arch/x86/include/asm/cpufeatures.h): 4 * 32 + 31 = 0x9f.
constexpr std::string_view kHypervisorFeature = ",009F,";

constexpr std::array<std::string_view, 4> kDmiFiles{
    "/sys/class/dmi/id/sys_vendor",
    "/sys/class/dmi/id/product_name",
    "/sys/class/dmi/id/board_vendor",
    "/sys/class/dmi/id/bios_vendor",
};

// What virtual firmware writes into vendor and product. A physical machine of a cloud
// provider carries the provider's name too, so names of providers are not here.
constexpr std::array<std::pair<std::string_view, std::string_view>, 14> kDmiHypervisors{
    {
        {"KVM", "kvm"},
        {"OpenStack", "kvm"},
        {"QEMU", "qemu"},
        {"Google Compute Engine", "kvm"},
        {"Alibaba Cloud ECS", "kvm"},
        {"VMware", "vmware"},
        {"VirtualBox", "virtualbox"},
        {"innotek GmbH", "virtualbox"},
        {"Virtual Machine", "hyper-v"},
        {"Xen", "xen"},
        {"HVM domU", "xen"},
        {"Bochs", "bochs"},
        {"Parallels", "parallels"},
        {"BHYVE", "bhyve"},
    }};

std::string_view hypervisorIn(std::string_view text) {
    const auto* const found = std::ranges::find_if(
        kDmiHypervisors,
        [&](const auto& entry) { return text.starts_with(entry.first); });
    return found == kDmiHypervisors.end() ? std::string_view{} : found->second;
}

// The firmware's word. `guest` is empty when no string could be read.
Virtualisation dmiVirtualisation(const host::FileReader& files) {
    Virtualisation seen;
    for (const std::string_view path : kDmiFiles) {
        const auto text = files.read(path);
        if (!text) {
            continue;
        }
        seen.hypervisor = hypervisorIn(trimmed(*text));
        seen.guest = !seen.hypervisor.empty();
        if (*seen.guest) {
            return seen;
        }
    }
    return seen;
}

// Every x86 hypervisor in use sets the bit; other processors have none, and then the
// answer is empty. The modalias is one short file, /proc/cpuinfo grows with the threads
// and is only read where the kernel has no modalias.
std::optional<bool> hypervisorBit(const host::FileReader& files) {
    const auto alias = files.read("/sys/devices/system/cpu/modalias");
    if (alias && alias->starts_with("cpu:type:x86")) {
        return (std::string(trimmed(*alias)) + ",").contains(kHypervisorFeature);
    }
    const auto info = files.read("/proc/cpuinfo", kCpuInfoLimit);
    const std::size_t flags = info ? info->find("\nflags\t") : std::string::npos;
    if (flags == std::string::npos) {
        return std::nullopt;
    }
    const std::string_view line = std::string_view(*info).substr(
        flags + 1, info->find('\n', flags + 1) - flags - 1);
    return std::ranges::count(split(line, ' '), "hypervisor") > 0;
}

bool xenControlDomain(const host::FileReader& files) {
    const auto capabilities = files.read("/proc/xen/capabilities");
    return capabilities && capabilities->contains("control_d");
}

}  // namespace

Virtualisation observeVirtualisation(const host::FileReader& files) {
    if (const auto type = files.read("/sys/hypervisor/type")) {
        return {.guest = !xenControlDomain(files),
                .hypervisor = std::string(trimmed(*type))};
    }
    Virtualisation seen = dmiVirtualisation(files);
    if (const auto bit = hypervisorBit(files)) {
        seen.guest = *bit || seen.guest.value_or(false);
    }
    return seen;
}

}  // namespace fabric::inventory
