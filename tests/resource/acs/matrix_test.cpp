// SPDX-License-Identifier: Apache-2.0
#include "resource/acs/matrix.hpp"

#include "resource/acs/acs_machine.hpp"

#include <gtest/gtest.h>

namespace fabric::resource::acs {
namespace {

struct Matrix {
    AcsMachine machine;
    inventory::PciTopology pci;
    std::vector<GpuNicPath> paths;

    explicit Matrix(std::string_view name)
        : machine(name), pci(machine.host.pci.functions().value()) {
        look();
    }

    void look() {
        const auto rdma = rdmaFunctions(machine.host.reader()).value();
        paths = gpuNicPaths(machine.host.pci, pci, findEndpoints(pci, rdma, {}));
    }

    [[nodiscard]] const GpuNicPath& of(std::string_view gpu,
                                       std::string_view nic) const {
        for (const GpuNicPath& path : paths) {
            if (path.gpu == bdf(gpu) && path.nic == bdf(nic)) {
                return path;
            }
        }
        throw std::runtime_error("no such pair");
    }
};

TEST(GpuNicMatrix, h100_has_every_pair_with_its_relation) {
    const Matrix matrix("h100-pex890xx");
    EXPECT_EQ(matrix.paths.size(), 8U * 12U);
    EXPECT_EQ(matrix.of("0000:19:00.0", "0000:1a:00.0").relation,
              inventory::PciRelation::pix);
    EXPECT_EQ(matrix.of("0000:19:00.0", "0000:1b:00.0").relation,
              inventory::PciRelation::pix);
    EXPECT_EQ(matrix.of("0000:19:00.0", "0000:3c:00.0").relation,
              inventory::PciRelation::node);
    EXPECT_EQ(matrix.of("0000:19:00.0", "0000:9c:00.0").relation,
              inventory::PciRelation::sys);
}

TEST(GpuNicMatrix, between_are_the_bridges_below_the_common_one) {
    const Matrix matrix("h100-pex890xx");
    const GpuNicPath& path = matrix.of("0000:19:00.0", "0000:1a:00.0");
    ASSERT_EQ(path.between.size(), 2U);
    EXPECT_EQ(path.between[0].address, bdf("0000:17:01.0"));
    EXPECT_EQ(path.between[1].address, bdf("0000:17:02.0"));
    EXPECT_EQ(path.between[0].redirects(), false);
}

TEST(GpuNicMatrix, h200_and_its_guest_show_the_difference) {
    const Matrix metal("h200-pex890xx");
    EXPECT_EQ(metal.of("0000:18:00.0", "0000:19:00.0").relation,
              inventory::PciRelation::pix);
    const Matrix guest("h200-guest");
    for (const GpuNicPath& path : guest.paths) {
        EXPECT_EQ(path.relation, inventory::PciRelation::phb);
        EXPECT_TRUE(toValue(path).member("direct")->isNull());
    }
}

TEST(GpuNicMatrix, gb300_meets_its_data_direct_function_through_two_switches) {
    const Matrix matrix("gb300-data-direct");
    EXPECT_EQ(matrix.of("0009:06:00.0", "0009:03:00.0").relation,
              inventory::PciRelation::pxb);
    EXPECT_EQ(matrix.of("0009:06:00.0", "0000:03:00.0").relation,
              inventory::PciRelation::node);
}

TEST(GpuNicMatrix, the_value_says_whether_peer_traffic_is_direct) {
    Matrix matrix("h100-pex890xx");
    const auto direct = [&] {
        return *toValue(matrix.of("0000:19:00.0", "0000:1a:00.0")).member("direct");
    };
    EXPECT_EQ(direct(), Value(true));
    hosts::setControl(matrix.machine.host, "0000:17:02.0", 0x0004);
    matrix.look();
    EXPECT_EQ(direct(), Value(false));
    matrix.machine.at("0000:17:02.0").allOnes = true;
    matrix.look();
    EXPECT_TRUE(direct().isNull());
}

TEST(GpuNicMatrix, the_value_lists_the_bridges_in_order) {
    const Matrix matrix("h100-pex890xx");
    const Value value = toValue(matrix.of("0000:19:00.0", "0000:1a:00.0"));
    EXPECT_EQ(*value.member("relation"), Value("PIX"));
    const Value::List& bridges = *value.member("bridges")->asList();
    ASSERT_EQ(bridges.size(), 2U);
    EXPECT_EQ(*bridges[0].member("pci"), Value("0000:17:01.0"));
    EXPECT_EQ(*bridges[0].member("port"), Value("switch downstream port"));
    EXPECT_EQ(*bridges[0].member("control"), Value("0x0000"));
}

}  // namespace
}  // namespace fabric::resource::acs
