// SPDX-License-Identifier: Apache-2.0
#include "linux/link_names.hpp"

#include "base/text.hpp"

#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <iterator>
#include <span>

namespace fabric::linux_host {

std::string describe(IfIndex link) {
    return "ifindex " + std::to_string(link.number);
}

std::string describe(IfIndex link, const std::string& name) {
    return escapeForTerminal(name) + " (" + describe(link) + ")";
}

int InterfaceSocket::control(unsigned long request, ifreq& argument) const {
    if (!socket_.valid()) {
        socket_ = UniqueFd(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0));
    }
    if (!socket_.valid()) {
        return errno;
    }
    return ::ioctl(socket_.get(), request, &argument) == 0 ? 0 : errno;
}

Result<std::string> InterfaceSocket::nameOf(IfIndex link) const {
    ifreq request{};
    request.ifr_ifindex = static_cast<int>(link.number);
    if (const int error = control(SIOCGIFNAME, request); error != 0) {
        return fail(systemError("find interface", describe(link), error));
    }
    const std::span name(request.ifr_name);
    return std::string(name.begin(), std::ranges::find(name, '\0'));
}

}  // namespace fabric::linux_host
