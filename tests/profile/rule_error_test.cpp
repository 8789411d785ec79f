// SPDX-License-Identifier: Apache-2.0
#include "profile/error_case.hpp"

namespace fabric::profile {

namespace {

class RuleErrors : public testing::TestWithParam<ErrorCase> {};

TEST_P(RuleErrors, are_listed_with_place_and_suggestion) {
    EXPECT_EQ(errorLines(GetParam().text), GetParam().lines);
}

INSTANTIATE_TEST_SUITE_P(
    Profile,
    RuleErrors,
    testing::Values(
        ErrorCase{
            "pfc_without_the_lossless_priority",
            "version: 1\n"
            "name: x\n"
            "dcb:\n"
            "  lossless: { priority: 3, dscp: 26 }\n"
            "  pfc: [4]\n",
            {"5:8 dcb.pfc without 3 contradicts dcb.lossless.priority 3 at p:4:25"}},
        ErrorCase{"lossless_dscp_on_another_priority",
                  "version: 1\n"
                  "name: x\n"
                  "dcb:\n"
                  "  lossless: { priority: 3, dscp: 26 }\n"
                  "  dscp-to-priority: { 26: 4 }\n",
                  {"5:27 dcb.dscp-to-priority 26: 4 contradicts dcb.lossless.priority "
                   "3 at p:4:25 (did you mean 3?)"}},
        ErrorCase{"lossless_dscp_not_mapped",
                  "version: 1\n"
                  "name: x\n"
                  "dcb:\n"
                  "  lossless: { priority: 3, dscp: 26 }\n"
                  "  dscp-to-priority: { 24: 3 }\n",
                  {"5:21 dcb.dscp-to-priority without 26 contradicts dcb.lossless.dscp "
                   "26 at p:4:34 (did you mean 26: 3?)"}},
        ErrorCase{"lossless_priority_in_another_buffer",
                  "version: 1\n"
                  "name: x\n"
                  "dcb:\n"
                  "  lossless: { buffer: 1 }\n"
                  "  priority-to-buffer: { 3: 2 }\n",
                  {"5:28 dcb.priority-to-buffer 3: 2 contradicts dcb.lossless.buffer 1 "
                   "at p:4:23 (did you mean 1?)"}},
        ErrorCase{"ecn_on_another_priority",
                  "version: 1\n"
                  "name: x\n"
                  "dcb: { lossless: {} }\n"
                  "ecn:\n"
                  "  reaction-point: [4]\n"
                  "  notification-point: [5]\n",
                  {"5:19 ecn.reaction-point without 3 contradicts "
                   "dcb.lossless.priority 3 at p:3:18",
                   "6:23 ecn.notification-point without 3 contradicts "
                   "dcb.lossless.priority 3 at p:3:18"}},
        ErrorCase{"pcp_trust_with_lossless",
                  "version: 1\n"
                  "name: x\n"
                  "dcb:\n"
                  "  trust: pcp\n"
                  "  lossless: {}\n",
                  {"4:10 dcb.trust pcp contradicts dcb.lossless.dscp at p:5:13 (did "
                   "you mean dscp?)"}},
        ErrorCase{"pcp_trust_with_dscp_entries",
                  "version: 1\n"
                  "name: x\n"
                  "dcb:\n"
                  "  trust: pcp\n"
                  "  dscp-to-priority: { 26: 3 }\n",
                  {"4:10 dcb.trust pcp contradicts dcb.dscp-to-priority at p:5:21 (did "
                   "you mean dscp?)"}},
        ErrorCase{"global_pause_with_pfc",
                  "version: 1\n"
                  "name: x\n"
                  "dcb: { pfc: [3] }\n"
                  "pause: { rx: on, tx: off }\n",
                  {"4:14 pause.rx on contradicts PFC (dcb.pfc or dcb.lossless) at "
                   "p:3:13 (did you mean off?)"}},
        ErrorCase{"bandwidth_of_90",
                  "version: 1\n"
                  "name: x\n"
                  "dcb:\n"
                  "  ets:\n"
                  "    bandwidth: { 0: 40, 3: 50 }\n",
                  {"5:16 dcb.ets.bandwidth sums to 90 percent over the ETS classes; it "
                   "must be 100"}},
        ErrorCase{"bandwidth_of_a_strict_class",
                  "version: 1\n"
                  "name: x\n"
                  "dcb:\n"
                  "  ets:\n"
                  "    tsa: { 6: strict }\n"
                  "    bandwidth: { 3: 100, 6: 10 }\n",
                  {"6:29 dcb.ets.bandwidth 10 percent of class 6 contradicts "
                   "dcb.ets.tsa 6: strict at p:5:15 (did you mean 0?)"}},
        ErrorCase{"more_at_least_than_at_most",
                  "version: 1\n"
                  "name: x\n"
                  "rails:\n"
                  "  expect: { min: 4, max: 2 }\n",
                  {"4:26 rails.expect.max 2 contradicts rails.expect.min 4 at p:4:18 "
                   "(did you mean 4?)"}},
        ErrorCase{
            "peers_twice",
            "version: 1\n"
            "name: x\n"
            "neighbours:\n"
            "  peers: []\n"
            "  peers-from: /var/lib/facts\n",
            {"5:15 neighbours.peers-from contradicts neighbours.peers at p:4:10"}},
        ErrorCase{
            "override_contradicts_the_profile",
            "version: 1\n"
            "name: x\n"
            "dcb:\n"
            "  pfc: [3]\n"
            "overrides:\n"
            "  - match: { interface: a }\n"
            "    dcb: { lossless: { priority: 4 } }\n",
            {"7:34 dcb.lossless.priority 4 contradicts dcb.pfc without 4 at p:4:8"}},
        ErrorCase{
            "profile_is_contradicted_by_an_override",
            "version: 1\n"
            "name: x\n"
            "dcb:\n"
            "  lossless: {}\n"
            "overrides:\n"
            "  - match: { interface: a }\n"
            "    dcb: { pfc: [4] }\n",
            {"7:17 dcb.pfc without 3 contradicts dcb.lossless.priority 3 at p:4:13"}},
        ErrorCase{
            "two_overrides_with_one_selector",
            "version: 1\n"
            "name: x\n"
            "overrides:\n"
            "  - match: { interface: a }\n"
            "    mtu: 9000\n"
            "  - match: { interface: a }\n"
            "    mtu: 4200\n",
            {"7:5 two overrides set mtu for the same rail; the other is at p:5:10"}}),
    nameOf);

}  // namespace

}  // namespace fabric::profile
