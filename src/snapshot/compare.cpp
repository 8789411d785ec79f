// SPDX-License-Identifier: Apache-2.0
#include "snapshot/compare.hpp"

#include "base/text.hpp"
#include "snapshot/comparison.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <utility>

namespace fabric::snapshot {

resource::Assessment begin(const Item& item,
                           std::string_view device,
                           std::string_view property) {
    resource::Assessment assessment;
    assessment.kind = item.kind;
    assessment.id =
        std::string(resource::toString(item.kind)) + "/" + std::string(device);
    if (!property.empty()) {
        assessment.id += "/" + std::string(property);
    }
    assessment.device = device;
    assessment.property = property.empty() ? resource::toString(item.kind) : property;
    assessment.explanation = "Read by " + item.from + ".";
    return assessment;
}

resource::Assessment begin(Looking& look,
                           const Item& item,
                           const host::Link& link,
                           std::string_view property) {
    resource::Assessment assessment = begin(item, link.name, property);
    assessment.rail = look.where.railOf(link);
    if (const auto function = inventory::pciParent(link)) {
        assessment.pci = function->text();
    }
    if (item.label != link.name) {
        assessment.explanation += " It was called " + item.label + " then.";
    }
    return assessment;
}

void addAbsent(const Item& item,
               const std::string& identity,
               std::string_view property,
               const Error& error,
               Looking& look) {
    resource::Assessment assessment = begin(item, identity, property);
    assessment.reason = item.label + " of then: " + error.message();
    // No apply and no restore makes it come back.
    assessment.beyondApply = true;
    using resource::Verdict;
    switch (error.kind) {
        case ErrorKind::notFound:
        case ErrorKind::mismatch:
            assessment.verdict = look.known.gone == Gone::accepted
                                     ? Verdict::notApplicable
                                     : Verdict::differs;
            look.gonePlaces.insert(assessment.reason);
            break;
        case ErrorKind::refused:
            assessment.verdict = Verdict::differs;
            look.unclear.insert(assessment.reason);
            break;
        default:
            assessment.verdict = Verdict::unreadable;
            break;
    }
    look.out.assessments.push_back(std::move(assessment));
}

void judge(bool equal, resource::Assessment& assessment) {
    assessment.verdict = equal ? resource::Verdict::inSync : resource::Verdict::differs;
    assessment.reason = equal ? "" : "it is not as it was found";
}

resource::Step stepFor(resource::Stage stage,
                       resource::Disturbs disturbs,
                       std::string summary,
                       std::vector<resource::Assessment*> serves,
                       std::vector<resource::Write> writes) {
    resource::Step step{.stage = stage,
                        .rail = serves.front()->rail,
                        .link = {},
                        .disturbs = disturbs,
                        .summary = std::move(summary),
                        .ids = {},
                        .writes = std::move(writes)};
    for (resource::Assessment* const assessment : serves) {
        assessment->disturbs = disturbs;
        step.ids.push_back(assessment->id);
    }
    return step;
}

namespace {

// The MTUs are compared together: their order depends on each other.
void compareThing(const Item& /*item*/, const Mtu& /*mtu*/, Looking& /*look*/) {}

void addKept(const Snapshot& snapshot, Looking& look) {
    std::string list;
    for (const Kept& kept : snapshot.notRestored) {
        list += (list.empty() ? "" : "; ") + kept.what + " (" + kept.why + ")";
    }
    if (!list.empty()) {
        look.out.findings.push_back({.id = "restore.not-restored",
                                     .severity = resource::Severity::info,
                                     .summary = "what no restore brings back",
                                     .evidence = std::move(list),
                                     .fix = {}});
    }
}

// What its run wrote without having read it: nobody can say that it is as it was.
void addUnread(const Snapshot& snapshot, Looking& look) {
    using resource::Verdict;
    for (const Kept& kept : snapshot.notRestored) {
        if (!kept.unread) {
            continue;
        }
        resource::Assessment assessment;
        assessment.id = "rails/unread/" + kept.what;
        assessment.kind = resource::Kind::rails;
        assessment.property = kept.what;
        assessment.verdict = look.known.gone == Gone::accepted ? Verdict::notApplicable
                                                               : Verdict::unreadable;
        assessment.reason =
            "its run could not read it, and it is not put back (" + kept.why + ")";
        assessment.fix = fmt::format(
            "see what it is now, and put it back by hand; then: fabricctl restore {} "
            "--accept-gone",
            snapshot.id);
        assessment.beyondApply = true;
        look.out.assessments.push_back(std::move(assessment));
    }
}

// It is then not the state of before, however well the rest was put back.
void addNotPutBack(const Snapshot& snapshot, Looking& look) {
    if (look.gonePlaces.empty() && look.unclear.empty()) {
        return;
    }
    const bool accepted = look.known.gone == Gone::accepted && look.unclear.empty();
    std::string list = fmt::format("{}", fmt::join(look.gonePlaces, "; "));
    list += list.empty() || look.unclear.empty() ? "" : "; ";
    list += fmt::format("{}", fmt::join(look.unclear, "; "));
    std::string fix;
    if (!look.gonePlaces.empty() && look.known.gone == Gone::differs) {
        fix = fmt::format(
            "bring it back and restore again; or, when it is gone for good: fabricctl "
            "restore {} --accept-gone",
            snapshot.id);
    } else if (!accepted) {
        fix = "see which of them is meant, and put that one back by hand";
    }
    look.out.findings.push_back(
        {.id = "restore.not-put-back",
         .severity = accepted ? resource::Severity::info : resource::Severity::warn,
         .summary = accepted ? "what is gone was not put back, as it was accepted"
                             : "a part of what was there is not put back: it is gone, "
                               "or another thing now",
         .evidence = std::move(list),
         .fix = std::move(fix)});
}

// Whether it has members, and not one value.
bool isObject(const LeftThing& thing) {
    return !thing.empty() && !thing.contains("");
}

std::string textOf(const LeftThing& thing) {
    if (!isObject(thing)) {
        return thing.empty() ? "" : thing.begin()->second;
    }
    std::string list;
    for (const auto& [member, text] : thing) {
        list += fmt::format(
            "{}{}: {}", list.empty() ? "" : ", ", escapeForTerminal(member), text);
    }
    return "{" + list + "}";
}

// "9000 was left, is 3000"; "" when nothing that goes back was changed since. Of an
// object only members count that a run is known to have left: each knows what it found.
std::string changeSince(const resource::Assessment& assessment, const LeftThing& left) {
    const LeftThing now = leftOf(assessment.found);
    const LeftThing wanted = leftOf(assessment.wanted);
    LeftThing was = left;
    LeftThing is = now;
    if (isObject(now) && isObject(left)) {
        const auto changed = [&](const auto& one) {
            const auto& [member, text] = one;
            const auto found = now.find(member);
            const auto then = left.find(member);
            const auto aim = wanted.find(member);
            return found != now.end() && then != left.end() &&
                   found->second != then->second &&
                   (aim == wanted.end() || aim->second != found->second);
        };
        std::erase_if(was, std::not_fn(changed));
        std::erase_if(is, std::not_fn(changed));
    }
    return was == is ? "" : fmt::format("{} was left, is {}", textOf(was), textOf(is));
}

// Somebody else's work, of which the snapshot knows nothing, is about to go.
void addChangedSince(Looking& look) {
    std::string list;
    for (const resource::Assessment& assessment : look.out.assessments) {
        const auto left = look.known.left.find(assessment.id);
        if (assessment.verdict != resource::Verdict::differs ||
            assessment.beyondApply || left == look.known.left.end()) {
            continue;
        }
        if (const std::string change = changeSince(assessment, left->second);
            !change.empty()) {
            list += fmt::format("{}{}: {}",
                                list.empty() ? "" : "; ",
                                escapeForTerminal(assessment.id),
                                change);
        }
    }
    if (!list.empty()) {
        look.out.findings.push_back(
            {.id = kChangedSince,
             .severity = resource::Severity::warn,
             .summary = "what goes back was changed by others since the last run wrote "
                        "it: that change goes too",
             .evidence = std::move(list),
             .fix = {}});
    }
}

}  // namespace

resource::Comparison compare(const host::Reader& host,
                             const Snapshot& snapshot,
                             const inventory::Platform& platform,
                             const Circumstances& known) {
    Looking look{.host = host,
                 .platform = platform,
                 .where = Whereabouts(host),
                 .ipv4 = Ipv4Look(host.ipv4),
                 .known = known,
                 .out = {}};
    compareMtus(snapshot.items, look);
    for (const Item& item : snapshot.items) {
        std::visit([&](const auto& thing) { compareThing(item, thing, look); },
                   item.thing);
    }
    addNotPutBack(snapshot, look);
    addChangedSince(look);
    addKept(snapshot, look);
    addUnread(snapshot, look);
    return std::move(look.out);
}

LeftThing leftOf(const Value& found) {
    const Value::Object* const object = found.asObject();
    if (object == nullptr) {
        return {{"", found.toText()}};
    }
    LeftThing thing;
    for (const auto& [member, value] : *object) {
        thing.emplace(member, value.toText());
    }
    return thing;
}

void absorb(const Left& later, Left& left) {
    for (const auto& [id, thing] : later) {
        LeftThing& known = left[id];
        if (!isObject(known) || !isObject(thing)) {
            known.clear();
        }
        for (const auto& [member, text] : thing) {
            known.insert_or_assign(member, text);
        }
    }
}

bool isAsItWas(const resource::Comparison& now) {
    return std::ranges::all_of(
        now.assessments, [](const resource::Assessment& assessment) {
            return assessment.verdict == resource::Verdict::inSync;
        });
}

bool isAsItWas(const host::Reader& host,
               const Snapshot& snapshot,
               const inventory::Platform& platform) {
    return isAsItWas(compare(host, snapshot, platform));
}

}  // namespace fabric::snapshot
