// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/services.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

namespace fabric::linux_host {

// How long an answer is awaited. systemd answers a reload only when it is done, which
// takes a while on a busy host; the storage server's own start has no time limit, so a
// restart needs this one.
struct BusDeadlines {
    std::chrono::milliseconds call{20'000};
    std::chrono::milliseconds reload{90'000};
    std::chrono::milliseconds job{120'000};
};

// The manager org.freedesktop.systemd1 on the system bus. Its files alone know
// sdbus-c++. Connected at the first question, and again after a failure.
class SystemdBus : public host::ServiceReader {
  public:
    explicit SystemdBus(BusDeadlines deadlines = {});
    SystemdBus(const SystemdBus&) = delete;
    SystemdBus& operator=(const SystemdBus&) = delete;
    SystemdBus(SystemdBus&&) = delete;
    SystemdBus& operator=(SystemdBus&&) = delete;
    ~SystemdBus() override;

    [[nodiscard]] Result<host::ServiceUnit> unit(std::string_view name) const override;
    [[nodiscard]] Result<std::string> systemState() const override;

  private:
    friend class SystemdServiceWriter;
    friend class SystemdTimers;
    class Connection;

    [[nodiscard]] Connection& connection() const;
    // Runs `work` with the connection; what sdbus-c++ throws becomes an Error and ends
    // the connection.
    template <typename Work>
    [[nodiscard]] auto guarded(std::string_view action,
                               std::string_view subject,
                               Work work) const;
    // For SystemdServiceWriter.
    [[nodiscard]] Result<void> reloadManager() const;
    [[nodiscard]] Result<void> restartAndWait(const std::string& unit) const;

    BusDeadlines deadlines_;
    mutable std::unique_ptr<Connection> connection_;
};

}  // namespace fabric::linux_host
