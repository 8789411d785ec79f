// SPDX-License-Identifier: Apache-2.0
#include "fake/fake_ethtool.hpp"

#include <cerrno>
#include <string>

namespace fabric::fake {

namespace {

int injected(const std::map<IfIndex, int>& errors, IfIndex link) {
    const auto found = errors.find(link);
    return found == errors.end() ? 0 : found->second;
}

template <typename T>
Result<T> answer(const std::map<IfIndex, T>& table,
                 IfIndex link,
                 int error,
                 const char* action) {
    const auto found = table.find(link);
    if (error == 0 && found != table.end()) {
        return found->second;
    }
    return fail(systemError(action,
                            "ifindex " + std::to_string(link.number),
                            error != 0 ? error : EOPNOTSUPP));
}

}  // namespace

Result<host::DriverInfo> FakeEthtool::driver(IfIndex link) const {
    return answer(drivers, link, injected(readErrors, link), "read driver");
}

Result<host::PauseParameters> FakeEthtool::pause(IfIndex link) const {
    return answer(pauses, link, injected(readErrors, link), "read pause");
}

Result<host::Counters> FakeEthtool::statistics(IfIndex link) const {
    return answer(counters, link, injected(readErrors, link), "read the statistics");
}

Result<void> FakeEthtool::setPause(IfIndex link, const host::PauseParameters& wanted) {
    int error = injected(writeErrors, link);
    if (error == 0 && !pauses.contains(link)) {
        error = EOPNOTSUPP;
    }
    changes.push_back({.link = link, .wanted = wanted, .sysErrno = error});
    if (error != 0) {
        return fail(
            systemError("set pause", "ifindex " + std::to_string(link.number), error));
    }
    if (!ignorePause) {
        pauses[link] = wanted;
    }
    return {};
}

}  // namespace fabric::fake
