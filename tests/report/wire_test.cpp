// SPDX-License-Identifier: Apache-2.0
#include "report/wire.hpp"

#include "profile/peers.hpp"
#include "report/json.hpp"
#include "report/peers.hpp"

#include <gtest/gtest.h>

namespace fabric::report {
namespace {

using engine::AuditAnswer;
using engine::InterfaceSharing;
using engine::Sharing;

constexpr MacAddress kOne{{2, 0, 0, 0, 2, 1}};
constexpr MacAddress kTwo{{2, 0, 0, 0, 2, 2}};

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

engine::OwnPeers hostilePeers() {
    return {.host = "node1",
            .peers = {{"node1",
                       "ens1",
                       "10.0.1.1",
                       kOne.text(),
                       9000,
                       4096,
                       "0000:0000:0000:0000:0000:ffff:0a00:0101"},
                      {"node1", "a\", b: \"\x1b[31m", "fd00::1", kTwo.text()}}};
}

TEST(OwnPeers, what_is_exported_is_read_back_whatever_an_interface_is_called) {
    const engine::OwnPeers own = hostilePeers();
    const auto yaml = profile::parsePeers(toYaml(own), "node1.yaml");
    EXPECT_TRUE(yaml.problems.empty()) << yaml.problems.front();
    EXPECT_EQ(yaml.peers, own.peers);
    const auto json = profile::parsePeers(toJson(toValue(own)), "node1.json");
    EXPECT_TRUE(json.problems.empty()) << json.problems.front();
    EXPECT_EQ(json.peers, own.peers);
    EXPECT_FALSE(contains(toYaml(own), "\x1b"));
}

TEST(OwnPeers, a_host_without_rails_exports_an_empty_list) {
    const engine::OwnPeers own{.host = "node1", .peers = {}};
    const auto read = profile::parsePeers(toYaml(own), "node1.yaml");
    EXPECT_TRUE(read.problems.empty());
    EXPECT_TRUE(read.peers.empty());
}

TEST(Wire, what_was_not_asked_is_not_printed) {
    EXPECT_EQ(toText(engine::WireAnswers{}, {}), "");
    Value::Object status;
    addWire({}, status);
    EXPECT_TRUE(status.empty());
}

TEST(Wire, each_interface_has_its_word) {
    engine::WireAnswers wire;
    wire.domains = std::vector<InterfaceSharing>{
        {.interface = "a", .sharing = Sharing::shared, .with = {"b"}},
        {.interface = "c", .sharing = Sharing::notObserved},
        {.interface = "d", .reason = "no carrier"}};
    const std::string text = toText(wire, {});
    EXPECT_TRUE(contains(text, "a  shared with b")) << text;
    EXPECT_TRUE(contains(text, "c  not observed")) << text;
    EXPECT_TRUE(contains(text, "no proof of separate domains")) << text;
    EXPECT_TRUE(contains(text, "d  could not tell")) << text;
    EXPECT_FALSE(wire.complete());
}

TEST(Wire, an_audit_warns_that_it_may_poison_and_says_when_it_did) {
    engine::WireAnswers wire;
    wire.audit = engine::Audit{.address = IpAddress::v4(10, 0, 1, 2),
                               .answers = {{.interface = "ens1",
                                            .macs = {kOne, kTwo},
                                            .cachedBefore = kOne,
                                            .cachedAfter = kTwo,
                                            .error = {}}}};
    const std::string text = toText(wire, {});
    EXPECT_TRUE(contains(text, "2 MACs " + kOne.text() + " " + kTwo.text())) << text;
    EXPECT_TRUE(contains(text, "overwrites this host's own entry")) << text;
    EXPECT_TRUE(contains(text, "own entry changed from " + kOne.text())) << text;
    EXPECT_TRUE(wire.complete());
    Value::Object status;
    addWire(wire, status);
    EXPECT_EQ(status.at("audit").member("answers")->asList()->size(), 1U);
}

TEST(Wire, a_question_that_could_not_be_asked_is_told) {
    engine::WireAnswers wire;
    wire.audit = fail(Error{.kind = ErrorKind::notFound,
                            .action = "audit",
                            .subject = "10.9.9.9",
                            .detail = "it lies in no subnet of a rail"});
    EXPECT_TRUE(contains(toText(wire, {}), "could not tell: audit on 10.9.9.9"))
        << toText(wire, {});
    EXPECT_FALSE(wire.complete());
}

}  // namespace
}  // namespace fabric::report
