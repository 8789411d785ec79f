// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/files.hpp"
#include "profile/settings.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace fabric::profile {

// What an inventory of peers says, and what of it could not be used.
struct PeersRead {
    std::vector<NeighbourPeer> peers;
    std::vector<std::string> problems;  // for a person, made safe to print
};

// One document, YAML or JSON, with a list `peers` of host, rail, address and mac, as
// `fabricctl peers export` prints it. Other keys are passed over. Addresses and MACs
// are checked; an entry that is not whole is a problem, the others count.
[[nodiscard]] PeersRead parsePeers(std::string_view text, const std::string& file);

// The document at `path`, or every *.yaml, *.yml and *.json directly in that directory,
// in the order of their names.
[[nodiscard]] PeersRead readPeers(const host::FileReader& files,
                                  const std::string& path);

}  // namespace fabric::profile
