// SPDX-License-Identifier: Apache-2.0
// The program that runs, and the settings that reach it.
#include "base/text.hpp"
#include "doctor/rules.hpp"
#include "doctor/server_view.hpp"
#include "profile/server_variables.hpp"
#include "resource/service/drop_in.hpp"
#include "resource/service/program_word.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <ranges>
#include <set>

namespace fabric::doctor {

namespace {

constexpr std::string_view kFeature = "GPU-Direct RDMA";
constexpr std::string_view kSwitch = "MINIO_RDMA_INTERNODE";
constexpr std::string_view kOn = "on";

std::string baseName(std::string_view path) {
    return std::string(path.substr(path.rfind('/') + 1));
}

// The line of the version banner about features, else its first one.
std::string bannerOf(std::string_view text) {
    const auto lines = split(text, '\n');
    const auto features = std::ranges::find_if(lines, [](std::string_view line) {
        return trimmed(line).starts_with("Features:");
    });
    return std::string(trimmed(features == lines.end() ? lines.front() : *features));
}

Judgement judgeBuild(const Evidence& evidence) {
    if (auto without = withoutServer(evidence)) {
        return *without;
    }
    const ServerEvidence& server = evidence.server;
    const Value expected = fmt::format("{} prints {}", server.binary, kFeature);
    if (!server.binaryStatus) {
        return server.binaryStatus.error().kind == ErrorKind::notFound
                   ? failed(expected, "no such file", "the RDMA build is not installed")
                   : unreadable(server.binaryStatus.error());
    }
    constexpr mode_t kAnyExecute = 0111;
    if ((server.binaryStatus->mode & kAnyExecute) == 0) {
        return failed(expected, "not executable", "the RDMA build cannot be started");
    }
    if (!server.version) {
        return unreadable(server.version.error());
    }
    const std::string banner = bannerOf(server.version->text);
    return server.version->text.contains(kFeature)
               ? passed(expected, banner)
               : failed(expected, banner, "it is not the RDMA build");
}

// The command that the unit's own files ask for, with this program in it; empty: only
// systemd knows what its quotes and specifiers give.
std::vector<std::string> packagedCommand(const resource::service::State& state,
                                         const std::string& binary) {
    profile::ServiceSettings settings;
    settings.binary = binary;
    return resource::service::makeDropIn(settings,
                                         resource::service::mergeLists(state.below))
        .command;
}

// {path, arguments...}; argv[0] is only a name.
std::vector<std::string> wordsOf(const host::ServiceCommand& command) {
    std::vector<std::string> words{command.path};
    std::ranges::copy(command.arguments | std::views::drop(1),
                      std::back_inserter(words));
    return words;
}

Judgement judgeCommand(const Evidence& evidence) {
    if (auto without = withoutServer(evidence)) {
        return *without;
    }
    const auto& state = stateOf(evidence);
    const Value expected = evidence.server.binary;
    if (state.unit.loadState != "loaded") {
        return inconclusive("the unit is not loaded: " + state.unit.loadState);
    }
    if (state.unit.execStart.empty()) {
        return failed(expected, Value{}, "the unit has no ExecStart");
    }
    std::vector<std::string> given = wordsOf(state.unit.execStart.front());
    const auto place = resource::service::programWord(given, evidence.server.binary);
    if (!place) {
        return failed(expected, given.front(), "the unit " + place.error());
    }
    const std::string program = given[*place];
    const bool leadsThere = evidence.server.program && !state.binary.resolved.empty() &&
                            *evidence.server.program == state.binary.resolved;
    if (baseName(program) != "minio.rdma" && !leadsThere) {
        return failed(expected, program, "the unit runs the standard program");
    }
    std::vector<std::string> packaged = packagedCommand(state, evidence.server.binary);
    if (*place < packaged.size()) {
        packaged[*place] = program;
    }
    if (!packaged.empty() && packaged != given) {
        return warned(fmt::format("{}", fmt::join(packaged, " ")),
                      fmt::format("{}", fmt::join(given, " ")),
                      "the arguments are not those of the packaged unit");
    }
    return passed(expected, program);
}

Judgement judgeLink(const Evidence& evidence) {
    if (auto without = withoutServer(evidence)) {
        return *without;
    }
    const auto& state = stateOf(evidence);
    const Value expected = "a file of its own";
    const bool leadsThere =
        !state.programLink.empty() && state.programLink == state.binary.resolved;
    return leadsThere ? warned(expected,
                               "a link to " + state.programLink,
                               "the next upgrade of the package puts the standard "
                               "program back")
                      : passed(expected, expected);
}

Judgement judgeRunning(const Evidence& evidence) {
    if (auto without = withoutProcess(evidence)) {
        return *without;
    }
    const auto& process = processOf(evidence);
    if (process.deleted) {
        return failed("the file on the disk",
                      process.program + " (deleted)",
                      "the process runs a file that is gone or was replaced");
    }
    if (!evidence.server.program) {
        const Error& error = evidence.server.program.error();
        return error.kind == ErrorKind::notFound
                   ? failed("the program that the unit names",
                            process.program,
                            "the program that the unit names is not there")
                   : unreadable(error);
    }
    const std::string& wanted = *evidence.server.program;
    return process.program == wanted
               ? passed(wanted, process.program)
               : failed(wanted,
                        process.program,
                        "the process was started before the unit got this program");
}

// Settings that the server ignores without a word, for their names or their values.
std::vector<std::string> misunderstood(const Evidence& evidence) {
    std::vector<std::string> bad;
    for (const auto& source : stateOf(evidence).environment) {
        for (const auto& [name, value] :
             source.variables.value_or(resource::service::Variables{})) {
            const auto* const known = profile::serverVariable(name);
            const bool understood =
                known != nullptr && profile::understands(*known, value);
            if (name.starts_with("MINIO_RDMA_") && !understood) {
                bad.push_back(fmt::format("{}={}", name, value));
            }
        }
    }
    return bad;
}

// Why the switch is not what it must be, "" when it is only not set.
std::string switchReason(const Evidence& evidence) {
    for (const auto& [name, value] : stateOf(evidence).lateVariables) {
        if (name == kSwitch) {
            return fmt::format("it stands in {}, which the server reads too late",
                               stateOf(evidence).lateFile);
        }
    }
    return {};
}

Judgement judgeSwitch(const Evidence& evidence) {
    if (auto without = withoutServer(evidence)) {
        return *without;
    }
    const Value expected = fmt::format("{}=on", kSwitch);
    const auto value = variable(evidence, kSwitch);
    if (value != kOn) {
        if (const auto error = environmentError(evidence); error && !value) {
            return unreadable(*error);
        }
        std::string reason = switchReason(evidence);
        reason = !reason.empty() ? reason
                 : value         ? "only exactly on, in small letters, turns it on"
                                 : "no environment file of the unit sets it";
        return failed(expected, value ? Value(*value) : Value{}, std::move(reason));
    }
    if (const auto& process = stateOf(evidence).process; process && *process) {
        const auto running = (*process)->environment.find(std::string(kSwitch));
        if (running == (*process)->environment.end() || running->second != kOn) {
            return failed(expected,
                          running == (*process)->environment.end()
                              ? Value{}
                              : Value(running->second),
                          "the running process was started before it was set");
        }
    }
    const auto bad = misunderstood(evidence);
    return bad.empty() ? passed(expected, *value)
                       : warned("settings that the server knows",
                                fmt::format("{}", fmt::join(bad, ", ")),
                                "the server ignores them without a word");
}

Judgement judgeTimeout(const Evidence& evidence) {
    if (auto without = withoutServer(evidence)) {
        return *without;
    }
    constexpr std::uint64_t kMost = 16;
    constexpr std::uint64_t kDefault = 14;
    const std::uint64_t value =
        numberOf(evidence, "MINIO_RDMA_TIMEOUT").value_or(kDefault);
    const Value expected = fmt::format("at most {}", kMost);
    const auto found = static_cast<std::int64_t>(value);
    if (value <= kMost) {
        return passed(expected, found);
    }
    // Where nothing is lost under load nothing is hidden.
    const Rule* const drops = findRule("drops.roce");
    if (drops != nullptr && drops->judge(evidence).verdict == Verdict::pass) {
        return passed("no drops under load", found);
    }
    return warned(expected,
                  found,
                  fmt::format("a long timeout hides a fabric that drops: {} "
                              "means 4.096 us times 2 to the power of it",
                              value));
}

constexpr auto kRules = std::to_array<Rule>({
    {.id = "bin.rdma_build",
     .worst = Verdict::fail,
     .cause = "the RDMA build of the server is not there",
     .source = "Troubleshoot RDMA: RDMA never activates",
     .look = "{program} --version",
     .fix = "install the package of the RDMA build",
     .action = {},
     .restart = Restart::thisNode,
     .judge = judgeBuild},
    {.id = "unit.execstart",
     .worst = Verdict::fail,
     .cause = "the service runs the standard program",
     .source = "Troubleshoot RDMA: RDMA never activates",
     .look = "systemctl show {unit} --property=ExecStart",
     .fix = "let the drop-in of section service point at minio.rdma",
     .action = "{apply} --only service",
     .restart = Restart::thisNode,
     .judge = judgeCommand},
    {.id = "unit.symlink_hack",
     .worst = Verdict::warn,
     .cause = "the standard program was replaced by a link to the RDMA build",
     .source = "Troubleshoot RDMA: RDMA never activates",
     .look = "readlink -f {standard-program}",
     .fix = "use the drop-in, then install the server's package again",
     .action = "{apply} --only service",
     .restart = Restart::thisNode,
     .judge = judgeLink},
    {.id = "env.internode",
     .worst = Verdict::fail,
     .cause = "inter-node RDMA is not switched on where the server reads it",
     .source = "Troubleshoot RDMA: RDMA never activates",
     .look = "grep MINIO_RDMA {environment}",
     .fix = "MINIO_RDMA_INTERNODE=on in the unit's environment file, not in config.env",
     .action = "{apply} --only service (with manage-environment)",
     .restart = Restart::allNodes,
     .judge = judgeSwitch},
    {.id = "proc.stale_exe",
     .worst = Verdict::fail,
     .cause = "the running process is not the program that the unit names",
     .source = "experience",
     .look = "readlink /proc/$(systemctl show {unit} --property=MainPID --value)/exe",
     .fix = "systemctl restart {unit}; mc admin service restart is not enough",
     .action = "{apply} (with service.restart: if-needed)",
     .restart = Restart::thisNode,
     .judge = judgeRunning},
    {.id = "timeout.masking",
     .worst = Verdict::warn,
     .cause = "a raised ACK timeout hides drops",
     .source = "Troubleshoot RDMA: operations time out",
     .look = "grep MINIO_RDMA_TIMEOUT {environment}; fabricctl doctor timeout "
             "--interval 10s",
     .fix = "set it back, and make the fabric lossless first",
     .action = {},
     .restart = Restart::allNodes,
     .judge = judgeTimeout},
});

}  // namespace

std::span<const Rule> programRules() {
    return kRules;
}

}  // namespace fabric::doctor
