// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "engine/history.hpp"
#include "engine/report.hpp"
#include "host/host.hpp"
#include "profile/profile.hpp"
#include "resource/assessment.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace fabric::engine {

inline constexpr const char* kBootUnit = "fabricctl.service";
inline constexpr const char* kBootRecord = "/run/fabricctl/boot.json";

// What the boot unit's apply left in /run/fabricctl/boot.json. It is written when the
// run begins, which is also what lets device events start a run of their own, and again
// when it ends.
struct BootRecord {
    // The run that made this boot ready: the first that ended with exit 0, until there
    // is one the first that ended at all. A server that started after it has met a
    // configured host, whatever runs come later.
    struct First {
        std::string ended;          // UTC
        std::uint64_t endedUs = 0;  // CLOCK_MONOTONIC, microseconds
        int exitCode = 0;
        bool operator==(const First&) const = default;
    };

    std::string bootId;
    std::string invocation;  // systemd's INVOCATION_ID, "" by hand
    std::string profile;
    // What that profile was made of when it was applied. Empty: not told, by a record
    // of an older version; without a file: the run ended before it had a profile.
    std::optional<std::vector<HashedFile>> profileFiles;
    bool finished = false;
    std::string started;  // UTC, 2026-01-31T12:00:00Z
    std::string ended;    // "" while it runs
    // CLOCK_MONOTONIC in microseconds, to compare with systemd's; 0 while it runs.
    std::uint64_t endedUs = 0;
    int exitCode = 0;
    std::string result;  // as in the report
    std::size_t resources = 0;
    std::optional<First> first;  // empty until a run of this boot ended
    bool operator==(const BootRecord&) const = default;
};

// `earlier` is what is there now; of another boot it counts for nothing.
[[nodiscard]] BootRecord beginBootRecord(const Report& report,
                                         std::string invocation,
                                         const std::optional<BootRecord>& earlier);
// `profileFiles` is hashesOf() the profile that was applied, before the first write;
// without a file when there was none.
void finishBootRecord(const Report& report,
                      const host::Clock& clock,
                      std::vector<HashedFile> profileFiles,
                      BootRecord& record);

// Everything that tells whether this boot was configured.
struct BootFacts {
    std::string bootId;
    Result<std::optional<BootRecord>> record;  // empty: no file
    Result<host::ServiceUnit> unit;            // fabricctl.service
    Result<host::ServiceUnit> service;         // the profile's service
    std::string serviceName;
    Result<std::vector<host::JournalEntry>> journal;
    std::vector<HashedFile> profileFiles;  // of the profile that is asked about
};

// Whether the boot unit configured this boot, with the profile that is asked about and
// before the service started, with systemd's reasons when it did not. Pure.
[[nodiscard]] resource::Comparison compareBoot(const BootFacts& facts);

// Looks and compares. `record` is what was read from kBootRecord.
[[nodiscard]] resource::Comparison assessBoot(const host::Reader& host,
                                              const profile::Profile& profile,
                                              Result<std::optional<BootRecord>> record);

}  // namespace fabric::engine
