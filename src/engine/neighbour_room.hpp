// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/host.hpp"
#include "resource/finding.hpp"
#include "resource/step.hpp"

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <vector>

namespace fabric::engine {

// Rounds of deletion and proof before a flush counts as failed.
inline constexpr int kFlushRounds = 4;
// The kernel gives up after three questions, one second apart (net.ipv4.neigh,
// mcast_solicit and retrans_time_ms).
inline constexpr std::chrono::seconds kAnswerDeadline{5};

// Deletes and resolves neighbour entries. Questions are asked as their steps come and
// their answers awaited together at the end, on events, so that silent peers on many
// rails cost one deadline.
class NeighbourRoom {
  public:
    NeighbourRoom(const host::Reader& reader, const host::Writer& writer)
        : reader_(reader), writer_(writer) {}

    // Deletes, then looks afresh: success means that no entry meant is left that was
    // there when the deletion began. One that was learned again since is not.
    [[nodiscard]] Result<void> remove(const resource::NeighbourDelete& entries);
    // Asks for the entries and for those that `remove` took beyond its list.
    [[nodiscard]] Result<void> resolve(const resource::NeighbourResolve& entries);
    // Waits for what was asked, and says what did not come back, link by link. What was
    // deleted by a step that then failed is asked for first.
    [[nodiscard]] std::vector<resource::Finding> awaitAnswers();

  private:
    using Keys = std::set<host::NeighbourKey>;

    [[nodiscard]] Result<Keys> cached(
        const resource::NeighbourDelete& entries,
        std::optional<std::chrono::steady_clock::time_point> start) const;
    [[nodiscard]] Result<void> removeAll(const Keys& keys);
    [[nodiscard]] bool hear(std::chrono::steady_clock::time_point deadline);
    void hearPast();
    void settle(const host::Neighbour& entry);
    void lookAfresh();
    [[nodiscard]] std::vector<resource::Finding> findings() const;

    const host::Reader& reader_;
    const host::Writer& writer_;
    std::unique_ptr<host::NeighbourWatch> watch_;
    std::chrono::steady_clock::time_point deadline_;
    std::map<IfIndex, Keys> taken_;  // deleted, not asked for yet
    std::map<IfIndex, std::size_t> asked_;
    Keys waiting_;
    Keys lost_;  // the kernel gave up
};

}  // namespace fabric::engine
