// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "profile/server_variables.hpp"
#include "resource/service/compare.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

namespace fabric::resource::service {

namespace {

void addProgramLink(const Look& look, std::vector<Finding>& findings) {
    const bool leadsToBinary = !look.state.programLink.empty() &&
                               look.wanted.program != look.settings.binary &&
                               look.state.programLink == look.state.binary.resolved;
    if (!leadsToBinary) {
        return;
    }
    const std::string program = escapeForTerminal(look.wanted.program);
    findings.push_back(
        {.id = "service.repointed-program",
         .severity = Severity::warn,
         .summary = program + " is a link to the RDMA build: the next upgrade of the "
                              "server's package undoes it",
         .evidence = program + " -> " + escapeForTerminal(look.state.programLink),
         .fix = "install the server's package again so that " + program +
                " is its own file; the drop-in chooses the program"});
}

void addLoginLimits(const Look& look, std::vector<Finding>& findings) {
    const bool wrong =
        look.settings.limitMemlock &&
        look.state.unit.limitMemlock != wantedLimit(*look.settings.limitMemlock);
    if (!wrong || look.state.loginLimits.empty()) {
        return;
    }
    findings.push_back(
        {.id = "service.login-limits",
         .severity = Severity::info,
         .summary =
             "memlock lines in limits.conf have no effect on a service: PAM reads "
             "them at logins only",
         .evidence = escapeForTerminal(
             fmt::format("{}", fmt::join(look.state.loginLimits, ", "))),
         .fix = "the drop-in's LimitMEMLOCK= is what counts: fabricctl apply"});
}

void addNowhere(const Look& look, std::vector<Finding>& findings) {
    const std::vector<std::string>& links = look.state.unread.nowhere;
    if (links.empty()) {
        return;
    }
    const std::string all = escapeForTerminal(fmt::format("{}", fmt::join(links, " ")));
    findings.push_back(
        {.id = "service.dangling-drop-in",
         .severity = Severity::warn,
         .summary =
             "a drop-in is a link that leads nowhere: systemd says for ever that "
             "the unit's files changed, and a change of them is not seen",
         .evidence = all,
         .fix = fmt::format("rm {} && systemctl daemon-reload", all)});
}

constexpr std::string_view kSwitch = "MINIO_RDMA_INTERNODE";

// An RDMA server that has registered nothing a minute after its start uses TCP.
void addUnpinned(const Look& look, std::vector<Finding>& findings) {
    constexpr std::chrono::seconds kStart{60};
    if (!look.state.process || !*look.state.process || look.state.active < kStart) {
        return;
    }
    const Process& process = **look.state.process;
    const auto wanted = process.environment.find(std::string(kSwitch));
    if (wanted == process.environment.end() || wanted->second != "on" ||
        process.pinnedBytes != 0U) {
        return;
    }
    findings.push_back(
        {.id = "service.nothing-pinned",
         .severity = Severity::warn,
         .summary =
             fmt::format("{}=on, but the process has pinned no memory: inter-node "
                         "RDMA did not come up, traffic uses TCP",
                         kSwitch),
         .evidence = fmt::format("VmPin is 0 in /proc/{}/status, {} s after the start",
                                 process.pid,
                                 look.state.active.count()),
         .fix = fmt::format("journalctl -b -u {} | grep RDMA", look.settings.unit)});
}

// A server that is down is not the profile's doing, and nothing of its process can be
// compared; that must not read as "all is well". Before the system is up, it is just
// not its turn yet.
bool isDown(const host::ServiceUnit& unit, std::string_view systemState) {
    if (unit.mainPid != 0) {
        return false;
    }
    if (unit.activeState == "failed" || unit.subState == "auto-restart") {
        return true;
    }
    const bool isUp = systemState == "running" || systemState == "degraded";
    return isUp && (unit.activeState == "activating" ||
                    unit.unitFileState.starts_with("enabled"));
}

void addDown(const Look& look, std::vector<Finding>& findings) {
    const host::ServiceUnit& unit = look.state.unit;
    if (!isDown(unit, look.state.systemState)) {
        return;
    }
    const std::string& name = look.settings.unit;
    findings.push_back(
        {.id = "service.down",
         .severity = Severity::fail,
         .summary = name + " does not run: what its process gets cannot be seen",
         .evidence = escapeForTerminal(fmt::format("ActiveState={} SubState={}, {}",
                                                   unit.activeState,
                                                   unit.subState,
                                                   unit.unitFileState)),
         .fix = fmt::format("systemctl status {0}; journalctl -b -u {0}", name)});
}

// What the server ignores of a variable, without a word; "" nothing.
std::string ignored(std::string_view name, const std::string& value) {
    if (const auto slip = profile::judgeVariableName(name)) {
        return fmt::format("{} (did you mean {}?)", name, slip->suggestion);
    }
    return profile::judgeVariableValue(name, value) ? fmt::format("{}={}", name, value)
                                                    : "";
}

void addBadValues(const Look& look, std::vector<Finding>& findings) {
    std::vector<std::string> bad;
    for (const EnvironmentSource& source : look.state.environment) {
        for (const auto& [name, value] : source.variables.value_or(Variables{})) {
            const std::string what = ignored(name, value);
            if (!look.settings.environment.contains(name) && !what.empty()) {
                bad.push_back(
                    escapeForTerminal(fmt::format("{} in {}", what, source.path)));
            }
        }
    }
    if (!bad.empty()) {
        findings.push_back({.id = "service.environment-value",
                            .severity = Severity::warn,
                            .summary = "the server ignores names and values that it "
                                       "does not understand, without a word",
                            .evidence = fmt::format("{}", fmt::join(bad, ", ")),
                            .fix =
                                "switches take exactly on or off, the others a plain "
                                "number; restart afterwards"});
    }
}

}  // namespace

std::string laterFileOf(const State& state, const host::ServiceAssert& check) {
    for (const UnitFile& file : state.above) {
        for (const UnitSetting& setting : file.settings) {
            if (setting.key == check.type && setting.value.ends_with(check.parameter)) {
                return file.path;
            }
        }
    }
    return {};
}

// The packaged assertion came back after ours: without the standard program the unit
// does not start.
void addAssert(const Look& look, std::vector<Finding>& findings) {
    const bool loaded = std::ranges::find(look.state.unit.dropInPaths,
                                          dropInPath(look.settings.unit)) !=
                        look.state.unit.dropInPaths.end();
    for (const host::ServiceAssert& check : look.state.unit.asserts) {
        if (loaded && !check.negate && !look.wanted.program.empty() &&
            !look.settings.binary.empty() && check.parameter == look.wanted.program &&
            check.parameter != look.settings.binary) {
            const std::string file = laterFileOf(look.state, check);
            findings.push_back(
                {.id = "service.assert",
                 .severity = Severity::warn,
                 .summary = "the unit starts only with the standard program in place, "
                            "although it does not run it",
                 .evidence =
                     escapeForTerminal(fmt::format("{}={}{}",
                                                   check.type,
                                                   check.parameter,
                                                   file.empty() ? "" : " in " + file)),
                 .fix = fmt::format("take the line out of {}",
                                    file.empty() ? "the drop-in that sorts after " +
                                                       std::string(kDropInName)
                                                 : escapeForTerminal(file))});
        }
    }
}

std::vector<Finding> hazardsOf(const Look& look) {
    std::vector<Finding> findings;
    addShadow(look, findings);
    addProgramLink(look, findings);
    addAssert(look, findings);
    addNowhere(look, findings);
    addLoginLimits(look, findings);
    addDown(look, findings);
    addUnpinned(look, findings);
    addBadValues(look, findings);
    return findings;
}

}  // namespace fabric::resource::service
