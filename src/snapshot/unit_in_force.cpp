// SPDX-License-Identifier: Apache-2.0
#include "snapshot/unit_in_force.hpp"

#include <utility>

namespace fabric::snapshot {

Result<UnitInForce> readUnit(const host::Reader& host, std::string_view unit) {
    const auto missing = [&](std::string why) {
        return fail(Error{.kind = ErrorKind::notFound,
                          .action = "read",
                          .subject = "unit " + std::string(unit),
                          .sysErrno = 0,
                          .detail = std::move(why),
                          .advice = {}});
    };
    if (host.services == nullptr) {
        return missing("there is no service manager");
    }
    host::ServiceUnit now = TRY(host.services->unit(unit));
    if (now.loadState != "loaded") {
        return missing("it is " + now.loadState);
    }
    return UnitInForce{.unit = std::string(unit),
                       .execStart = std::move(now.execStart),
                       .asserts = std::move(now.asserts),
                       .limitMemlock = now.limitMemlock};
}

}  // namespace fabric::snapshot
