// SPDX-License-Identifier: Apache-2.0
// Verbs that write to the host, or tell what was written.
#include "cli/command_line.hpp"

namespace fabric::cli {

void CommandLine::addApply() {
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
    apply.add_flag("--boot",
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

void CommandLine::addPlan() {
    CLI::App& plan = addVerb(
        app_, "plan", "what apply would change and why; writes nothing", Verb::plan);
    addProfilePath(plan);
    addSelection(plan);
    addRestraint(plan);
    addValue(plan,
             "--out",
             fileToWrite(options_.planPath, "--out"),
             "also write the plan to a file that 'apply FILE' carries out while "
             "host and profile are as they were");
}

void CommandLine::addConfirm() {
    addLockWait(addVerb(app_,
                        "confirm",
                        "keep what the last apply --confirm-within wrote",
                        Verb::confirm));
}

void CommandLine::addRestore() {
    CLI::App& restore =
        addVerb(app_,
                "restore",
                "put back what a run found before it wrote, and prove it",
                Verb::restore);
    addSnapshotId(restore);
    addOnly(restore);
    addRail(restore);
    restore.add_flag(
        "--dry-run", options_.dryRun, "say what would be put back; writes nothing");
    restore.add_flag("--unconfirmed",
                     options_.unconfirmed,
                     "undo an apply that waits to be confirmed; what its timer "
                     "runs");
    restore.add_flag("--accept-gone",
                     options_.acceptGone,
                     "what is gone does not come back: say so, and count it as done");
    addLockWait(restore);
    restore.add_flag("--explain", options_.explain, "say where each value comes from");
    addReport(restore);
    addKeeping(restore);
}

void CommandLine::addSnapshot() {
    CLI::App& snapshot = addGroup("snapshot", "what runs found before they wrote");
    addVerb(snapshot, "list", "the snapshots of this host", Verb::snapshotList);
    addSnapshotId(
        addVerb(snapshot, "show", "everything that one holds", Verb::snapshotShow));
    addSnapshotId(addVerb(snapshot,
                          "diff",
                          "what is not as one says; writes nothing",
                          Verb::snapshotDiff));
}

void CommandLine::addHistory() {
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

}  // namespace fabric::cli
