// SPDX-License-Identifier: Apache-2.0
#include "fake/fake_services.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <sstream>
#include <utility>

namespace fabric::fake {

namespace {

// In the order in which a file of one hides that of another.
constexpr std::array<std::string_view, 3> kDirectories{
    "/etc/systemd/system", "/run/systemd/system", "/usr/lib/systemd/system"};
constexpr host::ResourceLimit kDefaultMemlock{.soft = 8 << 20, .hard = 8 << 20};

std::uint64_t number(const std::string& text) {
    return text == "infinity" ? host::kNoLimit : std::stoull(text);
}

host::ResourceLimit limitOf(const std::string& value) {
    const std::size_t colon = value.find(':');
    if (colon == std::string::npos) {
        return {.soft = number(value), .hard = number(value)};
    }
    return {.soft = number(value.substr(0, colon)),
            .hard = number(value.substr(colon + 1))};
}

host::ServiceCommand commandOf(const std::string& value) {
    host::ServiceCommand command;
    std::istringstream words(value);
    for (std::string word; words >> word;) {
        command.arguments.push_back(word);
    }
    command.path = command.arguments.front();
    return command;
}

void takeService(const std::string& key,
                 const std::string& value,
                 host::ServiceUnit& unit) {
    if (key == "ExecStart" && value.empty()) {
        unit.execStart.clear();
    } else if (key == "ExecStart") {
        unit.execStart.push_back(commandOf(value));
    } else if (key == "LimitMEMLOCK") {
        unit.limitMemlock = limitOf(value);
    } else if (key == "Environment") {
        unit.environment.push_back(value);
    } else if (key == "EnvironmentFile" && value.empty()) {
        unit.environmentFiles.clear();
    } else if (key == "EnvironmentFile") {
        const bool optional = value.starts_with('-');
        unit.environmentFiles.push_back(
            {.path = value.substr(optional ? 1 : 0), .optional = optional});
    } else if (key == "User") {
        unit.user = value;
    }
}

void take(const std::string& key, const std::string& value, host::ServiceUnit& unit) {
    if (key.starts_with("Assert") && value.empty()) {
        unit.asserts.clear();
    } else if (key.starts_with("Assert")) {
        unit.asserts.push_back({.type = key, .parameter = value});
    } else {
        takeService(key, value, unit);
    }
}

void takeFile(const std::string& text, host::ServiceUnit& unit) {
    std::istringstream lines(text);
    for (std::string line; std::getline(lines, line);) {
        const std::size_t equals = line.find('=');
        if (equals != std::string::npos && !line.starts_with('#')) {
            take(line.substr(0, equals), line.substr(equals + 1), unit);
        }
    }
}

std::string limitWord(std::uint64_t bytes) {
    return bytes == host::kNoLimit ? "unlimited" : std::to_string(bytes);
}

}  // namespace

FakeServices::Loaded FakeServices::load(const std::string& name) const {
    Loaded result;
    host::ServiceUnit& unit = result.unit;
    unit.name = name;
    unit.loadState = "not-found";
    unit.activeState = "inactive";
    unit.limitMemlock = kDefaultMemlock;
    std::map<std::string, std::string> dropIns;  // by file name
    const auto takeDropIns = [&](const std::string& below) {
        for (const std::string& file :
             files_->list(below).value_or(std::vector<std::string>{})) {
            if (file.ends_with(".conf")) {
                dropIns.emplace(file, below + "/" + file);
            }
        }
    };
    for (const std::string_view directory : kDirectories) {
        const std::string fragment = std::string(directory) + "/" + name;
        if (unit.fragmentPath.empty() && files_->exists(fragment)) {
            unit.fragmentPath = fragment;
        }
        takeDropIns(fragment + ".d");
    }
    for (const std::string_view directory : kDirectories) {
        takeDropIns(std::string(directory) + "/service.d");
    }
    if (unit.fragmentPath.empty()) {
        return result;
    }
    unit.loadState = masked.contains(name) ? "masked" : "loaded";
    std::vector<std::string> paths{unit.fragmentPath};
    for (const auto& [file, path] : dropIns) {
        unit.dropInPaths.push_back(path);
        paths.push_back(path);
    }
    for (const std::string& path : paths) {
        result.texts[path] = files_->content(path);
        takeFile(result.texts[path], unit);
    }
    if (unit.execStart.size() > 1) {
        unit.loadState = "bad-setting";
        unit.loadError = "Unit has a bad unit file setting.";
    }
    return result;
}

const FakeServices::Loaded& FakeServices::loaded(const std::string& name) const {
    const auto found = units_.find(name);
    return found == units_.end() ? units_.emplace(name, load(name)).first->second
                                 : found->second;
}

void FakeServices::daemonReload() {
    for (auto& [name, unit] : units_) {
        unit = load(name);
    }
}

void FakeServices::start(const std::string& name) {
    const host::ServiceUnit& unit = loaded(name).unit;
    stop(name);
    processes_[name] = ++lastPid_;
    writeProcess(unit, lastPid_);
}

void FakeServices::stop(const std::string& name) {
    if (const auto found = processes_.find(name); found != processes_.end()) {
        files_->erase("/proc/" + std::to_string(found->second));
        processes_.erase(found);
    }
}

void FakeServices::writeProcess(const host::ServiceUnit& unit, std::uint32_t pid) {
    const std::string directory = "/proc/" + std::to_string(pid);
    const std::string& program = unit.execStart.front().path;
    files_->addLink(directory + "/exe", files_->resolve(program).value_or(program));
    files_->addFile(directory + "/limits",
                    "Limit                     Soft Limit           Hard Limit         "
                    "  Units     \n"
                    "Max cpu time              unlimited            unlimited          "
                    "  seconds   \n"
                    "Max locked memory         " +
                        limitWord(unit.limitMemlock.soft) + "            " +
                        limitWord(unit.limitMemlock.hard) +
                        "              bytes     \n");
    std::map<std::string, std::string> variables;  // a later file wins
    for (const host::ServiceEnvironmentFile& file : unit.environmentFiles) {
        std::istringstream lines(files_->content(file.path));
        for (std::string line; std::getline(lines, line);) {
            std::erase(line, '"');
            variables[line.substr(0, line.find('='))] = line;
        }
    }
    std::string environment;
    for (const auto& [name, line] : variables) {
        environment += line + '\0';
    }
    files_->addFile(directory + "/environ", environment);
    files_->addFile(directory + "/status", "Name:\tminio\nVmPin:\t       0 kB\n");
}

std::uint32_t FakeServices::pidOf(const std::string& name) const {
    const auto found = processes_.find(name);
    return found == processes_.end() ? 0 : found->second;
}

Result<host::ServiceUnit> FakeServices::unit(std::string_view name) const {
    if (unitFault) {
        return fail(*unitFault);
    }
    const Loaded& known = loaded(std::string(name));
    host::ServiceUnit unit = known.unit;
    unit.mainPid = laterPid && answered_ ? *laterPid : pidOf(unit.name);
    answered_ = laterPid.has_value();
    unit.unitFileState = unitFileState;
    unit.activeState = whenDown;
    if (unit.mainPid != 0) {
        unit.activeState = "active";
        unit.subState = "running";
        unit.activeEnterUs = static_cast<std::uint64_t>(
            std::chrono::duration_cast<std::chrono::microseconds>(
                activeSince.time_since_epoch())
                .count());
    }
    // A file that was not there is not missed: systemd compares what it has read.
    unit.needDaemonReload = std::ranges::any_of(known.texts, [&](const auto& file) {
        return files_->content(file.first) != file.second;
    });
    // Nor can one that is a link to nothing be found unchanged.
    unit.needDaemonReload |= std::ranges::any_of(known.texts, [&](const auto& file) {
        return !files_->status(file.first).has_value();
    });
    unit.needDaemonReload &= !oldTimes;
    return unit;
}

Result<std::string> FakeServices::systemState() const {
    return state;
}

Result<void> FakeServices::reload(std::string_view unit) {
    ++reloads;
    if (reloadFault) {
        return fail(*std::exchange(reloadFault, std::nullopt));
    }
    if (!deafReload) {
        static_cast<void>(loaded(std::string(unit)));
        daemonReload();
    }
    const host::ServiceUnit now = loaded(std::string(unit)).unit;
    if (now.loadState != "loaded") {
        return fail(Error{.kind = ErrorKind::refused,
                          .action = "load",
                          .subject = now.name,
                          .sysErrno = 0,
                          .detail = now.loadState + " " + now.loadError,
                          .advice = {}});
    }
    return {};
}

Result<void> FakeServices::restart(const host::RestartRequest& request) {
    const host::ServiceUnit now = TRY(unit(request.unit));
    if (const std::string obstacle = host::restartObstacle(request, now, state);
        !obstacle.empty()) {
        return fail(Error{.kind = ErrorKind::refused,
                          .action = "restart",
                          .subject = request.unit,
                          .sysErrno = 0,
                          .detail = "not sent: " + obstacle,
                          .advice = {}});
    }
    restarts.push_back(request.unit);
    if (restartFault) {
        return fail(*std::exchange(restartFault, std::nullopt));
    }
    start(request.unit);
    return {};
}

Result<host::ProgramVersion> FakePrograms::version(std::string_view program,
                                                   std::string_view user) const {
    asked.push_back(std::string(program) + " as " + std::string(user));
    const auto found = answers.find(program);
    return found == answers.end()
               ? fail(systemError("run", std::string(program), ENOENT))
               : found->second;
}

}  // namespace fabric::fake
