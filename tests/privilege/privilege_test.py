#!/usr/bin/python3
"""Which capabilities each verb needs on the real kernel, found by taking them away one by one, and which system calls it makes;
both against what the units leave it. PCI functions, modules and the service are the lab's (tests/lab/scenarios/privilege.py).

Usage: privilege_test.py FABRICCTL DIRECTORY-OF-UNITS. Runs as root in network and mount namespaces of its own."""
import ctypes
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "faults"))
import namespaces  # noqa: E402
from namespaces import LIBC  # noqa: E402

PROGRAM, UNITS = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
SKIPPED = 77  # what meson takes for a test that could not be run
PR_CAPBSET_DROP = 24
NAMES = re.findall(r"^#define (CAP_\w+)\s+(\d+)$", pathlib.Path("/usr/include/linux/capability.h").read_text(), re.M)
NUMBER = {name: int(number) for name, number in NAMES if name != "CAP_LAST_CAP"}
PROFILE, IMAGE = "/run/profile.yaml", "/run/image"
SNAPSHOT = re.compile(r"\d{8}T\d{6}Z-\d+")
# What a verb needs here; a name that is missing needs nothing.
EXPECTED = {
    "apply": {"CAP_NET_ADMIN", "CAP_NET_RAW"},
    "apply at boot": {"CAP_NET_ADMIN", "CAP_NET_RAW"},
    "check --probe": {"CAP_NET_RAW"},
    "status --audit": {"CAP_NET_RAW"},
    "status --probe-l2": set(),  # no rail has an RDMA port here
    "restore": {"CAP_NET_ADMIN"},
    "restore of another's file": {"CAP_NET_ADMIN", "CAP_CHOWN", "CAP_FOWNER", "CAP_DAC_READ_SEARCH"},
    "restore of what was not confirmed": {"CAP_NET_ADMIN"},
}
VERBS = {
    "apply": ["apply", PROFILE, "--report", "/var/lib/report.json", "--metrics", "/var/lib/metrics.prom"],
    "apply at boot": ["apply", PROFILE, "--boot"],
    "apply to an image": ["apply", PROFILE, "--root", IMAGE],
    "plan": ["plan", PROFILE],
    "check": ["check", PROFILE, "--report", "/var/lib/report.json", "--metrics", "/var/lib/metrics.prom"],
    "check --probe": ["check", PROFILE, "--probe"],
    "status": ["status"],
    "status --probe-l2": ["status", "--probe-l2"],
    "status --audit": ["status", "--audit", "10.0.1.2", "--rail", "a1"],
    "watch": ["watch", "--rail", "a1", "--count", "1", "--interval", "100ms"],
    "peers export": ["peers", "export"],
    "restore": ["restore", "baseline"],
    "restore of another's file": ["restore", "baseline"],
    "restore of what was not confirmed": ["restore", "ID", "--unconfirmed"],
    "restore --dry-run": ["restore", "baseline", "--dry-run"],
    "confirm": ["confirm"],
    "snapshot list": ["snapshot", "list"],
    "snapshot diff": ["snapshot", "diff"],
    "history": ["history"],
    "profile validate": ["profile", "validate", PROFILE],
    "profile show": ["profile", "show", PROFILE],
}
UNIT_OF = {"apply": "fabricctl.service", "apply at boot": "fabricctl.service", "check": "fabricctl-check.service"}
# What has to have happened before these verbs.
APPLIED = {"restore", "restore of another's file", "restore --dry-run", "snapshot list", "snapshot diff", "history"}
WAITING = {"confirm", "restore of what was not confirmed"}
# What the sandbox of a restore has beyond the units, to give files back.
GIVING_BACK = {"CAP_CHOWN", "CAP_FOWNER"}
# From the dynamic linker and the C library, before the program begins and when it ends.
ALWAYS = {"execve", "exit_group"}
failures = []


def prepare(verb):
    """The arguments of the verb, after what has to have happened before it."""
    end_waiting()
    namespaces.reset()
    shutil.rmtree(IMAGE, ignore_errors=True)
    for directory in ("etc/modules-load.d", "usr/lib/systemd/system", "etc/systemd/system"):
        os.makedirs(IMAGE + "/" + directory)
    if verb == "restore of another's file":
        namespaces.SYSCTL_FILE.write_text("# another's\n")
        os.chown(namespaces.SYSCTL_FILE, 65534, 65534)
        namespaces.SYSCTL_FILE.chmod(0o600)
    more = ["--confirm-within", "1h"] if verb in WAITING else []
    if verb not in APPLIED | WAITING:
        return VERBS[verb]
    done = subprocess.run([PROGRAM, "apply", PROFILE, "--format", "json", *more], capture_output=True, timeout=120, check=True)
    identity = json.loads(done.stdout).get("confirm", {}).get("id", "")
    return [identity if word == "ID" else word for word in VERBS[verb]]


def end_waiting():
    if pathlib.Path("/var/lib/fabricctl/confirm.json").exists():
        subprocess.run([PROGRAM, "confirm"], capture_output=True, timeout=120, check=False)


def run_without(verb, capabilities):
    """What a run says whose bounding set lacks these: exit code, outcomes, findings."""
    arguments = prepare(verb)

    def drop():
        for name in capabilities:
            LIBC.prctl(PR_CAPBSET_DROP, NUMBER[name], 0, 0, 0)
    done = subprocess.run([PROGRAM, *arguments, "--format", "json"], capture_output=True, timeout=120, check=False, preexec_fn=drop)
    try:
        report = json.loads(done.stdout)
    except ValueError:
        return done.returncode, done.stdout, done.stderr
    outcomes = {entry["id"]: entry["outcome"] for entry in report.get("resources", [])}
    audit = json.dumps(report.get("audit", {}), sort_keys=True)
    return done.returncode, outcomes, sorted({(finding["id"], SNAPSHOT.sub("ID", finding["summary"])) for finding in report.get("findings", [])}), audit


def present():
    last = int(pathlib.Path("/proc/sys/kernel/cap_last_cap").read_text())
    held = int(re.search(r"^CapBnd:\s+(\w+)", pathlib.Path("/proc/self/status").read_text(), re.M).group(1), 16)
    return {name for name, number in NUMBER.items() if number <= last and held >> number & 1}


def granted(unit):
    return set(re.search(r"^CapabilityBoundingSet=(.*)$", (UNITS / unit).read_text(), re.M).group(1).split())


def needed_by(verb, suspects):
    whole = run_without(verb, set())
    others = present() - suspects
    if run_without(verb, others) != whole:  # then each one by itself
        suspects, others = present(), set()
    return {name for name in suspects if run_without(verb, others | {name}) != whole}


def capabilities():
    suspects = set().union(*(granted(unit) for unit in ("fabricctl.service", "fabricctl-check.service")), GIVING_BACK)
    for verb in VERBS:
        found = needed_by(verb, suspects & present())
        print(f"{verb:<20} needs {' '.join(sorted(found)) or 'nothing'}")
        if found != EXPECTED.get(verb, set()):
            failures.append(f"{verb} needs {found}, expected {EXPECTED.get(verb, set())}")
        if verb in UNIT_OF and not found <= granted(UNIT_OF[verb]):
            failures.append(f"{UNIT_OF[verb]} lacks {found - granted(UNIT_OF[verb])}")


def members(group):
    """The system calls of one of systemd's sets, those of sets within it included."""
    text = subprocess.run(["systemd-analyze", "--no-pager", "syscall-filter", group], capture_output=True, text=True, check=True).stdout
    names = {line.strip() for line in text.splitlines() if line.startswith("    ") and not line.strip().startswith("#")}
    return {call for name in names for call in (members(name) if name.startswith("@") else {name})}


def allowed(unit):
    words = re.search(r"^SystemCallFilter=(.*)$", (UNITS / unit).read_text(), re.M).group(1).split()
    return {call for word in words for call in (members(word) if word.startswith("@") else {word})} | members("@default") | ALWAYS


def calls_of(verb):
    arguments = prepare(verb)
    log = "/run/strace.log"
    subprocess.run(["strace", "-f", "-q", "-o", log, PROGRAM, *arguments], capture_output=True, timeout=300, check=False)
    return set(re.findall(r"^\d+ +(\w+)\(", pathlib.Path(log).read_text(), re.M))


def system_calls():
    if not shutil.which("strace") or not shutil.which("systemd-analyze"):
        print("no strace or no systemd-analyze: system calls are not compared")
        return
    for verb, unit in UNIT_OF.items():
        calls = calls_of(verb)
        print(f"{verb:<20} makes {len(calls)} different system calls: {' '.join(sorted(calls))}")
        if len(calls) < 20:
            failures.append(f"{verb}: strace told only {calls}")
        if not calls <= allowed(unit):
            failures.append(f"{unit} forbids {calls - allowed(unit)}")


def main():
    if reason := namespaces.prepare():
        print(reason)
        return SKIPPED
    if not {"CAP_NET_ADMIN", "CAP_NET_RAW", "CAP_SYS_ADMIN"} <= present():
        print("capabilities are missing from the start")
        return SKIPPED
    path = pathlib.Path(PROFILE)
    path.write_text(namespaces.PROFILE)
    path.chmod(0o644)
    capabilities()
    end_waiting()
    system_calls()
    for line in failures:
        print("FAILED:", line)
    return 1 if failures else 0


if ctypes.sizeof(ctypes.c_void_p) != 8:
    sys.exit(SKIPPED)
sys.exit(main())
