// SPDX-License-Identifier: Apache-2.0
#include "fake/fake_ipv4_conf.hpp"

#include <cerrno>
#include <string>

namespace fabric::fake {

namespace {

using host::Ipv4Key;

int lookUp(const std::map<IfIndex, int>& errors, IfIndex link) {
    const auto found = errors.find(link);
    return found == errors.end() ? 0 : found->second;
}

void overwrite(host::Ipv4Values& values, const host::Ipv4Values& changed) {
    for (const auto& [key, value] : changed) {
        values[key] = value;
    }
}

}  // namespace

FakeIpv4Conf::FakeIpv4Conf()
    : allValues{{Ipv4Key::rpFilter, 0},
                {Ipv4Key::arpFilter, 0},
                {Ipv4Key::arpAnnounce, 0},
                {Ipv4Key::arpIgnore, 0}},
      defaults(allValues) {}

host::Ipv4Values& FakeIpv4Conf::add(IfIndex link) {
    return links_[link] = defaults;
}

void FakeIpv4Conf::remove(IfIndex link) {
    links_.erase(link);
}

host::Ipv4Values& FakeIpv4Conf::of(IfIndex link) {
    return links_.at(link);
}

Result<std::vector<host::Ipv4Conf>> FakeIpv4Conf::interfaces() const {
    ++dumps;
    if (interfacesError) {
        return fail(*interfacesError);
    }
    std::vector<host::Ipv4Conf> all;
    for (const auto& [link, values] : links_) {
        all.push_back({.link = link, .values = values});
    }
    return all;
}

Result<std::int32_t> FakeIpv4Conf::all(Ipv4Key key) const {
    const auto injected = allErrors.find(key);
    if (injected != allErrors.end()) {
        return fail(
            systemError("open", std::string(host::sysctlName(key)), injected->second));
    }
    return allValues.at(key);
}

Result<void> FakeIpv4Conf::record(IfIndex link,
                                  const host::Ipv4Values& values,
                                  int sysErrno) {
    changes.push_back({.link = link, .values = values, .sysErrno = sysErrno});
    if (sysErrno != 0) {
        return fail(systemError(
            "set IPv4 settings",
            link.none() ? "conf.all" : "ifindex " + std::to_string(link.number),
            sysErrno));
    }
    return {};
}

Result<void> FakeIpv4Conf::set(IfIndex link, const host::Ipv4Values& values) {
    int error = lookUp(writeErrors, link);
    const auto found = links_.find(link);
    if (error == 0 && found == links_.end()) {
        error = ENODEV;
    }
    if (error == 0 && !ignored.contains(link)) {
        overwrite(found->second, values);
    }
    return record(link, values, error);
}

Result<void> FakeIpv4Conf::setAll(const host::Ipv4Values& values) {
    const int error = lookUp(writeErrors, IfIndex{});
    if (error == 0) {
        overwrite(allValues, values);
    }
    return record(IfIndex{}, values, error);
}

}  // namespace fabric::fake
