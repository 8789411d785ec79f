// SPDX-License-Identifier: Apache-2.0
#include "fake/fake_host.hpp"

#include <cerrno>
#include <string>

namespace fabric::fake {

namespace {

Error noOperations(const host::DcbRequest& request) {
    return systemError(
        "ask for DCB", "ifindex " + std::to_string(request.link.number), EOPNOTSUPP);
}

}  // namespace

Result<host::DcbAnswer> NoDcb::get(const host::DcbRequest& request) const {
    return fail(noOperations(request));
}

Result<host::DcbAnswer> NoDcb::set(const host::DcbRequest& request) {
    return fail(noOperations(request));
}

}  // namespace fabric::fake
