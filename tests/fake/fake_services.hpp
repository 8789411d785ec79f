// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fake/fake_files.hpp"
#include "host/program_probe.hpp"
#include "host/services.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::fake {

// A service manager in memory. It reads unit files and drop-ins of a FakeFiles when it
// is reloaded, as systemd does: by file name over three directories, lists emptied by
// an empty value, two commands of a service refused. A process keeps what it was
// started with.
class FakeServices : public host::ServiceReader, public host::ServiceWriter {
  public:
    explicit FakeServices(FakeFiles& files) : files_(&files) {}

    // Steering.
    void daemonReload();                  // as an administrator does it
    void start(const std::string& name);  // a new process with what is loaded
    void stop(const std::string& name);
    std::string state = "running";      // of the system
    std::string unitFileState = "";     // of every unit
    std::string whenDown = "inactive";  // active state of a unit without a process
    std::optional<Error> unitFault;     // every question about a unit
    std::optional<Error> reloadFault;   // the next reload
    bool deafReload = false;            // reloads answer, and read nothing
    std::optional<Error> restartFault;  // the next restart; it does not happen
    std::set<std::string> masked;
    // The main process of a unit as every answer but the next tells it.
    std::optional<std::uint32_t> laterPid;
    bool oldTimes = false;  // what changed is older than another file of the unit
    std::chrono::steady_clock::time_point activeSince;  // of every process

    // Records.
    std::size_t reloads = 0;
    std::vector<std::string> restarts;

    [[nodiscard]] std::uint32_t pidOf(const std::string& name) const;

    [[nodiscard]] Result<host::ServiceUnit> unit(std::string_view name) const override;
    [[nodiscard]] Result<std::string> systemState() const override;
    [[nodiscard]] Result<void> reload(std::string_view unit) override;
    [[nodiscard]] Result<void> restart(const host::RestartRequest& request) override;

  private:
    struct Loaded {
        host::ServiceUnit unit;
        std::map<std::string, std::string> texts;  // of the files as they were read
    };

    [[nodiscard]] Loaded load(const std::string& name) const;
    [[nodiscard]] const Loaded& loaded(const std::string& name) const;
    void writeProcess(const host::ServiceUnit& unit, std::uint32_t pid);

    FakeFiles* files_;
    mutable std::map<std::string, Loaded> units_;
    std::map<std::string, std::uint32_t> processes_;
    std::uint32_t lastPid_ = 1000;
    mutable bool answered_ = false;
};

// Programs that say what they are told to.
class FakePrograms : public host::ProgramProbe {
  public:
    std::map<std::string, Result<host::ProgramVersion>, std::less<>> answers;
    mutable std::vector<std::string> asked;  // "PROGRAM as USER"

    [[nodiscard]] Result<host::ProgramVersion> version(
        std::string_view program, std::string_view user) const override;
};

}  // namespace fabric::fake
