// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "base/ip_address.hpp"
#include "engine/preparation.hpp"
#include "profile/default_path.hpp"

#include <chrono>
#include <optional>
#include <set>
#include <string>
#include <variant>
#include <vector>

namespace fabric::cli {

inline constexpr const char* kDefaultProfile = profile::kDefaultPath;

enum class Verb {
    apply,
    plan,
    check,
    status,
    doctor,
    watch,
    facts,
    fleetCheck,
    switchRender,
    switchVerify,
    history,
    confirm,
    peersExport,
    profileValidate,
    profileShow,
    profileInit,
    profileSchema,
    profileExplain,
    restore,
    snapshotList,
    snapshotShow,
    snapshotDiff,
};

// What runs on a switch; there is one so far.
enum class SwitchSystem { cumulus };
enum class Format { text, json };
// What becomes of a run whose snapshot cannot be kept: it writes nothing, it warns and
// goes on, or it takes none.
enum class SnapshotPolicy { require, attempt, none };
enum class Color { automatic, always, never };

// The command line, checked.
struct Options {
    Verb verb = Verb::status;
    std::string profilePath = kDefaultProfile;
    bool profileNamed = false;  // PROFILE was given
    Format format = Format::text;
    Color color = Color::automatic;
    engine::RunOptions run;
    bool quiet = false;
    bool verbose = false;
    bool explain = false;
    std::chrono::milliseconds lockWait{0};
    std::optional<std::chrono::milliseconds> wait;
    bool probe = false;                    // check --probe, status --probe-l2
    std::optional<IpAddress> audit;        // status --audit
    std::string root;                      // an image's directory; "": this host
    std::vector<std::string> switchPaths;  // switch verify FILE...
    std::string factsPath;                 // switch verify --facts FILE
    std::string key;                       // profile explain KEY
    std::string output;                    // facts, profile init: --output FILE
    std::string bundlePath;                // facts --bundle FILE
    bool anonymise = false;                // facts --anonymise
    std::optional<std::chrono::milliseconds> since;          // history --since
    std::string runId;                                       // history --run
    std::optional<std::chrono::milliseconds> confirmWithin;  // apply --confirm-within
    std::string planPath;                                    // plan --out FILE
    bool forbidDisruptive = false;  // by this name; run.maxDisruption says the same
    bool boot = false;        // apply: record it as this boot's; check: judge this boot
    std::string reportPath;   // --report FILE
    std::string metricsPath;  // --metrics FILE
    SnapshotPolicy snapshot = SnapshotPolicy::require;  // apply, restore
    std::string snapshotId;    // restore, snapshot show, diff; "": the last apply's
    bool dryRun = false;       // restore --dry-run
    std::string hostFile;      // --host FILE of facts; "": this host
    std::string beforePath;    // doctor --before FILE of facts; "": none
    bool unconfirmed = false;  // restore --unconfirmed
    bool acceptGone = false;   // restore --accept-gone
    std::string symptom;       // doctor SYMPTOM; "": every rule
    bool list = false;         // doctor --list
    std::string peersPath;     // doctor --peers
    std::string metricsUrl;    // doctor --metrics-url; "": the server is not asked
    std::string metricsTokenFile;
    std::string metricsCaFile;
    std::optional<std::chrono::milliseconds> interval;  // doctor, watch
    std::optional<unsigned> count;                      // watch --count
    std::vector<std::string> fleetPaths;                // fleet check FILE...
    std::string expectPath;  // fleet check --expect; "": nobody said
};

// The program ends here: help or version text for stdout, or a bad command line for
// stderr.
struct Ending {
    int exitCode = 0;
    std::string out;
    std::string error;                               // one line, without "fabricctl:"
    std::string advice = "Run 'fabricctl --help'.";  // beside an error
    std::string verb = {};                           // as far as it was understood
};

// Reads the command line. A mistyped verb or option is answered with the nearest right
// one.
[[nodiscard]] std::variant<Options, Ending> parseCommandLine(
    const std::vector<std::string>& arguments);

// "90s", "2m", "1500ms", "0"; std::nullopt when it is none of these.
[[nodiscard]] std::optional<std::chrono::milliseconds> parseDuration(
    const std::string& text);

}  // namespace fabric::cli
