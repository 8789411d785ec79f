// SPDX-License-Identifier: Apache-2.0
#include "linux/systemd_timers.hpp"

#include "base/text.hpp"
#include "linux/systemd_connection.hpp"
#include "linux/systemd_sandbox.hpp"

#include <fmt/format.h>
#include <time.h>

#include <string>
#include <utility>
#include <vector>

namespace fabric::linux_host {

namespace {

constexpr const char* kTimer = "org.freedesktop.systemd1.Timer";
constexpr const char* kTimerSuffix = ".timer";
constexpr const char* kNoSuchUnit = "org.freedesktop.systemd1.NoSuchUnit";
// Without it systemd may be a minute late.
constexpr std::uint64_t kAccuracyUs = 100'000;
// By how much the elapse may lie behind what was asked for.
constexpr std::uint64_t kToleranceUs = 5'000'000;

using Auxiliary = sdbus::Struct<std::string, PropertyList>;  // a unit with it
using Elapse = sdbus::Struct<std::string, std::uint64_t>;    // base, microseconds
using Command = sdbus::Struct<std::string, std::vector<std::string>, bool>;

std::uint64_t monotonicUs() {
    constexpr std::uint64_t kUsPerSecond = 1'000'000;
    constexpr std::uint64_t kNsPerUs = 1000;
    timespec now{};
    ::clock_gettime(CLOCK_MONOTONIC, &now);
    return static_cast<std::uint64_t>(now.tv_sec) * kUsPerSecond +
           static_cast<std::uint64_t>(now.tv_nsec) / kNsPerUs;
}

PropertyList timerProperties(const host::DelayedCommand& command) {
    return {Property{"Description", sdbus::Variant(command.what)},
            Property{"TimersMonotonic",
                     sdbus::Variant(std::vector<Elapse>{
                         Elapse{"OnActiveSec", microseconds(command.delay)}})},
            Property{"AccuracyUSec", sdbus::Variant(kAccuracyUs)},
            // Nothing is left of it when its time has come.
            Property{"RemainAfterElapse", sdbus::Variant(false)}};
}

PropertyList serviceProperties(const host::DelayedCommand& command) {
    PropertyList all = commandSandbox();
    all.insert(all.end(),
               {Property{"Description", sdbus::Variant(command.what)},
                Property{"Type", sdbus::Variant(std::string("oneshot"))},
                Property{"ExecStart",
                         sdbus::Variant(std::vector<Command>{Command{
                             command.arguments.front(), command.arguments, false}})},
                // Killed in the middle, it begins again; a failure of its own is final.
                Property{"Restart", sdbus::Variant(std::string("on-abnormal"))}});
    return all;
}

Error notArmed(const std::string& unit, std::string detail) {
    return {.kind = ErrorKind::refused,
            .action = "arm",
            .subject = unit,
            .sysErrno = 0,
            .detail = std::move(detail),
            .advice = "see 'systemctl status " + unit + "'"};
}

}  // namespace

Result<void> SystemdTimers::start(const host::DelayedCommand& command) {
    const std::string unit = command.name + kTimerSuffix;
    const std::uint64_t timeout = microseconds(bus_->deadlines_.call);
    return bus_->guarded("arm", unit, [&](SystemdBus::Connection& bus) -> Result<void> {
        bus.listenForJobs(timeout);
        sdbus::ObjectPath job;
        bus.manager()
            .callMethod("StartTransientUnit")
            .onInterface(kManager)
            .withTimeout(timeout)
            .withArguments(unit,
                           std::string("fail"),
                           timerProperties(command),
                           std::vector<Auxiliary>{Auxiliary{
                               command.name + ".service", serviceProperties(command)}})
            .storeResultsTo(job);
        const auto end = bus.awaitEnd(job, bus_->deadlines_.call);
        if (end && *end != "done") {
            return fail(
                notArmed(unit, "the job ended as '" + escapeForTerminal(*end) + "'"));
        }
        // Silence: what the unit itself says decides.
        return {};
    });
}

Result<void> SystemdTimers::verify(const host::DelayedCommand& command) {
    const std::string unit = command.name + kTimerSuffix;
    const std::uint64_t timeout = microseconds(bus_->deadlines_.call);
    const host::ServiceUnit service = TRY(bus_->unit(command.name + ".service"));
    const bool runsIt = service.execStart.size() == 1 &&
                        service.execStart.front().arguments == command.arguments;
    if (service.loadState != "loaded" || !runsIt) {
        return fail(notArmed(service.name,
                             "systemd has not loaded it as asked: " +
                                 escapeForTerminal(service.loadState)));
    }
    const host::ServiceUnit timer = TRY(bus_->unit(unit));
    if (timer.activeState != "active") {
        return fail(notArmed(unit, "it is " + escapeForTerminal(timer.activeState)));
    }
    return bus_->guarded(
        "ask systemd about", unit, [&](SystemdBus::Connection& bus) -> Result<void> {
            const auto next = property<std::uint64_t>(
                bus.all(bus.load(unit, timeout), kTimer, timeout),
                "NextElapseUSecMonotonic");
            const std::uint64_t now = monotonicUs();
            const std::uint64_t latest =
                now + microseconds(command.delay) + kToleranceUs;
            return next > now && next <= latest
                       ? Result<void>{}
                       : fail(notArmed(
                             unit,
                             fmt::format("it elapses at {} us of the monotonic clock, "
                                         "and now it is {}",
                                         next,
                                         now)));
        });
}

Result<void> SystemdTimers::stop(const std::string& unit) {
    const std::uint64_t timeout = microseconds(bus_->deadlines_.call);
    return bus_->guarded(
        "stop", unit, [&](SystemdBus::Connection& bus) -> Result<void> {
            bus.listenForJobs(timeout);
            sdbus::ObjectPath job;
            try {
                bus.manager()
                    .callMethod("StopUnit")
                    .onInterface(kManager)
                    .withTimeout(timeout)
                    .withArguments(unit, std::string("replace"))
                    .storeResultsTo(job);
            } catch (const sdbus::Error& error) {
                if (error.getName() == kNoSuchUnit) {
                    return {};
                }
                throw;
            }
            static_cast<void>(bus.awaitEnd(job, bus_->deadlines_.call));
            return {};
        });
}

Result<host::CommandKeeper> SystemdTimers::arm(const host::DelayedCommand& command) {
    const host::CommandKeeper keeper{.timer = command.name + kTimerSuffix};
    Result<void> armed = start(command);
    // After no answer it may have been started all the same.
    const bool perhaps = armed || armed.error().kind == ErrorKind::timeout;
    if (armed) {
        armed = verify(command);
    }
    if (armed) {
        return keeper;
    }
    if (perhaps) {
        static_cast<void>(disarm(keeper));
    }
    return fail(std::move(armed.error()));
}

// The service may be what calls this; a timer that is stopped takes no service along.
Result<void> SystemdTimers::release(const host::CommandKeeper& keeper) {
    return stop(keeper.timer);
}

Result<void> SystemdTimers::disarm(const host::CommandKeeper& keeper) {
    const std::string name = keeper.timer.substr(0, keeper.timer.rfind(kTimerSuffix));
    for (const std::string& unit : {keeper.timer, name + ".service"}) {
        TRY(stop(unit));
        const host::ServiceUnit left = TRY(bus_->unit(unit));
        if (left.activeState != "inactive" && left.activeState != "failed") {
            return fail(
                Error{.kind = ErrorKind::refused,
                      .action = "stop",
                      .subject = unit,
                      .sysErrno = 0,
                      .detail = "it is still " + escapeForTerminal(left.activeState),
                      .advice = "see 'systemctl status " + unit + "'"});
        }
    }
    return {};
}

}  // namespace fabric::linux_host
