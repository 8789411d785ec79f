// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "resource/neighbour/state.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>

namespace fabric::resource::neighbour {

namespace {

using std::chrono::duration_cast;
using std::chrono::milliseconds;
using std::chrono::system_clock;

// Where systemd keeps the processes of a unit in the system slice: unified hierarchy,
// and the hybrid and legacy ones.
constexpr std::array<std::string_view, 3> kSlices{
    "/sys/fs/cgroup/system.slice/",
    "/sys/fs/cgroup/unified/system.slice/",
    "/sys/fs/cgroup/systemd/system.slice/"};

// Written by the arp resource when its values changed, and only then.
constexpr std::string_view kSysctlFile = "/etc/sysctl.d/99-zz-fabricctl.conf";

// Field 22 of /proc/PID/stat counts in USER_HZ (proc_pid_stat(5)).
constexpr milliseconds kTick{10};
constexpr std::size_t kStartField = 22 - 3;  // counted from the state, field 3
// No machine is up for longer. A number beyond is none of the kernel's, and what is
// computed from it would not fit a time.
constexpr std::chrono::years kLongestUptime{100};

// The name in the second field may hold spaces and parentheses.
std::optional<milliseconds> startAfterBoot(const host::FileReader& files,
                                           std::string_view pid) {
    const auto stat = files.read("/proc/" + std::string(pid) + "/stat");
    const std::size_t nameEnd = stat ? stat->rfind(") ") : std::string::npos;
    if (nameEnd == std::string::npos) {
        return std::nullopt;
    }
    const auto fields = split(std::string_view(*stat).substr(nameEnd + 2), ' ');
    if (fields.size() <= kStartField) {
        return std::nullopt;
    }
    const auto ticks = parseUnsigned(fields[kStartField]);
    const bool possible =
        ticks && *ticks <= static_cast<unsigned long long>(kLongestUptime / kTick);
    return possible ? std::optional(static_cast<std::int64_t>(*ticks) * kTick)
                    : std::nullopt;
}

// /proc/uptime: "12345.67 ...".
std::optional<milliseconds> uptime(const host::FileReader& files) {
    const auto text = files.read("/proc/uptime");
    if (!text) {
        return std::nullopt;
    }
    const double seconds = std::strtod(text->c_str(), nullptr);
    const std::chrono::duration<double> up(seconds);
    if (!std::isfinite(seconds) || seconds <= 0 || up > kLongestUptime) {
        return std::nullopt;
    }
    return duration_cast<milliseconds>(up);
}

std::optional<milliseconds> oldestProcess(const host::FileReader& files,
                                          const std::string& unit) {
    std::optional<milliseconds> oldest;
    for (const std::string_view slice : kSlices) {
        const auto pids = files.read(std::string(slice) + unit + "/cgroup.procs");
        if (!pids) {
            continue;
        }
        for (const std::string_view pid : split(*pids, '\n')) {
            const auto start = pid.empty() ? std::nullopt : startAfterBoot(files, pid);
            oldest = start && (!oldest || *start < *oldest) ? start : oldest;
        }
    }
    return oldest;
}

}  // namespace

std::optional<ServiceStart> observeService(const host::Reader& host,
                                           const std::string& unit) {
    const auto start = oldestProcess(host.files, unit);
    const auto up = start ? uptime(host.files) : std::nullopt;
    if (!start || !up) {
        return std::nullopt;
    }
    ServiceStart service{.unit = unit,
                         .oldest = host.clock.wallTime() - (*up - *start),
                         .arpChangedSince = false};
    if (const auto file = host.files.status(kSysctlFile)) {
        const auto written =
            system_clock::time_point(duration_cast<system_clock::duration>(
                std::chrono::nanoseconds(file->mtimeNs)));
        service.arpChangedSince = written > service.oldest;
    }
    return service;
}

}  // namespace fabric::resource::neighbour
