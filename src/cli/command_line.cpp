// SPDX-License-Identifier: Apache-2.0
#include "cli/command_line.hpp"

#include "cli/bad_command_line.hpp"

namespace fabric::cli {

namespace {

constexpr const char* kDescription =
    "Puts this host into the state that an RDMA storage fabric needs, proves it, and "
    "says what drifted.";

constexpr const char* kExitCodes =
    "Exit codes, the same for every verb, worst first:\n"
    "  5 profile invalid   4 another run holds the lock   1 could not run\n"
    "  3 some resources failed or are not supported   2 differences   0 as wanted\n"
    "  6 something could not be verified (worse than 2)\n"
    "See fabricctl(8), fabricctl-profile(5) and fabricctl-report(5).";

}  // namespace

CommandLine::CommandLine() : app_(kDescription, "fabricctl") {
    app_.set_version_flag("--version", std::string("fabricctl ") + FABRIC_VERSION);
    app_.require_subcommand(1);
    app_.footer(kExitCodes);
    app_.get_formatter()->column_width(30);
    addApply();
    addPlan();
    addCheck();
    addStatus();
    addDoctor();
    addWatch();
    addFacts();
    addFleet();
    addSwitch();
    addConfirm();
    addHistory();
    addPeers();
    addProfile();
    addRestore();
    addSnapshot();
}

std::variant<Options, Ending> CommandLine::parse(
    const std::vector<std::string>& given) {
    options_ = {};
    problem_.clear();
    dryRun_ = false;
    std::vector<std::string> reversed(given.rbegin(), given.rend());
    try {
        app_.parse(reversed);
    } catch (const CLI::CallForHelp&) {
        return Ending{.exitCode = 0, .out = helpText(), .error = {}};
    } catch (const CLI::CallForAllHelp&) {
        return Ending{
            .exitCode = 0, .out = app_.help("", CLI::AppFormatMode::All), .error = {}};
    } catch (const CLI::CallForVersion& version) {
        return Ending{
            .exitCode = 0, .out = std::string(version.what()) + "\n", .error = {}};
    } catch (const CLI::ParseError& error) {
        return badWords(app_, given, error.what());
    }
    const std::string problem = problem_.empty() ? contradiction(options_) : problem_;
    if (!problem.empty()) {
        return badValue(app_, given, problem);
    }
    return options_;
}

CLI::Option& CommandLine::addValue(CLI::App& verb,
                                   const std::string& names,
                                   Meaning meaning,
                                   const std::string& what) {
    return *verb.add_option_function<std::string>(
        names, taking(std::move(meaning)), what);
}

void CommandLine::addCommon(CLI::App& verb) {
    addChoice<Format>(verb,
                      "--format",
                      options_.format,
                      {{"text", Format::text}, {"json", Format::json}},
                      "text or json");
    addChoice<Color>(verb,
                     "--color",
                     options_.color,
                     {{"auto", Color::automatic},
                      {"always", Color::always},
                      {"never", Color::never}},
                     "auto, always or never");
    verb.add_flag("-q,--quiet", options_.quiet, "print only what is wrong");
    verb.add_flag("-v,--verbose", options_.verbose, "print also what is as wanted");
}

CLI::App& CommandLine::addVerb(CLI::App& parent,
                               const std::string& name,
                               const std::string& what,
                               Verb verb) {
    CLI::App* added = parent.add_subcommand(name, what);
    added->callback([this, verb] { options_.verb = verb; });
    addCommon(*added);
    return *added;
}

CLI::App& CommandLine::addGroup(const std::string& name, const std::string& what) {
    CLI::App* group = app_.add_subcommand(name, what);
    group->require_subcommand(1);
    return *group;
}

std::string CommandLine::helpText() {
    const CLI::App* app = &app_;
    while (!app->get_subcommands().empty()) {
        app = app->get_subcommands().front();
    }
    return app->help();
}

std::variant<Options, Ending> parseCommandLine(
    const std::vector<std::string>& arguments) {
    static CommandLine table;
    return table.parse(arguments);
}

}  // namespace fabric::cli
