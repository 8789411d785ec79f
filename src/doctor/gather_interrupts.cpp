// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "doctor/gather.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace fabric::doctor {

namespace {

// CONFIG_NR_CPUS of distributions is at most this.
constexpr unsigned long long kMostProcessors = 8192;
// MSI-X has 2048 vectors (PCI Express, 7.7.2); what adapters use is far below.
constexpr std::size_t kMostVectors = 2048;

// "0-3,8" (lib/bitmap.c, bitmap_print_to_pagebuf); std::nullopt for anything else.
std::optional<std::set<unsigned>> processorsOf(std::string_view text) {
    std::set<unsigned> processors;
    for (const std::string_view part : split(trimmed(text), ',')) {
        const std::size_t dash = part.find('-');
        const auto first = parseUnsigned(part.substr(0, dash));
        const auto last = dash == std::string_view::npos
                              ? first
                              : parseUnsigned(part.substr(dash + 1));
        if (!first || !last || *first > *last || *last >= kMostProcessors) {
            return std::nullopt;
        }
        for (auto one = *first; one <= *last; ++one) {
            processors.insert(static_cast<unsigned>(one));
        }
    }
    return processors;
}

Result<std::set<unsigned>> processorsIn(const host::FileReader& files,
                                        const std::string& path) {
    const std::string text = TRY(files.read(path));
    auto processors = processorsOf(text);
    if (!processors) {
        return fail(Error{.kind = ErrorKind::malformed,
                          .action = "read",
                          .subject = path,
                          .sysErrno = 0,
                          .detail = "it is no list of processors",
                          .advice = {}});
    }
    return std::move(*processors);
}

}  // namespace

Result<InterruptSpread> gatherInterrupts(const host::FileReader& files,
                                         PciAddress function,
                                         unsigned node) {
    InterruptSpread spread{.node = node};
    const auto near = TRY(processorsIn(
        files, fmt::format("/sys/devices/system/node/node{}/cpulist", node)));
    const auto names =
        files.list("/sys/bus/pci/devices/" + function.text() + "/msi_irqs");
    if (!names && names.error().kind == ErrorKind::notFound) {
        return spread;  // it has no interrupts by message
    }
    if (!names) {
        return fail(names.error());
    }
    for (const std::string& name : *names) {
        if (spread.vectors == kMostVectors || !parseUnsigned(name)) {
            continue;
        }
        const auto text = files.read("/proc/irq/" + name + "/effective_affinity_list");
        if (!text && text.error().kind != ErrorKind::notFound) {
            return fail(text.error());
        }
        // Nobody asked for a vector without a handler, and it goes nowhere.
        const auto goes = text ? processorsOf(*text) : std::nullopt;
        if (!goes || goes->empty()) {
            continue;
        }
        ++spread.vectors;
        const bool isNear = std::ranges::any_of(
            *goes, [&](unsigned processor) { return near.contains(processor); });
        spread.remote += isNear ? 0 : 1;
    }
    return spread;
}

}  // namespace fabric::doctor
