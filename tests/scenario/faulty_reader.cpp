// SPDX-License-Identifier: Apache-2.0
#include "faulty_reader.hpp"

#include <cerrno>
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
            .watcher = real_.watcher,
            .dcb = *this,
            .ethtool = *this,
            .pci = *this,
            .rdma = *this,
            .ipv4 = *this,
            .clock = real_.clock,
            .devices = real_.devices,
            .services = real_.services,
            .programs = real_.programs,
            .modules = real_.modules};
}

bool FaultyReader::strikes(std::string what) const {
    if (++calls_ != nth_) {
        return false;
    }
    struck_ = std::move(what);
    return true;
}

template <typename T>
Result<T> FaultyReader::orError(std::string what,
                                const std::function<Result<T>()>& real) const {
    if (!strikes(std::move(what))) {
        return real();
    }
    return fail(
        systemError("read", struck_, fault_.sysErrno == 0 ? EIO : fault_.sysErrno));
}

template <typename T>
Result<T> FaultyReader::orNothing(std::string what,
                                  const std::function<Result<T>()>& real) const {
    if (!strikes(std::move(what))) {
        return real();
    }
    if (fault_.sysErrno == 0) {
        return T{};
    }
    return fail(systemError("read", struck_, fault_.sysErrno));
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

}  // namespace fabric::scenario
