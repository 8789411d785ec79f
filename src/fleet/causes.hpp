// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "fleet/owners.hpp"
#include "fleet/texts.hpp"
#include "fleet/verdict.hpp"

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fabric::fleet {

// What a cause is, before anybody has it.
struct CauseKind {
    std::string_view id;
    doctor::Verdict severity = doctor::Verdict::fail;
    std::string_view what;
    std::string_view fix;
};

// Gathers who has which difference. Hosts come in their order, rails of one together.
class Causes {
  public:
    explicit Causes(Texts& texts) : texts_(texts) {}

    // `rail` 0: the host as a whole.
    void add(const CauseKind& kind, std::string_view value, HostId host, TextId rail);
    // What those have who are no outliers.
    void setUsual(const CauseKind& kind, std::string_view value, std::size_t hosts);

    // Ends here. `names` and `rails` (how many one has) by host.
    [[nodiscard]] std::vector<Cause> take(const std::vector<std::string>& names,
                                          const std::vector<std::size_t>& rails);

  private:
    struct Found {
        HostId host = 0;
        std::vector<TextId> rails;
    };

    struct Gathered {
        std::vector<Found> found;
        HostId last = 0;
        std::size_t hosts = 0;
    };

    struct Growing {
        CauseKind kind;
        std::map<TextId, Gathered> sides;
        TextId usual = 0;
        std::size_t usualHosts = 0;
    };

    [[nodiscard]] Growing& at(const CauseKind& kind);
    [[nodiscard]] Cause causeOf(const Growing& growing,
                                const std::vector<std::string>& names,
                                const std::vector<std::size_t>& rails) const;

    Texts& texts_;
    std::map<std::pair<std::string_view, doctor::Verdict>, Growing> growing_;
};

}  // namespace fabric::fleet
