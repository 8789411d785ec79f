// SPDX-License-Identifier: Apache-2.0
#include "snapshot/restore.hpp"

#include "engine/prove.hpp"
#include "inventory/platform.hpp"
#include "snapshot/compare.hpp"
#include "snapshot/look.hpp"

namespace fabric::snapshot {

engine::Report restore(const host::Reader& reader,
                       const host::Writer& writer,
                       const Snapshot& snapshot,
                       const RestoreOptions& options) {
    const auto start = reader.clock.now();
    engine::Report report = beginReport(reader, "restore", snapshot);
    const inventory::Platform platform = inventory::observePlatform(reader);
    const engine::Proving proving{
        .known = {},
        .look = [&] { return compare(reader, snapshot, platform, options.gone); },
        .beforeWriting =
            [&](const std::vector<resource::Step>& plan) {
                return options.beforeWriting(plan, platform);
            },
        .execution = options.execution};
    engine::writeAndProve(reader, writer, proving, report);
    noteBootUnit(reader, report);
    report.host = platform.hostName;
    report.bootId = platform.bootId;
    report.duration = std::chrono::duration_cast<std::chrono::microseconds>(
        reader.clock.now() - start);
    return report;
}

}  // namespace fabric::snapshot
