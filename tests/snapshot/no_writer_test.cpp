// SPDX-License-Identifier: Apache-2.0
// Linked against the reading library only. That this program links proves that
// `snapshot list`, `show` and `diff` and a dry run of `restore` need no code that
// writes.
#include "fake/fake_host.hpp"
#include "snapshot/look.hpp"
#include "snapshot/store.hpp"
#include "snapshot/things.hpp"

#include <gtest/gtest.h>

namespace fabric::snapshot {
namespace {

TEST(SnapshotNoWriter, looking_at_snapshots_links_without_a_writer) {
    fake::FakeHost host;
    Snapshot snapshot = emptySnapshot();
    snapshot.items = oneOfEach();
    const host::Reader reader = host.reader();
    const engine::Report report = differences(reader, "snapshot diff", snapshot);
    EXPECT_EQ(report.resources.empty(), false);
    EXPECT_EQ(storedIds(host.files).value().size(), 0U);
}

}  // namespace
}  // namespace fabric::snapshot
