// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fake/fake_clock.hpp"
#include "host/neighbours.hpp"
#include "host/prober.hpp"

#include <functional>
#include <map>
#include <optional>
#include <vector>

namespace fabric::fake {

// A neighbour cache in memory in front of a wire: whoever answers for an address on a
// link is found when the cache asks. Answers come when the clock reaches them; waiting
// on a watch moves it there.
class FakeNeighbours : public host::NeighbourReader, public host::NeighbourWriter {
  public:
    explicit FakeNeighbours(FakeClock& clock) : clock_(&clock) {}

    // Adds or replaces an entry, last changed `age` ago.
    host::Neighbour& add(host::Neighbour entry,
                         std::chrono::milliseconds age = std::chrono::minutes{5});
    // A dynamic entry: stale, with this MAC.
    host::Neighbour& add(IfIndex link, std::string_view address, std::string_view mac);
    [[nodiscard]] const host::Neighbour* find(IfIndex link,
                                              std::string_view address) const;

    // The MAC that answers for `address` on `link` from now on.
    void answer(IfIndex link, std::string_view address, std::string_view mac);

    std::chrono::milliseconds answerDelay{2};
    std::chrono::milliseconds giveUpAfter{3000};  // mcast_solicit times retrans_time
    bool keepsEntries = false;        // remove() answers 0 and leaves the entry
    bool overrunsWatch = false;       // every watch reports lost messages once
    std::optional<Error> readError;   // answer of neighbours()
    std::optional<Error> watchError;  // answer of watch()
    std::map<host::NeighbourKey, int> removeErrors;
    // Happens right after the next dump, between two looks of a run.
    // Called after an entry was removed: what happens at once.
    std::function<void(const host::NeighbourKey&)> removeHook;
    std::vector<host::NeighbourKey> removed;   // every remove(), in order
    std::vector<host::NeighbourKey> resolved;  // every resolve(), in order
    mutable std::size_t dumps = 0;             // of the whole cache or one link

    [[nodiscard]] Result<std::vector<host::Neighbour>> neighbours() const override;
    [[nodiscard]] Result<std::vector<host::Neighbour>> neighboursOn(
        IfIndex link) const override;
    [[nodiscard]] Result<std::unique_ptr<host::NeighbourWatch>> watch() const override;
    [[nodiscard]] Result<void> remove(const host::NeighbourKey& key) override;
    [[nodiscard]] Result<void> resolve(const host::NeighbourKey& key) override;

  private:
    friend class FakeNeighbourWatch;
    using Time = std::chrono::steady_clock::time_point;

    struct Entry {
        host::Neighbour neighbour;
        Time updated;
    };

    struct Event {
        Time due;
        host::NeighbourEvent what;
    };

    void schedule(std::chrono::milliseconds delay,
                  host::Neighbour entry,
                  bool isRemoved = false);
    void settle() const;

    FakeClock* clock_;
    mutable std::map<host::NeighbourKey, Entry> entries_;
    std::map<host::NeighbourKey, MacAddress> answers_;
    std::vector<Event> events_;  // by time; those before applied_ have happened
    mutable std::size_t applied_ = 0;
};

struct Announcement {
    IfIndex link;
    MacAddress mac;
    IpAddress ipv4;
    bool operator==(const Announcement&) const = default;
};

class FakeAnnouncer : public host::Announcer {
  public:
    std::vector<Announcement> frames;
    std::optional<Error> error;

    [[nodiscard]] Result<void> announce(IfIndex link,
                                        MacAddress mac,
                                        IpAddress ipv4) override {
        if (error) {
            return fail(*error);
        }
        frames.push_back({link, mac, ipv4});
        return {};
    }
};

}  // namespace fabric::fake
