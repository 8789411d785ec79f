// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/explain.hpp"

#include "harness.hpp"
#include "resource/dcb/message.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace fabric::resource::dcb {
namespace {

Error refusal(int number) {
    return {.kind = ErrorKind::refused, .action = "set PFC", .sysErrno = number};
}

// The example that the driver's formula gives for 100 Gbit/s, 7 m and MTU 9000.
TEST(DcbExplain, the_lossless_minimum_follows_the_drivers_formula) {
    const PortFacts port{.mtu = 9000, .maxMtu = 9216};
    EXPECT_EQ(losslessMinimum(port, 100'000, Meters{7}), 65424U);
    EXPECT_EQ(losslessMinimum(port, 10'000, Meters{7}),
              losslessMinimum(port, 40'000, Meters{7}));
}

TEST(DcbExplain, einval_of_a_port_whose_firmware_owns_dcbx_names_it) {
    State state;
    state.dcbx = 0x0a;
    const std::string text = explainRefusal(setPfcRequest({7}, {}),
                                            refusal(EINVAL),
                                            driverFacts("ice"),
                                            state,
                                            {.name = "ens2f0"});
    EXPECT_NE(text.find("firmware owns DCBX"), std::string::npos);
    EXPECT_NE(text.find("ens2f0 fw-lldp-agent off"), std::string::npos);
    state.dcbx = 0x09;
    EXPECT_EQ(explainRefusal(setPfcRequest({7}, {}),
                             refusal(EINVAL),
                             driverFacts("ice"),
                             state,
                             {.name = "ens2f0"})
                  .find("firmware owns"),
              std::string::npos);
}

TEST(DcbExplain, enomem_says_what_is_there_and_what_is_needed) {
    State state;
    state.buffers = Buffers{.totalBytes = 262016};
    state.pfc = Pfc{.delay = 7};
    const std::string text = explainRefusal(
        setBufferRequest({7}, {}),
        refusal(ENOMEM),
        driverFacts("mlx5_core"),
        state,
        {.name = "rail0", .speedMbps = 100'000, .mtu = 9000, .maxMtu = 9216});
    EXPECT_NE(text.find("262016"), std::string::npos);
    EXPECT_NE(text.find("65424"), std::string::npos);
}

TEST(DcbExplain, too_many_lossless_classes_are_named) {
    State state;
    state.dcbx = 0x09;
    state.pfc = Pfc{.capability = 2};
    const std::string text = explainRefusal(
        setPfcRequest({7}, {}), refusal(EINVAL), driverFacts("bnxt_en"), state, {});
    EXPECT_NE(text.find("2 traffic classes"), std::string::npos);
}

TEST(DcbExplain, an_errno_that_says_it_all_is_left_alone) {
    EXPECT_EQ(
        explainRefusal(
            setPfcRequest({7}, {}), refusal(EIO), driverFacts("mlx5_core"), {}, {}),
        "");
}

TEST(DcbExplain, a_failed_write_is_explained_from_what_the_host_says_now) {
    Machine machine(fake::DcbDriver::ice);
    machine.port().dcbx = 0x0a;
    machine.host.links.add(7, "rail0");
    machine.host.ethtool.drivers[{7}] = {.driver = "ice"};
    const std::string text = explainFailedWrite(
        machine.host.reader(), setPfcRequest({7}, {}), refusal(EINVAL));
    EXPECT_NE(text.find("rail0 fw-lldp-agent off"), std::string::npos);
    EXPECT_EQ(machine.dcb.setterCalls(), 0U);
}

}  // namespace
}  // namespace fabric::resource::dcb
