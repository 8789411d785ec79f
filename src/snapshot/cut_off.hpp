// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/host.hpp"
#include "resource/finding.hpp"
#include "snapshot/snapshot.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// A run that was killed, or that a boot ended, while it wrote.
namespace fabric::snapshot {

// The mark of a run that has begun to write (kBegunPath).
struct Begun {
    std::string id;             // of its snapshot
    std::uint64_t process = 0;  // 0 not known
    std::uint64_t processStart = 0;
};

// The mark of this process, by its /proc/self/stat.
[[nodiscard]] std::string begunText(const host::FileReader& files, std::string_view id);
[[nodiscard]] std::optional<Begun> readBegun(const host::FileReader& files);

struct CutOff {
    std::string id;
    std::optional<Snapshot> snapshot;  // empty: it cannot be read
};

// The run that never said that it ended, whose process is gone and that changed
// something of what it had kept. std::nullopt also to whoever may not read the store.
[[nodiscard]] std::optional<CutOff> cutOffRun(const host::Reader& host);

// What whoever tells of it knows of this host.
enum class AfterCutOff {
    unknown,   // it did not look, or found something that is not as wanted
    asWanted,  // it found everything as wanted
    settled,   // and proved it: nothing is left to be completed
};

// Finding run.cut-off. `waits`: it is to be undone by itself, and until then nothing
// else may write. Pure.
[[nodiscard]] resource::Finding cutOffFinding(const CutOff& run,
                                              bool waits,
                                              AfterCutOff now = AfterCutOff::unknown);

}  // namespace fabric::snapshot
