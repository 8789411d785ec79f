// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"
#include "resource/rail_property.hpp"
#include "snapshot/comparison.hpp"
#include "snapshot/register_word.hpp"
#include "snapshot/stored_file.hpp"
#include "snapshot/value.hpp"

#include <fmt/format.h>

#include <utility>

namespace fabric::snapshot {

namespace {

using resource::Assessment;
using resource::Disturbs;
using resource::Stage;
using resource::Step;
using resource::Verdict;
using resource::Write;

Stage stageOf(resource::Kind kind) {
    switch (kind) {
        case resource::Kind::module:
            return Stage::module;
        case resource::Kind::arp:
            return Stage::arp;
        default:
            return Stage::service;
    }
}

// What stands there goes, or comes back as it was; a unit is read anew with its file.
std::vector<Write> writesFor(const File& file,
                             const std::optional<FileContent>& found) {
    std::vector<Write> writes;
    if (!file.content) {
        writes.emplace_back(resource::FileRemove{file.path});
        if (!file.unit.empty()) {
            writes.emplace_back(resource::ManagerReload{file.unit});
        }
        return writes;
    }
    writes.emplace_back(
        resource::DirectoryCreate{file.path.substr(0, file.path.rfind('/'))});
    const resource::FileReplace replace{.path = file.path,
                                        .text = file.content->bytes,
                                        .mode = file.content->mode,
                                        .owner = file.content->owner};
    if (file.unit.empty()) {
        writes.emplace_back(replace);
    } else {
        writes.emplace_back(resource::DropInWrite{
            .unit = file.unit,
            .file = replace,
            .previous = found ? std::optional(found->bytes) : std::nullopt});
    }
    return writes;
}

}  // namespace

void compareThing(const Item& item, const File& file, Looking& look) {
    Assessment assessment = begin(item, file.path, "");
    assessment.property = "file";
    assessment.wanted = valueOf(file.content);
    const auto found = readFile(look.host.files, file.path);
    if (!found) {
        resource::cannotRead(found.error(), look.platform, assessment);
    } else {
        assessment.found = valueOf(*found);
        judge(*found == file.content, assessment);
    }
    if (assessment.verdict == Verdict::differs) {
        look.out.steps.push_back(
            stepFor(stageOf(item.kind),
                    Disturbs::none,
                    (file.content ? "put back " : "remove ") + file.path,
                    {&assessment},
                    writesFor(file, *found)));
    }
    look.out.assessments.push_back(std::move(assessment));
}

void compareThing(const Item& item, const PciWord& word, Looking& look) {
    const auto address = look.where.find(word.function);
    if (!address) {
        addAbsent(item, word.function.text(), "control", address.error(), look);
        return;
    }
    Assessment assessment = begin(item, address->text(), "control");
    assessment.pci = address->text();
    const auto masked = [&](std::uint16_t value) {
        return static_cast<std::uint16_t>(value & word.mask);
    };
    const auto found =
        readRegister(look.host.pci,
                     *address,
                     {word.capabilityId, word.capability, word.registerOffset});
    if (!found) {
        resource::cannotRead(found.error(), look.platform, assessment);
        look.out.assessments.push_back(std::move(assessment));
        return;
    }
    // Bits that no run has written are not ours: they stay as they are now.
    const auto wanted = static_cast<std::uint16_t>((*found & ~unsigned{word.mask}) |
                                                   masked(word.value));
    assessment.wanted = fmt::format("0x{:04x}", wanted);
    assessment.found = fmt::format("0x{:04x}", *found);
    judge(wanted == *found, assessment);
    if (assessment.verdict == Verdict::differs) {
        look.out.steps.push_back(stepFor(
            Stage::acs,
            Disturbs::none,
            fmt::format("set ACS control of {} from {} back to {}",
                        address->text(),
                        assessment.found.toText(),
                        assessment.wanted.toText()),
            {&assessment},
            {host::PciCapabilityWrite{
                .address = *address,
                .capabilityId = word.capabilityId,
                .capability = word.capability,
                .registerOffset = word.registerOffset,
                .clear = masked(static_cast<std::uint16_t>(~unsigned{word.value})),
                .set = masked(word.value)}}));
    }
    look.out.assessments.push_back(std::move(assessment));
}

}  // namespace fabric::snapshot
