// SPDX-License-Identifier: Apache-2.0
// The answer of dcbnl to IEEE_GET, GDCBX and the setters.
#include "fuzz/property.hpp"
#include "resource/dcb/answer.hpp"
#include "resource/dcb/message.hpp"

#include <linux/netlink.h>

namespace fabric::resource::dcb {
namespace {

using fuzz::require;

constexpr IfIndex kLink{4};

// What a setter sends has the same attributes as what the getter answers.
State readBack(const host::DcbRequest& request) {
    const auto state = decodeState(request.attributes);
    require(state.has_value(), "a request of ours can be decoded");
    return *state;
}

void requireRoundTrip(const State& state) {
    if (state.pfc) {
        require(readBack(setPfcRequest(kLink, *state.pfc)).pfc == state.pfc, "PFC");
        require(state.pfc->priorities().size() <= kPriorityCount, "eight priorities");
    }
    if (state.ets) {
        require(readBack(setEtsRequest(kLink, *state.ets)).ets == state.ets, "ETS");
    }
    if (state.maxRates) {
        require(readBack(setMaxRateRequest(kLink, *state.maxRates)).maxRates ==
                    state.maxRates,
                "max rates");
    }
    if (state.buffers) {
        require(
            readBack(setBufferRequest(kLink, *state.buffers)).buffers == state.buffers,
            "buffers");
    }
    if (state.appTrust && state.appTrust->size() <= 64) {
        require(readBack(setAppTrustRequest(kLink, *state.appTrust)).appTrust ==
                    state.appTrust,
                "APP trust");
    }
    for (const AppEntry& entry : state.apps.value_or(std::vector<AppEntry>{})) {
        const std::vector<AppEntry> alone{entry};
        require(readBack(setAppRequest(kLink, entry)).apps == alone, "APP entry");
        require(readBack(deleteAppRequest(kLink, entry)).apps == alone, "APP entry");
    }
}

void requireOrder(const State& state) {
    if (state.apps) {
        require(std::ranges::is_sorted(*state.apps), "APP entries are sorted");
    }
    std::size_t listed = 0;
    for (const auto& [dscp, priorities] : state.dscpEntries()) {
        require(!priorities.empty(), "a DSCP without a priority is not listed");
        listed += priorities.size();
    }
    require(listed <= (state.apps ? state.apps->size() : 0),
            "no DSCP entry without an APP entry");
}

void requireLastCounts(const State& state, const host::DcbAnswer& answer) {
    if (answer.size() % NLA_ALIGNTO != 0) {
        return;
    }
    host::DcbAnswer twice = answer;
    twice.insert(twice.end(), answer.begin(), answer.end());
    const auto repeated = decodeState(twice);
    require(repeated && *repeated == state, "the last of equal attributes counts");
}

void judgeSetter(const host::DcbRequest& request, const host::DcbAnswer& answer) {
    const auto outcome = decodeSetResult(request, answer);
    if (!outcome) {
        require(outcome.error().sysErrno >= 0 && outcome.error().sysErrno <= 128,
                "an errno of one byte");
        fuzz::requirePrintable(outcome.error().message());
        return;
    }
    require(outcome->unproven == (outcome->code != 0), "only 0 is plain success");
    require(outcome->note.empty() == (outcome->code == 0), "an odd code is explained");
}

}  // namespace

FABRIC_FUZZ_TARGET(input) {
    const host::DcbAnswer answer(input.bytes().begin(), input.bytes().end());
    const auto state = decodeState(answer);
    if (state) {
        requireRoundTrip(*state);
        requireOrder(*state);
        requireLastCounts(*state, answer);
    } else {
        require(state.error().kind == ErrorKind::malformed, "bytes are malformed");
        fuzz::requirePrintable(state.error().message());
    }
    const auto dcbx = decodeDcbx(answer);
    require(!state || dcbx.has_value() == state->dcbx.has_value(),
            "both decoders see DCBX");
    judgeSetter(setPfcRequest(kLink, {}), answer);
    judgeSetter(setDcbxRequest(kLink, kDcbxHost), answer);
    // An arbitrary request in words.
    fuzz::requirePrintable(describe(
        {.link = kLink, .command = host::DcbCommand::ieeeSet, .attributes = answer}));
}

}  // namespace fabric::resource::dcb
