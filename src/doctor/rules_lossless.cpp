// SPDX-License-Identifier: Apache-2.0
// Whether the host's part of the fabric is lossless.
#include "base/text.hpp"
#include "doctor/evidence.hpp"
#include "doctor/judgement.hpp"
#include "doctor/rail_view.hpp"
#include "doctor/rules.hpp"
#include "doctor/traffic_class.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace fabric::doctor {

namespace {

using engine::LosslessPart;
using engine::LosslessVerdict;
using engine::PartVerdict;

std::string notesOf(const std::vector<LosslessPart>& parts, PartVerdict verdict) {
    std::string text;
    for (const LosslessPart& part : parts) {
        if (part.decides && part.verdict == verdict) {
            text +=
                fmt::format("{}{}: {}", text.empty() ? "" : "; ", part.name, part.note);
        }
    }
    return text;
}

Value wrongValues(const std::vector<LosslessPart>& parts, PartVerdict verdict) {
    Value::Object values;
    for (const LosslessPart& part : parts) {
        if (part.decides && part.verdict == verdict) {
            values.emplace(part.name, part.value);
        }
    }
    return values;
}

Judgement judgePort(const engine::PortObservation& port) {
    if (!port.dcb && port.dcb.error().kind != ErrorKind::unsupported) {
        // Without the priorities that have PFC the other parts say nothing either.
        return unreadable(port.dcb.error());
    }
    const auto parts = engine::losslessParts(port);
    const Value expected = "trust, PFC, DSCP map, buffer and ECN of one priority";
    switch (engine::losslessVerdict(parts)) {
        case LosslessVerdict::lossless:
            return passed(expected, "lossless");
        case LosslessVerdict::lossy:
            return failed(expected,
                          wrongValues(parts, PartVerdict::wrong),
                          port.port.name + " " + notesOf(parts, PartVerdict::wrong));
        case LosslessVerdict::unknown: {
            Judgement judgement;
            judgement.expected = expected;
            judgement.found = wrongValues(parts, PartVerdict::unknown);
            judgement.reason =
                port.port.name + " " + notesOf(parts, PartVerdict::unknown);
            return judgement;
        }
        case LosslessVerdict::notApplicable:
            return notApplicable("the port has no DCB of its own");
    }
    return notApplicable("the port has no DCB of its own");
}

bool isOfLossless(const engine::ResourceReport& report) {
    using resource::Kind;
    const Kind kind = report.assessment.kind;
    return kind == Kind::dcb || kind == Kind::ecn || kind == Kind::pause;
}

Judgement judgeReport(const engine::ResourceReport& report) {
    const resource::Assessment& one = report.assessment;
    switch (report.outcome) {
        case engine::Outcome::drifted:
        case engine::Outcome::failed:
        case engine::Outcome::unsupported:
            return failed(one.wanted, one.found, one.id + " " + one.reason);
        case engine::Outcome::unreadable: {
            Judgement judgement;
            judgement.expected = one.wanted;
            judgement.reason = one.id + " " + one.reason;
            return judgement;
        }
        default:
            return passed(one.wanted, one.found);
    }
}

Judgement judgeDcb(const Evidence& evidence) {
    if (evidence.railsError) {
        return unreadable(*evidence.railsError);
    }
    Judged all;
    if (evidence.check) {
        for (const engine::ResourceReport& report : evidence.check->resources) {
            if (isOfLossless(report)) {
                all.add(report.assessment.id, judgeReport(report));
            }
        }
    }
    if (Judgement judgement = all.worst("");
        judgement.verdict != Verdict::notApplicable) {
        judgement.expected = judgement.verdict == Verdict::pass
                                 ? Value("as the profile says")
                                 : judgement.expected;
        return judgement;
    }
    for (const RailEvidence& rail : evidence.rails) {
        for (const engine::PortObservation& port : rail.ports) {
            all.add(rail.rail.name, judgePort(port));
        }
    }
    return all.worst("there is no RoCE rail with a port of its own");
}

// The lowest bits of a traffic class (RFC 3168, section 5); the rest is the DSCP.
constexpr unsigned kEcnBits = 2;

// The override of the server that stands against what the host says; empty: none.
std::optional<unsigned> overriddenClass(const Evidence& evidence) {
    if (!evidence.server.state) {
        return std::nullopt;
    }
    std::optional<unsigned> value;
    for (const auto& source : evidence.server.state->environment) {
        for (const auto& [name, text] :
             source.variables.value_or(resource::service::Variables{})) {
            const auto number = parseUnsigned(text);
            if (name == "MINIO_RDMA_INTERNODE_TRAFFIC_CLASS" && number &&
                *number != 0) {
                value = static_cast<unsigned>(*number);
            }
        }
    }
    return value;
}

// Several DSCPs of the priority's own block are what mlx5 shows by itself (D28): no
// alarm, as long as a setting of the server is one of them.
Judgement judgeClass(const AutoClass& one, std::optional<unsigned> chosen) {
    const Value expected = "one DSCP on a priority with PFC";
    const Value found = one.text();
    if (one.error) {
        return one.error->kind == ErrorKind::unsupported
                   ? notApplicable(one.error->message())
                   : unreadable(*one.error);
    }
    if (one.bestEffort()) {
        return warned(expected, found, "AUTO finds no lossless class: best effort");
    }
    if (one.ambiguous() && !one.ownBlock) {
        return warned(
            expected, found, "which DSCP AUTO takes is not defined by the host");
    }
    const auto takes = [&](Dscp dscp) { return dscp.number() == *chosen >> kEcnBits; };
    if (chosen && std::ranges::none_of(one.candidates, takes)) {
        return warned(found,
                      fmt::format("MINIO_RDMA_INTERNODE_TRAFFIC_CLASS={}", *chosen),
                      "the server's setting is not the lossless class of the host");
    }
    return passed(expected, found);
}

Judgement judgeAuto(const Evidence& evidence) {
    if (evidence.railsError) {
        return unreadable(*evidence.railsError);
    }
    const auto chosen = overriddenClass(evidence);
    Judged rails;
    std::set<std::set<Dscp>> different;  // what AUTO chooses from
    const auto classes = autoClasses(evidence);
    for (const AutoClass& one : classes) {
        Judgement judgement = judgeClass(one, chosen);
        if (judgement.verdict == Verdict::pass) {
            different.insert(one.candidates);
        }
        rails.add(one.rail, std::move(judgement));
    }
    Judgement judgement = rails.worst("there is no RoCE rail with a port of its own");
    if (judgement.verdict == Verdict::pass && different.size() > 1) {
        return warned("the same DSCPs to choose from on all rails",
                      std::move(judgement.found),
                      "the rails differ");
    }
    return judgement;
}

constexpr auto kRules = std::to_array<Rule>({
    {.id = "dcb.host",
     .worst = Verdict::fail,
     .cause = "the host's side is not lossless",
     .source = "Configure the RDMA fabric: make the RoCE fabric lossless",
     .look = "fabricctl status; dcb pfc show dev {port}; dcb app show dev {port}",
     .fix = "trust DSCP, PFC, DSCP map, buffer and ECN of one priority",
     .action = "{apply} --only dcb,ecn,pause",
     .restart = Restart::thisNode,
     .judge = judgeDcb},
    {.id = "dcb.auto_class",
     .worst = Verdict::warn,
     .cause = "AIStor's AUTO traffic class is not the lossless one on every rail",
     .source = "Configure the RDMA fabric: traffic class",
     .look = "dcb pfc show dev {port}; dcb app show dev {port} dscp-prio",
     .fix = "exactly one DSCP on the lossless priority, the same on every rail",
     .action = "{apply} --only dcb (with other-dscp: exclusive)",
     .restart = Restart::thisNode,
     .judge = judgeAuto},
});

}  // namespace

std::span<const Rule> losslessRules() {
    return kRules;
}

}  // namespace fabric::doctor
