// SPDX-License-Identifier: Apache-2.0
#include "snapshot/part.hpp"

#include "base/text.hpp"
#include "snapshot/whereabouts.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>

namespace fabric::snapshot {

namespace {

// Of what stands on a net device, its identity.
std::optional<LinkIdentity> linkOf(const Thing& thing) {
    return std::visit(
        []<typename T>(const T& one) -> std::optional<LinkIdentity> {
            if constexpr (std::is_same_v<T, File> || std::is_same_v<T, PciWord> ||
                          std::is_same_v<T, UnitInForce>) {
                return std::nullopt;
            } else {
                return one.link;
            }
        },
        thing);
}

bool isNamed(const host::Link& link, const std::string& rail, Whereabouts& where) {
    if (rail == link.name || rail == where.railOf(link) ||
        rail == fmt::format("ifindex:{}", link.index.number)) {
        return true;
    }
    const auto ports = where.rdmaPorts();
    return ports && std::ranges::any_of(**ports, [&](const host::RdmaPort& port) {
               return port.link == link.index &&
                      (rail == port.device || rail == "rdma:" + port.device);
           });
}

bool isOf(const Item& item, const Part& part, Whereabouts& where) {
    if (!part.only.empty() && !part.only.contains(item.kind)) {
        return false;
    }
    if (part.rail.empty()) {
        return true;
    }
    const auto identity = linkOf(item.thing);
    if (!identity) {
        return false;
    }
    const auto link = where.find(*identity);
    return link ? isNamed(*link, part.rail, where) : item.label == part.rail;
}

Error nothingOfIt(const Snapshot& snapshot, const Part& part) {
    std::set<std::string> kinds;
    std::vector<std::string> rails;
    for (const Item& item : snapshot.items) {
        kinds.insert(std::string(resource::toString(item.kind)));
        if (linkOf(item.thing) && std::ranges::find(rails, item.label) == rails.end()) {
            rails.push_back(item.label);
        }
    }
    const auto nearest = nearestWord(part.rail, rails);
    return {.kind = ErrorKind::notFound,
            .action = "restore",
            .subject = snapshot.id,
            .sysErrno = 0,
            .detail = "it holds nothing of that part",
            .advice =
                nearest && !part.rail.empty() && *nearest != part.rail
                    ? "did you mean " + escapeForTerminal(*nearest) + "?"
                    : fmt::format("it holds {} of {}",
                                  fmt::join(kinds, ", "),
                                  rails.empty() ? "this host"
                                                : escapeForTerminal(fmt::format(
                                                      "{}", fmt::join(rails, ", "))))};
}

}  // namespace

Result<Snapshot> partOf(const host::Reader& host, Snapshot snapshot, const Part& part) {
    if (part.isAll()) {
        return snapshot;
    }
    Whereabouts where(host);
    Snapshot rest = snapshot;
    std::erase_if(rest.items,
                  [&](const Item& item) { return !isOf(item, part, where); });
    if (rest.items.empty()) {
        return fail(nothingOfIt(snapshot, part));
    }
    return rest;
}

}  // namespace fabric::snapshot
