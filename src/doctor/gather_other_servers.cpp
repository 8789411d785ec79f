// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "doctor/gather.hpp"
#include "resource/service/process.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>
#include <utility>

namespace fabric::doctor {

namespace {

constexpr std::array<std::string_view, 2> kNames{"minio", "minio.rdma"};

Result<host::ResourceLimit> memlockOf(const host::FileReader& files,
                                      std::uint32_t pid) {
    const std::string path = fmt::format("/proc/{}/limits", pid);
    const auto limit = resource::service::parseMemlock(TRY(files.read(path)));
    return limit
               ? Result<host::ResourceLimit>(*limit)
               : fail(systemError("find the limit of locked memory in", path, ENODATA));
}

bool isGone(const Error& error) {
    return error.kind == ErrorKind::notFound || error.sysErrno == ESRCH;
}

// With hidepid= or ProtectProc= the processes of others are not there for a user, as if
// they did not run. Process 1 always does.
Result<void> seeOthers(const host::FileReader& files) {
    const auto first = files.status("/proc/1/comm");
    if (!first && first.error().kind == ErrorKind::notFound) {
        return fail({.kind = ErrorKind::permission,
                     .action = "list",
                     .subject = "/proc",
                     .sysErrno = EACCES,
                     .detail = "processes of other users are hidden",
                     .advice = {}});
    }
    return first ? Result<void>{} : fail(first.error());
}

}  // namespace

Result<std::vector<OtherServer>> gatherOtherServers(const host::FileReader& files,
                                                    std::uint32_t main) {
    TRY(seeOthers(files));
    std::vector<OtherServer> servers;
    for (const std::string& entry : TRY(files.list("/proc"))) {
        const auto pid = parseUnsigned(entry);
        if (!pid || *pid > std::numeric_limits<std::uint32_t>::max() || *pid == main) {
            continue;
        }
        const auto name = files.read("/proc/" + entry + "/comm");
        if (!name || std::ranges::find(kNames, trimmed(*name)) == kNames.end()) {
            continue;
        }
        const auto number = static_cast<std::uint32_t>(*pid);
        OtherServer server{.pid = number,
                           .name = std::string(trimmed(*name)),
                           .status = readProcessStatus(files, number),
                           .memlock = memlockOf(files, number)};
        const bool gone = (!server.status && isGone(server.status.error())) ||
                          (!server.memlock && isGone(server.memlock.error()));
        if (!gone) {
            servers.push_back(std::move(server));
        }
    }
    return servers;
}

}  // namespace fabric::doctor
