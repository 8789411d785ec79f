// SPDX-License-Identifier: Apache-2.0
#include "linux/bus_timers.hpp"

#include "linux/bus_types.hpp"

#include <chrono>

namespace fabric::linux_host::testing {

namespace {

constexpr const char* kManager = "org.freedesktop.systemd1.Manager";
constexpr const char* kUnit = "org.freedesktop.systemd1.Unit";
constexpr const char* kService = "org.freedesktop.systemd1.Service";
constexpr const char* kTimer = "org.freedesktop.systemd1.Timer";
const sdbus::ObjectPath kTimerPath{"/org/freedesktop/systemd1/unit/t"};
const sdbus::ObjectPath kServicePath{"/org/freedesktop/systemd1/unit/s"};

using Command = sdbus::Struct<std::string, std::vector<std::string>, bool>;
using Elapse = sdbus::Struct<std::string, std::uint64_t>;

template <typename T>
void give(sdbus::IObject& object, const char* interface, const char* name, T value) {
    object.registerProperty(name).onInterface(interface).withGetter(
        [value] { return value; });
}

std::uint64_t nowUs() {
    return static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::microseconds>(
            std::chrono::steady_clock::now().time_since_epoch())
            .count());
}

}  // namespace

BusTimers::BusTimers(const std::string& address, Behaviour behaviour)
    : behaviour_(std::move(behaviour)),
      connection_(sdbus::createSessionBusConnectionWithAddress(address)),
      manager_(sdbus::createObject(*connection_, "/org/freedesktop/systemd1")),
      timer_(sdbus::createObject(*connection_, kTimerPath)),
      service_(sdbus::createObject(*connection_, kServicePath)) {
    addManager();
    addUnit(*timer_, true);
    addUnit(*service_, false);
    connection_->requestName("org.freedesktop.systemd1");
    connection_->enterEventLoopAsync();
}

BusTimers::~BusTimers() {
    connection_->leaveEventLoop();
}

BusTimers::Asked BusTimers::asked() const {
    const std::lock_guard lock(mutex_);
    return asked_;
}

void BusTimers::addManager() {
    manager_->registerMethod("LoadUnit")
        .onInterface(kManager)
        .implementedAs([](const std::string& unit) {
            return unit.ends_with(".timer") ? kTimerPath : kServicePath;
        });
    manager_->registerMethod("Subscribe").onInterface(kManager).implementedAs([] {});
    manager_->registerMethod("StartTransientUnit")
        .onInterface(kManager)
        .implementedAs([this](const std::string& timer,
                              const std::string& mode,
                              const PropertyList& properties,
                              const Auxiliary& others) {
            return start(timer, mode, properties, others);
        });
    manager_->registerMethod("StopUnit")
        .onInterface(kManager)
        .implementedAs(
            [this](const std::string& unit, const std::string&) { return stop(unit); });
    manager_->registerSignal("JobRemoved")
        .onInterface(kManager)
        .withParameters<std::uint32_t, sdbus::ObjectPath, std::string, std::string>();
    manager_->finishRegistration();
}

sdbus::ObjectPath BusTimers::job(const std::string& unit) {
    const sdbus::ObjectPath path("/org/freedesktop/systemd1/job/" +
                                 std::to_string(++jobs_));
    manager_->emitSignal("JobRemoved")
        .onInterface(kManager)
        .withArguments(jobs_, path, unit, behaviour_.jobResult);
    return path;
}

sdbus::ObjectPath BusTimers::start(const std::string& timer,
                                   const std::string& mode,
                                   const PropertyList& properties,
                                   const Auxiliary& others) {
    const std::lock_guard lock(mutex_);
    if (behaviour_.refuses) {
        throw sdbus::Error("org.freedesktop.systemd1.UnitExists",
                           "it is there already");
    }
    asked_.timer = timer;
    asked_.mode = mode;
    for (const auto& property : properties) {
        asked_.timerProperties[property.get<0>()] = property.get<1>();
    }
    asked_.service = others.at(0).get<0>();
    for (const auto& property : others.at(0).get<1>()) {
        asked_.serviceProperties[property.get<0>()] = property.get<1>();
    }
    const auto elapse =
        asked_.timerProperties.at("TimersMonotonic").get<std::vector<Elapse>>();
    elapseUs_ = nowUs() + elapse.at(0).get<1>() +
                static_cast<std::uint64_t>(behaviour_.elapseShiftUs);
    arguments_ = asked_.serviceProperties.at("ExecStart")
                     .get<std::vector<Command>>()
                     .at(0)
                     .get<1>();
    timerState_ = behaviour_.stateAfterStart;
    if (behaviour_.noAnswer) {
        throw sdbus::Error("org.freedesktop.DBus.Error.NoReply", "no reply");
    }
    return job(timer);
}

sdbus::ObjectPath BusTimers::stop(const std::string& unit) {
    const std::lock_guard lock(mutex_);
    asked_.stopped.push_back(unit);
    if (unit.ends_with(".timer")) {
        if (timerState_ == "inactive") {
            throw sdbus::Error("org.freedesktop.systemd1.NoSuchUnit", "not loaded");
        }
        timerState_ = behaviour_.stateAfterStop;
    }
    return job(unit);
}

void BusTimers::addUnit(sdbus::IObject& unit, bool timer) {
    unit.registerProperty("LoadState").onInterface(kUnit).withGetter([this, timer] {
        return timer ? std::string("loaded") : behaviour_.serviceLoadState;
    });
    unit.registerProperty("ActiveState").onInterface(kUnit).withGetter([this, timer] {
        const std::lock_guard lock(mutex_);
        return timer ? timerState_ : std::string("inactive");
    });
    give(unit, kUnit, "LoadError", LoadError{"", ""});
    give(unit, kUnit, "SubState", std::string("waiting"));
    give(unit, kUnit, "UnitFileState", std::string("transient"));
    give(unit, kUnit, "FragmentPath", std::string());
    give(unit, kUnit, "DropInPaths", std::vector<std::string>{});
    give(unit, kUnit, "NeedDaemonReload", false);
    give(unit, kUnit, "After", std::vector<std::string>{});
    give(unit, kUnit, "InactiveExitTimestampMonotonic", std::uint64_t{0});
    give(unit, kUnit, "ActiveEnterTimestampMonotonic", std::uint64_t{0});
    give(unit, kUnit, "Asserts", std::vector<Assert>{});
    if (timer) {
        unit.registerProperty("NextElapseUSecMonotonic")
            .onInterface(kTimer)
            .withGetter([this] {
                const std::lock_guard lock(mutex_);
                return elapseUs_;
            });
    } else {
        unit.registerProperty("ExecStart").onInterface(kService).withGetter([this] {
            const std::lock_guard lock(mutex_);
            std::vector<std::string> arguments = arguments_;
            if (behaviour_.otherCommand) {
                arguments = {"/bin/true"};
            }
            return std::vector<LoadedCommand>{
                LoadedCommand{arguments.empty() ? "" : arguments.front(),
                              arguments,
                              false,
                              0,
                              0,
                              0,
                              0,
                              0,
                              0,
                              0}};
        });
        give(unit, kService, "LimitMEMLOCKSoft", std::uint64_t{0});
        give(unit, kService, "LimitMEMLOCK", std::uint64_t{0});
        give(unit, kService, "Environment", std::vector<std::string>{});
        give(unit, kService, "EnvironmentFiles", std::vector<EnvironmentFile>{});
        give(unit, kService, "User", std::string());
        give(unit, kService, "MainPID", std::uint32_t{0});
    }
    unit.finishRegistration();
}

}  // namespace fabric::linux_host::testing
