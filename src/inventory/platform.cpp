// SPDX-License-Identifier: Apache-2.0
#include "inventory/platform.hpp"

#include "base/text.hpp"
#include "inventory/capability.hpp"
#include "inventory/hypervisor.hpp"

#include <linux/capability.h>

namespace fabric::inventory {

namespace {

std::string readText(const host::FileReader& files, std::string_view path) {
    const auto text = files.read(path);
    return text ? std::string(trimmed(*text)) : std::string{};
}

// "none [integrity] confidentiality": the state in force stands in brackets
// (security/lockdown/lockdown.c). The file is absent without the lockdown module or
// when securityfs is not mounted.
Lockdown lockdownOf(std::string_view text) {
    const std::size_t open = text.find('[');
    const std::size_t close = text.find(']', open == std::string_view::npos ? 0 : open);
    if (open == std::string_view::npos || close == std::string_view::npos) {
        return Lockdown::unknown;
    }
    const std::string_view state = text.substr(open + 1, close - open - 1);
    if (state == "none") {
        return Lockdown::none;
    }
    if (state == "integrity") {
        return Lockdown::integrity;
    }
    return state == "confidentiality" ? Lockdown::confidentiality : Lockdown::unknown;
}

// The initial user namespace has a fixed inode, PROC_USER_INIT_INO
// (include/linux/proc_ns.h). Where the link cannot be read, the identity map over all
// ids stands for it.
bool initialUserNamespace(const host::FileReader& files) {
    if (const auto link = files.readLink("/proc/self/ns/user")) {
        return *link == "user:[4026531837]";
    }
    const auto map = files.read("/proc/self/uid_map");
    if (!map) {
        return true;
    }
    std::string fields;
    for (const std::string_view field : split(trimmed(*map), ' ')) {
        if (!field.empty()) {
            fields += std::string(field) + ' ';
        }
    }
    return fields == "0 0 4294967295 ";
}

// The fields of one line of /proc/self/status: "Uid:\t0\t0\t0\t0".
std::vector<std::string_view> statusFields(std::string_view status,
                                           std::string_view key) {
    for (const std::string_view line : split(status, '\n')) {
        if (line.starts_with(key)) {
            return split(trimmed(line.substr(key.size())), '\t');
        }
    }
    return {};
}

void readPrivileges(const host::FileReader& files, Platform& platform) {
    const std::string status = readText(files, "/proc/self/status");
    const auto uids =
        statusFields(status, "Uid:");  // real, effective, saved, file system
    platform.effectiveRoot = uids.size() > 1 && parseUnsigned(uids[1]) == 0ULL;
    const std::uint64_t bits = effectiveCapabilities(std::string_view(status));
    const auto has = [&](unsigned capability) {
        return (bits >> capability & 1U) != 0;
    };
    platform.hasNetAdmin = has(CAP_NET_ADMIN);
    platform.hasSysAdmin = has(CAP_SYS_ADMIN);
}

}  // namespace

Platform observePlatform(const host::Reader& host) {
    const host::FileReader& files = host.files;
    const Virtualisation virtualisation = observeVirtualisation(files);
    Platform platform{
        .hostName = readText(files, "/proc/sys/kernel/hostname"),
        .bootId = readText(files, "/proc/sys/kernel/random/boot_id"),
        .kernelRelease = readText(files, "/proc/sys/kernel/osrelease"),
        .kernelCommandLine = readText(files, "/proc/cmdline"),
        .lockdown = lockdownOf(readText(files, "/sys/kernel/security/lockdown")),
        .guest = virtualisation.guest,
        .hypervisor = virtualisation.hypervisor,
        .initialUserNamespace = initialUserNamespace(files),
    };
    readPrivileges(files, platform);
    return platform;
}

bool kernelAtLeast(std::string_view release, unsigned major, unsigned minor) {
    const auto pieces = split(release, '.');
    if (pieces.size() < 2) {
        return false;
    }
    const auto foundMajor = parseUnsigned(pieces[0]);
    const std::size_t digits = pieces[1].find_first_not_of("0123456789");
    const auto foundMinor = parseUnsigned(pieces[1].substr(0, digits));
    if (!foundMajor || !foundMinor) {
        return false;
    }
    return *foundMajor != major ? *foundMajor > major : *foundMinor >= minor;
}

}  // namespace fabric::inventory
