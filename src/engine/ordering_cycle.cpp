// SPDX-License-Identifier: Apache-2.0
#include "engine/ordering_cycle.hpp"

#include "base/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fabric::engine {

namespace {

constexpr std::string_view kCycleId = "f27a3f94406a4783b946a9bc849e9452";
constexpr std::string_view kDeletedId = "5084367542f7472dbc6a94125d5debce";
constexpr std::string_view kJob = "Job ";
constexpr std::string_view kDeleted = "/start deleted to break ordering cycle";

constexpr std::array<std::string_view, 4> kWordings{"ordering cycle",
                                                    "Found dependency on ",
                                                    "Unable to break cycle",
                                                    "deleted to break"};

// "b.service" of "a.service: Job b.service/start deleted to break ordering cycle ...".
std::string deletedUnit(const host::JournalEntry& entry) {
    const std::string_view message = entry.message;
    const std::size_t end = message.find(kDeleted);
    const std::size_t job =
        end == std::string_view::npos ? end : message.rfind(kJob, end);
    if (job == std::string_view::npos) {
        return {};
    }
    return std::string(message.substr(job + kJob.size(), end - job - kJob.size()));
}

constexpr bool isNameCharacter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           std::string_view(":-_.\\@").contains(c);
}

// `unit` as a whole word, so that minio.service is not found in my-minio.service.
bool names(std::string_view text, std::string_view unit) {
    for (std::size_t at = text.find(unit); at != std::string_view::npos;
         at = text.find(unit, at + 1)) {
        const std::size_t end = at + unit.size();
        const bool begins = at == 0 || !isNameCharacter(text[at - 1]);
        const bool ends =
            end == text.size() || !isNameCharacter(text[end]) || text[end] == ':';
        if (begins && ends) {
            return true;
        }
    }
    return false;
}

std::string evidenceOf(const OrderingCycles& cycles) {
    return escapeForTerminal(fmt::format("{}", fmt::join(cycles.messages, "; ")));
}

constexpr std::string_view kFix =
    "one of the units named there is ordered both before and after another: 'systemctl "
    "cat UNIT' shows which After= or Before= to take out, 'systemd-analyze verify "
    "default.target' proves it";

}  // namespace

bool isAboutCycle(const host::JournalEntry& entry) {
    return entry.messageId == kCycleId || entry.messageId == kDeletedId ||
           std::ranges::any_of(kWordings, [&](std::string_view wording) {
               return entry.message.contains(wording);
           });
}

bool OrderingCycles::mentions(std::string_view unit) const {
    return std::ranges::any_of(
        messages, [&](const std::string& message) { return names(message, unit); });
}

OrderingCycles findOrderingCycles(std::span<const host::JournalEntry> entries) {
    OrderingCycles found;
    for (const host::JournalEntry& entry : entries) {
        if (!isAboutCycle(entry)) {
            continue;
        }
        found.messages.push_back(entry.message);
        std::string unit = deletedUnit(entry);
        if (unit.empty() && entry.messageId == kDeletedId) {
            unit = entry.unit;
        }
        if (!unit.empty() &&
            std::ranges::find(found.deleted, unit) == found.deleted.end()) {
            found.deleted.push_back(std::move(unit));
        }
    }
    return found;
}

std::vector<resource::Finding> cycleFindings(const OrderingCycles& cycles,
                                             std::span<const std::string> units) {
    std::vector<resource::Finding> findings;
    for (const std::string& unit : cycles.deleted) {
        if (std::ranges::find(units, unit) != units.end()) {
            findings.push_back({.id = "boot.cycle",
                                .severity = resource::Severity::fail,
                                .summary = fmt::format(
                                    "systemd took {} out of this boot, because units "
                                    "wait for each other in a circle",
                                    unit),
                                .evidence = evidenceOf(cycles),
                                .fix = std::string(kFix)});
        }
    }
    const auto mentioned = std::ranges::find_if(
        units, [&](const std::string& unit) { return cycles.mentions(unit); });
    if (findings.empty() && mentioned != units.end()) {
        findings.push_back(
            {.id = "boot.cycle",
             .severity = resource::Severity::warn,
             .summary = fmt::format("{} stands in a circle of units that wait for each "
                                    "other; another boot may leave it out",
                                    *mentioned),
             .evidence = evidenceOf(cycles),
             .fix = std::string(kFix)});
    }
    return findings;
}

}  // namespace fabric::engine
