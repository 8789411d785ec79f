// SPDX-License-Identifier: Apache-2.0
// The record of an apply that waits to be confirmed, and what follows from it.
#include "fuzz/json_says.hpp"
#include "fuzz/property.hpp"
#include "report/confirm_record.hpp"

namespace fabric::report {
namespace {

using engine::ConfirmRecord;
using fuzz::require;

void judgeRecord(const ConfirmRecord& record) {
    using enum ConfirmRecord::State;
    const std::string elsewhere = record.bootId + "x";
    const bool open = record.state != restored;
    const auto waits = engine::awaitsConfirmation(record, record.bootId);
    require(waits.has_value() == open, "in its boot nobody writes until it ended");
    if (waits) {
        fuzz::requirePrintable(waits->message());
        fuzz::requirePrintable(waits->advice);
    }
    require(!engine::awaitsConfirmation(record, elsewhere), "another boot is free");
    require(engine::toBeUndone(record, record.id, record.bootId) == open,
            "undone once, in its boot");
    require(!engine::toBeUndone(record, record.id + "x", record.bootId) &&
                !engine::toBeUndone(record, record.id, elsewhere),
            "and nothing else is");
    const auto kept = engine::confirmable(record, record.bootId);
    require(kept.has_value() == (record.state == pending), "what is pending is kept");
    if (!kept) {
        fuzz::requirePrintable(kept.error().message());
        fuzz::requirePrintable(kept.error().advice);
    }
    require(engine::cutOffByBoot(record, elsewhere) == open &&
                !engine::cutOffByBoot(record, record.bootId),
            "a boot cuts off what is open");
    const auto alone =
        engine::awaitsConfirmation(record, record.bootId, engine::Hold::gone);
    require(alone.has_value() == open, "also when nothing would undo it any more");
    if (alone) {
        fuzz::requirePrintable(alone->message());
    }
    const bool quiet = record.state == restored && record.exitCode == 0;
    require(engine::confirmFinding(record, record.bootId).has_value() != quiet,
            "only a whole restore leaves nothing to tell");
}

}  // namespace

FABRIC_FUZZ_TARGET(input) {
    const auto record = parseConfirmRecord(input.text());
    if (!record) {
        require(record.error().kind == ErrorKind::malformed, "it is malformed");
        fuzz::requirePrintable(record.error().message());
        return;
    }
    const std::string written = toJson(*record);
    const auto again = parseConfirmRecord(written);
    require(again && *again == *record, "a record survives");
    require(fuzz::says(parseTree(input.text()), parseTree(written)),
            "nothing is taken for something else");
    judgeRecord(*record);
}

}  // namespace fabric::report
