// SPDX-License-Identifier: Apache-2.0
#include "linux/systemd_bus.hpp"

#include "base/text.hpp"

#include <sdbus-c++/sdbus-c++.h>

#include <poll.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

// Names and types: org.freedesktop.systemd1(5).
namespace fabric::linux_host {

namespace {

using std::chrono::steady_clock;

constexpr const char* kService = "org.freedesktop.systemd1";
constexpr const char* kManagerPath = "/org/freedesktop/systemd1";
constexpr const char* kManager = "org.freedesktop.systemd1.Manager";
constexpr const char* kUnit = "org.freedesktop.systemd1.Unit";
constexpr const char* kServiceUnit = "org.freedesktop.systemd1.Service";
constexpr const char* kProperties = "org.freedesktop.DBus.Properties";
constexpr const char* kJobRemoved = "JobRemoved";

using Properties = std::map<std::string, sdbus::Variant>;
// ExecStart, a(sasbttttuii): path, argv, ignore failure, four times, pid, code, status.
using Command = sdbus::Struct<std::string,
                              std::vector<std::string>,
                              bool,
                              std::uint64_t,
                              std::uint64_t,
                              std::uint64_t,
                              std::uint64_t,
                              std::uint32_t,
                              std::int32_t,
                              std::int32_t>;
// Asserts, a(sbbsi): type, trigger, negate, parameter, state.
using Assert = sdbus::Struct<std::string, bool, bool, std::string, std::int32_t>;
using EnvironmentFile = sdbus::Struct<std::string, bool>;
using LoadError = sdbus::Struct<std::string, std::string>;
using JobOfUnit = sdbus::Struct<std::uint32_t, sdbus::ObjectPath>;

struct KnownError {
    std::string_view prefix;  // of the D-Bus error name
    ErrorKind kind;
    std::string_view advice;
};

constexpr std::string_view kNoSystemd =
    "is systemd the init of this host? /run/systemd/system exists where it is";
constexpr std::string_view kBusy =
    "systemd is busy or hangs: look at 'systemctl list-jobs' and run it again";

// First match wins. sd-bus gives errnos of its own as "System.Error.E…".
constexpr std::array kKnownErrors{
    KnownError{
        "org.freedesktop.DBus.Error.ServiceUnknown", ErrorKind::notFound, kNoSystemd},
    KnownError{
        "org.freedesktop.DBus.Error.NameHasNoOwner", ErrorKind::notFound, kNoSystemd},
    KnownError{"org.freedesktop.DBus.Error.Spawn.", ErrorKind::notFound, kNoSystemd},
    KnownError{"org.freedesktop.DBus.Error.FileNotFound",
               ErrorKind::notFound,
               "start dbus.socket, or run this where the system bus is"},
    KnownError{"org.freedesktop.DBus.Error.NoReply", ErrorKind::timeout, kBusy},
    KnownError{"org.freedesktop.DBus.Error.Timeout", ErrorKind::timeout, kBusy},
    KnownError{"org.freedesktop.DBus.Error.TimedOut", ErrorKind::timeout, kBusy},
    KnownError{"System.Error.ETIMEDOUT", ErrorKind::timeout, kBusy},
    KnownError{"org.freedesktop.DBus.Error.AccessDenied",
               ErrorKind::permission,
               "run as root"},
    KnownError{"org.freedesktop.DBus.Error.InteractiveAuthorizationRequired",
               ErrorKind::permission,
               "run as root"},
    KnownError{"System.Error.EACCES", ErrorKind::permission, "run as root"},
    KnownError{"System.Error.EPERM", ErrorKind::permission, "run as root"},
};

Error translated(const sdbus::Error& error,
                 std::string_view action,
                 std::string_view subject) {
    Error result{.kind = ErrorKind::io,
                 .action = std::string(action),
                 .subject = std::string(subject),
                 .sysErrno = 0,
                 .detail = escapeForTerminal(
                     error.getMessage().empty() ? error.getName() : error.getMessage()),
                 .advice = {}};
    const auto known =
        std::ranges::find_if(kKnownErrors, [&](const KnownError& candidate) {
            return error.getName().starts_with(candidate.prefix);
        });
    if (known != kKnownErrors.end()) {
        result.kind = known->kind;
        result.advice = known->advice;
    }
    return result;
}

std::uint64_t microseconds(std::chrono::milliseconds time) {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::microseconds>(time).count());
}

class MalformedProperty : public sdbus::Error {
  public:
    MalformedProperty(const std::string& name, const std::string& what)
        : sdbus::Error("fabricctl.Malformed", "property " + name + ": " + what) {}
};

template <typename T>
T property(const Properties& all, const std::string& name) {
    const auto found = all.find(name);
    if (found == all.end()) {
        throw MalformedProperty(name, "it is missing");
    }
    try {
        return found->second.get<T>();
    } catch (const sdbus::Error&) {
        throw MalformedProperty(
            name, "it has the type '" + found->second.peekValueType() + "'");
    }
}

void takeUnit(const Properties& all, host::ServiceUnit& unit) {
    unit.loadState = property<std::string>(all, "LoadState");
    unit.loadError = property<LoadError>(all, "LoadError").get<1>();
    unit.activeState = property<std::string>(all, "ActiveState");
    unit.subState = property<std::string>(all, "SubState");
    unit.unitFileState = property<std::string>(all, "UnitFileState");
    unit.fragmentPath = property<std::string>(all, "FragmentPath");
    unit.dropInPaths = property<std::vector<std::string>>(all, "DropInPaths");
    unit.needDaemonReload = property<bool>(all, "NeedDaemonReload");
    unit.inactiveExitUs =
        property<std::uint64_t>(all, "InactiveExitTimestampMonotonic");
    unit.activeEnterUs = property<std::uint64_t>(all, "ActiveEnterTimestampMonotonic");
    for (const Assert& each : property<std::vector<Assert>>(all, "Asserts")) {
        unit.asserts.push_back({.type = each.get<0>(),
                                .trigger = each.get<1>(),
                                .negate = each.get<2>(),
                                .parameter = each.get<3>()});
    }
}

void takeService(const Properties& all, host::ServiceUnit& unit) {
    for (const Command& each : property<std::vector<Command>>(all, "ExecStart")) {
        unit.execStart.push_back({.path = each.get<0>(), .arguments = each.get<1>()});
    }
    unit.limitMemlock = {.soft = property<std::uint64_t>(all, "LimitMEMLOCKSoft"),
                         .hard = property<std::uint64_t>(all, "LimitMEMLOCK")};
    unit.environment = property<std::vector<std::string>>(all, "Environment");
    for (const EnvironmentFile& each :
         property<std::vector<EnvironmentFile>>(all, "EnvironmentFiles")) {
        unit.environmentFiles.push_back(
            {.path = each.get<0>(), .optional = each.get<1>()});
    }
    unit.user = property<std::string>(all, "User");
    unit.mainPid = property<std::uint32_t>(all, "MainPID");
}

}  // namespace

class SystemdBus::Connection {
  public:
    Connection()
        : bus_(sdbus::createSystemBusConnection()),
          manager_(sdbus::createProxy(*bus_, kService, kManagerPath)) {}

    [[nodiscard]] sdbus::IProxy& manager() { return *manager_; }

    [[nodiscard]] sdbus::ObjectPath load(const std::string& unit,
                                         std::uint64_t timeout) {
        sdbus::ObjectPath path;
        manager_->callMethod("LoadUnit")
            .onInterface(kManager)
            .withTimeout(timeout)
            .withArguments(unit)
            .storeResultsTo(path);
        return path;
    }

    [[nodiscard]] Properties all(const std::string& path,
                                 const std::string& interface,
                                 std::uint64_t timeout) {
        const auto proxy = sdbus::createProxy(*bus_, kService, path);
        Properties properties;
        proxy->callMethod("GetAll")
            .onInterface(kProperties)
            .withTimeout(timeout)
            .withArguments(interface)
            .storeResultsTo(properties);
        return properties;
    }

    // Handles what has arrived, waiting for more until the deadline. False at the
    // deadline.
    bool process(steady_clock::time_point deadline) {
        if (bus_->processPendingRequest()) {
            return true;
        }
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - steady_clock::now());
        if (left.count() <= 0) {
            return false;
        }
        const auto data = bus_->getEventLoopPollData();
        pollfd poller{.fd = data.fd, .events = data.events, .revents = 0};
        return ::poll(&poller, 1, static_cast<int>(left.count()) + 1) >= 0 ||
               errno == EINTR;
    }

    // Results of jobs that ended, by job path. systemd sends the signal only when
    // somebody subscribed, and may send it before it answers the method that made the
    // job.
    void listenForJobs(std::uint64_t timeout) {
        if (listening_) {
            return;
        }
        manager_->registerSignalHandler(
            kManager, kJobRemoved, [this](sdbus::Signal& signal) {
                std::uint32_t id = 0;
                sdbus::ObjectPath job;
                std::string unit;
                std::string result;
                signal >> id >> job >> unit >> result;
                endedJobs_[job] = result;
            });
        manager_->finishRegistration();
        manager_->callMethod("Subscribe").onInterface(kManager).withTimeout(timeout);
        listening_ = true;
    }

    [[nodiscard]] std::optional<std::string> endOf(const std::string& job) const {
        const auto found = endedJobs_.find(job);
        return found == endedJobs_.end() ? std::nullopt : std::optional(found->second);
    }

  private:
    std::unique_ptr<sdbus::IConnection> bus_;
    std::unique_ptr<sdbus::IProxy> manager_;
    std::map<std::string, std::string> endedJobs_;
    bool listening_ = false;
};

SystemdBus::SystemdBus(BusDeadlines deadlines) : deadlines_(deadlines) {}

SystemdBus::~SystemdBus() = default;

SystemdBus::Connection& SystemdBus::connection() const {
    if (!connection_) {
        try {
            connection_ = std::make_unique<Connection>();
        } catch (const sdbus::Error& error) {
            throw sdbus::Error("org.freedesktop.DBus.Error.FileNotFound",
                               "no system bus: " + error.getMessage());
        }
    }
    return *connection_;
}

template <typename Work>
auto SystemdBus::guarded(std::string_view action,
                         std::string_view subject,
                         Work work) const {
    using Answer = decltype(work(connection()));
    try {
        return work(connection());
    } catch (const MalformedProperty& error) {
        Error malformed = translated(error, action, subject);
        malformed.kind = ErrorKind::malformed;
        return Answer(fail(std::move(malformed)));
    } catch (const sdbus::Error& error) {
        connection_.reset();
        return Answer(fail(translated(error, action, subject)));
    }
}

Result<host::ServiceUnit> SystemdBus::unit(std::string_view name) const {
    const std::uint64_t timeout = microseconds(deadlines_.call);
    return guarded(
        "ask systemd about", name, [&](Connection& bus) -> Result<host::ServiceUnit> {
            host::ServiceUnit unit{.name = std::string(name)};
            const auto path = bus.load(unit.name, timeout);
            takeUnit(bus.all(path, kUnit, timeout), unit);
            if (name.ends_with(".service")) {
                takeService(bus.all(path, kServiceUnit, timeout), unit);
            }
            return unit;
        });
}

Result<std::string> SystemdBus::systemState() const {
    return guarded(
        "ask systemd about",
        "the system's state",
        [&](Connection& bus) -> Result<std::string> {
            sdbus::Variant state;
            bus.manager()
                .callMethod("Get")
                .onInterface(kProperties)
                .withTimeout(microseconds(deadlines_.call))
                .withArguments(std::string(kManager), std::string("SystemState"))
                .storeResultsTo(state);
            return property<std::string>({{"SystemState", state}}, "SystemState");
        });
}

Result<void> SystemdBus::reloadManager() const {
    return guarded("reload", "systemd", [&](Connection& bus) -> Result<void> {
        bus.manager().callMethod("Reload").onInterface(kManager).withTimeout(
            microseconds(deadlines_.reload));
        return {};
    });
}

namespace {

Error jobEnded(const std::string& unit, const std::string& result) {
    return {.kind = ErrorKind::refused,
            .action = "restart",
            .subject = unit,
            .sysErrno = 0,
            .detail = "the job ended as '" + escapeForTerminal(result) + "'",
            .advice = "see 'systemctl status " + unit + "' and 'journalctl -u " + unit +
                      " -b'"};
}

// No word of the job's end in time: what the unit itself says decides.
Result<void> judgeSilence(const Properties& unit,
                          const std::string& name,
                          std::chrono::milliseconds waited) {
    const auto state = property<std::string>(unit, "ActiveState");
    if (property<JobOfUnit>(unit, "Job").get<0>() == 0) {
        return state == "active" ? Result<void>{}
                                 : fail(jobEnded(name, "unknown, now " + state));
    }
    return fail(Error{.kind = ErrorKind::timeout,
                      .action = "restart",
                      .subject = name,
                      .sysErrno = 0,
                      .detail = "the job had not ended after " +
                                std::to_string(waited.count() / 1000) +
                                " s, the unit is " + escapeForTerminal(state),
                      .advice = "it goes on by itself: see 'systemctl status " + name +
                                "', then run 'fabricctl check'"});
}

}  // namespace

Result<void> SystemdBus::restartAndWait(const std::string& unit) const {
    const std::uint64_t timeout = microseconds(deadlines_.call);
    return guarded("restart", unit, [&](Connection& bus) -> Result<void> {
        bus.listenForJobs(timeout);
        sdbus::ObjectPath job;
        bus.manager()
            .callMethod("RestartUnit")
            .onInterface(kManager)
            .withTimeout(timeout)
            .withArguments(unit, std::string("replace"))
            .storeResultsTo(job);
        const auto deadline = steady_clock::now() + deadlines_.job;
        while (!bus.endOf(job) && bus.process(deadline)) {
        }
        if (const auto result = bus.endOf(job)) {
            return *result == "done" ? Result<void>{} : fail(jobEnded(unit, *result));
        }
        const auto path = bus.load(unit, timeout);
        return judgeSilence(bus.all(path, kUnit, timeout), unit, deadlines_.job);
    });
}

}  // namespace fabric::linux_host
