#!/usr/bin/python3
"""An apply that waits to be confirmed, its confirmation and its undoing are killed before every system call that could change
something. Whatever was written is either recorded as waiting, with somebody alive who would undo it, or was confirmed; whoever
completes it by hand gets the one state or the other, whole.

Usage: killed_confirm_test.py FABRICCTL. FABRIC_FAULT_STRIDE=N takes every N-th call. Runs as root in namespaces of its own."""
import json
import os
import pathlib
import signal
import subprocess
import sys

import namespaces
from killer import PROGRAM, cannot, run_until

SKIPPED = 77  # what meson takes for a test that could not be run
RECORD = pathlib.Path("/var/lib/fabricctl/confirm.json")
PROFILE = pathlib.Path("/run/profile.yaml")
APPLY = ["apply", str(PROFILE), "--confirm-within", "1h"]
complaints = []


def expect(holds, *what):
    if not holds:
        complaints.append(" ".join(str(word) for word in what))


def fabricctl(*arguments):
    done = subprocess.run([PROGRAM, *arguments, "--format", "json"], capture_output=True, text=True, timeout=120, check=False)
    return done.returncode, json.loads(done.stdout)


def waits(process):
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rsplit(")", 1)[1].split()[0] not in "ZX"
    except FileNotFoundError:
        return False


def keepers():
    """Every process of the program that waits, by its command line: no other run of it is in these namespaces."""
    own = os.readlink("/proc/self/ns/net")
    found = set()
    for entry in pathlib.Path("/proc").iterdir():
        try:
            if entry.name.isdigit() and os.readlink(entry / "ns/net") == own and waits(entry.name) and \
                    (entry / "cmdline").read_bytes().startswith(PROGRAM.encode() + b"\0"):
                found.add(int(entry.name))
        except OSError:
            pass
    return found


def record():
    return json.loads(RECORD.read_text()) if RECORD.exists() else None


def findings(*arguments):
    return {finding["id"] for finding in fabricctl(*arguments)[1]["findings"]}


def changed():
    """What is not as it was before the first run, by /proc and iproute2."""
    found = [str(namespaces.SYSCTL_FILE)] if namespaces.SYSCTL_FILE.exists() else []
    for name in namespaces.RAILS:
        for key in ("arp_ignore", "arp_announce"):
            if int(pathlib.Path(f"/proc/sys/net/ipv4/conf/{name}/{key}").read_text()) != 0:
                found.append(f"{name} {key}")
        if json.loads(namespaces.command("ip", "-j", "link", "show", name))[0]["mtu"] != 1500:
            found.append(f"{name} mtu")
    return found


def tidy(*where):
    expect(namespaces.lock_is_free(), *where, "the lock is held by the dead")
    expect(not namespaces.temporary_files(), *where, "left over:", namespaces.temporary_files())
    for process in keepers():
        # Its record was never written: at its time it undoes nothing.
        os.kill(process, signal.SIGKILL)


def undo(identity, *where):
    code, report = fabricctl("restore", identity, "--unconfirmed")
    expect(code == 0, *where, "undoing it ends with", code, report.get("error"), [r for r in report["resources"] if r["outcome"] not in
                                                                                 ("in-sync", "changed")])
    expect(not changed(), *where, "undone, and still there:", changed())
    expect(not keepers(), *where, "undone, and somebody waits on")


def after_apply(*where):
    now = record()
    if now is None:
        expect(not changed(), *where, "written, and nothing would undo it:", changed())
    else:
        expect(now["state"] == "pending" and waits(now["process"]), *where, "recorded, and nobody would undo it", now)
        expect("confirm.pending" in findings("check", str(PROFILE)), *where, "nobody is told")
        expect(fabricctl("apply", str(PROFILE))[0] == 4, *where, "another run writes")
        undo(now["id"], *where)
    code, report = fabricctl("apply", str(PROFILE))
    tidy(*where)
    expect(code == 0 and not namespaces.wrong(), *where, "the next run ends with", code, namespaces.wrong(), report.get("error"))


def after_confirm(*where):
    expect(not namespaces.wrong(), *where, "something was undone:", namespaces.wrong())
    now = record()
    if now is not None:
        told = "confirm.pending" if waits(now["process"]) else "confirm.not-armed"
        expect(told in findings("status"), *where, told, "is not told but", findings("status"))
        code, report = fabricctl("confirm")
        expect(code == 0, *where, "a second confirm ends with", code, report.get("error"))
    expect(not keepers() and record() is None, *where, "kept, and somebody waits:", keepers(), record())
    expect(fabricctl("confirm")[0] == 1, *where, "a third confirm finds something")
    tidy(*where)


def after_undo(identity, *where):
    now = record()
    if now is None or now["state"] != "restored":
        expect(now is not None, *where, "the record went before it was undone")
        undo(identity, *where)
    expect(not changed(), *where, "recorded as undone, and still there:", changed())
    expect(fabricctl("apply", str(PROFILE))[0] == 0 and not namespaces.wrong(), *where, "and the next run does not converge")
    tidy(*where)


def everywhere(arguments, prepare, judge):
    """Kills one verb before each of its calls that change something; `arguments` are made after `prepare`."""
    prepare()
    points, code = run_until(arguments(), None)
    expect(code == 0, arguments(), "undisturbed ends with", code)
    judge("undisturbed")
    taken = range(1, points + 1, int(os.environ.get("FABRIC_FAULT_STRIDE", "1")))
    for point in taken:
        prepare()
        verb = arguments()
        _, code = run_until(verb, point)
        expect(code == -signal.SIGKILL, verb, "at call", point, "of", points, "it ended with", code)
        judge(f"{verb[0]} killed before call {point}:")
    print(f"{verb[0]}, killed points: {len(taken)} of {points}", flush=True)
    expect(points >= 5, "only", points, "points of", verb)


def main():
    if reason := cannot() or namespaces.prepare():
        print(reason)
        return SKIPPED
    PROFILE.write_text(namespaces.PROFILE)
    PROFILE.chmod(0o644)

    def applied():
        namespaces.reset()
        code, report = fabricctl(*APPLY)
        assert code == 0, report
        applied.identity = report["confirm"]["id"]
    everywhere(lambda: APPLY, namespaces.reset, after_apply)
    everywhere(lambda: ["confirm"], applied, after_confirm)
    everywhere(lambda: ["restore", applied.identity, "--unconfirmed"], applied, lambda *where: after_undo(applied.identity, *where))
    for line in complaints:
        print("FAILED:", line)
    return 1 if complaints else 0


sys.exit(main())
