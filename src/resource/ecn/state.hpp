// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/quantity.hpp"
#include "base/result.hpp"

#include <cstdint>
#include <expected>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

// ECN on RoCE (DCQCN): the reaction point slows a sender down when congestion
// notification packets (CNP) arrive, the notification point sends them when marked
// packets arrive.
namespace fabric::resource::ecn {

// One attribute of the driver: its number, or why there is none. An empty file is an
// error here, never 0: the OFED driver shows it when its firmware query failed.
struct Attribute {
    std::string path;
    std::optional<unsigned> value;
    std::optional<Error> error;
};

enum class Control {
    none,
    perPriority,  // one switch for each of the eight priorities
    wholePort,    // one set of switches for all RoCE traffic of the port
};

struct Point {
    Control control = Control::none;
    // perPriority: eight, by priority. wholePort: on when none of them is 0; the first
    // one alone turns it off.
    std::vector<Attribute> switches;
};

// Counters of the RDMA port. They prove that ECN works when they rise, and nothing when
// they do not.
struct Evidence {
    std::optional<std::uint64_t> markedReceived;        // np_ecn_marked_roce_packets
    std::optional<std::uint64_t> notificationsSent;     // np_cnp_sent
    std::optional<std::uint64_t> notificationsHandled;  // rp_cnp_handled

    // "seen", "not seen", "unknown"
    [[nodiscard]] std::string_view running() const;
    [[nodiscard]] std::string text() const;
};

struct State {
    std::string mechanism;  // "ecn/ in sysfs", "" when the driver offers nothing
    Point reactionPoint;
    Point notificationPoint;
    std::optional<Attribute> cnpDscp;
    std::string absence;  // more about what is missing, "" when nothing is known
    std::string group;  // configfs directory that must be made before anything is seen
    std::string interface;  // whose name is in the paths, "" in none of them
    std::string commit;     // attribute that puts written values into use, "" none
    Evidence evidence;
};

// Decodes one attribute: a decimal or 0x number with white space around it. Empty or
// other text is ErrorKind::malformed.
[[nodiscard]] Attribute decodeAttribute(std::string path,
                                        const Result<std::string>& text);

// The priorities that are switched on, or the first error that leaves one of them
// unknown. For Control::perPriority.
[[nodiscard]] Result<std::set<Priority>> enabledPriorities(const Point& point);

// Whether ECN is on for the port. For Control::wholePort.
[[nodiscard]] Result<bool> enabledOnPort(const Point& point);

}  // namespace fabric::resource::ecn
