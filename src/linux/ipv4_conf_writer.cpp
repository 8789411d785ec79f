// SPDX-License-Identifier: Apache-2.0
#include "linux/ipv4_conf_writer.hpp"

#include "linux/ipv4_conf.hpp"
#include "linux/link_names.hpp"

#include <linux/rtnetlink.h>

#include <cerrno>
#include <string>
#include <utility>

namespace fabric::linux_host {

Result<void> RtnlIpv4ConfWriter::set(IfIndex link, const host::Ipv4Values& values) {
    Result<void> done = netlink_->command(
        {.type = RTM_SETLINK, .payload = encodeIpv4Conf(link, values)});
    if (!done) {
        Error error = std::move(done.error());
        error.action = "set";
        for (const auto& [key, value] : values) {
            error.action +=
                " " + std::string(host::sysctlName(key)) + "=" + std::to_string(value);
        }
        error.subject = describe(link);
        if (error.sysErrno == EPERM) {
            error.advice = "needs CAP_NET_ADMIN: run as root";
        }
        return fail(std::move(error));
    }
    return {};
}

Result<void> RtnlIpv4ConfWriter::setAll(const host::Ipv4Values& values) {
    for (const auto& [key, value] : values) {
        TRY(files_->writeAttribute(pathOfAll(key), std::to_string(value) + "\n"));
    }
    return {};
}

}  // namespace fabric::linux_host
