// SPDX-License-Identifier: Apache-2.0
#include "base/result.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <system_error>

namespace fabric {

std::string_view toString(ErrorKind kind) {
    switch (kind) {
        case ErrorKind::invalidProfile:
            return "invalid profile";
        case ErrorKind::notFound:
            return "not found";
        case ErrorKind::permission:
            return "not permitted";
        case ErrorKind::unsupported:
            return "not supported";
        case ErrorKind::busy:
            return "busy";
        case ErrorKind::refused:
            return "refused";
        case ErrorKind::mismatch:
            return "read-back differs";
        case ErrorKind::malformed:
            return "malformed answer";
        case ErrorKind::timeout:
            return "timed out";
        case ErrorKind::io:
            return "input/output error";
        case ErrorKind::bug:
            return "internal error";
    }
    return "unknown error";
}

namespace {

// "ask systemd about" names its subject without another word.
bool endsWithPreposition(std::string_view action) {
    constexpr std::array<std::string_view, 9> kPrepositions{
        "about", "at", "below", "for", "from", "into", "of", "to", "with"};
    const std::string_view last = action.substr(action.rfind(' ') + 1);
    return std::ranges::find(kPrepositions, last) != kPrepositions.end();
}

}  // namespace

std::string Error::message() const {
    std::string text = action;
    if (!subject.empty()) {
        text += (endsWithPreposition(action) ? " " : " on ") + subject;
    }
    text += ": ";
    text += sysErrno != 0 ? std::generic_category().message(sysErrno)
                          : std::string(toString(kind));
    if (!detail.empty()) {
        text += " (" + detail + ")";
    }
    if (!advice.empty()) {
        text += "; " + advice;
    }
    return text;
}

namespace {

ErrorKind kindOf(int sysErrno) {
    switch (sysErrno) {
        case EPERM:
        case EACCES:
        case EROFS:
            return ErrorKind::permission;
        case ENOENT:
        case ENODEV:
        case ENXIO:
            return ErrorKind::notFound;
        case EOPNOTSUPP:
        case ENOSYS:
            return ErrorKind::unsupported;
        case EBUSY:
        case EAGAIN:
            return ErrorKind::busy;
        case ETIMEDOUT:
            return ErrorKind::timeout;
        default:
            return ErrorKind::io;
    }
}

}  // namespace

Error systemError(std::string action, std::string subject, int sysErrno) {
    return Error{.kind = kindOf(sysErrno),
                 .action = std::move(action),
                 .subject = std::move(subject),
                 .sysErrno = sysErrno,
                 .detail = {},
                 .advice = {}};
}

}  // namespace fabric
