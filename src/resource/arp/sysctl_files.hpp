// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"
#include "resource/arp/sysctl_merge.hpp"

#include <optional>
#include <string>
#include <vector>

namespace fabric::resource::arp {

inline constexpr const char* kSysctlDirectory = "/etc/sysctl.d";
// After 99-sysctl.conf, the usual link to /etc/sysctl.conf.
inline constexpr const char* kOurSysctlFile = "/etc/sysctl.d/99-zz-fabricctl.conf";

// The files of sysctl.d as they lie on the disk.
struct SysctlFiles {
    std::vector<SysctlFile> inOrder;    // by file name, masked ones left out
    std::optional<SysctlFile> classic;  // /etc/sysctl.conf, which procps reads last
    bool directoryMissing = false;      // kSysctlDirectory

    // The text of our own file; std::nullopt when there is none.
    [[nodiscard]] std::optional<std::string> ours() const;
    // As the disk would be with this text in our file. Pure.
    [[nodiscard]] SysctlFiles withOurs(std::string text) const;

    [[nodiscard]] SysctlMerge merged(SysctlProgram program) const;
};

// sysctl.d(5): *.conf of /etc, /run, /usr/local/lib, /usr/lib and /lib, sorted by file
// name; a name in an earlier directory masks the same name in a later one. An error
// when any of them cannot be read, since any of them may win.
[[nodiscard]] Result<SysctlFiles> readSysctlFiles(const host::FileReader& files);

}  // namespace fabric::resource::arp
