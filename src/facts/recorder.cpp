// SPDX-License-Identifier: Apache-2.0
#include "facts/recorder.hpp"

#include "base/text.hpp"
#include "engine/ordering_cycle.hpp"
#include "facts/selection.hpp"
#include "resource/service/left_over.hpp"
#include "watch/counter_names.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <utility>

namespace fabric::facts {

namespace {

// Asks once; later the first answer is given again.
template <typename T, typename Ask>
Result<T> once(Answer<T>& answer, Ask ask) {
    if (!answer) {
        answer = ask();
    }
    return *answer;
}

template <typename Key, typename T, typename Ask>
Result<T> once(std::map<Key, Result<T>>& answers, const Key& key, Ask ask) {
    const auto known = answers.find(key);
    return known != answers.end() ? known->second
                                  : answers.emplace(key, ask()).first->second;
}

Error notRecorded(std::string action, std::string subject) {
    return {.kind = ErrorKind::bug,
            .action = std::move(action),
            .subject = std::move(subject),
            .sysErrno = 0,
            .detail = "this is no part of the facts of a host",
            .advice = {}};
}

std::int64_t nanoseconds(auto time) {
    return std::chrono::duration_cast<std::chrono::nanoseconds>(time.time_since_epoch())
        .count();
}

}  // namespace

Result<std::unique_ptr<host::LinkWatch>> NoEvents::watch() const {
    return fail(notRecorded("watch", "links"));
}

Recorder::Recorder(const host::Reader& machine) : machine_(machine) {
    seen_.steadyNs = nanoseconds(machine.clock.now());
    seen_.wallNs = nanoseconds(machine.clock.wallTime());
    seen_.hasServices = machine.services != nullptr;
    seen_.hasPrograms = machine.programs != nullptr;
    seen_.hasModules = machine.modules != nullptr;
    seen_.hasNeighbours = machine.neighbours != nullptr;
    seen_.statistics.emplace();
}

host::Reader Recorder::reader() const {
    return {.files = *this,
            .links = *this,
            .watcher = noEvents_,
            .dcb = *this,
            .ethtool = *this,
            .pci = *this,
            .rdma = *this,
            .ipv4 = *this,
            .clock = machine_.clock,
            .devices = nullptr,
            .services = seen_.hasServices ? this : nullptr,
            .programs = seen_.hasPrograms ? this : nullptr,
            .modules = seen_.hasModules ? this : nullptr,
            .neighbours = seen_.hasNeighbours ? this : nullptr,
            .journal = machine_.journal != nullptr ? this : nullptr,
            .routing = machine_.routing != nullptr ? this : nullptr};
}

FileAnswers& Recorder::answersOf(std::string_view path) const {
    return seen_.files[std::string(path)];
}

Result<std::string> Recorder::read(std::string_view path, std::size_t limit) const {
    return once(answersOf(path).text, [&]() -> Result<std::string> {
        return redaction_.fileText(path, TRY(machine_.files.read(path, limit)));
    });
}

Result<host::TracedFile> Recorder::readTraced(std::string_view path,
                                              std::size_t /*limit*/) const {
    return fail(notRecorded("read", std::string(path)));
}

// Which programs run is nobody's business, but for those that may write what the
// profile owns.
Result<std::vector<std::string>> Recorder::watchedProcesses() const {
    auto entries = TRY(machine_.files.list("/proc"));
    std::erase_if(entries, [&](const std::string& entry) {
        if (!parseUnsigned(entry)) {
            return false;
        }
        const auto name = machine_.files.read("/proc/" + entry + "/comm");
        return !name || !isWatchedProgram(trimmed(*name));
    });
    return entries;
}

// Which units a host changes, and which profiles it has, is nobody's business either,
// but for what this program wrote.
Result<std::vector<std::string>> Recorder::ownNames(std::string_view path) const {
    auto names = TRY(machine_.files.list(path));
    std::erase_if(names, [&](const std::string& name) {
        return !resource::service::mayBeLeftOver(machine_.files, path, name);
    });
    return names;
}

Result<std::vector<std::string>> Recorder::list(std::string_view path) const {
    return once(answersOf(path).names, [&] {
        if (resource::service::holdsLeftOvers(path)) {
            return ownNames(path);
        }
        return path == "/proc" ? watchedProcesses() : machine_.files.list(path);
    });
}

Result<std::string> Recorder::readLink(std::string_view path) const {
    return once(answersOf(path).target, [&] { return machine_.files.readLink(path); });
}

Result<std::string> Recorder::resolve(std::string_view path) const {
    return once(answersOf(path).resolved, [&] { return machine_.files.resolve(path); });
}

Result<host::FileStatus> Recorder::status(std::string_view path) const {
    return once(answersOf(path).status, [&] { return machine_.files.status(path); });
}

Result<std::vector<host::Link>> Recorder::links() const {
    return once(seen_.links, [&] { return machine_.links.links(); });
}

Result<host::Link> Recorder::link(IfIndex index) const {
    if (const auto known = links()) {
        const auto found = std::ranges::find(*known, index, &host::Link::index);
        if (found != known->end()) {
            return *found;
        }
    }
    return once(seen_.linkByIndex, index, [&] { return machine_.links.link(index); });
}

Result<std::vector<IfIndex>> Recorder::defaultRouteLinks() const {
    return once(seen_.defaultRoutes,
                [&] { return machine_.links.defaultRouteLinks(); });
}

Result<std::vector<host::LinkAddress>> Recorder::addresses() const {
    return once(seen_.addresses, [&] { return machine_.links.addresses(); });
}

Result<host::DcbAnswer> Recorder::get(const host::DcbRequest& request) const {
    return once(seen_.dcb, dcbKey(request), [&] { return machine_.dcb.get(request); });
}

Result<host::DriverInfo> Recorder::driver(IfIndex link) const {
    return once(seen_.drivers, link, [&] { return machine_.ethtool.driver(link); });
}

Result<host::PauseParameters> Recorder::pause(IfIndex link) const {
    return once(seen_.pauses, link, [&] { return machine_.ethtool.pause(link); });
}

// A driver counts some thousand things, most of them per queue.
Result<host::Counters> Recorder::statistics(IfIndex link) const {
    return once(*seen_.statistics, link, [&]() -> Result<host::Counters> {
        auto counters = TRY(machine_.ethtool.statistics(link));
        std::erase_if(counters, [](const auto& counter) {
            return !watch::isNamed(watch::Place::port, counter.first);
        });
        return counters;
    });
}

Result<std::vector<host::PciFunction>> Recorder::functions() const {
    return once(seen_.functions, [&] { return machine_.pci.functions(); });
}

Result<std::vector<std::byte>> Recorder::readConfig(PciAddress address,
                                                    std::uint16_t offset,
                                                    std::uint16_t length) const {
    ConfigSpace& space = seen_.config[address];
    if (auto known = space.find(offset, length)) {
        return std::move(*known);
    }
    const auto failed = space.errors.find({offset, length});
    if (failed != space.errors.end()) {
        return fail(failed->second);
    }
    auto bytes = machine_.pci.readConfig(address, offset, length);
    if (bytes) {
        space.add(offset, *bytes);
    } else {
        space.errors.emplace(std::pair(offset, length), bytes.error());
    }
    return bytes;
}

Result<std::vector<host::RdmaPort>> Recorder::ports() const {
    return once(seen_.ports, [&] { return machine_.rdma.ports(); });
}

Result<host::RdmaPortAttributes> Recorder::attributes(
    const host::RdmaPort& port) const {
    return once(seen_.attributes, portKey(port), [&] {
        return machine_.rdma.attributes(port);
    });
}

Result<std::vector<host::Ipv4Conf>> Recorder::interfaces() const {
    return once(seen_.ipv4, [&] { return machine_.ipv4.interfaces(); });
}

Result<std::int32_t> Recorder::all(host::Ipv4Key key) const {
    return once(seen_.ipv4All, key, [&] { return machine_.ipv4.all(key); });
}

Result<host::ServiceUnit> Recorder::unit(std::string_view name) const {
    return once(seen_.units, std::string(name), [&]() -> Result<host::ServiceUnit> {
        return redaction_.unit(TRY(machine_.services->unit(name)));
    });
}

Result<std::string> Recorder::systemState() const {
    return once(seen_.systemState, [&] { return machine_.services->systemState(); });
}

Result<host::ProgramVersion> Recorder::version(std::string_view program,
                                               std::string_view user) const {
    return once(seen_.versions, versionKey(program, user), [&] {
        return machine_.programs->version(program, user);
    });
}

Result<host::Module> Recorder::module(std::string_view name) const {
    return once(seen_.modules, std::string(name), [&]() -> Result<host::Module> {
        return redaction_.module(TRY(machine_.modules->module(name)));
    });
}

Result<std::vector<host::Neighbour>> Recorder::neighbours() const {
    return once(seen_.neighbours, [&] { return machine_.neighbours->neighbours(); });
}

Result<std::vector<host::Neighbour>> Recorder::neighboursOn(IfIndex link) const {
    auto entries = TRY(neighbours());
    std::erase_if(entries, [&](const host::Neighbour& entry) {
        return entry.key.link != link || entry.proxy;
    });
    return entries;
}

Result<host::Routes> Recorder::routes() const {
    return once(seen_.routes, [&] { return machine_.routing->routes(); });
}

Result<std::vector<host::RoutingRule>> Recorder::rules() const {
    return once(seen_.rules, [&] { return machine_.routing->rules(); });
}

Result<std::vector<host::JournalEntry>> Recorder::managerProblems() const {
    return once(seen_.managerProblems,
                [&]() -> Result<std::vector<host::JournalEntry>> {
                    auto entries = TRY(machine_.journal->managerProblems());
                    std::erase_if(entries, [](const host::JournalEntry& entry) {
                        return !engine::isAboutCycle(entry);
                    });
                    return entries;
                });
}

Result<host::JournalLines> Recorder::lines(const host::JournalQuery& query) const {
    if (!query.units.empty()) {
        return fail(notRecorded("read the journal of", query.units.front()));
    }
    const auto log = once(seen_.kernelLog, [&]() -> Result<host::JournalLines> {
        auto lines = TRY(machine_.journal->lines(query));
        std::erase_if(lines.lines, [](const host::JournalLine& line) {
            return line.source != "kernel";
        });
        return lines;
    });
    return log ? linesFor(query, *log) : log;
}

Result<std::unique_ptr<host::NeighbourWatch>> Recorder::watch() const {
    return fail(notRecorded("watch", "neighbours"));
}

}  // namespace fabric::facts
