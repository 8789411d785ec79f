// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sdbus-c++/sdbus-c++.h>

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace fabric::linux_host::testing {

// org.freedesktop.systemd1 as far as transient timers go, from a thread of its own,
// with what a test wants to go wrong. It holds one timer and its service.
class BusTimers {
  public:
    struct Behaviour {
        bool refuses = false;   // StartTransientUnit is an error
        bool noAnswer = false;  // it is started, and the answer is lost
        std::string jobResult = "done";
        std::string stateAfterStart = "active";
        std::string stateAfterStop = "inactive";
        std::string serviceLoadState = "loaded";
        std::int64_t elapseShiftUs = 0;  // of what the timer says of its elapse
        bool otherCommand = false;       // the service runs something else
    };

    // What was asked for, in words.
    struct Asked {
        std::string timer;
        std::string mode;
        std::map<std::string, sdbus::Variant> timerProperties;
        std::string service;
        std::map<std::string, sdbus::Variant> serviceProperties;
        std::vector<std::string> stopped;
    };

    BusTimers(const std::string& address, Behaviour behaviour);
    BusTimers(const BusTimers&) = delete;
    BusTimers& operator=(const BusTimers&) = delete;
    BusTimers(BusTimers&&) = delete;
    BusTimers& operator=(BusTimers&&) = delete;
    ~BusTimers();

    [[nodiscard]] Asked asked() const;

  private:
    using PropertyList = std::vector<sdbus::Struct<std::string, sdbus::Variant>>;
    using Auxiliary = std::vector<sdbus::Struct<std::string, PropertyList>>;

    void addManager();
    void addUnit(sdbus::IObject& unit, bool timer);
    sdbus::ObjectPath start(const std::string& timer,
                            const std::string& mode,
                            const PropertyList& properties,
                            const Auxiliary& others);
    sdbus::ObjectPath stop(const std::string& unit);
    sdbus::ObjectPath job(const std::string& unit);

    Behaviour behaviour_;
    mutable std::mutex mutex_;
    Asked asked_;
    std::string timerState_ = "inactive";
    std::vector<std::string> arguments_;
    std::uint64_t elapseUs_ = 0;
    std::uint32_t jobs_ = 0;
    std::unique_ptr<sdbus::IConnection> connection_;
    std::unique_ptr<sdbus::IObject> manager_;
    std::unique_ptr<sdbus::IObject> timer_;
    std::unique_ptr<sdbus::IObject> service_;
};

}  // namespace fabric::linux_host::testing
