// SPDX-License-Identifier: Apache-2.0
#include "resource/service/restart_use.hpp"

#include "base/text.hpp"
#include "resource/service/program_word.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <optional>
#include <span>

namespace fabric::resource::service {

namespace {

using Words = std::span<const std::string>;

// The words in front of the server's program in the one command in force.
Words wrappingWords(const Look& look) {
    const auto& commands = look.state.unit.execStart;
    const std::size_t place = look.wanted.place;
    if (commands.size() != 1 || place > commands.front().arguments.size()) {
        return {};
    }
    return std::span(commands.front().arguments).first(place);
}

// Options and operands of the wrapper `name` among the words; empty: it is not there.
Words wordsOf(std::string_view name, Words words) {
    const auto found = std::ranges::find_if(words, [&](std::string_view word) {
        return word.substr(word.rfind('/') + 1) == name;
    });
    return words.subspan(static_cast<std::size_t>(found - words.begin()));
}

// prlimit(1).
bool setsLimit(std::string_view word) {
    return word.starts_with("--memlock") || word.starts_with("-l");
}

// env(1).
bool setsVariable(std::string_view word, const std::string& name) {
    return word == "-" || word == "-i" || word == "--ignore-environment" ||
           word == name || word == "-u" + name || word == "--unset=" + name ||
           word.starts_with(name + "=");
}

// systemd gives the closest that it may (src/basic/rlimit-util.c, setrlimit_closest()).
Obstacle managerForbids(const Look& look,
                        const Process& process,
                        const Differing& differing) {
    const bool onlyLimit =
        differing.limit && !differing.program && differing.variables.empty();
    const auto& ceiling = look.state.memlockCeiling;
    if (!onlyLimit || !ceiling || process.memlock.hard != *ceiling) {
        return {};
    }
    return {.reason = fmt::format("systemd itself has a hard limit of {} bytes and no "
                                  "CAP_SYS_RESOURCE, so it cannot give more",
                                  *ceiling),
            .fix = "raise the limit of the container that systemd runs in",
            .inVain = true};
}

// What the wrapper in front of the server's program decides by itself.
Obstacle wrapperDecides(const Look& look, const Differing& differing) {
    const Words words = wrappingWords(look);
    const Words limiter = wordsOf("prlimit", words);
    const Words setter = wordsOf("env", words);
    const bool limit = std::ranges::any_of(limiter, setsLimit);
    const bool variables =
        std::ranges::all_of(differing.variables, [&](const std::string& name) {
            return std::ranges::any_of(setter, [&](std::string_view word) {
                return setsVariable(word, name);
            });
        });
    if (differing.program || (differing.limit && !limit) || !variables) {
        return {};
    }
    const std::string_view name = differing.limit ? "prlimit" : "env";
    return {
        .reason = fmt::format("its command goes through {}, which decides it", name),
        .fix = fmt::format("take that out of {} in ExecStart= (systemctl cat {}), "
                           "then run 'fabricctl apply'",
                           name,
                           look.settings.unit),
        .inVain = true};
}

bool holds(std::string_view type, const host::FileStatus& status) {
    constexpr mode_t kAnyExecute = 0111;
    const bool regular = status.type == host::FileStatus::Type::regular;
    if (type == "AssertFileIsExecutable") {
        return regular && (status.mode & kAnyExecute) != 0;
    }
    return type == "AssertPathExists" || (regular && status.size > 0);
}

// Empty: cannot be told.
std::optional<bool> holds(const host::FileReader& files,
                          const host::ServiceAssert& check) {
    constexpr std::array<std::string_view, 3> kKnown{
        "AssertFileIsExecutable", "AssertFileNotEmpty", "AssertPathExists"};
    if (check.trigger || std::ranges::find(kKnown, check.type) == kKnown.end()) {
        return std::nullopt;
    }
    const auto status = files.status(check.parameter);
    if (status) {
        return holds(check.type, *status) != check.negate;
    }
    return status.error().sysErrno == ENOENT ? std::optional(check.negate)
                                             : std::nullopt;
}

}  // namespace

Obstacle restartInVain(const Look& look,
                       const Process& process,
                       const Differing& differing) {
    if (differing.program && !process.deleted && isInterpreter(process.program)) {
        const std::string binary = escapeForTerminal(look.settings.binary);
        return {
            .reason = fmt::format("it runs the interpreter {}: when {} is a script, "
                                  "it does so after each restart",
                                  escapeForTerminal(process.program),
                                  binary),
            .fix = fmt::format("when {0} is a script, name the program that it "
                               "starts in service.binary; when it is none: "
                               "systemctl restart {1}",
                               binary,
                               look.settings.unit),
            .inVain = true};
    }
    Obstacle forbidden = managerForbids(look, process, differing);
    return forbidden.inVain ? forbidden : wrapperDecides(look, differing);
}

Obstacle startObstacle(const Look& look) {
    const std::string managed = managesEnvironment(look.settings)
                                    ? managedEnvironmentPath(look.settings.unit)
                                    : "";
    for (const EnvironmentSource& source : look.state.environment) {
        if (source.error && !source.optional && source.path != managed) {
            return {.reason = "it does not start without its environment file: " +
                              source.error->message(),
                    .fix = "see that the file exists and can be read"};
        }
    }
    for (const host::ServiceAssert& check : look.state.failing) {
        const std::string later = laterFileOf(look.state, check);
        // That of the standard program is made anew by our drop-in, if it is before it.
        if (check.parameter != look.wanted.program || look.settings.binary.empty() ||
            !later.empty()) {
            const std::string text = fmt::format("{}={}{}",
                                                 check.type,
                                                 check.negate ? "!" : "",
                                                 escapeForTerminal(check.parameter));
            return {.reason = text + " does not hold, without which it does not start",
                    .fix = "see that " + text + " holds" +
                           (later.empty()
                                ? ""
                                : ", or take it out of " + escapeForTerminal(later))};
        }
    }
    return {};
}

std::vector<host::ServiceAssert> failingAsserts(const host::FileReader& files,
                                                const host::ServiceUnit& unit) {
    std::vector<host::ServiceAssert> failing;
    for (const host::ServiceAssert& check : unit.asserts) {
        if (!holds(files, check).value_or(true)) {
            failing.push_back(check);
        }
    }
    return failing;
}

}  // namespace fabric::resource::service
