// SPDX-License-Identifier: Apache-2.0
// What systemd made of the server's unit files.
#include "doctor/rules.hpp"
#include "doctor/server_view.hpp"
#include "resource/service/drop_in.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fabric::doctor {

namespace {

std::string laterDropIn(const resource::service::State& state) {
    for (const auto& file : state.above) {
        if (state.ours && (file.sets("Service", "ExecStart") ||
                           file.sets("Service", "LimitMEMLOCK"))) {
            return file.path;
        }
    }
    return {};
}

Judgement judgeDropIn(const Evidence& evidence) {
    if (auto without = withoutServer(evidence)) {
        return *without;
    }
    const auto& state = stateOf(evidence);
    const host::ServiceUnit& unit = state.unit;
    const Value expected = "loaded, as its files say";
    if (unit.loadState == "bad-setting" || unit.loadState == "error") {
        return failed(
            expected, unit.loadState, "systemd refuses the unit: " + unit.loadError);
    }
    if (unit.loadState != "loaded") {
        return warned(expected, unit.loadState, "the unit is " + unit.loadState);
    }
    const std::string ours = resource::service::dropInPath(unit.name);
    const bool listed =
        std::ranges::find(unit.dropInPaths, ours) != unit.dropInPaths.end();
    if (state.ours && !listed) {
        return failed(ours,
                      fmt::format("{}", fmt::join(unit.dropInPaths, ", ")),
                      "the drop-in is on the disk, and systemd has not read it");
    }
    if (const std::string later = laterDropIn(state); !later.empty()) {
        return failed(ours, later, "a drop-in that sorts later sets the same again");
    }
    return unit.needDaemonReload
               ? warned(expected,
                        "changed since systemd read it",
                        "what stands in the files is not what is in force")
               : passed(expected, "loaded");
}

Judgement judgeShadow(const Evidence& evidence) {
    if (auto without = withoutServer(evidence)) {
        return *without;
    }
    const auto& state = stateOf(evidence);
    const std::string& fragment = state.unit.fragmentPath;
    return state.shadowedUnit.empty()
               ? passed("the packaged unit", fragment)
               : warned(state.shadowedUnit,
                        fragment,
                        "a full copy hides the packaged unit: upgrades of it never "
                        "arrive");
}

Judgement judgeAssert(const Evidence& evidence) {
    if (auto without = withoutServer(evidence)) {
        return *without;
    }
    const auto& missing = evidence.server.missing;
    const Value expected = "every file that the unit asserts";
    return missing.empty() ? passed(expected, "all there")
                           : failed(expected,
                                    fmt::format("{}", fmt::join(missing, ", ")),
                                    "the unit does not start without it");
}

constexpr auto kRules = std::to_array<Rule>({
    {.id = "unit.dropin_state",
     .worst = Verdict::fail,
     .cause = "what the unit's files say is not what systemd has in force",
     .source = "experience",
     .look = "systemctl show {unit} --property=LoadState,DropInPaths,NeedDaemonReload",
     .fix = "systemctl daemon-reload; rename or empty the drop-in that sorts later",
     .action = "{apply} --only service",
     .restart = Restart::thisNode,
     .judge = judgeDropIn},
    {.id = "unit.shadow",
     .worst = Verdict::warn,
     .cause = "a full copy of the unit in /etc hides the packaged one",
     .source = "experience",
     .look = "systemctl show {unit} --property=FragmentPath",
     .fix = "move what is yours into a drop-in, remove the copy, daemon-reload",
     .action = {},
     .restart = Restart::thisNode,
     .judge = judgeShadow},
    {.id = "unit.assert",
     .worst = Verdict::fail,
     .cause = "the unit asserts a file that is not there, and does not start",
     .source = "experience",
     .look = "systemctl show {unit} --property=Asserts,AssertResult",
     .fix = "the drop-in of section service makes the assertions anew",
     .action = "{apply} --only service",
     .restart = Restart::thisNode,
     .judge = judgeAssert},
});

}  // namespace

std::span<const Rule> unitRules() {
    return kRules;
}

}  // namespace fabric::doctor
