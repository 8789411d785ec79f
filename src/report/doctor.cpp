// SPDX-License-Identifier: Apache-2.0
#include "report/doctor.hpp"

#include "base/text.hpp"
#include "doctor/rules.hpp"
#include "doctor/symptoms.hpp"
#include "report/palette.hpp"
#include "report/server_metrics.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <iterator>
#include <utility>
#include <vector>

namespace fabric::report {

namespace {

using doctor::Diagnosed;
using doctor::Diagnosis;
using doctor::Rule;
using doctor::Symptom;
using doctor::Verdict;

constexpr std::size_t kIndent = 12;

Tone toneOf(Verdict verdict) {
    switch (verdict) {
        case Verdict::fail:
        case Verdict::unreadable:
            return Tone::bad;
        case Verdict::warn:
            return Tone::change;
        case Verdict::pass:
            return Tone::good;
        default:
            return Tone::dim;
    }
}

// Names of a rule for other programs: "this-node".
std::string_view restartName(doctor::Restart restart) {
    switch (restart) {
        case doctor::Restart::none:
            return "none";
        case doctor::Restart::thisNode:
            return "this-node";
        case doctor::Restart::allNodes:
            return "all-nodes";
        case doctor::Restart::reboot:
            return "reboot";
    }
    return "none";
}

double milliseconds(const doctor::PeerPair& pair) {
    return std::chrono::duration<double, std::milli>(*pair.connected).count();
}

class DiagnosisWriter {
  public:
    DiagnosisWriter(const Diagnosis& diagnosis, const TextOptions& options)
        : diagnosis_(diagnosis), options_(options), palette_(options.color) {}

    std::string write() {
        if (!options_.quiet) {
            writeHead();
        }
        writeAll(Verdict::fail);
        writeUnreadable();
        writeAll(Verdict::warn);
        if (!options_.quiet) {
            writeClasses();
            writePeers();
            text_ += diagnosis_.metrics ? toText(*diagnosis_.metrics) : "";
        }
        if (options_.verbose) {
            for (const Verdict verdict :
                 {Verdict::inconclusive, Verdict::pass, Verdict::notApplicable}) {
                writeAll(verdict);
            }
        } else if (!options_.quiet) {
            writeOpen();
        }
        for (const std::string& problem : diagnosis_.problems) {
            text_ += palette_.paint(Tone::bad, "not told: ") +
                     wrapped(escapeForTerminal(problem), 2) + "\n";
        }
        writeEnd();
        return std::move(text_);
    }

  private:
    void writeHead() {
        text_ += fmt::format(
            "{}: kernel {}{}\n",
            palette_.paint(Tone::strong, escapeForTerminal(diagnosis_.host)),
            escapeForTerminal(diagnosis_.kernel),
            diagnosis_.fromFacts ? "; from facts: commands are for that host" : "");
        if (diagnosis_.symptom != nullptr) {
            text_ += fmt::format("symptom {}: {}\n  {}\n",
                                 diagnosis_.symptom->name,
                                 diagnosis_.symptom->what,
                                 diagnosis_.symptom->entry);
        }
    }

    void line(std::string_view name, std::string_view text) {
        if (!text.empty()) {
            text_ +=
                fmt::format("  {:<9} {}\n", name, wrapped(std::string(text), kIndent));
        }
    }

    void writeAll(Verdict verdict) {
        for (const Diagnosed& one : diagnosis_.rules) {
            if (one.judgement.verdict == verdict) {
                writeOne(one);
            }
        }
    }

    // Rules that were kept from looking by the same thing are told together.
    void writeUnreadable() {
        std::vector<std::pair<std::string_view, std::vector<std::string_view>>> groups;
        for (const Diagnosed& one : diagnosis_.rules) {
            if (one.judgement.verdict != Verdict::unreadable) {
                continue;
            }
            const auto known = std::ranges::find_if(groups, [&](const auto& group) {
                return group.first == one.judgement.reason;
            });
            if (known == groups.end()) {
                groups.emplace_back(one.judgement.reason,
                                    std::vector<std::string_view>{one.rule->id});
            } else {
                known->second.push_back(one.rule->id);
            }
        }
        for (const auto& [reason, ids] : groups) {
            text_ += palette_.paint(Tone::bad, doctor::toString(Verdict::unreadable)) +
                     " " + wrapped(fmt::format("{}", fmt::join(ids, ", ")), 2) + "\n";
            line("reason", escapeForTerminal(reason));
        }
    }

    void writeOne(const Diagnosed& one) {
        const Verdict verdict = one.judgement.verdict;
        const bool wrong = verdict == Verdict::fail || verdict == Verdict::warn;
        text_ += fmt::format("{} {}: {}\n",
                             palette_.paint(toneOf(verdict), doctor::toString(verdict)),
                             palette_.paint(Tone::strong, one.rule->id),
                             wrong ? one.rule->cause : "");
        if (!wrong && text_.ends_with(": \n")) {
            text_.replace(text_.size() - 3, 3, "\n");
        }
        const bool compared =
            !one.judgement.expected.isNull() || !one.judgement.found.isNull();
        if (compared) {
            line("expected", one.judgement.expected.toText());
            line("found", one.judgement.found.toText());
        }
        line("reason", escapeForTerminal(one.judgement.reason));
        if (verdict == Verdict::pass || verdict == Verdict::notApplicable) {
            return;
        }
        line("see it", one.commands.look);
        if (wrong) {
            line("repair", one.commands.fix);
            line("or", one.commands.action);
            line("restart", doctor::toString(one.rule->restart));
        }
    }

    void writeClasses() {
        const bool asked = std::ranges::any_of(diagnosis_.rules, [](const auto& one) {
            return one.rule->id == "dcb.auto_class";
        });
        if (diagnosis_.classes.empty() || !asked) {
            return;
        }
        text_ +=
            "what AIStor takes by itself (MINIO_RDMA_INTERNODE_TRAFFIC_CLASS=0):\n";
        for (const doctor::AutoClass& one : diagnosis_.classes) {
            text_ += fmt::format("  {:<9} {}\n",
                                 escapeForTerminal(one.port),
                                 wrapped(escapeForTerminal(one.text()), kIndent));
        }
    }

    void writePair(const doctor::PeerPair& pair) {
        const std::string state =
            pair.connected ? fmt::format("open, {:.1f} ms", milliseconds(pair))
                           : escapeForTerminal(pair.connected.error().message());
        text_ += fmt::format("  {} to {} ({}): {}\n",
                             pair.way.from.text(),
                             pair.way.to.text(),
                             escapeForTerminal(pair.peer),
                             wrapped(state, 4));
        if (!pair.without.empty()) {
            text_ +=
                "    no measurement: " + wrapped(escapeForTerminal(pair.without), 6) +
                "\n";
        } else {
            text_ += fmt::format(
                "    serve here:   {}\n    measure here: {}\n", pair.serve, pair.run);
        }
    }

    // Commands stay whole, so that they can be pasted.
    void writePeers() {
        if (!diagnosis_.peers) {
            return;
        }
        text_ += wrapped(
                     "peers, with the commands that measure RDMA between two ends: at "
                     "the other end run the line to serve that doctor prints there",
                     2) +
                 "\n";
        for (const doctor::PeerPair& pair : diagnosis_.peers->pairs) {
            writePair(pair);
        }
        for (const std::string& peer : diagnosis_.peers->unpaired) {
            text_ +=
                "  " + escapeForTerminal(peer) + ": in the network of no rail here\n";
        }
    }

    // What cannot be told by one look, as a list of names.
    void writeOpen() {
        std::vector<std::string_view> names;
        for (const Diagnosed& one : diagnosis_.rules) {
            if (one.judgement.verdict == Verdict::inconclusive) {
                names.push_back(one.rule->id);
            }
        }
        if (!names.empty()) {
            text_ += wrapped(fmt::format("inconclusive (--verbose says why): {}",
                                         fmt::join(names, ", ")),
                             2) +
                     "\n";
        }
    }

    // Silence would read as health.
    void writeNothingHere() {
        std::vector<std::string> reasons;
        for (const Diagnosed& one : diagnosis_.rules) {
            if (one.judgement.verdict == Verdict::notApplicable &&
                std::ranges::find(reasons, one.judgement.reason) == reasons.end()) {
                reasons.push_back(one.judgement.reason);
            }
        }
        text_ +=
            palette_.paint(Tone::bad, "nothing was judged: ") +
            wrapped(escapeForTerminal(fmt::format("{}", fmt::join(reasons, "; "))), 2) +
            "\n";
    }

    void writeEnd() {
        const auto number = [&](Verdict verdict) { return diagnosis_.count(verdict); };
        if (!options_.quiet) {
            text_ += fmt::format(
                "{} rules: {} fail, {} warn, {} unreadable, {} inconclusive, {} pass, "
                "{} not applicable\n",
                diagnosis_.rules.size(),
                number(Verdict::fail),
                number(Verdict::warn),
                number(Verdict::unreadable),
                number(Verdict::inconclusive),
                number(Verdict::pass),
                number(Verdict::notApplicable));
        }
        if (number(Verdict::pass) + number(Verdict::fail) + number(Verdict::warn) +
                number(Verdict::unreadable) ==
            0) {
            writeNothingHere();
        }
        const bool silent = number(Verdict::fail) + number(Verdict::warn) == 0;
        if (silent && diagnosis_.symptom != nullptr &&
            !diagnosis_.symptom->otherwise.empty()) {
            text_ +=
                wrapped(fmt::format("next: {}", diagnosis_.symptom->otherwise), 2) +
                "\n";
        }
        if (number(Verdict::unreadable) != 0 && !diagnosis_.effectiveRoot) {
            text_ += "run it as root to see what could not be read\n";
        }
    }

    const Diagnosis& diagnosis_;
    const TextOptions& options_;
    Palette palette_;
    std::string text_;
};

Value::Object ruleObject(const Rule& rule, const doctor::Commands& commands) {
    return {{"id", rule.id},
            {"cause", rule.cause},
            {"worst", doctor::toString(rule.worst)},
            {"source", rule.source},
            {"look", commands.look},
            {"fix", commands.fix},
            {"action", commands.action},
            {"restart", restartName(rule.restart)},
            {"unobserved", rule.unobserved}};
}

Value diagnosedValue(const Diagnosed& one) {
    Value::Object value = ruleObject(*one.rule, one.commands);
    value.emplace("verdict", doctor::toString(one.judgement.verdict));
    value.emplace("expected", one.judgement.expected);
    value.emplace("found", one.judgement.found);
    value.emplace("reason", one.judgement.reason);
    value.emplace("follows", one.follows);
    return value;
}

Value classValue(const doctor::AutoClass& one) {
    Value::List candidates;
    std::ranges::transform(one.candidates,
                           std::back_inserter(candidates),
                           [](Dscp dscp) { return Value(unsigned{dscp.number()}); });
    return Value::Object{
        {"rail", one.rail},
        {"port", one.port},
        {"traffic_class", one.trafficClass ? Value(*one.trafficClass) : Value{}},
        {"service_level", one.serviceLevel ? Value(*one.serviceLevel) : Value{}},
        {"dscp_candidates", std::move(candidates)},
        {"best_effort", one.bestEffort()},
        {"text", one.text()}};
}

Value symptomValue(const Symptom& symptom) {
    Value::List rules;
    std::ranges::transform(symptom.rules,
                           std::back_inserter(rules),
                           [](std::string_view id) { return Value(id); });
    return Value::Object{{"name", symptom.name},
                         {"what", symptom.what},
                         {"entry", symptom.entry},
                         {"rules", std::move(rules)}};
}

}  // namespace

std::string toText(const Diagnosis& diagnosis, const TextOptions& options) {
    return DiagnosisWriter(diagnosis, options).write();
}

namespace {

Value pairValue(const doctor::PeerPair& pair) {
    const bool open = pair.connected.has_value();
    return Value::Object{{"rail", pair.rail},
                         {"from", pair.way.from.text()},
                         {"to", pair.way.to.text()},
                         {"port", static_cast<int>(pair.way.port)},
                         {"peer", pair.peer},
                         {"open", open},
                         {"milliseconds", open ? Value(milliseconds(pair)) : Value{}},
                         {"error", open ? "" : pair.connected.error().message()},
                         {"serve", pair.serve},
                         {"measure", pair.run},
                         {"without", pair.without}};
}

Value peersValue(const std::optional<doctor::PeerEvidence>& peers) {
    if (!peers) {
        return {};
    }
    Value::List pairs;
    std::ranges::transform(peers->pairs, std::back_inserter(pairs), pairValue);
    Value::List unpaired;
    std::ranges::transform(peers->unpaired,
                           std::back_inserter(unpaired),
                           [](const std::string& text) { return Value(text); });
    return Value::Object{{"pairs", std::move(pairs)},
                         {"unpaired", std::move(unpaired)}};
}

}  // namespace

Value toValue(const Diagnosis& diagnosis) {
    Value::List rules;
    std::ranges::transform(diagnosis.rules, std::back_inserter(rules), diagnosedValue);
    Value::List classes;
    std::ranges::transform(diagnosis.classes, std::back_inserter(classes), classValue);
    Value::List problems;
    std::ranges::transform(diagnosis.problems,
                           std::back_inserter(problems),
                           [](const std::string& text) { return Value(text); });
    return Value::Object{
        {"schema", "fabricctl/doctor/1"},
        {"host", diagnosis.host},
        {"kernel", diagnosis.kernel},
        {"symptom",
         diagnosis.symptom != nullptr ? Value(diagnosis.symptom->name) : Value{}},
        {"result", diagnosis.result()},
        {"exit_code", static_cast<int>(diagnosis.exitCode())},
        {"rules", std::move(rules)},
        {"auto_class", std::move(classes)},
        {"peers", peersValue(diagnosis.peers)},
        {"metrics", metricsValue(diagnosis.metrics)},
        {"problems", std::move(problems)}};
}

std::string doctorListText() {
    std::string text;
    for (const Symptom& symptom : doctor::symptoms()) {
        text += fmt::format("{:<16} {}\n", symptom.name, symptom.what);
        text += "                 " +
                wrapped(fmt::format("{}", fmt::join(symptom.rules, ", ")), 17) + "\n";
    }
    text += "\n";
    for (const Rule* const rule : doctor::ruleTable()) {
        text += fmt::format(
            "{:<18} {:<5} {}\n", rule->id, doctor::toString(rule->worst), rule->cause);
    }
    return text;
}

Value doctorListValue() {
    Value::List symptoms;
    std::ranges::transform(
        doctor::symptoms(), std::back_inserter(symptoms), symptomValue);
    Value::List rules;
    std::ranges::transform(
        doctor::ruleTable(), std::back_inserter(rules), [](const Rule* rule) {
            return Value(ruleObject(*rule, doctor::inGeneral(*rule)));
        });
    return Value::Object{{"schema", "fabricctl/doctor-list/1"},
                         {"symptoms", std::move(symptoms)},
                         {"rules", std::move(rules)}};
}

}  // namespace fabric::report
