// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "doctor/commands.hpp"
#include "doctor/evidence.hpp"
#include "doctor/rule.hpp"
#include "doctor/symptoms.hpp"
#include "doctor/traffic_class.hpp"
#include "engine/report.hpp"

#include <string>
#include <vector>

namespace fabric::doctor {

// One rule with what it says of this host.
struct Diagnosed {
    const Rule* rule = nullptr;
    Judgement judgement;
    // Another failing rule that explains this failure: it then counts as inconclusive
    // until that one is repaired. "" none.
    std::string_view follows;
    Commands commands;
};

struct Diagnosis {
    std::string host;
    std::string kernel;
    bool effectiveRoot = false;
    bool fromFacts = false;            // of another machine, or of another time
    const Symptom* symptom = nullptr;  // nullptr: every rule
    std::vector<Diagnosed> rules;      // in the order of the walk
    std::vector<AutoClass> classes;
    std::vector<std::string> problems;       // questions that stayed without an answer
    std::optional<PeerEvidence> peers;       // empty: nobody was asked
    std::optional<MetricsEvidence> metrics;  // empty: the server was not asked

    [[nodiscard]] std::size_t count(Verdict verdict) const;
    // 0 nothing found, 2 a rule fails, 6 a rule could not read (worse than 2).
    [[nodiscard]] engine::ExitCode exitCode() const;
    // "healthy", "findings", "unverifiable"
    [[nodiscard]] std::string_view result() const;
};

// Every rule, or those of the symptom in the order of its page, stopping for none.
// Pure.
[[nodiscard]] Diagnosis diagnose(const Evidence& evidence, const Symptom* symptom);

}  // namespace fabric::doctor
