// SPDX-License-Identifier: Apache-2.0
#include "cli/bad_command_line.hpp"

#include "base/text.hpp"
#include "engine/preparation.hpp"

#include <fmt/format.h>

#include <CLI/App.hpp>
#include <algorithm>
#include <filesystem>
#include <iterator>
#include <ranges>
#include <utility>

namespace fabric::cli {

namespace {

constexpr int kBadCommandLine = 1;

using Words = std::vector<std::string>;

// The verb as far as it was understood, and what it is called.
struct Place {
    const CLI::App* app = nullptr;
    std::string verb;
    std::size_t words = 0;
};

Place placeOf(const CLI::App& app, const Words& given) {
    Place place{.app = &app};
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

std::vector<const CLI::App*> verbsBelow(const CLI::App& app) {
    return app.get_subcommands([](const CLI::App*) { return true; });
}

bool contains(const Words& words, const std::string& word) {
    return std::ranges::find(words, word) != words.end();
}

std::string verbList(const CLI::App& app) {
    std::string list;
    for (const CLI::App* verb : verbsBelow(app)) {
        list += (list.empty() ? "" : ", ") + verb->get_name();
    }
    return list;
}

// "-q", of the options that one letter names.
bool isShortOf(const CLI::App& app, const std::string& name) {
    return std::ranges::any_of(app.get_options(), [&](const CLI::Option* option) {
        return contains(option->get_snames(), name.substr(1));
    });
}

// The words that may stand there, for a suggestion.
Words knownWords(const CLI::App& app) {
    Words words;
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

std::string nameOf(const std::string& word) {
    return word.substr(0, word.find('='));
}

// "; 'apply' has it", or "".
std::string whoseOption(const CLI::App& app, const std::string& name) {
    for (const CLI::App* verb : verbsBelow(app)) {
        if (contains(knownWords(*verb), name)) {
            return fmt::format("; '{}' has it", verb->get_name());
        }
    }
    return {};
}

// "" when the verb is complete.
std::string verbComplaint(const Place& place, const Words& rest) {
    if (verbsBelow(*place.app).empty() ||
        (!rest.empty() && rest.front().starts_with('-'))) {
        return {};
    }
    const std::string after = place.verb.empty() ? "" : " after '" + place.verb + "'";
    return rest.empty()
               ? fmt::format("a verb is missing{}: {}", after, verbList(*place.app))
               : fmt::format(
                     "there is no verb '{}'{}", escapeForTerminal(rest.front()), after);
}

// "" when every option is one of the verb's.
std::string optionComplaint(const CLI::App& app,
                            const Place& place,
                            const Words& rest) {
    const std::string of = place.verb.empty() ? "" : " of '" + place.verb + "'";
    const Words words = knownWords(*place.app);
    for (const std::string& word : rest) {
        const std::string name = nameOf(word);
        const bool unknownLong =
            name.starts_with("--") && name.size() > 2 && !contains(words, name);
        const bool unknownShort = name.size() == 2 && name.front() == '-' &&
                                  name != "--" && !isShortOf(*place.app, name);
        if (unknownLong || unknownShort) {
            return fmt::format("there is no option {}{}{}",
                               escapeForTerminal(name),
                               of,
                               whoseOption(app, name));
        }
    }
    return {};
}

// "; did you mean --rail?" when one of the words that `error` names is nearly one of
// `words`.
std::string suggestion(const std::string& error,
                       const Words& words,
                       const Words& rest) {
    if (error.contains("has it")) {
        return {};
    }
    for (const std::string& word : rest) {
        const std::string name = nameOf(word);
        if (contains(words, name) || !error.contains(escapeForTerminal(name))) {
            continue;
        }
        if (const auto nearest = nearestWord(name, words)) {
            return fmt::format("; did you mean {}?", *nearest);
        }
    }
    return {};
}

// "" when what --root says can be meant beside the others.
std::string imageContradiction(const Options& options) {
    if (options.root.empty()) {
        return {};
    }
    if (!options.run.rail.empty() || options.probe || options.run.oneAtATime) {
        return "--root is for files: an image has no rails";
    }
    if (!options.planPath.empty()) {
        return "--root: a plan file belongs to this host";
    }
    const bool records =
        options.boot || !options.reportPath.empty() || !options.metricsPath.empty();
    return records ? "--root: --boot, --report and --metrics belong to this host" : "";
}

// "" when what --host says can be meant beside the others.
std::string factsContradiction(const Options& options) {
    if (options.hostFile.empty()) {
        return {};
    }
    if (options.verb == Verb::apply) {
        return "apply --host: facts are a file, nothing can be written there; use plan "
               "--host";
    }
    if (!options.root.empty()) {
        return "--host and --root: look at one of the two";
    }
    if (options.list) {
        return "--host and --list: symptoms and rules are the same for every host";
    }
    if (options.interval) {
        return "--host and --interval: a file of facts is one look";
    }
    if (!options.planPath.empty()) {
        return "--host and --out: a plan file is made of the host that carries it out";
    }
    if (options.probe || options.audit || !options.peersPath.empty()) {
        return "--host: a file of facts sends no frames";
    }
    const bool records =
        options.boot || !options.reportPath.empty() || !options.metricsPath.empty();
    return records ? "--host: --boot, --report and --metrics belong to this host" : "";
}

// "" when what is said about the server's metrics can be meant together.
std::string metricsContradiction(const Options& options) {
    if (!options.metricsUrl.empty()) {
        return options.hostFile.empty()
                   ? ""
                   : "--host and --metrics-url: metrics are of a server that runs";
    }
    return options.metricsTokenFile.empty() && options.metricsCaFile.empty()
               ? ""
               : "--metrics-token-file and --metrics-ca-file: give --metrics-url too";
}

// "" when what --metrics is to tell is about the whole profile.
std::string partContradiction(const Options& options) {
    return options.metricsPath.empty() ? "" : partOfMetrics(options.run);
}

// "" when no file that a run writes is the profile that it reads.
std::string profileContradiction(const Options& options) {
    const auto whole = [](const std::string& path) {
        std::error_code unknownPlace;
        return std::filesystem::absolute(path, unknownPlace).lexically_normal();
    };
    const std::string none;
    const bool facts = options.verb == Verb::facts;
    for (const auto& [option, path] :
         {std::pair("--output", facts ? &options.output : &none),
          std::pair("--bundle", &options.bundlePath),
          std::pair("--out", &options.planPath),
          std::pair("--report", &options.reportPath),
          std::pair("--metrics", &options.metricsPath)}) {
        if (!path->empty() && whole(*path) == whole(options.profilePath)) {
            return fmt::format("{}: it names the profile itself; name another file",
                               option);
        }
    }
    return {};
}

// "" when --rail and --only can be meant together.
std::string railContradiction(const Options& options) {
    const auto& only = options.run.only;
    if (options.run.rail.empty() || only.empty() ||
        !std::ranges::all_of(only, engine::isHostWide)) {
        return {};
    }
    return fmt::format(
        "--only {} with --rail selects nothing: it belongs to the host, not to a rail",
        fmt::join(only | std::views::transform([](resource::Kind kind) {
                      return resource::toString(kind);
                  }),
                  ","));
}

// "" when --confirm-within and --unconfirmed can be meant.
std::string confirmContradiction(const Options& options) {
    if (options.unconfirmed && (options.snapshotId.empty() || options.dryRun)) {
        return "--unconfirmed: give the id of the run, and no --dry-run";
    }
    if (options.unconfirmed &&
        !(options.run.only.empty() && options.run.rail.empty())) {
        return "--unconfirmed: it is undone as a whole; leave --only and --rail out";
    }
    const bool byHand = options.verb == Verb::apply && !options.boot &&
                        options.root.empty() &&
                        options.snapshot == SnapshotPolicy::require;
    return options.confirmWithin && !byHand
               ? "--confirm-within: an apply by hand of this host, with its snapshot; "
                 "leave --boot, --root, --dry-run and --snapshot out"
               : "";
}

Ending badAt(const Place& place, std::string error) {
    return Ending{
        .exitCode = kBadCommandLine,
        .out = {},
        .error = std::move(error),
        .advice = fmt::format(
            "Run 'fabricctl{}{} --help'.", place.verb.empty() ? "" : " ", place.verb),
        .verb = place.verb};
}

}  // namespace

Ending badWords(const CLI::App& app, const Words& given, const std::string& what) {
    const Place place = placeOf(app, given);
    const Words rest(given.begin() + static_cast<std::ptrdiff_t>(place.words),
                     given.end());
    std::string error = verbComplaint(place, rest);
    error = error.empty() ? optionComplaint(app, place, rest) : error;
    // An option of the program alone is none of a verb.
    error = error.empty() && !verbsBelow(*place.app).empty() ? verbComplaint(place, {})
                                                             : error;
    // CLI11's own words where they say which word it is.
    error = error.empty() ? escapeForTerminal(what) : error;
    error += suggestion(error, knownWords(*place.app), rest);
    return badAt(place, std::move(error));
}

Ending badValue(const CLI::App& app, const Words& given, std::string what) {
    return badAt(placeOf(app, given), std::move(what));
}

std::string noSuchKind(const std::string& name, const Words& kinds) {
    const auto nearest = nearestWord(name, kinds);
    return fmt::format("--only: there is no kind '{}'; {}",
                       escapeForTerminal(name),
                       nearest ? "did you mean " + *nearest + "?"
                               : fmt::format("kinds: {}", fmt::join(kinds, ", ")));
}

std::string partOfMetrics(const engine::RunOptions& run) {
    const char* const option = !run.only.empty()   ? "--only"
                               : !run.rail.empty() ? "--rail"
                                                   : nullptr;
    return option == nullptr
               ? ""
               : fmt::format(
                     "--metrics with {}: the file tells of the whole profile, "
                     "and a part of it would read as all; leave one of the two "
                     "out",
                     option);
}

std::string contradiction(const Options& options) {
    if (options.boot && !options.run.rail.empty()) {
        return "--boot: it is about the whole host; leave --rail out";
    }
    if (options.verb == Verb::apply && options.boot && !options.run.only.empty()) {
        return "--boot: it records that this boot was configured, which is about the "
               "whole profile; leave --only out";
    }
    if (options.run.only.contains(resource::Kind::boot) && !options.boot) {
        return "--only boot: give --boot too";
    }
    for (const auto& find : {confirmContradiction,
                             factsContradiction,
                             imageContradiction,
                             metricsContradiction,
                             partContradiction,
                             profileContradiction,
                             railContradiction}) {
        if (std::string found = find(options); !found.empty()) {
            return found;
        }
    }
    return {};
}

}  // namespace fabric::cli
