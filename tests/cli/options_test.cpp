// SPDX-License-Identifier: Apache-2.0
#include "cli/options.hpp"

#include <gtest/gtest.h>

#include <filesystem>

namespace fabric::cli {
namespace {

using std::chrono::milliseconds;

Options parsed(const std::vector<std::string>& arguments) {
    const auto result = parseCommandLine(arguments);
    if (const auto* ending = std::get_if<Ending>(&result)) {
        ADD_FAILURE() << ending->error << ending->out;
        return {};
    }
    return std::get<Options>(result);
}

Ending ended(const std::vector<std::string>& arguments) {
    const auto result = parseCommandLine(arguments);
    if (std::holds_alternative<Options>(result)) {
        ADD_FAILURE() << "accepted";
        return {};
    }
    return std::get<Ending>(result);
}

TEST(CommandLine, every_verb) {
    EXPECT_EQ(parsed({"apply"}).verb, Verb::apply);
    EXPECT_EQ(parsed({"apply", "--dry-run"}).verb, Verb::plan);
    EXPECT_EQ(parsed({"plan", "p.yaml"}).verb, Verb::plan);
    EXPECT_EQ(parsed({"check"}).verb, Verb::check);
    EXPECT_EQ(parsed({"status"}).verb, Verb::status);
    EXPECT_EQ(parsed({"facts"}).verb, Verb::facts);
    EXPECT_FALSE(parsed({"facts"}).profileNamed);
    EXPECT_TRUE(parsed({"facts", "p.yaml"}).profileNamed);
    EXPECT_EQ(parsed({"peers", "export"}).verb, Verb::peersExport);
    EXPECT_EQ(parsed({"profile", "validate"}).verb, Verb::profileValidate);
    EXPECT_EQ(parsed({"profile", "show", "p.yaml"}).verb, Verb::profileShow);
    EXPECT_EQ(parsed({"profile", "init", "-o", "x.yaml"}).output, "x.yaml");
    EXPECT_EQ(parsed({"profile", "schema"}).verb, Verb::profileSchema);
    EXPECT_EQ(parsed({"profile", "explain", "arp.ignore"}).key, "arp.ignore");
}

TEST(CommandLine, facts_stand_for_a_host_that_is_only_read) {
    EXPECT_EQ(parsed({"check", "--host", "/f"}).hostFile, "/f");
    EXPECT_EQ(parsed({"status", "--host", "/f"}).hostFile, "/f");
    EXPECT_EQ(parsed({"apply", "--dry-run", "--host", "/f"}).verb, Verb::plan);
    for (const std::vector<std::string>& arguments :
         std::vector<std::vector<std::string>>{{"apply", "--host", "/f"},
                                               {"check", "--host", ""},
                                               {"check", "--host=/f", "--root=/i"},
                                               {"check", "--host=/f", "--boot"},
                                               {"check", "--host=/f", "--probe"},
                                               {"check", "--host=/f", "--report", "/r"},
                                               {"status", "--host=/f", "--probe-l2"},
                                               {"facts", "--output", ""}}) {
        EXPECT_EQ(ended(arguments).exitCode, 1) << arguments.back();
    }
}

TEST(CommandLine, frames_are_sent_only_when_asked_for) {
    EXPECT_FALSE(parsed({"check"}).probe);
    EXPECT_FALSE(parsed({"status"}).probe);
    EXPECT_FALSE(parsed({"status"}).audit);
    EXPECT_TRUE(parsed({"check", "--probe"}).probe);
    EXPECT_TRUE(parsed({"status", "--probe-l2"}).probe);
    EXPECT_EQ(parsed({"status", "--audit", "10.0.1.2"}).audit,
              IpAddress::v4(10, 0, 1, 2));
    EXPECT_NE(ended({"status", "--audit", "node2"}).error.find("not an IP address"),
              std::string::npos);
    EXPECT_EQ(ended({"apply", "--probe"}).exitCode, 1);
}

TEST(CommandLine, defaults_and_options) {
    const Options defaults = parsed({"check"});
    EXPECT_EQ(defaults.profilePath, kDefaultProfile);
    EXPECT_EQ(defaults.format, Format::text);
    EXPECT_EQ(defaults.lockWait, milliseconds(0));
    EXPECT_FALSE(defaults.wait);
    const Options given = parsed({"apply",
                                  "--format",
                                  "json",
                                  "--only",
                                  "dcb,acs",
                                  "--rail",
                                  "ens1f0np0",
                                  "--lock-wait",
                                  "120s",
                                  "--wait",
                                  "2m",
                                  "--detailed-exitcode",
                                  "--color",
                                  "never",
                                  "-q",
                                  "p.yaml"});
    EXPECT_EQ(given.format, Format::json);
    EXPECT_EQ(given.run.only, (std::set{resource::Kind::dcb, resource::Kind::acs}));
    EXPECT_EQ(given.run.rail, "ens1f0np0");
    EXPECT_EQ(given.lockWait, milliseconds(120'000));
    EXPECT_EQ(given.wait, milliseconds(120'000));
    EXPECT_TRUE(given.run.detailedExitCode);
    EXPECT_TRUE(given.quiet);
    EXPECT_EQ(given.profilePath, "p.yaml");
}

TEST(CommandLine, only_takes_one_word_and_leaves_the_profile) {
    const Options options = parsed({"check", "--only", "dcb,acs", "fabric.yaml"});
    EXPECT_EQ(options.run.only, (std::set{resource::Kind::dcb, resource::Kind::acs}));
    EXPECT_EQ(options.profilePath, "fabric.yaml");
    EXPECT_EQ(
        parsed({"check", "--only", "dcb", "--only", "acs", "f.yaml"}).run.only.size(),
        2U);
}

TEST(CommandLine, a_slip_is_answered_with_the_nearest_word) {
    EXPECT_EQ(ended({"check", "--wait", "3s", "p.yaml"}).error,
              "there is no option --wait of 'check'; 'apply' has it");
    EXPECT_EQ(ended({"check", "--wait", "3s"}).advice, "Run 'fabricctl check --help'.");
    EXPECT_EQ(ended({"check", "--wait", "3s"}).verb, "check");
    EXPECT_EQ(ended({"profile", "foo"}).error,
              "there is no verb 'foo' after 'profile'");
    EXPECT_EQ(ended({"profile"}).error,
              "a verb is missing after 'profile': validate, show, init, schema, "
              "explain");
    EXPECT_TRUE(ended({}).error.starts_with("a verb is missing: apply, plan, check"));
    EXPECT_EQ(ended({"-V"}).error, "there is no option -V");
    EXPECT_EQ(ended({"profile", "-q"}).error, "there is no option -q of 'profile'");
    EXPECT_NE(ended({"apply", "--rial=x"}).error.find("did you mean --rail?"),
              std::string::npos);
    EXPECT_NE(ended({"check", ""}).error.find("names no file"), std::string::npos);
    EXPECT_NE(ended({"profile", "init", "-o", ""}).error.find("names no file"),
              std::string::npos);
    EXPECT_NE(ended({"aply"}).error.find("did you mean apply?"), std::string::npos);
    EXPECT_NE(ended({"check", "--onyl", "dcb"}).error.find("--only"),
              std::string::npos);
    EXPECT_NE(ended({"check", "--only", "dbc"}).error.find("did you mean dcb?"),
              std::string::npos);
    EXPECT_NE(ended({"profile", "validat"}).error.find("did you mean validate?"),
              std::string::npos);
    for (const auto& arguments :
         std::vector<std::vector<std::string>>{{},
                                               {"aply"},
                                               {"check", "--only", "dbc"},
                                               {"check", "--lock-wait", "soon"},
                                               {"apply", "--wait", "1"},
                                               {"check", "--format", "xml"},
                                               {"check", "a.yaml", "b.yaml"}}) {
        EXPECT_EQ(ended(arguments).exitCode, 1);
    }
}

TEST(CommandLine, a_verb_that_is_missing_is_never_called_a_subcommand) {
    for (const auto& arguments : std::vector<std::vector<std::string>>{
             {}, {"-V"}, {"-q"}, {"--"}, {"profile"}, {"profile", "-q"}, {"-"}}) {
        const Ending ending = ended(arguments);
        EXPECT_EQ(ending.exitCode, 1);
        EXPECT_FALSE(ending.error.contains("ubcommand")) << ending.error;
    }
}

TEST(CommandLine, a_boot_is_about_the_whole_profile_and_a_check_of_it_goes_with_any) {
    EXPECT_NE(ended({"apply", "--boot", "--only", "module"}).error.find("--only"),
              std::string::npos);
    EXPECT_TRUE(parsed({"check", "--boot", "--only", "module"}).boot);
}

TEST(CommandLine, apply_does_not_offer_a_host_that_it_refuses) {
    EXPECT_EQ(ended({"apply", "--help"}).out.find("--host"), std::string::npos);
    EXPECT_NE(ended({"plan", "--help"}).out.find("--host"), std::string::npos);
}

TEST(CommandLine, an_empty_value_is_a_slip_and_not_silence) {
    for (const char* option : {"--report", "--metrics"}) {
        EXPECT_EQ(ended({"check", option, ""}).exitCode, 1) << option;
    }
    EXPECT_EQ(ended({"apply", "--wait", ""}).exitCode, 1);
    EXPECT_EQ(ended({"status", "--audit", ""}).exitCode, 1);
}

TEST(CommandLine, files_to_write_are_named_from_the_present_folder) {
    const std::string here = std::filesystem::current_path().string();
    EXPECT_EQ(parsed({"check", "--report", "r.json"}).reportPath, here + "/r.json");
    EXPECT_EQ(parsed({"check", "--metrics", "/m"}).metricsPath, "/m");
    EXPECT_EQ(parsed({"check"}).reportPath, "");
}

TEST(CommandLine, metrics_of_a_part_are_not_written_over_those_of_the_whole) {
    for (const char* verb : {"check", "apply"}) {
        for (const auto& [option, value] :
             {std::pair("--only", "dcb"), std::pair("--rail", "rail0")}) {
            const auto refused = ended({verb, option, value, "--metrics", "/m"});
            EXPECT_EQ(refused.exitCode, 1) << verb << option;
            EXPECT_NE(refused.error.find("--metrics with " + std::string(option)),
                      std::string::npos)
                << refused.error;
            // A report of a part says which.
            EXPECT_EQ(parsed({verb, option, value, "--report", "/r"}).reportPath, "/r");
        }
    }
    EXPECT_EQ(ended({"restore", "--metrics", "/m"}).exitCode, 1);
}

TEST(CommandLine, an_image_is_a_directory_without_rails_and_boots) {
    const auto parsed = parseCommandLine({"plan", "--root", "/srv/image"});
    ASSERT_TRUE(std::holds_alternative<Options>(parsed));
    EXPECT_EQ(std::get<Options>(parsed).root, "/srv/image");
    for (const std::vector<std::string>& wrong : std::vector<std::vector<std::string>>{
             {"apply", "--root", ""},
             {"apply", "--root=/i", "--rail", "a"},
             {"check", "--root=/i", "--boot"},
             {"check", "--root=/i", "--probe"},
             {"check", "--root=/i", "--report", "/r"}}) {
        EXPECT_TRUE(std::holds_alternative<Ending>(parseCommandLine(wrong)));
    }
}

TEST(CommandLine, nothing_is_left_of_a_line_before) {
    EXPECT_EQ(
        parsed({"apply", "p.yaml", "--dry-run", "-q", "--only", "dcb", "--wait", "1s"})
            .verb,
        Verb::plan);
    EXPECT_EQ(ended({"apply", "--rail", ""}).exitCode, 1);
    EXPECT_EQ(ended({"check", "--help"}).exitCode, 0);
    const Options after = parsed({"apply"});
    EXPECT_EQ(after.verb, Verb::apply);
    EXPECT_EQ(after.profilePath, kDefaultProfile);
    EXPECT_FALSE(after.profileNamed || after.quiet || after.wait);
    EXPECT_TRUE(after.run.only.empty());
    EXPECT_TRUE(ended({"--help"}).out.contains("apply"));
}

TEST(CommandLine, a_rail_that_can_be_none_is_refused) {
    for (const char* rail : {"",
                             "ifindex:",
                             "ifindex:x",
                             "ifindex:0",
                             "ifindex:-1",
                             "ifindex:4294967297"}) {
        EXPECT_EQ(ended({"check", "--rail", rail}).exitCode, 1) << rail;
        EXPECT_EQ(ended({"status", "--rail", rail}).exitCode, 1) << rail;
    }
    EXPECT_EQ(parsed({"check", "--rail", "ifindex:7"}).run.rail, "ifindex:7");
}

TEST(CommandLine, kinds_of_the_host_under_a_rail_select_nothing_and_are_refused) {
    EXPECT_NE(ended({"check", "--only", "acs", "--rail", "rail0"}).error.find("acs"),
              std::string::npos);
    EXPECT_EQ(parsed({"check", "--only", "acs,dcb", "--rail", "rail0"}).run.rail,
              "rail0");
}

TEST(CommandLine, hostile_words_are_escaped) {
    EXPECT_EQ(ended({"\x1b[31m"}).error.find('\x1b'), std::string::npos);
    EXPECT_EQ(ended({"check", "--only", "\x1b[31m"}).error.find('\x1b'),
              std::string::npos);
}

TEST(CommandLine, help_and_version_end_well) {
    EXPECT_EQ(ended({"--help"}).exitCode, 0);
    EXPECT_NE(ended({"--help"}).out.find("Exit codes"), std::string::npos);
    EXPECT_NE(ended({"apply", "--help"}).out.find("--detailed-exitcode"),
              std::string::npos);
    EXPECT_NE(ended({"--version"}).out.find("fabricctl"), std::string::npos);
}

TEST(ParseDuration, units) {
    EXPECT_EQ(parseDuration("0"), milliseconds(0));
    EXPECT_EQ(parseDuration("1500ms"), milliseconds(1500));
    EXPECT_EQ(parseDuration("90s"), milliseconds(90'000));
    EXPECT_EQ(parseDuration("30d"), std::chrono::hours(720));
    EXPECT_EQ(parseDuration("2m"), milliseconds(120'000));
    for (const char* text : {"", "5", "s", "-1s", "1.5s", "10w", "99999999999s"}) {
        EXPECT_FALSE(parseDuration(text)) << text;
    }
}

}  // namespace
}  // namespace fabric::cli
