// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/answer.hpp"

#include "bytes.hpp"
#include "resource/dcb/message.hpp"

#include <gtest/gtest.h>

#include <cerrno>

namespace fabric::resource::dcb {
namespace {

constexpr IfIndex kLink{7};

host::DcbRequest pfcRequest() {
    return setPfcRequest(kLink, {});
}

host::DcbAnswer ieeeAnswer(std::initializer_list<std::vector<std::byte>> parts) {
    return attribute(13, joined(parts));
}

TEST(DcbAnswer, decodes_every_attribute_that_is_there) {
    std::vector<std::byte> pfc(136);
    pfc[0] = std::byte{8};
    pfc[1] = std::byte{0x08};
    pfc[4] = std::byte{5};
    std::vector<std::byte> ets(59);
    ets[30] = std::byte{3};
    std::vector<std::byte> rates(64);
    rates[0] = std::byte{9};
    std::vector<std::byte> buffers(44);
    buffers[3] = std::byte{1};
    const auto answer = joined(
        {attribute(1, bytesOf({'e', 't', 'h', '0', 0})),
         ieeeAnswer({attribute(1, ets),
                     attribute(7, rates),
                     attribute(2, pfc),
                     attribute(10, buffers),
                     attribute(3,
                               joined({attribute(1, bytesOf({5, 3, 26, 0})),
                                       attribute(1, bytesOf({1, 3, 0x15, 0x89}))})),
                     attribute(0x800b, attribute(1, bytesOf({5})))}),
         attribute(14, bytesOf({0x0d}))});
    const auto state = decodeState(answer);
    ASSERT_TRUE(state.has_value());
    EXPECT_EQ(state->dcbx, 0x0d);
    EXPECT_EQ(state->pfc->enabled, 0x08);
    EXPECT_EQ(state->pfc->delay, 5);
    EXPECT_EQ(state->pfc->priorities(), std::set{Priority::of(3)});
    EXPECT_EQ(state->ets->priorityToTc[3], 3);
    EXPECT_EQ((*state->maxRates)[0], 9U);
    EXPECT_EQ(state->buffers->priorityToBuffer[3], 1);
    EXPECT_EQ(state->appTrust, std::vector<std::uint8_t>{5});
    const std::vector<AppEntry> entries{
        {.selector = 1, .protocol = 0x8915, .priority = 3},
        {.selector = 5, .protocol = 26, .priority = 3}};
    EXPECT_EQ(state->apps, entries);
}

TEST(DcbAnswer, D07_missing_attribute_is_not_off) {
    const auto state = decodeState(ieeeAnswer({attribute(3, {})}));
    ASSERT_TRUE(state.has_value());
    EXPECT_FALSE(state->pfc.has_value());
    EXPECT_FALSE(state->ets.has_value());
    EXPECT_FALSE(state->buffers.has_value());
    EXPECT_FALSE(state->maxRates.has_value());
    EXPECT_FALSE(state->dcbx.has_value());
    EXPECT_FALSE(state->appTrust.has_value());
    ASSERT_TRUE(state->apps.has_value());
    EXPECT_TRUE(state->apps->empty());
}

TEST(DcbAnswer, D12_duplicates_of_one_dscp_are_kept_and_sorted) {
    const auto state = decodeState(
        ieeeAnswer({attribute(3,
                              joined({attribute(1, bytesOf({5, 3, 26, 0})),
                                      attribute(1, bytesOf({5, 0, 26, 0}))}))}));
    ASSERT_TRUE(state.has_value());
    EXPECT_EQ(state->apps->size(), 2U);
    EXPECT_EQ(state->dscpEntries().at(Dscp::of(26)), (std::set<std::uint8_t>{0, 3}));
}

TEST(DcbAnswer, unknown_and_peer_attributes_are_ignored) {
    const auto state = decodeState(ieeeAnswer({attribute(5, bytesOf({1})),
                                               attribute(0x800c, {}),
                                               attribute(200, bytesOf({1, 2}))}));
    ASSERT_TRUE(state.has_value());
    EXPECT_EQ(*state, State{});
}

TEST(DcbAnswer, a_structure_that_is_too_short_is_malformed) {
    const auto state = decodeState(ieeeAnswer({attribute(2, bytesOf({8, 8}))}));
    ASSERT_FALSE(state.has_value());
    EXPECT_EQ(state.error().kind, ErrorKind::malformed);
}

TEST(DcbAnswer, every_truncation_is_an_error_or_a_smaller_state_and_never_a_crash) {
    const auto whole =
        joined({ieeeAnswer({attribute(2, std::vector<std::byte>(136)),
                            attribute(3, attribute(1, bytesOf({5, 3, 26, 0})))}),
                attribute(14, bytesOf({1}))});
    for (std::size_t length = 0; length < whole.size(); ++length) {
        const host::DcbAnswer cut(whole.begin(),
                                  whole.begin() + static_cast<std::ptrdiff_t>(length));
        const auto state = decodeState(cut);
        if (!state) {
            EXPECT_EQ(state.error().kind, ErrorKind::malformed);
        }
    }
}

TEST(DcbResult, D01_a_refusal_inside_an_ordinary_reply_is_an_error_with_its_errno) {
    const auto result = decodeSetResult(pfcRequest(), ieeeResult(-EINVAL));
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().sysErrno, EINVAL);
    EXPECT_EQ(result.error().kind, ErrorKind::refused);
    EXPECT_EQ(result.error().action, "set PFC");
    const auto missing = decodeSetResult(pfcRequest(), ieeeResult(-EOPNOTSUPP));
    ASSERT_FALSE(missing.has_value());
    EXPECT_EQ(missing.error().kind, ErrorKind::unsupported);
}

TEST(DcbResult, D05_byte_244_names_enomem_and_enotsupp) {
    const auto result = decodeSetResult(pfcRequest(), ieeeResult(244));
    ASSERT_FALSE(result.has_value());
    EXPECT_NE(result.error().message().find("ENOMEM"), std::string::npos);
    EXPECT_NE(result.error().message().find("ENOTSUPP"), std::string::npos);
    EXPECT_EQ(decodeSetResult(pfcRequest(), ieeeResult(-524)).error().detail,
              result.error().detail);
}

TEST(DcbResult, D06_a_positive_code_is_neither_success_nor_errno) {
    for (const int code : {1, 2}) {
        const auto result = decodeSetResult(pfcRequest(), ieeeResult(code));
        ASSERT_TRUE(result.has_value());
        EXPECT_TRUE(result->unproven);
        EXPECT_EQ(result->code, code);
        EXPECT_NE(result->note.find("not proven"), std::string::npos);
    }
}

TEST(DcbResult, D17_dcbx_answer_1_is_left_to_the_read_back) {
    const auto request = setDcbxRequest(kLink, 9);
    const auto result = decodeSetResult(request, dcbxResult(1));
    ASSERT_TRUE(result.has_value());
    EXPECT_TRUE(result->unproven);
    EXPECT_FALSE(decodeSetResult(request, dcbxResult(0))->unproven);
    EXPECT_TRUE(decodeSetResult(request, dcbxResult(255))->unproven);
}

TEST(DcbResult, D20_eperm_from_the_driver_is_a_refusal_not_a_lack_of_rights) {
    const auto result = decodeSetResult(pfcRequest(), ieeeResult(-EPERM));
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().kind, ErrorKind::refused);
    EXPECT_EQ(result.error().sysErrno, EPERM);
}

TEST(DcbResult, zero_is_accepted_and_claims_nothing_else) {
    EXPECT_EQ(decodeSetResult(pfcRequest(), ieeeResult(0)), SetOutcome{});
}

TEST(DcbResult, an_answer_without_a_result_is_malformed) {
    const auto empty = decodeSetResult(pfcRequest(), {});
    ASSERT_FALSE(empty.has_value());
    EXPECT_EQ(empty.error().kind, ErrorKind::malformed);
    EXPECT_FALSE(decodeSetResult(pfcRequest(), attribute(13, {})).has_value());
    EXPECT_FALSE(decodeSetResult(pfcRequest(), bytesOf({0, 0, 0, 0})).has_value());
    EXPECT_FALSE(decodeSetResult(pfcRequest(), dcbxResult(0)).has_value());
}

TEST(DcbResult, requests_are_named_in_messages) {
    const AppEntry entry{.selector = 5, .protocol = 26, .priority = 3};
    EXPECT_EQ(describe(setAppRequest(kLink, entry)), "set DSCP 26 -> priority 3");
    EXPECT_EQ(describe(deleteAppRequest(kLink, entry)), "delete DSCP 26 -> priority 3");
    EXPECT_EQ(describe(setEtsRequest(kLink, {})), "set ETS");
    EXPECT_EQ(describe(setBufferRequest(kLink, {})), "set buffers");
    EXPECT_EQ(describe(setMaxRateRequest(kLink, {})), "set max rate");
    EXPECT_EQ(describe(setDcbxRequest(kLink, 1)), "set DCBX");
}

TEST(DcbAnswer, dcbx_answers_decode_to_their_byte) {
    EXPECT_EQ(decodeDcbx(dcbxResult(0x0c)), 0x0c);
    EXPECT_FALSE(decodeDcbx(ieeeResult(0)).has_value());
}

}  // namespace
}  // namespace fabric::resource::dcb
