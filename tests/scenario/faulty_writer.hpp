// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/host.hpp"
#include "resource/step.hpp"

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace fabric::scenario {

// What becomes of one write.
struct Fault {
    int sysErrno = 0;          // answered; 0: success
    bool takesEffect = false;  // the machine changes all the same
    bool timedOut = false;     // no answer came; instead of an errno
    bool half = false;  // of a text or of several values, only the first half is taken
    // DCB only: this result byte inside an ordinary answer instead of an errno.
    std::optional<std::uint8_t> dcbCode = std::nullopt;
};

// Stands in front of the writers of a machine and counts every call, whatever its
// seam. Call `nth` (1 is the first) meets the fault, all others pass.
class FaultyWriter : public host::FileWriter,
                     public host::LinkWriter,
                     public host::DcbWriter,
                     public host::EthtoolWriter,
                     public host::PciWriter,
                     public host::Ipv4ConfWriter,
                     public host::ServiceWriter,
                     public host::ModuleWriter,
                     public host::NeighbourWriter,
                     public host::Announcer {
  public:
    explicit FaultyWriter(const host::Writer& real) : real_(real) {}

    FaultyWriter(const host::Writer& real, std::size_t nth, Fault fault)
        : real_(real), nth_(nth), fault_(fault) {}

    [[nodiscard]] host::Writer writer();

    // From write `nth` on nothing reaches the machine any more, as if the process had
    // been killed: what it goes on to say is nobody's report.
    void dieBefore(std::size_t nth) { death_ = nth; }

    [[nodiscard]] std::size_t count() const { return calls_; }

    // Called before every write, with its number.
    std::function<void(std::size_t)> before = [](std::size_t) {};
    std::vector<resource::Write> asked;  // every write, as a step would say it

    [[nodiscard]] Result<void> writeAttribute(std::string_view path,
                                              std::string_view text) override;
    [[nodiscard]] Result<void> replaceFile(std::string_view path,
                                           std::string_view text,
                                           const host::FileAccess& access) override;
    [[nodiscard]] Result<void> makeDirectory(std::string_view path,
                                             mode_t mode) override;
    [[nodiscard]] Result<void> removeFile(std::string_view path) override;
    [[nodiscard]] Result<void> setMtu(IfIndex index, std::uint32_t mtu) override;
    [[nodiscard]] Result<host::DcbAnswer> set(const host::DcbRequest& request) override;
    [[nodiscard]] Result<void> setPause(IfIndex link,
                                        const host::PauseParameters& wanted) override;
    [[nodiscard]] Result<host::PciWordUpdate> update(
        const host::PciCapabilityWrite& write) override;
    [[nodiscard]] Result<void> set(IfIndex link,
                                   const host::Ipv4Values& values) override;
    [[nodiscard]] Result<void> setAll(const host::Ipv4Values& values) override;
    [[nodiscard]] Result<void> reload(std::string_view unit) override;
    [[nodiscard]] Result<void> restart(const host::RestartRequest& request) override;
    [[nodiscard]] Result<void> load(std::string_view name) override;
    [[nodiscard]] Result<void> remove(const host::NeighbourKey& key) override;
    [[nodiscard]] Result<void> resolve(const host::NeighbourKey& key) override;
    [[nodiscard]] Result<void> announce(IfIndex link,
                                        MacAddress mac,
                                        IpAddress ipv4) override;

  private:
    // `partly` is what a write that is cut off still does.
    template <typename Answer>
    Answer through(
        const std::function<Answer()>& real,
        Answer success,
        const std::function<void()>& partly = [] {});

    host::Writer real_;
    std::size_t nth_ = 0;
    Fault fault_;
    std::size_t calls_ = 0;
    std::optional<std::size_t> death_;
};

}  // namespace fabric::scenario
