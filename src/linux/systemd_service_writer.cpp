// SPDX-License-Identifier: Apache-2.0
#include "linux/systemd_service_writer.hpp"

#include "base/text.hpp"

#include <utility>

namespace fabric::linux_host {

Result<void> SystemdServiceWriter::reload(std::string_view unit) {
    TRY(bus_->reloadManager());
    const host::ServiceUnit loaded = TRY(bus_->unit(unit));
    if (loaded.loadState == "loaded") {
        return {};
    }
    return fail(
        Error{.kind = ErrorKind::refused,
              .action = "load",
              .subject = escapeForTerminal(unit),
              .sysErrno = 0,
              .detail = escapeForTerminal(loaded.loadState + " " + loaded.loadError),
              .advice = {}});
}

Result<void> SystemdServiceWriter::restart(const host::RestartRequest& request) {
    const host::ServiceUnit unit = TRY(bus_->unit(request.unit));
    const std::string state = TRY(bus_->systemState());
    if (std::string obstacle = host::restartObstacle(request, unit, state);
        !obstacle.empty()) {
        return fail(Error{.kind = ErrorKind::refused,
                          .action = "restart",
                          .subject = escapeForTerminal(request.unit),
                          .sysErrno = 0,
                          .detail = "not sent: " + std::move(obstacle),
                          .advice = {}});
    }
    return bus_->restartAndWait(request.unit);
}

}  // namespace fabric::linux_host
