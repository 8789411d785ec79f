// SPDX-License-Identifier: Apache-2.0
#include "resource/dcb/explain.hpp"

#include "base/text.hpp"
#include "resource/dcb/answer.hpp"
#include "resource/dcb/message.hpp"
#include "resource/dcb/port_task.hpp"
#include "resource/dcb/trust.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <limits>
#include <numeric>

namespace fabric::resource::dcb {

namespace {

bool concerns(const host::DcbRequest& request, std::string_view what) {
    return describe(request) == fmt::format("set {}", what);
}

std::string explainMemory(const State& state, const PortFacts& port) {
    if (!state.buffers) {
        return "ENOTSUPP here means that the firmware lacks the feature";
    }
    std::string text = fmt::format(
        "a lossless buffer is too small: the buffers may use {} bytes together",
        state.buffers->totalBytes);
    if (port.speedMbps && state.pfc) {
        text += fmt::format(
            ", and one at {} Mbit/s, MTU {} and {} m of cable needs about {}",
            *port.speedMbps,
            port.mtu,
            state.pfc->delay,
            losslessMinimum(port, *port.speedMbps, Meters{state.pfc->delay}));
    }
    return text + "; set dcb.buffer-size for it, or a shorter dcb.cable-length";
}

std::string explainBuffer(const State& state) {
    if (!state.buffers) {
        return {};
    }
    const auto sizes = std::accumulate(
        state.buffers->bytes.begin(), state.buffers->bytes.end(), std::uint64_t{0});
    return fmt::format(
        "buffers may use {} bytes together and use {} now, and a lossless buffer must "
        "not be empty; correct dcb.buffer-size",
        state.buffers->totalBytes,
        sizes);
}

std::string explainInvalid(const host::DcbRequest& request,
                           const DriverFacts& driver,
                           const State& state) {
    if (concerns(request, "buffers")) {
        return explainBuffer(state);
    }
    if (concerns(request, "PFC") && state.pfc) {
        return fmt::format(
            "the port can have PFC on {} traffic classes; priorities of one class "
            "count once (dcb.ets.priority-to-tc)",
            state.pfc->capability);
    }
    if (driver.einvalMeansFirmware) {
        return "the driver refuses DCB changes of a port that is in a bond, too";
    }
    return {};
}

}  // namespace

std::uint64_t losslessMinimum(const PortFacts& port,
                              std::uint32_t speedMbps,
                              Meters cable) {
    constexpr std::uint64_t kLeastSpeed = 40'000;
    constexpr std::uint64_t kLeastMaxMtu = 9216;
    constexpr std::uint64_t kCell = 128;
    const std::uint64_t speed = std::max<std::uint64_t>(speedMbps, kLeastSpeed);
    const std::uint64_t distance = 301 + 216U * std::uint64_t{cable.count} / 100;
    const std::uint64_t xoff =
        distance * speed / 1000 + 272U * std::uint64_t{port.mtu} / 100;
    return xoff + std::max<std::uint64_t>(port.maxMtu, kLeastMaxMtu) + kCell;
}

std::string explainRefusal(const host::DcbRequest& request,
                           const Error& error,
                           const DriverFacts& driver,
                           const State& state,
                           const PortFacts& port) {
    const bool firmwareOwned = !hostOwnsDcbx(state).value_or(true);
    switch (error.sysErrno) {
        case EINVAL:
            if (driver.einvalMeansFirmware && firmwareOwned) {
                return fmt::format(
                    "the NIC's firmware owns DCBX (mode 0x{:02x}), and {} refuses "
                    "changes then: {}",
                    *state.dcbx,
                    driver.name,
                    dcbxFix(driver, port.name));
            }
            return explainInvalid(request, driver, state);
        case ENOMEM:
            return explainMemory(state, port);
        case EOPNOTSUPP:
            return driver.vendorTool.empty()
                       ? std::string("this device or firmware lacks the feature")
                       : fmt::format(
                             "this device or firmware lacks the feature; look in {}",
                             driver.vendorTool);
        case ENOENT:
            return "the entry is listed with a priority that the hardware does not "
                   "have; "
                   "another program changed it meanwhile, run apply again";
        default:
            return {};
    }
}

namespace {

PortFacts observePort(const host::Reader& host, IfIndex link) {
    PortFacts facts;
    const auto found = host.links.link(link);
    if (!found) {
        return facts;
    }
    facts.name = found->name;
    facts.mtu = found->mtu;
    facts.maxMtu = found->maxMtu;
    const auto speed = host.files.read("/sys/class/net/" + found->name + "/speed");
    if (!speed) {
        return facts;
    }
    const auto number = parseUnsigned(trimmed(*speed));
    if (number && *number > 0 && *number < std::numeric_limits<std::int32_t>::max()) {
        facts.speedMbps = static_cast<std::uint32_t>(*number);
    }
    return facts;
}

}  // namespace

std::string explainFailedWrite(const host::Reader& host,
                               const host::DcbRequest& request,
                               const Error& error) {
    const auto answer = host.dcb.get(getRequest(request.link));
    const auto info = host.ethtool.driver(request.link);
    if (!answer || !info) {
        return {};
    }
    const auto state = decodeState(*answer);
    if (!state) {
        return {};
    }
    return explainRefusal(request,
                          error,
                          driverFacts(info->driver),
                          *state,
                          observePort(host, request.link));
}

}  // namespace fabric::resource::dcb
