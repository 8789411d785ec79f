// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/observed.hpp"
#include "facts/redaction.hpp"
#include "host/host.hpp"

namespace fabric::facts {

// Nothing is waited for while facts are taken, and nothing happens in a file.
class NoEvents : public host::LinkWatcher {
  public:
    [[nodiscard]] Result<std::unique_ptr<host::LinkWatch>> watch() const override;
};

// Stands in front of the readers of a machine. Each question is asked once: the answer
// is freed of what must not leave the host, kept, and given to whoever asks again, so
// that all that is derived from it agrees with what is kept.
class Recorder : public host::FileReader,
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
                 public host::RoutingReader,
                 public host::JournalReader {
  public:
    // `machine` must outlive the recorder.
    explicit Recorder(const host::Reader& machine);

    // Without device events: nobody asks for them here.
    [[nodiscard]] host::Reader reader() const;

    [[nodiscard]] const Observed& observed() const { return seen_; }

    [[nodiscard]] Result<std::string> read(std::string_view path,
                                           std::size_t limit) const override;
    // Refused: only profiles are read so, and a profile is no fact of the host.
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
    [[nodiscard]] Result<std::unique_ptr<host::NeighbourWatch>> watch() const override;
    [[nodiscard]] Result<host::Routes> routes() const override;
    [[nodiscard]] Result<std::vector<host::RoutingRule>> rules() const override;
    // Lines about circles in the order of units; the others may hold anything.
    [[nodiscard]] Result<std::vector<host::JournalEntry>> managerProblems()
        const override;
    // Lines of the kernel only: refused when a unit's are asked for. Whoever asks again
    // gets those of the first query that his own wants too.
    [[nodiscard]] Result<host::JournalLines> lines(
        const host::JournalQuery& query) const override;

  private:
    [[nodiscard]] FileAnswers& answersOf(std::string_view path) const;
    [[nodiscard]] Result<std::vector<std::string>> watchedProcesses() const;
    [[nodiscard]] Result<std::vector<std::string>> ownNames(
        std::string_view path) const;

    host::Reader machine_;
    NoEvents noEvents_;
    mutable Redaction redaction_;
    mutable Observed seen_;
};

}  // namespace fabric::facts
