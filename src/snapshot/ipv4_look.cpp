// SPDX-License-Identifier: Apache-2.0
#include "snapshot/ipv4_look.hpp"

#include <algorithm>
#include <cerrno>

namespace fabric::snapshot {

Result<std::int32_t> Ipv4Look::value(IfIndex link, host::Ipv4Key key) {
    if (link.none()) {
        return reader_->all(key);
    }
    if (!dump_) {
        dump_ = reader_->interfaces();
    }
    if (!*dump_) {
        return fail(dump_->error());
    }
    const auto own = std::ranges::find(**dump_, link, &host::Ipv4Conf::link);
    const bool there = own != (*dump_)->end() && own->values.contains(key);
    return there ? Result<std::int32_t>(own->values.at(key))
                 : fail(systemError("read", "its IPv4 settings", ENODEV));
}

}  // namespace fabric::snapshot
