// SPDX-License-Identifier: Apache-2.0
#include "facts/devices_text.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace fabric::facts {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

void addText(Observed& seen, const std::string& path, const std::string& text) {
    seen.files[path].text = text;
}

Observed onePort() {
    Observed seen;
    seen.links = std::vector<host::Link>{{.index = {10}, .name = "ens1f0np0"}};
    seen.ports = std::vector<host::RdmaPort>{{.device = "mlx5_0",
                                              .port = 1,
                                              .linkLayer = host::LinkLayer::ethernet,
                                              .link = {10},
                                              .state = "active",
                                              .firmware = "28.39.1002",
                                              .pci = "0000:1a:00.0"}};
    seen.attributes["mlx5_0/1"] = host::RdmaPortAttributes{
        .activeMtu = 4096, .maxMtu = 4096, .maxSrqWorkRequests = 32767};
    const std::string port = "/sys/class/infiniband/mlx5_0/ports/1/";
    seen.files[port + "gids"].names = std::vector<std::string>{"0", "1", "10", "2"};
    addText(seen, port + "gids/0", "fe80:0000:0000:0000:bace:f6ff:fe00:0001\n");
    addText(seen, port + "gids/1", "0000:0000:0000:0000:0000:0000:0000:0000\n");
    addText(seen, port + "gids/2", "0000:0000:0000:0000:0000:ffff:0a00:0102\n");
    addText(seen, port + "gids/10", "0000:0000:0000:0000:0000:ffff:0a00:0103\n");
    addText(seen, port + "gid_attrs/types/2", "RoCE v2\n");
    addText(seen, port + "gid_attrs/ndevs/2", "ens1f0np0\n");
    return seen;
}

TEST(DevicesText, tells_of_a_port_what_the_facts_hold) {
    const std::string text = devicesText(onePort());
    EXPECT_EQ(text,
              "hca_id: mlx5_0\n"
              "\tpci:                    0000:1a:00.0\n"
              "\tfw_ver:                 28.39.1002\n"
              "\tnode_guid:              unknown\n"
              "\tsys_image_guid:         unknown\n"
              "\tboard_id:               unknown\n"
              "\tmax_srq_wr:             32767\n"
              "\t\tport:                   1\n"
              "\t\t\tstate:                  active\n"
              "\t\t\tmax_mtu:                4096\n"
              "\t\t\tactive_mtu:             4096\n"
              "\t\t\tlink_layer:             ethernet\n"
              "\t\t\tinterface:              ens1f0np0\n"
              "\t\t\tGID[  0]:               fe80:0000:0000:0000:bace:f6ff:fe00:0001, "
              "unknown, unknown\n"
              "\t\t\tGID[  2]:               0000:0000:0000:0000:0000:ffff:0a00:0102, "
              "RoCE v2, ens1f0np0\n"
              "\t\t\tGID[ 10]:               0000:0000:0000:0000:0000:ffff:0a00:0103, "
              "unknown, unknown\n");
}

TEST(DevicesText, what_could_not_be_read_is_unknown_and_never_nothing) {
    Observed seen = onePort();
    seen.attributes.clear();
    seen.files.clear();
    const std::string text = devicesText(seen);
    EXPECT_THAT(text, HasSubstr("active_mtu:             unknown"));
    EXPECT_THAT(text, HasSubstr("GID:                    unknown"));
    seen.ports = fail(systemError("list", "RDMA devices", 13));
    EXPECT_THAT(devicesText(seen), HasSubstr("RDMA devices: unknown: list"));
    EXPECT_THAT(devicesText(Observed{}), HasSubstr("unknown"));
    seen.ports = std::vector<host::RdmaPort>{};
    EXPECT_THAT(devicesText(seen), Not(HasSubstr("unknown")));
}

}  // namespace
}  // namespace fabric::facts
