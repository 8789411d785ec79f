// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "resource/service/compare.hpp"
#include "resource/service/drop_in.hpp"
#include "resource/service/observe_environment.hpp"
#include "resource/service/program_access.hpp"
#include "resource/service/restart_use.hpp"
#include "resource/service/shadowed_unit.hpp"
#include "resource/service/state.hpp"
#include "resource/service/unread.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <utility>

namespace fabric::resource::service {

namespace {

// A file that systemd read and that is gone since is as good as empty: NeedDaemonReload
// tells it.
Result<void> readUnitFile(const host::FileReader& files,
                          const std::string& path,
                          std::vector<UnitFile>& into) {
    const auto text = files.read(path);
    if (text) {
        into.push_back({.path = path, .settings = parseUnitFile(*text)});
        return {};
    }
    return text.error().sysErrno == ENOENT ? Result<void>{} : fail(text.error());
}

Result<void> readUnitFiles(const host::FileReader& files, State& state) {
    UnitPaths paths{.fragment = state.unit.fragmentPath,
                    .dropIns = state.unit.dropInPaths};
    if (!state.image) {
        paths = pathsOnDisk(files, state.unit, state.unread);
    }
    if (!paths.fragment.empty()) {
        TRY(readUnitFile(files, paths.fragment, state.below));
    }
    const std::string ours = dropInPath(state.unit.name);
    for (const std::string& path : paths.dropIns) {
        if (path != ours) {
            TRY(readUnitFile(
                files, path, sortsAfterOurs(path) ? state.above : state.below));
        }
    }
    const auto text = files.read(ours);
    if (text) {
        state.ours = *text;
    } else if (text.error().sysErrno != ENOENT) {
        return fail(text.error());
    }
    return {};
}

std::string installIt(const profile::ServiceSettings& settings) {
    return "install the RDMA build of the server so that it is " +
           escapeForTerminal(settings.binary);
}

std::string letItRun(const profile::ServiceSettings& settings,
                     const std::string& user) {
    return fmt::format(
        "chmod 755 {}; {} must be able to run it, so also to pass every "
        "directory on the way to it, on a file system without noexec",
        escapeForTerminal(settings.binary),
        user.empty() ? "root" : escapeForTerminal(user));
}

std::string firstLine(std::string_view text) {
    return escapeForTerminal(text.substr(0, text.find('\n')));
}

// Empty when the program prints the feature.
std::string featureRefusal(const Result<host::ProgramVersion>& version,
                           const profile::ServiceSettings& settings) {
    if (!version) {
        return version.error().message();
    }
    if (version->text.contains(settings.requireFeature)) {
        return {};
    }
    return fmt::format(
        "{} --version does not print \"{}\" (it begins with \"{}\", exit "
        "status {}): it is not the RDMA build",
        escapeForTerminal(settings.binary),
        escapeForTerminal(settings.requireFeature),
        firstLine(version->text),
        version->exitStatus);
}

Binary observeBinary(const host::Reader& host,
                     const profile::ServiceSettings& settings,
                     const std::string& user) {
    if (settings.binary.empty()) {
        return {};
    }
    Binary binary;
    const auto status = host.files.status(settings.binary);
    constexpr mode_t kAnyExecute = 0111;
    if (!status) {
        binary.refusal = status.error().sysErrno == ENOENT
                             ? escapeForTerminal(settings.binary) + " does not exist"
                             : status.error().message();
        binary.fix = installIt(settings);
        return binary;
    }
    binary.resolved = host.files.resolve(settings.binary).value_or(settings.binary);
    if (status->type != host::FileStatus::Type::regular) {
        const bool directory = status->type == host::FileStatus::Type::directory;
        binary.refusal = fmt::format("{} is {}",
                                     escapeForTerminal(settings.binary),
                                     directory ? "a directory" : "no regular file");
        binary.fix =
            "name the program itself in service.binary, or install the "
            "package again";
    } else if ((status->mode & kAnyExecute) == 0) {
        binary.refusal =
            escapeForTerminal(settings.binary) + " is not an executable file";
        binary.fix = "chmod 755 it, or install the package again";
    } else if (!settings.requireFeature.empty() && host.programs != nullptr) {
        const auto version = host.programs->version(settings.binary, user);
        binary.refusal = featureRefusal(version, settings);
        binary.fix = !version && version.error().sysErrno == EACCES
                         ? letItRun(settings, user)
                     : binary.refusal.empty() ? ""
                                              : installIt(settings);
    }
    return binary;
}

std::string linkOf(const host::FileReader& files, const UnitLists& lists) {
    const std::string program = makeDropIn({}, lists).program;
    if (program.empty() || !files.readLink(program)) {
        return {};
    }
    return files.resolve(program).value_or("");
}

// In an image no program can be asked what it is; a link to the one that the unit runs
// anyway is not the RDMA build.
void refuseStandardProgram(const host::FileReader& files,
                           const profile::ServiceSettings& settings,
                           State& state) {
    const std::string program = makeDropIn({}, mergeLists(state.below)).program;
    const bool linked = !program.empty() && program != settings.binary &&
                        !settings.requireFeature.empty() &&
                        files.readLink(settings.binary) && !files.readLink(program) &&
                        files.resolve(program).value_or("") == state.binary.resolved;
    if (linked && state.binary.refusal.empty()) {
        state.binary.refusal = fmt::format("{} is a link to {}, the standard program",
                                           escapeForTerminal(settings.binary),
                                           escapeForTerminal(program));
        state.binary.fix = installIt(settings);
    }
}

// Nor can it be started there: what keeps the service's user from it is in the files.
void refuseUnreachable(const host::FileReader& files,
                       const profile::ServiceSettings& settings,
                       State& state) {
    if (!state.binary.refusal.empty() || settings.binary.empty()) {
        return;
    }
    std::vector<UnitFile> inForce = state.below;
    std::ranges::copy(state.above, std::back_inserter(inForce));
    const Account account = accountOf(inForce);
    state.binary.refusal = executionObstacle(files, settings.binary, account);
    if (!state.binary.refusal.empty()) {
        state.binary.fix = letItRun(settings, account.user);
    }
}

// limits.conf(5): domain, type, item, value.
bool limitsMemlock(std::string_view text) {
    for (const std::string_view line : split(text, '\n')) {
        const std::string_view setting = trimmed(line.substr(0, line.find('#')));
        if (setting.contains("memlock")) {
            return true;
        }
    }
    return false;
}

std::vector<std::string> loginLimitsOf(const host::FileReader& files) {
    std::vector<std::string> candidates{"/etc/security/limits.conf"};
    const std::string directory = "/etc/security/limits.d";
    const auto names = files.list(directory);
    for (const std::string& name : names.value_or(std::vector<std::string>{})) {
        candidates.push_back(directory + "/" + name);
    }
    std::erase_if(candidates, [&](const std::string& path) {
        return !limitsMemlock(files.read(path).value_or(""));
    });
    return candidates;
}

std::chrono::seconds activeFor(const host::Clock& clock,
                               const host::ServiceUnit& unit) {
    // Both are CLOCK_MONOTONIC.
    const auto now = std::chrono::duration_cast<std::chrono::microseconds>(
        clock.now().time_since_epoch());
    if (unit.activeState != "active" || unit.activeEnterUs == 0 ||
        std::cmp_greater(unit.activeEnterUs, now.count())) {
        return {};
    }
    return std::chrono::duration_cast<std::chrono::seconds>(
        now - std::chrono::microseconds(unit.activeEnterUs));
}

// A number is given again once its process is gone: what was read is of the main
// process only if systemd still names it afterwards.
Result<Result<Process>> observeMainProcess(const host::Reader& host,
                                           const std::string& unit,
                                           std::uint32_t pid) {
    Result<Process> process = observeProcess(host.files, pid);
    const host::ServiceUnit now = TRY(host.services->unit(unit));
    if (now.mainPid != pid) {
        process = fail(systemError("look at process", std::to_string(pid), ESRCH));
    }
    return process;
}

// Its paths are of another root than ours: nothing that is looked at here is what the
// unit gets.
void refuseOtherRoot(const profile::ServiceSettings& settings, State& state) {
    std::vector<UnitFile> files = state.below;
    std::ranges::copy(state.above, std::back_inserter(files));
    for (const std::string_view key : {"RootDirectory", "RootImage"}) {
        const std::string value = lastValue(files, key);
        if (settings.binary.empty() || value.empty() || value == "/") {
            continue;
        }
        const std::string path = escapeForTerminal(lastSetter(files, key));
        state.binary.refusal = fmt::format(
            "{}= in {} gives the unit a root of its own, in which its "
            "program cannot be looked at from here",
            key,
            path);
        state.binary.fix = fmt::format(
            "choose the program in the unit itself and set service.binary: null in the "
            "profile, or take {}= out of {}",
            key,
            path);
    }
}

}  // namespace

Result<void> observeFiles(const host::Reader& host,
                          const profile::ServiceSettings& settings,
                          State& state) {
    TRY(readUnitFiles(host.files, state));
    if (state.unread.any() || (!state.image && !state.above.empty())) {
        state.coming = comingOf(state);
    }
    state.shadowedUnit = shadowedBy(host.files, state.unit);
    state.binary = observeBinary(host, settings, state.unit.user);
    if (state.image) {
        refuseStandardProgram(host.files, settings, state);
        refuseUnreachable(host.files, settings, state);
    }
    refuseOtherRoot(settings, state);
    observeEnvironment(host.files, state);
    return {};
}

Result<State> observe(const host::Reader& host,
                      const profile::ServiceSettings& settings) {
    State state;
    state.unit = TRY(host.services->unit(settings.unit));
    if (state.unit.loadState == "not-found") {
        return state;
    }
    nameOurs(host.files, state.unit);
    TRY(observeFiles(host, settings, state));
    state.programLink = linkOf(host.files, mergeLists(state.below));
    state.loginLimits = loginLimitsOf(host.files);
    state.active = activeFor(host.clock, state.unit);
    if (state.unit.mainPid == 0) {
        // Only a finding depends on it.
        state.systemState = host.services->systemState().value_or("");
        return state;
    }
    state.process = TRY(observeMainProcess(host, settings.unit, state.unit.mainPid));
    if (*state.process && settings.limitMemlock &&
        (*state.process)->memlock.hard < wantedLimit(*settings.limitMemlock).hard) {
        state.memlockCeiling = memlockCeiling(host.files);
    }
    if (settings.restartIfNeeded) {
        state.systemState = TRY(host.services->systemState());
        state.failing = failingAsserts(host.files, state.unit);
    }
    return state;
}

}  // namespace fabric::resource::service
