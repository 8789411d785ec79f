// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <utility>

namespace fabric {

// What went wrong, coarse enough to decide an outcome and an exit code.
enum class ErrorKind {
    invalidProfile,  // the profile is wrong; nothing was touched
    notFound,        // the thing named does not exist
    permission,      // a capability, file mode, lockdown or namespace forbids it
    unsupported,     // kernel, driver or device has no such control
    busy,            // another run holds the lock, or the device says so
    refused,         // understood, and answered with an error
    mismatch,        // accepted, but the read-back differs
    malformed,       // the answer could not be decoded
    timeout,         // no answer before the deadline
    io,              // any other failure of a system call
    bug,             // an invariant of this program is broken
};

std::string_view toString(ErrorKind kind);

// One failure: what was done, on what, what came back, what to do next.
// `sysErrno` is a positive errno, or 0 when none applies.
struct Error {
    ErrorKind kind = ErrorKind::io;
    std::string action;   // "set PFC"
    std::string subject;  // "ens1f0np0 (0000:1a:00.0)"
    int sysErrno = 0;
    std::string detail;  // what came back, when errno does not say it all
    std::string advice;  // the next command or setting to try

    // One line: "set PFC on ens1f0np0: Operation not supported (detail); advice".
    [[nodiscard]] std::string message() const;
};

template <typename T>
using Result = std::expected<T, Error>;

[[nodiscard]] inline std::unexpected<Error> fail(Error error) {
    return std::unexpected<Error>(std::move(error));
}

// The failure of a system call, with the kind that follows from errno (EPERM, EACCES,
// EROFS: permission; ENOENT, ENODEV: notFound; EOPNOTSUPP: unsupported; EBUSY: busy).
[[nodiscard]] Error systemError(std::string action, std::string subject, int sysErrno);

}  // namespace fabric

// Evaluates a Result expression; yields its value, or returns its error from the
// enclosing function. One per statement.
#define TRY(expression)                                           \
    __extension__({                                               \
        auto tryResult = (expression);                            \
        if (!tryResult.has_value()) {                             \
            return std::unexpected(std::move(tryResult.error())); \
        }                                                         \
        ::fabric::detail::unwrap(std::move(tryResult));           \
    })

namespace fabric::detail {

template <typename T>
T unwrap(std::expected<T, Error>&& result) {
    return std::move(*result);
}

inline void unwrap(std::expected<void, Error>&& /*result*/) {}

}  // namespace fabric::detail
