// SPDX-License-Identifier: Apache-2.0
#include "linux/bus_systemd.hpp"

#include "linux/bus_types.hpp"

#include <tuple>
#include <type_traits>

namespace fabric::linux_host::testing {

namespace {

constexpr const char* kManager = "org.freedesktop.systemd1.Manager";
constexpr const char* kUnit = "org.freedesktop.systemd1.Unit";
constexpr const char* kService = "org.freedesktop.systemd1.Service";
const sdbus::ObjectPath kUnitPath{"/org/freedesktop/systemd1/unit/minio_2eservice"};
const sdbus::ObjectPath kJobPath{"/org/freedesktop/systemd1/job/77"};

using Job = sdbus::Struct<std::uint32_t, sdbus::ObjectPath>;

}  // namespace

BusSystemd::BusSystemd(const std::string& address, Behaviour behaviour)
    : behaviour_(std::move(behaviour)),
      connection_(sdbus::createSessionBusConnectionWithAddress(address)),
      manager_(sdbus::createObject(*connection_, "/org/freedesktop/systemd1")),
      unit_(sdbus::createObject(*connection_, kUnitPath)) {
    addManager();
    addUnit();
    connection_->requestName("org.freedesktop.systemd1");
    connection_->enterEventLoopAsync();
}

BusSystemd::~BusSystemd() {
    connection_->leaveEventLoop();
}

void BusSystemd::addManager() {
    manager_->registerMethod("LoadUnit")
        .onInterface(kManager)
        .implementedAs(
            [this](sdbus::Result<sdbus::ObjectPath>&& result, const std::string&) {
                if (behaviour_.silent) {
                    unanswered_.push_back(std::move(result));
                } else {
                    result.returnResults(kUnitPath);
                }
            });
    manager_->registerMethod("Subscribe").onInterface(kManager).implementedAs([this] {
        subscribed_ = true;
    });
    manager_->registerMethod("Reload").onInterface(kManager).implementedAs(
        [this](sdbus::Result<>&& result) {
            ++reloads_;
            behaviour_.loadState = behaviour_.loadStateAfterReload;
            if (behaviour_.silentReload) {
                unansweredReloads_.push_back(std::move(result));
            } else {
                result.returnResults();
            }
        });
    manager_->registerMethod("RestartUnit")
        .onInterface(kManager)
        .implementedAs([this](sdbus::Result<sdbus::ObjectPath>&& result,
                              const std::string& unit,
                              const std::string& mode) {
            restartMode_ = mode;
            restart(std::move(result), unit);
        });
    manager_->registerSignal("JobRemoved")
        .onInterface(kManager)
        .withParameters<std::uint32_t, sdbus::ObjectPath, std::string, std::string>();
    manager_->registerProperty("SystemState").onInterface(kManager).withGetter([this] {
        return behaviour_.systemState;
    });
    manager_->finishRegistration();
}

void BusSystemd::restart(sdbus::Result<sdbus::ObjectPath>&& result,
                         const std::string& unit) {
    ++restarts_;
    const auto answer = std::move(result);
    if (behaviour_.jobEnd == JobEnd::beforeReply) {
        endJob(unit);
    }
    answer.returnResults(kJobPath);
    if (behaviour_.jobEnd == JobEnd::afterReply) {
        endJob(unit);
    }
}

void BusSystemd::endJob(const std::string& unit) {
    if (subscribed_ || !behaviour_.subscribedOnly) {
        // Another job ends first: only the one that was asked for counts.
        manager_->emitSignal("JobRemoved")
            .onInterface(kManager)
            .withArguments(std::uint32_t{76},
                           sdbus::ObjectPath("/org/freedesktop/systemd1/job/76"),
                           std::string("other.service"),
                           std::string("canceled"));
        manager_->emitSignal("JobRemoved")
            .onInterface(kManager)
            .withArguments(std::uint32_t{77}, kJobPath, unit, behaviour_.jobResult);
    }
}

template <typename T>
void BusSystemd::give(const char* interface, const char* name, T value) {
    const auto offer = [&](auto answer) {
        unit_->registerProperty(name).onInterface(interface).withGetter(
            [answer] { return answer; });
    };
    if (behaviour_.otherType != name) {
        offer(value);
    } else if constexpr (std::is_same_v<T, std::string>) {
        offer(std::uint64_t{7});
    } else {
        offer(std::string("infinity"));
    }
}

void BusSystemd::addUnit() {
    sdbus::IObject& unit = *unit_;
    unit.registerProperty("LoadState").onInterface(kUnit).withGetter([this] {
        return behaviour_.loadState;
    });
    give(kUnit, "LoadError", LoadError{"", "Unit has a bad unit file setting."});
    give(kUnit, "ActiveState", std::string("active"));
    give(kUnit, "SubState", std::string("running"));
    give(kUnit, "UnitFileState", std::string("enabled"));
    give(kUnit, "FragmentPath", std::string("/usr/lib/systemd/system/minio.service"));
    give(kUnit,
         "DropInPaths",
         std::vector<std::string>{
             "/etc/systemd/system/minio.service.d/90-fabricctl.conf"});
    give(kUnit, "NeedDaemonReload", true);
    give(kUnit, "After", std::vector<std::string>{"fabricctl.service"});
    give(kUnit, "InactiveExitTimestampMonotonic", std::uint64_t{5});
    give(kUnit, "ActiveEnterTimestampMonotonic", std::uint64_t{6});
    give(kUnit,
         "Asserts",
         std::vector<Assert>{{"AssertFileIsExecutable", false, true, "/x", 1}});
    unit.registerProperty("Job").onInterface(kUnit).withGetter([this] {
        return behaviour_.jobStays ? Job{77, kJobPath} : Job{0, sdbus::ObjectPath("/")};
    });
    give(kService,
         "ExecStart",
         std::vector<LoadedCommand>{
             LoadedCommand{"/usr/local/bin/minio.rdma",
                           std::vector<std::string>{"minio.rdma", "server"},
                           false,
                           0,
                           0,
                           0,
                           0,
                           0,
                           0,
                           0}});
    give(kService, "LimitMEMLOCKSoft", std::uint64_t{8388608});
    give(kService, "LimitMEMLOCK", std::uint64_t{UINT64_MAX});
    give(kService, "Environment", std::vector<std::string>{"A=1"});
    give(kService,
         "EnvironmentFiles",
         std::vector<EnvironmentFile>{{"/etc/default/minio", true}});
    give(kService, "User", std::string("minio-user"));
    give(kService, "MainPID", std::uint32_t{4711});
    unit.finishRegistration();
}

}  // namespace fabric::linux_host::testing
