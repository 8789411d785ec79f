// SPDX-License-Identifier: Apache-2.0
#include "linux/ethtool.hpp"

#include "base/text.hpp"

#include <linux/ethtool.h>
#include <linux/sockios.h>

#include <net/if.h>

#include <algorithm>
#include <cerrno>
#include <span>
#include <utility>

namespace fabric::linux_host {

namespace {

// Drivers fill these arrays to the last byte now and then.
template <std::size_t Size>
std::string textOf(const char (&field)[Size]) {  // NOLINT(modernize-avoid-c-arrays)
    const std::span text(field);
    return {text.begin(), std::ranges::find(text, '\0')};
}

}  // namespace

int EthtoolControl::callByName(const std::string& name, void* command) const {
    ifreq request{};
    const std::size_t length = std::min(name.size(), sizeof request.ifr_name - 1);
    std::copy_n(name.begin(), length, std::begin(request.ifr_name));
    request.ifr_data = static_cast<char*>(command);
    return control_->control(SIOCETHTOOL, request);
}

Result<void> EthtoolControl::call(IfIndex link,
                                  void* command,
                                  const char* action) const {
    std::string name = TRY(control_->nameOf(link));
    int error = callByName(name, command);
    const std::string present = TRY(control_->nameOf(link));
    if (error == ENODEV && present != name) {
        name = present;
        error = callByName(name, command);
    } else if (error == 0 && present != name) {
        return fail(Error{.kind = ErrorKind::mismatch,
                          .action = action,
                          .subject = describe(link, name),
                          .detail = "the interface is called " +
                                    escapeForTerminal(present) +
                                    " now, so the answer may be another device's",
                          .advice = "run again once interface names have settled"});
    }
    if (error != 0) {
        return fail(systemError(action, describe(link, name), error));
    }
    return {};
}

Result<host::DriverInfo> IoctlEthtoolReader::driver(IfIndex link) const {
    ethtool_drvinfo command{};
    command.cmd = ETHTOOL_GDRVINFO;
    TRY(control_->call(link, &command, "read driver"));
    return host::DriverInfo{.driver = textOf(command.driver),
                            .version = textOf(command.version),
                            .firmware = textOf(command.fw_version),
                            .bus = textOf(command.bus_info)};
}

Result<host::PauseParameters> IoctlEthtoolReader::pause(IfIndex link) const {
    ethtool_pauseparam command{};
    command.cmd = ETHTOOL_GPAUSEPARAM;
    TRY(control_->call(link, &command, "read global pause"));
    return host::PauseParameters{.autonegotiate = command.autoneg != 0,
                                 .rx = command.rx_pause != 0,
                                 .tx = command.tx_pause != 0};
}

}  // namespace fabric::linux_host
