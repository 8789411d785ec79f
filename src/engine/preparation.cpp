// SPDX-License-Identifier: Apache-2.0
#include "engine/preparation.hpp"

#include "base/text.hpp"
#include "engine/guide_units.hpp"
#include "engine/rail_selection.hpp"
#include "engine/resource_table.hpp"
#include "inventory/rail.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <utility>

namespace fabric::engine {

namespace {

using inventory::Rail;
using resource::Kind;
using resource::RailTask;
using resource::Resource;

constexpr std::string_view kIfIndexPrefix = "ifindex:";
constexpr std::string_view kRdmaPrefix = "rdma:";

// Names from device events: any device may have one, so it need not be a rail.
bool isEventName(std::string_view filter) {
    return filter.starts_with(kIfIndexPrefix) || filter.starts_with(kRdmaPrefix);
}

bool isManaged(const Resource& resource,
               const profile::Profile& profile,
               const RunOptions& options) {
    const bool owned = profile.owns(resource.section) ||
                       (!resource.watches.empty() && profile.owns(resource.watches));
    if (!options.includes(resource.kind) || !owned) {
        return false;
    }
    return options.rail.empty() || !isHostWide(resource.kind);
}

bool inScope(const Resource& resource,
             const profile::Profile& profile,
             const RunOptions& options) {
    const bool seesWhatIsLeft =
        resource.leavesFiles && options.rail.empty() && options.includes(resource.kind);
    return seesWhatIsLeft || isManaged(resource, profile, options);
}

bool needsRails(const profile::Profile& profile, const RunOptions& options) {
    return std::ranges::any_of(resourceTable(), [&](const Resource& resource) {
        return !isHostWide(resource.kind) && inScope(resource, profile, options);
    });
}

bool expectsRails(const profile::Profile& profile) {
    return profile.rails().expectMin || profile.rails().expectMax;
}

bool isNamed(const Rail& rail, std::string_view filter) {
    if (filter.starts_with(kIfIndexPrefix)) {
        const auto index = parseUnsigned(filter.substr(kIfIndexPrefix.size()));
        const auto isIt = [&](const inventory::RailInterface& interface) {
            return interface.link.number == index;
        };
        return index && (rail.link.number == index ||
                         std::ranges::any_of(rail.interfaces, isIt));
    }
    if (filter.starts_with(kRdmaPrefix)) {
        return rail.rdma && rail.rdma->device == filter.substr(kRdmaPrefix.size());
    }
    return rail.name == filter || (rail.rdma && rail.rdma->device == filter);
}

Error noSuchRail(const std::string& filter, const std::vector<Rail>& rails) {
    std::vector<std::string> names;
    std::ranges::transform(rails, std::back_inserter(names), &Rail::name);
    const auto nearest = nearestWord(filter, names);
    std::string known = "this profile selects no rail here";
    if (nearest) {
        known = "did you mean " + escapeForTerminal(*nearest) + "?";
    } else if (!names.empty()) {
        known =
            "rails: " + escapeForTerminal(fmt::format("{}", fmt::join(names, ", ")));
    }
    return Error{.kind = ErrorKind::notFound,
                 .action = "select rail",
                 .subject = escapeForTerminal(filter),
                 .sysErrno = 0,
                 .detail = "no selected rail has this name",
                 .advice = known};
}

// Why a rail is not written, and what a person can do; empty when it may be.
struct Refusal {
    std::string reason;
    std::string fix;
};

Refusal refusalFor(const Rail& rail,
                   const profile::RailSelection& selection,
                   bool tooMany,
                   Purpose purpose) {
    if (!rail.defaultRouteVia.empty() && !selection.includeDefaultRoute) {
        return {rail.defaultRouteVia == rail.name
                    ? "carries the default route"
                    : "carries the default route (via " +
                          escapeForTerminal(rail.defaultRouteVia) + ")",
                "if it is no rail, leave it out with rails.exclude; if it is, and may "
                "be disturbed, set rails.default-route: include"};
    }
    if (tooMany && purpose != Purpose::check) {
        return {
            "more rails than the profile expects; the extra one may be anything, "
            "so none is written",
            "name the rails with rails.match, or correct rails.expect"};
    }
    return {};
}

void addTask(const Rail& rail,
             const profile::Profile& profile,
             Refusal refusal,
             Preparation& preparation) {
    auto settings = profile.settingsFor(identityOf(rail));
    if (!settings) {
        std::ranges::move(settings.error(), std::back_inserter(preparation.errors));
        return;
    }
    preparation.rails.push_back({.rail = rail,
                                 .settings = std::move(*settings),
                                 .refusal = std::move(refusal.reason),
                                 .refusalFix = std::move(refusal.fix)});
}

// A device event makes `apply` run for an index that may be any interface: that is no
// fault of anybody. A person who names a rail means one.
void noteNoSuchRail(const std::string& filter,
                    Purpose purpose,
                    Error error,
                    Preparation& preparation) {
    if (purpose != Purpose::apply || !isEventName(filter)) {
        preparation.stopped = std::move(error);
        return;
    }
    preparation.known.findings.push_back(
        {.id = "rails.not-a-rail",
         .severity = resource::Severity::info,
         .summary = "this index is no rail of the profile, nothing was looked at",
         .evidence = filter,
         .fix = {}});
}

// A kind that --only names and the profile does not have: said, since silence would
// pass for "as wanted".
void noteNotInProfile(const profile::Profile& profile,
                      const RunOptions& options,
                      Preparation& preparation) {
    for (const Resource& resource : resourceTable()) {
        if (options.only.contains(resource.kind) && !profile.owns(resource.section)) {
            preparation.known.findings.push_back(
                {.id = "only.not-in-profile",
                 .severity = resource::Severity::info,
                 .summary = fmt::format(
                     "the profile has no section '{}': nothing of it was looked at",
                     resource.section),
                 .evidence =
                     fmt::format("--only {}", resource::toString(resource.kind)),
                 .fix = {}});
        }
    }
}

// An override that meets no rail here may be meant for another host, or mistyped.
void noteUnmatchedOverrides(const profile::Profile& profile,
                            const std::vector<Rail>& rails,
                            Preparation& preparation) {
    std::vector<profile::RailIdentity> identities;
    std::ranges::transform(rails, std::back_inserter(identities), identityOf);
    for (const std::string& match : profile.unmatchedOverrides(identities)) {
        preparation.known.findings.push_back(
            {.id = "overrides.unmatched",
             .severity = resource::Severity::info,
             .summary = "an override matches no rail of this host",
             .evidence = match,
             .fix = {}});
    }
}

void selectTasks(const host::Reader& host,
                 const profile::Profile& profile,
                 const RunOptions& options,
                 Purpose purpose,
                 Preparation& preparation) {
    auto candidates = inventory::observeRails(host);
    if (!candidates) {
        preparation.stopped = std::move(candidates.error());
        return;
    }
    RailSelectionResult selection = selectRails(profile.rails(), *candidates);
    if (options.rail.empty()) {
        std::ranges::move(selection.findings,
                          std::back_inserter(preparation.known.findings));
        if (selection.expect) {
            preparation.known.assessments.push_back(*selection.expect);
        }
        if (selection.rails.empty()) {
            preparation.known.findings.push_back(
                noRailsFinding(profile.rails(), *candidates));
        }
    }
    const bool tooMany = selection.tooMany;
    preparation.tooManyRails = tooMany;
    if (options.rail.empty()) {
        noteUnmatchedOverrides(profile, selection.rails, preparation);
    }
    auto rails = railsNamed(std::move(selection.rails), options.rail);
    if (!rails) {
        noteNoSuchRail(options.rail, purpose, std::move(rails.error()), preparation);
        return;
    }
    for (const Rail& rail : *rails) {
        addTask(rail,
                profile,
                refusalFor(rail, profile.rails(), tooMany, purpose),
                preparation);
    }
}

}  // namespace

bool isHostWide(Kind kind) {
    return kind == Kind::module || kind == Kind::acs || kind == Kind::service ||
           kind == Kind::boot;
}

Result<std::vector<Rail>> railsNamed(std::vector<Rail> rails,
                                     const std::string& filter) {
    if (filter.empty()) {
        return rails;
    }
    std::vector<Rail> named = rails;
    std::erase_if(named, [&](const Rail& rail) { return !isNamed(rail, filter); });
    if (named.empty()) {
        return fail(noSuchRail(filter, rails));
    }
    return named;
}

bool looksAtRails(const profile::Profile& profile, const RunOptions& options) {
    return !options.rail.empty() || needsRails(profile, options) ||
           options.only.contains(Kind::rails) ||
           (options.only.empty() && expectsRails(profile));
}

std::optional<resource::Finding> nothingManaged(const profile::Profile& profile,
                                                const RunOptions& options) {
    const bool something =
        std::ranges::any_of(resourceTable(), [&](const Resource& resource) {
            return isManaged(resource, profile, options);
        });
    // What --only leaves is told kind by kind.
    if (something || !options.only.empty()) {
        return std::nullopt;
    }
    if (!options.rail.empty()) {
        return resource::Finding{
            .id = "profile.nothing-managed",
            .severity = resource::Severity::info,  // device events name any device
            .summary =
                "the profile has no section about rails: nothing of this one is "
                "managed, and nothing was looked at",
            .evidence = "--rail " + escapeForTerminal(options.rail),
            .fix = "fabricctl profile explain lists the sections"};
    }
    return resource::Finding{
        .id = "profile.nothing-managed",
        .severity = resource::Severity::warn,
        .summary =
            "the profile has no section that manages anything: no setting of "
            "this host was looked at",
        .evidence = escapeForTerminal(profile.path()),
        .fix =
            "fabricctl profile init writes one for this host; fabricctl profile "
            "explain lists the sections"};
}

Preparation prepare(const host::Reader& host,
                    const profile::Profile& profile,
                    const RunOptions& options,
                    Purpose purpose) {
    Preparation preparation;
    preparation.platform = inventory::observePlatform(host);
    noteNotInProfile(profile, options, preparation);
    if (auto nothing = nothingManaged(profile, options)) {
        preparation.known.findings.push_back(std::move(*nothing));
    }
    if (looksAtRails(profile, options)) {
        selectTasks(host, profile, options, purpose, preparation);
    }
    if (!preparation.usable()) {
        return preparation;
    }
    if (options.rail.empty() && options.only.empty()) {
        if (auto guide = guideUnits(host.files)) {
            preparation.known.findings.push_back(std::move(*guide));
        }
    }
    for (const Resource& resource : resourceTable()) {
        if (!inScope(resource, profile, options)) {
            continue;
        }
        if (resource.kind == Kind::acs && !preparation.pci) {
            // Without it the resource looks for itself and says what it met: it must
            // not keep the rails from being looked at.
            if (auto pci = inventory::observePci(host)) {
                preparation.pci = std::move(*pci);
            }
        }
    }
    return preparation;
}

namespace {

// Fewer than the profile expects are there.
bool railsMissing(const Preparation& preparation) {
    return !preparation.tooManyRails &&
           std::ranges::any_of(preparation.known.assessments,
                               [](const resource::Assessment& assessment) {
                                   return assessment.kind == Kind::rails &&
                                          assessment.verdict ==
                                              resource::Verdict::differs;
                               });
}

}  // namespace

resource::Comparison assessAll(const host::Reader& host,
                               const profile::Profile& profile,
                               const Preparation& preparation,
                               const RunOptions& options) {
    resource::Scope scope{.rails = preparation.rails,
                          .host = profile.host(),
                          .platform = preparation.platform,
                          .pci = preparation.pci ? &*preparation.pci : nullptr,
                          .hostWide = options.rail.empty()};
    resource::Comparison all;
    for (const Resource& resource : resourceTable()) {
        if (inScope(resource, profile, options)) {
            scope.planned = all.steps;
            // What a rail that is missing has in a file of all of them is not stale.
            scope.hostWide = options.rail.empty() &&
                             !(resource.kind == Kind::arp && railsMissing(preparation));
            all.append(resource.assess(host, scope));
        }
    }
    return all;
}

}  // namespace fabric::engine
