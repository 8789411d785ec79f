// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "resource/service/compare.hpp"

#include <fmt/format.h>

#include <utility>

namespace fabric::resource::service {

namespace {

void addShadow(const Look& look, std::vector<Finding>& findings) {
    if (look.state.shadowedUnit.empty()) {
        return;
    }
    const std::string copy = escapeForTerminal(look.state.unit.fragmentPath);
    findings.push_back(
        {.id = "service.shadowed-unit",
         .severity = Severity::warn,
         .summary = copy + " is a full copy of the unit and hides the packaged one: "
                           "what an upgrade changes in the unit never arrives",
         .evidence = "FragmentPath=" + copy + ", packaged: " + look.state.shadowedUnit,
         .fix =
             fmt::format("compare the two, move what is yours into a drop-in, then: rm "
                         "{} && systemctl daemon-reload",
                         copy)});
}

void addProgramLink(const Look& look, std::vector<Finding>& findings) {
    const bool leadsToBinary = !look.state.programLink.empty() &&
                               look.wanted.program != look.settings.binary &&
                               look.state.programLink == look.state.binary.resolved;
    if (!leadsToBinary) {
        return;
    }
    const std::string program = escapeForTerminal(look.wanted.program);
    findings.push_back(
        {.id = "service.repointed-program",
         .severity = Severity::warn,
         .summary = program + " is a link to the RDMA build: the next upgrade of the "
                              "server's package undoes it",
         .evidence = program + " -> " + escapeForTerminal(look.state.programLink),
         .fix = "install the server's package again so that " + program +
                " is its own file; the drop-in chooses the program"});
}

}  // namespace

std::vector<Finding> hazardsOf(const Look& look) {
    std::vector<Finding> findings;
    addShadow(look, findings);
    addProgramLink(look, findings);
    return findings;
}

}  // namespace fabric::resource::service
