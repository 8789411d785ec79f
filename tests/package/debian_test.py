#!/usr/bin/python3
"""S17: what debhelper puts into the package's scripts enables, starts and restarts nothing on a new host. Both packages refuse to
take away the program that will undo an apply which waits to be confirmed.
usage: debian_test.py SOURCE-TREE DIRECTORY-OF-UNITS"""
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

source, units = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
failures = []

# On a host that never had the package: systemd's helper knows no unit, and says "enabled" of each, as the real one does.
HELPER = '#!/bin/sh\nfor word; do case $word in debian-installed) exit 1;; esac; done\necho "$0 $*" >>"$CALLS"\n'


def scripts_of_the_package(work):
    """(name, text) of each maintainer script part that dh_installsystemd makes for our units."""
    shutil.copytree(source / "debian", work / "debian", ignore=shutil.ignore_patterns("fabricctl", ".debhelper", "*.debhelper", "files"))
    target = work / "debian/fabricctl/lib/systemd/system"
    target.mkdir(parents=True)
    for unit in sorted(units.glob("*.service")) + sorted(units.glob("*.timer")):
        shutil.copy(unit, target)
    subprocess.run(["make", "--silent", "-f", "debian/rules", "override_dh_installsystemd"], cwd=work, check=True, stdout=subprocess.DEVNULL)
    made = [p for p in work.joinpath("debian").rglob("*") if p.is_file() and re.match(r"p(re|ost)(inst|rm)\.service|.*\.debhelper$", p.name)]
    return [(path, path.read_text()) for path in sorted(made)]


def calls_on_install(path, work):
    tools = work / "tools"
    tools.mkdir(exist_ok=True)
    for tool in ("deb-systemd-helper", "deb-systemd-invoke", "systemctl"):
        (tools / tool).write_text(HELPER)
        (tools / tool).chmod(0o755)
    calls = work / "calls"
    calls.write_text("")
    subprocess.run(["sh", "-e", str(path), "configure"], check=True, env={"PATH": f"{tools}:/usr/bin:/bin", "CALLS": str(calls)})
    return [os.path.basename(line) for line in calls.read_text().splitlines()]


STATE = "/var/lib/fabricctl"
THIS_BOOT = pathlib.Path("/proc/sys/kernel/random/boot_id").read_text().strip()
RECORD = """{
  "boot_id": "%s",
  "deadline": "2026-01-31T12:00:00Z",
  "id": "20260131T115800Z",
  "schema": "fabricctl/confirm/1",
  "state": "%s"
}
"""


def removal_scripts():
    """What runs before the program goes: (package, script, argument of a removal, of an upgrade)."""
    spec = (source / "rpm/fabricctl.spec").read_text()
    found = re.search(r"^%preun\n(.*?)^%files$", spec, re.M | re.S)
    debian = source / "debian/fabricctl.prerm"
    return [("deb", debian.read_text() if debian.exists() else "", "remove", "upgrade"),
            ("rpm", found[1].replace("%{_localstatedir}", "/var") if found else "", "0", "1")]


def before_removal(script, argument, work, record):
    """The script with a state of its own that holds the record."""
    state = work / "state"
    state.mkdir(exist_ok=True)
    (state / "confirm.json").unlink(missing_ok=True)
    if record:
        (state / "confirm.json").write_text(record)
    return subprocess.run(["sh", "-c", script.replace(STATE, str(state)), "script", argument], capture_output=True, text=True, check=False)


def a_removal_waits_for_what_the_program_has_to_undo(work):
    for package, script, removal, upgrade in removal_scripts():
        for state in ("pending", "restoring"):
            record = RECORD % (THIS_BOOT, state)
            refused = before_removal(script, removal, work, record)
            told = ("not removed", "2026-01-31T12:00:00Z", "'fabricctl confirm'", "'fabricctl restore 20260131T115800Z --unconfirmed'")
            if refused.returncode != 1 or not all(word in refused.stderr for word in told):
                failures.append(f"{package}: a removal with an apply {state} is not refused in clear words: {refused}")
            warned = before_removal(script, upgrade, work, record)
            if warned.returncode != 0 or "fabricctl confirm" not in warned.stderr:
                failures.append(f"{package}: an upgrade with an apply {state} says nothing, or is stopped: {warned}")
        for why, record in (("nothing waits", ""), ("it was undone", RECORD % (THIS_BOOT, "restored")), ("a boot came", RECORD % ("another", "pending"))):
            for argument in (removal, upgrade):
                done = before_removal(script, argument, work, record)
                if done.returncode or done.stdout or done.stderr:
                    failures.append(f"{package}: {why}, and {argument} is not just done: {done}")


with tempfile.TemporaryDirectory() as work:
    work = pathlib.Path(work)
    a_removal_waits_for_what_the_program_has_to_undo(work)
    scripts = scripts_of_the_package(work)
    if not any(path.name.startswith("postinst") for path, _ in scripts):
        failures.append("S17: debhelper made no postinst for the units: this test looks at nothing")
    for path, text in scripts:
        acts = [line.strip() for line in text.splitlines() if re.search(r"deb-systemd-invoke|systemctl.*\b(re)?start\b|\bfabricctl (apply|check)", line)]
        if acts:
            failures.append(f"S17: {path.name} acts on the host: {acts}")
        enabled = [call for call in calls_on_install(path, work) if re.search(r"\b(enable|start|restart)\b", call)]
        if enabled:
            failures.append(f"S17: {path.name} on a new host calls {enabled}")
for name in ("preinst", "postinst", "prerm", "postrm"):
    path = source / "debian" / f"fabricctl.{name}"
    lines = path.read_text().splitlines() if path.exists() else []
    acts = [line for line in lines if re.search(r"systemctl|deb-systemd|udevadm", line.split("#")[0]) and "echo" not in line]
    if acts:
        failures.append(f"S17: debian/fabricctl.{name} acts on the host: {acts}")

for failure in failures:
    print("FAILED:", failure)
print(f"ran: S17\n{len(failures)} failures")
sys.exit(1 if failures else 0)
