// SPDX-License-Identifier: Apache-2.0
// Files of /proc and /sys that tell about processes and the machine.
#include "fake/fake_host.hpp"
#include "fuzz/property.hpp"
#include "inventory/platform.hpp"
#include "resource/acs/kernel_parameter.hpp"
#include "resource/neighbour/state.hpp"
#include "resource/service/process.hpp"

namespace fabric {
namespace {

using fuzz::require;

// The files in the order in which an input gives them.
constexpr std::array kFiles{"/proc/100/limits",
                            "/proc/100/status",
                            "/proc/100/environ",
                            "/proc/100/stat",
                            "/proc/uptime",
                            "/proc/cmdline",
                            "/proc/self/status",
                            "/sys/kernel/security/lockdown",
                            "/proc/self/uid_map",
                            "/proc/cpuinfo",
                            "/sys/devices/system/cpu/modalias",
                            "/sys/class/dmi/id/sys_vendor",
                            "/proc/sys/kernel/osrelease"};

// Made once, which is most of what a run would take.
fake::FakeHost& machine() {
    static fake::FakeHost made;
    static const bool filled = [] {
        made.files.addLink("/proc/100/exe", "/usr/local/bin/minio.rdma (deleted)");
        made.files.addLink("/proc/1/exe", "/usr/lib/systemd/systemd");
        made.files.addFile("/sys/fs/cgroup/system.slice/minio.service/cgroup.procs",
                           "100\n");
        return true;
    }();
    static_cast<void>(filled);
    return made;
}

// A file that is not given is empty.
void fill(const std::vector<std::string_view>& texts,
          std::size_t first,
          std::size_t last) {
    for (std::size_t at = first; at < last; ++at) {
        machine().files.addFile(kFiles[at],
                                std::string(at < texts.size() ? texts[at] : ""));
    }
}

void judgeProcess(const fake::FakeHost& machine, std::string_view limits) {
    const auto process = resource::service::observeProcess(machine.files, 100);
    const auto limit = resource::service::parseMemlock(limits);
    if (!process) {
        fuzz::requirePrintable(process.error().message());
        require(!limit || process.error().kind != ErrorKind::malformed,
                "limits that can be read are no reason");
        return;
    }
    require(limit && process->memlock == *limit, "the limit is that of the file");
    require(process->deleted && process->program == "/usr/local/bin/minio.rdma",
            "the program");
    if (process->pinnedBytes) {
        require(*process->pinnedBytes % 1024 == 0, "whole kilobytes");
    }
}

void judgeService(const fake::FakeHost& machine) {
    const auto start =
        resource::neighbour::observeService(machine.reader(), "minio.service");
    require(!start || start->unit == "minio.service", "the unit that was asked for");
}

void judgePlatform(const fake::FakeHost& machine, std::string_view commandLine) {
    const inventory::Platform platform = inventory::observePlatform(machine.reader());
    require(trimmed(platform.kernelRelease) == platform.kernelRelease, "trimmed");
    const bool six = inventory::kernelAtLeast(platform.kernelRelease, 6, 1);
    require(!six || inventory::kernelAtLeast(platform.kernelRelease, 5, 19),
            "6.1 is past 5.19");
    const std::string options = resource::acs::acsOptions(commandLine);
    require(options.empty() || commandLine.contains("pci="), "options of pci= only");
}

}  // namespace

FABRIC_FUZZ_TARGET(input) {
    const auto texts = input.texts(6);
    // One of the three in a run, by its length, with the files that it reads.
    switch (input.size % 3) {
        case 0:
            fill(texts, 0, 3);
            return judgeProcess(machine(), texts[0]);
        case 1:
            fill(texts, 3, 5);
            return judgeService(machine());
        default:
            fill(texts, 5, kFiles.size());
            return judgePlatform(machine(), texts[5]);
    }
}

}  // namespace fabric
