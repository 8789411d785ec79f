#!/usr/bin/python3
"""Holds the units to what systemd says of them: no complaint of `systemd-analyze verify` with
everything enabled below default.target, exposure within bounds, nothing that binds MinIO to
us. usage: units_test.py DIRECTORY-OF-UNITS RULES PROGRAM"""
import configparser
import os
import pathlib
import re
import subprocess
import sys
import tempfile

units, rules, program = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]), os.path.abspath(sys.argv[3])
WRITERS = ["fabricctl-early.service", "fabricctl.service", "fabricctl-rail@.service", "fabricctl-acs@.service"]
NAMES = WRITERS + ["fabricctl-check.service", "fabricctl-check.timer"]
failures = []


def expect(condition, what):
    if not condition:
        failures.append(what)


def run(*argv, **environment):
    return subprocess.run(argv, capture_output=True, text=True, env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C", **environment})


def parsed(name):
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str
    unit.read(units / name)
    return unit


def lines(name, key):
    return " ".join(re.findall(rf"^{key}=(.*)$", (units / name).read_text(), re.M)).split()


# An image is prepared without a running systemd: enabling makes the links of a running host.
with tempfile.TemporaryDirectory() as root:
    image = pathlib.Path(root)
    installed = image / "usr/lib/systemd/system"
    installed.mkdir(parents=True)
    for name in NAMES:
        (installed / name).write_text((units / name).read_text())
    enabled = ["fabricctl-early.service", "fabricctl.service", "fabricctl-check.timer"]
    done = run("systemctl", "--root", root, "enable", *enabled)
    expect(done.returncode == 0, f"systemctl --root DIR enable: {done.stderr}")
    links = sorted(str(path.relative_to(image / "etc/systemd/system")) for path in image.glob("etc/systemd/system/*.wants/*"))
    expect(links == ["minio.service.wants/fabricctl.service", "multi-user.target.wants/fabricctl.service",
                     "sysinit.target.wants/fabricctl-early.service", "timers.target.wants/fabricctl-check.timer"],
           f"enabling in an image makes the links {links}")

# S12: a unit alone verifies even when it would break the boot; the target with all of them enabled does not.
with tempfile.TemporaryDirectory() as root:
    root = pathlib.Path(root)
    etc = root / "etc"
    for name in NAMES:
        text = (units / name).read_text()
        text = re.sub(r"^ExecStart=\S+", "ExecStart=" + program, text, flags=re.M)
        etc.mkdir(exist_ok=True)
        (etc / name).write_text(text)
        for target in lines(name, "WantedBy"):
            wants = etc / (target + ".wants")
            wants.mkdir(exist_ok=True)
            os.symlink("../" + name, wants / name)
    (etc / "minio.service").write_text("[Unit]\nDescription=m\nWants=network-online.target\nAfter=network-online.target\n"
                                       "[Service]\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n")
    (etc / "multi-user.target.wants").mkdir(exist_ok=True)
    os.symlink("../minio.service", etc / "multi-user.target.wants" / "minio.service")
    path = f"{etc}:/lib/systemd/system:/usr/lib/systemd/system"
    for name in ["default.target", "minio.service"] + [n.replace("@.", "@ifindex:4.") for n in NAMES]:
        done = run("systemd-analyze", "verify", "--man=no", name if name.endswith("target") else str(etc / name.replace("@ifindex:4.", "@.")),
                   SYSTEMD_UNIT_PATH=path)
        told = [line for line in (done.stdout + done.stderr).splitlines() if "fabricctl" in line or "cycle" in line or "minio" in line]
        expect(not told, f"S12: systemd-analyze verify {name}: {told}")

for name in WRITERS + ["fabricctl-check.service"]:
    bound = 45 if "check" in name else 48
    done = run("systemd-analyze", "security", "--offline=yes", "--no-pager", f"--threshold={bound}", str(units / name))
    # "Overall exposure level for fabricctl.service: 4.2 OK"
    exposure = re.search(r"Overall exposure level for \S+: ([\d.]+)", done.stdout)
    print(exposure.group(0) if exposure else done.stderr)
    expect(exposure and float(exposure.group(1)) <= bound / 10, f"{name}: no exposure of at most {bound / 10} was told")
    expect(done.returncode == 0, f"{name} is more exposed than {bound / 10}")

# The first run of all keeps what it finds, whichever unit it is, and its reports are for everybody to read.
for name in WRITERS + ["fabricctl-check.service"]:
    expect(lines(name, "StateDirectory") == ["fabricctl"], f"{name} does not make /var/lib/fabricctl")
    expect(not lines(name, "StateDirectoryMode") and lines(name, "UMask") == ["0022"], f"{name} makes it for root alone")

# A failed fabric never holds storage back, and no unit of ours starts it.
for name in NAMES:
    for key in ("Requires", "Wants", "BindsTo", "Requisite", "RequiredBy", "PartOf", "Upholds"):
        expect("minio.service" not in lines(name, key), f"{name} has {key}=minio.service")
expect("minio.service" in lines("fabricctl.service", "Before"), "fabricctl.service is not before minio.service")
expect("minio.service" in lines("fabricctl.service", "WantedBy"), "fabricctl.service is not wanted by minio.service")
# S16: the units of the MinIO guide run before ours.
for guide in ("roce-lossless.service", "disable-pcie-acs.service"):
    expect(guide in lines("fabricctl.service", "After"), f"S16: fabricctl.service is not after {guide}")
for name in NAMES:
    if name.endswith(".service"):
        expect("/etc/fabricctl/profile.yaml" in lines(name, "ConditionPathExists"), f"{name} starts without a profile")
for name in ("fabricctl-rail@.service", "fabricctl-acs@.service"):
    expect("fabricctl.service" in lines(name, "After"), f"{name} may run before the boot's apply")
    expect("RemainAfterExit" not in parsed(name)["Service"], f"{name} would run once only")
    # Many devices that appear at once: the last of their units waits for all the others, each of which may wait for a carrier.
    wait = int(re.search(r"--lock-wait (\d+)s", parsed(name)["Service"]["ExecStart"])[1])
    expect(wait >= 600, f"{name} gives up after {wait} s when many devices appear at once")
    expect(int(lines(name, "TimeoutStartSec")[0]) >= wait + 60, f"systemd ends {name} before it gives up")
for name in WRITERS:
    # What a run writes is told in the history of changes, also under ProtectSystem=strict.
    writable = lines(name, "StateDirectory") == ["fabricctl"] or "-/var/lib/fabricctl" in lines(name, "ReadWritePaths")
    expect(writable, f"{name} cannot write /var/lib/fabricctl")
text = rules.read_text()
expect('SUBSYSTEMS=="pci"' in text and 'TEST!="/run/fabricctl/boot.json"' in text, "the udev rule takes devices that are not ours")

for failure in failures:
    print("FAILED:", failure)
print("ran: S12 S16")
print(f"{len(failures)} failures")
sys.exit(1 if failures else 0)
