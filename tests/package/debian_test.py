#!/usr/bin/python3
"""S17: what debhelper puts into the package's scripts enables, starts and restarts nothing on a new host.
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


with tempfile.TemporaryDirectory() as work:
    work = pathlib.Path(work)
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
