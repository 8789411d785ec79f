// SPDX-License-Identifier: Apache-2.0
#include "cli/options.hpp"

#include "cli/bad_command_line.hpp"
#include "cli/option_values.hpp"
#include "engine/resource_table.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <iterator>
#include <optional>
#include <ranges>
#include <utility>

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

std::vector<std::string> kindNames() {
    std::vector<std::string> names;
    std::ranges::transform(engine::resourceTable(),
                           std::back_inserter(names),
                           [](const resource::Resource& resource) {
                               return std::string(resource::toString(resource.kind));
                           });
    return names;
}

// The table of verbs and options. A verb is one addX(), an option one line in it: with
// its help goes what its value means, so that nothing else here knows it.
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
        addDoctor();
        addWatch();
        addFacts();
        addFleet();
        addConfirm();
        addHistory();
        addPeers();
        addProfile();
        addRestore();
        addSnapshot();
    }

    // Nothing is left of a line that was parsed before.
    std::variant<Options, Ending> parse(const std::vector<std::string>& given) {
        options_ = {};
        problem_.clear();
        dryRun_ = false;
        std::vector<std::string> reversed(given.rbegin(), given.rend());
        try {
            app_.parse(reversed);
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
            return badWords(app_, given, error.what());
        }
        const std::string problem =
            problem_.empty() ? contradiction(options_) : problem_;
        if (!problem.empty()) {
            return badValue(problem);
        }
        return options_;
    }

  private:
    // What is wrong is told after the words were understood, the first of them.
    auto taking(Meaning meaning) {
        return [this, meaning = std::move(meaning)](const std::string& text) {
            const std::string problem = meaning(text);
            problem_ = problem_.empty() ? problem : problem_;
        };
    }

    CLI::Option& addValue(CLI::App& verb,
                          const std::string& names,
                          Meaning meaning,
                          const std::string& what) {
        return *verb.add_option_function<std::string>(
            names, taking(std::move(meaning)), what);
    }

    // One of a few words.
    template <typename T>
    CLI::Option& addChoice(CLI::App& verb,
                           const std::string& name,
                           T& into,
                           const std::vector<std::pair<std::string, T>>& words,
                           const std::string& what) {
        std::vector<std::string> names;
        std::ranges::transform(
            words, std::back_inserter(names), &std::pair<std::string, T>::first);
        CLI::Option& option = addValue(
            verb,
            name,
            [&into, words](const std::string& text) {
                into = std::ranges::find(words, text, &std::pair<std::string, T>::first)
                           ->second;
                return std::string();
            },
            what);
        return *option.check(CLI::IsMember(names))->default_str(names.front());
    }

    void addCommon(CLI::App& verb) {
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

    void addRail(CLI::App& verb) {
        addValue(verb,
                 "--rail",
                 railName(options_.run.rail),
                 "one rail: interface, RDMA device or ifindex:N");
    }

    void addOnly(CLI::App& verb) {
        const auto meaning = [this](const std::vector<std::string>& names) {
            for (const std::string& name : names) {
                const auto kind = resource::parseKind(name);
                if (!kind) {
                    problem_ =
                        problem_.empty() ? noSuchKind(name, kindNames()) : problem_;
                    return;
                }
                options_.run.only.insert(*kind);
            }
        };
        verb.add_option_function<std::vector<std::string>>(
                "--only",
                meaning,
                "kinds of resource, separated by commas: " +
                    fmt::format("{}", fmt::join(kindNames(), ", ")))
            ->delimiter(',')
            // One word each time: what follows is the profile.
            ->allow_extra_args(false);
    }

    void addLockWait(CLI::App& verb) {
        addValue(verb,
                 "--lock-wait",
                 duration(options_.lockWait, "--lock-wait", "120s"),
                 "how long to wait for another run, such as 120s")
            .default_str("0");
    }

    void addHost(CLI::App& verb) {
        addValue(verb,
                 "--host",
                 fileToWrite(options_.hostFile, "--host"),
                 "look at a file of 'fabricctl facts' instead of this host");
    }

    void addSelection(CLI::App& verb) {
        addOnly(verb);
        addRail(verb);
        addHost(verb);
        addValue(verb,
                 "--root",
                 nonEmpty(options_.root, "--root: an empty name names no directory"),
                 "prepare the files of an image in this directory; PROFILE is "
                 "looked up there too, and nothing of this host is touched");
        addLockWait(verb);
        verb.add_flag(
            "--explain", options_.explain, "say the rule behind each difference");
    }

    void addRestraint(CLI::App& verb) {
        CLI::Option& limit = addChoice<std::optional<resource::Disturbs>>(
            verb,
            "--max-disruption",
            options_.run.maxDisruption,
            {{"none", resource::Disturbs::none},
             {"traffic", resource::Disturbs::traffic},
             {"link", resource::Disturbs::link}},
            "none, traffic or link: a rail is left alone when its steps disturb "
            "more");
        limit.default_str("link");
        verb.add_flag_callback(
                "--forbid-disruptive",
                [this] { options_.run.maxDisruption = resource::Disturbs::none; },
                "the same as --max-disruption none")
            ->excludes(&limit);
        verb.add_flag("--one-at-a-time",
                      options_.run.oneAtATime,
                      "verify each rail before the next is touched; the first failure "
                      "ends the run");
    }

    void addReport(CLI::App& verb) {
        addValue(verb,
                 "--report",
                 fileToWrite(options_.reportPath, "--report"),
                 "also write the JSON report to a file, and log what changed since the "
                 "one that was there");
    }

    // A restore tells of what it put back, and not how the host stands to a profile.
    void addRecords(CLI::App& verb) {
        addReport(verb);
        addValue(verb,
                 "--metrics",
                 fileToWrite(options_.metricsPath, "--metrics"),
                 "also write a Prometheus text file");
    }

    void addProfilePath(CLI::App& verb) {
        addValue(verb,
                 "PROFILE",
                 nonEmpty(options_.profilePath, "PROFILE: an empty name names no file"),
                 "the profile")
            .default_str(kDefaultProfile)
            ->each([this](const std::string&) { options_.profileNamed = true; });
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

    // Verbs that follow this word: "profile show".
    CLI::App& addGroup(const std::string& name, const std::string& what) {
        CLI::App* group = app_.add_subcommand(name, what);
        group->require_subcommand(1);
        return *group;
    }

    void addApply() {
        CLI::App& apply = addVerb(app_,
                                  "apply",
                                  "plan, write, observe again; exit 0 means observed",
                                  Verb::apply);
        addProfilePath(apply);
        addSelection(apply);
        addRestraint(apply);
        apply.add_flag_callback(
            "--dry-run", [this] { dryRun_ = true; }, "the same as plan");
        apply.callback([this] { options_.verb = dryRun_ ? Verb::plan : Verb::apply; });
        apply.add_flag("--detailed-exitcode",
                       options_.run.detailedExitCode,
                       "exit 2 when something was changed");
        // Refused with a word of its own, but for a dry run.
        apply.get_option("--host")->group("");
        addRecords(apply);
        addKeeping(apply);
        apply.add_flag(
            "--boot",
            options_.boot,
            "record it as this boot's apply, for check --boot; waits 60s for "
            "rails when the profile says nothing");
        addValue(apply,
                 "--wait",
                 duration(options_.wait, "--wait", "60s"),
                 "how long to wait for rails; overrides rails.wait");
        addValue(apply,
                 "--confirm-within",
                 timeToConfirm(options_.confirmWithin),
                 "undo everything after this time, such as 120s, unless 'fabricctl "
                 "confirm' comes");
    }

    void addPlan() {
        CLI::App& plan = addVerb(app_,
                                 "plan",
                                 "what apply would change and why; writes nothing",
                                 Verb::plan);
        addProfilePath(plan);
        addSelection(plan);
        addRestraint(plan);
        addValue(plan,
                 "--out",
                 fileToWrite(options_.planPath, "--out"),
                 "also write the plan to a file that 'apply FILE' carries out while "
                 "host and profile are as they were");
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
        addRail(status);
        addHost(status);
        status.add_flag("--probe-l2",
                        options_.probe,
                        "send one frame on each rail: do rails share a broadcast "
                        "domain?");
        addValue(status,
                 "--audit",
                 ipAddress(options_.audit, "--audit"),
                 "ask who answers ARP for a peer's address; may change this host's own "
                 "entry");
    }

    void addDoctor() {
        CLI::App& doctor =
            addVerb(app_,
                    "doctor",
                    "why RDMA does not work here: every known cause, or those of a "
                    "symptom; writes nothing",
                    Verb::doctor);
        addValue(doctor,
                 "SYMPTOM",
                 symptom(options_.symptom),
                 "what is observed; doctor --list names them");
        addHost(doctor);
        addValue(
            doctor,
            "--profile",
            nonEmpty(options_.profilePath, "--profile: an empty name names no file"),
            "what the host is compared with besides")
            .default_str(kDefaultProfile)
            ->each([this](const std::string&) { options_.profileNamed = true; });
        addValue(doctor,
                 "--interval",
                 duration(options_.interval, "--interval", "10s"),
                 "look at the counters again after this time, under load");
        addValue(
            doctor,
            "--peers",
            fileToWrite(options_.peersPath, "--peers"),
            "connect to TCP port 5555 of every peer in this file or directory of "
            "'fabricctl peers export', from each rail; print how RDMA is measured");
        addServerMetrics(doctor);
        doctor.add_flag(
            "--list", options_.list, "the symptoms with their rules, and every rule");
    }

    void addServerMetrics(CLI::App& verb) {
        addValue(verb,
                 "--metrics-url",
                 serverUrl(options_.metricsUrl, "--metrics-url"),
                 "ask the storage server for its own numbers too, such as "
                 "https://node1:9000");
        addValue(verb,
                 "--metrics-token-file",
                 fileToWrite(options_.metricsTokenFile, "--metrics-token-file"),
                 "the bearer token for it, in a file that only you can read");
        addValue(verb,
                 "--metrics-ca-file",
                 fileToWrite(options_.metricsCaFile, "--metrics-ca-file"),
                 "who signed its certificate, in PEM form; else whom this host trusts");
    }

    void addWatch() {
        CLI::App& watch = addVerb(app_,
                                  "watch",
                                  "whether the rails pause or drop, from their "
                                  "counters, until it is stopped; "
                                  "writes nothing",
                                  Verb::watch);
        addRail(watch);
        addValue(watch,
                 "--interval",
                 pace(options_.interval),
                 "how long between two looks, from 100ms to 1h")
            .default_str("1s");
        addValue(watch,
                 "--count",
                 positive(options_.count, "--count"),
                 "end after so many intervals");
    }

    void addFacts() {
        CLI::App& facts =
            addVerb(app_,
                    "facts",
                    "everything observed of this host as one JSON file, without "
                    "secrets, for --host",
                    Verb::facts);
        addProfilePath(facts);
        addValue(facts,
                 "-o,--output",
                 fileToWrite(options_.output, "--output"),
                 "write them to a file and print what could not be read");
        addValue(facts,
                 "--bundle",
                 fileToWrite(options_.bundlePath, "--bundle"),
                 "write an archive (.tar.gz) for whoever helps: the facts, the RDMA "
                 "devices as text, journal lines about RDMA, the last reports, the "
                 "profile")
            .excludes(facts.get_option("--output"));
        facts.add_flag("--anonymise",
                       options_.anonymise,
                       "put other names and addresses in place of those of hosts, "
                       "users, interfaces and networks; what is found stays the same");
    }

    void addFleet() {
        CLI::App& fleet = addGroup("fleet", "many hosts, by their facts");
        CLI::App& check =
            addVerb(fleet,
                    "check",
                    "compare the facts of many hosts: which one is not like the others",
                    Verb::fleetCheck);
        check
            .add_option("FACTS",
                        options_.fleetPaths,
                        "files of 'fabricctl facts', directories of them, or - for "
                        "standard input")
            ->required();
        addValue(
            check,
            "--expect",
            fileToWrite(options_.expectPath, "--expect"),
            "a file with the name of every host that should be there, one per line");
    }

    void addConfirm() {
        addLockWait(addVerb(app_,
                            "confirm",
                            "keep what the last apply --confirm-within wrote",
                            Verb::confirm));
    }

    void addHistory() {
        CLI::App& history = addVerb(app_,
                                    "history",
                                    "what each run wrote on this host, and who ran it",
                                    Verb::history);
        addValue(history,
                 "--since",
                 duration(options_.since, "--since", "24h"),
                 "only runs that wrote in this last time, such as 24h or 30d");
        addValue(history,
                 "--rail",
                 nonEmpty(options_.run.rail, "--rail: an empty name names no rail"),
                 "only writes on this rail, by its interface");
        addValue(history,
                 "--run",
                 nonEmpty(options_.runId, "--run: an empty name names no run"),
                 "one run, by its id or the begin of it");
    }

    void addPeers() {
        CLI::App& peers = addGroup("peers", "the inventory for the wrong-rail check");
        addRail(addVerb(peers,
                        "export",
                        "this host's rails, addresses and MACs, for its peers",
                        Verb::peersExport));
    }

    void addProfile() {
        CLI::App& profile = addGroup("profile", "work on profiles");
        addProfilePath(addVerb(profile,
                               "validate",
                               "read a profile and list everything wrong in it",
                               Verb::profileValidate));
        CLI::App& show = addVerb(profile,
                                 "show",
                                 "the effective profile per rail, defaults filled in",
                                 Verb::profileShow);
        addProfilePath(show);
        addRail(show);
        addValue(
            addVerb(
                profile, "init", "write a profile for this host", Verb::profileInit),
            "-o,--output",
            nonEmpty(options_.output, "--output: an empty name names no file"),
            "a new file; without it the profile is printed");
        addVerb(profile,
                "schema",
                "the JSON Schema (2020-12) of a profile, for editors",
                Verb::profileSchema);
        CLI::App& explain = addVerb(profile,
                                    "explain",
                                    "what a key means, its default, what it touches",
                                    Verb::profileExplain);
        explain.add_option("KEY", options_.key, "such as arp.ignore; none lists all");
    }

    void addKeeping(CLI::App& verb) {
        addChoice<SnapshotPolicy>(
            verb,
            "--snapshot",
            options_.snapshot,
            {{"require", SnapshotPolicy::require},
             {"try", SnapshotPolicy::attempt},
             {"none", SnapshotPolicy::none}},
            "keep what is there before the first write: require (else nothing is "
            "written), try (else warn) or none");
    }

    void addSnapshotId(CLI::App& verb) {
        addValue(verb,
                 "ID",
                 nonEmpty(options_.snapshotId, "ID: an empty name names no snapshot"),
                 "an id of 'snapshot list', or baseline; without it the newest");
    }

    void addRestore() {
        CLI::App& restore =
            addVerb(app_,
                    "restore",
                    "put back what a run found before it wrote, and prove it",
                    Verb::restore);
        addSnapshotId(restore);
        restore.add_flag(
            "--dry-run", options_.dryRun, "say what would be put back; writes nothing");
        restore.add_flag("--unconfirmed",
                         options_.unconfirmed,
                         "undo an apply that waits to be confirmed; what its timer "
                         "runs");
        addLockWait(restore);
        restore.add_flag(
            "--explain", options_.explain, "say where each value comes from");
        addReport(restore);
        addKeeping(restore);
    }

    void addSnapshot() {
        CLI::App& snapshot = addGroup("snapshot", "what runs found before they wrote");
        addVerb(snapshot, "list", "the snapshots of this host", Verb::snapshotList);
        addSnapshotId(
            addVerb(snapshot, "show", "everything that one holds", Verb::snapshotShow));
        addSnapshotId(addVerb(snapshot,
                              "diff",
                              "what is not as one says; writes nothing",
                              Verb::snapshotDiff));
    }

    std::string helpText() {
        const CLI::App* app = &app_;
        while (!app->get_subcommands().empty()) {
            app = app->get_subcommands().front();
        }
        return app->help();
    }

    CLI::App app_;
    std::string problem_;  // a value that cannot be meant
    bool dryRun_ = false;
    Options options_;
};

}  // namespace

std::variant<Options, Ending> parseCommandLine(
    const std::vector<std::string>& arguments) {
    static CommandLine table;
    return table.parse(arguments);
}

}  // namespace fabric::cli
