// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "resource/rail_property.hpp"
#include "snapshot/comparison.hpp"
#include "snapshot/unit_in_force.hpp"
#include "snapshot/value.hpp"

#include <utility>

namespace fabric::snapshot {

namespace {

// A file that was put back while systemd did not read it: by a run that was killed, or
// by hand.
bool isStale(const host::Reader& host, const UnitInForce& unit) {
    const auto now = host.services->unit(unit.unit);
    return now && now->needDaemonReload;
}

}  // namespace

void compareThing(const Item& item, const UnitInForce& unit, Looking& look) {
    const auto found = readUnit(look.host, unit.unit);
    if (!found && found.error().kind == ErrorKind::notFound) {
        addAbsent(item, unit.unit, "in-force", found.error(), look);
        return;
    }
    resource::Assessment assessment = begin(item, unit.unit, "in-force");
    assessment.wanted = valueOf(unit);
    if (!found) {
        resource::cannotRead(found.error(), look.platform, assessment);
        look.out.assessments.push_back(std::move(assessment));
        return;
    }
    assessment.found = valueOf(*found);
    judge(*found == unit, assessment);
    if (assessment.verdict == resource::Verdict::differs) {
        assessment.reason = "systemd does not have in force what it had then";
        assessment.fix =
            "when the files are as they were, another file of the unit has "
            "changed since: systemctl cat " +
            escapeForTerminal(unit.unit);
        if (isStale(look.host, unit)) {
            look.out.steps.push_back(
                stepFor(resource::Stage::service,
                        resource::Disturbs::none,
                        "have systemd read " + escapeForTerminal(unit.unit) + " again",
                        {&assessment},
                        {resource::ManagerReload{unit.unit}}));
        }
    }
    look.out.assessments.push_back(std::move(assessment));
}

}  // namespace fabric::snapshot
