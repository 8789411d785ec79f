// SPDX-License-Identifier: Apache-2.0
// The command line, one argument per line, and the values of options alone.
#include "cli/bad_command_line.hpp"
#include "cli/option_values.hpp"
#include "cli/options.hpp"
#include "engine/preparation.hpp"
#include "engine/resource_table.hpp"
#include "fuzz/property.hpp"

#include <array>

namespace fabric::engine {

// The kinds by name are all that the command line asks of the table; the real one would
// bring in every resource.
std::span<const resource::Resource> resourceTable() {
    using resource::Kind;
    static const std::array<resource::Resource, 10> kTable{
        {{.kind = Kind::module, .section = "modules", .assess = nullptr},
         {.kind = Kind::acs, .section = "acs", .assess = nullptr},
         {.kind = Kind::mtu, .section = "mtu", .assess = nullptr},
         {.kind = Kind::pause, .section = "pause", .assess = nullptr},
         {.kind = Kind::dcb, .section = "dcb", .assess = nullptr},
         {.kind = Kind::ecn, .section = "ecn", .assess = nullptr},
         {.kind = Kind::rdmaCm, .section = "rdma-cm-tos", .assess = nullptr},
         {.kind = Kind::arp, .section = "arp", .assess = nullptr},
         {.kind = Kind::neighbour, .section = "neighbours", .assess = nullptr},
         {.kind = Kind::service, .section = "service", .assess = nullptr}}};
    return kTable;
}

bool isHostWide(resource::Kind kind) {
    using enum resource::Kind;
    return kind == module || kind == acs || kind == service || kind == boot;
}

}  // namespace fabric::engine

namespace fabric::cli {
namespace {

using fuzz::require;

void judgeEnding(const Ending& ending) {
    require(ending.exitCode == 0 || ending.exitCode == 1, "help, or could not run");
    require((ending.exitCode == 0) == ending.error.empty(), "a bad line is explained");
    require(ending.out.empty() == (ending.exitCode == 1), "help goes to stdout");
    fuzz::requirePrintable(ending.error);
    fuzz::requirePrintable(ending.advice);
    fuzz::requirePrintable(ending.verb);
    fuzz::requirePrintable(ending.out);
}

void judgeOptions(const Options& options) {
    require(!options.profilePath.empty(), "a profile has a name");
    require(options.lockWait.count() >= 0, "no negative wait");
    require(!options.wait || options.wait->count() >= 0, "no negative wait");
    require(options.root.empty() || !options.boot, "an image has no boot");
    require(!options.audit || options.verb == Verb::status,
            "only status asks the wire about an address");
    require(contradiction(options).empty(), "they can be meant together");
}

// The table of options is built once: no line may show in the next.
void judgeNothingLeft() {
    const auto parsed = parseCommandLine({"check"});
    const auto* const options = std::get_if<Options>(&parsed);
    require(options != nullptr, "the shortest line is good");
    require(options->verb == Verb::check && !options->profileNamed &&
                options->profilePath == kDefaultProfile && options->root.empty() &&
                options->run.rail.empty() && options->run.only.empty() &&
                options->reportPath.empty() && !options->probe && !options->boot &&
                !options->wait,
            "nothing is left of the line before");
}

void judgeDuration(const std::string& text) {
    const auto duration = parseDuration(text);
    if (!duration) {
        return;
    }
    require(duration->count() >= 0, "no negative duration");
    if (text.ends_with("h")) {
        require(
            parseDuration(text.substr(0, text.size() - 1) + "min") == *duration / 60,
            "an hour has sixty minutes");
    }
}

// Whether the text can be meant is said once and the same each time.
void judgeMeanings(const std::string& text) {
    std::string word;
    std::chrono::milliseconds time{};
    std::optional<std::chrono::milliseconds> perhaps;
    std::optional<IpAddress> address;
    const std::array meanings{nonEmpty(word, "give a name"),
                              duration(time, "--lock-wait", "90s"),
                              timeToConfirm(perhaps),
                              ipAddress(address, "--audit"),
                              symptom(word),
                              railName(word)};
    for (const Meaning& meaning : meanings) {
        const std::string problem = meaning(text);
        fuzz::requirePrintable(problem);
        require(meaning(text) == problem, "the same text means the same");
    }
    fuzz::requirePrintable(noSuchKind(text, {"dcb", "arp", "neighbour"}));
    judgeDuration(text);
}

// Options set by the bits of a text.
void judgeContradiction(std::string_view text) {
    const auto bit = [&](std::size_t number) {
        return number / 8 < text.size() &&
               (static_cast<unsigned char>(text[number / 8]) >> number % 8 & 1U) != 0;
    };
    Options options;
    options.verb = bit(0) ? Verb::apply : Verb::check;
    options.boot = bit(1);
    options.run.rail = bit(2) ? "rail0" : "";
    options.root = bit(3) ? "/image" : "";
    options.hostFile = bit(4) ? "facts.json" : "";
    options.probe = bit(5);
    options.planPath = bit(6) ? "plan.json" : "";
    options.reportPath = bit(7) ? "report.json" : "";
    for (std::size_t kind = 0; kind < 11; ++kind) {
        if (bit(8 + kind)) {
            options.run.only.insert(static_cast<resource::Kind>(kind));
        }
    }
    const std::string found = contradiction(options);
    require(found.empty() || found.starts_with("--") || found.starts_with("apply --"),
            "a contradiction names its option");
    require(!found.empty() || options.root.empty() || options.hostFile.empty(),
            "an image is not another host");
}

}  // namespace

FABRIC_FUZZ_TARGET(input) {
    std::vector<std::string> arguments;
    for (const std::string_view word : split(input.text(), '\n')) {
        arguments.emplace_back(word.substr(0, word.find('\0')));
    }
    // Values, or a whole line, which takes much longer, in a quarter of the runs, by
    // the length.
    constexpr std::size_t kOneIn = 4;
    if (input.size % kOneIn != 0) {
        judgeMeanings(arguments.front());
        judgeContradiction(input.text());
        return;
    }
    const auto parsed = parseCommandLine(arguments);
    if (const auto* const ending = std::get_if<Ending>(&parsed)) {
        judgeEnding(*ending);
        return;
    }
    judgeOptions(std::get<Options>(parsed));
    judgeNothingLeft();
}

}  // namespace fabric::cli
