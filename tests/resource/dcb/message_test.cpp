// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/message.hpp"

#include "bytes.hpp"

#include <gtest/gtest.h>

#include <algorithm>

namespace fabric::resource::dcb {
namespace {

constexpr IfIndex kLink{7};
constexpr std::uint16_t kIeee = 0x8000 | 13;

// Bytes of a zeroed structure with some of them set.
std::vector<std::byte> structure(
    std::size_t size, std::initializer_list<std::pair<std::size_t, int>> set) {
    std::vector<std::byte> bytes(size);
    for (const auto& [offset, value] : set) {
        bytes.at(offset) = static_cast<std::byte>(value);
    }
    return bytes;
}

TEST(DcbMessage, get_requests_carry_no_attributes) {
    EXPECT_EQ(getRequest(kLink).command, host::DcbCommand::ieeeGet);
    EXPECT_EQ(getDcbxRequest(kLink).command, host::DcbCommand::getDcbx);
    EXPECT_TRUE(getRequest(kLink).attributes.empty());
    EXPECT_EQ(getRequest(kLink).link, kLink);
}

TEST(DcbMessage, dcbx_is_one_top_level_byte) {
    const auto request = setDcbxRequest(kLink, 0x0d);
    EXPECT_EQ(request.command, host::DcbCommand::setDcbx);
    EXPECT_EQ(request.attributes, bytesOf({5, 0, 14, 0, 0x0d, 0, 0, 0}));
}

TEST(DcbMessage, pfc_bits_mbc_and_delay_go_in_one_structure) {
    const auto request = setPfcRequest(
        kLink, {.capability = 8, .enabled = 0x08, .macsecBypass = 1, .delay = 0x0102});
    const auto pfc = structure(136, {{0, 8}, {1, 0x08}, {2, 1}, {4, 0x02}, {5, 0x01}});
    EXPECT_EQ(request.command, host::DcbCommand::ieeeSet);
    EXPECT_EQ(request.attributes, attribute(kIeee, attribute(2, pfc)));
}

TEST(DcbMessage, ets_fields_lie_where_struct_ieee_ets_has_them) {
    Ets ets{.willing = 1, .capability = 8, .creditBasedShaper = 1};
    ets.transmitBandwidth[0] = 50;
    ets.receiveBandwidth[0] = 40;
    ets.selection[7] = 2;
    ets.priorityToTc[3] = 3;
    ets.recommendedBandwidth[0] = 11;
    ets.recommendedSelection[0] = 12;
    ets.recommendedPriorityToTc[7] = 13;
    const auto wire = structure(59,
                                {{0, 1},
                                 {1, 8},
                                 {2, 1},
                                 {3, 50},
                                 {11, 40},
                                 {26, 2},
                                 {30, 3},
                                 {35, 11},
                                 {43, 12},
                                 {58, 13}});
    EXPECT_EQ(setEtsRequest(kLink, ets).attributes,
              attribute(kIeee, attribute(1, wire)));
}

TEST(DcbMessage, max_rates_are_eight_64_bit_numbers_in_kbps) {
    MaxRates rates{};
    rates[3] = 100'000'000;  // 0x05f5e100
    const auto wire = structure(64, {{24, 0x00}, {25, 0xe1}, {26, 0xf5}, {27, 0x05}});
    EXPECT_EQ(setMaxRateRequest(kLink, rates).attributes,
              attribute(kIeee, attribute(7, wire)));
}

TEST(DcbMessage, buffers_lie_where_struct_dcbnl_buffer_has_them) {
    Buffers buffers{.totalBytes = 5};
    buffers.priorityToBuffer[3] = 1;
    buffers.bytes[1] = 262144;  // 0x40000
    const auto wire = structure(44, {{3, 1}, {14, 0x04}, {40, 5}});
    EXPECT_EQ(setBufferRequest(kLink, buffers).attributes,
              attribute(kIeee, attribute(10, wire)));
}

TEST(DcbMessage, one_app_entry_per_message) {
    const AppEntry entry{.selector = 5, .protocol = 26, .priority = 3};
    const auto wire =
        attribute(kIeee, attribute(0x8003, attribute(1, bytesOf({5, 3, 26, 0}))));
    EXPECT_EQ(setAppRequest(kLink, entry).attributes, wire);
    EXPECT_EQ(setAppRequest(kLink, entry).command, host::DcbCommand::ieeeSet);
    EXPECT_EQ(deleteAppRequest(kLink, entry).attributes, wire);
    EXPECT_EQ(deleteAppRequest(kLink, entry).command, host::DcbCommand::ieeeDelete);
}

TEST(DcbMessage, app_trust_keeps_the_order_and_pcp_has_its_own_type) {
    const std::vector<std::uint8_t> selectors{5, 255};
    const auto wire = attribute(
        kIeee,
        attribute(0x800b,
                  joined({attribute(1, bytesOf({5})), attribute(2, bytesOf({255}))})));
    EXPECT_EQ(setAppTrustRequest(kLink, selectors).attributes, wire);
}

}  // namespace
}  // namespace fabric::resource::dcb
