// SPDX-License-Identifier: Apache-2.0
#include "engine/rail_wait.hpp"

#include "engine/rail_selection.hpp"
#include "inventory/rail.hpp"

namespace fabric::engine {

namespace {

bool isAbout(const host::DeviceEvent& event) {
    return event.subsystem == "net" || event.subsystem == "infiniband";
}

// Blocks until a network or RDMA device came, went or changed. False at the deadline.
bool waitForDevice(host::DeviceEvents& events,
                   const host::Reader& reader,
                   std::chrono::steady_clock::time_point deadline,
                   const StopRequested& stopRequested) {
    while (reader.clock.now() < deadline && !stopRequested()) {
        const auto event = events.next(deadline);
        if (!event) {
            return event.error().kind == ErrorKind::busy;
        }
        if (*event && isAbout(**event)) {
            return true;
        }
    }
    return false;
}

}  // namespace

std::chrono::milliseconds railWait(const profile::Profile& profile,
                                   const RunOptions& run,
                                   std::optional<std::chrono::milliseconds> given,
                                   bool boot) {
    constexpr std::chrono::minutes kAtBoot{1};
    if (!run.rail.empty() || !looksAtRails(profile, run)) {
        return {};
    }
    const auto wanted = given ? given : profile.rails().wait;
    return wanted.value_or(boot ? kAtBoot : std::chrono::minutes(0));
}

void waitForRails(const host::Reader& reader,
                  const profile::Profile& profile,
                  const ApplyOptions& options) {
    const auto wait = railWait(profile, options.run, options.wait, false);
    if (wait.count() == 0 || reader.devices == nullptr) {
        return;
    }
    const auto deadline = reader.clock.now() + wait;
    const auto events = reader.devices->watch();
    if (!events) {
        return;
    }
    while (true) {
        const auto candidates = inventory::observeRails(reader);
        if (!candidates) {
            return;
        }
        if (selectRails(profile.rails(), *candidates).complete) {
            return;
        }
        options.onWait("waiting for the profile's rails to appear");
        if (!waitForDevice(
                **events, reader, deadline, options.execution.stopRequested)) {
            return;
        }
    }
}

}  // namespace fabric::engine
