// SPDX-License-Identifier: Apache-2.0
#include "profile/error_case.hpp"

namespace fabric::profile {

namespace {

class TypeErrors : public testing::TestWithParam<ErrorCase> {};

TEST_P(TypeErrors, are_listed_with_place_and_suggestion) {
    EXPECT_EQ(errorLines(GetParam().text), GetParam().lines);
}

INSTANTIATE_TEST_SUITE_P(
    Profile,
    TypeErrors,
    testing::Values(
        ErrorCase{"section_is_a_list",
                  "version: 1\n"
                  "name: x\n"
                  "dcb: [3]\n",
                  {"3:6 dcb is a section of keys, found a list"}},
        ErrorCase{"section_is_a_word",
                  "version: 1\n"
                  "name: x\n"
                  "arp: on\n",
                  {"3:6 arp is a section of keys, found `on`"}},
        ErrorCase{"list_is_one_number",
                  "version: 1\n"
                  "name: x\n"
                  "dcb: { pfc: 3 }\n",
                  {"3:13 dcb.pfc is a list, each priority 0 to 7, found `3` (did you "
                   "mean [3]?)"}},
        ErrorCase{"list_item_is_a_list",
                  "version: 1\n"
                  "name: x\n"
                  "dcb: { pfc: [[3]] }\n",
                  {"3:14 dcb.pfc item is priority 0 to 7, found a list"}},
        ErrorCase{"list_item_is_null",
                  "version: 1\n"
                  "name: x\n"
                  "dcb: { pfc: [null] }\n",
                  {"3:14 dcb.pfc item is priority 0 to 7, found null"}},
        ErrorCase{"list_item_is_text",
                  "version: 1\n"
                  "name: x\n"
                  "dcb: { pfc: [three] }\n",
                  {"3:14 dcb.pfc: `three` is text; expected priority 0 to 7"}},
        ErrorCase{"listed_twice",
                  "version: 1\n"
                  "name: x\n"
                  "dcb: { pfc: [3, 4, 3] }\n",
                  {"3:20 dcb.pfc: `3` is listed twice"}},
        ErrorCase{"map_is_a_list",
                  "version: 1\n"
                  "name: x\n"
                  "dcb: { dscp-to-priority: [26] }\n",
                  {"3:26 dcb.dscp-to-priority is a map from DSCP 0 to 63 to priority 0 "
                   "to 7, found a list"}},
        ErrorCase{"map_member_is_a_list",
                  "version: 1\n"
                  "name: x\n"
                  "dcb: { dscp-to-priority: { 26: [3] } }\n",
                  {"3:32 dcb.dscp-to-priority.`26` is priority 0 to 7, found a list"}},
        ErrorCase{"sections_are_a_map",
                  "version: 1\n"
                  "name: x\n"
                  "rails: { match: { rdma: a } }\n",
                  {"3:17 rails.match is a list of sections, found a map"}},
        ErrorCase{"sections_item_is_text",
                  "version: 1\n"
                  "name: x\n"
                  "rails: { match: [mlx5_0] }\n",
                  {"3:18 rails.match item is a section of keys, found `mlx5_0`"}},
        ErrorCase{"value_is_a_list",
                  "version: 1\n"
                  "name: x\n"
                  "dcb: { trust: [dscp] }\n",
                  {"3:15 dcb.trust is dscp, pcp or keep, found a list"}},
        ErrorCase{"number_in_quotes",
                  "version: 1\n"
                  "name: x\n"
                  "rdma-cm-tos: \"104\"\n",
                  {"3:14 rdma-cm-tos: `104` is text; expected ToS byte 0 to 255 (did "
                   "you mean 104?)"}},
        ErrorCase{"hexadecimal_number",
                  "version: 1\n"
                  "name: x\n"
                  "rdma-cm-tos: 0x68\n",
                  {"3:14 rdma-cm-tos: `0x68` is a number; expected ToS byte 0 to 255 "
                   "(did you mean 104?)"}},
        ErrorCase{"number_with_a_leading_zero",
                  "version: 1\n"
                  "name: x\n"
                  "rdma-cm-tos: 0104\n",
                  {"3:14 rdma-cm-tos: `0104` is a number; expected ToS byte 0 to 255 "
                   "(did you mean 104?)"}},
        ErrorCase{"real_number",
                  "version: 1\n"
                  "name: x\n"
                  "mtu: 9000.0\n",
                  {"3:6 mtu: `9000.0` is a number; expected MTU in bytes 68 to 65535 "
                   "(did you mean 9000?)"}},
        ErrorCase{"word_for_a_number",
                  "version: 1\n"
                  "name: x\n"
                  "mtu: jumbo\n",
                  {"3:6 mtu: `jumbo` is text; expected MTU in bytes 68 to 65535"}},
        ErrorCase{"number_for_a_name",
                  "version: 1\n"
                  "name: 5\n",
                  {"2:7 name: `5` is a number; expected text on one line (did you mean "
                   "\"5\"?)"}},
        ErrorCase{"boolean_for_a_name",
                  "version: 1\n"
                  "name: true\n",
                  {"2:7 name: `true` is a boolean; expected text on one line (did you "
                   "mean \"true\"?)"}},
        ErrorCase{"flag_on",
                  "version: 1\n"
                  "name: x\n"
                  "arp: { persist: on }\n",
                  {"3:17 arp.persist: `on` is text; expected true or false (did you "
                   "mean true?)"}},
        ErrorCase{"flag_in_quotes",
                  "version: 1\n"
                  "name: x\n"
                  "arp: { persist: \"true\" }\n",
                  {"3:17 arp.persist: `true` is text; expected true or false (did you "
                   "mean true?)"}},
        ErrorCase{"switch_yes",
                  "version: 1\n"
                  "name: x\n"
                  "pause: { rx: yes }\n",
                  {"3:14 pause.rx: `yes` is text; expected on or off (or true or "
                   "false) (did you mean on?)"}},
        ErrorCase{"switch_number",
                  "version: 1\n"
                  "name: x\n"
                  "pause: { rx: 0 }\n",
                  {"3:14 pause.rx: `0` is a number; expected on or off (or true or "
                   "false) (did you mean off?)"}},
        ErrorCase{"choice_number_in_quotes",
                  "version: 1\n"
                  "name: x\n"
                  "arp: { rp-filter: \"1\" }\n",
                  {"3:19 arp.rp-filter: `1` is text; expected keep, 0, 1 or 2 (did you "
                   "mean 1?)"}},
        ErrorCase{
            "environment_true",
            "version: 1\n"
            "name: x\n"
            "service: { environment: { MINIO_RDMA_INTERNODE: true } }\n",
            {"3:49 service.environment.`MINIO_RDMA_INTERNODE`: `true` is a boolean; an "
             "environment value is text. Writers of YAML 1.1 turn an unquoted on into "
             "true: quote the text that is meant (did you mean \"on\"?)"}},
        ErrorCase{
            "environment_false",
            "version: 1\n"
            "name: x\n"
            "service: { environment: { MINIO_RDMA_INTERNODE: false } }\n",
            {"3:49 service.environment.`MINIO_RDMA_INTERNODE`: `false` is a boolean; "
             "an environment value is text. Writers of YAML 1.1 turn an unquoted off "
             "into false: quote the text that is meant (did you mean \"off\"?)"}},
        ErrorCase{"environment_number",
                  "version: 1\n"
                  "name: x\n"
                  "service: { environment: { MINIO_RDMA_POOL_COUNT: 64 } }\n",
                  {"3:50 service.environment.`MINIO_RDMA_POOL_COUNT`: `64` is a "
                   "number; expected text on one line (did you mean \"64\"?)"}}),
    nameOf);

}  // namespace

}  // namespace fabric::profile
