// SPDX-License-Identifier: Apache-2.0
#include "resource/service/process.hpp"

#include "base/text.hpp"
#include "resource/service/environment_file.hpp"

#include <charconv>
#include <ranges>
#include <vector>

namespace fabric::resource::service {

namespace {

constexpr int kHexadecimal = 16;
constexpr std::string_view kDeleted = " (deleted)";  // fs/d_path.c

std::vector<std::string_view> wordsOf(std::string_view line) {
    std::vector<std::string_view> words = split(line, ' ');
    std::erase_if(words, [](std::string_view word) { return word.empty(); });
    return words;
}

std::optional<std::string_view> lineAfter(std::string_view text,
                                          std::string_view name) {
    for (const std::string_view line : split(text, '\n')) {
        if (line.starts_with(name)) {
            return line.substr(name.size());
        }
    }
    return std::nullopt;
}

std::optional<std::uint64_t> limitOf(std::string_view word) {
    return word == "unlimited" ? std::optional(host::kNoLimit)
                               : std::optional<std::uint64_t>(parseUnsigned(word));
}

// A unit that does not tell when it is ready (Type=simple) counts as started before its
// process has become the program: until then it is a copy of systemd.
Error notYetStarted(std::uint32_t pid) {
    return {.kind = ErrorKind::busy,
            .action = "look at process",
            .subject = std::to_string(pid),
            .sysErrno = 0,
            .detail = "systemd has not started its program yet",
            .advice = "run it again"};
}

Error notUnderstood(const std::string& path) {
    return {.kind = ErrorKind::malformed,
            .action = "read",
            .subject = path,
            .sysErrno = 0,
            .detail = "it is not what the kernel writes",
            .advice = {}};
}

}  // namespace

std::optional<host::ResourceLimit> parseMemlock(std::string_view limits) {
    const auto line = lineAfter(limits, "Max locked memory");
    const auto words = line ? wordsOf(*line) : std::vector<std::string_view>{};
    if (words.size() < 2) {
        return std::nullopt;
    }
    const auto soft = limitOf(words[0]);
    const auto hard = limitOf(words[1]);
    if (!soft || !hard) {
        return std::nullopt;
    }
    return host::ResourceLimit{.soft = *soft, .hard = *hard};
}

std::optional<std::uint64_t> parsePinned(std::string_view status) {
    const auto line = lineAfter(status, "VmPin:");
    const auto words = line ? wordsOf(trimmed(*line)) : std::vector<std::string_view>{};
    const auto kilobytes =
        words.size() == 2 && words[1] == "kB" ? parseUnsigned(words[0]) : std::nullopt;
    constexpr std::uint64_t kKilobyte = 1024;
    const bool fits = kilobytes && *kilobytes <= UINT64_MAX / kKilobyte;
    return fits ? std::optional(*kilobytes * kKilobyte) : std::nullopt;
}

std::optional<std::uint64_t> memlockCeiling(const host::FileReader& files) {
    constexpr std::uint64_t kSysResource = 1ULL << 24U;  // linux/capability.h
    const std::string status = files.read("/proc/1/status").value_or("");
    const auto line = lineAfter(status, "CapEff:");
    std::uint64_t effective = kSysResource;
    if (line) {
        const std::string_view digits = trimmed(*line);
        std::from_chars(
            digits.data(), digits.data() + digits.size(), effective, kHexadecimal);
    }
    if ((effective & kSysResource) != 0) {
        return std::nullopt;
    }
    const auto own = parseMemlock(files.read("/proc/1/limits").value_or(""));
    return own ? std::optional(own->hard) : std::nullopt;
}

Result<Process> observeProcess(const host::FileReader& files, std::uint32_t pid) {
    const std::string directory = "/proc/" + std::to_string(pid);
    Process process{.pid = pid};
    process.program = TRY(files.readLink(directory + "/exe"));
    if (files.readLink("/proc/1/exe") == process.program) {
        return fail(notYetStarted(pid));
    }
    if (process.program.ends_with(kDeleted)) {
        process.program.resize(process.program.size() - kDeleted.size());
        process.deleted = true;
    }
    const auto limit = parseMemlock(TRY(files.read(directory + "/limits")));
    if (!limit) {
        return fail(notUnderstood(directory + "/limits"));
    }
    process.memlock = *limit;
    process.environment =
        parseProcessEnvironment(TRY(files.read(directory + "/environ")));
    process.pinnedBytes = parsePinned(TRY(files.read(directory + "/status")));
    return process;
}

}  // namespace fabric::resource::service
