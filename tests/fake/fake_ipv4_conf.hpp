// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/ipv4_conf.hpp"

#include <map>
#include <optional>
#include <set>
#include <vector>

namespace fabric::fake {

struct Ipv4Change {
    IfIndex link;  // none: conf.all
    host::Ipv4Values values;
    int sysErrno = 0;  // 0: it took effect
    bool operator==(const Ipv4Change&) const = default;
};

// The devconf arrays of one network namespace: conf.all is never copied into the
// interfaces, and a new interface starts with what conf.default holds.
class FakeIpv4Conf : public host::Ipv4ConfReader, public host::Ipv4ConfWriter {
  public:
    FakeIpv4Conf();

    // A new interface, or a recreated one: its values are those of `defaults` again.
    host::Ipv4Values& add(IfIndex link);
    void remove(IfIndex link);
    [[nodiscard]] host::Ipv4Values& of(IfIndex link);

    host::Ipv4Values allValues;  // conf.all
    host::Ipv4Values defaults;   // conf.default
    std::optional<Error> interfacesError;
    std::map<host::Ipv4Key, int> allErrors;  // errno of all()
    std::map<IfIndex, int> writeErrors;      // errno of set(); link none: of setAll()
    std::set<IfIndex> ignored;               // set() answers 0 and changes nothing
    std::vector<Ipv4Change> changes;         // every write, in order
    mutable std::size_t dumps = 0;           // calls of interfaces()

    [[nodiscard]] Result<std::vector<host::Ipv4Conf>> interfaces() const override;
    [[nodiscard]] Result<std::int32_t> all(host::Ipv4Key key) const override;
    [[nodiscard]] Result<void> set(IfIndex link,
                                   const host::Ipv4Values& values) override;
    [[nodiscard]] Result<void> setAll(const host::Ipv4Values& values) override;

  private:
    Result<void> record(IfIndex link, const host::Ipv4Values& values, int sysErrno);

    std::map<IfIndex, host::Ipv4Values> links_;
};

}  // namespace fabric::fake
