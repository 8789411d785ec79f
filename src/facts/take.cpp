// SPDX-License-Identifier: Apache-2.0
#include "facts/take.hpp"

#include "base/text.hpp"
#include "facts/recorder.hpp"
#include "facts/widest_look.hpp"
#include "inventory/platform.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>

namespace fabric::facts {

namespace {

std::string utcText(std::chrono::system_clock::time_point time) {
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}Z",
                       fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

}  // namespace

Facts takeFacts(const host::Reader& machine,
                std::span<const profile::Profile> profiles) {
    const Recorder recorder(machine);
    askEverything(recorder.reader(), profiles);
    return {.program = FABRIC_VERSION,
            .taken = utcText(machine.clock.wallTime()),
            .hostName = inventory::observePlatform(recorder.reader()).hostName,
            .host = Value::Object{},
            .observed = recorder.observed()};
}

}  // namespace fabric::facts
