// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "facts/observed.hpp"
#include "facts/recorder.hpp"
#include "host/host.hpp"

#include <chrono>
#include <set>
#include <string>
#include <vector>

namespace fabric::facts {

// A machine that answers as another one did when its facts were taken. What the file
// does not answer is an Error, never a guess, and is remembered: a caller that takes
// errors for absence is found out by unanswered().
class ReplayHost : public host::FileReader,
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
                   public host::JournalReader,
                   public host::Clock {
  public:
    explicit ReplayHost(Observed seen);

    [[nodiscard]] host::Reader reader() const;

    // Answers questions about this file, or about what is in this directory, from
    // `here`, which must outlive this object.
    void readHere(const host::FileReader& here, std::string path);

    // The questions that the facts do not answer, each once, sorted.
    [[nodiscard]] std::vector<std::string> unanswered() const;

    // Held at the moment when the facts were taken.
    [[nodiscard]] std::chrono::steady_clock::time_point now() const override;
    [[nodiscard]] std::chrono::system_clock::time_point wallTime() const override;

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
    [[nodiscard]] Result<std::unique_ptr<host::NeighbourWatch>> watch() const override;
    [[nodiscard]] Result<host::Routes> routes() const override;
    [[nodiscard]] Result<std::vector<host::RoutingRule>> rules() const override;
    [[nodiscard]] Result<std::vector<host::JournalEntry>> managerProblems()
        const override;
    [[nodiscard]] Result<host::JournalLines> lines(
        const host::JournalQuery& query) const override;

  private:
    [[nodiscard]] std::unexpected<Error> notThere(std::string action,
                                                  std::string subject) const;
    template <typename T>
    [[nodiscard]] Result<T> given(const Answer<T>& answer,
                                  std::string_view action,
                                  std::string_view subject) const;
    template <typename Key, typename T>
    [[nodiscard]] Result<T> given(const std::map<Key, Result<T>>& answers,
                                  const Key& key,
                                  std::string_view action,
                                  std::string_view subject) const;
    template <typename T>
    [[nodiscard]] Result<T> ofFile(Answer<T> FileAnswers::* question,
                                   std::string_view action,
                                   std::string_view path) const;

    [[nodiscard]] bool isRead(std::string_view path) const;

    Observed seen_;
    const host::FileReader* here_ = nullptr;
    std::vector<std::string> readHere_;
    NoEvents noEvents_;
    mutable std::set<std::string> unanswered_;
};

}  // namespace fabric::facts
