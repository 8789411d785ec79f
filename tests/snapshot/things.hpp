// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "snapshot/snapshot.hpp"

#include <set>

namespace fabric::snapshot {

inline NicIdentity sampleNic() {
    return {.vendor = 0x15B3,
            .device = 0x1021,
            .permanentMac = *MacAddress::parse("b8:ce:f6:00:00:01")};
}

inline LinkIdentity sampleLink() {
    return {.nic = sampleNic()};
}

inline Snapshot emptySnapshot() {
    using namespace std::chrono;
    return {
        .id = "20261130T084512Z-000012",
        .run = 12,
        .taken = sys_days(year(2026) / 11 / 30) + hours(8) + minutes(45) + seconds(12),
        .command = "apply",
        .profileName = "lossless",
        .profilePath = "/etc/fabricctl/profile.yaml",
        .host = "node1",
        .bootId = "5a0f2d7e",
        .items = {},
        .notRestored = {{.what = "kernel module x", .why = "stays", .unread = true}}};
}

// One item of every thing, with no member at its default.
inline std::vector<Item> oneOfEach() {
    using resource::Kind;
    resource::dcb::State state;
    state.dcbx = std::uint8_t{0x0c};
    state.pfc = resource::dcb::Pfc{
        .capability = 8, .enabled = 8, .macsecBypass = 1, .delay = 7};
    state.ets = resource::dcb::Ets{.willing = 1,
                                   .capability = 8,
                                   .creditBasedShaper = 1,
                                   .transmitBandwidth = {1, 2, 3, 4, 5, 6, 7, 72},
                                   .receiveBandwidth = {8, 7, 6, 5, 4, 3, 2, 1},
                                   .selection = {0, 2, 255, 0, 0, 0, 0, 0},
                                   .priorityToTc = {1, 0, 2, 3, 4, 5, 6, 7},
                                   .recommendedBandwidth = {9, 9, 9, 9, 9, 9, 9, 9},
                                   .recommendedSelection = {2, 2, 2, 2, 2, 2, 2, 2},
                                   .recommendedPriorityToTc = {7, 6, 5, 4, 3, 2, 1, 0}};
    state.maxRates = resource::dcb::MaxRates{0, 100'000, 0, 0, 0, 0, 0, 5'000'000'000};
    state.buffers = resource::dcb::Buffers{.priorityToBuffer = {0, 0, 0, 1, 0, 0, 0, 0},
                                           .bytes = {130944, 130944, 0, 0, 0, 0, 0, 1},
                                           .totalBytes = 262016};
    state.appTrust = std::vector<std::uint8_t>{5, 255};
    return {
        {Kind::mtu, "rail0", "a", Mtu{.link = sampleLink(), .bytes = 1500}},
        {Kind::mtu,
         "rail0.7",
         "a",
         Mtu{.link =
                 {.nic = {}, .kind = "vlan", .name = "rail0.7", .on = {sampleNic()}},
             .bytes = 1400}},
        {Kind::pause,
         "rail0",
         "a",
         Pause{.link = sampleLink(),
               .parameters = {.autonegotiate = true, .rx = true, .tx = true}}},
        {Kind::dcb,
         "rail0",
         "a",
         Dcb{.link = sampleLink(),
             .concerns = {DcbConcern::dcbx,
                          DcbConcern::ets,
                          DcbConcern::maxRate,
                          DcbConcern::pfc,
                          DcbConcern::buffers,
                          DcbConcern::apps,
                          DcbConcern::appTrust},
             .state = state,
             .apps = {{.selector = 5, .protocol = 46, .priority = 6},
                      {.selector = 5, .protocol = 26, .priority = 3},
                      {.selector = 1, .protocol = 0x8906, .priority = 2}}}},
        {Kind::ecn,
         "rail0",
         "a",
         Attributes{
             .link = sampleLink(),
             .texts = {{"/sys/class/net/{interface}/ecn/roce_np/enable/3", "1\n"}}}},
        {Kind::arp,
         "rail0",
         "a",
         Ipv4Conf{
             .link = sampleLink(),
             .values = {{host::Ipv4Key::arpIgnore, 1}, {host::Ipv4Key::rpFilter, -1}}}},
        {Kind::arp,
         "conf.all",
         "a",
         Ipv4Conf{.link = {}, .values = {{host::Ipv4Key::arpAnnounce, 2}}}},
        {Kind::arp,
         "/etc/sysctl.d/99-zz-fabricctl.conf",
         "a",
         File{.path = "/etc/sysctl.d/99-zz-fabricctl.conf", .content = {}}},
        {Kind::service,
         "/etc/systemd/system/minio.service.d/90-fabricctl.conf",
         "a",
         File{.path = "/etc/systemd/system/minio.service.d/90-fabricctl.conf",
              .content = FileContent{.bytes = "[Service]\n",
                                     .mode = 0640,
                                     .owner = {.user = 12, .group = 34}},
              .unit = "minio.service"}},
        {Kind::service,
         "minio.service",
         "a",
         UnitInForce{
             .unit = "minio.service",
             .execStart = {{.path = "/usr/local/bin/minio",
                            .arguments = {"/usr/local/bin/minio", "server", "$OPTS"}}},
             .asserts = {{.type = "AssertFileIsExecutable",
                          .trigger = true,
                          .negate = true,
                          .parameter = "/usr/local/bin/minio"}},
             .limitMemlock = {.soft = 8388608, .hard = host::kNoLimit}}},
        {Kind::acs,
         "0000:00:02.0",
         "a",
         PciWord{.function = {.root = "pci0000:00",
                              .firmwareRoot = "\\_SB_.PC00",
                              .way = {{.device = 2,
                                       .function = 0,
                                       .vendor = 0x1B36,
                                       .deviceId = 0x000C}}},
                 .capabilityId = 13,
                 .capability = 0x148,
                 .registerOffset = 6,
                 .mask = 0x0c,
                 .value = 0x1d}}};
}

}  // namespace fabric::snapshot
