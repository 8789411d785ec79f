// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fleet/record.hpp"
#include "fleet/texts.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace fabric::fleet {

// What most hosts say of each trait.
class Votes {
  public:
    explicit Votes(Texts& texts) : texts_(texts) {}

    // The first pass: counts one host.
    void add(const HostRecord& host);
    // Between the passes.
    void close();

    struct Usual {
        TextId value = 0;
        std::size_t votes = 0;
        bool tied = false;  // another value has as many: nobody is the outlier
    };

    // What is usual for a reading of a host, or of one of its rails; nullptr: nobody
    // told it.
    [[nodiscard]] const Usual* usual(Trait trait, const RailRecord* rail) const;
    // Of a host as a whole: the values of all its rails.
    [[nodiscard]] const Usual* usualSet(Trait trait) const;
    // "none", "2, 3 | none": the values of a host's rails.
    [[nodiscard]] static std::string setText(const HostRecord& host, Trait trait);

  private:
    // Of a rail: its name or model; 0: of a host.
    using Key = std::pair<Trait, TextId>;

    [[nodiscard]] std::optional<TextId> scopeOf(Trait trait,
                                                const RailRecord* rail) const;
    void count(Key key, std::string_view text);

    Texts& texts_;
    std::map<std::tuple<Trait, TextId, TextId>, std::size_t> counts_;
    std::map<Key, Usual> usual_;
};

}  // namespace fabric::fleet
