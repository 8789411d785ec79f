// SPDX-License-Identifier: Apache-2.0
#include "snapshot/app_table.hpp"

#include "resource/dcb/message.hpp"

#include <algorithm>
#include <ranges>

namespace fabric::snapshot {

namespace {

using resource::DcbWrite;
using resource::dcb::AppEntry;
using Table = std::vector<AppEntry>;

// How many entries at the end of `wanted` are in `found` in the same order.
std::size_t commonTail(const Table& found, const Table& wanted) {
    auto at = found.rbegin();
    std::size_t kept = 0;
    for (const AppEntry& entry : std::views::reverse(wanted)) {
        at = std::find(at, found.rend(), entry);
        if (at == found.rend()) {
            break;
        }
        ++at;
        ++kept;
    }
    return kept;
}

class TableChange {
  public:
    TableChange(Table found, const resource::dcb::DriverFacts& driver, IfIndex link)
        : leaving_(std::move(found)), driver_(driver), link_(link) {}

    void keep(const AppEntry& entry) {
        leaving_.erase(std::ranges::find(leaving_, entry));
    }

    void add(const AppEntry& entry) {
        const auto inTheWay = [&](const AppEntry& other) {
            return other.selector == entry.selector && other.protocol == entry.protocol;
        };
        // A driver that replaces takes the former entry of a DSCP out by itself.
        const bool replaced = driver_.remap == resource::dcb::Remap::replace &&
                              entry.selector == resource::dcb::kSelectorDscp;
        for (const AppEntry& other : leaving_) {
            if (inTheWay(other) && !replaced) {
                remove(other);
            }
        }
        std::erase_if(leaving_, inTheWay);
        writes_.emplace_back(DcbWrite{resource::dcb::setAppRequest(link_, entry)});
    }

    std::vector<resource::Write> finish() {
        for (const AppEntry& entry : leaving_) {
            remove(entry);
        }
        return std::move(writes_);
    }

  private:
    void remove(const AppEntry& entry) {
        writes_.emplace_back(DcbWrite{resource::dcb::deleteAppRequest(link_, entry)});
    }

    Table leaving_;
    const resource::dcb::DriverFacts& driver_;
    IfIndex link_;
    std::vector<resource::Write> writes_;
};

}  // namespace

std::vector<resource::Write> appWrites(const Table& found,
                                       const Table& wanted,
                                       const resource::dcb::DriverFacts& driver,
                                       IfIndex link) {
    const std::size_t kept = commonTail(found, wanted);
    TableChange change(found, driver, link);
    for (const AppEntry& entry : wanted | std::views::drop(wanted.size() - kept)) {
        change.keep(entry);
    }
    for (const AppEntry& entry :
         wanted | std::views::take(wanted.size() - kept) | std::views::reverse) {
        change.add(entry);
    }
    return change.finish();
}

}  // namespace fabric::snapshot
