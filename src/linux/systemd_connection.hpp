// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "linux/systemd_bus.hpp"

#include <sdbus-c++/sdbus-c++.h>

#include <poll.h>

#include <cerrno>
#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

// For the files of SystemdBus alone, which are the only ones that know sdbus-c++. Names
// and types: org.freedesktop.systemd1(5).
namespace fabric::linux_host {

inline constexpr const char* kService = "org.freedesktop.systemd1";
inline constexpr const char* kManagerPath = "/org/freedesktop/systemd1";
inline constexpr const char* kManager = "org.freedesktop.systemd1.Manager";
inline constexpr const char* kUnit = "org.freedesktop.systemd1.Unit";
inline constexpr const char* kServiceUnit = "org.freedesktop.systemd1.Service";
inline constexpr const char* kProperties = "org.freedesktop.DBus.Properties";
inline constexpr const char* kJobRemoved = "JobRemoved";

using Properties = std::map<std::string, sdbus::Variant>;

[[nodiscard]] Error translated(const sdbus::Error& error,
                               std::string_view action,
                               std::string_view subject);

[[nodiscard]] inline std::uint64_t microseconds(std::chrono::milliseconds time) {
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

// One connection to the bus with its proxy of the manager, and the jobs it heard of.
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
    bool process(std::chrono::steady_clock::time_point deadline) {
        using std::chrono::steady_clock;
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

    // How a job ended; empty when that was not heard in time.
    [[nodiscard]] std::optional<std::string> awaitEnd(const std::string& job,
                                                      std::chrono::milliseconds time) {
        const auto deadline = std::chrono::steady_clock::now() + time;
        while (!endedJobs_.contains(job) && process(deadline)) {
        }
        const auto found = endedJobs_.find(job);
        return found == endedJobs_.end() ? std::nullopt : std::optional(found->second);
    }

  private:
    std::unique_ptr<sdbus::IConnection> bus_;
    std::unique_ptr<sdbus::IProxy> manager_;
    std::map<std::string, std::string> endedJobs_;
    bool listening_ = false;
};

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

}  // namespace fabric::linux_host
