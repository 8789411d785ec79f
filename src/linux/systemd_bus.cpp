// SPDX-License-Identifier: Apache-2.0
#include "linux/systemd_bus.hpp"

#include "base/text.hpp"
#include "linux/systemd_connection.hpp"

#include <cstdint>
#include <utility>
#include <vector>

namespace fabric::linux_host {

namespace {

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

void takeUnit(const Properties& all, host::ServiceUnit& unit) {
    unit.loadState = property<std::string>(all, "LoadState");
    unit.loadError = property<LoadError>(all, "LoadError").get<1>();
    unit.activeState = property<std::string>(all, "ActiveState");
    unit.subState = property<std::string>(all, "SubState");
    unit.unitFileState = property<std::string>(all, "UnitFileState");
    unit.fragmentPath = property<std::string>(all, "FragmentPath");
    unit.dropInPaths = property<std::vector<std::string>>(all, "DropInPaths");
    unit.needDaemonReload = property<bool>(all, "NeedDaemonReload");
    unit.after = property<std::vector<std::string>>(all, "After");
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

SystemdBus::SystemdBus(BusDeadlines deadlines) : deadlines_(deadlines) {}

SystemdBus::~SystemdBus() = default;

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

namespace {

// The process alone starts again. With "replace" the start would pull in what the unit
// wants and wait for what it is ordered after: for fabricctl.service, which may be the
// caller, or be started by this very job and wait for the caller's run lock. The server
// would be down until the deadline.
constexpr const char* kRestartMode = "ignore-dependencies";

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
            .withArguments(unit, std::string(kRestartMode))
            .storeResultsTo(job);
        if (const auto result = bus.awaitEnd(job, deadlines_.job)) {
            return *result == "done" ? Result<void>{} : fail(jobEnded(unit, *result));
        }
        const auto path = bus.load(unit, timeout);
        return judgeSilence(bus.all(path, kUnit, timeout), unit, deadlines_.job);
    });
}

}  // namespace fabric::linux_host
