// SPDX-License-Identifier: Apache-2.0
#include "engine/confirm.hpp"

#include "base/process_stat.hpp"
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

resource::Finding about(std::string id, std::string summary, std::string fix) {
    return {.id = std::move(id),
            .severity = resource::Severity::warn,
            .summary = std::move(summary),
            .evidence = kConfirmRecord,
            .fix = std::move(fix)};
}

resource::Finding pending(const ConfirmRecord& record) {
    return about(
        "confirm.pending",
        fmt::format("what {} found is put back at {}, unless its apply is "
                    "confirmed",
                    record.id,
                    record.deadline),
        "keep what was applied with 'fabricctl confirm', or undo it now with " +
            undoNow(record));
}

resource::Finding notArmed(const ConfirmRecord& record) {
    return about(
        "confirm.not-armed",
        fmt::format(
            "an apply waits to be confirmed ({}), and what would have "
            "undone it at {} is gone, with no record that it did: nothing is undone "
            "by itself",
            record.id,
            record.deadline),
        "keep what was applied with 'fabricctl confirm', or undo it now with " +
            undoNow(record));
}

resource::Finding beingUndone(const ConfirmRecord& record) {
    return about("confirm.restoring",
                 fmt::format("an apply that was not confirmed is being undone ({}), or "
                             "that was cut off",
                             record.id),
                 "if no restore runs, complete it with " + undoNow(record));
}

resource::Finding notUndone(const ConfirmRecord& record) {
    return about("confirm.not-undone",
                 fmt::format("an apply that was not confirmed was undone in part only: "
                             "the restore of {} ended at {} with exit {}",
                             record.id,
                             record.ended,
                             record.exitCode),
                 fmt::format("put back the rest with 'fabricctl restore {0}', which "
                             "says what is not put back; 'fabricctl restore {0} "
                             "--accept-gone' when that is gone for good",
                             record.id));
}

resource::Finding cutOff(const ConfirmRecord& record) {
    return about(
        "confirm.cut-off",
        fmt::format("a boot came before {} was confirmed or undone: kernel "
                    "settings ended with it, files below /etc did not",
                    record.id),
        fmt::format("keep the files with 'fabricctl confirm', or put them back "
                    "with 'fabricctl restore {}'",
                    record.id));
}

Hold holdOfProcess(const host::FileReader& files, const host::CommandKeeper& keeper) {
    const auto stat = files.read(fmt::format("/proc/{}/stat", keeper.process));
    if (!stat) {
        // A /proc that hides the processes of others (hidepid=, proc(5)) hides init
        // too.
        const bool hidden = !files.read("/proc/1/stat");
        return stat.error().kind == ErrorKind::notFound && !hidden ? Hold::gone
                                                                   : Hold::unknown;
    }
    return startOfProcess(*stat) == keeper.processStart ? Hold::armed : Hold::gone;
}

// The timer waits, or its time has come and its service runs or waits for the lock.
Hold holdOfTimer(const host::ServiceReader& services, const std::string& timer) {
    constexpr std::string_view kSuffix = ".timer";
    const std::string name = timer.substr(0, timer.rfind(kSuffix));
    for (const std::string& unit : {timer, name + ".service"}) {
        const auto now = services.unit(unit);
        if (!now) {
            return Hold::unknown;
        }
        if (now->activeState != "inactive" && now->activeState != "failed") {
            return Hold::armed;
        }
    }
    return Hold::gone;
}

}  // namespace

Hold holdOf(const host::Reader& host, const ConfirmRecord& record) {
    if (record.keeper.process != 0) {
        return holdOfProcess(host.files, record.keeper);
    }
    return host.services == nullptr || record.keeper.timer.empty()
               ? Hold::unknown
               : holdOfTimer(*host.services, record.keeper.timer);
}

std::optional<Error> awaitsConfirmation(const std::optional<ConfirmRecord>& record,
                                        const std::string& bootId,
                                        Hold hold) {
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
    if (record->state == State::pending && hold == Hold::gone) {
        error.detail = fmt::format(
            "an apply waits to be confirmed ({}), and what would have undone it at {} "
            "is gone, with no record that it did: nothing is undone by itself",
            id,
            escapeForTerminal(record->deadline));
    }
    if (record->state == State::restoring) {
        error.detail = fmt::format(
            "an apply that was not confirmed is being undone ({}), or that was cut off",
            id);
        error.advice = "complete it with " + undoNow(*record);
    }
    return error;
}

Error undoneUnrecorded(const ConfirmRecord& record) {
    return notConfirmed(
        fmt::format("everything is as {} found it: it was undone, or cut off before "
                    "its first write, and could not record which",
                    escapeForTerminal(record.id)),
        "apply again");
}

Result<void> confirmable(const std::optional<ConfirmRecord>& record,
                         const std::string& bootId) {
    if (!record) {
        Error nothing = notConfirmed("nothing waits to be confirmed", {});
        // Who confirms as a matter of course tells this from a wait that was lost.
        nothing.kind = ErrorKind::notFound;
        return fail(std::move(nothing));
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

std::optional<Error> awaitsUndoOf(const std::optional<ConfirmRecord>& record,
                                  const std::string& id,
                                  const std::string& bootId) {
    if (!record || !open(*record) || record->bootId != bootId || record->id == id) {
        return std::nullopt;
    }
    return Error{.kind = ErrorKind::refused,
                 .action = "undo the run",
                 .subject = escapeForTerminal(id),
                 .sysErrno = 0,
                 .detail = fmt::format("it is not the one that waits, which is {}",
                                       escapeForTerminal(record->id)),
                 .advice = "to undo that one: " + undoNow(*record)};
}

bool toBeUndone(const std::optional<ConfirmRecord>& record,
                const std::string& id,
                const std::string& bootId) {
    return record && open(*record) && record->id == id && record->bootId == bootId;
}

std::optional<resource::Finding> confirmFinding(
    const std::optional<ConfirmRecord>& record, const std::string& bootId, Hold hold) {
    if (cutOffByBoot(record, bootId)) {
        return cutOff(*record);
    }
    if (!record || (record->state == State::restored && record->exitCode == 0)) {
        return std::nullopt;
    }
    switch (record->state) {
        case State::pending:
            return hold == Hold::gone ? notArmed(*record) : pending(*record);
        case State::restoring:
            return beingUndone(*record);
        case State::restored:
            break;
    }
    return notUndone(*record);
}

bool cutOffByBoot(const std::optional<ConfirmRecord>& record,
                  const std::string& bootId) {
    return record && open(*record) && record->bootId != bootId;
}

}  // namespace fabric::engine
