// SPDX-License-Identifier: Apache-2.0
#include "doctor/diagnosis.hpp"

#include "doctor/rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace fabric::doctor {

namespace {

std::vector<const Rule*> rulesOf(const Symptom* symptom) {
    if (symptom == nullptr) {
        return ruleTable();
    }
    std::vector<const Rule*> rules;
    for (const std::string_view id : symptom->rules) {
        // Held by a test: every id of a symptom is one of the table.
        if (const Rule* const rule = findRule(id)) {
            rules.push_back(rule);
        }
    }
    return rules;
}

// Causes are judged although the symptom does not list them.
class Failures {
  public:
    explicit Failures(const Evidence& evidence) : evidence_(evidence) {}

    // The failing rule that explains a failure of this one, "" none.
    std::string_view causeOf(std::string_view id) {
        for (const Consequence& one : consequences()) {
            if (one.rule == id && fails(one.cause)) {
                return one.cause;
            }
        }
        return {};
    }

  private:
    bool fails(std::string_view id) {
        const auto known = known_.find(id);
        if (known != known_.end()) {
            return known->second;
        }
        const Rule* const rule = findRule(id);
        const bool failing =
            rule != nullptr && rule->judge(evidence_).verdict == Verdict::fail;
        known_.emplace(id, failing);
        return failing;
    }

    const Evidence& evidence_;
    std::map<std::string_view, bool> known_;
};

}  // namespace

std::size_t Diagnosis::count(Verdict verdict) const {
    return static_cast<std::size_t>(std::ranges::count_if(
        rules, [&](const Diagnosed& one) { return one.judgement.verdict == verdict; }));
}

engine::ExitCode Diagnosis::exitCode() const {
    if (count(Verdict::unreadable) != 0 || !problems.empty()) {
        return engine::ExitCode::unverifiable;
    }
    return count(Verdict::fail) != 0 ? engine::ExitCode::differences
                                     : engine::ExitCode::asWanted;
}

std::string_view Diagnosis::result() const {
    switch (exitCode()) {
        case engine::ExitCode::asWanted:
            return "healthy";
        case engine::ExitCode::differences:
            return "findings";
        default:
            return "unverifiable";
    }
}

Diagnosis diagnose(const Evidence& evidence, const Symptom* symptom) {
    Diagnosis diagnosis{.host = evidence.platform.hostName,
                        .kernel = evidence.platform.kernelRelease,
                        .effectiveRoot = evidence.platform.effectiveRoot,
                        .symptom = symptom,
                        .rules = {},
                        .classes = autoClasses(evidence),
                        .problems = evidence.peers ? evidence.peers->problems
                                                   : std::vector<std::string>{},
                        .peers = evidence.peers,
                        .metrics = evidence.metrics};
    Failures failures(evidence);
    for (const Rule* const rule : rulesOf(symptom)) {
        Diagnosed one{.rule = rule,
                      .judgement = rule->judge(evidence),
                      .follows = {},
                      .commands = {}};
        one.commands = commandsFor(*rule, one.judgement, evidence);
        if (one.judgement.verdict == Verdict::fail) {
            one.follows = failures.causeOf(rule->id);
        }
        if (!one.follows.empty()) {
            one.judgement.verdict = Verdict::inconclusive;
            one.judgement.reason = fmt::format(
                "it follows from {}: {}", one.follows, one.judgement.reason);
        }
        diagnosis.rules.push_back(std::move(one));
    }
    return diagnosis;
}

}  // namespace fabric::doctor
