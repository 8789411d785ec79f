// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/host.hpp"

#include <functional>

namespace fabric::scenario {

// What becomes of one read: an errno, or for 0 an answer with nothing in it, where an
// empty answer can be (texts, lists, bytes).
struct ReadFault {
    int sysErrno = 0;
    // The second half of the answer is missing; an answer that has no halves cannot be
    // decoded.
    bool truncated = false;
    bool timedOut = false;
};

// Stands in front of the readers of a machine and counts every call, whatever its seam.
// Call `nth` (1 is the first) meets the fault, all others pass.
class FaultyReader : public host::FileReader,
                     public host::LinkReader,
                     public host::DcbReader,
                     public host::EthtoolReader,
                     public host::PciReader,
                     public host::RdmaReader,
                     public host::Ipv4ConfReader,
                     public host::ServiceReader,
                     public host::ProgramProbe,
                     public host::ModuleReader,
                     public host::NeighbourReader,
                     public host::RoutingReader {
  public:
    explicit FaultyReader(const host::Reader& real,
                          std::size_t nth = 0,
                          ReadFault fault = {})
        : real_(real), nth_(nth), fault_(fault) {}

    [[nodiscard]] host::Reader reader() const;

    [[nodiscard]] std::size_t count() const { return calls_; }

    // What the fault struck, for messages.
    [[nodiscard]] const std::string& struck() const { return struck_; }

    [[nodiscard]] Result<std::string> read(std::string_view path,
                                           std::size_t limit) const override;
    [[nodiscard]] Result<host::TracedFile> readTraced(std::string_view path,
                                                      std::size_t limit) const override;
    [[nodiscard]] Result<std::vector<std::string>> list(
        std::string_view path) const override;
    [[nodiscard]] Result<std::string> readLink(std::string_view path) const override;
    [[nodiscard]] Result<std::string> resolve(std::string_view path) const override;
    [[nodiscard]] Result<host::FileStatus> status(std::string_view path) const override;
    [[nodiscard]] Result<std::vector<host::Link>> links() const override;
    [[nodiscard]] Result<host::Link> link(IfIndex index) const override;
    [[nodiscard]] Result<std::vector<IfIndex>> defaultRouteLinks() const override;
    [[nodiscard]] Result<std::vector<host::LinkAddress>> addresses() const override;
    [[nodiscard]] Result<host::DcbAnswer> get(
        const host::DcbRequest& request) const override;
    [[nodiscard]] Result<host::DriverInfo> driver(IfIndex link) const override;
    [[nodiscard]] Result<host::PauseParameters> pause(IfIndex link) const override;
    [[nodiscard]] Result<host::Counters> statistics(IfIndex link) const override;
    [[nodiscard]] Result<std::vector<host::PciFunction>> functions() const override;
    [[nodiscard]] Result<std::vector<std::byte>> readConfig(
        PciAddress address, std::uint16_t offset, std::uint16_t length) const override;
    [[nodiscard]] Result<std::vector<host::RdmaPort>> ports() const override;
    [[nodiscard]] Result<host::RdmaPortAttributes> attributes(
        const host::RdmaPort& port) const override;
    [[nodiscard]] Result<std::vector<host::Ipv4Conf>> interfaces() const override;
    [[nodiscard]] Result<std::int32_t> all(host::Ipv4Key key) const override;
    [[nodiscard]] Result<host::ServiceUnit> unit(std::string_view name) const override;
    [[nodiscard]] Result<std::string> systemState() const override;
    [[nodiscard]] Result<host::ProgramVersion> version(
        std::string_view program, std::string_view user) const override;
    [[nodiscard]] Result<host::Module> module(std::string_view name) const override;
    [[nodiscard]] Result<std::vector<host::Neighbour>> neighbours() const override;
    [[nodiscard]] Result<std::vector<host::Neighbour>> neighboursOn(
        IfIndex link) const override;
    [[nodiscard]] Result<host::Routes> routes() const override;
    [[nodiscard]] Result<std::vector<host::RoutingRule>> rules() const override;
    // Of the neighbour cache.
    [[nodiscard]] Result<std::unique_ptr<host::NeighbourWatch>> watch() const override;

  private:
    // The number of this call is the fault's.
    [[nodiscard]] bool strikes(std::string what) const;
    template <typename T>
    [[nodiscard]] Result<T> orError(std::string what,
                                    const std::function<Result<T>()>& real) const;
    template <typename T>
    [[nodiscard]] Result<T> broken(const std::function<Result<T>()>& real) const;
    template <typename T>
    [[nodiscard]] Result<T> orNothing(std::string what,
                                      const std::function<Result<T>()>& real) const;

    // Its name is taken by the watch of the neighbour cache.
    struct Watcher : host::LinkWatcher {
        explicit Watcher(const FaultyReader& owner) : owner_(owner) {}

        [[nodiscard]] Result<std::unique_ptr<host::LinkWatch>> watch() const override;

      private:
        const FaultyReader& owner_;
    };

    host::Reader real_;
    Watcher watcher_{*this};
    std::size_t nth_ = 0;
    ReadFault fault_;
    mutable std::size_t calls_ = 0;
    mutable std::string struck_;
};

}  // namespace fabric::scenario
