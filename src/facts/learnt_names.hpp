// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/value.hpp"
#include "facts/name_disguise.hpp"

#include <string_view>

namespace fabric::facts {

// Names that stand in what was written earlier or elsewhere: of devices that this host
// has no more, of profiles that it had.

// "storage1", "storage0, storage1": what a report says of a rail. No name that the
// kernel or udev gives, and nothing that is no name.
void learnDevices(std::string_view text, NameDisguise& names);

// Settings of interfaces: "net.ipv4.conf.storage1.arp_ignore = 1", the path of it.
void learnConfigured(std::string_view text, NameDisguise& names);

// The file that a profile was read from, without what every such path has.
void learnProfilePath(std::string_view path, NameDisguise& names);

enum class Reserve { members, values };

// The members of a tree, with `values` also whole values: they stay where a profile is
// called like one of them.
void reserveWords(const Value& tree, Reserve which, NameDisguise& names);

// A report, an entry of the history, the record of a boot.
void learnDocument(const Value& document, NameDisguise& names);

}  // namespace fabric::facts
