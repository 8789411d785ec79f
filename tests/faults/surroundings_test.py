#!/usr/bin/python3
"""The built program among things that somebody else has put in its way: links, other names and strangers' directories wherever it
keeps a file, disks that are full or read-only, names and profiles of odd bytes.

Usage: surroundings_test.py FABRICCTL. Runs as root in network and mount namespaces of its own."""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import time

import namespaces
from namespaces import command

PROGRAM = os.path.abspath(sys.argv[1])
SKIPPED = 77  # what meson takes for a test that could not be run
STRANGER = 65534
PRECIOUS = pathlib.Path("/run/precious")
PROFILE = pathlib.Path("/run/profile.yaml")
REPORT, METRICS = pathlib.Path("/var/lib/here/report.json"), pathlib.Path("/var/lib/here/metrics.prom")
# Every file that a run keeps, and what makes it write that file.
ARGUMENTS = ["apply", str(PROFILE), "--boot", "--report", str(REPORT), "--metrics", str(METRICS)]
FILES = (namespaces.SYSCTL_FILE, REPORT, METRICS, namespaces.LOCK, pathlib.Path("/run/fabricctl/boot.json"))
NAMED_BY_A_PERSON = (REPORT, METRICS)
failures = []


def expect(holds, *what):
    if not holds:
        failures.append(" ".join(str(word) for word in what))


def run(*arguments, environment=None):
    return subprocess.run([PROGRAM, *arguments], capture_output=True, timeout=120, check=False,
                          env={**os.environ, **(environment or {})})


def fresh():
    namespaces.reset()
    shutil.rmtree("/var/lib/here", ignore_errors=True)
    for path in FILES:
        path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    PRECIOUS.write_text("precious")
    PROFILE.write_text(namespaces.PROFILE)
    os.chown(PROFILE, 0, 0)
    PROFILE.chmod(0o644)


def untouched(*what):
    expect(PRECIOUS.read_text() == "precious", "written through:", *what)
    expect(not namespaces.temporary_files(), "left over:", namespaces.temporary_files(), *what)


def complains(done, path, *what):
    said = (done.stdout + done.stderr).decode()
    expect(path.name in said or str(path.parent) in said, "nothing is said of", path, *what, said[-600:])


def test_a_link_or_another_name_in_the_place_of_a_file():
    for path in FILES:
        fresh()
        path.symlink_to(PRECIOUS)
        done = run(*ARGUMENTS)
        untouched("link at", path)
        complains(done, path, "when it is a link")
        expect(path.is_symlink(), path, "was replaced")
        fresh()
        other_name = path.parent / ".precious"
        other_name.write_text("precious")
        os.link(other_name, path)
        done = run(*ARGUMENTS)
        expect(other_name.read_text() == "precious", "written through a hard link at", path)
        expect(done.returncode == 0 or path == namespaces.LOCK, "hard link at", path, "ends with", done.returncode)
        path.unlink(missing_ok=True)
        other_name.unlink()


def test_a_directory_that_somebody_else_can_change():
    for path in FILES:
        for spoil in (lambda directory: directory.chmod(0o777), lambda directory: os.chown(directory, STRANGER, STRANGER)):
            fresh()
            spoil(path.parent)
            done = run(*ARGUMENTS)
            said = " ".join((done.stdout + done.stderr).decode().split())
            named = path in NAMED_BY_A_PERSON
            expect(named or "uid 65534" in said or "everybody" in said, path.parent, "is somebody else's, and that is not said", said[-800:])
            expect(named or not path.exists(), path, "was written in a directory of somebody else")
            expect(named or path == FILES[-1] or done.returncode != 0, path.parent, "is somebody else's, and exit 0")
            os.chown(path.parent, 0, 0)
            path.parent.chmod(0o755)


def test_a_link_of_a_stranger_on_the_way():
    for path in NAMED_BY_A_PERSON:
        fresh()
        other = pathlib.Path("/run/other")
        other.mkdir(exist_ok=True)
        shutil.rmtree(path.parent)
        path.parent.symlink_to(other)
        os.lchown(path.parent, STRANGER, STRANGER)
        done = run(*ARGUMENTS)
        expect(done.returncode == 1 and not list(other.iterdir()), "a stranger's link was followed:", done.returncode, list(other.iterdir()))
        path.parent.unlink()


def test_a_flush_marker_is_not_written_through_a_link():
    fresh()
    pathlib.Path("/run/fabricctl").mkdir(exist_ok=True)
    pathlib.Path("/run/fabricctl/flush-pending").symlink_to("/run/other")
    pathlib.Path("/run/other").mkdir(exist_ok=True)
    os.lchown("/run/fabricctl/flush-pending", STRANGER, STRANGER)
    done = run("apply", str(PROFILE))
    expect(done.returncode == 3, "a marker behind a stranger's link:", done.returncode)
    expect(not list(pathlib.Path("/run/other").iterdir()), "the link was followed")
    expect(run("check", str(PROFILE)).returncode != 0, "and check is content")


def test_a_disk_that_is_full_or_read_only():
    for target, files in (("/var/lib/here", (REPORT, METRICS)), ("/etc/sysctl.d", (namespaces.SYSCTL_FILE,))):
        for options in ("size=4k", "ro"):
            fresh()
            pathlib.Path(target).mkdir(exist_ok=True)
            command("mount", "-t", "tmpfs", "-o", options, "none", target)
            if options != "ro":
                pathlib.Path(target, "ballast").write_bytes(b"x" * 4096)
            started = time.monotonic()
            done = run(*ARGUMENTS)
            expect(done.returncode in (1, 3), target, options, "ends with", done.returncode)
            complains(done, files[0], options)
            expect(time.monotonic() - started < 60, target, options, "took", time.monotonic() - started)
            left = [path.name for path in pathlib.Path(target).iterdir() if path.name != "ballast"]
            expect(not left, target, options, "left over:", left)
            # Sysctls and caches are right all the same: what is left undone is the file.
            expect([what for what in namespaces.wrong() if "at boot" not in what] == [], target, options, namespaces.wrong())
            command("umount", target)
            expect(run(*ARGUMENTS).returncode == 0, target, options, "and the next run does not converge")
            expect(namespaces.wrong() == [], "wrong after the disk had room:", namespaces.wrong())


def test_a_store_of_snapshots_that_is_not_to_be_trusted_stops_the_run_before_its_first_write():
    other = pathlib.Path("/run/other")
    other.mkdir(exist_ok=True)
    for store in (pathlib.Path("/var/lib/fabricctl"), pathlib.Path("/var/lib/fabricctl/snapshots")):
        for name, spoil in (("a link", lambda: (store.rmdir(), store.symlink_to(other))),
                            ("everybody's", lambda: store.chmod(0o777)),
                            ("a stranger's", lambda: os.chown(store, STRANGER, STRANGER)),
                            ("full", lambda: (command("mount", "-t", "tmpfs", "-o", "size=4k,mode=755", "none", str(store)),
                                              (store / "ballast").write_bytes(b"x" * 4096)))):
            fresh()
            before = namespaces.wrong()
            store.mkdir(mode=0o755, parents=True, exist_ok=True)
            spoil()
            done = run("apply", str(PROFILE))
            expect(done.returncode == 1 and b"nothing was written" in done.stderr, store, name, "ends with", done.returncode, done.stderr[-400:])
            expect(namespaces.wrong() == before, store, name, "and something was written")
            expect(not list(other.iterdir()), store, name, "was followed")
            if name == "full":
                expect([path.name for path in store.iterdir() if path.name.startswith(".")] == [], store, "left over:", list(store.iterdir()))
                command("umount", str(store))
            if store.is_symlink():
                store.unlink()


def test_a_profile_that_somebody_else_can_write():
    fresh()
    run("apply", str(PROFILE))
    for spoil in (lambda: PROFILE.chmod(0o666), lambda: os.chown(PROFILE, STRANGER, 0)):
        fresh()
        run("apply", str(PROFILE))
        spoil()
        by_hand = run("check", str(PROFILE))
        expect(by_hand.returncode == 0 and b"profile.yaml" in by_hand.stdout + by_hand.stderr, "no warning:", by_hand)
        under_systemd = run("check", str(PROFILE), environment={"INVOCATION_ID": "0123456789abcdef0123456789abcdef"})
        expect(under_systemd.returncode == 5, "under systemd it is taken:", under_systemd)


def test_a_profile_of_ten_mebibytes():
    PROFILE.write_bytes(namespaces.PROFILE.encode() + b"# x\n" * (10 << 18))
    started = time.monotonic()
    done = run("check", str(PROFILE))
    expect(done.returncode == 5 and b"1 MiB" in done.stderr, done)
    expect(time.monotonic() - started < 10, "took", time.monotonic() - started)


def test_names_of_odd_bytes_are_valid_json_and_valid_metrics():
    fresh()
    name = b'a\xff"\\\x1b[31m'
    command("ip", "link", "add", name, "type", "veth", "peer", "name", "other0")
    PROFILE.write_text('version: 1\nname: odd\nrails: { match: [{ interface: "a*" }] }\nmtu: 1300\narp: { persist: true }\n')
    for arguments in (["apply"], ["check"], ["status"]):
        options = [] if arguments == ["status"] else [str(PROFILE), "--report", str(REPORT), "--metrics", str(METRICS)]
        done = run(*arguments, *options, "--format", "json")
        json.loads(done.stdout.decode())  # raises when it is not UTF-8
    json.loads(REPORT.read_bytes().decode())
    for line in METRICS.read_bytes().decode().splitlines():
        expect("\x1b" not in line and (line.startswith("#") or line[:9] == "fabricctl"), "metrics line", repr(line))
    command("ip", "link", "del", name)


def main():
    if reason := namespaces.prepare():
        print(reason)
        return SKIPPED
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            before = len(failures)
            test()
            print("ok" if len(failures) == before else "not ok", name)
    for line in failures:
        print("FAILED:", line)
    return 1 if failures else 0


sys.exit(main())
