// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/result.hpp"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::host {

// One command of ExecStart= as systemd loaded it (specifiers expanded, variables not).
struct ServiceCommand {
    std::string path;
    std::vector<std::string> arguments;  // argv, argv[0] included
    bool operator==(const ServiceCommand&) const = default;
};

struct ServiceEnvironmentFile {
    std::string path;       // as written: may be a glob
    bool optional = false;  // "-" in front
    bool operator==(const ServiceEnvironmentFile&) const = default;
};

// One Assert…= as systemd loaded it.
struct ServiceAssert {
    std::string type;  // "AssertFileIsExecutable"
    bool trigger = false;
    bool negate = false;
    std::string parameter;
    bool operator==(const ServiceAssert&) const = default;
};

// Limits in bytes; RLIM_INFINITY travels as the largest number.
inline constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();

struct ResourceLimit {
    std::uint64_t soft = 0;
    std::uint64_t hard = 0;
    bool operator==(const ResourceLimit&) const = default;
};

// What org.freedesktop.systemd1 says of one unit: what is in force in the manager, not
// what the files say.
struct ServiceUnit {
    std::string name;
    std::string loadState;    // "loaded", "not-found", "bad-setting", "masked", "error"
    std::string loadError;    // why it is not loaded
    std::string activeState;  // "active", "inactive", "failed", "activating", ...
    std::string subState;     // "running", "auto-restart", ...
    std::string unitFileState;  // "enabled", "disabled", ""
    std::string fragmentPath;
    std::vector<std::string> dropInPaths;  // in the order in which they apply
    bool needDaemonReload = false;
    // CLOCK_MONOTONIC in microseconds; 0: never in this boot.
    std::uint64_t inactiveExitUs = 0;
    std::uint64_t activeEnterUs = 0;
    std::vector<ServiceAssert> asserts;
    // After= in force, what other units say with Before= included; empty: not told.
    std::optional<std::vector<std::string>> after;
    // Of a service; empty for other units.
    std::vector<ServiceCommand> execStart;
    ResourceLimit limitMemlock;
    std::vector<std::string> environment;  // "NAME=value" of Environment=
    std::vector<ServiceEnvironmentFile> environmentFiles;
    std::string user;           // "": root
    std::uint32_t mainPid = 0;  // 0: no process
};

class ServiceReader {
  public:
    virtual ~ServiceReader() = default;
    // The unit as loaded. A unit that does not exist is an answer (loadState
    // "not-found"), not an error. No bus and a bus without systemd are
    // ErrorKind::notFound, no answer in time is ErrorKind::timeout, an answer of other
    // types ErrorKind::malformed.
    [[nodiscard]] virtual Result<ServiceUnit> unit(std::string_view name) const = 0;
    // SystemState of the manager: "initializing", "starting", "running", "degraded",
    // "maintenance", "stopping".
    [[nodiscard]] virtual Result<std::string> systemState() const = 0;
};

// What must hold for a restart to be sent, looked at right before it.
struct RestartRequest {
    std::string unit;
    std::string program;    // of ExecStart, as loaded; "": any
    std::size_t place = 0;  // of the program in {path, arguments...}: behind a wrapper
    std::optional<ResourceLimit> limitMemlock;  // empty: any
    bool operator==(const RestartRequest&) const = default;
};

class ServiceWriter {
  public:
    virtual ~ServiceWriter() = default;
    // Reload of the manager; returns when it is done. A unit that is not "loaded"
    // afterwards is ErrorKind::refused, its load error in `detail`.
    [[nodiscard]] virtual Result<void> reload(std::string_view unit) = 0;
    // RestartUnit and the end of its job. Refused without being sent when
    // restartObstacle() names one. A job that does not end in time is
    // ErrorKind::timeout; any end but "done" is ErrorKind::refused.
    [[nodiscard]] virtual Result<void> restart(const RestartRequest& request) = 0;
};

// Whether the one command of the unit runs the program, at its place.
[[nodiscard]] inline bool runsProgram(const RestartRequest& request,
                                      const ServiceUnit& unit) {
    if (unit.execStart.size() != 1) {
        return false;
    }
    const ServiceCommand& command = unit.execStart.front();
    if (request.place == 0) {
        return command.path == request.program;
    }
    return request.place < command.arguments.size() &&
           command.arguments[request.place] == request.program;
}

// Why a restart must not be sent, "" when nothing is in the way: the system is still
// starting or already stopping, or a restart would not bring what is wanted.
[[nodiscard]] inline std::string restartObstacle(const RestartRequest& request,
                                                 const ServiceUnit& unit,
                                                 std::string_view systemState) {
    if (systemState != "running" && systemState != "degraded") {
        return "the system is " + std::string(systemState);
    }
    if (unit.mainPid == 0) {
        return "it is not running";
    }
    if (unit.loadState != "loaded") {
        return "it is not loaded: " + unit.loadState;
    }
    if (!request.program.empty() && !runsProgram(request, unit)) {
        return "it would not run " + request.program;
    }
    if (request.limitMemlock && unit.limitMemlock != *request.limitMemlock) {
        return "it would not get the wanted locked memory limit";
    }
    return {};
}

}  // namespace fabric::host
