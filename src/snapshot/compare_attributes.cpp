// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "resource/dcb/observe.hpp"
#include "resource/rail_property.hpp"
#include "snapshot/comparison.hpp"
#include "snapshot/place.hpp"
#include "snapshot/value.hpp"

#include <fmt/format.h>

#include <map>
#include <set>
#include <utility>

namespace fabric::snapshot {

namespace {

using resource::Assessment;
using resource::AttributeWrite;
using resource::Disturbs;
using resource::Stage;
using resource::Step;
using resource::Verdict;
using resource::Write;

constexpr std::size_t kLargestAttribute = 64UL << 10U;
constexpr std::string_view kDscpTable = "/qos/dscp2prio";
constexpr std::string_view kBroadcomGroups = "/sys/kernel/config/bnxt_re/";

// A table is read as a whole and written line by line ("26 3").
std::vector<Write> tableWrites(const std::string& path,
                               const std::string& wanted,
                               const std::string& found) {
    const auto before = resource::dcb::parseDscpTable(wanted);
    const auto now = resource::dcb::parseDscpTable(found);
    std::vector<Write> writes;
    for (const auto& [dscp, priority] : before) {
        const auto same = now.find(dscp);
        if (same == now.end() || same->second != priority) {
            writes.emplace_back(AttributeWrite{
                .path = path, .text = fmt::format("{} {}", dscp.number(), priority)});
        }
    }
    return writes;
}

// What a driver needs to be told before it takes what was written beside it; ""
// nothing.
std::string triggerBeside(const std::string& path) {
    return path.starts_with(kBroadcomGroups)
               ? path.substr(0, path.rfind('/')) + "/apply"
               : std::string();
}

class AttributeComparer {
  public:
    AttributeComparer(const Attributes& wanted, const host::Link* link, Looking& look)
        : wanted_(wanted), link_(link), look_(look) {}

    // Fills in the assessment; the writes that put back what differs.
    std::vector<Write> compare(Assessment& assessment) {
        for (const auto& [place, text] : wanted_.texts) {
            if (auto one = compareOne(place, text); !one) {
                resource::cannotRead(one.error(), look_.platform, assessment);
                return {};
            }
        }
        for (const std::string& trigger : triggers_) {
            writes_.emplace_back(AttributeWrite{trigger, "1"});
        }
        assessment.wanted = wantedValues_;
        assessment.found = foundValues_;
        judge(wantedValues_ == foundValues_, assessment);
        return std::move(writes_);
    }

  private:
    Result<void> compareOne(const std::string& place, const std::string& text) {
        const std::string path = TRY(pathAt(look_.where, place, link_));
        const std::string found = TRY(look_.host.files.read(path, kLargestAttribute));
        const std::string name = shortName(place);
        wantedValues_[name] = std::string(trimmed(text));
        foundValues_[name] = std::string(trimmed(found));
        if (trimmed(text) == trimmed(found)) {
            return {};
        }
        if (place.ends_with(kDscpTable)) {
            for (Write& write : tableWrites(path, text, found)) {
                writes_.push_back(std::move(write));
            }
            return {};
        }
        writes_.emplace_back(
            AttributeWrite{.path = path, .text = std::string(trimmed(text))});
        if (const std::string trigger = triggerBeside(path); !trigger.empty()) {
            triggers_.insert(trigger);
        }
        return {};
    }

    const Attributes& wanted_;
    const host::Link* link_;
    Looking& look_;
    Value::Object wantedValues_;
    Value::Object foundValues_;
    std::vector<Write> writes_;
    std::set<std::string> triggers_;
};

Stage stageOf(resource::Kind kind) {
    switch (kind) {
        case resource::Kind::dcb:
            return Stage::classification;
        case resource::Kind::rdmaCm:
            return Stage::rdmaCm;
        case resource::Kind::arp:
            return Stage::arp;
        default:
            return Stage::ecn;
    }
}

Disturbs disturbsOf(resource::Kind kind) {
    return kind == resource::Kind::dcb ? Disturbs::traffic : Disturbs::none;
}

}  // namespace

void compareThing(const Item& item, const Attributes& attributes, Looking& look) {
    std::optional<host::Link> link;
    if (attributes.link) {
        auto found = look.where.find(*attributes.link);
        if (!found) {
            addAbsent(item, attributes.link->text(), "attributes", found.error(), look);
            return;
        }
        link = std::move(*found);
    }
    Assessment assessment = link ? begin(look, item, *link, "attributes")
                                 : begin(item, "host", "attributes");
    const host::Link* const owner = link ? &*link : nullptr;
    std::vector<Write> writes =
        AttributeComparer(attributes, owner, look).compare(assessment);
    if (assessment.verdict == Verdict::differs) {
        Step step = stepFor(stageOf(item.kind),
                            disturbsOf(item.kind),
                            fmt::format("put back {} {} attributes of {}",
                                        writes.size(),
                                        resource::toString(item.kind),
                                        assessment.device),
                            {&assessment},
                            std::move(writes));
        step.link = link ? link->index : IfIndex{};
        step.linkName = link ? link->name : "";
        look.out.steps.push_back(std::move(step));
    }
    look.out.assessments.push_back(std::move(assessment));
}

}  // namespace fabric::snapshot
