// SPDX-License-Identifier: Apache-2.0
#include "doctor/rules.hpp"

#include <algorithm>
#include <array>

namespace fabric::doctor {

namespace {

constexpr auto kConsequences = std::to_array<Consequence>({
    {.rule = "mod.loaded", .cause = "driver.split"},
    {.rule = "proc.stale_exe", .cause = "bin.rdma_build"},
    {.rule = "proc.stale_exe", .cause = "unit.dropin_state"},
    {.rule = "unit.assert", .cause = "bin.rdma_build"},
    {.rule = "verbs.port", .cause = "mod.loaded"},
    {.rule = "verbs.port", .cause = "driver.split"},
    {.rule = "dev.access", .cause = "mod.loaded"},
    {.rule = "dev.access", .cause = "verbs.port"},
    {.rule = "abi.userspace", .cause = "mod.loaded"},
    {.rule = "gid.ipv4", .cause = "mod.loaded"},
    {.rule = "gid.ipv4", .cause = "verbs.port"},
    {.rule = "unit.execstart", .cause = "unit.dropin_state"},
    {.rule = "mem.limit", .cause = "unit.dropin_state"},
    {.rule = "acs.redirect", .cause = "lockdown"},
    {.rule = "acs.redirect", .cause = "acs.boot"},
    {.rule = "acs.boot", .cause = "unit.cycle"},
    {.rule = "dcb.host", .cause = "acs.boot"},
    {.rule = "arp.filter", .cause = "rp.strict"},
});

std::vector<const Rule*> everyRule() {
    std::vector<const Rule*> all;
    for (const auto& part : {programRules(),
                             unitRules(),
                             deviceRules(),
                             memoryRules(),
                             bootRules(),
                             pciRules(),
                             losslessRules(),
                             counterRules(),
                             addressRules(),
                             neighbourRules(),
                             portRules(),
                             peerRules(),
                             unobservedRules()}) {
        for (const Rule& rule : part) {
            all.push_back(&rule);
        }
    }
    return all;
}

}  // namespace

const std::vector<const Rule*>& ruleTable() {
    static const std::vector<const Rule*> kTable = everyRule();
    return kTable;
}

const Rule* findRule(std::string_view id) {
    const auto& table = ruleTable();
    const auto found =
        std::ranges::find_if(table, [&](const Rule* rule) { return rule->id == id; });
    return found == table.end() ? nullptr : *found;
}

std::span<const Consequence> consequences() {
    return kConsequences;
}

}  // namespace fabric::doctor
