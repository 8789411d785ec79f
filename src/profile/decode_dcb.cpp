// SPDX-License-Identifier: Apache-2.0
#include "profile/decode_dcb.hpp"

#include "profile/decode_value.hpp"

namespace fabric::profile {

namespace {

constexpr std::array kDcbxWords{std::pair{std::string_view("host"), DcbxOwner::host},
                                std::pair{std::string_view("keep"), DcbxOwner::keep}};
constexpr std::array kTrustWords{std::pair{std::string_view("dscp"), Trust::dscp},
                                 std::pair{std::string_view("pcp"), Trust::pcp},
                                 std::pair{std::string_view("keep"), Trust::keep}};
constexpr std::array kOtherWords{
    std::pair{std::string_view("default"), OtherDscp::standard},
    std::pair{std::string_view("exclusive"), OtherDscp::exclusive},
    std::pair{std::string_view("keep"), OtherDscp::keep},
    std::pair{std::string_view("zero"), OtherDscp::zero}};

template <typename Number>
Number strongNode(const TreeNode& node) {
    return strong<Number>(node.scalar);
}

Ets decodeEts(const TreeNode* ets) {
    Ets decoded;
    if (const TreeNode* map = owned(ets, "priority-to-tc")) {
        decoded.priorityToTc = mapIn<Priority>(*map, strongNode<TrafficClass>);
    }
    if (const TreeNode* map = owned(ets, "tsa")) {
        decoded.tsa = mapIn<TrafficClass>(*map, [](const TreeNode& node) {
            return node.scalar == "ets" ? TransmissionSelection::ets
                                        : TransmissionSelection::strict;
        });
    }
    if (const TreeNode* map = owned(ets, "bandwidth")) {
        decoded.bandwidthPercent = mapIn<TrafficClass>(*map, [](const TreeNode& node) {
            return static_cast<unsigned>(numberIn(node));
        });
    }
    return decoded;
}

std::uint64_t amountIn(Form form, const TreeNode& node) {
    return static_cast<std::uint64_t>(parseAmount(form, node.scalar).value_or(0));
}

void decodeLossless(const TreeNode* dcb, DcbSettings& settings) {
    if (const TreeNode* lossless = owned(dcb, "lossless")) {
        settings.lossless =
            Lossless{.priority = strong<Priority>(textIn(lossless, "priority")),
                     .dscp = strong<Dscp>(textIn(lossless, "dscp")),
                     .buffer = strong<BufferIndex>(textIn(lossless, "buffer"))};
    }
}

void decodeMaps(const TreeNode* dcb, DcbSettings& settings) {
    if (const TreeNode* list = owned(dcb, "pfc")) {
        settings.pfc = {.value = setIn<Priority>(*list), .origin = list->origin};
    }
    if (const TreeNode* map = owned(dcb, "dscp-to-priority")) {
        settings.dscpToPriority = {.value = mapIn<Dscp>(*map, strongNode<Priority>),
                                   .origin = map->origin};
    }
    if (const TreeNode* map = owned(dcb, "priority-to-buffer")) {
        settings.priorityToBuffer = {
            .value = mapIn<Priority>(*map, strongNode<BufferIndex>),
            .origin = map->origin};
    }
}

void decodeLimits(const TreeNode* dcb, DcbSettings& settings) {
    if (const TreeNode* map = owned(dcb, "buffer-size")) {
        settings.bufferSize = mapIn<BufferIndex>(*map, [](const TreeNode& node) {
            return Bytes{amountIn(Form::size, node)};
        });
    }
    if (const TreeNode* length = owned(dcb, "cable-length")) {
        settings.cableLength =
            Meters{static_cast<std::uint16_t>(amountIn(Form::length, *length))};
    }
    if (const TreeNode* map = owned(dcb, "max-rate")) {
        settings.maxRate = mapIn<TrafficClass>(*map, [](const TreeNode& node) {
            return Kbps{amountIn(Form::rate, node)};
        });
    }
    if (const TreeNode* ets = owned(dcb, "ets")) {
        settings.ets = decodeEts(ets);
    }
}

}  // namespace

DcbSettings decodeDcb(const TreeNode& dcb) {
    DcbSettings settings;
    settings.dcbx = settingIn(&dcb, "dcbx", kDcbxWords, DcbxOwner::keep);
    settings.trust = settingIn(&dcb, "trust", kTrustWords, Trust::keep);
    settings.otherDscp = settingIn(&dcb, "other-dscp", kOtherWords, OtherDscp::keep);
    decodeLossless(&dcb, settings);
    decodeMaps(&dcb, settings);
    decodeLimits(&dcb, settings);
    return settings;
}

}  // namespace fabric::profile
