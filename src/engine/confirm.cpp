// SPDX-License-Identifier: Apache-2.0
#include "engine/confirm.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

namespace fabric::engine {

namespace {

using State = ConfirmRecord::State;

bool open(const ConfirmRecord& record) {
    return record.state != State::restored;
}

std::string undoNow(const ConfirmRecord& record) {
    return fmt::format("'fabricctl restore {} --unconfirmed'",
                       escapeForTerminal(record.id));
}

Error notConfirmed(std::string detail, std::string advice) {
    return {.kind = ErrorKind::refused,
            .action = "confirm",
            .subject = {},
            .sysErrno = 0,
            .detail = std::move(detail),
            .advice = std::move(advice)};
}

}  // namespace

std::optional<Error> awaitsConfirmation(const std::optional<ConfirmRecord>& record,
                                        const std::string& bootId) {
    if (!record || !open(*record) || record->bootId != bootId) {
        return std::nullopt;
    }
    const std::string id = escapeForTerminal(record->id);
    Error error{.kind = ErrorKind::busy,
                .action = "write",
                .subject = {},
                .sysErrno = 0,
                .detail = fmt::format(
                    "an apply waits to be confirmed until {}, or is undone then ({})",
                    escapeForTerminal(record->deadline),
                    id),
                .advice = "keep it with 'fabricctl confirm', or undo it now with " +
                          undoNow(*record)};
    if (record->state == State::restoring) {
        error.detail = fmt::format(
            "an apply that was not confirmed is being undone ({}), or that was cut off",
            id);
        error.advice = "complete it with " + undoNow(*record);
    }
    return error;
}

Result<void> confirmable(const std::optional<ConfirmRecord>& record,
                         const std::string& bootId) {
    if (!record) {
        return fail(notConfirmed("nothing waits to be confirmed", {}));
    }
    const std::string id = escapeForTerminal(record->id);
    if (record->state == State::restored) {
        return fail(notConfirmed(
            fmt::format("nothing waits to be confirmed: {} was undone at {}, exit {}",
                        id,
                        escapeForTerminal(record->ended),
                        record->exitCode),
            "apply again with a longer --confirm-within"));
    }
    if (record->state == State::restoring && record->bootId == bootId) {
        return fail(
            notConfirmed(fmt::format("the restore of {} has begun and did not end", id),
                         "complete it with " + undoNow(*record)));
    }
    return {};
}

bool toBeUndone(const std::optional<ConfirmRecord>& record,
                const std::string& id,
                const std::string& bootId) {
    return record && open(*record) && record->id == id && record->bootId == bootId;
}

bool cutOffByBoot(const std::optional<ConfirmRecord>& record,
                  const std::string& bootId) {
    return record && open(*record) && record->bootId != bootId;
}

}  // namespace fabric::engine
