// SPDX-License-Identifier: Apache-2.0
#include "facts/take.hpp"

#include "base/digest.hpp"
#include "engine/history.hpp"
#include "facts/readable.hpp"
#include "facts/recorder.hpp"
#include "facts/widest_look.hpp"
#include "inventory/platform.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace fabric::facts {

namespace {

std::string utcText(std::chrono::system_clock::time_point time) {
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}Z",
                       fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

// The files of every profile by what they hold, wherever they lie.
std::string hashOf(const host::FileReader& files,
                   std::span<const profile::Profile> profiles) {
    std::string hashes;
    for (const profile::Profile& profile : profiles) {
        for (const engine::HashedFile& file : engine::hashesOf(files, profile)) {
            hashes += file.sha256 + "\n";
        }
    }
    return hashes.empty() ? "" : sha256(hashes);
}

std::set<std::string> keysOf(const auto& answers) {
    std::set<std::string> keys;
    for (const auto& [key, answer] : answers) {
        keys.insert(key);
    }
    return keys;
}

}  // namespace

Facts takeFacts(const host::Reader& machine,
                std::span<const profile::Profile> profiles) {
    const Recorder recorder(machine);
    const host::Reader reader = recorder.reader();
    // Starts of processes are told by it and the clock, which a replay holds at the
    // moment that the recorder began: taking facts of a busy host lasts seconds.
    static_cast<void>(reader.files.read("/proc/uptime"));
    const std::vector<Untold> untold = askEverything(reader, profiles);
    // What was asked about by name is told about by name.
    Value readable = readableFacts(reader,
                                   keysOf(recorder.observed().units),
                                   keysOf(recorder.observed().modules),
                                   untold);
    return {.program = FABRIC_VERSION,
            .taken = utcText(machine.clock.wallTime()),
            .hostName = inventory::observePlatform(reader).hostName,
            .host = std::move(readable),
            .observed = recorder.observed(),
            .profile = hashOf(machine.files, profiles)};
}

}  // namespace fabric::facts
