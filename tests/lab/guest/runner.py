"""Runs the scenarios of one set inside the guest. One line per test goes to standard output, as "@@" and a JSON object.

usage: runner.py SET [--after-reboot] [--sandboxed] TEST...
"""
import importlib
import json
import os
import re
import signal
import subprocess
import sys
import time
import traceback

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "scenarios")]
import fabricctl  # noqa: E402
import host  # noqa: E402

TEST_SECONDS = 600  # a starved guest takes minutes for a daemon-reload


class TimeLimit(Exception):
    pass


def ring(*_):
    raise TimeLimit("the test took longer than %d s" % TEST_SECONDS)


def limited(test, fresh, after_reboot):
    signal.alarm(TEST_SECONDS)
    try:
        if os.path.exists(fabricctl.BOOTED) and not after_reboot:
            fabricctl.end_units()
        fabricctl.Run.latest.clear()
        if fresh:
            host.fresh()
        test()
    finally:
        signal.alarm(0)


def outcome_of(test, fresh, after_reboot):
    try:
        limited(test, fresh, after_reboot)
        return "passed", ""
    except host.Skip as reason:
        return "skipped", str(reason)
    except AssertionError as error:
        # where it failed, and what was seen
        frame = traceback.extract_tb(error.__traceback__)
        line = next((f for f in reversed(frame) if "/scenarios/" in f.filename), frame[-1])
        return "failed", "%s:%d: %s\n%s%s" % (os.path.basename(line.filename), line.lineno, line.line, error, latest_runs())
    except Exception:
        return "failed", traceback.format_exc() + latest_runs()


def latest_runs():
    return "".join("\nbefore that: " + run.told() for run in fabricctl.Run.latest)


def kernel_complaints():
    """A scenario that passes while the kernel warns has found a fault in the lab's own module, or in the kernel."""
    log = subprocess.run(["dmesg"], stdout=subprocess.PIPE, text=True).stdout
    # A processor that got no time from a busy host is no fault of anybody in the guest.
    return [line for line in log.splitlines() if re.search(r"WARNING:|BUG:|Oops|general protection", line) and "soft lockup" not in line]


def main():
    arguments = sys.argv[1:]
    scenario_set = importlib.import_module(arguments[0])
    after_reboot = "--after-reboot" in arguments
    fabricctl.SANDBOXED = "--sandboxed" in arguments
    signal.signal(signal.SIGALRM, ring)
    if not after_reboot and not os.path.exists("/usr/bin/fabricctl"):
        fabricctl.install_stage()
    host.remember_boot()
    complained = False
    for name in [a for a in arguments[1:] if not a.startswith("--")]:
        test = getattr(scenario_set, name)
        began = time.monotonic()
        outcome, reason = outcome_of(test, not after_reboot and getattr(scenario_set, "RESETS_RAILS", True), after_reboot)
        complaints = [] if complained else kernel_complaints()
        if complaints and outcome == "passed":
            outcome, reason = "failed", "the kernel complained:\n" + "\n".join(complaints[:10])
        complained = complained or bool(complaints)  # named once, at the test that caused it
        print("@@" + json.dumps({"name": name, "outcome": outcome, "seconds": time.monotonic() - began, "reason": reason}), flush=True)


main()
