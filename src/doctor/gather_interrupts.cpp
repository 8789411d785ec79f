// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "doctor/gather.hpp"
#include "doctor/process_status.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>
#include <string_view>

namespace fabric::doctor {

namespace {

// MSI-X has 2048 vectors (PCI Express, 7.7.2); what adapters use is far below.
constexpr std::size_t kMostVectors = 2048;

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
    InterruptSpread spread{.node = node, .near = {}};
    spread.near = TRY(processorsIn(
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
            *goes, [&](unsigned processor) { return spread.near.contains(processor); });
        spread.remote += isNear ? 0 : 1;
    }
    return spread;
}

}  // namespace fabric::doctor
