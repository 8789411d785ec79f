// SPDX-License-Identifier: Apache-2.0
#include "linux/dcb_channel.hpp"

#include "base/text.hpp"

#include <linux/dcbnl.h>
#include <linux/rtnetlink.h>

#include <sys/socket.h>

#include <cerrno>
#include <span>
#include <utility>

namespace fabric::linux_host {

namespace {

NetlinkRequest messageFor(const host::DcbRequest& request,
                          std::uint16_t messageType,
                          const std::string& name) {
    NetlinkRequest message{.type = messageType};
    appendValue(message.payload,
                dcbmsg{.dcb_family = AF_UNSPEC,
                       .cmd = std::to_underlying(request.command),
                       .dcb_pad = 0});
    appendAttribute(message.payload,
                    DCB_ATTR_IFNAME,
                    std::as_bytes(std::span(name.c_str(), name.size() + 1)));
    appendBytes(message.payload, request.attributes);
    return message;
}

std::string actionOf(std::uint16_t messageType) {
    return messageType == RTM_SETDCB ? "set DCB" : "read DCB";
}

// A uid_map that maps everything to itself (user_namespaces(7)).
bool initialNamespace(std::string_view map) {
    std::vector<std::string_view> fields;
    for (const std::string_view field : split(trimmed(map), ' ')) {
        if (!field.empty()) {
            fields.push_back(field);
        }
    }
    return fields == std::vector<std::string_view>{"0", "0", "4294967295"};
}

}  // namespace

std::string DcbChannel::permissionAdvice() const {
    const auto map = files_->read("/proc/self/uid_map");
    if (map && !initialNamespace(*map)) {
        // dcb_doit asks for the capability in the initial user namespace, whatever
        // namespace the socket belongs to (net/dcb/dcbnl.c).
        return "this process runs in a user namespace, and DCB needs CAP_NET_ADMIN in "
               "the initial user namespace: run it on the host, or in a container "
               "without user namespace that has NET_ADMIN and the host's network";
    }
    return "DCB needs CAP_NET_ADMIN in the initial user namespace: run as root";
}

Result<void> DcbChannel::verifyName(IfIndex link, const std::string& name) const {
    const auto present = names_->nameOf(link);
    if (present && *present == name) {
        return {};
    }
    const std::string now =
        present ? "is called " + escapeForTerminal(*present) + " now" : "is gone now";
    return fail(Error{
        .kind = ErrorKind::mismatch,
        .action = "attribute DCB answer",
        .subject = describe(link, name),
        .detail = "the interface " + now + ", so the answer may be another device's",
        .advice = "run again once interface names have settled"});
}

Result<host::DcbAnswer> DcbChannel::exchangeByName(const host::DcbRequest& request,
                                                   std::uint16_t messageType,
                                                   const std::string& name) const {
    Result<std::vector<std::byte>> answer =
        netlink_->ask(messageFor(request, messageType, name), messageType);
    if (!answer) {
        Error error = std::move(answer.error());
        error.action = actionOf(messageType) + ": " + error.action;
        error.subject = describe(request.link, name);
        if (error.sysErrno == EPERM && error.advice.empty()) {
            error.advice = permissionAdvice();
        }
        return fail(std::move(error));
    }
    const auto header = valueAt<dcbmsg>(*answer);
    if (!header || header->cmd != std::to_underlying(request.command)) {
        return fail(Error{.kind = ErrorKind::malformed,
                          .action = actionOf(messageType),
                          .subject = describe(request.link, name),
                          .detail = header ? "the answer is to another command"
                                           : "the answer is cut off"});
    }
    answer->erase(answer->begin(),
                  answer->begin() + static_cast<std::ptrdiff_t>(sizeof(dcbmsg)));
    return std::move(*answer);
}

Result<host::DcbAnswer> DcbChannel::exchange(const host::DcbRequest& request,
                                             std::uint16_t messageType) const {
    std::string name = TRY(names_->nameOf(request.link));
    Result<host::DcbAnswer> answer = exchangeByName(request, messageType, name);
    if (!answer && answer.error().sysErrno == ENODEV) {
        const std::string present = TRY(names_->nameOf(request.link));
        if (present == name) {
            return answer;
        }
        name = present;
        answer = exchangeByName(request, messageType, name);
    }
    if (answer) {
        TRY(verifyName(request.link, name));
    }
    return answer;
}

Result<host::DcbAnswer> RtnlDcbReader::get(const host::DcbRequest& request) const {
    using enum host::DcbCommand;
    if (request.command != ieeeGet && request.command != getDcbx) {
        return fail(Error{.kind = ErrorKind::bug,
                          .action = "read DCB",
                          .subject = describe(request.link),
                          .detail = "a reader was given a command that writes"});
    }
    return channel_->exchange(request, RTM_GETDCB);
}

}  // namespace fabric::linux_host
