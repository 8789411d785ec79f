// SPDX-License-Identifier: Apache-2.0
#include "linux/systemd_connection.hpp"

#include "base/text.hpp"

#include <algorithm>
#include <array>

namespace fabric::linux_host {

namespace {

struct KnownError {
    std::string_view prefix;  // of the D-Bus error name
    ErrorKind kind;
    std::string_view advice;
};

constexpr std::string_view kNoSystemd =
    "is systemd the init of this host? /run/systemd/system exists where it is";
constexpr std::string_view kBusy =
    "systemd is busy or hangs: look at 'systemctl list-jobs' and run it again";

// First match wins. sd-bus gives errnos of its own as "System.Error.E…".
constexpr std::array kKnownErrors{
    KnownError{
        "org.freedesktop.DBus.Error.ServiceUnknown", ErrorKind::notFound, kNoSystemd},
    KnownError{
        "org.freedesktop.DBus.Error.NameHasNoOwner", ErrorKind::notFound, kNoSystemd},
    KnownError{"org.freedesktop.DBus.Error.Spawn.", ErrorKind::notFound, kNoSystemd},
    KnownError{"org.freedesktop.DBus.Error.FileNotFound",
               ErrorKind::notFound,
               "start dbus.socket, or run this where the system bus is"},
    KnownError{"org.freedesktop.DBus.Error.NoReply", ErrorKind::timeout, kBusy},
    KnownError{"org.freedesktop.DBus.Error.Timeout", ErrorKind::timeout, kBusy},
    KnownError{"org.freedesktop.DBus.Error.TimedOut", ErrorKind::timeout, kBusy},
    KnownError{"System.Error.ETIMEDOUT", ErrorKind::timeout, kBusy},
    KnownError{"org.freedesktop.DBus.Error.AccessDenied",
               ErrorKind::permission,
               "run as root"},
    KnownError{"org.freedesktop.DBus.Error.InteractiveAuthorizationRequired",
               ErrorKind::permission,
               "run as root"},
    KnownError{"System.Error.EACCES", ErrorKind::permission, "run as root"},
    KnownError{"System.Error.EPERM", ErrorKind::permission, "run as root"},
};

}  // namespace

Error translated(const sdbus::Error& error,
                 std::string_view action,
                 std::string_view subject) {
    Error result{.kind = ErrorKind::io,
                 .action = std::string(action),
                 .subject = std::string(subject),
                 .sysErrno = 0,
                 .detail = escapeForTerminal(
                     error.getMessage().empty() ? error.getName() : error.getMessage()),
                 .advice = {}};
    const auto known =
        std::ranges::find_if(kKnownErrors, [&](const KnownError& candidate) {
            return error.getName().starts_with(candidate.prefix);
        });
    if (known != kKnownErrors.end()) {
        result.kind = known->kind;
        result.advice = known->advice;
    }
    return result;
}

SystemdBus::Connection& SystemdBus::connection() const {
    if (!connection_) {
        try {
            connection_ = std::make_unique<Connection>();
        } catch (const sdbus::Error& error) {
            throw sdbus::Error("org.freedesktop.DBus.Error.FileNotFound",
                               "no system bus: " + error.getMessage());
        }
    }
    return *connection_;
}

}  // namespace fabric::linux_host
