// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "profile/settings.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace fabric::profile {

namespace {

struct Criterion {
    std::string_view key;
    std::optional<std::string> RailSelector::* wanted;
    std::string RailIdentity::* actual;
};

constexpr std::array kCriteria{
    Criterion{"rdma", &RailSelector::rdma, &RailIdentity::rdma},
    Criterion{"interface", &RailSelector::interface, &RailIdentity::interface},
    Criterion{"pci", &RailSelector::pci, &RailIdentity::pci},
    Criterion{"driver", &RailSelector::driver, &RailIdentity::driver},
    Criterion{"vendor", &RailSelector::vendor, &RailIdentity::vendor},
    Criterion{"mac", &RailSelector::mac, &RailIdentity::mac},
    Criterion{"numa-node", &RailSelector::numaNode, &RailIdentity::numaNode},
};

// PCI addresses, vendors and MAC addresses are hexadecimal, where case means nothing.
bool ignoresCase(std::string_view key) {
    return key == "pci" || key == "vendor" || key == "mac";
}

std::string lowered(std::string text) {
    std::ranges::transform(text, text.begin(), [](char character) {
        return character >= 'A' && character <= 'Z'
                   ? static_cast<char>(character - 'A' + 'a')
                   : character;
    });
    return text;
}

bool holds(const Criterion& criterion,
           const RailSelector& selector,
           const RailIdentity& rail) {
    const std::optional<std::string>& wanted = selector.*criterion.wanted;
    if (!wanted) {
        return true;
    }
    const std::string& actual = rail.*criterion.actual;
    if (actual.empty()) {
        return false;
    }
    return ignoresCase(criterion.key) ? globMatches(lowered(*wanted), lowered(actual))
                                      : globMatches(*wanted, actual);
}

}  // namespace

std::string RailSelector::text() const {
    std::string text = "{ ";
    for (const Criterion& criterion : kCriteria) {
        if (const auto& wanted = this->*criterion.wanted) {
            text += text.size() > 2 ? ", " : "";
            text += std::string(criterion.key) + ": " + escapeForTerminal(*wanted);
        }
    }
    return text + " }";
}

bool matches(const RailSelector& selector, const RailIdentity& rail) {
    return std::ranges::all_of(kCriteria, [&](const Criterion& criterion) {
        return holds(criterion, selector, rail);
    });
}

}  // namespace fabric::profile
