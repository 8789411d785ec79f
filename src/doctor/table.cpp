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
    {.rule = "mod.loaded", .cause = "driver.symbols"},
    {.rule = "driver.symbols", .cause = "driver.split"},
    {.rule = "verbs.port", .cause = "driver.symbols"},
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
    {.rule = "log.internode", .cause = "bin.rdma_build"},
    {.rule = "log.internode", .cause = "unit.dropin_state"},
    {.rule = "log.internode", .cause = "unit.execstart"},
    {.rule = "log.internode", .cause = "proc.stale_exe"},
    {.rule = "log.internode", .cause = "mod.loaded"},
    {.rule = "log.internode", .cause = "driver.split"},
    {.rule = "log.internode", .cause = "verbs.port"},
    {.rule = "log.internode", .cause = "dev.access"},
    {.rule = "log.internode", .cause = "mem.limit"},
    {.rule = "log.internode", .cause = "mem.limit_proc"},
    {.rule = "log.internode", .cause = "srq.size"},
    {.rule = "log.pool", .cause = "bin.rdma_build"},
    {.rule = "log.pool", .cause = "unit.dropin_state"},
    {.rule = "log.pool", .cause = "unit.execstart"},
    {.rule = "log.pool", .cause = "proc.stale_exe"},
    {.rule = "log.pool", .cause = "mod.loaded"},
    {.rule = "log.pool", .cause = "driver.split"},
    {.rule = "log.pool", .cause = "verbs.port"},
    {.rule = "log.pool", .cause = "dev.access"},
    {.rule = "log.pool", .cause = "mem.limit"},
    {.rule = "log.pool", .cause = "mem.limit_proc"},
    {.rule = "log.pool", .cause = "srq.size"},
    {.rule = "log.pool", .cause = "log.internode"},
    {.rule = "log.gpudirect", .cause = "mod.loaded"},
    {.rule = "log.gpudirect", .cause = "driver.split"},
    {.rule = "log.gpudirect", .cause = "verbs.port"},
    {.rule = "log.gpudirect", .cause = "dev.access"},
    {.rule = "log.gpudirect", .cause = "mem.limit"},
    {.rule = "log.gpudirect", .cause = "mem.limit_proc"},
    {.rule = "reg.per_write", .cause = "mem.limit"},
    {.rule = "reg.per_write", .cause = "mem.limit_proc"},
});

std::vector<const Rule*> everyRule() {
    std::vector<const Rule*> all;
    for (const auto& part : {programRules(),
                             serverLogRules(),
                             unitRules(),
                             deviceRules(),
                             kernelLogRules(),
                             memoryRules(),
                             containerRules(),
                             bootRules(),
                             pciRules(),
                             losslessRules(),
                             counterRules(),
                             metricsRules(),
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
