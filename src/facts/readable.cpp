// SPDX-License-Identifier: Apache-2.0
#include "facts/readable.hpp"

#include "base/text.hpp"
#include "facts/hex.hpp"

#include <limits>
#include <utility>

namespace fabric::facts {

void Unreadable::note(std::string_view part, const Error& error) {
    if (error.kind == ErrorKind::unsupported || error.kind == ErrorKind::notFound) {
        return;
    }
    const bool needsRoot =
        error.kind == ErrorKind::permission && !error.advice.contains("root");
    note({.part = std::string(part),
          .reason = error.message() + (needsRoot ? "; run as root" : "")});
}

void Unreadable::note(const Untold& untold) {
    const std::string& part = untold.part;
    const std::string reason = portableText(untold.reason);
    if (known_.insert(std::string(part) + "\n" + reason).second) {
        parts_.emplace_back(
            Value::Object{{"part", portableText(part)}, {"reason", reason}});
    }
}

Value::List Unreadable::take() {
    return std::move(parts_);
}

Value textValue(const host::FileReader& files, const std::string& path) {
    const auto text = files.read(path);
    return text ? Value(portableText(trimmed(*text))) : Value{};
}

Value numberValue(const host::FileReader& files, const std::string& path) {
    const auto text = files.read(path);
    const auto number = text ? parseUnsigned(trimmed(*text)) : std::nullopt;
    constexpr auto kMost =
        static_cast<unsigned long long>(std::numeric_limits<std::int64_t>::max());
    return number && *number <= kMost ? Value(static_cast<std::int64_t>(*number))
                                      : Value{};
}

Value readableFacts(const host::Reader& host,
                    const std::set<std::string>& units,
                    const std::set<std::string>& modules,
                    std::span<const Untold> untold) {
    Unreadable unreadable;
    const auto rails = inventory::observeRails(host);
    if (!rails) {
        unreadable.note("rails", rails.error());
    }
    Value::Object facts{
        {"kernel", readableKernel(host, unreadable)},
        {"modules", readableModules(host, modules, unreadable)},
        {"pci", readablePci(host, unreadable)},
        {"network", readableNetwork(host, unreadable)},
        {"rdma", readableRdma(host, unreadable)},
        {"rails",
         readableRails(
             host, rails.value_or(std::vector<inventory::Rail>{}), unreadable)},
        {"services", readableServices(host, units, unreadable)}};
    for (const Untold& one : untold) {
        unreadable.note(one);
    }
    facts.emplace("unreadable", unreadable.take());
    return facts;
}

}  // namespace fabric::facts
