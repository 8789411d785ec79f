// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doctor/evidence.hpp"
#include "doctor/rule.hpp"

#include <string>

// The commands that stand with a rule, for one host.
//
// In the table of rules a word in braces stands for a name that only a host can tell:
// {interface}, {port} (the net device below it), {rdma}, {rdma-port}, {pci}, {address}
// of a rail, {bridge}, {neighbour}, {peer}, {pid} of another server, {boot-unit},
// {unit}, {cgroup}, {program}, {standard-program} and {environment} of the storage
// server, {apply} (fabricctl apply, with the profile unless it is the usual one).
namespace fabric::doctor {

struct Commands {
    std::string look;    // shows a person what the rule saw
    std::string fix;     // repairs it
    std::string action;  // the command of fabricctl that does, "" none
};

// For a list of rules: RAIL, BDF and the like, and the names that the vendor's package
// has.
[[nodiscard]] Commands inGeneral(const Rule& rule);

// With the names of the first thing that the verdict is about, quoted for a shell where
// they need it. What the evidence does not tell stands as in a list. Pure.
[[nodiscard]] Commands commandsFor(const Rule& rule,
                                   const Judgement& judgement,
                                   const Evidence& evidence);

}  // namespace fabric::doctor
