// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "resource/service/compare.hpp"
#include "resource/service/exec_line.hpp"
#include "resource/service/restart_use.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <utility>

namespace fabric::resource::service {

namespace {

constexpr std::string_view kRule =
    "A process keeps the program, the limits and the environment that it was started "
    "with. `mc admin service restart` starts the server again inside the same process, "
    "with all of them unchanged; only a restart by systemd gives it the new ones.";

constexpr const char* kNotBefore = "; not before: ";

class ProcessComparer {
  public:
    ProcessComparer(const Look& look, const Assessment* environment, bool configuring)
        : look_(look), environment_(environment), configuring_(configuring) {}

    Comparison compare() {
        assessment_ = serviceProperty(look_.settings, "process");
        assessment_.explanation = kRule;
        if (!look_.state.process) {
            assessment_.verdict = Verdict::notApplicable;
            assessment_.reason = "it is not running (" +
                                 escapeForTerminal(look_.state.unit.activeState) + ")";
        } else if (!*look_.state.process) {
            unread(look_.state.process->error());
        } else {
            compareWith(**look_.state.process);
        }
        result_.assessments.push_back(std::move(assessment_));
        return std::move(result_);
    }

  private:
    void unread(const Error& error) {
        assessment_.verdict = Verdict::unreadable;
        assessment_.reason = error.sysErrno == ENOENT || error.sysErrno == ESRCH
                                 ? "the process ended while it was looked at"
                                 : error.message();
        assessment_.fix = error.sysErrno == EACCES || error.sysErrno == EPERM
                              ? "run as root: this takes CAP_SYS_PTRACE"
                              : "run it again";
    }

    void compareWith(const Process& process) {
        Value::Object wanted;
        Value::Object found;
        if (!look_.settings.binary.empty()) {
            wanted["program"] = look_.settings.binary;
            found["program"] = programOf(process);
            compareProgram(process);
        }
        if (look_.settings.limitMemlock) {
            const host::ResourceLimit limit = wantedLimit(*look_.settings.limitMemlock);
            wanted["memlock"] = limitValue(limit);
            found["memlock"] = limitValue(process.memlock);
            if (process.memlock != limit) {
                differing_.limit = true;
                reasons_.push_back(fmt::format("its locked memory limit is {}",
                                               limitValue(process.memlock).toText()));
            }
        }
        for (const auto& [name, value] : look_.settings.environment) {
            wanted[name] = shownValue(name, value, value);
            const auto seen = process.environment.find(name);
            const bool there = seen != process.environment.end();
            found[name] =
                there ? Value(shownValue(name, seen->second, value)) : Value{};
            if (!there || seen->second != value) {
                differing_.variables.push_back(name);
                reasons_.push_back((there ? "it was started with another "
                                          : "it was started without ") +
                                   name);
            }
        }
        assessment_.wanted = std::move(wanted);
        assessment_.found = std::move(found);
        settle(process);
    }

    // As the profile names it, when it is that file.
    [[nodiscard]] Value programOf(const Process& process) const {
        if (process.deleted) {
            return process.program + " (deleted)";
        }
        return process.program == look_.state.binary.resolved ? look_.settings.binary
                                                              : process.program;
    }

    void compareProgram(const Process& process) {
        differing_.program =
            process.deleted || process.program != look_.state.binary.resolved;
        if (process.deleted) {
            reasons_.push_back("its program " + escapeForTerminal(process.program) +
                               " was replaced or deleted since it was started");
        } else if (process.program != look_.state.binary.resolved) {
            reasons_.push_back("it runs " + escapeForTerminal(process.program));
        }
    }

    void settle(const Process& process) {
        assessment_.verdict = reasons_.empty() ? Verdict::inSync : Verdict::differs;
        if (reasons_.empty()) {
            return;
        }
        assessment_.reason =
            fmt::format("process {}: {}", process.pid, fmt::join(reasons_, ", "));
        useless_ = restartInVain(look_, process, differing_);
        hindrance_ = startObstacle(look_);
        const std::string obstacle = restartObstacle();
        if (obstacle.empty()) {
            assessment_.disturbs = Disturbs::traffic;
            addStep();
            return;
        }
        assessment_.beyondApply = true;
        assessment_.reason += "; not restarted: " + obstacle;
        assessment_.fix = fix();
    }

    // What stands in the way of a useful restart comes first: a server that is stopped
    // without its program does not come back.
    [[nodiscard]] std::string fix() const {
        const std::string restart = "systemctl restart " + look_.settings.unit +
                                    ", when its users can do without it";
        if (!look_.refusal().empty()) {
            return look_.refusalFix() + kNotBefore + restart;
        }
        if (environmentIsRight() && useless_.inVain) {
            return useless_.fix;
        }
        if (environmentIsRight()) {
            return hindrance_.fix + (hindrance_.fix.empty() ? "" : kNotBefore) +
                   restart;
        }
        const std::string repair =
            look_.settings.manageEnvironment
                ? environment_->fix
                : "put its environment into the file that counts";
        return repair + (repair.empty() ? "" : kNotBefore) + restart;
    }

    // Or will be, once the steps before a restart are done.
    [[nodiscard]] bool environmentIsRight() const {
        return environment_ == nullptr || environment_->verdict == Verdict::inSync ||
               (look_.settings.manageEnvironment && configuring_ &&
                environment_->verdict == Verdict::differs && environment_->fix.empty());
    }

    // Why apply does not restart it, "" when it does.
    [[nodiscard]] std::string restartObstacle() const {
        if (!look_.settings.restartIfNeeded) {
            return "the profile says restart: never";
        }
        const std::string& state = look_.state.systemState;
        if (state != "running" && state != "degraded") {
            return "the system is " + escapeForTerminal(state);
        }
        if (!look_.refusal().empty()) {
            return look_.refusal();
        }
        if (!environmentIsRight()) {
            return "its environment files are not right yet";
        }
        return hindrance_.reason.empty() ? useless_.reason : hindrance_.reason;
    }

    void addStep() {
        host::RestartRequest request{
            .unit = look_.settings.unit,
            .program = loadedProgram(look_.wanted.place, look_.settings.binary),
            .place = look_.wanted.place,
            .limitMemlock = std::nullopt};
        if (look_.settings.limitMemlock) {
            request.limitMemlock = wantedLimit(*look_.settings.limitMemlock);
        }
        result_.steps.push_back({.stage = Stage::service,
                                 .disturbs = Disturbs::traffic,
                                 .summary = "restart " + look_.settings.unit,
                                 .ids = {assessment_.id},
                                 .writes = {std::move(request)}});
    }

    const Look& look_;
    const Assessment* environment_;
    bool configuring_;
    Differing differing_;
    Obstacle useless_;    // what makes a restart useless
    Obstacle hindrance_;  // what keeps the server from starting again
    std::vector<std::string> reasons_;
    Assessment assessment_;
    Comparison result_;
};

}  // namespace

Comparison compareProcess(const Look& look,
                          const Assessment* environment,
                          bool configuring) {
    return ProcessComparer(look, environment, configuring).compare();
}

}  // namespace fabric::resource::service
