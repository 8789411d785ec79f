// SPDX-License-Identifier: Apache-2.0
#include "inventory/platform.hpp"

#include "fake/fake_host.hpp"

#include <gtest/gtest.h>

#include <initializer_list>
#include <map>
#include <string>

namespace fabric::inventory {
namespace {

constexpr const char* kAlias = "/sys/devices/system/cpu/modalias";
constexpr const char* kVendor = "/sys/class/dmi/id/sys_vendor";

using Texts = std::map<std::string, std::string>;

// A machine of which only these files are known.
class Machine : public fake::FakeHost {
  public:
    Machine(std::initializer_list<Texts::value_type> texts) { show(texts); }

    // Instead of those before.
    void show(const Texts& texts) {
        files.erase("/proc");
        files.erase("/sys");
        for (const auto& [path, text] : texts) {
            files.addFile(path, text);
        }
    }
};

Platform observe(const Machine& machine) {
    return observePlatform(machine.reader());
}

TEST(Platform, names_the_host_the_boot_and_the_kernel) {
    const Machine machine{
        {"/proc/sys/kernel/hostname", "node7\n"},
        {"/proc/sys/kernel/random/boot_id", "0b5c6e1a-0000-4000-8000-000000000007\n"},
        {"/proc/sys/kernel/osrelease", "6.12.0-1-amd64\n"},
        {"/proc/cmdline", "quiet pci=config_acs=xx0x00x@pci:0:0\n"}};
    const Platform seen = observe(machine);
    EXPECT_EQ(seen.hostName, "node7");
    EXPECT_EQ(seen.bootId, "0b5c6e1a-0000-4000-8000-000000000007");
    EXPECT_EQ(seen.kernelRelease, "6.12.0-1-amd64");
    EXPECT_EQ(seen.kernelCommandLine, "quiet pci=config_acs=xx0x00x@pci:0:0");
}

TEST(Platform, lockdown_is_the_state_in_brackets) {
    const auto lockdown = [](const char* text) {
        const Machine machine{{"/sys/kernel/security/lockdown", text}};
        return observe(machine).lockdown;
    };
    EXPECT_EQ(lockdown("[none] integrity confidentiality\n"), Lockdown::none);
    EXPECT_EQ(lockdown("none [integrity] confidentiality\n"), Lockdown::integrity);
    EXPECT_EQ(lockdown("none integrity [confidentiality]\n"),
              Lockdown::confidentiality);
    EXPECT_EQ(lockdown("none integrity confidentiality\n"), Lockdown::unknown);
    EXPECT_EQ(lockdown("] [\n"), Lockdown::unknown);
    EXPECT_EQ(lockdown("[other]\n"), Lockdown::unknown);
}

TEST(Platform, lockdown_that_cannot_be_read_is_unknown_not_none) {
    EXPECT_EQ(observe(Machine{}).lockdown, Lockdown::unknown);
}

TEST(Platform, processor_bit_says_guest_and_firmware_names_the_hypervisor) {
    const Machine machine{
        {kAlias, "cpu:type:x86,ven0002fam0019mod0001:feature:,0000,009F\n"},
        {kVendor, "QEMU\n"}};
    EXPECT_EQ(observe(machine).guest, true);
    EXPECT_EQ(observe(machine).hypervisor, "qemu");
}

TEST(Platform, processor_bit_alone_says_guest_without_a_name) {
    const Machine machine{
        {kAlias, "cpu:type:x86,ven0002fam0019mod0001:feature:,009F,00C0\n"}};
    EXPECT_EQ(observe(machine).guest, true);
    EXPECT_EQ(observe(machine).hypervisor, "");
}

TEST(Platform, a_physical_x86_server_is_no_guest) {
    const Machine machine{
        {kAlias, "cpu:type:x86,ven0000fam0006mod008F:feature:,0000,009E,00A0\n"},
        {kVendor, "Supermicro\n"},
        {"/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu hypervisor\n"}};
    EXPECT_EQ(observe(machine).guest, false);
}

TEST(Platform, cpuinfo_serves_where_there_is_no_modalias) {
    Machine machine{{"/proc/cpuinfo",
                     "processor\t: 0\nflags\t\t: fpu sse hypervisor lm\nbugs\t\t:\n"}};
    EXPECT_EQ(observe(machine).guest, true);
    machine.show({{"/proc/cpuinfo", "processor\t: 0\nflags\t\t: fpu sse lm\n"}});
    EXPECT_EQ(observe(machine).guest, false);
}

TEST(Platform, arm_has_no_processor_bit_and_follows_the_firmware) {
    Machine machine{{"/proc/cpuinfo", "processor\t: 0\nFeatures\t: fp asimd\n"},
                    {kVendor, "NVIDIA\n"}};
    EXPECT_EQ(observe(machine).guest, false);
    machine.files.addFile(kVendor, "QEMU\n");
    EXPECT_EQ(observe(machine).guest, true);
}

TEST(Platform, guest_is_unknown_when_nothing_tells) {
    EXPECT_EQ(observe(Machine{}).guest, std::nullopt);
}

TEST(Platform, microsoft_hardware_is_no_guest_by_its_vendor) {
    Machine machine{{kVendor, "Microsoft Corporation\n"},
                    {"/sys/class/dmi/id/product_name", "Virtual Machine\n"}};
    EXPECT_EQ(observe(machine).hypervisor, "hyper-v");
    machine.files.addFile("/sys/class/dmi/id/product_name", "C2080\n");
    EXPECT_EQ(observe(machine).guest, false);
}

TEST(Platform, xen_guest_and_control_domain_are_told_apart) {
    Machine machine{{"/sys/hypervisor/type", "xen\n"},
                    {"/proc/xen/capabilities", "\n"}};
    EXPECT_EQ(observe(machine).guest, true);
    EXPECT_EQ(observe(machine).hypervisor, "xen");
    machine.files.addFile("/proc/xen/capabilities", "control_d\n");
    EXPECT_EQ(observe(machine).guest, false);
}

TEST(Platform, effective_rights_are_read_from_the_process_status) {
    Machine machine{{"/proc/self/status",
                     "Name:\tx\nUid:\t1000\t0\t0\t0\nCapPrm:\t000001ffffffffff\n"
                     "CapEff:\t0000000000201000\n"}};
    Platform seen = observe(machine);
    EXPECT_TRUE(seen.effectiveRoot);
    EXPECT_TRUE(seen.hasNetAdmin);
    EXPECT_TRUE(seen.hasSysAdmin);
    machine.show(
        {{"/proc/self/status", "Uid:\t0\t1000\t0\t0\nCapEff:\t0000000000001000\n"}});
    seen = observe(machine);
    EXPECT_FALSE(seen.effectiveRoot);
    EXPECT_TRUE(seen.hasNetAdmin);
    EXPECT_FALSE(seen.hasSysAdmin);
}

TEST(Platform, rights_that_cannot_be_read_are_not_assumed) {
    const Platform seen = observe(Machine{});
    EXPECT_FALSE(seen.effectiveRoot);
    EXPECT_FALSE(seen.hasNetAdmin);
    EXPECT_FALSE(seen.hasSysAdmin);
}

TEST(Platform, user_namespace_is_known_by_its_inode_or_by_the_identity_map) {
    Machine machine{};
    machine.files.addLink("/proc/self/ns/user", "user:[4026531837]");
    EXPECT_TRUE(observe(machine).initialUserNamespace);
    machine.show({{"/proc/self/uid_map", "         0          0 4294967295\n"}});
    machine.files.addLink("/proc/self/ns/user", "user:[4026532999]");
    EXPECT_FALSE(observe(machine).initialUserNamespace);
    machine.files.erase("/proc/self/ns/user");
    EXPECT_TRUE(observe(machine).initialUserNamespace);
    machine.show({{"/proc/self/uid_map", "         0       1000          1\n"}});
    EXPECT_FALSE(observe(machine).initialUserNamespace);
}

TEST(KernelAtLeast, compares_numbers_not_text) {
    EXPECT_TRUE(kernelAtLeast("6.12.0-1-amd64", 6, 11));
    EXPECT_TRUE(kernelAtLeast("6.11.0", 6, 11));
    EXPECT_FALSE(kernelAtLeast("6.9.3", 6, 11));
    EXPECT_TRUE(kernelAtLeast("10.0-rc1", 6, 11));
    EXPECT_FALSE(kernelAtLeast("5.99", 6, 11));
}

TEST(KernelAtLeast, an_unreadable_release_is_not_new_enough) {
    EXPECT_FALSE(kernelAtLeast("", 4, 19));
    EXPECT_FALSE(kernelAtLeast("6", 4, 19));
    EXPECT_FALSE(kernelAtLeast("linux", 4, 19));
    EXPECT_FALSE(kernelAtLeast("6.", 4, 19));
}

}  // namespace
}  // namespace fabric::inventory
