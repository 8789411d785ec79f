// SPDX-License-Identifier: Apache-2.0
#include "fake/fake_neighbours.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

namespace fabric::fake {

namespace {

host::NeighbourKey keyOf(IfIndex link, std::string_view address) {
    return {.link = link, .address = IpAddress::parse(address).value()};
}

}  // namespace

// Hears every event that had not happened when it was opened.
class FakeNeighbourWatch : public host::NeighbourWatch {
  public:
    FakeNeighbourWatch(const FakeNeighbours& cache, FakeClock& clock, std::size_t at)
        : cache_(&cache),
          clock_(&clock),
          position_(at),
          overrun_(cache.overrunsWatch) {}

    Result<std::optional<host::NeighbourEvent>> next(
        std::chrono::steady_clock::time_point deadline) override {
        const auto& events = cache_->events_;
        if (position_ >= events.size() || events[position_].due > deadline) {
            clock_->advanceTo(deadline);
            cache_->settle();
            return std::nullopt;
        }
        const auto& event = events[position_++];
        clock_->advanceTo(event.due);
        cache_->settle();
        if (std::exchange(overrun_, false)) {
            return fail(Error{.kind = ErrorKind::busy,
                              .action = "read netlink answer",
                              .sysErrno = ENOBUFS});
        }
        return event.what;
    }

  private:
    const FakeNeighbours* cache_;
    FakeClock* clock_;
    std::size_t position_;
    bool overrun_;
};

host::Neighbour& FakeNeighbours::add(host::Neighbour entry,
                                     std::chrono::milliseconds age) {
    const host::NeighbourKey key = entry.key;
    Entry& placed = entries_[key];
    placed = {.neighbour = std::move(entry), .updated = clock_->now() - age};
    return placed.neighbour;
}

host::Neighbour& FakeNeighbours::add(IfIndex link,
                                     std::string_view address,
                                     std::string_view mac) {
    return add({.key = keyOf(link, address),
                .state = host::NeighbourState::stale,
                .mac = MacAddress::parse(mac).value(),
                .sinceUpdate = {}});
}

const host::Neighbour* FakeNeighbours::find(IfIndex link,
                                            std::string_view address) const {
    settle();
    const auto found = entries_.find(keyOf(link, address));
    return found == entries_.end() ? nullptr : &found->second.neighbour;
}

void FakeNeighbours::answer(IfIndex link,
                            std::string_view address,
                            std::string_view mac) {
    answers_[keyOf(link, address)] = MacAddress::parse(mac).value();
}

void FakeNeighbours::schedule(std::chrono::milliseconds delay,
                              host::Neighbour entry,
                              bool isRemoved) {
    settle();
    Event event{.due = clock_->now() + delay,
                .what = {.entry = std::move(entry), .removed = isRemoved}};
    const auto later =
        std::find_if(events_.begin() + static_cast<std::ptrdiff_t>(applied_),
                     events_.end(),
                     [&](const Event& other) { return other.due > event.due; });
    events_.insert(later, std::move(event));
}

void FakeNeighbours::settle() const {
    while (applied_ < events_.size() && events_[applied_].due <= clock_->now()) {
        const Event& event = events_[applied_++];
        if (event.what.removed) {
            entries_.erase(event.what.entry.key);
            continue;
        }
        entries_[event.what.entry.key] = {.neighbour = event.what.entry,
                                          .updated = event.due};
    }
}

Result<std::vector<host::Neighbour>> FakeNeighbours::neighbours() const {
    ++dumps;
    if (readError) {
        return fail(*readError);
    }
    settle();
    std::vector<host::Neighbour> all;
    for (const auto& [key, entry] : entries_) {
        host::Neighbour neighbour = entry.neighbour;
        neighbour.sinceUpdate = std::chrono::duration_cast<std::chrono::milliseconds>(
            clock_->now() - entry.updated);
        all.push_back(std::move(neighbour));
    }
    return all;
}

Result<std::vector<host::Neighbour>> FakeNeighbours::neighboursOn(IfIndex link) const {
    auto all = TRY(neighbours());
    std::erase_if(all, [link](const host::Neighbour& entry) {
        return entry.key.link != link || entry.proxy;
    });
    return all;
}

Result<std::unique_ptr<host::NeighbourWatch>> FakeNeighbours::watch() const {
    if (watchError) {
        return fail(*watchError);
    }
    settle();
    return std::make_unique<FakeNeighbourWatch>(*this, *clock_, applied_);
}

Result<void> FakeNeighbours::remove(const host::NeighbourKey& key) {
    settle();
    removed.push_back(key);
    if (const auto error = removeErrors.find(key); error != removeErrors.end()) {
        return fail(systemError("delete neighbour", key.address.text(), error->second));
    }
    if (const auto found = entries_.find(key);
        !keepsEntries && found != entries_.end()) {
        host::Neighbour entry = found->second.neighbour;
        entry.state = host::NeighbourState::failed;
        schedule(std::chrono::milliseconds{0}, entry);
        schedule(std::chrono::milliseconds{0}, entry, true);
        settle();
    }
    if (removeHook) {
        removeHook(key);
    }
    return {};
}

Result<void> FakeNeighbours::resolve(const host::NeighbourKey& key) {
    settle();
    resolved.push_back(key);
    host::Neighbour entry{.key = key,
                          .state = host::NeighbourState::incomplete,
                          .mac = {},
                          .sinceUpdate = {}};
    entries_[key] = {.neighbour = entry, .updated = clock_->now()};
    const auto answer = answers_.find(key);
    const bool answered = answer != answers_.end();
    entry.state =
        answered ? host::NeighbourState::reachable : host::NeighbourState::failed;
    if (answered) {
        entry.mac = answer->second;
    }
    schedule(answered ? answerDelay : giveUpAfter, entry);
    return {};
}

}  // namespace fabric::fake
