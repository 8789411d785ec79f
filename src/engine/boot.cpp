// SPDX-License-Identifier: Apache-2.0
#include "engine/boot.hpp"

#include "base/text.hpp"
#include "engine/boot_profile.hpp"
#include "engine/ordering_cycle.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <array>
#include <utility>

namespace fabric::engine {

namespace {

using resource::Assessment;
using resource::Verdict;

constexpr std::string_view kDefaultService = "minio.service";

constexpr std::string_view kExplanation =
    "What the kernel, PCI functions and interfaces hold is lost at a reboot. An "
    "enabled "
    "unit is not proof: systemd drops a job that stands in a circle of units, and the "
    "enabled unit never starts. The run itself leaves a record of this boot.";

std::string utcText(std::chrono::system_clock::time_point time) {
    return fmt::format("{:%Y-%m-%dT%H:%M:%S}Z",
                       fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

Assessment begin(const std::string& unit, std::string property) {
    Assessment assessment;
    assessment.id = "boot/" + unit;
    assessment.kind = resource::Kind::boot;
    assessment.device = unit;
    assessment.property = std::move(property);
    assessment.explanation = kExplanation;
    // A boot that is over cannot be configured any more.
    assessment.beyondApply = true;
    return assessment;
}

const BootRecord* recordOfThisBoot(const BootFacts& facts) {
    const bool known = facts.record && *facts.record;
    return known && (*facts.record)->bootId == facts.bootId ? &**facts.record : nullptr;
}

Verdict verdictOf(int exitCode) {
    switch (static_cast<ExitCode>(exitCode)) {
        case ExitCode::asWanted:
            return Verdict::inSync;
        case ExitCode::differences:
            return Verdict::differs;
        case ExitCode::unverifiable:
            return Verdict::unreadable;
        default:
            return Verdict::failed;
    }
}

void judgeRun(const BootFacts& facts,
              const BootRecord& record,
              Assessment& assessment) {
    Value::Object found{{"started", record.started},
                        {"ended", record.ended},
                        {"profile", record.profile},
                        {"invocation", record.invocation}};
    if (record.first && record.first->ended != record.ended) {
        found["first_ended"] = record.first->ended;
    }
    if (record.finished) {
        found["exit_code"] = record.exitCode;
        found["result"] = record.result;
    }
    assessment.found = std::move(found);
    if (record.finished) {
        assessment.verdict = verdictOf(record.exitCode);
        if (record.exitCode != 0) {
            assessment.reason =
                fmt::format("the apply of this boot ended with exit {} ({})",
                            record.exitCode,
                            escapeForTerminal(record.result));
            assessment.fix = fmt::format("journalctl -b -u {}", kBootUnit);
        }
        return;
    }
    const bool running = facts.unit && facts.unit->activeState == "activating";
    assessment.verdict = running ? Verdict::differs : Verdict::failed;
    assessment.reason = running ? "the apply of this boot is still running"
                                : "the apply of this boot began and never ended";
    assessment.fix = running ? fmt::format("systemctl status {}", kBootUnit)
                             : fmt::format("systemctl restart {}", kBootUnit);
}

std::string whatIsThere(const BootFacts& facts) {
    const bool other = facts.record && *facts.record;
    return other ? fmt::format("{} is of another boot ({})",
                               kBootRecord,
                               escapeForTerminal((*facts.record)->bootId))
                 : fmt::format("its record {} is gone", kBootRecord);
}

// The unit stays active after a run that ended with exit 0 (RemainAfterExit=). What
// that run found can be read nowhere any more.
void judgeLostRecord(const BootFacts& facts, Assessment& assessment) {
    assessment.found = "no record";
    assessment.verdict = Verdict::unreadable;
    assessment.reason = "it ran in this boot and ended well, but " + whatIsThere(facts);
    assessment.fix =
        fmt::format("systemctl restart {}, which writes the record anew", kBootUnit);
}

// There is no record of this boot: what systemd knows of the unit says why.
void judgeAbsence(const BootFacts& facts,
                  const host::ServiceUnit& unit,
                  const OrderingCycles& cycles,
                  Assessment& assessment) {
    assessment.found = "never";
    assessment.verdict = Verdict::differs;
    const bool dropped =
        std::ranges::find(cycles.deleted, kBootUnit) != cycles.deleted.end();
    if (unit.loadState != "loaded") {
        assessment.reason = fmt::format(
            "{} is not there to run: {}", kBootUnit, escapeForTerminal(unit.loadState));
        assessment.fix = unit.loadState == "masked"
                             ? fmt::format("systemctl unmask {}", kBootUnit)
                             : "install the fabricctl package with its units";
    } else if (unit.activeState == "active") {
        judgeLostRecord(facts, assessment);
    } else if (unit.inactiveExitUs != 0) {
        assessment.verdict = Verdict::failed;
        assessment.reason =
            "it started in this boot and left no record: it was ended, "
            "or could not run";
        assessment.fix = fmt::format("journalctl -b -u {}", kBootUnit);
    } else if (dropped) {
        assessment.reason =
            "it never started in this boot: systemd deleted its job to "
            "break an ordering cycle";
        assessment.fix =
            "see finding boot.cycle for the units that wait for each other";
    } else if (unit.unitFileState == "enabled") {
        assessment.reason = "it is enabled and never started in this boot";
        assessment.fix = fmt::format(
            "systemctl start {0}; 'systemctl show -p WantedBy,Conflicts {0}' and "
            "'journalctl -b _PID=1' say what kept it away",
            kBootUnit);
    } else {
        assessment.reason = fmt::format("it is {} and never started in this boot",
                                        unit.unitFileState.empty()
                                            ? "not enabled"
                                            : escapeForTerminal(unit.unitFileState));
        assessment.fix = fmt::format("systemctl enable --now {}", kBootUnit);
    }
}

void judgeUnknown(const Error& error, Assessment& assessment) {
    assessment.verdict = Verdict::unreadable;
    assessment.reason = error.message();
}

Assessment assessRun(const BootFacts& facts, const OrderingCycles& cycles) {
    Assessment assessment = begin(kBootUnit, "run");
    assessment.wanted = Value::Object{{"exit_code", 0}};
    if (const BootRecord* const record = recordOfThisBoot(facts)) {
        judgeRun(facts, *record, assessment);
    } else if (!facts.record) {
        judgeUnknown(facts.record.error(), assessment);
    } else if (facts.unit) {
        judgeAbsence(facts, *facts.unit, cycles, assessment);
    } else if (facts.unit.error().kind == ErrorKind::notFound) {
        assessment.found = "never";
        assessment.verdict = Verdict::differs;
        assessment.reason =
            "no apply was recorded in this boot, and there is no service "
            "manager to ask: " +
            facts.unit.error().message();
        assessment.fix = "run 'fabricctl apply --boot' when the host starts";
    } else {
        judgeUnknown(facts.unit.error(), assessment);
    }
    return assessment;
}

// The service reads DCB and limits once, when it starts.
std::optional<Assessment> assessOrder(const BootFacts& facts) {
    const BootRecord* const record = recordOfThisBoot(facts);
    const bool told = facts.service && facts.service->loadState == "loaded" &&
                      facts.service->inactiveExitUs != 0;
    if (!told || record == nullptr || !record->first) {
        return std::nullopt;
    }
    Assessment assessment = begin(facts.serviceName, "order");
    assessment.wanted = "started after " + std::string(kBootUnit);
    const bool after = facts.service->inactiveExitUs >= record->first->endedUs;
    assessment.found =
        after ? assessment.wanted : Value("started before " + std::string(kBootUnit));
    assessment.verdict = after ? Verdict::inSync : Verdict::differs;
    if (!after) {
        assessment.reason =
            "it started before this host was configured; it reads DCB and its limits "
            "only when it starts";
        assessment.fix = fmt::format("systemctl restart {}", facts.serviceName);
    }
    return assessment;
}

// The unit names one server; any other is put behind it by whoever has it.
std::optional<resource::Finding> unordered(const BootFacts& facts) {
    const bool told = facts.service && facts.service->loadState == "loaded" &&
                      facts.service->after.has_value();
    if (!told || std::ranges::find(*facts.service->after, kBootUnit) !=
                     facts.service->after->end()) {
        return std::nullopt;
    }
    return resource::Finding{
        .id = "boot.not-ordered",
        .severity = resource::Severity::warn,
        .summary =
            fmt::format("{} is not ordered after {}: when the host starts it may "
                        "run before the host is configured",
                        facts.serviceName,
                        kBootUnit),
        .evidence = fmt::format("After= of {} does not name it", facts.serviceName),
        .fix =
            fmt::format("systemctl edit {0}, add '[Unit]', 'Before={1}', '[Install]', "
                        "'WantedBy={1}'; then systemctl reenable {0}",
                        kBootUnit,
                        facts.serviceName)};
}

Result<host::ServiceUnit> askFor(const host::ServiceReader* services,
                                 const std::string& unit) {
    return services != nullptr ? services->unit(unit)
                               : fail(systemError("look up unit", unit, ENOENT));
}

}  // namespace

BootRecord beginBootRecord(const Report& report,
                           std::string invocation,
                           const std::optional<BootRecord>& earlier) {
    const bool ofThisBoot = earlier && earlier->bootId == report.bootId;
    return {.bootId = report.bootId,
            .invocation = std::move(invocation),
            .profile = report.profilePath,
            .profileFiles = std::vector<HashedFile>{},
            .started = utcText(report.started),
            .first = ofThisBoot ? earlier->first : std::nullopt};
}

void finishBootRecord(const Report& report,
                      const host::Clock& clock,
                      std::vector<HashedFile> profileFiles,
                      BootRecord& record) {
    record.finished = true;
    record.profileFiles = std::move(profileFiles);
    record.ended = utcText(clock.wallTime());
    // steady_clock is CLOCK_MONOTONIC, as in systemd's timestamps.
    record.endedUs = static_cast<std::uint64_t>(
        std::chrono::duration_cast<std::chrono::microseconds>(
            clock.now().time_since_epoch())
            .count());
    record.exitCode = static_cast<int>(report.exitCode());
    record.result = report.result();
    record.resources = report.resources.size();
    const bool firstGoodOne =
        record.first && record.first->exitCode != 0 && record.exitCode == 0;
    if (!record.first || firstGoodOne) {
        record.first = {.ended = record.ended,
                        .endedUs = record.endedUs,
                        .exitCode = record.exitCode};
    }
}

resource::Comparison compareBoot(const BootFacts& facts) {
    resource::Comparison result;
    const OrderingCycles cycles =
        facts.journal ? findOrderingCycles(*facts.journal) : OrderingCycles{};
    result.assessments.push_back(assessRun(facts, cycles));
    if (auto order = assessOrder(facts)) {
        result.assessments.push_back(std::move(*order));
    }
    const BootRecord* const record = recordOfThisBoot(facts);
    if (auto profile =
            record != nullptr ? assessBootProfile(facts, *record) : std::nullopt) {
        result.assessments.push_back(std::move(*profile));
    }
    const std::array<std::string, 4> units{kBootUnit,
                                           "fabricctl-early.service",
                                           "fabricctl-check.timer",
                                           facts.serviceName};
    result.findings = cycleFindings(cycles, units);
    if (auto finding = unordered(facts)) {
        result.findings.push_back(std::move(*finding));
    }
    if (!facts.journal) {
        result.findings.push_back(
            {.id = "boot.journal",
             .severity = resource::Severity::warn,
             .summary = "the journal could not be searched for ordering cycles",
             .evidence = facts.journal.error().message(),
             .fix = "journalctl -b -g 'ordering cycle'"});
    }
    return result;
}

resource::Comparison assessBoot(const host::Reader& host,
                                const profile::Profile& profile,
                                Result<std::optional<BootRecord>> record) {
    const auto& service = profile.host().service;
    std::string name = service ? service->unit : std::string(kDefaultService);
    const auto bootId = host.files.read("/proc/sys/kernel/random/boot_id");
    return compareBoot(
        {.bootId = bootId ? std::string(trimmed(*bootId)) : std::string(),
         .record = std::move(record),
         .unit = askFor(host.services, kBootUnit),
         .service = askFor(host.services, name),
         .serviceName = name,
         .journal = host.journal != nullptr
                        ? host.journal->managerProblems()
                        : fail(systemError("open the journal", "this system", ENOENT)),
         .profileFiles = hashesOf(host.files, profile)});
}

}  // namespace fabric::engine
