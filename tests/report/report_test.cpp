// SPDX-License-Identifier: Apache-2.0
#include "report/difference.hpp"
#include "report/json.hpp"
#include "report/palette.hpp"
#include "report/text.hpp"
#include "sample.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <string>

namespace fabric::report {
namespace {

// Compares with a file under tests/report/golden. FABRICCTL_WRITE_GOLDEN=1 writes it
// instead, for a person who then reads the difference in git.
void expectGolden(const std::string& name, const std::string& text) {
    const std::string path = std::string(GOLDEN_DIR) + "/" + name;
    if (const char* write = std::getenv("FABRICCTL_WRITE_GOLDEN"); write != nullptr) {
        std::ofstream(path) << text;
    }
    std::ifstream file(path);
    const std::string golden{std::istreambuf_iterator<char>(file), {}};
    EXPECT_EQ(text, golden) << name;
}

TEST(ReportText, plan_shows_what_differs_why_and_the_next_command) {
    expectGolden("plan.txt", toText(samplePlan(), {}));
}

TEST(ReportText, plan_explains) {
    expectGolden("plan-explain.txt",
                 toText(samplePlan(), {.verbose = true, .explain = true}));
}

TEST(ReportText, apply_shows_what_changed) {
    expectGolden("apply.txt", toText(sampleApply(), {}));
}

TEST(ReportText, quiet_leaves_only_what_is_wrong) {
    expectGolden("apply-quiet.txt", toText(sampleApply(), {.quiet = true}));
    engine::Report fine;
    fine.command = "check";
    EXPECT_EQ(toText(fine, {.quiet = true}), "");
}

engine::ResourceReport notApplicable(std::string property, std::string reason) {
    return {.assessment = {.id = "dcb/veth0/" + property,
                           .kind = resource::Kind::dcb,
                           .device = "veth0",
                           .property = std::move(property),
                           .rail = "veth0",
                           .wanted = "on",
                           .reason = std::move(reason)},
            .outcome = engine::Outcome::notApplicable};
}

TEST(ReportText, properties_that_do_not_apply_for_one_reason_are_told_once) {
    engine::Report report;
    report.command = "check";
    report.resources = {notApplicable("trust", "not a physical port"),
                        notApplicable("pfc", "not a physical port"),
                        notApplicable("ets", "no such operation")};
    const std::string text = toText(report, {});
    EXPECT_NE(text.find("not-applicable: trust, pfc\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("not a physical port"), text.rfind("not a physical port"));
    EXPECT_NE(text.find("no such operation"), std::string::npos);
    const std::string verbose = toText(report, {.verbose = true});
    EXPECT_NE(verbose.find("not a physical port"),
              verbose.rfind("not a physical port"));
}

TEST(ReportText, one_finding_of_several_rails_is_told_once_with_their_names) {
    resource::Finding finding{.id = "dcb.auto-ambiguous",
                              .summary = "8 DSCPs are on the lossless priority 3",
                              .evidence = "DSCP 24",
                              .fix = {},
                              .device = "rail0"};
    engine::Report report;
    report.command = "check";
    report.findings = {finding, finding, finding};
    report.findings[1].device = "rail1";
    report.findings[2].device = "rail2";
    report.findings[2].evidence = "DSCP 25";
    const std::string text = toText(report, {});
    EXPECT_NE(text.find("note: rail0, rail1: 8 DSCPs"), std::string::npos) << text;
    EXPECT_NE(text.find("note: rail2: 8 DSCPs"), std::string::npos) << text;
}

TEST(ReportText, no_escape_sequence_without_colour_and_foreign_text_is_escaped) {
    EXPECT_EQ(toText(samplePlan(), {}).find('\x1b'), std::string::npos);
    EXPECT_NE(toText(samplePlan(), {}).find("\\x1b[31m"), std::string::npos);
    EXPECT_NE(toText(samplePlan(), {.color = true}).find("\x1b[33m"),
              std::string::npos);
}

TEST(ReportText, an_image_is_not_called_this_host) {
    engine::Report report;
    report.command = "apply";
    report.profileName = "x";
    report.image = "/srv/image";
    report.resources.emplace_back();
    const std::string text = toText(report, {.verbose = true});
    EXPECT_TRUE(text.starts_with("apply x in image /srv/image: ")) << text;
    EXPECT_FALSE(text.contains("this host")) << text;
    EXPECT_TRUE(text.contains("inside the image")) << text;
}

TEST(ReportText, stays_within_eighty_columns) {
    const std::string text = toText(samplePlan(), {.verbose = true, .explain = true});
    std::size_t start = 0;
    while (start < text.size()) {
        const std::size_t end = text.find('\n', start);
        EXPECT_LE(end - start, 80U) << text.substr(start, end - start);
        start = end + 1;
    }
}

TEST(ReportJson, golden) {
    expectGolden("plan.json", toJson(samplePlan()));
    expectGolden("apply.json", toJson(sampleApply()));
}

TEST(ReportJson, is_one_document_for_every_ending) {
    engine::Report invalid;
    invalid.command = "apply";
    invalid.errors = {{.file = "p.yaml",
                       .line = 3,
                       .column = 1,
                       .message = "unknown key",
                       .suggestion = "dcb"}};
    const auto tree = nlohmann::json::parse(toJson(invalid));
    EXPECT_EQ(tree["exit_code"], 5);
    EXPECT_EQ(tree["errors"][0]["line"], 3);
    engine::Report locked;
    locked.stopped = Error{.kind = ErrorKind::busy, .action = "lock"};
    locked.locked = true;
    EXPECT_EQ(nlohmann::json::parse(toJson(locked))["exit_code"], 4);
}

TEST(ReportJson, bytes_that_are_not_utf8_do_not_break_it) {
    engine::Report report = samplePlan();
    report.resources[0].assessment.device = "eth\xff";
    EXPECT_TRUE(nlohmann::json::accept(toJson(report)));
}

TEST(DifferenceText, same_lines_on_both_sides) {
    const auto planned = differenceText(samplePlan());
    EXPECT_EQ(planned.before, "dcb/ens1f0np0/pfc: []\n");
    EXPECT_EQ(planned.after, "dcb/ens1f0np0/pfc: [3]\n");
    const auto applied = differenceText(sampleApply());
    EXPECT_EQ(applied.before, "dcb/ens1f0np0/pfc: []\n");
    EXPECT_EQ(applied.after, "dcb/ens1f0np0/pfc: [3]\n");
}

TEST(Wrapped, breaks_at_spaces_and_keeps_commands_whole) {
    EXPECT_EQ(wrapped("aa bb cc", 2, 7), "aa bb\n  cc");
    EXPECT_EQ(wrapped("averylongcommand --x", 0, 8), "averylongcommand\n--x");
}

}  // namespace
}  // namespace fabric::report
