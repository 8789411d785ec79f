// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "snapshot/decode_thing.hpp"
#include "snapshot/json.hpp"
#include "snapshot/seal.hpp"

#include <algorithm>
#include <utility>

namespace fabric::snapshot {

namespace {

Result<Item> toItem(const Json& tree) {
    const std::string name = TRY(text(tree, "kind"));
    const auto kind = resource::parseKind(name);
    if (!kind) {
        return wrong("there is no kind " + escapeForTerminal(name));
    }
    Item item;
    item.kind = *kind;
    item.label = TRY(text(tree, "label"));
    item.from = TRY(text(tree, "from"));
    item.thing = TRY(toThing(tree));
    return item;
}

// "2026-11-30T08:45:12Z".
Result<std::chrono::sys_seconds> toTime(const std::string& written) {
    constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:ddZ";
    const bool fits =
        written.size() == kForm.size() &&
        std::ranges::equal(written, kForm, [](char have, char form) {
            return form == 'd' ? have >= '0' && have <= '9' : have == form;
        });
    const auto part = [&](std::size_t at, std::size_t length) {
        return static_cast<int>(
            parseUnsigned(std::string_view(written).substr(at, length)).value_or(0));
    };
    if (!fits) {
        return wrong("'taken' is no time");
    }
    const std::chrono::year_month_day day{
        std::chrono::year(part(0, 4)),
        std::chrono::month(static_cast<unsigned>(part(5, 2))),
        std::chrono::day(static_cast<unsigned>(part(8, 2)))};
    const std::chrono::hours hours(part(11, 2));
    const std::chrono::minutes minutes(part(14, 2));
    const std::chrono::seconds seconds(part(17, 2));
    // Without these an hour 99 would make another day of it.
    if (!day.ok() || hours >= std::chrono::days(1) ||
        minutes >= std::chrono::hours(1) || seconds >= std::chrono::minutes(1)) {
        return wrong("'taken' is no time");
    }
    return std::chrono::sys_days(day) + hours + minutes + seconds;
}

// Values that no run has read must not be written to a machine.
Result<void> asItWasWritten(const Json& tree) {
    const std::string seal = TRY(text(tree, kSeal));
    if (seal == sealOf(tree)) {
        return {};
    }
    Error error = wrong("it is not as it was written: its sha256 is another").error();
    error.kind = ErrorKind::refused;
    error.advice = "see who changed it; only what was read is put back";
    return fail(std::move(error));
}

Result<Snapshot> toSnapshot(const Json& tree) {
    Snapshot snapshot;
    snapshot.id = TRY(text(tree, "id"));
    snapshot.run = TRY(number<std::uint64_t>(tree, "run"));
    const std::string taken = TRY(text(tree, "taken"));
    snapshot.taken = TRY(toTime(taken));
    snapshot.command = TRY(text(tree, "command"));
    const Json& profile = *TRY(member(tree, "profile"));
    snapshot.profileName = TRY(text(profile, "name"));
    snapshot.profilePath = TRY(text(profile, "path"));
    snapshot.host = TRY(text(tree, "host"));
    snapshot.bootId = TRY(text(tree, "boot_id"));
    const Json* const items = TRY(list(tree, "items"));
    for (const Json& item : *items) {
        snapshot.items.push_back(TRY(toItem(item)));
    }
    const Json* const notRestored = TRY(list(tree, "not_restored"));
    for (const Json& one : *notRestored) {
        Kept kept;
        kept.what = TRY(text(one, "what"));
        kept.why = TRY(text(one, "why"));
        kept.unread = TRY(flag(one, "unread"));
        snapshot.notRestored.push_back(std::move(kept));
    }
    if (tree.contains("left")) {
        const Json* const left = TRY(list(tree, "left"));
        for (const Json& one : *left) {
            const std::string id = TRY(text(one, "id"));
            const std::string member =
                one.contains("member") ? TRY(text(one, "member")) : "";
            std::string found = TRY(text(one, "found"));
            // An object in one text does not say which of its members it has.
            if (!member.empty() || !found.starts_with('{')) {
                snapshot.left[id][member] = std::move(found);
            }
        }
    }
    return snapshot;
}

}  // namespace

Result<Snapshot> fromJson(std::string_view written) {
    const Json tree = Json::parse(written, nullptr, /*allow_exceptions=*/false);
    if (tree.is_discarded()) {
        return wrong("it is not JSON, or was cut off");
    }
    const std::string schema = TRY(text(tree, "schema"));
    if (schema != kSchema) {
        Error error = wrong("it is " + escapeForTerminal(schema) +
                            ", and this version reads " + kSchema)
                          .error();
        error.kind = ErrorKind::unsupported;
        error.advice = "use the version of fabricctl that wrote it";
        return fail(std::move(error));
    }
    TRY(asItWasWritten(tree));
    return toSnapshot(tree);
}

}  // namespace fabric::snapshot
