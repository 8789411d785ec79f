// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/value.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fabric::doctor {

struct Evidence;

// What one rule says of one host. `inconclusive`: this look cannot tell, and another
// one can. `unreadable`: it can, and was kept from it.
enum class Verdict { pass, fail, warn, inconclusive, unreadable, notApplicable };

[[nodiscard]] std::string_view toString(Verdict verdict);

// What has to be started again for a repair to take effect: the storage server of this
// node or of all, or this node itself (`reboot`).
enum class Restart { none, thisNode, allNodes, reboot };

// For a person, after the word "restart".
[[nodiscard]] std::string_view toString(Restart restart);

// A verdict with the two values that were compared. `reason` says why it is no pass.
struct Judgement {
    Verdict verdict = Verdict::unreadable;
    Value expected;
    Value found;
    std::string reason;
    // What has this verdict, the first that was looked at first: a rail, "mlx5_0/1", a
    // bridge, "neighbour/RAIL/ADDRESS"; empty: the host as a whole.
    std::vector<std::string> where = {};
};

// One line of the table. Texts are for people; `judge` is a pure function of values.
struct Rule {
    std::string_view id;      // "verbs.port"
    Verdict worst;            // fail or warn: the worst that it says
    std::string_view cause;   // one line
    std::string_view source;  // section of a page of the vendor, or "experience"
    // With words in braces for the names of a host (doctor/commands.hpp):
    std::string_view look;    // a command that shows a person the same
    std::string_view fix;     // what repairs it
    std::string_view action;  // the command of fabricctl that does, "" none
    Restart restart;
    Judgement (*judge)(const Evidence& evidence);
    // What a whole answer needs and this version does not look at; "" nothing.
    std::string_view unobserved = {};
};

}  // namespace fabric::doctor
