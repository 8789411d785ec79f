// SPDX-License-Identifier: Apache-2.0
#include "engine/neighbour_room.hpp"

#include "resource/neighbour/entry_list.hpp"
#include "resource/neighbour/role.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace fabric::engine {

namespace {

using resource::neighbour::Role;
using resource::neighbour::roleOf;
using Time = std::chrono::steady_clock::time_point;

Error noCache(std::string action) {
    return Error{.kind = ErrorKind::unsupported,
                 .action = std::move(action),
                 .detail = "there is no neighbour cache here"};
}

std::string nameOf(const host::LinkReader& links, IfIndex index) {
    const auto link = links.link(index);
    return link ? link->name : "ifindex " + std::to_string(index.number);
}

// Whether a deletion means this entry. What another program put there since the plan
// was made stays.
bool isMeant(const resource::NeighbourDelete& entries, const host::Neighbour& entry) {
    const Role role = roleOf(entry);
    if (role == Role::foreign || role == Role::kernel || role == Role::unresolved) {
        return false;
    }
    return (entries.everyDynamic && role == Role::dynamic) ||
           std::ranges::find(entries.addresses, entry.key.address) !=
               entries.addresses.end();
}

std::vector<IpAddress> addressesOf(const std::set<host::NeighbourKey>& keys) {
    std::vector<IpAddress> addresses;
    std::ranges::transform(keys,
                           std::back_inserter(addresses),
                           [](const host::NeighbourKey& key) { return key.address; });
    return addresses;
}

}  // namespace

Result<void> NeighbourRoom::removeAll(const Keys& keys) {
    for (const host::NeighbourKey& key : keys) {
        TRY(writer_.neighbours->remove(key));
        taken_[key.link].insert(key);
    }
    return {};
}

// The entries meant that are cached and were not learned anew since `start`.
Result<NeighbourRoom::Keys> NeighbourRoom::cached(
    const resource::NeighbourDelete& entries,
    std::optional<std::chrono::steady_clock::time_point> start) const {
    Keys keys;
    const auto found = TRY(reader_.neighbours->neighboursOn(entries.link));
    const Time now = reader_.clock.now();
    for (const host::Neighbour& entry : found) {
        const bool anew =
            start && entry.sinceUpdate && *entry.sinceUpdate <= now - *start;
        if (isMeant(entries, entry) && !anew) {
            keys.insert(entry.key);
        }
    }
    return keys;
}

Result<void> NeighbourRoom::remove(const resource::NeighbourDelete& entries) {
    if (reader_.neighbours == nullptr || writer_.neighbours == nullptr) {
        return fail(noCache("delete neighbours"));
    }
    Keys left = TRY(cached(entries, std::nullopt));
    for (int round = 0; round < kFlushRounds && !left.empty(); ++round) {
        const Time start = reader_.clock.now();
        TRY(removeAll(left));
        left = TRY(cached(entries, start));
    }
    if (left.empty()) {
        return {};
    }
    const std::string name = nameOf(reader_.links, entries.link);
    return fail(Error{
        .kind = ErrorKind::mismatch,
        .action = "flush neighbours",
        .subject = name,
        .sysErrno = 0,
        .detail = std::to_string(left.size()) + " entries are still there after " +
                  std::to_string(kFlushRounds) + " rounds",
        .advice = "see with 'ip -s neigh show dev " + name + "' who renews them"});
}

Result<void> NeighbourRoom::resolve(const resource::NeighbourResolve& entries) {
    if (reader_.neighbours == nullptr || writer_.neighbours == nullptr) {
        return fail(noCache("resolve neighbours"));
    }
    Keys keys = std::exchange(taken_[entries.link], {});
    for (const IpAddress& address : entries.addresses) {
        keys.insert({.link = entries.link, .address = address});
    }
    if (keys.empty()) {
        return {};
    }
    if (!watch_) {
        watch_ = TRY(reader_.neighbours->watch());
    } else {
        hearPast();
    }
    Result<void> outcome;
    for (const host::NeighbourKey& key : keys) {
        auto asked = writer_.neighbours->resolve(key);
        if (asked) {
            waiting_.insert(key);
            ++asked_[key.link];
        } else if (outcome) {
            outcome = std::move(asked);
        }
    }
    deadline_ = reader_.clock.now() + kAnswerDeadline;
    return outcome;
}

void NeighbourRoom::settle(const host::Neighbour& entry) {
    if (!waiting_.contains(entry.key)) {
        return;
    }
    if (entry.isUsable()) {
        waiting_.erase(entry.key);
    } else if (entry.state == host::NeighbourState::failed) {
        waiting_.erase(entry.key);
        lost_.insert(entry.key);
    }
}

void NeighbourRoom::lookAfresh() {
    const auto entries = reader_.neighbours->neighbours();
    if (entries) {
        std::ranges::for_each(*entries,
                              [this](const host::Neighbour& entry) { settle(entry); });
    }
}

// A deletion is told as a failure of the entry first (net/core/neighbour.c,
// neigh_delete, __neigh_update). Heard after the question, it would pass for its
// answer.
void NeighbourRoom::hearPast() {
    const Time now = reader_.clock.now();
    while (hear(now)) {
    }
}

// False when nothing more can be heard until then.
bool NeighbourRoom::hear(Time deadline) {
    const auto event = watch_->next(deadline);
    if (!event) {
        // Lost messages: the cache itself knows.
        const bool lost = event.error().kind == ErrorKind::busy;
        lookAfresh();
        return lost;
    }
    if (!*event) {
        return false;
    }
    if (!(*event)->removed) {
        settle((*event)->entry);
    }
    return true;
}

std::vector<resource::Finding> NeighbourRoom::awaitAnswers() {
    // A step that failed halfway: what it deleted is missed all the same.
    for (const auto& [link, keys] : std::exchange(taken_, {})) {
        if (!keys.empty()) {
            const std::vector<IpAddress> addresses = addressesOf(keys);
            static_cast<void>(resolve({.link = link, .addresses = addresses}));
        }
    }
    while (!waiting_.empty() && hear(deadline_)) {
    }
    lost_.merge(waiting_);
    waiting_.clear();
    watch_.reset();
    return findings();
}

std::vector<resource::Finding> NeighbourRoom::findings() const {
    std::map<IfIndex, resource::neighbour::EntryList> silent;
    for (const host::NeighbourKey& key : lost_) {
        silent[key.link].add(key.address.text());
    }
    std::vector<resource::Finding> all;
    for (const auto& [link, addresses] : silent) {
        all.push_back({.id = "neighbour.not-back",
                       .severity = resource::Severity::warn,
                       .summary = std::to_string(addresses.count()) + " of " +
                                  std::to_string(asked_.at(link)) +
                                  " deleted entries did not come back: nobody answered",
                       .evidence = addresses.text(),
                       .fix = "see that these peers and their rails are up",
                       .device = nameOf(reader_.links, link)});
    }
    return all;
}

}  // namespace fabric::engine
