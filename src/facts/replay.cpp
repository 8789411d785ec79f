// SPDX-License-Identifier: Apache-2.0
#include "facts/replay.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace fabric::facts {

namespace {

std::string named(IfIndex link) {
    return fmt::format("interface {}", link.number);
}

}  // namespace

ReplayHost::ReplayHost(Observed seen) : seen_(std::move(seen)) {}

host::Reader ReplayHost::reader() const {
    return {.files = *this,
            .links = *this,
            .watcher = noEvents_,
            .dcb = *this,
            .ethtool = *this,
            .pci = *this,
            .rdma = *this,
            .ipv4 = *this,
            .clock = *this,
            .devices = nullptr,
            .services = seen_.hasServices ? this : nullptr,
            .programs = seen_.hasPrograms ? this : nullptr,
            .modules = seen_.hasModules ? this : nullptr,
            .neighbours = seen_.hasNeighbours ? this : nullptr,
            .journal = seen_.kernelLog || seen_.managerProblems ? this : nullptr,
            .routing = seen_.routes ? this : nullptr};
}

std::vector<std::string> ReplayHost::unanswered() const {
    return {unanswered_.begin(), unanswered_.end()};
}

void ReplayHost::readHere(const host::FileReader& here, std::string path) {
    here_ = &here;
    readHere_.push_back(std::move(path));
}

bool ReplayHost::isRead(std::string_view path) const {
    return std::ranges::any_of(readHere_, [&](const std::string& own) {
        return path == own || (path.starts_with(own) && path[own.size()] == '/');
    });
}

std::unexpected<Error> ReplayHost::notThere(std::string action,
                                            std::string subject) const {
    unanswered_.insert(action + " " + subject);
    // Not notFound: the host was not asked, so nothing says that it does not exist.
    return fail({.kind = ErrorKind::io,
                 .action = std::move(action),
                 .subject = std::move(subject),
                 .sysErrno = 0,
                 .detail = "not in this facts file",
                 .advice = "take the facts again on that host with this profile: "
                           "fabricctl facts PROFILE"});
}

template <typename T>
Result<T> ReplayHost::given(const Answer<T>& answer,
                            std::string_view action,
                            std::string_view subject) const {
    if (!answer) {
        return notThere(std::string(action), std::string(subject));
    }
    return *answer;
}

template <typename Key, typename T>
Result<T> ReplayHost::given(const std::map<Key, Result<T>>& answers,
                            const Key& key,
                            std::string_view action,
                            std::string_view subject) const {
    const auto known = answers.find(key);
    if (known == answers.end()) {
        return notThere(std::string(action), std::string(subject));
    }
    return known->second;
}

template <typename T>
Result<T> ReplayHost::ofFile(Answer<T> FileAnswers::* question,
                             std::string_view action,
                             std::string_view path) const {
    const auto known = seen_.files.find(std::string(path));
    const Answer<T> none;
    return given(
        known == seen_.files.end() ? none : known->second.*question, action, path);
}

std::chrono::steady_clock::time_point ReplayHost::now() const {
    return std::chrono::steady_clock::time_point(
        std::chrono::nanoseconds(seen_.steadyNs));
}

std::chrono::system_clock::time_point ReplayHost::wallTime() const {
    return std::chrono::system_clock::time_point(
        std::chrono::duration_cast<std::chrono::system_clock::duration>(
            std::chrono::nanoseconds(seen_.wallNs)));
}

Result<std::string> ReplayHost::read(std::string_view path, std::size_t limit) const {
    if (isRead(path)) {
        return here_->read(path, limit);
    }
    auto text = ofFile(&FileAnswers::text, "read", path);
    if (text && text->size() > limit) {
        return fail(systemError("read", std::string(path), EFBIG));
    }
    return text;
}

Result<host::TracedFile> ReplayHost::readTraced(std::string_view path,
                                                std::size_t /*limit*/) const {
    return notThere("read", std::string(path));
}

Result<std::vector<std::string>> ReplayHost::list(std::string_view path) const {
    return isRead(path) ? here_->list(path) : ofFile(&FileAnswers::names, "list", path);
}

Result<std::string> ReplayHost::readLink(std::string_view path) const {
    return ofFile(&FileAnswers::target, "read link", path);
}

Result<std::string> ReplayHost::resolve(std::string_view path) const {
    return ofFile(&FileAnswers::resolved, "resolve", path);
}

Result<host::FileStatus> ReplayHost::status(std::string_view path) const {
    return isRead(path) ? here_->status(path)
                        : ofFile(&FileAnswers::status, "look at", path);
}

Result<std::vector<host::Link>> ReplayHost::links() const {
    return given(seen_.links, "list", "links");
}

Result<host::Link> ReplayHost::link(IfIndex index) const {
    if (seen_.links && *seen_.links) {
        const auto found = std::ranges::find(**seen_.links, index, &host::Link::index);
        if (found != (*seen_.links)->end()) {
            return *found;
        }
    }
    return given(seen_.linkByIndex, index, "look at", named(index));
}

Result<std::vector<IfIndex>> ReplayHost::defaultRouteLinks() const {
    return given(seen_.defaultRoutes, "list", "default routes");
}

Result<std::vector<host::LinkAddress>> ReplayHost::addresses() const {
    return given(seen_.addresses, "list", "addresses");
}

Result<host::DcbAnswer> ReplayHost::get(const host::DcbRequest& request) const {
    return given(seen_.dcb, dcbKey(request), "read DCB of", named(request.link));
}

Result<host::DriverInfo> ReplayHost::driver(IfIndex link) const {
    return given(seen_.drivers, link, "read driver of", named(link));
}

Result<host::PauseParameters> ReplayHost::pause(IfIndex link) const {
    return given(seen_.pauses, link, "read pause of", named(link));
}

Result<host::Counters> ReplayHost::statistics(IfIndex link) const {
    if (!seen_.statistics) {
        // Not a question that was forgotten: nobody asked it then.
        return fail({.kind = ErrorKind::unsupported,
                     .action = "read statistics of",
                     .subject = named(link),
                     .sysErrno = 0,
                     .detail = "the fabricctl that took these facts did not read them",
                     .advice = "take them again with this one"});
    }
    return given(*seen_.statistics, link, "read statistics of", named(link));
}

Result<std::vector<host::PciFunction>> ReplayHost::functions() const {
    return given(seen_.functions, "list", "PCI functions");
}

Result<std::vector<std::byte>> ReplayHost::readConfig(PciAddress address,
                                                      std::uint16_t offset,
                                                      std::uint16_t length) const {
    const auto space = seen_.config.find(address);
    if (space != seen_.config.end()) {
        if (auto known = space->second.find(offset, length)) {
            return std::move(*known);
        }
        const auto failed = space->second.errors.find({offset, length});
        if (failed != space->second.errors.end()) {
            return fail(failed->second);
        }
    }
    return notThere("read config space of",
                    fmt::format("{} at 0x{:x}", address.text(), offset));
}

Result<std::vector<host::RdmaPort>> ReplayHost::ports() const {
    return given(seen_.ports, "list", "RDMA ports");
}

Result<host::RdmaPortAttributes> ReplayHost::attributes(
    const host::RdmaPort& port) const {
    return given(seen_.attributes, portKey(port), "query", portKey(port));
}

Result<std::vector<host::Ipv4Conf>> ReplayHost::interfaces() const {
    return given(seen_.ipv4, "list", "IPv4 settings");
}

Result<std::int32_t> ReplayHost::all(host::Ipv4Key key) const {
    return given(seen_.ipv4All,
                 key,
                 "read",
                 fmt::format("net/ipv4/conf/all/{}", host::sysctlName(key)));
}

Result<host::ServiceUnit> ReplayHost::unit(std::string_view name) const {
    return given(seen_.units, std::string(name), "ask systemd for", name);
}

Result<std::string> ReplayHost::systemState() const {
    return given(seen_.systemState, "ask systemd for", "its state");
}

Result<host::ProgramVersion> ReplayHost::version(std::string_view program,
                                                 std::string_view user) const {
    return given(seen_.versions,
                 versionKey(program, user),
                 "ask for its version",
                 versionKey(program, user));
}

Result<host::Module> ReplayHost::module(std::string_view name) const {
    return given(seen_.modules, std::string(name), "look up module", name);
}

Result<std::vector<host::Neighbour>> ReplayHost::neighbours() const {
    return given(seen_.neighbours, "list", "neighbours");
}

Result<std::vector<host::Neighbour>> ReplayHost::neighboursOn(IfIndex link) const {
    auto entries = TRY(neighbours());
    std::erase_if(entries, [&](const host::Neighbour& entry) {
        return entry.key.link != link || entry.proxy;
    });
    return entries;
}

Result<host::Routes> ReplayHost::routes() const {
    return given(seen_.routes, "list", "routes");
}

Result<std::vector<host::RoutingRule>> ReplayHost::rules() const {
    return given(seen_.rules, "list", "routing rules");
}

Result<std::vector<host::JournalEntry>> ReplayHost::managerProblems() const {
    return given(seen_.managerProblems, "search", "the journal of the service manager");
}

Result<host::JournalLines> ReplayHost::lines(const host::JournalQuery& query) const {
    if (!query.units.empty()) {
        return notThere("read the journal of", query.units.front());
    }
    const auto log = given(seen_.kernelLog, "search", "the journal of the kernel");
    return log ? linesFor(query, *log) : log;
}

Result<std::unique_ptr<host::NeighbourWatch>> ReplayHost::watch() const {
    return notThere("watch", "neighbours");
}

}  // namespace fabric::facts
