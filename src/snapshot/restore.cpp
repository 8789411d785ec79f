// SPDX-License-Identifier: Apache-2.0
#include "snapshot/restore.hpp"

#include "engine/prove.hpp"
#include "inventory/platform.hpp"
#include "snapshot/compare.hpp"
#include "snapshot/look.hpp"

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace fabric::snapshot {

namespace {

std::vector<resource::Finding> changesSince(
    const std::vector<resource::Finding>& findings) {
    std::vector<resource::Finding> changes;
    std::ranges::copy_if(
        findings, std::back_inserter(changes), [](const resource::Finding& one) {
            return one.id == kChangedSince;
        });
    return changes;
}

}  // namespace

engine::Report restore(const host::Reader& reader,
                       const host::Writer& writer,
                       const Snapshot& snapshot,
                       const RestoreOptions& options) {
    const auto start = reader.clock.now();
    engine::Report report = beginReport(reader, "restore", snapshot);
    const inventory::Platform platform = inventory::observePlatform(reader);
    // Only the look before the writes can tell what they go over.
    std::optional<std::vector<resource::Finding>> overwritten;
    const engine::Proving proving{
        .known = {},
        .look =
            [&] {
                auto seen = compare(reader, snapshot, platform, options.known);
                if (!overwritten) {
                    overwritten = changesSince(seen.findings);
                }
                return seen;
            },
        .beforeWriting =
            [&](const std::vector<resource::Step>& plan) {
                return options.beforeWriting(plan, platform);
            },
        .execution = options.execution};
    engine::writeAndProve(reader, writer, proving, report);
    if (overwritten && changesSince(report.findings).empty()) {
        std::ranges::move(*overwritten, std::back_inserter(report.findings));
    }
    noteBootUnit(reader, report);
    report.host = platform.hostName;
    report.bootId = platform.bootId;
    report.duration = std::chrono::duration_cast<std::chrono::microseconds>(
        reader.clock.now() - start);
    return report;
}

}  // namespace fabric::snapshot
