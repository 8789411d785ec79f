// SPDX-License-Identifier: Apache-2.0
#include "watch/counter_names.hpp"

#include <gtest/gtest.h>

#include <map>
#include <set>
#include <string>
#include <tuple>

namespace fabric::watch {
namespace {

TEST(CounterNames, one_driver_counts_a_thing_in_one_place_only) {
    std::map<std::tuple<std::string_view, Meaning, bool>, Place> places;
    for (const CounterName& line : counterNames()) {
        const auto [known, added] = places.emplace(
            std::tuple(line.driver, line.meaning, line.scope == Scope::priority),
            line.place);
        EXPECT_EQ(known->second, line.place) << line.name;
    }
}

TEST(CounterNames, no_name_stands_there_twice_for_one_driver) {
    std::set<std::tuple<std::string_view, Place, std::string_view>> seen;
    for (const CounterName& line : counterNames()) {
        EXPECT_TRUE(seen.emplace(line.driver, line.place, line.name).second)
            << line.name;
    }
}

TEST(CounterNames, a_priority_or_queue_has_its_mark_and_nothing_else_has_one) {
    for (const CounterName& line : counterNames()) {
        EXPECT_EQ(line.name.contains('#'), line.scope != Scope::whole) << line.name;
    }
}

TEST(CounterNames, every_meaning_has_a_name_of_its_own) {
    std::set<std::string_view> names;
    for (const Meaning meaning : everyMeaning()) {
        EXPECT_FALSE(toString(meaning).empty());
        EXPECT_TRUE(names.insert(toString(meaning)).second) << toString(meaning);
    }
}

TEST(CounterNames, each_known_driver_tells_pause_loss_and_congestion) {
    for (const std::string_view driver : {"mlx5_core", "bnxt_en", "ice"}) {
        std::set<Meaning> told;
        for (const CounterName& line : counterNames()) {
            if (line.driver == driver) {
                told.insert(line.meaning);
            }
        }
        for (const Meaning meaning : {Meaning::pauseReceived,
                                      Meaning::pauseSent,
                                      Meaning::discards,
                                      Meaning::packetSequence,
                                      Meaning::ackTimeout,
                                      Meaning::congestionSent,
                                      Meaning::congestionHandled,
                                      Meaning::ecnMarked}) {
            EXPECT_TRUE(told.contains(meaning)) << driver << ' ' << toString(meaning);
        }
    }
}

TEST(CounterNames, a_name_is_known_with_each_of_its_eight_priorities) {
    EXPECT_TRUE(isNamed(Place::port, "rx_prio0_pause"));
    EXPECT_TRUE(isNamed(Place::port, "rx_prio7_pause"));
    EXPECT_TRUE(isNamed(Place::port, "rx_discards_phy"));
    EXPECT_FALSE(isNamed(Place::port, "rx_prio8_pause"));
    EXPECT_FALSE(isNamed(Place::port, "rx_prio#_pause"));
    EXPECT_FALSE(isNamed(Place::port, "rx_prio3_pausex"));
    EXPECT_FALSE(isNamed(Place::port, "packet_seq_err"));
    EXPECT_FALSE(isNamed(Place::port, "rx0_packets"));
    EXPECT_FALSE(isNamed(Place::port, ""));
}

}  // namespace
}  // namespace fabric::watch
