// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/host.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fabric::facts {

// What one path answered to each question about it; empty: it was not asked.
struct FileAnswers {
    std::optional<Result<std::string>> text;
    std::optional<Result<std::vector<std::string>>> names;
    std::optional<Result<std::string>> target;
    std::optional<Result<std::string>> resolved;
    std::optional<Result<host::FileStatus>> status;
};

// The part of one function's config space that was read.
struct ConfigSpace {
    // By offset; neighbouring reads are joined, so no two ranges touch.
    std::map<std::uint16_t, std::vector<std::byte>> ranges;
    // By offset and length of the read that failed.
    std::map<std::pair<std::uint16_t, std::uint16_t>, Error> errors;

    // Keeps one read. What is known already stays as it was seen first.
    void add(std::uint16_t offset, const std::vector<std::byte>& bytes);
    // The bytes when all of them are known.
    [[nodiscard]] std::optional<std::vector<std::byte>> find(
        std::uint16_t offset, std::uint16_t length) const;
};

template <typename T>
using Answer = std::optional<Result<T>>;

// The answers of every seam of one machine at one time, each as it was given first.
// A question that is not in here was not asked, which is not the same as "no".
struct Observed {
    std::int64_t steadyNs = 0;  // CLOCK_MONOTONIC, which systemd's times refer to
    std::int64_t wallNs = 0;    // since 1970, UTC

    std::map<std::string, FileAnswers> files;

    Answer<std::vector<host::Link>> links;
    std::map<IfIndex, Result<host::Link>> linkByIndex;  // not in `links`
    Answer<std::vector<IfIndex>> defaultRoutes;
    Answer<std::vector<host::LinkAddress>> addresses;

    std::map<std::string, Result<host::DcbAnswer>> dcb;  // by dcbKey()
    std::map<IfIndex, Result<host::DriverInfo>> drivers;
    std::map<IfIndex, Result<host::PauseParameters>> pauses;
    // Those of watch::counterNames(). Empty: a fabricctl without `watch` took the
    // facts.
    std::optional<std::map<IfIndex, Result<host::Counters>>> statistics;

    Answer<std::vector<host::PciFunction>> functions;
    std::map<PciAddress, ConfigSpace> config;

    Answer<std::vector<host::RdmaPort>> ports;
    std::map<std::string, Result<host::RdmaPortAttributes>>
        attributes;  // "DEVICE/PORT"

    Answer<std::vector<host::Ipv4Conf>> ipv4;
    std::map<host::Ipv4Key, Result<std::int32_t>> ipv4All;

    // A seam that the machine did not have at all.
    bool hasServices = false;
    bool hasPrograms = false;
    bool hasModules = false;
    bool hasNeighbours = false;

    std::map<std::string, Result<host::ServiceUnit>> units;
    Answer<std::string> systemState;
    std::map<std::string, Result<host::ProgramVersion>> versions;  // by versionKey()
    std::map<std::string, Result<host::Module>> modules;
    Answer<std::vector<host::Neighbour>> neighbours;
    // Empty: the machine has no such seam, or a fabricctl without it took the facts.
    Answer<host::Routes> routes;
    Answer<std::vector<host::RoutingRule>> rules;
    // Likewise. Lines that rules of doctor look for, and no others.
    Answer<host::JournalLines> kernelLog;
    Answer<std::vector<host::JournalEntry>> managerProblems;
};

// Of lines of the kernel those that the query wants.
[[nodiscard]] host::JournalLines linesFor(const host::JournalQuery& query,
                                          host::JournalLines log);

// "3/21/" and the attributes in hexadecimal: ifindex, command, attributes.
[[nodiscard]] std::string dcbKey(const host::DcbRequest& request);
[[nodiscard]] std::string portKey(const host::RdmaPort& port);
// "USER:PROGRAM".
[[nodiscard]] std::string versionKey(std::string_view program, std::string_view user);

}  // namespace fabric::facts
