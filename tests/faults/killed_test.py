#!/usr/bin/python3
"""The built program is killed before every system call that could change something, on the real kernel: netlink messages,
writes, creations, renames, removals. After each the lock is free, the next run converges and leaves no temporary file, and a third
changes nothing.

Usage: killed_test.py FABRICCTL. FABRIC_FAULT_STRIDE=N takes every N-th call. Runs as root in namespaces of its own."""
import json
import os
import pathlib
import signal
import subprocess
import sys

import namespaces
from killer import PROGRAM, cannot, run_until

SKIPPED = 77  # what meson takes for a test that could not be run
def fabricctl(*arguments):
    done = subprocess.run([PROGRAM, *arguments, "--format", "json"], capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, json.loads(done.stdout)


def journal_is_whole():
    """Each line of what runs leave behind is one JSON object."""
    for path in pathlib.Path("/var/lib/fabricctl").rglob("*.jsonl"):
        for line in path.read_text().splitlines():
            if not isinstance(json.loads(line), dict):
                return False
    return True


def not_restored():
    """What is not as it was before the first run, by /proc and iproute2."""
    found = [str(namespaces.SYSCTL_FILE)] if namespaces.SYSCTL_FILE.exists() else []
    for name in namespaces.RAILS:
        for key in ("arp_ignore", "arp_announce"):
            if int(pathlib.Path(f"/proc/sys/net/ipv4/conf/{name}/{key}").read_text()) != 0:
                found.append(f"{name} {key}")
        if json.loads(namespaces.command("ip", "-j", "link", "show", name))[0]["mtu"] != 1500:
            found.append(f"{name} mtu")
    return found


def after_death(arguments, point, wrong):
    """The complaints about what a killed run left behind."""
    said = []
    if not namespaces.lock_is_free():
        said.append("the lock is held by the dead")
    code, report = fabricctl(*arguments)
    if code != 0:
        said.append(f"the next run ends with {code}: {[r for r in report['resources'] if r['outcome'] not in ('in-sync', 'changed')]}")
    said += [f"after the next run: {what}" for what in wrong()]
    said += [f"left over: {name}" for name in namespaces.temporary_files()]
    left = list(pathlib.Path("/run/fabricctl/flush-pending").glob("*")) if arguments[0] == "apply" else []
    said += [f"flush still pending: {name}" for name in left]
    if not journal_is_whole():
        said.append("a broken journal")
    code, report = fabricctl(*arguments)
    if code != 0 or report["changed"]:
        said.append(f"a third run ends with {code}, changed {report['changed']}")
    return [f"{arguments[0]} killed before call {point}: {what}" for what in said]


def kill_everywhere(arguments, prepare, wrong):
    """The complaints of one verb killed before each of its calls that change something."""
    prepare()
    points, code = run_until(arguments, None)
    complaints = [] if code == 0 else [f"an undisturbed {arguments[0]} ends with {code}"]
    complaints += [f"after an undisturbed {arguments[0]}: {what}" for what in wrong()]
    stride = int(os.environ.get("FABRIC_FAULT_STRIDE", "1"))
    taken = range(1, points + 1, stride)
    for point in taken:
        prepare()
        _, code = run_until(arguments, point)
        if code != -signal.SIGKILL:
            complaints.append(f"at call {point} of {points} it ended with {code}")
        complaints += after_death(arguments, point, wrong)
    print(f"{arguments[0]}, killed points: {len(taken)} of {points} (every {stride})", flush=True)
    return complaints if points >= 20 else [*complaints, f"only {points} points"]


def main():
    if reason := cannot() or namespaces.prepare():
        print(reason)
        return SKIPPED
    profile = pathlib.Path("/run/profile.yaml")
    profile.write_text(namespaces.PROFILE)
    profile.chmod(0o644)
    arguments = ["apply", str(profile), "--report", "/var/lib/report.json", "--metrics", "/var/lib/metrics.prom"]
    complaints = kill_everywhere(arguments, namespaces.reset, namespaces.wrong)

    def applied():
        namespaces.reset()
        fabricctl(*arguments)
    complaints += kill_everywhere(["restore", "baseline"], applied, not_restored)
    for line in complaints:
        print("FAILED:", line)
    return 1 if complaints else 0


sys.exit(main())
