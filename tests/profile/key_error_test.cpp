// SPDX-License-Identifier: Apache-2.0
#include "profile/error_case.hpp"

namespace fabric::profile {

namespace {

class KeyErrors : public testing::TestWithParam<ErrorCase> {};

TEST_P(KeyErrors, are_listed_with_place_and_suggestion) {
    EXPECT_EQ(errorLines(GetParam().text), GetParam().lines);
}

INSTANTIATE_TEST_SUITE_P(
    Profile,
    KeyErrors,
    testing::Values(
        ErrorCase{"unknown_key_at_the_top",
                  "version: 1\n"
                  "name: x\n"
                  "railz: {}\n",
                  {"3:1 unknown key `railz` in a profile (did you mean rails?)"}},
        ErrorCase{"unknown_key_in_a_section",
                  "version: 1\n"
                  "name: x\n"
                  "dcb:\n"
                  "  trsut: dscp\n",
                  {"4:3 unknown key `trsut` in dcb (did you mean trust?)"}},
        ErrorCase{"unknown_key_that_stands_elsewhere",
                  "version: 1\n"
                  "name: x\n"
                  "trust: dscp\n",
                  {"3:1 unknown key `trust` in a profile (did you mean dcb.trust?)"}},
        ErrorCase{"underscores_for_hyphens",
                  "version: 1\n"
                  "name: x\n"
                  "dcb: { dscp_to_priority: {} }\n",
                  {"3:8 unknown key `dscp_to_priority` in dcb (did you mean "
                   "dscp-to-priority?)"}},
        ErrorCase{
            "unknown_key_without_a_neighbour",
            "version: 1\n"
            "name: x\n"
            "zebra: 1\n",
            {"3:1 unknown key `zebra` in a profile; keys: version, name, description, "
             "extends, rails, modules, dcb, ecn, pause, mtu, rdma-cm-tos, acs, "
             "arp, neighbours, service, overrides"}},
        ErrorCase{"unknown_selector_key",
                  "version: 1\n"
                  "name: x\n"
                  "rails:\n"
                  "  match:\n"
                  "    - { nic: ens1 }\n",
                  {"5:9 unknown key `nic` in rails.match; keys: rdma, interface, pci, "
                   "driver, vendor, mac, numa-node"}},
        ErrorCase{
            "host_wide_section_in_an_override",
            "version: 1\n"
            "name: x\n"
            "overrides:\n"
            "  - match: { interface: a }\n"
            "    acs: {}\n",
            {"5:5 `acs` is the same for the whole host; an override cannot carry it"}},
        ErrorCase{"unknown_key_in_an_override",
                  "version: 1\n"
                  "name: x\n"
                  "overrides:\n"
                  "  - match: { interface: a }\n"
                  "    mtuu: 9000\n",
                  {"5:5 unknown key `mtuu` in overrides (did you mean mtu?)"}},
        ErrorCase{"merge_key",
                  "version: 1\n"
                  "name: x\n"
                  "overrides:\n"
                  "  - match: { interface: a }\n"
                  "    dcb: { <<: { trust: dscp } }\n",
                  {"5:12 YAML merge keys are not read; `extends` and `overrides` layer "
                   "settings"}},
        ErrorCase{"version_is_missing", "name: x\n", {"1:1 key `version` is missing"}},
        ErrorCase{"name_is_missing", "version: 1\n", {"1:1 key `name` is missing"}},
        ErrorCase{
            "other_version",
            "version: 2\n"
            "name: x\n",
            {"1:10 version: `2` is impossible; expected version 1 (did you mean 1?)"}},
        ErrorCase{"override_without_match",
                  "version: 1\n"
                  "name: x\n"
                  "overrides:\n"
                  "  - mtu: 9000\n",
                  {"4:5 key `match` of overrides is missing"}},
        ErrorCase{"peer_without_mac",
                  "version: 1\n"
                  "name: x\n"
                  "neighbours:\n"
                  "  peers:\n"
                  "    - { host: a, rail: b, address: 10.0.0.1 }\n",
                  {"5:7 key `mac` of neighbours.peers is missing"}},
        ErrorCase{"mtu_section_without_min",
                  "version: 1\n"
                  "name: x\n"
                  "mtu: {}\n",
                  {"3:6 key `min` of mtu is missing"}}),
    nameOf);

class DuplicateKeys : public testing::TestWithParam<ErrorCase> {};

TEST_P(DuplicateKeys, are_listed_with_place_and_suggestion) {
    EXPECT_EQ(errorLines(GetParam().text), GetParam().lines);
}

INSTANTIATE_TEST_SUITE_P(
    Profile,
    DuplicateKeys,
    testing::Values(
        ErrorCase{"at_the_top",
                  "version: 1\n"
                  "name: x\n"
                  "mtu: 9000\n"
                  "mtu: 4200\n",
                  {"4:1 duplicate key `mtu`; it is already given on line 3"}},
        ErrorCase{"in_a_section",
                  "version: 1\n"
                  "name: x\n"
                  "dcb:\n"
                  "  pfc: [3]\n"
                  "  trust: dscp\n"
                  "  pfc: [4]\n",
                  {"6:3 duplicate key `pfc`; it is already given on line 4"}},
        ErrorCase{"in_a_map_in_other_quotes",
                  "version: 1\n"
                  "name: x\n"
                  "dcb: { dscp-to-priority: { 26: 3, \"26\": 4 } }\n",
                  {"3:35 duplicate key `26`; it is already given on line 3"}}),
    nameOf);

}  // namespace

}  // namespace fabric::profile
