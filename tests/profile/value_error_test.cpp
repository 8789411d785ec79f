// SPDX-License-Identifier: Apache-2.0
#include "profile/error_case.hpp"

namespace fabric::profile {

namespace {

class ValueErrors : public testing::TestWithParam<ErrorCase> {};

TEST_P(ValueErrors, are_listed_with_place_and_suggestion) {
    EXPECT_EQ(errorLines(GetParam().text), GetParam().lines);
}

INSTANTIATE_TEST_SUITE_P(
    Profile,
    ValueErrors,
    testing::Values(
        ErrorCase{"dscp_64",
                  "version: 1\n"
                  "name: x\n"
                  "dcb: { dscp-to-priority: { 64: 3 } }\n",
                  {"3:28 dcb.dscp-to-priority: `64` is impossible; expected DSCP 0 to "
                   "63 (did you mean 63?)"}},
        ErrorCase{"priority_8",
                  "version: 1\n"
                  "name: x\n"
                  "dcb: { lossless: { priority: 8 } }\n",
                  {"3:30 dcb.lossless.priority: `8` is impossible; expected priority 0 "
                   "to 7 (did you mean 7?)"}},
        ErrorCase{"priority_below_zero",
                  "version: 1\n"
                  "name: x\n"
                  "dcb: { lossless: { priority: -1 } }\n",
                  {"3:30 dcb.lossless.priority: `-1` is impossible; expected priority "
                   "0 to 7 (did you mean 0?)"}},
        ErrorCase{"priority_beyond_64_bits",
                  "version: 1\n"
                  "name: x\n"
                  "dcb: { lossless: { priority: 99999999999999999999 } }\n",
                  {"3:30 dcb.lossless.priority: `99999999999999999999` is impossible; "
                   "expected priority 0 to 7 (did you mean 7?)"}},
        ErrorCase{"buffer_8",
                  "version: 1\n"
                  "name: x\n"
                  "dcb: { priority-to-buffer: { 3: 8 } }\n",
                  {"3:33 dcb.priority-to-buffer.`3`: `8` is impossible; expected "
                   "buffer 0 to 7 (did you mean 7?)"}},
        ErrorCase{"traffic_class_9",
                  "version: 1\n"
                  "name: x\n"
                  "dcb: { ets: { priority-to-tc: { 3: 9 } } }\n",
                  {"3:36 dcb.ets.priority-to-tc.`3`: `9` is impossible; expected "
                   "traffic class 0 to 7 (did you mean 7?)"}},
        ErrorCase{"percentage_101",
                  "version: 1\n"
                  "name: x\n"
                  "dcb: { ets: { bandwidth: { 0: 101 } } }\n",
                  {"3:31 dcb.ets.bandwidth.`0`: `101` is impossible; expected "
                   "percentage 0 to 100 (did you mean 100?)"}},
        ErrorCase{"mapped_key_is_a_word",
                  "version: 1\n"
                  "name: x\n"
                  "dcb: { dscp-to-priority: { af31: 3 } }\n",
                  {"3:28 dcb.dscp-to-priority: `af31` is text; expected DSCP 0 to 63"}},
        ErrorCase{
            "swapped_letters",
            "version: 1\n"
            "name: x\n"
            "dcb: { trust: dcsp }\n",
            {"3:15 dcb.trust: `dcsp` is not dscp, pcp or keep (did you mean dscp?)"}},
        ErrorCase{"word_without_a_neighbour",
                  "version: 1\n"
                  "name: x\n"
                  "rails: { default-route: reject }\n",
                  {"3:25 rails.default-route: `reject` is not refuse or include"}},
        ErrorCase{"rp_filter_3",
                  "version: 1\n"
                  "name: x\n"
                  "arp: { rp-filter: 3 }\n",
                  {"3:19 arp.rp-filter: `3` is not keep, 0, 1 or 2 (did you mean 2?)"}},
        ErrorCase{"cable_of_1000_metres",
                  "version: 1\n"
                  "name: x\n"
                  "dcb: { cable-length: 1000m }\n",
                  {"3:22 dcb.cable-length: `1000m` is impossible; expected a length "
                   "from 1m to 999m (a number and m); mlx5 ignores other lengths "
                   "without an error (did you mean 999m?)"}},
        ErrorCase{"cable_of_0_metres",
                  "version: 1\n"
                  "name: x\n"
                  "dcb: { cable-length: 0 }\n",
                  {"3:22 dcb.cable-length: `0` is impossible; expected a length from "
                   "1m to 999m (a number and m); mlx5 ignores other lengths without an "
                   "error (did you mean 1m?)"}},
        ErrorCase{
            "cable_without_unit",
            "version: 1\n"
            "name: x\n"
            "dcb: { cable-length: 5 }\n",
            {"3:22 dcb.cable-length: `5` is not a length from 1m to 999m (a number and "
             "m); mlx5 ignores other lengths without an error (did you mean 5m?)"}},
        ErrorCase{"size_with_short_unit",
                  "version: 1\n"
                  "name: x\n"
                  "dcb: { buffer-size: { 1: 256K } }\n",
                  {"3:26 dcb.buffer-size.`1`: `256K` is not a size from 0B to "
                   "4294967295B (a number and B, KiB, MiB, GiB, TiB, kB, MB, GB or TB) "
                   "(did you mean 256KiB?)"}},
        ErrorCase{"size_without_unit",
                  "version: 1\n"
                  "name: x\n"
                  "dcb: { buffer-size: { 1: 262144 } }\n",
                  {"3:26 dcb.buffer-size.`1`: `262144` is not a size from 0B to "
                   "4294967295B (a number and B, KiB, MiB, GiB, TiB, kB, MB, GB or TB) "
                   "(did you mean 262144B?)"}},
        ErrorCase{"size_of_five_gigabytes",
                  "version: 1\n"
                  "name: x\n"
                  "dcb: { buffer-size: { 1: 5GiB } }\n",
                  {"3:26 dcb.buffer-size.`1`: `5GiB` is impossible; expected a size "
                   "from 0B to 4294967295B (a number and B, KiB, MiB, GiB, TiB, kB, "
                   "MB, GB or TB) (did you mean 4294967295B?)"}},
        ErrorCase{"rate_with_short_unit",
                  "version: 1\n"
                  "name: x\n"
                  "dcb: { max-rate: { 3: 100G } }\n",
                  {"3:23 dcb.max-rate.`3`: `100G` is not a rate from 1kbit to 10Tbit "
                   "(a number and kbit, Mbit, Gbit or Tbit) (did you mean 100Gbit?)"}},
        ErrorCase{
            "rate_in_gbps",
            "version: 1\n"
            "name: x\n"
            "dcb: { max-rate: { 3: 2.5Gbps } }\n",
            {"3:23 dcb.max-rate.`3`: `2.5Gbps` is not a rate from 1kbit to 10Tbit (a "
             "number and kbit, Mbit, Gbit or Tbit) (did you mean 2.5Gbit?)"}},
        ErrorCase{"rate_is_a_word",
                  "version: 1\n"
                  "name: x\n"
                  "dcb: { max-rate: { 3: fast } }\n",
                  {"3:23 dcb.max-rate.`3`: `fast` is not a rate from 1kbit to 10Tbit "
                   "(a number and kbit, Mbit, Gbit or Tbit)"}},
        ErrorCase{"wait_without_unit",
                  "version: 1\n"
                  "name: x\n"
                  "rails: { wait: 30 }\n",
                  {"3:16 rails.wait: `30` is not a duration from 0ms to 1h (a number "
                   "and ms, s, min or h) (did you mean 30s?)"}},
        ErrorCase{"wait_of_two_hours",
                  "version: 1\n"
                  "name: x\n"
                  "rails: { wait: 2h }\n",
                  {"3:16 rails.wait: `2h` is impossible; expected a duration from 0ms "
                   "to 1h (a number and ms, s, min or h) (did you mean 1h?)"}},
        ErrorCase{"infinite",
                  "version: 1\n"
                  "name: x\n"
                  "service: { limit-memlock: infinite }\n",
                  {"3:27 service.limit-memlock: `infinite` is not a size (a number and "
                   "B, KiB, MiB, GiB, TiB, kB, MB, GB or TB) or infinity (did you mean "
                   "infinity?)"}},
        ErrorCase{"mtu_90000",
                  "version: 1\n"
                  "name: x\n"
                  "mtu: 90000\n",
                  {"3:6 mtu: `90000` is impossible; expected MTU in bytes 68 to 65535 "
                   "(did you mean 9000?)"}},
        ErrorCase{"tos_256",
                  "version: 1\n"
                  "name: x\n"
                  "rdma-cm-tos: 256\n",
                  {"3:14 rdma-cm-tos: `256` is impossible; expected ToS byte 0 to 255 "
                   "(did you mean 255?)"}},
        ErrorCase{"unit_without_suffix",
                  "version: 1\n"
                  "name: x\n"
                  "service: { unit: minio }\n",
                  {"3:18 service.unit: `minio` is not a systemd unit name that ends in "
                   ".service (did you mean minio.service?)"}},
        ErrorCase{"unit_of_another_type",
                  "version: 1\nname: x\nservice: { unit: minio.socket }\n",
                  {"3:18 service.unit: `minio.socket` is not a systemd unit name that "
                   "ends in .service (did you mean minio.service?)"}},
        ErrorCase{"unit_without_a_name",
                  "version: 1\nname: x\nservice: { unit: .service }\n",
                  {"3:18 service.unit: `.service` is not a systemd unit name that ends "
                   "in .service"}},
        ErrorCase{"binary_is_relative",
                  "version: 1\n"
                  "name: x\n"
                  "service: { binary: minio.rdma }\n",
                  {"3:20 service.binary: `minio.rdma` is not an absolute path of a "
                   "file without //, /./ and /../"}},
        ErrorCase{"unit_of_our_own",
                  "version: 1\nname: x\nservice: { unit: fabricctl.service }\n",
                  {"3:18 service.unit: `fabricctl.service` is a unit of fabricctl "
                   "itself; name that of the storage server (did you mean "
                   "minio.service?)"}},
        ErrorCase{"unit_of_our_own_instance",
                  "version: 1\nname: x\nservice: { unit: fabricctl-rail@1.service }\n",
                  {"3:18 service.unit: `fabricctl-rail@1.service` is a unit of "
                   "fabricctl itself; name that of the storage server (did you mean "
                   "minio.service?)"}},
        ErrorCase{"binary_in_another_spelling",
                  "version: 1\n"
                  "name: x\n"
                  "service: { binary: /usr//local/./bin/x/ }\n",
                  {"3:20 service.binary: `/usr//local/./bin/x/` is not an absolute "
                   "path of a file without //, /./ and /../ (did you mean "
                   "/usr/local/bin/x?)"}},
        ErrorCase{"binary_by_its_neighbour",
                  "version: 1\n"
                  "name: x\n"
                  "service: { binary: /usr/local/bin/../sbin/x }\n",
                  {"3:20 service.binary: `/usr/local/bin/../sbin/x` is not an absolute "
                   "path of a file without //, /./ and /../ (did you mean "
                   "/usr/local/sbin/x?)"}},
        ErrorCase{"environment_switch_in_capitals",
                  "version: 1\n"
                  "name: x\n"
                  "service:\n"
                  "  environment:\n"
                  "    MINIO_RDMA_INTERNODE: ON\n"
                  "    MINIO_RDMA_DEBUG: maybe\n",
                  {"5:27 service.environment.`MINIO_RDMA_INTERNODE`: `ON` is ignored "
                   "by the server without a word; expected on or off, in small "
                   "letters (did you mean \"on\"?)",
                   "6:23 service.environment.`MINIO_RDMA_DEBUG`: `maybe` is ignored by "
                   "the server without a word; expected on or off, in small letters"}},
        ErrorCase{"environment_number_with_a_unit",
                  "version: 1\n"
                  "name: x\n"
                  "service:\n"
                  "  environment:\n"
                  "    MINIO_RDMA_POOL_COUNT: 64k\n"
                  "    MINIO_RDMA_TIMEOUT: \"32\"\n"
                  "    MINIO_RDMA_POOL_BUF_SIZE: 64MiB\n",
                  {"5:28 service.environment.`MINIO_RDMA_POOL_COUNT`: `64k` is ignored "
                   "by the server without a word; expected a plain number",
                   "6:25 service.environment.`MINIO_RDMA_TIMEOUT`: `32` is ignored by "
                   "the server without a word; expected a number 0 to 31"}},
        ErrorCase{"environment_name_misspelt",
                  "version: 1\n"
                  "name: x\n"
                  "service:\n"
                  "  environment:\n"
                  "    MINIO_RDMA_INTERNODES: \"on\"\n"
                  "    MINIO_RMDA_DEBUG: \"on\"\n"
                  "    minio_rdma_timeout: \"14\"\n",
                  {"5:5 service.environment: `MINIO_RDMA_INTERNODES` is no setting of "
                   "the server, which ignores it without a word (did you mean "
                   "MINIO_RDMA_INTERNODE?)",
                   "6:5 service.environment: `MINIO_RMDA_DEBUG` is no setting of the "
                   "server, which ignores it without a word (did you mean "
                   "MINIO_RDMA_DEBUG?)",
                   "7:5 service.environment: `minio_rdma_timeout` is no setting of the "
                   "server, which ignores it without a word (did you mean "
                   "MINIO_RDMA_TIMEOUT?)"}},
        ErrorCase{"peers_from_is_relative",
                  "version: 1\n"
                  "name: x\n"
                  "neighbours: { peers-from: facts }\n",
                  {"3:27 neighbours.peers-from: `facts` is not an absolute path"}},
        ErrorCase{"environment_name_with_digit",
                  "version: 1\n"
                  "name: x\n"
                  "service: { environment: { 9X: a } }\n",
                  {"3:27 service.environment: `9X` is not an environment name "
                   "(letters, digits and _, no digit first)"}},
        ErrorCase{"address_300",
                  "version: 1\n"
                  "name: x\n"
                  "neighbours: { peers: [{ host: a, rail: b, address: 10.0.0.300, mac: "
                  "\"b8:ce:f6:00:00:01\" }] }\n",
                  {"3:52 neighbours.peers.address: `10.0.0.300` is not an IPv4 or IPv6 "
                   "address"}},
        ErrorCase{
            "address_with_a_zero_byte",
            "version: 1\n"
            "name: x\n"
            "neighbours: { peers: [{ host: a, rail: b, address: \"10.0.0.3\\0x\", "
            "mac: \"b8:ce:f6:00:00:01\" }] }\n",
            {"3:52 neighbours.peers.address: `10.0.0.3\\x00x` is not an IPv4 or "
             "IPv6 address"}},
        ErrorCase{"mac_of_five",
                  "version: 1\n"
                  "name: x\n"
                  "neighbours: { peers: [{ host: a, rail: b, address: 10.0.0.3, mac: "
                  "\"b8:ce:f6:00:00\" }] }\n",
                  {"3:67 neighbours.peers.mac: `b8:ce:f6:00:00` is not a MAC address "
                   "such as b8:ce:f6:00:00:01"}},
        ErrorCase{"module_with_slash",
                  "version: 1\n"
                  "name: x\n"
                  "modules: [a/b]\n",
                  {"3:11 modules: `a/b` is not a kernel module name (letters, digits, "
                   "_ and -)"}},
        ErrorCase{"vendor_not_hexadecimal",
                  "version: 1\n"
                  "name: x\n"
                  "rails: { match: [{ vendor: mellanox }] }\n",
                  {"3:28 rails.match.vendor: `mellanox` is not hexadecimal digits or a "
                   "glob over them (*, ?, [set])"}},
        ErrorCase{"arp_ignore_0",
                  "version: 1\n"
                  "name: x\n"
                  "arp: { ignore: 0 }\n",
                  {"3:16 arp.ignore: `0` is impossible; expected arp_ignore 1 or 2; 0 "
                   "answers for every local address on any rail, 3 to 7 and above 8 "
                   "still answer for other interfaces' addresses, 8 answers nothing "
                   "(did you mean 1?)"}},
        ErrorCase{"arp_ignore_3",
                  "version: 1\n"
                  "name: x\n"
                  "arp: { ignore: 3 }\n",
                  {"3:16 arp.ignore: `3` is impossible; expected arp_ignore 1 or 2; 0 "
                   "answers for every local address on any rail, 3 to 7 and above 8 "
                   "still answer for other interfaces' addresses, 8 answers nothing "
                   "(did you mean 2?)"}},
        ErrorCase{"arp_ignore_8",
                  "version: 1\n"
                  "name: x\n"
                  "arp: { ignore: 8 }\n",
                  {"3:16 arp.ignore: `8` is impossible; expected arp_ignore 1 or 2; 0 "
                   "answers for every local address on any rail, 3 to 7 and above 8 "
                   "still answer for other interfaces' addresses, 8 answers nothing "
                   "(did you mean 2?)"}},
        ErrorCase{"arp_announce_1",
                  "version: 1\n"
                  "name: x\n"
                  "arp: { announce: 1 }\n",
                  {"3:18 arp.announce: `1` is impossible; expected arp_announce 2; 0 "
                   "and 1 may ask with another rail's address, above 2 the kernel acts "
                   "as with 0 (did you mean 2?)"}},
        ErrorCase{"expect_zero",
                  "version: 1\n"
                  "name: x\n"
                  "rails: { expect: 0 }\n",
                  {"3:18 rails.expect: `0` is impossible; expected number of rails 1 "
                   "to 1024 (did you mean 1?)"}},
        ErrorCase{"expect_of_nothing",
                  "version: 1\n"
                  "name: x\n"
                  "rails: { expect: {} }\n",
                  {"3:18 rails.expect needs at least one key"}},
        ErrorCase{"no_selector",
                  "version: 1\n"
                  "name: x\n"
                  "rails: { match: [] }\n",
                  {"3:17 rails.match is empty; leave it out for the default"}},
        ErrorCase{"empty_selector",
                  "version: 1\n"
                  "name: x\n"
                  "rails: { match: [{}] }\n",
                  {"3:18 rails.match item needs at least one key"}},
        ErrorCase{"null_in_a_selector",
                  "version: 1\n"
                  "name: x\n"
                  "rails: { match: [{ interface: null }] }\n",
                  {"3:31 rails.match.interface must have a value"}},
        ErrorCase{"override_for_every_rail",
                  "version: 1\n"
                  "name: x\n"
                  "overrides: [{ match: {}, mtu: 9000 }]\n",
                  {"3:22 overrides.match needs at least one key"}},
        ErrorCase{"section_without_value",
                  "version: 1\n"
                  "name: x\n"
                  "arp:\n"
                  "mtu: 9000\n",
                  {"3:1 arp has no value; write {} for its defaults or null to leave "
                   "it unowned (did you mean {}?)"}},
        ErrorCase{"key_without_value",
                  "version: 1\n"
                  "name: x\n"
                  "dcb:\n"
                  "  pfc:\n"
                  "  trust: dscp\n",
                  {"4:3 dcb.pfc has no value; write one or null to leave it unowned"}},
        ErrorCase{"map_member_without_value",
                  "version: 1\n"
                  "name: x\n"
                  "dcb:\n"
                  "  dscp-to-priority:\n"
                  "    26:\n",
                  {"5:5 dcb.dscp-to-priority.`26` has no value"}},
        ErrorCase{"version_null",
                  "version: null\n"
                  "name: x\n",
                  {"1:10 version must have a value"}},
        ErrorCase{"name_null",
                  "version: 1\n"
                  "name: null\n",
                  {"1:1 key `name` is missing"}}),
    nameOf);

}  // namespace

}  // namespace fabric::profile
