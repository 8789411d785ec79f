// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/lossless_parts.hpp"

#include <algorithm>

namespace fabric::resource::dcb {

std::optional<Priority> LosslessParts::priorityOf(Dscp dscp) const {
    const auto found = dscpToPriority.find(dscp);
    if (found == dscpToPriority.end() || found->second.size() != 1) {
        return std::nullopt;
    }
    return Priority::from(*found->second.begin());
}

std::set<Dscp> LosslessParts::dscpsOn(Priority priority) const {
    std::set<Dscp> on;
    for (const auto& [dscp, priorities] : dscpToPriority) {
        if (priorities.contains(priority.number())) {
            on.insert(dscp);
        }
    }
    return on;
}

std::optional<PriorityBuffer> LosslessParts::bufferOf(Priority priority) const {
    if (!buffers) {
        return std::nullopt;
    }
    PriorityBuffer result{.buffer = buffers->priorityToBuffer.at(priority.number())};
    if (result.buffer >= kBufferCount) {
        return std::nullopt;
    }
    result.bytes = buffers->bytes.at(result.buffer);
    result.lossless = pfc && pfc->contains(priority);
    for (std::uint8_t number = 0; number < kPriorityCount; ++number) {
        const Priority other = Priority::of(number);
        if (other == priority ||
            buffers->priorityToBuffer.at(number) != result.buffer) {
            continue;
        }
        result.sharedWith.insert(other);
        result.lossless = result.lossless && pfc->contains(other);
    }
    return result;
}

LosslessParts losslessParts(const State& state, const DriverFacts& driver) {
    LosslessParts parts;
    if (const auto host = hostOwnsDcbx(state)) {
        parts.dcbx = *host ? DcbxControl::host : DcbxControl::firmware;
    }
    const TrustView view = trustOf(state, driver);
    parts.trust = view.state;
    parts.trustText = view.state ? view.text : view.problem;
    if (state.pfc) {
        parts.pfc = state.pfc->priorities();
    }
    if (state.sysfs) {
        for (const auto& [dscp, priority] : state.sysfs->dscpToPriority) {
            parts.dscpToPriority[dscp].insert(priority);
        }
    } else {
        parts.dscpToPriority = state.dscpEntries();
    }
    parts.everyDscpKnown = parts.dscpToPriority.size() == kDscpCount;
    parts.listProvesHardware =
        state.sysfs || state.appTrust || driver.listProof == ListProof::hardware;
    parts.buffers = state.buffers;
    if (driver.delayIsCableLength && state.pfc && state.buffers) {
        parts.cableLength = state.pfc->delay;
    }
    return parts;
}

}  // namespace fabric::resource::dcb
