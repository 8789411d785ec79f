// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/host.hpp"
#include "inventory/platform.hpp"
#include "resource/assessment.hpp"
#include "snapshot/compare.hpp"
#include "snapshot/ipv4_look.hpp"
#include "snapshot/snapshot.hpp"
#include "snapshot/whereabouts.hpp"

#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace fabric::snapshot {

// One look under way, and what it has found so far.
struct Looking {
    const host::Reader& host;
    const inventory::Platform& platform;
    Whereabouts where;
    Ipv4Look ipv4;
    const Circumstances& known;
    resource::Comparison out;
    // Why something is not put back: each thing once, whatever of it was kept.
    std::set<std::string> gonePlaces = {};
    std::set<std::string> unclear = {};  // that cannot be told apart
};

// An assessment of `property` of what an item is about, named as it is called now.
[[nodiscard]] resource::Assessment begin(const Item& item,
                                         std::string_view device,
                                         std::string_view property);
[[nodiscard]] resource::Assessment begin(Looking& look,
                                         const Item& item,
                                         const host::Link& link,
                                         std::string_view property);

// What an item is about is gone, another thing, or not to be told apart: no step.
// `identity` names it, since its old name may be another's now.
void addAbsent(const Item& item,
               const std::string& identity,
               std::string_view property,
               const Error& error,
               Looking& look);

// inSync or differs, with its reason.
void judge(bool equal, resource::Assessment& assessment);

// A step that repairs these assessments, and marks them with what it disturbs.
[[nodiscard]] resource::Step stepFor(resource::Stage stage,
                                     resource::Disturbs disturbs,
                                     std::string summary,
                                     std::vector<resource::Assessment*> serves,
                                     std::vector<resource::Write> writes);

// One comparison per thing; each adds assessments and steps.
void compareMtus(std::span<const Item> items, Looking& look);
void compareThing(const Item& item, const Pause& pause, Looking& look);
void compareThing(const Item& item, const Dcb& dcb, Looking& look);
void compareThing(const Item& item, const Attributes& attributes, Looking& look);
void compareThing(const Item& item, const Ipv4Conf& conf, Looking& look);
void compareThing(const Item& item, const File& file, Looking& look);
void compareThing(const Item& item, const PciWord& word, Looking& look);
void compareThing(const Item& item, const UnitInForce& unit, Looking& look);

}  // namespace fabric::snapshot
