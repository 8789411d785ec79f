// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/value.hpp"
#include "facts/address_disguise.hpp"
#include "facts/facts.hpp"
#include "facts/name_disguise.hpp"

#include <map>
#include <string>
#include <string_view>

namespace fabric::facts {

// How much of a text is taken for an address or a name.
enum class Reading {
    names,   // names that are known; dotted numbers are versions
    facts,   // addresses, GUIDs and ids as well
    anyone,  // also domains, hosts and users that nobody named before: somebody's words
};

// Facts, reports and words of a host with other addresses and names in them, so that
// the same comes out when they are compared: `check --host` finds on disguised facts
// what it finds on the true ones. The same answers for as long as it lives.
class Disguise {
  public:
    // Learns the names that stand in the facts. `salt` is random and kept nowhere.
    Disguise(const Facts& facts, std::string salt);

    // Hosts, users, devices and profiles that are named elsewhere.
    NameDisguise& names() { return names_; }

    AddressDisguise& addresses() { return addresses_; }

    [[nodiscard]] std::string text(std::string_view text, Reading reading);
    [[nodiscard]] Value tree(const Value& tree, Reading reading = Reading::facts);
    // Fails when the facts do not survive it, which is an error of this program.
    [[nodiscard]] Result<Facts> facts(const Facts& facts);

  private:
    friend class TextScanner;

    [[nodiscard]] Value member(std::string_view name,
                               const Value& value,
                               Reading reading);
    [[nodiscard]] Value profileMember(const Value& value, Reading reading);

    std::string hostName_;
    AddressDisguise addresses_;
    NameDisguise names_;
};

}  // namespace fabric::facts
