// SPDX-License-Identifier: Apache-2.0
#include "watch/movement.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>

namespace fabric::watch {

namespace {

constexpr std::array<char, kPriorityCount> kDigits{
    '0', '1', '2', '3', '4', '5', '6', '7'};

// The counters that one line of the table stands for on one device.
struct Named {
    std::string name;
    Counted counted;
};

std::vector<Named> namesOf(const CounterName& line) {
    const std::size_t mark = line.name.find('#');
    if (mark == std::string_view::npos) {
        return {{.name = std::string(line.name),
                 .counted = {.meaning = line.meaning, .priority = std::nullopt}}};
    }
    std::vector<Named> all;
    for (std::uint8_t number = 0; number < kPriorityCount; ++number) {
        std::string name(line.name);
        name[mark] = kDigits.at(number);
        const auto priority = line.scope == Scope::priority
                                  ? std::optional(Priority::of(number))
                                  : std::nullopt;
        all.push_back({.name = std::move(name),
                       .counted = {.meaning = line.meaning, .priority = priority}});
    }
    return all;
}

// One device between two samples.
class SourceMovement {
  public:
    SourceMovement(const Source& before, const Source& after, Movement& movement)
        : before_(*before.counters), after_(*after.counters), movement_(movement) {
        for (const CounterName& line : counterNames()) {
            if (line.place == after.place && line.driver == after.driver) {
                addLine(after.name, line);
            }
        }
        const Rises own = rises_;
        for (const CounterName& line : counterNames()) {
            const bool taken =
                own.contains({.meaning = line.meaning, .priority = std::nullopt});
            if (line.place == after.place && line.driver.empty() && !taken) {
                addLine(after.name, line);
            }
        }
        for (const Counted& counted : incomplete_) {
            rises_.erase(counted);
        }
    }

    [[nodiscard]] const Rises& rises() const { return rises_; }

  private:
    void addLine(const std::string& device, const CounterName& line) {
        for (const Named& one : namesOf(line)) {
            const auto before = before_.find(one.name);
            const auto after = after_.find(one.name);
            if (before == before_.end() && after == after_.end()) {
                continue;
            }
            if (before == before_.end() || after == after_.end()) {
                incomplete_.insert(one.counted);
            } else if (after->second < before->second) {
                incomplete_.insert(one.counted);
                movement_.rebased.push_back(device + ": " + one.name);
            } else {
                rises_[one.counted] += (after->second - before->second) * line.unit;
            }
        }
    }

    const host::Counters& before_;
    const host::Counters& after_;
    Movement& movement_;
    Rises rises_;
    std::set<Counted> incomplete_;  // one of its counters came, went or began anew
};

const Source* find(const Sample& sample, const Source& wanted) {
    const auto found = std::ranges::find_if(sample.sources, [&](const Source& source) {
        return source.place == wanted.place && source.name == wanted.name;
    });
    return found == sample.sources.end() ? nullptr : &*found;
}

// What all devices of one place count together.
void add(Rises& together, const Rises& one, bool first) {
    if (first) {
        together = one;
        return;
    }
    std::erase_if(together,
                  [&](const auto& known) { return !one.contains(known.first); });
    for (auto& [counted, rise] : together) {
        rise += one.at(counted);
    }
}

void addPlace(const Sample& before,
              const Sample& after,
              Place place,
              Movement& movement) {
    Rises together;
    bool first = true;
    for (const Source& source : after.sources) {
        if (source.place != place) {
            continue;
        }
        const Source* const former = find(before, source);
        Rises own;
        if (source.counters && former != nullptr && former->counters) {
            own = SourceMovement(*former, source, movement).rises();
        }
        add(together, own, std::exchange(first, false));
    }
    movement.rises.merge(together);
}

}  // namespace

std::optional<std::uint64_t> riseOf(const Rises& rises,
                                    Meaning meaning,
                                    std::optional<Priority> priority) {
    const auto found = rises.find({.meaning = meaning, .priority = priority});
    return found == rises.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::uint64_t> sumOf(const Rises& rises,
                                   Meaning meaning,
                                   const std::set<Priority>& priorities) {
    const bool told =
        !priorities.empty() && std::ranges::all_of(priorities, [&](Priority one) {
            return riseOf(rises, meaning, one).has_value();
        });
    return told ? std::optional(atLeast(rises, meaning, priorities)) : std::nullopt;
}

std::uint64_t atLeast(const Rises& rises,
                      Meaning meaning,
                      const std::set<Priority>& priorities) {
    std::uint64_t sum = 0;
    for (const Priority priority : priorities) {
        sum += riseOf(rises, meaning, priority).value_or(0);
    }
    return sum;
}

Movement between(const Sample& before, const Sample& after) {
    Movement movement;
    movement.seconds = std::chrono::duration<double>(after.at - before.at).count();
    for (const Source& source : after.sources) {
        if (!source.counters) {
            movement.problems.push_back(source.counters.error().message());
        }
    }
    if (!after.lossless) {
        movement.problems.push_back(after.lossless.error().message());
    }
    addPlace(before, after, Place::port, movement);
    addPlace(before, after, Place::rdma, movement);
    return movement;
}

Rises standing(const Sample& sample) {
    Sample nothing = sample;
    for (Source& source : nothing.sources) {
        if (source.counters) {
            for (auto& [name, number] : *source.counters) {
                number = 0;
            }
        }
    }
    return between(nothing, sample).rises;
}

}  // namespace fabric::watch
