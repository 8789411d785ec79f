// SPDX-License-Identifier: Apache-2.0
#include "faulty_reader.hpp"

#include <cerrno>
#include <type_traits>
#include <utility>

namespace fabric::scenario {

namespace {

std::string numbered(std::string_view what, IfIndex link) {
    return std::string(what) + " " + std::to_string(link.number);
}

}  // namespace

host::Reader FaultyReader::reader() const {
    return {.files = *this,
            .links = *this,
            .watcher = watcher_,
            .dcb = *this,
            .ethtool = *this,
            .pci = *this,
            .rdma = *this,
            .ipv4 = *this,
            .clock = real_.clock,
            .devices = real_.devices,
            .services = real_.services == nullptr ? nullptr : this,
            .programs = real_.programs == nullptr ? nullptr : this,
            .modules = real_.modules == nullptr ? nullptr : this,
            .neighbours = real_.neighbours == nullptr ? nullptr : this,
            .journal = real_.journal,
            .routing = real_.routing == nullptr ? nullptr : this};
}

bool FaultyReader::strikes(std::string what) const {
    if (++calls_ != nth_) {
        return false;
    }
    struck_ = std::move(what);
    return true;
}

// The answer of a read that meets the fault.
template <typename T>
Result<T> FaultyReader::broken(const std::function<Result<T>()>& real) const {
    if (fault_.timedOut) {
        return fail(
            Error{.kind = ErrorKind::timeout, .action = "read", .subject = struck_});
    }
    if (!fault_.truncated) {
        return fail(systemError("read", struck_, fault_.sysErrno));
    }
    if constexpr (std::is_same_v<T, std::string> ||
                  std::is_same_v<T, std::vector<std::byte>>) {
        T answer = TRY(real());
        answer.resize(answer.size() / 2);
        return answer;
    } else {
        return fail(
            Error{.kind = ErrorKind::malformed, .action = "read", .subject = struck_});
    }
}

template <typename T>
Result<T> FaultyReader::orError(std::string what,
                                const std::function<Result<T>()>& real) const {
    if (!strikes(std::move(what))) {
        return real();
    }
    if (fault_.sysErrno == 0 && !fault_.truncated && !fault_.timedOut) {
        return fail(systemError("read", struck_, EIO));
    }
    return broken(real);
}

template <typename T>
Result<T> FaultyReader::orNothing(std::string what,
                                  const std::function<Result<T>()>& real) const {
    if (!strikes(std::move(what))) {
        return real();
    }
    if (fault_.sysErrno == 0 && !fault_.truncated && !fault_.timedOut) {
        return T{};
    }
    return broken(real);
}

Result<std::string> FaultyReader::read(std::string_view path, std::size_t limit) const {
    return orNothing<std::string>("read " + std::string(path),
                                  [&] { return real_.files.read(path, limit); });
}

Result<host::TracedFile> FaultyReader::readTraced(std::string_view path,
                                                  std::size_t limit) const {
    return orError<host::TracedFile>("trace " + std::string(path), [&] {
        return real_.files.readTraced(path, limit);
    });
}

Result<std::vector<std::string>> FaultyReader::list(std::string_view path) const {
    return orError<std::vector<std::string>>("list " + std::string(path),
                                             [&] { return real_.files.list(path); });
}

Result<std::string> FaultyReader::readLink(std::string_view path) const {
    return orError<std::string>("readlink " + std::string(path),
                                [&] { return real_.files.readLink(path); });
}

Result<std::string> FaultyReader::resolve(std::string_view path) const {
    return orError<std::string>("resolve " + std::string(path),
                                [&] { return real_.files.resolve(path); });
}

Result<host::FileStatus> FaultyReader::status(std::string_view path) const {
    return orError<host::FileStatus>("status " + std::string(path),
                                     [&] { return real_.files.status(path); });
}

Result<std::vector<host::Link>> FaultyReader::links() const {
    return orError<std::vector<host::Link>>("links",
                                            [&] { return real_.links.links(); });
}

Result<host::Link> FaultyReader::link(IfIndex index) const {
    return orError<host::Link>(numbered("link", index),
                               [&] { return real_.links.link(index); });
}

Result<std::vector<IfIndex>> FaultyReader::defaultRouteLinks() const {
    return orError<std::vector<IfIndex>>(
        "default routes", [&] { return real_.links.defaultRouteLinks(); });
}

Result<std::vector<host::LinkAddress>> FaultyReader::addresses() const {
    return orError<std::vector<host::LinkAddress>>(
        "addresses", [&] { return real_.links.addresses(); });
}

Result<host::DcbAnswer> FaultyReader::get(const host::DcbRequest& request) const {
    return orNothing<host::DcbAnswer>(numbered("dcb", request.link),
                                      [&] { return real_.dcb.get(request); });
}

Result<host::DriverInfo> FaultyReader::driver(IfIndex link) const {
    return orError<host::DriverInfo>(numbered("driver", link),
                                     [&] { return real_.ethtool.driver(link); });
}

Result<host::PauseParameters> FaultyReader::pause(IfIndex link) const {
    return orError<host::PauseParameters>(numbered("pause", link),
                                          [&] { return real_.ethtool.pause(link); });
}

Result<host::Counters> FaultyReader::statistics(IfIndex link) const {
    return orNothing<host::Counters>(numbered("statistics", link),
                                     [&] { return real_.ethtool.statistics(link); });
}

Result<std::vector<host::PciFunction>> FaultyReader::functions() const {
    return orError<std::vector<host::PciFunction>>(
        "functions", [&] { return real_.pci.functions(); });
}

Result<std::vector<std::byte>> FaultyReader::readConfig(PciAddress address,
                                                        std::uint16_t offset,
                                                        std::uint16_t length) const {
    return orError<std::vector<std::byte>>("config " + address.text(), [&] {
        return real_.pci.readConfig(address, offset, length);
    });
}

Result<std::vector<host::RdmaPort>> FaultyReader::ports() const {
    return orError<std::vector<host::RdmaPort>>("rdma ports",
                                                [&] { return real_.rdma.ports(); });
}

Result<host::RdmaPortAttributes> FaultyReader::attributes(
    const host::RdmaPort& port) const {
    return orError<host::RdmaPortAttributes>(
        "rdma attributes", [&] { return real_.rdma.attributes(port); });
}

Result<std::vector<host::Ipv4Conf>> FaultyReader::interfaces() const {
    return orError<std::vector<host::Ipv4Conf>>(
        "ipv4 conf", [&] { return real_.ipv4.interfaces(); });
}

Result<std::int32_t> FaultyReader::all(host::Ipv4Key key) const {
    return orError<std::int32_t>("conf.all", [&] { return real_.ipv4.all(key); });
}

Result<host::ServiceUnit> FaultyReader::unit(std::string_view name) const {
    return orError<host::ServiceUnit>("unit " + std::string(name),
                                      [&] { return real_.services->unit(name); });
}

Result<std::string> FaultyReader::systemState() const {
    return orNothing<std::string>("system state",
                                  [&] { return real_.services->systemState(); });
}

Result<host::ProgramVersion> FaultyReader::version(std::string_view program,
                                                   std::string_view user) const {
    return orError<host::ProgramVersion>("version of " + std::string(program), [&] {
        return real_.programs->version(program, user);
    });
}

Result<host::Module> FaultyReader::module(std::string_view name) const {
    return orError<host::Module>("module " + std::string(name),
                                 [&] { return real_.modules->module(name); });
}

Result<std::vector<host::Neighbour>> FaultyReader::neighbours() const {
    return orError<std::vector<host::Neighbour>>(
        "neighbours", [&] { return real_.neighbours->neighbours(); });
}

Result<std::vector<host::Neighbour>> FaultyReader::neighboursOn(IfIndex link) const {
    return orError<std::vector<host::Neighbour>>(numbered("neighbours", link), [&] {
        return real_.neighbours->neighboursOn(link);
    });
}

Result<host::Routes> FaultyReader::routes() const {
    return orNothing<host::Routes>("routes", [&] { return real_.routing->routes(); });
}

Result<std::vector<host::RoutingRule>> FaultyReader::rules() const {
    return orNothing<std::vector<host::RoutingRule>>(
        "routing rules", [&] { return real_.routing->rules(); });
}

Result<std::unique_ptr<host::NeighbourWatch>> FaultyReader::watch() const {
    return orError<std::unique_ptr<host::NeighbourWatch>>(
        "watch neighbours", [&] { return real_.neighbours->watch(); });
}

Result<std::unique_ptr<host::LinkWatch>> FaultyReader::Watcher::watch() const {
    return owner_.orError<std::unique_ptr<host::LinkWatch>>(
        "watch links", [&] { return owner_.real_.watcher.watch(); });
}

}  // namespace fabric::scenario
