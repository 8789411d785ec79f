// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

// What a boot makes of the files of sysctl.d. Pure.
namespace fabric::resource::arp {

struct SysctlFile {
    std::string path;
    std::string text;
};

// One line that says something about keys.
struct SysctlLine {
    std::string key;  // slash spelling: "net/ipv4/conf/v0.100/arp_ignore"
    std::optional<std::string> value;  // empty: "-key", which takes the key out
    std::string path;
    unsigned number = 0;  // from 1

    // "/etc/sysctl.d/99-zzz.conf, line 3".
    [[nodiscard]] std::string place() const;
    // True for a key with one of "*?[".
    [[nodiscard]] bool isPattern() const;
};

// The key in slash spelling. When the first separator is a dot, dots and slashes swap
// their meaning; when it is a slash, dots are part of names (sysctl.d(5)).
[[nodiscard]] std::string slashSpelling(std::string_view key);

// Assignments and exclusions; comments and lines that are neither are left out, as both
// programs do.
[[nodiscard]] std::vector<SysctlLine> linesOf(const SysctlFile& file);

// Who reads: systemd-sysctl at boot and for every new interface, or procps
// `sysctl --system`, which administrators and tuned run.
enum class SysctlProgram { systemd, procps };

// The files of one program in the order in which it reads them, folded to what it
// writes in the end.
class SysctlMerge {
  public:
    SysctlMerge(SysctlProgram program, std::span<const SysctlFile> files);

    // The line that decides over this key (slash spelling, no pattern); one without a
    // value when the key is taken out; std::nullopt when no file names it.
    [[nodiscard]] std::optional<SysctlLine> winner(const std::string& key) const;

  private:
    void add(SysctlLine line);
    void addForSystemd(SysctlLine line);
    void addForProcps(SysctlLine line);

    SysctlProgram program_;
    std::map<std::string, SysctlLine> exact_;
    std::map<std::string, SysctlLine> excluded_;  // procps: looked at for patterns only
    std::vector<SysctlLine> patterns_;            // the last match wins
};

}  // namespace fabric::resource::arp
