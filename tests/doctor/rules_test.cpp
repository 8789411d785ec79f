// SPDX-License-Identifier: Apache-2.0
// Every rule on facts of a host: one that passes, one that it is made for, one that
// cannot be read. tests/hosts/doctor-cases.json says what differs from the healthy host
// of tests/hosts/doctor-healthy.json:
// - text: content of files
// - denied: files that may not be read
// - absent: files that are not there
// - observed: a merge patch (RFC 7386) of the answers
// - second, later: text and observed at a second look
// - before: like this, of facts that were taken earlier
// - profile: what the host is compared with
// - peers: the errno of each connection, 0 for one that was taken; or an object of what
//   both ends say of themselves, own-error: the kind of error of this end's
// - journal: what the service manager said
// - kernel: what the kernel wrote, kernel-cut: not searched to its begin, kernel-error:
//   the kind of error with which its log could not be read
// - lines: what the server wrote since it was started, gap: what could not be searched,
//   log-error: the kind of error with which its lines could not be read
// - metrics: what it tells of inter-node RDMA, at one look or two: text, or error
#include "doctor/rules.hpp"

#include "doctor/diagnosis.hpp"
#include "doctor/gather.hpp"
#include "facts/disguise.hpp"
#include "facts/facts.hpp"
#include "facts/profile_disguise.hpp"
#include "facts/profile_text.hpp"
#include "facts/replay.hpp"
#include "profile/yaml_writer.hpp"
#include "scenario/storage_node.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

namespace fabric::doctor {
namespace {

using Json = nlohmann::json;

Json jsonOf(const std::string& name) {
    std::ifstream file(std::string(FABRIC_HOSTS_DIR "/") + name);
    return Json::parse(file);
}

const Json& healthy() {
    static const Json kHealthy = jsonOf("doctor-healthy.json");
    return kHealthy;
}

Json errorOf(const char* kind, int number) {
    return {{"error", {{"kind", kind}, {"errno", number}, {"action", "read"}}}};
}

void answerEverything(Json& file, const Json& answer) {
    for (const char* const question :
         {"text", "names", "target", "resolved", "status"}) {
        file[question] = answer;
    }
}

void patch(Json& observed, const Json& change) {
    const Json texts = change.value("text", Json::object());
    for (const auto& [path, text] : texts.items()) {
        observed["files"][path]["text"] = {{"value", text}};
    }
    for (const auto& path : change.value("denied", Json::array())) {
        answerEverything(observed["files"][path.get<std::string>()],
                         errorOf("permission", 13));
    }
    for (const auto& path : change.value("absent", Json::array())) {
        answerEverything(observed["files"][path.get<std::string>()],
                         errorOf("not-found", 2));
    }
    observed.merge_patch(change.value("observed", Json::object()));
}

facts::Facts factsOf(const Json& document) {
    auto facts = facts::parseFacts(document.dump(), "case");
    EXPECT_TRUE(facts) << facts.error().message();
    return facts ? std::move(*facts) : facts::Facts{};
}

// With other names and addresses where there is a disguise.
facts::Observed observedOf(const Json& document, facts::Disguise* disguise) {
    facts::Facts facts = factsOf(document);
    if (disguise == nullptr) {
        return std::move(facts.observed);
    }
    auto other = disguise->facts(facts);
    EXPECT_TRUE(other) << other.error().message();
    return other ? std::move(other->observed) : facts::Observed{};
}

// 0: the connection was taken; else the errno that came back.
PeerPair pairOf(int sysErrno) {
    PeerPair pair{.rail = "rail0",
                  .way = {.from = IpAddress::v4(10, 0, 0, 1),
                          .via = IfIndex{10},
                          .to = IpAddress::v4(10, 0, 0, 2),
                          .port = 5555},
                  .peer = "rail0 of node2",
                  .connected = std::chrono::microseconds(300),
                  .serve = {},
                  .run = {},
                  .without = {},
                  .ownActiveMtu = 0U,
                  .ownGid = std::string(),
                  .peerGid = {}};
    if (sysErrno != 0) {
        Error error = systemError("connect", "10.0.0.2", sysErrno);
        error.kind = sysErrno == ECONNREFUSED ? ErrorKind::refused
                     : sysErrno == ETIMEDOUT  ? ErrorKind::timeout
                                              : error.kind;
        pair.connected = fail(error);
    }
    return pair;
}

Error namedError(const std::string& kind);

// A pair with what both ends say.
PeerPair pairOf(const Json& told) {
    if (!told.is_object()) {
        return pairOf(told.get<int>());
    }
    PeerPair pair = pairOf(0);
    pair.ownMtu = told.value("own-mtu", 9000U);
    pair.peerMtu = told.value("mtu", 0U);
    pair.ownActiveMtu = told.value("own-active-mtu", 4096U);
    pair.peerActiveMtu = told.value("active-mtu", 0U);
    pair.ownGid = told.value("own-gid", inventory::gidOf(pair.way.from));
    pair.peerGid = told.value("gid", "");
    if (told.contains("own-error")) {
        pair.ownActiveMtu = fail(namedError(told["own-error"]));
        pair.ownGid = fail(namedError(told["own-error"]));
    }
    return pair;
}

Error namedError(const std::string& kind) {
    const int number = kind == "permission" ? EACCES : kind == "not-found" ? ENOENT : 0;
    Error error = systemError("read", "what is not there", number);
    error.kind = kind == "timeout" ? ErrorKind::timeout : error.kind;
    return error;
}

// A page, or the kind of the error that came back.
Result<Metrics> pageOf(const Json& page) {
    return page.contains("error") ? Result<Metrics>(fail(namedError(page["error"])))
                                  : parseMetrics(page.value("text", ""));
}

void addServer(const Json& change, Evidence& evidence) {
    if (change.contains("lines")) {
        host::ServiceLines log{.lines = {}, .gap = change.value("gap", "")};
        for (const auto& message : change["lines"]) {
            log.lines.push_back({.message = message, .monotonicUs = 1});
        }
        evidence.serverLog = std::move(log);
    }
    if (change.contains("log-error")) {
        evidence.serverLog = fail(namedError(change["log-error"]));
    }
    const Json pages = change.value("metrics", Json::array());
    if (!pages.empty()) {
        evidence.metrics =
            MetricsEvidence{.url = "http://node1:9000",
                            .warning = {},
                            .first = {.internode = pageOf(pages[0]), .api = Metrics{}},
                            .second = {}};
    }
    if (pages.size() > 1) {
        evidence.metrics->second =
            ServerMetrics{.internode = pageOf(pages[1]), .api = Metrics{}};
    }
}

void addKernelLog(const Json& change, Evidence& evidence) {
    if (change.contains("kernel")) {
        host::JournalLines log{.lines = {}, .cut = change.value("kernel-cut", false)};
        for (const auto& message : change["kernel"]) {
            log.lines.push_back({.wallUs = 1, .source = "kernel", .message = message});
        }
        evidence.kernelLog = std::move(log);
    }
    if (change.contains("kernel-error")) {
        evidence.kernelLog = fail(namedError(change["kernel-error"]));
    }
}

// The profile as it stands in a bundle.
profile::Profile disguised(const Json& document,
                           facts::Disguise& disguise,
                           const profile::Profile& profile) {
    profile::TreeNode tree = facts::mergedProfile(profile);
    facts::disguiseProfile(factsOf(document).observed, disguise, tree);
    return scenario::profileOf(profile::writeYaml(tree));
}

Json documentOf(const Json& change) {
    Json document = healthy();
    patch(document["observed"], change);
    return document;
}

Evidence evidenceOf(const Json& change, facts::Disguise* disguise = nullptr) {
    Json document = documentOf(change);
    const facts::ReplayHost replay(observedOf(document, disguise));
    std::optional<profile::Profile> profile;
    if (change.contains("profile")) {
        profile = scenario::profileOf(change["profile"]);
        if (disguise != nullptr) {
            profile = disguised(document, *disguise, *profile);
        }
    }
    Evidence evidence = gather(replay.reader(), profile ? &*profile : nullptr);
    if (change.contains("before")) {
        const facts::ReplayHost earlier(
            observedOf(documentOf(change["before"]), disguise));
        evidence.earlier = lookEarlier(earlier.reader(), "2026-11-30T00:00:00Z");
    }
    if (change.contains("second") || change.contains("later")) {
        patch(document["observed"],
              {{"text", change.value("second", Json::object())},
               {"observed", change.value("later", Json::object())}});
        const facts::ReplayHost second(observedOf(document, disguise));
        lookAgain(second.reader(), std::chrono::seconds(10), evidence);
    }
    if (change.contains("peers")) {
        evidence.peers.emplace();
        for (const auto& answer : change["peers"]) {
            evidence.peers->pairs.push_back(pairOf(answer));
        }
    }
    addServer(change, evidence);
    addKernelLog(change, evidence);
    if (change.contains("journal")) {
        std::vector<host::JournalEntry> entries;
        for (const auto& message : change["journal"]) {
            entries.push_back({.message = message, .messageId = {}, .unit = {}});
        }
        evidence.managerProblems = std::move(entries);
    }
    return evidence;
}

class EveryRule : public ::testing::TestWithParam<const Rule*> {
  protected:
    static bool isUnobserved() {
        return std::ranges::any_of(
            unobservedRules(), [](const Rule& rule) { return &rule == GetParam(); });
    }
};

TEST_P(EveryRule, says_of_each_case_what_it_is_made_for) {
    static const Json kCases = jsonOf("doctor-cases.json");
    const Rule& rule = *GetParam();
    ASSERT_TRUE(kCases.contains(rule.id)) << "no cases";
    std::set<std::string> verdicts;
    for (const auto& one : kCases[std::string(rule.id)]) {
        const std::string wanted = one["verdict"];
        SCOPED_TRACE(one.dump());
        const Judgement judgement = rule.judge(evidenceOf(one));
        EXPECT_EQ(toString(judgement.verdict), wanted)
            << judgement.reason << " found " << judgement.found.toText();
        if (wanted == "fail" || wanted == "warn") {
            EXPECT_FALSE(judgement.reason.empty());
            EXPECT_FALSE(judgement.expected.isNull());
        }
        verdicts.insert(wanted);
    }
    if (isUnobserved()) {
        EXPECT_TRUE(verdicts.contains("inconclusive"));
        return;
    }
    // Where a part is not observed, "this look cannot tell" may stand for one of them.
    const bool partly = !rule.unobserved.empty() && verdicts.contains("inconclusive");
    EXPECT_TRUE(verdicts.contains("pass") || partly);
    EXPECT_TRUE(verdicts.contains(std::string(toString(rule.worst))) || partly);
    EXPECT_TRUE(verdicts.contains("unreadable"));
}

// What breaks one thing is named by one rule: no other fails beside it.
TEST_P(EveryRule, is_the_only_one_that_fails_in_its_case) {
    static const Json kCases = jsonOf("doctor-cases.json");
    const Rule& rule = *GetParam();
    for (const auto& one : kCases[std::string(rule.id)]) {
        if (one["verdict"] != "fail") {
            continue;
        }
        SCOPED_TRACE(one.dump());
        const Diagnosis diagnosis = diagnose(evidenceOf(one), nullptr);
        for (const Diagnosed& other : diagnosis.rules) {
            if (other.judgement.verdict == Verdict::fail) {
                EXPECT_EQ(other.rule->id, rule.id) << other.judgement.reason;
            }
        }
    }
}

// What support gets of a customer who hides names says what the customer's own does.
TEST_P(EveryRule, says_the_same_of_disguised_facts) {
    static const Json kCases = jsonOf("doctor-cases.json");
    const Rule& rule = *GetParam();
    for (const auto& one : kCases[std::string(rule.id)]) {
        SCOPED_TRACE(one.dump());
        facts::Disguise disguise(factsOf(documentOf(one)), "salt");
        const Judgement hidden = rule.judge(evidenceOf(one, &disguise));
        EXPECT_EQ(toString(hidden.verdict), one["verdict"].get<std::string>())
            << hidden.reason << " found " << hidden.found.toText();
    }
}

INSTANTIATE_TEST_SUITE_P(Rules,
                         EveryRule,
                         ::testing::ValuesIn(ruleTable()),
                         [](const auto& one) {
                             std::string name(one.param->id);
                             std::ranges::replace(name, '.', '_');
                             return name;
                         });

}  // namespace
}  // namespace fabric::doctor
