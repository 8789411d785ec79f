// SPDX-License-Identifier: Apache-2.0
#include "cli/options.hpp"

#include "base/text.hpp"
#include "engine/resource_table.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <optional>
#include <ranges>
#include <utility>

namespace fabric::cli {

namespace {

using resource::Kind;

constexpr int kBadCommandLine = 1;

constexpr const char* kDescription =
    "Puts this host into the state that an RDMA storage fabric needs, proves it, and "
    "says what drifted.";

constexpr const char* kExitCodes =
    "Exit codes, the same for every verb, worst first:\n"
    "  5 profile invalid   4 another run holds the lock   1 could not run\n"
    "  3 some resources failed or are not supported   2 differences   0 as wanted\n"
    "  6 something could not be verified (worse than 2)\n"
    "See fabricctl(8), fabricctl-profile(5) and fabricctl-report(5).";

struct Raw {
    std::string format = "text";
    std::string color = "auto";
    std::vector<std::string> only;
    std::string lockWait = "0";
    std::optional<std::string> wait;
    std::optional<std::string> rail;
    std::optional<std::string> audit;
    std::optional<std::string> report;
    std::optional<std::string> metrics;
    std::optional<std::string> root;
    bool dryRun = false;
};

// Files are written by their whole path. "" for none.
std::string absolutePath(const std::optional<std::string>& path) {
    if (!path) {
        return {};
    }
    std::error_code unknownPlace;  // the path stays as it is, and is refused
    const auto absolute = std::filesystem::absolute(*path, unknownPlace);
    return unknownPlace ? *path : absolute.string();
}

std::vector<std::string> kindNames() {
    std::vector<std::string> names;
    std::ranges::transform(engine::resourceTable(),
                           std::back_inserter(names),
                           [](const resource::Resource& resource) {
                               return std::string(resource::toString(resource.kind));
                           });
    return names;
}

class CommandLine {
  public:
    CommandLine() : app_(kDescription, "fabricctl") {
        app_.set_version_flag("--version", std::string("fabricctl ") + FABRIC_VERSION);
        app_.require_subcommand(1);
        app_.footer(kExitCodes);
        app_.get_formatter()->column_width(30);
        addApply();
        addPlan();
        addCheck();
        addStatus();
        addPeers();
        addProfile();
    }

    std::variant<Options, Ending> parse(std::vector<std::string> arguments) {
        const std::vector<std::string> given = arguments;
        std::ranges::reverse(arguments);
        try {
            app_.parse(arguments);
        } catch (const CLI::CallForHelp&) {
            return Ending{.exitCode = 0, .out = helpText(), .error = {}};
        } catch (const CLI::CallForAllHelp&) {
            return Ending{.exitCode = 0,
                          .out = app_.help("", CLI::AppFormatMode::All),
                          .error = {}};
        } catch (const CLI::CallForVersion& version) {
            return Ending{
                .exitCode = 0, .out = std::string(version.what()) + "\n", .error = {}};
        } catch (const CLI::ParseError& error) {
            return badCommandLine(error.what(), given);
        }
        return checked();
    }

  private:
    void addCommon(CLI::App& verb) {
        verb.add_option("--format", raw_.format, "text or json")
            ->check(CLI::IsMember({"text", "json"}))
            ->capture_default_str();
        verb.add_option("--color", raw_.color, "auto, always or never")
            ->check(CLI::IsMember({"auto", "always", "never"}))
            ->capture_default_str();
        verb.add_flag("-q,--quiet", options_.quiet, "print only what is wrong");
        verb.add_flag("-v,--verbose", options_.verbose, "print also what is as wanted");
    }

    void addSelection(CLI::App& verb) {
        verb.add_option("--only",
                        raw_.only,
                        "kinds of resource, separated by commas: " +
                            fmt::format("{}", fmt::join(kindNames(), ", ")))
            ->delimiter(',')
            // One word each time: what follows is the profile.
            ->allow_extra_args(false);
        verb.add_option(
            "--rail", raw_.rail, "one rail: interface, RDMA device or ifindex:N");
        verb.add_option("--root",
                        raw_.root,
                        "prepare the files of an image in this directory; PROFILE is "
                        "looked up there too, and nothing of this host is touched");
        verb.add_option("--lock-wait",
                        raw_.lockWait,
                        "how long to wait for another run, such as 120s")
            ->capture_default_str();
        verb.add_flag(
            "--explain", options_.explain, "say the rule behind each difference");
    }

    void addRecords(CLI::App& verb) {
        verb.add_option("--report",
                        raw_.report,
                        "also write the JSON report to a file, and log what changed "
                        "since the one that was there");
        verb.add_option("--metrics", raw_.metrics, "also write a Prometheus text file");
    }

    void addProfilePath(CLI::App& verb) {
        verb.add_option("PROFILE", options_.profilePath, "the profile")
            ->capture_default_str();
    }

    CLI::App& addVerb(CLI::App& parent,
                      const std::string& name,
                      const std::string& what,
                      Verb verb) {
        CLI::App* added = parent.add_subcommand(name, what);
        added->callback([this, verb] { options_.verb = verb; });
        addCommon(*added);
        return *added;
    }

    void addApply() {
        CLI::App& apply = addVerb(app_,
                                  "apply",
                                  "plan, write, observe again; exit 0 means observed",
                                  Verb::apply);
        addProfilePath(apply);
        addSelection(apply);
        apply.add_flag("--dry-run", raw_.dryRun, "the same as plan");
        apply.add_flag("--detailed-exitcode",
                       options_.run.detailedExitCode,
                       "exit 2 when something was changed");
        addRecords(apply);
        apply.add_flag(
            "--boot",
            options_.boot,
            "record it as this boot's apply, for check --boot; waits 60s for "
            "rails when the profile says nothing");
        apply.add_option(
            "--wait", raw_.wait, "how long to wait for rails; overrides rails.wait");
    }

    void addPlan() {
        CLI::App& plan = addVerb(app_,
                                 "plan",
                                 "what apply would change and why; writes nothing",
                                 Verb::plan);
        addProfilePath(plan);
        addSelection(plan);
    }

    void addCheck() {
        CLI::App& check = addVerb(
            app_, "check", "drift against the profile; writes nothing", Verb::check);
        addProfilePath(check);
        addSelection(check);
        check.add_flag("--probe",
                       options_.probe,
                       "send one frame on each rail: do rails share a broadcast "
                       "domain?");
        addRecords(check);
        check.add_flag("--boot",
                       options_.boot,
                       "also say whether this boot was configured, when and by which "
                       "run");
    }

    void addStatus() {
        CLI::App& status =
            addVerb(app_,
                    "status",
                    "what this host's rails and bridges look like; needs no profile",
                    Verb::status);
        status.add_option(
            "--rail", raw_.rail, "one rail: interface, RDMA device or ifindex:N");
        status.add_flag("--probe-l2",
                        options_.probe,
                        "send one frame on each rail: do rails share a broadcast "
                        "domain?");
        status.add_option("--audit",
                          raw_.audit,
                          "ask who answers ARP for a peer's address; may change this "
                          "host's own entry");
    }

    void addPeers() {
        CLI::App* peers =
            app_.add_subcommand("peers", "the inventory for the wrong-rail check");
        peers->require_subcommand(1);
        CLI::App& exported = addVerb(*peers,
                                     "export",
                                     "this host's rails, addresses and MACs, for its "
                                     "peers",
                                     Verb::peersExport);
        exported.add_option(
            "--rail", raw_.rail, "one rail: interface, RDMA device or ifindex:N");
    }

    void addProfile() {
        CLI::App* profile = app_.add_subcommand("profile", "work on profiles");
        profile->require_subcommand(1);
        addProfilePath(addVerb(*profile,
                               "validate",
                               "read a profile and list everything wrong in it",
                               Verb::profileValidate));
        CLI::App& show = addVerb(*profile,
                                 "show",
                                 "the effective profile per rail, defaults filled in",
                                 Verb::profileShow);
        addProfilePath(show);
        show.add_option(
            "--rail", raw_.rail, "one rail: interface, RDMA device or ifindex:N");
        CLI::App& init = addVerb(
            *profile, "init", "write a profile for this host", Verb::profileInit);
        outputGiven_ = init.add_option("-o,--output",
                                       options_.output,
                                       "a new file; without it the profile is printed");
        addVerb(*profile,
                "schema",
                "the JSON Schema (2020-12) of a profile, for editors",
                Verb::profileSchema);
        CLI::App& explain = addVerb(*profile,
                                    "explain",
                                    "what a key means, its default, what it touches",
                                    Verb::profileExplain);
        explain.add_option("KEY", options_.key, "such as arp.ignore; none lists all");
    }

    std::string helpText() {
        const CLI::App* app = &app_;
        while (!app->get_subcommands().empty()) {
            app = app->get_subcommands().front();
        }
        return app->help();
    }

    // The verb as far as it was understood, and what it is called.
    struct Place {
        const CLI::App* app = nullptr;
        std::string verb;
        std::size_t words = 0;
    };

    [[nodiscard]] Place placeOf(const std::vector<std::string>& given) const {
        Place place{.app = &app_};
        for (const std::string& word : given) {
            const auto inner = place.app->get_subcommands(
                [&](const CLI::App* sub) { return sub->get_name() == word; });
            if (inner.empty()) {
                break;
            }
            place.app = inner.front();
            place.verb += (place.words == 0 ? "" : " ") + word;
            ++place.words;
        }
        return place;
    }

    static std::vector<const CLI::App*> verbsBelow(const CLI::App& app) {
        return app.get_subcommands([](const CLI::App*) { return true; });
    }

    // The words that may stand there, for a suggestion.
    static std::vector<std::string> knownWords(const CLI::App& app) {
        std::vector<std::string> words;
        std::ranges::transform(verbsBelow(app),
                               std::back_inserter(words),
                               [](const CLI::App* sub) { return sub->get_name(); });
        for (const CLI::Option* option : app.get_options()) {
            for (const std::string& name : option->get_lnames()) {
                words.push_back("--" + name);
            }
        }
        return words;
    }

    // What is wrong in our own words where CLI11's do not say which word it is; else
    // `what`.
    [[nodiscard]] std::string complaint(const Place& place,
                                        const std::vector<std::string>& given,
                                        const std::string& what) const {
        const std::string of = place.verb.empty() ? "" : " of '" + place.verb + "'";
        const auto rest = std::ranges::subrange(
            given.begin() + static_cast<std::ptrdiff_t>(place.words), given.end());
        const bool needsVerb = !verbsBelow(*place.app).empty();
        if (needsVerb && (rest.empty() || !rest.front().starts_with('-'))) {
            const std::string after =
                place.verb.empty() ? "" : " after '" + place.verb + "'";
            return rest.empty() ? "a verb is missing" + after
                                : fmt::format("there is no verb '{}'{}",
                                              escapeForTerminal(rest.front()),
                                              after);
        }
        const std::vector<std::string> words = knownWords(*place.app);
        for (const std::string& word : rest) {
            const std::string name = word.substr(0, word.find('='));
            if (name.starts_with("--") && name.size() > 2 &&
                std::ranges::find(words, name) == words.end()) {
                return fmt::format("there is no option {}{}{}",
                                   escapeForTerminal(name),
                                   of,
                                   whoseOption(name));
            }
        }
        return escapeForTerminal(what);
    }

    // "; 'apply' has it", or "".
    [[nodiscard]] std::string whoseOption(const std::string& name) const {
        for (const CLI::App* verb : verbsBelow(app_)) {
            const auto words = knownWords(*verb);
            if (std::ranges::find(words, name) != words.end()) {
                return fmt::format("; '{}' has it", verb->get_name());
            }
        }
        return {};
    }

    [[nodiscard]] Ending badCommandLine(const std::string& what,
                                        const std::vector<std::string>& given) const {
        const Place place = placeOf(given);
        std::string error = complaint(place, given, what);
        const std::vector<std::string> words = knownWords(*place.app);
        for (std::size_t at = place.words; at < given.size(); ++at) {
            const std::string name = given[at].substr(0, given[at].find('='));
            if (std::ranges::find(words, name) != words.end() ||
                !error.contains(escapeForTerminal(name)) || error.contains("has it")) {
                continue;
            }
            if (const auto nearest = nearestWord(name, words)) {
                error += fmt::format("; did you mean {}?", *nearest);
                break;
            }
        }
        return Ending{.exitCode = kBadCommandLine,
                      .out = {},
                      .error = std::move(error),
                      .advice = fmt::format("Run 'fabricctl{}{} --help'.",
                                            place.verb.empty() ? "" : " ",
                                            place.verb),
                      .verb = place.verb};
    }

    static Ending badValue(const std::string& what) {
        return Ending{.exitCode = kBadCommandLine, .out = {}, .error = what};
    }

    // "" when --root can be meant beside the others.
    [[nodiscard]] std::string rootProblem() const {
        if (!raw_.root) {
            return {};
        }
        if (raw_.root->empty()) {
            // An unset variable in a script must not make it this host.
            return "--root: an empty name names no directory";
        }
        if (raw_.rail || options_.probe) {
            return "--root is for files: an image has no rails";
        }
        const bool records = options_.boot || raw_.report || raw_.metrics;
        return records ? "--root: --boot, --report and --metrics belong to this host"
                       : "";
    }

    // "" when what --rail and --only say can be meant, alone and together.
    [[nodiscard]] std::string railProblem() const {
        constexpr std::string_view kByIndex = "ifindex:";
        if (!raw_.rail) {
            return {};
        }
        if (raw_.rail->empty()) {
            return "--rail: an empty name names no rail; leave it out for all of them";
        }
        if (raw_.rail->starts_with(kByIndex)) {
            const auto index =
                parseUnsigned(std::string_view(*raw_.rail).substr(kByIndex.size()));
            if (!index || *index == 0 || *index > INT32_MAX) {
                return "--rail: not an interface index such as ifindex:4: " +
                       escapeForTerminal(*raw_.rail);
            }
        }
        const auto& only = options_.run.only;
        if (!only.empty() && std::ranges::all_of(only, engine::isHostWide)) {
            return fmt::format(
                "--only {} with --rail selects nothing: it belongs to "
                "the host, not to a rail",
                fmt::join(raw_.only, ","));
        }
        return {};
    }

    // What was given of times, addresses and files; "" when it can be meant.
    std::string takeValues() {
        options_.wait = parseDuration(raw_.wait.value_or(""));
        if (raw_.wait && !options_.wait) {
            return "--wait: not a duration such as 60s: " +
                   escapeForTerminal(*raw_.wait);
        }
        options_.audit = IpAddress::parse(raw_.audit.value_or(""));
        if (raw_.audit && !options_.audit) {
            return "--audit: not an IP address: " + escapeForTerminal(*raw_.audit);
        }
        if (raw_.report == "" || raw_.metrics == "") {
            return "--report, --metrics: an empty name names no file";
        }
        options_.reportPath = absolutePath(raw_.report);
        options_.metricsPath = absolutePath(raw_.metrics);
        return {};
    }

    std::variant<Options, Ending> checked() {
        options_.format = raw_.format == "json" ? Format::json : Format::text;
        options_.color = raw_.color == "always"  ? Color::always
                         : raw_.color == "never" ? Color::never
                                                 : Color::automatic;
        if (options_.verb == Verb::apply && raw_.dryRun) {
            options_.verb = Verb::plan;
        }
        for (const std::string& name : raw_.only) {
            const auto kind = resource::parseKind(name);
            if (!kind) {
                const auto names = kindNames();
                const auto nearest = nearestWord(name, names);
                return badValue(fmt::format(
                    "--only: there is no kind '{}'; {}",
                    escapeForTerminal(name),
                    nearest ? "did you mean " + *nearest + "?"
                            : fmt::format("kinds: {}", fmt::join(names, ", "))));
            }
            options_.run.only.insert(*kind);
        }
        if (options_.profilePath.empty()) {
            return badValue("PROFILE: an empty name names no file");
        }
        if (outputGiven_ != nullptr && outputGiven_->count() > 0 &&
            options_.output.empty()) {
            return badValue("--output: an empty name names no file");
        }
        if (options_.boot && raw_.rail) {
            return badValue("--boot: it is about the whole host; leave --rail out");
        }
        if (options_.run.only.contains(Kind::boot) && !options_.boot) {
            return badValue("--only boot: give --boot too");
        }
        if (const std::string problem = rootProblem(); !problem.empty()) {
            return badValue(problem);
        }
        options_.root = raw_.root.value_or("");
        if (const std::string problem = railProblem(); !problem.empty()) {
            return badValue(problem);
        }
        options_.run.rail = raw_.rail.value_or("");
        const auto lockWait = parseDuration(raw_.lockWait);
        if (!lockWait) {
            return badValue("--lock-wait: not a duration such as 120s: " +
                            escapeForTerminal(raw_.lockWait));
        }
        options_.lockWait = *lockWait;
        if (const std::string problem = takeValues(); !problem.empty()) {
            return badValue(problem);
        }
        return options_;
    }

    CLI::App app_;
    const CLI::Option* outputGiven_ = nullptr;
    Raw raw_;
    Options options_;
};

}  // namespace

std::variant<Options, Ending> parseCommandLine(
    const std::vector<std::string>& arguments) {
    return CommandLine().parse(arguments);
}

std::optional<std::chrono::milliseconds> parseDuration(const std::string& text) {
    constexpr std::array<std::pair<std::string_view, std::int64_t>, 5> kUnits{
        {{"ms", 1}, {"s", 1000}, {"min", 60'000}, {"m", 60'000}, {"h", 3'600'000}}};
    constexpr unsigned long long kLongest = 1'000'000;
    const std::size_t digits =
        std::min(text.find_first_not_of("0123456789"), text.size());
    const auto number = parseUnsigned(std::string_view(text).substr(0, digits));
    const std::string_view unit = std::string_view(text).substr(digits);
    if (!number || *number > kLongest) {
        return std::nullopt;
    }
    const auto* const found = std::ranges::find(
        kUnits, unit, &std::pair<std::string_view, std::int64_t>::first);
    if (found == kUnits.end() && !(unit.empty() && *number == 0)) {
        return std::nullopt;
    }
    return std::chrono::milliseconds(static_cast<std::int64_t>(*number) *
                                     (unit.empty() ? 0 : found->second));
}

}  // namespace fabric::cli
