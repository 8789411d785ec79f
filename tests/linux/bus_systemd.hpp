// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sdbus-c++/sdbus-c++.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace fabric::linux_host::testing {

// An object on a real bus that answers as org.freedesktop.systemd1 does, from a thread
// of its own, with what a test wants to go wrong. One unit, whatever it is asked for.
class BusSystemd {
  public:
    enum class JobEnd { afterReply, beforeReply, never };

    struct Behaviour {
        std::string loadState = "loaded";
        std::string loadStateAfterReload = "loaded";
        std::string systemState = "running";
        std::string jobResult = "done";
        JobEnd jobEnd = JobEnd::afterReply;
        bool jobStays = false;       // the unit has a job whenever it is asked
        bool silent = false;         // no method is ever answered
        bool silentReload = false;   // Reload is never answered
        std::string otherType;       // the property that has another type than usual
        bool subscribedOnly = true;  // signals are sent only after Subscribe
    };

    BusSystemd(const std::string& address, Behaviour behaviour);
    BusSystemd(const BusSystemd&) = delete;
    BusSystemd& operator=(const BusSystemd&) = delete;
    BusSystemd(BusSystemd&&) = delete;
    BusSystemd& operator=(BusSystemd&&) = delete;
    ~BusSystemd();

    [[nodiscard]] int reloads() const { return reloads_; }

    [[nodiscard]] int restarts() const { return restarts_; }

    // Of the last one; read it after the answer.
    [[nodiscard]] std::string restartMode() const { return restartMode_; }

  private:
    void addManager();
    void addUnit();
    template <typename T>
    void give(const char* interface, const char* name, T value);
    void restart(sdbus::Result<sdbus::ObjectPath>&& result, const std::string& unit);
    void endJob(const std::string& unit);

    Behaviour behaviour_;
    std::unique_ptr<sdbus::IConnection> connection_;
    std::unique_ptr<sdbus::IObject> manager_;
    std::unique_ptr<sdbus::IObject> unit_;
    std::atomic<int> reloads_ = 0;
    std::atomic<int> restarts_ = 0;
    std::string restartMode_;
    std::atomic<bool> subscribed_ = false;
    // Results that are kept are never answered.
    std::vector<sdbus::Result<sdbus::ObjectPath>> unanswered_;
    std::vector<sdbus::Result<>> unansweredReloads_;
};

}  // namespace fabric::linux_host::testing
