#!/usr/bin/python3
"""Runs the built program as a hostile caller would: every exit code as JSON, streams that are
closed or full, foreign names, profiles that are no files, a lock that is none, disks that are
full, rights that are missing, signals in the middle of the writes.

Usage: command_test.py FABRICCTL SCHEMA. Runs as root in network and mount namespaces of its own."""
import contextlib
import fcntl
import hashlib
import json
import os
import pathlib
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time

import jsonschema

import private_host
from private_host import PROGRAM, RAIL, expect, profile, run

SCHEMA = os.path.abspath(sys.argv[2])
VALIDATOR = jsonschema.Draft202012Validator(json.loads(pathlib.Path(SCHEMA).read_text()))
HISTORY_LINE, RECORDED = (jsonschema.Draft202012Validator(json.loads(pathlib.Path(SCHEMA).with_name(name).read_text()))
                          for name in ("history-schema.json", "confirm-schema.json"))
LOCK = pathlib.Path("/run/fabricctl/lock")
HISTORY = pathlib.Path("/var/lib/fabricctl/history.jsonl")
OWN_COLOURS = re.compile(rb"\x1b\[(0|1|2|31|32|33)m")
FIVE = "rails: { match: [{ interface: veth0 }], expect: 5 }\n"
HEAD = "version: 1\nname: hostile\n"


def report(code, *arguments, **options):
    """Runs with --format json and expects one valid document that says `code` as well."""
    done = run(*arguments, "--format", "json", **options)
    expect(done.returncode == code, arguments, "ends with", done.returncode, "not", code, done.stderr)
    try:
        document = json.loads(done.stdout)
    except ValueError:
        expect(False, arguments, "prints no JSON:", done.stdout[:200])
        return {}
    errors = [error.message for error in VALIDATOR.iter_errors(document)]
    expect(not errors, arguments, "breaks the schema:", errors[:3])
    expect(document.get("exit_code") == code, arguments, "says", document.get("exit_code"))
    return document


def until(holds):
    deadline = time.monotonic() + 20
    while not holds():
        if time.monotonic() > deadline:
            raise TimeoutError("the program does not get there")


def has_open(pid, path):
    """Whether the process has this file open; its other descriptors come and go meanwhile."""
    for descriptor in pathlib.Path(f"/proc/{pid}/fd").iterdir():
        try:
            if os.readlink(descriptor) == str(path):
                return True
        except FileNotFoundError:
            continue
    return False


def catches(pid, number):
    """Whether the process has said what it does about this signal."""
    status = pathlib.Path(f"/proc/{pid}/status").read_text()
    caught = int(re.search(r"SigCgt:\s*(\w+)", status).group(1), 16)
    return bool(caught >> (number - 1) & 1)


def batch(lines):
    subprocess.run(["ip", "-batch", "-"], input=lines.encode(), check=True)


def mtu_of(interface):
    return int(pathlib.Path(f"/sys/class/net/{interface}/mtu").read_text())


def drain(screen):
    """Reads a terminal until nobody can write to it any more."""
    with contextlib.suppress(OSError):
        while os.read(screen, 65536):
            pass


@contextlib.contextmanager
def mounted(kind, options, place=None):
    place = pathlib.Path(place or tempfile.mkdtemp(dir="."))
    subprocess.run(["mount", "-t", kind, "-o", options, "none", place], check=True)
    try:
        yield place
    finally:
        subprocess.run(["umount", place], check=True)


@contextlib.contextmanager
def running(*arguments, stderr=subprocess.DEVNULL):
    child = subprocess.Popen([PROGRAM, *arguments], stdout=subprocess.PIPE, stderr=stderr)
    try:
        yield child
    finally:
        child.kill()
        child.communicate()


def test_one_valid_json_document_for_every_exit_code():
    mtu = profile(HEAD + RAIL + "mtu: 1400\n")
    for verb in ("plan", "check"):
        report(2, verb, mtu)
    expect(report(0, "apply", mtu).get("changed") is True, "apply changes the MTU")
    for verb in ("plan", "check", "apply"):
        expect(report(0, verb, mtu).get("changed") is False, verb, "changes nothing")
    report(3, "apply", profile(HEAD + FIVE + "mtu: 1400\n", "five.yaml"))
    for arguments in (["chekc"], ["check", "--bad"], [], ["profile"], ["check", "--only", "nix", mtu],
                      ["check", "--lock-wait", "x"], ["apply", "--wait", "x"], ["check", mtu, mtu],
                      ["check", mtu, "--rail", "no-such"], ["profile", "show", mtu, "--rail", "no-such"],
                      ["profile", "explain", "dcb.pfx"], ["profile", "init", "-o", mtu],
                      ["profile", "init", "-o", "no/such/folder"]):
        report(1, *arguments)
    for verb in (["check"], ["plan"], ["apply"], ["profile", "validate"], ["profile", "show"]):
        errors = report(5, *verb, profile("versoin: 1\n", "bad.yaml")).get("errors")
        expect(errors and errors[0]["line"] == 1, verb, "says where")
    without = ["setpriv", "--bounding-set=-net_admin", "--inh-caps=-net_admin", PROGRAM, "apply", mtu,
               "--format", "json"]
    done = subprocess.run(without, capture_output=True, timeout=60, check=False)
    expect(done.returncode == 1 and "CAP_NET_ADMIN" in json.loads(done.stdout)["error"]["message"], without, done)


def test_what_cannot_be_read_is_6_and_hides_no_rail():
    subprocess.run(["mount", "-t", "tmpfs", "none", "/sys/bus/pci"], check=True)
    try:
        seen = report(6, "check", profile(HEAD + RAIL + "mtu: 1400\nacs: {}\n"))
        outcomes = {r["id"]: r["outcome"] for r in seen.get("resources", [])}
        expect(outcomes.get("mtu/veth0") == "in-sync", "the rail is looked at all the same", outcomes)
    finally:
        subprocess.run(["umount", "/sys/bus/pci"], check=True)


def test_the_lock_is_4_and_its_holder_is_not_made_up():
    mtu = profile(HEAD + RAIL + "mtu: 1400\n")
    report(0, "apply", mtu)
    with LOCK.open("rb") as held:
        fcntl.flock(held, fcntl.LOCK_SH)
        text = report(4, "apply", mtu).get("error", {}).get("message", "")
        expect("only reads" in text and "process" not in text, "a reader is taken for the last writer:", text)
        report(0, "check", mtu)
        fcntl.flock(held, fcntl.LOCK_EX)
        report(4, "check", mtu)
        started = time.monotonic()
        report(4, "apply", mtu, "--lock-wait", "200ms")
        expect(time.monotonic() - started >= 0.2, "--lock-wait waits")
        with running("apply", mtu, "--lock-wait", "1h") as child:
            until(lambda: has_open(child.pid, LOCK))
            child.send_signal(signal.SIGTERM)
            expect(child.wait(timeout=20) != 0, "SIGTERM ends the wait for the lock")
    report(0, "apply", mtu)


def test_a_lock_that_is_no_file_stops_apply_and_does_not_hold_check():
    mtu = profile(HEAD + RAIL + "mtu: 1400\n")
    for make in (lambda: LOCK.symlink_to("/etc/passwd"), lambda: os.mkfifo(LOCK), LOCK.mkdir):
        LOCK.unlink()
        make()
        before = pathlib.Path("/etc/passwd").read_bytes()
        done = run("check", mtu)
        expect(done.returncode == 0, "check beside a strange lock", done)
        if not LOCK.is_fifo():
            report(1, "apply", mtu)
        expect(pathlib.Path("/etc/passwd").read_bytes() == before, "the link's target is untouched")
        if LOCK.is_dir() and not LOCK.is_symlink():
            LOCK.rmdir()
            LOCK.touch()


def test_streams_that_are_closed_or_full_are_never_exit_0():
    mtu = profile(HEAD + RAIL + "mtu: 1400\n")
    for verb in (["apply", mtu], ["check", mtu], ["plan", mtu], ["status"], ["profile", "schema"], ["--version"]):
        for shell in (">&-", ">/dev/full", ">&- 2>&-", "<&- >&- 2>&-", ">/dev/full 2>&-"):
            command = ["bash", "-c", f'exec "$0" "$@" {shell}', PROGRAM, *verb]
            done = subprocess.run(command, capture_output=True, timeout=60, check=False)
            expect(done.returncode == 1, verb, shell, "ends with", done.returncode)
    expect(b"hostile" not in LOCK.read_bytes(), "the report went into the lock:", LOCK.read_bytes())
    done = subprocess.run(["bash", "-c", f'exec "{PROGRAM}" check nowhere.yaml >&- 2>&-'], check=False, timeout=60)
    expect(done.returncode == 5, "5 is worse than a closed stdout", done.returncode)


def test_an_option_that_selects_nothing_is_a_bad_command_line():
    mtu = profile(HEAD + RAIL + "mtu: 1400\n")
    for arguments in (["--rail", ""], ["--rail", "ifindex:"], ["--rail", "ifindex:abc"], ["--rail", "ifindex:0"],
                      ["--rail", "ifindex:-1"], ["--rail", "ifindex:4294967297"], ["--rail", "veth0", "--only=acs"],
                      ["--only="]):
        for verb in ("check", "apply"):
            report(1, verb, mtu, *arguments)
    report(1, "check", mtu, "--rail", "ifindex:99999")
    # A device event names any interface.
    report(0, "apply", mtu, "--rail", "ifindex:99999")


def test_foreign_names_never_reach_the_terminal():
    names = [b"r\x1b[31mX", b"\xff\xfe\x80", b"c1\xc2\x9b31m", b"\x7f", b"a\x01b", b"...", b"*", b"--rail", b"$(id);`x`",
             b"123456789012345", "ünïcö".encode(), b'"q"', b"b\\s"]
    for name in names:
        subprocess.run([b"ip", b"link", b"add", b"name", name, b"type", b"veth"], check=True)
    every = profile(HEAD + 'rails: { match: [{ interface: "*" }] }\nmtu: 1300\ndcb: { pfc: [3] }\necn: {}\n')
    for verb in (["plan", every], ["check", every], ["apply", every], ["check", every], ["status"]):
        done = run(*verb, "--color", "always", "-v")
        text = OWN_COLOURS.sub(b"", done.stdout + done.stderr).decode()  # raises when it is not UTF-8
        bad = {c for c in text if (ord(c) < 32 and c != "\n") or 0x7F <= ord(c) < 0xA0}
        expect(not bad, verb, "prints control characters", bad)
    report(0, "check", every)
    for name in names:
        expect(run("check", every, b"--rail=" + name).returncode == 0, "--rail", name)


def test_profiles_that_are_no_files_or_no_text():
    os.mkfifo("fifo")
    pathlib.Path("folder").mkdir()
    for path in ("fifo", "folder", "/dev/zero", "/dev/stdin", "/proc/self/mem", "nowhere"):
        report(5, "check", path, stdin=subprocess.DEVNULL)
    bombs = {
        "big": HEAD.encode() + b"#" * (2 << 20),
        "nul": b'version: 1\nname: "a\0b"\n',
        "utf16": "version: 1\n".encode("utf-16"),
        "self": HEAD + "extends: self\n",
        "above": HEAD + "extends: ../../../../../../../../etc/shadow\n",
        "deep": HEAD + "dcb: " + "[" * 100_000,
        "maps": HEAD + "dcb: " + "{a: " * 50_000,
        "aliases": "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
            f"{c}: &{c} [{', '.join(['*' + p] * 9)}]\n" for p, c in zip("abcdefghi", "bcdefghij")),
        "two": HEAD + "---\n" + HEAD,
        "empty": "",
    }
    for name, text in bombs.items():
        started = time.monotonic()
        report(5, "check", profile(text, name))
        expect(time.monotonic() - started < 20, name, "takes", time.monotonic() - started, "s")
    many = HEAD + "".join(f"key{n}: {n}\n" for n in range(1000))
    errors = report(5, "check", profile(many, "many")).get("errors", [])
    expect(len(errors) == 1000, "all errors are listed, not", len(errors))
    for name, text in {"crlf": (HEAD + RAIL + "mtu: 1300\n").replace("\n", "\r\n"),
                       "bom": "\ufeff" + HEAD + RAIL + "mtu: 1300\n"}.items():
        report(0, "check", profile(text, name))


def test_a_signal_while_rails_are_awaited_ends_the_run():
    waits = profile(HEAD + "rails: { match: [{ interface: later }], expect: 1 }\nmtu: 1300\n")
    for number in (signal.SIGTERM, signal.SIGINT):
        with running("apply", waits, "--wait", "1h", "--format", "json") as child:
            until(lambda: catches(child.pid, number))
            child.send_signal(number)
            out, _ = child.communicate(timeout=20)
            expect(child.returncode == 3, number, "ends the wait with", child.returncode)
            expect(json.loads(out)["exit_code"] == 3, "and a report")


def test_a_signal_in_the_middle_of_the_writes_reports_and_a_later_run_converges():
    """Progress goes to a terminal that nobody reads: the run stands still once it is full, in the middle."""
    names = [f"railxxxxxxxx{n:03}" for n in range(800)]
    pairs = "".join(f"link add name {a} type veth peer name {b}\n" for a, b in zip(names[::2], names[1::2]))
    batch(pairs)
    many = profile(HEAD + 'rails: { match: [{ interface: "railxxx*" }] }\nmtu: 1400\n')

    def changed():
        return sum(mtu_of(name) == 1400 for name in names)

    for number in (signal.SIGTERM, signal.SIGINT):
        batch("".join(f"link set {name} mtu 1500\n" for name in names))
        screen, terminal = os.openpty()
        with running("apply", many, stderr=terminal) as child:
            os.close(terminal)
            until(lambda: mtu_of(names[0]) == 1400)
            child.send_signal(number)
            reader = threading.Thread(target=drain, args=(screen,))
            reader.start()
            out, _ = child.communicate(timeout=60)
            reader.join()
            name = signal.Signals(number).name.encode()
            expect(child.returncode == 3, name, "in the middle ends with", child.returncode)
            expect(0 < changed() < len(names), "some are done and some are not:", changed())
            expect(b"not attempted: " + name in b" ".join(out.split()), "the report says why:", out[-400:])
        os.close(screen)
    expect(report(0, "apply", many).get("changed") is True, "the next run goes on")
    expect(changed() == len(names), "and ends it")
    for verb in ("check", "apply"):
        expect(report(0, verb, many).get("changed") is False, verb, "finds nothing to do")
    batch("".join(f"link del {name}\n" for name in names[::2]))


def test_a_run_directory_that_is_a_link_or_cannot_be_written():
    mtu = profile(HEAD + RAIL + "mtu: 1400\n")
    report(0, "apply", mtu)
    LOCK.parent.rename("/run/aside")
    try:
        for target in ("/etc", "/nowhere", None):
            LOCK.parent.symlink_to(target) if target else LOCK.parent.touch()
            report(1, "apply", mtu)
            report(0, "check", mtu)
            LOCK.parent.unlink()
        expect(not pathlib.Path("/etc/lock").exists(), "the link is not followed")
        subprocess.run(["mount", "-o", "remount,ro", "/run"], check=True)
        report(1, "apply", mtu)
        report(0, "check", mtu)
    finally:
        subprocess.run(["mount", "-o", "remount,rw", "/run"], check=True)
        pathlib.Path("/run/aside").rename(LOCK.parent)


def test_a_full_disk_leaves_no_half_profile():
    with mounted("tmpfs", "size=4k") as folder:
        (folder / "ballast").write_bytes(b"x" * 4096)
        expect(run("profile", "init", "-o", folder / "new.yaml").returncode == 1, "init on a full disk")
        expect([p.name for p in folder.iterdir()] == ["ballast"], "left over:", list(folder.iterdir()))


def test_settings_for_the_next_boot_are_not_put_in_strange_places():
    arp = profile(HEAD + RAIL + "arp: { persist: true }\n")
    subprocess.run(["ip", "address", "add", "198.51.100.1/24", "dev", "veth0"], check=True)
    with mounted("tmpfs", "size=8k", "/etc/sysctl.d") as folder:
        ours = folder / "99-zz-fabricctl.conf"
        for make in (lambda: ours.symlink_to("/etc/passwd"), lambda: os.mkfifo(ours), ours.mkdir):
            make()
            before = pathlib.Path("/etc/passwd").read_bytes()
            fixes = [r["fix"] for r in report(3, "apply", arp)["resources"] if r["property"] == "persist"]
            expect(fixes and "in its place" not in fixes[0] and "run again" in fixes[0], "what to do is said:", fixes)
            expect(pathlib.Path("/etc/passwd").read_bytes() == before, "the link's target is untouched")
            ours.rmdir() if ours.is_dir() and not ours.is_symlink() else ours.unlink()
        (folder / "ballast").write_bytes(b"x" * 8192)
        report(3, "apply", arp)
        expect([p.name for p in folder.iterdir()] == ["ballast"], "left over:", list(folder.iterdir()))
        (folder / "ballast").unlink()
        report(0, "apply", arp)
        report(0, "check", arp)
    subprocess.run(["ip", "address", "flush", "dev", "veth0"], check=True)


def test_an_interface_index_as_large_as_they_come():
    subprocess.run("ip link add index 2147483647 name huge0 type veth peer name huge1".split(), check=True)
    mtu = profile(HEAD + "rails: { match: [{ interface: huge0 }] }\nmtu: 1400\n")
    report(0, "apply", mtu)
    report(0, "check", mtu, "--rail", "ifindex:2147483647")
    subprocess.run(["ip", "link", "del", "huge0"], check=True)


def test_nobody_and_root_of_a_user_namespace_see_what_they_may():
    mtu = profile(HEAD + RAIL + "mtu: 1400\n")
    report(0, "apply", mtu)
    program = shutil.copy(PROGRAM, "fabricctl")  # where everybody can reach it
    for prefix in ("setpriv --reuid 65534 --regid 65534 --clear-groups", "unshare -U", "unshare -Ur"):
        for verb, code in (("check", 0), ("plan", 0), ("apply", 1)):
            done = subprocess.run([*prefix.split(), f"./{program}", verb, mtu, "--format", "json"], capture_output=True,
                                  timeout=60, check=False)
            expect(done.returncode == code == json.loads(done.stdout)["exit_code"], prefix, verb, done)


def test_a_report_file_is_replaced_or_refused_and_never_reached_through_a_link():
    mtu = profile(HEAD + RAIL + "mtu: 1400\n")
    report(0, "apply", mtu)
    pathlib.Path("old.json").write_text("[" * 200_000)
    for option in ("--report", "--metrics"):
        for name in ("old.json", "new.json", pathlib.Path("whole").absolute()):
            report(0, "check", mtu, option, name)
            expect(pathlib.Path(name).stat().st_size > 100, option, name, "is written")
    pathlib.Path("link").symlink_to("/etc/passwd")
    os.mkfifo("pipe\x1b[31m")
    before = pathlib.Path("/etc/passwd").read_bytes()
    for name in ("link", "pipe\x1b[31m", ".", "/dev/full", "no/such/place"):
        done = run("check", mtu, "--report", name)
        expect(done.returncode == 1 and b"\x1b" not in done.stderr, name, done)
    expect(pathlib.Path("/etc/passwd").read_bytes() == before, "the link's target is untouched")


STORE = pathlib.Path("/var/lib/fabricctl")


def snapshots():
    return sorted(path.stem for path in (STORE / "snapshots").glob("*.json"))


def test_restore_puts_back_what_a_run_found():
    shutil.rmtree(STORE, ignore_errors=True)
    for verb in (["restore"], ["restore", "baseline"], ["snapshot", "show"], ["snapshot", "diff"], ["restore", "../../etc/passwd"]):
        found = report(1, *verb)
        expect(found["error"]["kind"] == "not found", verb, found["error"])
    listed = json.loads(run("snapshot", "list", "--format", "json").stdout)
    expect(listed == {"schema": "fabricctl/snapshots/1", "snapshots": []}, listed)
    subprocess.run(["ip", "link", "set", "veth0", "mtu", "1500"], check=True)
    mtu = profile(HEAD + RAIL + "mtu: 1400\n")
    saved = [f for f in report(0, "apply", mtu)["findings"] if f["id"] == "snapshot.saved"]
    expect(len(saved) == 1 and len(snapshots()) == 1 and snapshots()[0] in saved[0]["summary"], saved, snapshots())
    report(0, "apply", mtu)
    expect(len(snapshots()) == 1, "a run that writes nothing keeps nothing")
    expect(report(2, "restore", "--dry-run")["steps"], "a dry run shows the steps")
    expect(report(2, "snapshot", "diff")["resources"], "a diff shows what differs")
    for verb in (["restore", "--dry-run"], ["snapshot", "diff"]):
        text = run(*verb, text=True).stdout
        expect("restore 1400 -> 1500" in text and "restore would, in this order:\n    1. veth0: " in text, "in the words of plan", verb, text)
    expect("restore would" not in run("snapshot", "show", text=True).stdout, "a snapshot alone takes no steps")
    expect(mtu_of("veth0") == 1400, "neither writes")
    expect(b"1500" in run("snapshot", "show").stdout, "the former value is shown")
    expect(report(0, "restore").get("changed") is True and mtu_of("veth0") == 1500, "restored")
    expect(report(0, "restore", "baseline").get("changed") is False, "it is so already")
    expect(report(0, "restore", snapshots()[-1]).get("changed") is True and mtu_of("veth0") == 1400, "the restore is undone by its own snapshot")
    document = json.loads(run("snapshot", "show", "baseline", "--format", "json").stdout)
    schema = json.loads(pathlib.Path(SCHEMA).with_name("snapshot-schema.json").read_text())
    expect(not list(jsonschema.Draft202012Validator(schema).iter_errors(document)), "the baseline keeps to its schema")
    others = run("snapshot", "list", preexec_fn=lambda: os.setuid(65534))
    expect(others.returncode == 1 and b"run as root" in others.stderr, others)


def test_a_second_restore_does_not_apply_again_what_the_first_undid():
    shutil.rmtree(STORE, ignore_errors=True)
    subprocess.run(["ip", "link", "set", "veth0", "mtu", "1500"], check=True)
    report(0, "apply", profile(HEAD + RAIL + "mtu: 1400\n"))
    report(0, "apply", profile(HEAD + RAIL + "mtu: 1300\n", "smaller.yaml"))
    identity, told = snapshots()[-1], run("snapshot", "list")
    expect(report(2, "restore", "--dry-run")["profile"]["name"] == "snapshot " + identity and b"(undone)" not in told.stdout, told)
    for wanted in (1400, 1500, 1500, 1500):
        left = report(0, "restore")
        expect(mtu_of("veth0") == wanted, "one apply further back each time, then no more:", wanted, mtu_of("veth0"))
    expect([f["id"] for f in left["findings"]] == ["restore.nothing-to-undo"], left)
    expect(b"nothing to undo" in run("restore").stdout and b"nothing to undo" in run("restore", "--dry-run").stdout, "a person is told")
    for verb in ("show", "diff"):
        report(1, "snapshot", verb)
    listed = json.loads(run("snapshot", "list", "--format", "json").stdout)["snapshots"]
    expect([one["undone"] for one in listed] == [True, True, False, False, False], listed)
    report(0, "restore", identity)
    expect(mtu_of("veth0") == 1400, "by its id each is put back")


@contextlib.contextmanager
def read_only(place):
    subprocess.run(["mount", "--bind", place, place], check=True)
    subprocess.run(["mount", "-o", "remount,ro,bind", place], check=True)
    try:
        yield
    finally:
        subprocess.run(["umount", place], check=True)


def test_restore_takes_the_last_run_that_changed_something():
    shutil.rmtree(STORE, ignore_errors=True)
    for line in ("link set veth0 mtu 1500", "address add 192.0.2.9/24 dev veth0"):
        subprocess.run(["ip", *line.split()], check=True)
    report(0, "apply", profile(HEAD + RAIL + "arp: { persist: false }\n", "live.yaml"))
    report(0, "apply", profile(HEAD + RAIL + "mtu: 1400\n"))
    before = snapshots()
    arp = profile(HEAD + RAIL + "arp: {}\n", "arp.yaml")
    with read_only("/etc/sysctl.d"):
        for _ in range(34):
            done = report(3, "apply", arp)
            expect("snapshot.saved" not in [f["id"] for f in done["findings"]], "a run that wrote nothing keeps its snapshot")
    expect(before and snapshots() == before, "they push others out:", before, snapshots())
    expect(not (STORE / "snapshots/begun").exists(), "the mark of a run stays")
    expect(report(0, "restore").get("changed") is True and mtu_of("veth0") == 1500, "the run that changed something is undone")
    subprocess.run(["ip", "address", "flush", "dev", "veth0"], check=True)


def test_a_file_beside_the_report_that_cannot_be_written_is_in_every_exit_code():
    mtu = profile(HEAD + RAIL + "mtu: 1400\n")
    report(0, "apply", mtu)
    for verb in ("check", "apply"):
        for lost in ("--report", "--metrics"):
            found = report(1, verb, mtu, lost, "no/such/place")
            expect("record.not-written" in [f["id"] for f in found["findings"]] and found["result"] == "converged", found)
    report(1, "check", mtu, "--report", "kept.json", "--metrics", "no/such/place")
    expect(json.loads(pathlib.Path("kept.json").read_text())["exit_code"] == 1, "the file says what the process says")
    report(1, "check", mtu, "--metrics", "kept.prom", "--report", "no/such/place")
    expect("fabricctl_exit_code 1" in pathlib.Path("kept.prom").read_text(), "so do the metrics")
    report(1, "restore", "baseline", "--report", "no/such/place")


def test_a_store_that_cannot_be_trusted_or_filled_stops_the_run():
    mtu = profile(HEAD + RAIL + "mtu: 1300\n")
    shutil.rmtree(STORE, ignore_errors=True)
    theirs = pathlib.Path("theirs")
    theirs.mkdir()
    STORE.symlink_to(theirs.resolve())
    before = mtu_of("veth0")
    report(1, "apply", mtu)
    expect(mtu_of("veth0") == before and not list(theirs.iterdir()), "nothing is written through a link")
    warned = report(0, "apply", mtu, "--snapshot", "try")
    expect("snapshot.not-saved" in [f["id"] for f in warned["findings"]] and mtu_of("veth0") == 1300, "try goes on with a warning")
    STORE.unlink()
    report(0, "apply", profile(HEAD + RAIL + "mtu: 1400\n", "other.yaml"), "--snapshot", "none")
    expect(not (STORE / "snapshots").exists(), "none keeps none")
    report(0, "apply", mtu)
    (identity,) = snapshots()
    path = STORE / "snapshots" / (identity + ".json")
    path.chmod(0o666)
    report(1, "restore")
    path.chmod(0o600)
    path.write_bytes(path.read_bytes()[:-40])
    report(1, "restore")
    expect(run("snapshot", "list").returncode == 6, "a broken one is listed as broken")
    expect(mtu_of("veth0") == 1300, "nothing was restored")
def written_again(mtu, *more):
    """One apply that has something to write; its report."""
    subprocess.run("ip link set veth0 mtu 1500".split(), check=True)
    return report(0, "apply", mtu, *more)


def history(code, *arguments):
    done = run("history", "--format", "json", *arguments)
    expect(done.returncode == code, "history", arguments, "ends with", done.returncode, done.stderr)
    return json.loads(done.stdout)


def test_what_stands_in_the_place_of_the_history_is_not_an_empty_one():
    for make in (lambda: HISTORY.symlink_to("/nonexistent"), HISTORY.mkdir):
        shutil.rmtree(HISTORY.parent, ignore_errors=True)
        HISTORY.parent.mkdir(mode=0o755)
        make()
        said = history(1)["error"]
        expect("history.jsonl" in said["message"] and "move away what stands there" in str(said), said)
    shutil.rmtree(HISTORY.parent, ignore_errors=True)
    expect(history(0)["entries"] == [], "no history is an empty one")


def test_a_run_that_the_history_does_not_know_is_no_answer():
    shutil.rmtree(HISTORY.parent, ignore_errors=True)
    told = history(1, "--run", "zzz")
    expect("zzz" in str(told) and "'fabricctl history' lists them" in str(told), told)
    written_again(profile(HEAD + RAIL + "mtu: 1400\n"))
    history(1, "--run", "zzz")
    known = history(0)["entries"][0]["run"]
    expect(history(0, "--run", known[:8])["entries"] != [], "the begin of an id is enough")
    expect(history(0, "--run", known, "--rail", "lo")["entries"] == [], "a run that is there and did nothing there")
    said = history(1, "--rail", "veth00")["error"]
    expect("no interface is called so" in said["message"] and "did you mean veth0?" in str(said), "a rail that never was", said)
    written_again("p.yaml")
    done = run("history", "--run", known[:4], text=True)
    expect(done.returncode == 0 and "2 runs begin so" in done.stderr and known in done.stderr, "a begin that two share", done)
    for since, meant in (("1w", "did you mean 7d?"), ("30", "did you mean 30s?"), ("3x", "units are ms, s, min, h and d")):
        done = run("history", "--since", since, text=True)
        expect(done.returncode == 1 and meant in done.stderr, since, done)
    done = run("apply", "p.yaml", "--confirm-within", "20", text=True)
    expect(done.returncode == 1 and "did you mean 20s?" in done.stderr, "a time without its unit", done)


def test_the_history_says_what_a_restore_put_back_and_what_waited():
    shutil.rmtree(HISTORY.parent, ignore_errors=True)
    waits = written_again(profile(HEAD + RAIL + "mtu: 1400\n"), "--confirm-within", "1h")["confirm"]
    report(0, "restore", waits["id"], "--unconfirmed")
    lines = history(0)["entries"]
    expect({line.get("confirm_until") for line in lines if line["command"] == "apply"} == {waits["deadline"]}, lines)
    expect({line.get("restores") for line in lines if line["command"] == "restore"} == {waits["id"]}, lines)
    for line in lines:
        expect(not list(HISTORY_LINE.iter_errors(line)), "breaks the schema", line)
    text = run("history", text=True).stdout
    expect("puts back " + waits["id"] in text and "  undone at 20" in text and "unless it is" not in text, text)


def test_a_profile_of_an_image_is_named_inside_it():
    image = pathlib.Path("image")
    (image / "etc").mkdir(parents=True)
    (image / "etc/p.yaml").write_text(HEAD + "mtu: 1400\n")
    for name in ("etc/p.yaml", "/etc/p.yaml"):
        report(0, "check", name, "--root", str(image.absolute()))
    done = run("check", "nofile", "--root", str(image.absolute()), text=True)
    expect(done.returncode == 5 and f"{image.absolute()}/nofile: error: open on /nofile: No such" in done.stderr, done)


def test_what_a_run_wrote_is_told_by_the_history():
    shutil.rmtree(HISTORY.parent, ignore_errors=True)
    mtu = profile(HEAD + RAIL + "mtu: 1400\n")
    expect(history(0)["entries"] == [], "no run, no history")
    written_again(mtu)
    expect(HISTORY.stat().st_mode & 0o777 == 0o600, "its mode is", oct(HISTORY.stat().st_mode))
    lines = [json.loads(line) for line in HISTORY.read_text().splitlines()]
    expect([line["event"] for line in lines] == ["begin", "write", "end"], lines)
    begin, write, end = lines
    digest = hashlib.sha256(pathlib.Path(mtu).read_bytes()).hexdigest()
    expect(begin["profile"]["sha256"] == digest, "the hash of the profile is", begin["profile"])
    expect(write["changes"] == [{"id": "mtu/veth0", "old": 1500, "new": 1400}] and write["result"] == "accepted", write)
    expect(end["exit_code"] == 0 and end["result"] == "converged", end)
    for line in lines:
        expect(not list(HISTORY_LINE.iter_errors(line)), "breaks the schema", line)
        expect(line["uid"] == 0 and line["run"] == begin["run"] and line["command"] == "apply", line)
    report(0, "apply", mtu)
    expect(len(HISTORY.read_text().splitlines()) == 3, "a run that wrote nothing is not in it")
    expect(history(0)["entries"] == lines, "history prints other entries")
    expect(history(0, "--run", begin["run"], "--rail", "veth0", "--since", "1h")["entries"] == lines, "filters")
    expect(history(0, "--rail", "veth1")["entries"] == [], "another rail")
    text = run("history").stdout.decode()
    expect("mtu/veth0: 1500 -> 1400" in text and "converged, exit 0" in text, text)


def test_a_history_that_cannot_be_written_is_a_warning_and_stops_nothing():
    mtu = profile(HEAD + RAIL + "mtu: 1400\n")
    before = pathlib.Path("/etc/passwd").read_bytes()
    strange = {"a link": lambda: HISTORY.symlink_to("/etc/passwd"), "a FIFO": lambda: os.mkfifo(HISTORY),
               "a folder": HISTORY.mkdir, "another name": lambda: os.link("/var/lib/other", HISTORY),
               "foreign": lambda: (HISTORY.touch(0o600), os.chown(HISTORY, 65534, 65534)),
               "open to all": lambda: (HISTORY.touch(), HISTORY.chmod(0o666))}
    pathlib.Path("/var/lib/other").write_text("precious\n")
    for what, make in strange.items():
        shutil.rmtree(HISTORY.parent, ignore_errors=True)
        HISTORY.parent.mkdir(0o755)
        make()
        findings = [f["id"] for f in written_again(mtu, "--snapshot", "none").get("findings", [])]
        expect("history.not-written" in findings, what, "in its place:", findings)
        expect(what in ("a FIFO", "a folder") or HISTORY.is_symlink() or HISTORY.stat().st_size in (0, 9), what, "was written")
    expect(pathlib.Path("/etc/passwd").read_bytes() == before, "the link's target is untouched")
    expect(pathlib.Path("/var/lib/other").read_text() == "precious\n", "the other name is untouched")
    shutil.rmtree(HISTORY.parent)
    for make in (lambda: HISTORY.parent.symlink_to("/etc"), lambda: HISTORY.parent.write_text("")):
        make()
        expect("history.not-written" in [f["id"] for f in written_again(mtu, "--snapshot", "none")["findings"]], "a strange folder")
        HISTORY.parent.unlink()
    HISTORY.parent.mkdir(0o755)
    with mounted("tmpfs", "size=4k", HISTORY.parent) as folder:
        (folder / "ballast").write_bytes(b"x" * 4096)
        expect("history.not-written" in [f["id"] for f in written_again(mtu, "--snapshot", "none")["findings"]], "a full disk")
        subprocess.run(["mount", "-o", "remount,ro", folder], check=True)
        findings = [f for f in written_again(mtu, "--snapshot", "none")["findings"] if f["id"] == "history.not-written"]
        expect(findings and "3 lines" in findings[0]["summary"], "a read-only disk", findings)
    done = written_again(mtu, "--snapshot", "none")
    expect("history.not-written" not in [f["id"] for f in done["findings"]], "and now it is written again")


def test_a_history_that_others_wrote_is_shown_escaped_and_not_believed():
    shutil.rmtree(HISTORY.parent, ignore_errors=True)
    mtu = profile(HEAD + RAIL + "mtu: 1400\n")
    written_again(mtu)
    whole = HISTORY.read_text()
    with HISTORY.open("a") as file:
        file.write('{"schema":"fabricctl/his')  # a crash in the middle of a line
    expect(history(0)["torn_line"] is True, "a torn line is told")
    written_again(mtu)
    seen = history(0)
    expect(seen["foreign_lines"] == 0 and len(seen["entries"]) == 6, "the next run begins a line of its own", seen)
    expect(seen["torn_lines"] == [{"file": str(HISTORY), "byte": len(whole)}] and seen["torn_line"] is False, "and the torn one is told", seen)
    expect(f"{HISTORY} byte {len(whole)}" in run("history", text=True).stdout, "a person too")
    evil = json.loads(whole.splitlines()[1])
    evil["summary"] = "\x1b]0;owned\x07\u009b31m"
    evil["rail"] = "\x1b[2J"
    deep = "[" * 100_000
    HISTORY.write_text(whole + json.dumps(evil) + "\n" + deep + "\n\0\xff\n[]\n{}\n" + '{"schema":"fabricctl/history/1"}\n')
    done = run("history", "-v")
    expect(done.returncode == 6, "lines of others are not verified:", done.returncode)
    text = OWN_COLOURS.sub(b"", done.stdout).decode()
    expect(not {c for c in text if (ord(c) < 32 and c != "\n") or 0x7F <= ord(c) < 0xA0}, "control characters", text)
    expect("owned" in text and "5 lines" in text, text[-300:])
    HISTORY.write_text(whole)
    os.chown(HISTORY, 65534, 65534)
    done = run("history")
    expect(done.returncode == 6 and b"others than root" in done.stderr, "somebody else's history", done)
    program = shutil.copy(PROGRAM, "fabricctl")
    os.chown(HISTORY, 0, 0)
    done = subprocess.run(["setpriv", "--reuid", "65534", "--clear-groups", f"./{program}", "history"],
                          capture_output=True, timeout=60, check=False)
    expect(done.returncode == 1 and b"run as root" in done.stderr, "nobody reads it", done)


def cut_off(*arguments):
    done = json.loads(run(*arguments, "--format", "json").stdout)
    return "".join(f["summary"] + f["fix"] for f in done["findings"] if f["id"] == "run.cut-off")


def test_a_run_that_was_killed_is_told_to_whoever_looks_until_it_is_completed():
    names = [f"killedxxxxxx{n:03}" for n in range(200)]
    batch("".join(f"link add name {a} type veth peer name {b}\n" for a, b in zip(names[::2], names[1::2])))
    many = profile(HEAD + 'rails: { match: [{ interface: "killed*" }] }\nmtu: 1400\n', "many.yaml")

    def killed(*more):
        shutil.rmtree(HISTORY.parent, ignore_errors=True)
        batch("".join(f"link set {name} mtu 1500\n" for name in names))
        with running("apply", many, *more) as child:
            until(lambda: mtu_of(names[0]) == 1400)
            child.send_signal(signal.SIGSTOP)  # it would be over before anybody has looked
            expect(cut_off("status") == "", "a run that is under way is not cut off")
            child.kill()
            child.wait(timeout=20)
        return (STORE / "snapshots/begun").read_text().split()[0]
    identity = killed()
    for arguments in (["check", many], ["plan", many], ["status"], ["apply", many, "--rail", names[0]]):
        told = cut_off(*arguments)
        expect("apply many.yaml" in told and "fabricctl restore " + identity in told and "begun at 20" in told, arguments, told)
    told = cut_off("apply", many)
    expect("fabricctl restore " + identity in told and "to complete" not in told and "found everything as wanted" in told, told)
    expect(cut_off("check", many) == "", "completed, and told once more")
    (STORE / "snapshots/begun").write_text(identity + "\n")
    told = cut_off("check", many)
    expect("found everything as wanted" in told and "not be done" not in told and "fabricctl apply many.yaml" in told, told)
    told = cut_off("apply", many)
    expect("not be done" not in told and "fabricctl apply" not in told and cut_off("status") == "", "cut off after its last write", told)
    identity = killed()
    report(0, "restore")
    expect(cut_off("status") == "" and {mtu_of(name) for name in names} == {1500}, "or undone")
    identity = killed("--confirm-within", "1h")
    told = cut_off("status")
    expect(f"fabricctl restore {identity} --unconfirmed" in told, "while it waits, what is said to be done can be done", told)
    report(0, "restore", identity, "--unconfirmed")
    batch("".join(f"link del {name}\n" for name in names[::2]))


def test_a_run_that_was_killed_leaves_whole_lines_and_no_end():
    names = [f"killedxxxxx{n:03}" for n in range(400)]
    batch("".join(f"link add name {a} type veth peer name {b}\n" for a, b in zip(names[::2], names[1::2])))
    many = profile(HEAD + 'rails: { match: [{ interface: "killed*" }] }\nmtu: 1400\n')
    shutil.rmtree(HISTORY.parent, ignore_errors=True)
    screen, terminal = os.openpty()
    with running("apply", many, stderr=terminal) as child:
        os.close(terminal)
        until(lambda: mtu_of(names[0]) == 1400)
        child.kill()
        child.wait(timeout=20)
    os.close(screen)
    changed = sum(mtu_of(name) == 1400 for name in names)
    seen = history(0)
    events = [entry["event"] for entry in seen["entries"]]
    expect(events[0] == "begin" and "end" not in events and not seen["torn_line"], events[:2], events[-1], seen["torn_line"])
    expect(0 <= changed - events.count("write") <= 1, changed, "were changed,", events.count("write"), "are told")
    expect(b"no end" in run("history").stdout, "a killed run is told as such")
    report(0, "apply", many)
    expect([e["event"] for e in history(0)["entries"]][-1] == "end", "the next run has an end")
    batch("".join(f"link del {name}\n" for name in names[::2]))


FACTS_SCHEMA = jsonschema.Draft202012Validator(json.loads(pathlib.Path(SCHEMA).with_name("facts-schema.json").read_text()))


def test_a_report_on_an_image_says_which_one():
    image = pathlib.Path("image")
    etc = image / "etc/fabricctl"
    etc.mkdir(parents=True)
    profile(HEAD + "modules: [ib_core]\n", etc / "profile.yaml")
    for code, verb in ((2, "check"), (2, "plan"), (0, "apply")):
        expect(report(code, verb, "--root", image).get("image") == str(image), verb, "names the image")
    expect((image / "etc/modules-load.d/fabricctl.conf").read_text().endswith("ib_core\n"), "and it is there")
    profile("version: 9\n", etc / "profile.yaml")
    expect(report(5, "check", "--root", image).get("image") == str(image), "a wrong profile is one of the image")
    expect(report(1, "check", "--root", "nowhere").get("image") == "nowhere", "what is no image is named")
    expect("image" not in report(0, "check", profile(HEAD + RAIL)), "this host is no image")


def test_facts_of_this_machine_are_valid_and_answer_in_its_place():
    mtu = profile(HEAD + RAIL + "mtu: 1400\n")
    done = run("facts", mtu, "--output", "facts.json")
    expect(done.returncode in (0, 6) and b"facts of " in done.stdout, done)
    expect(os.stat("facts.json").st_mode & 0o777 == 0o600, "the file is private")
    facts = json.loads(pathlib.Path("facts.json").read_text())
    errors = [error.message for error in FACTS_SCHEMA.iter_errors(facts)]
    expect(not errors, "facts break their schema:", errors[:3])
    for verb in ("check", "plan"):
        live = run(verb, mtu, "--format", "json")
        replayed = report(live.returncode, verb, mtu, "--host", "facts.json")
        origin = [f for f in replayed["findings"] if f["id"] == "facts.origin"]
        expect(len(origin) == 1 and "facts.json" in origin[0]["evidence"], verb, "names no origin:", replayed["findings"])
        replayed["findings"] = [f for f in replayed["findings"] if f["id"] != "facts.origin"]
        live = json.loads(live.stdout)
        for member in ("started", "duration_ms"):
            live.pop(member), replayed.pop(member)
        expect(replayed == live, verb, "of the facts says something else")
    text = run("check", mtu, "--host", "facts.json").stdout
    expect(b"from facts of " in text, "the text names the origin:", text)
    # Another site's profile asks what nobody looked at.
    other = profile(HEAD + "modules: [some_module_of_a_site]\n", "other.yaml")
    unknown = report(6, "check", other, "--host", "facts.json")
    expect("facts/answers" in [r["id"] for r in unknown["resources"]] and unknown["result"] == "unverifiable", unknown)


def test_peers_of_an_inventory_are_asked_only_where_a_rail_reaches_them():
    pathlib.Path("peers.yaml").write_text('peers: [{ host: "a\\e[2Jb", rail: ens1, address: 192.0.2.9, mac: "02:00:00:00:00:09" }]\n')
    done = run("doctor", "--peers", "peers.yaml", "--format", "json")
    answer = json.loads(done.stdout)
    expect(answer["peers"] == {"pairs": [], "unpaired": ["192.0.2.9 (ens1 of a\x1b[2Jb)"]}, answer["peers"], done.stderr)
    expect([r["verdict"] for r in answer["rules"] if r["id"] == "peer.port"] == ["inconclusive"], "nobody was asked")
    expect(b"in the network of no rail" in run("doctor", "--peers", "peers.yaml").stdout, "and a person is told")
    for missing in ("nowhere.yaml", "/etc/passwd"):
        done = run("doctor", "--peers", missing, "--format", "json")
        expect(done.returncode == 6 and json.loads(done.stdout)["problems"], missing, "is no inventory", done)
    expect(json.loads(run("doctor", "--format", "json").stdout)["peers"] is None, "without --peers nobody is asked")
    report(1, "doctor", "--peers", "peers.yaml", "--host", "facts.json")
    report(1, "doctor", "--peers", "")


def test_earlier_facts_are_compared_with_when_they_are_of_this_host():
    run("facts", "--output", "earlier.json")
    for more in ([], ["--host", "earlier.json"]):
        done = run("doctor", "--before", "earlier.json", "--format", "json", *more)
        verdicts = {r["id"]: r["verdict"] for r in json.loads(done.stdout)["rules"]}
        expect(done.returncode in (0, 2, 6) and verdicts["gid.index_move"] in ("not-applicable", "pass"), more, done)
    facts = json.loads(pathlib.Path("earlier.json").read_text())
    facts["host_name"] = "other\x1b[2J"
    pathlib.Path("other-host.json").write_text(json.dumps(facts))
    for file in ("other-host.json", "no-such-file.json", "/dev/zero", "."):
        done = run("doctor", "--before", file)
        expect(done.returncode == 1 and done.stdout == b"" and b"\x1b" not in done.stderr, file, done)
    expect(b"not of" in run("doctor", "--before", "other-host.json").stderr, "it says of whom they are")
    report(1, "doctor", "--before", "")


def test_what_a_look_for_causes_cannot_mean_is_refused():
    for interval in ("0", "0s", "99ms", "61m", "-5s", "x"):
        report(1, "doctor", "--interval", interval)
    run("facts", "--output", "earlier.json")
    done = run("doctor", "--list", "--host", "earlier.json")
    expect(done.returncode == 1 and b"--list" in done.stderr and done.stdout == b"", "a list is of no host:", done)


def test_facts_never_take_the_place_of_the_profile_that_they_are_taken_with():
    mtu = profile(HEAD + RAIL + "mtu: 1400\n")
    before = pathlib.Path(mtu).read_bytes()
    for option in ("--output", "--bundle"):
        for path in (mtu, "./" + mtu, os.path.abspath(mtu)):
            done = run("facts", mtu, option, path)
            expect(done.returncode == 1 and option.encode() in done.stderr, option, path, done)
            expect(pathlib.Path(mtu).read_bytes() == before, "the profile is what it was")


def test_broken_facts_end_with_one_sentence_and_nothing_is_applied_to_a_file():
    mtu = profile(HEAD + RAIL + "mtu: 1400\n")
    for text in (b"", b"{", b"[" * 100_000, b'{"schema": "fabricctl/facts/2"}', b'{"schema": "fabricctl/facts/1", "observed": 1}',
                 b'"\x1b[31m"', b'{"schema": "\x1b[31m"}', b"\xff\xfe"):
        pathlib.Path("broken.json").write_bytes(text)
        for verb in ("check", "plan"):
            expect(report(1, verb, mtu, "--host", "broken.json")["error"]["message"].startswith("read facts"), verb, text)
        done = run("status", "--host", "broken.json")
        expect(done.returncode == 1 and b"\x1b" not in done.stderr and done.stderr.count(b"\n") <= 2, text, done)
    report(1, "check", mtu, "--host", "no-such-file.json")
    done = run("apply", mtu, "--host", "facts.json")
    expect(done.returncode == 1 and b"nothing can be written there" in done.stderr, done)


RECORD = pathlib.Path("/var/lib/fabricctl/confirm.json")


def recorded():
    record = json.loads(RECORD.read_text())
    expect(not list(RECORDED.iter_errors(record)), "breaks the schema", record)
    return record


def keeper():
    """Who holds the restore; there is no bus here, so a process of the program's own."""
    return recorded()["process"]


def state_of(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return ""


def undone():
    """Waits for the end of the process that waits and then restores."""
    watch = select.poll()
    try:
        process = os.pidfd_open(keeper())
    except ProcessLookupError:
        process = None
    if process is not None:
        watch.register(process, select.POLLIN)
        expect(watch.poll(90_000), "nobody undid it")
        os.close(process)
    expect(recorded()["state"] == "restored", "it was undone", recorded())


def test_what_is_confirmed_stays_and_nobody_else_writes_before():
    shutil.rmtree(HISTORY.parent, ignore_errors=True)
    mtu = profile(HEAD + RAIL + "mtu: 1400\n")
    expect("nothing waits" in report(1, "confirm")["error"]["message"], "nothing is pending yet")
    identity = written_again(mtu, "--confirm-within", "1h", "--report", "waits.json")["confirm"]["id"]
    (told,) = [f["fix"] for f in json.loads(pathlib.Path("waits.json").read_text())["findings"] if f["id"] == "snapshot.saved"]
    expect(told.endswith(f"fabricctl restore {identity} --unconfirmed"), "what is printed while it waits would work then", told)
    waiting = keeper()
    until(lambda: state_of(waiting) == "S")
    expect(os.readlink(f"/proc/{waiting}/fd/1") == "/dev/null", "a process waits")
    for arguments in (["apply", mtu], ["restore"], ["restore", identity]):
        expect(identity in report(4, *arguments)["error"]["message"], arguments, "does not name what is pending")
        said = report(4, *arguments, "--lock-wait", "60s")["error"]["message"]
        expect("not for a confirmation" in said, arguments, "waits for nothing", said)
    findings = {f["id"]: f for f in report(0, "check", mtu)["findings"] + json.loads(run("status", "--format", "json").stdout)["findings"]}
    expect(identity in findings["confirm.pending"]["summary"], "who looks is told", findings)
    expect(b"[confirm.pending]" in run("status").stdout, "and so is a person")
    expect(mtu_of("veth0") == 1400, "nobody wrote")
    expect(report(0, "confirm")["confirm"]["id"] == identity, "it is kept")
    expect(state_of(waiting) in ("", "Z") and not RECORD.exists(), "and nothing is left that would undo it", state_of(waiting))
    report(1, "confirm")
    expect(report(0, "restore", identity, "--unconfirmed")["changed"] is False, "a late timer undoes nothing")
    findings = [f["id"] for f in report(0, "apply", mtu, "--confirm-within", "1h")["findings"]]
    expect("confirm.not-needed" in findings and not RECORD.exists(), "a run that writes nothing arms nothing", findings)
    for arguments in (["--confirm-within", "9s"], ["--confirm-within", "25h"], ["--confirm-within", "1h", "--boot"],
                      ["--confirm-within", "1h", "--snapshot", "none"], ["--confirm-within", "1h", "--dry-run"]):
        report(1, "apply", mtu, *arguments)
    report(1, "restore", "--unconfirmed")
    for verb in ("restore", "confirm", "check"):  # what is undone or kept is so as a whole
        for limit in (["--max-disruption", "none"], ["--forbid-disruptive"], ["--one-at-a-time"]):
            report(1, verb, *limit)
    RECORD.mkdir()
    subprocess.run("ip link set veth0 mtu 1500".split(), check=True)
    report(1, "apply", mtu, "--confirm-within", "1h")
    expect(mtu_of("veth0") == 1500, "what cannot be armed writes nothing")
    RECORD.rmdir()


def test_what_nobody_confirms_is_undone_also_when_the_process_is_killed():
    names = [f"undonexxxxxx{n:03}" for n in range(200)]
    batch("".join(f"link add name {a} type veth peer name {b}\n" for a, b in zip(names[::2], names[1::2])))
    many = profile(HEAD + 'rails: { match: [{ interface: "undone*" }] }\nmtu: 1400\n')
    shutil.rmtree(HISTORY.parent, ignore_errors=True)
    screen, terminal = os.openpty()
    began = time.monotonic()
    with running("apply", many, "--confirm-within", "10s", stderr=terminal) as child:
        os.close(terminal)
        until(lambda: mtu_of(names[0]) == 1400)
        child.kill()
        child.wait(timeout=20)
    os.close(screen)
    expect(keeper() != child.pid and state_of(keeper()) == "S", "the keeper outlives it")
    undone()
    expect(time.monotonic() - began >= 10, "undone before its time")
    expect({mtu_of(name) for name in names} == {1500}, "everything is as it was")
    late = report(1, "confirm")["error"]["message"]
    expect("was undone at" in late and "exit 0" in late, late)
    done = [(entry["command"], entry["event"]) for entry in history(0)["entries"]]
    expect(("apply", "end") not in done and done[-1] == ("restore", "end"), done[-3:])
    report(0, "apply", many)
    batch("".join(f"link del {name}\n" for name in names[::2]))


def test_a_part_is_put_back_and_the_rest_is_still_to_be_undone():
    shutil.rmtree(HISTORY.parent, ignore_errors=True)
    batch("link set veth0 mtu 1500\nlink set veth1 mtu 1500\naddress add 192.0.2.9/24 dev veth0\n")
    for key in ("arp_ignore", "arp_announce"):
        pathlib.Path("/proc/sys/net/ipv4/conf/veth0", key).write_text("0")
    both = profile(HEAD + "rails: { match: [{ interface: veth0 }, { interface: veth1 }] }\nmtu: 1400\narp: { persist: false }\n", "both.yaml")
    report(0, "apply", both)
    mtus = lambda: (mtu_of("veth0"), mtu_of("veth1"))
    expect(mtus() == (1400, 1400), mtus())
    index = pathlib.Path("/sys/class/net/veth1/ifindex").read_text().strip()
    expect({r["device"] for r in report(2, "restore", "--dry-run", "--rail", "ifindex:" + index)["resources"]} == {"veth1"}, "by its index")
    expect({r["kind"] for r in report(2, "restore", "--dry-run", "--only", "arp")["resources"]} == {"arp"}, "of one kind")
    said = report(1, "restore", "--rail", "veth00")["error"]
    expect("nothing of that part" in said["message"] and "did you mean veth" in str(said), said)
    report(1, "restore", "--only", "ecn")
    report(1, "restore", snapshots()[0], "--unconfirmed", "--rail", "veth0")
    done = report(0, "restore", "--rail", "veth1")
    expect(mtus() == (1400, 1500) and "restore.part" in [f["id"] for f in done["findings"]], mtus(), done)
    report(0, "restore", "--only", "mtu")
    expect(mtus() == (1500, 1500), mtus())
    expect(report(2, "restore", "--dry-run")["steps"], "the ARP settings are still to be undone")
    report(0, "restore")
    expect(report(0, "restore")["findings"][0]["id"] == "restore.nothing-to-undo", "and now nothing is left")
    batch("address flush dev veth0\n")


def test_a_run_that_wrote_a_part_of_a_thing_blames_nobody_for_the_rest():
    shutil.rmtree(HISTORY.parent, ignore_errors=True)
    batch("address add 192.0.2.9/24 dev veth0\naddress add 192.0.2.10/24 dev veth1\n")
    conf = pathlib.Path("/proc/sys/net/ipv4/conf/veth0")
    for key in ("arp_ignore", "arp_announce", "rp_filter"):
        (conf / key).write_text("0")
    arp = profile(HEAD + "rails: { match: [{ interface: veth0 }, { interface: veth1 }] }\narp: { persist: false }\n", "arp.yaml")
    report(0, "apply", arp)
    (conf / "arp_ignore").write_text("0")
    report(0, "apply", arp)
    for _ in range(2):
        done = report(0, "restore")
        expect("restore.changed-since" not in [f["id"] for f in done["findings"]], done["findings"])
    report(0, "apply", arp)
    (conf / "arp_announce").write_text("1")
    told = [f["evidence"] for f in report(0, "restore")["findings"] if f["id"] == "restore.changed-since"]
    expect(len(told) == 1 and "{arp_announce: 2} was left, is {arp_announce: 1}" in told[0], told)
    batch("address flush dev veth0\naddress flush dev veth1\n")


def test_a_change_by_hand_that_a_restore_goes_over_is_told():
    shutil.rmtree(HISTORY.parent, ignore_errors=True)
    written_again(profile(HEAD + RAIL + "mtu: 1400\n"))
    expect("restore.changed-since" not in run("restore", "--dry-run", text=True).stdout, "what the run left is its own")
    batch("link set veth0 mtu 1450\n")
    schema = json.loads(pathlib.Path(SCHEMA).with_name("snapshot-schema.json").read_text())
    document = json.loads(run("snapshot", "show", snapshots()[0], "--format", "json").stdout)
    expect(document["left"] == [{"id": "mtu/veth0", "found": "1400"}], document)
    expect(not list(jsonschema.Draft202012Validator(schema).iter_errors(document)), "it keeps to its schema")
    for arguments in (["restore", "--dry-run"], ["restore"]):
        told = run(*arguments, text=True).stdout
        expect("mtu/veth0: 1400 was left, is 1450 " in " ".join(told.split()) + " ", arguments, told)


def test_a_damaged_record_of_restores_is_told_and_nothing_is_chosen_by_it():
    shutil.rmtree(HISTORY.parent, ignore_errors=True)
    written_again(profile(HEAD + RAIL + "mtu: 1400\n"))
    report(0, "restore")
    report(0, "apply", profile(HEAD + RAIL + "mtu: 1450\n"))
    first = snapshots()[0]
    expect("(undone)" in run("snapshot", "list", text=True).stdout, "a mark")
    record = STORE / "snapshots/restored"
    record.write_bytes(b"\x00garbage\n")
    done = run("snapshot", "list", text=True)
    expect(done.returncode == 6 and "cannot be told" in done.stdout and str(record) in done.stderr, done)
    listed = json.loads(run("snapshot", "list", "--format", "json").stdout)["snapshots"]
    expect({one.get("undone") for one in listed if one["id"] != "baseline"} == {None}, listed)
    said = report(1, "restore")["error"]
    expect("line 1 is damaged" in said["message"] and "fabricctl restore ID" in str(said) and mtu_of("veth0") == 1450, said)
    done = report(0, "restore", first)
    expect("restore.not-recorded" in [f["id"] for f in done["findings"]] and mtu_of("veth0") == 1500, done)
    record.unlink()
    expect(run("snapshot", "list").returncode == 0, "as it was said")


def test_what_is_gone_when_it_is_undone_is_told_and_is_not_exit_0():
    shutil.rmtree(HISTORY.parent, ignore_errors=True)
    batch("link set veth0 mtu 1500\nlink add gone0 type veth peer name gone1\n")
    both = profile(HEAD + "rails: { match: [{ interface: veth0 }, { interface: gone0 }] }\nmtu: 1400\n", "both.yaml")
    report(0, "apply", both, "--confirm-within", "10s")
    batch("link del gone0\n")
    undone()
    record = recorded()
    expect(mtu_of("veth0") == 1500 and record["exit_code"] == 2, "the rest was undone", record)
    told = {f["id"]: f for f in json.loads(run("status", "--format", "json").stdout)["findings"]}
    expect("in part only" in told["confirm.not-undone"]["summary"], told)
    quiet = run("restore", "-q")
    expect(quiet.returncode == 2 and b"[restore.not-put-back]" in quiet.stdout and b"gone0" in quiet.stdout, quiet)
    left = report(2, "restore", record["id"])
    expect(left["result"] == "differs" and {r["outcome"] for r in left["resources"]} == {"in-sync", "drifted"}, left)
    report(2, "restore", "--dry-run")
    accepted = report(0, "restore", "--accept-gone")
    expect("gone0" in str(accepted["findings"]), "it is still named", accepted)
    expect(not RECORD.exists(), "and nobody is told any more")
    expect(report(0, "restore")["findings"][0]["id"] == "restore.nothing-to-undo", "nothing is left to undo")


def test_what_stands_in_the_way_says_what_to_do_next():
    mtu = profile(HEAD + RAIL + "mtu: 1400\n")
    written_again(mtu)
    subprocess.run("ip link set veth0 mtu 1500".split(), check=True)
    nobody = "setpriv --reuid 65534 --regid 65534 --clear-groups".split()
    program = shutil.copy(PROGRAM, "fabricctl")
    done = subprocess.run([*nobody, f"./{program}", "confirm"], capture_output=True, timeout=60, check=False)
    expect(done.returncode == 1 and b"run as root" in done.stderr, "a confirm of another user", done)
    for place, options, advice in (("/run/fabricctl", "ro", "mount that file system writable"),
                                   ("/run/fabricctl", "nr_inodes=1", "make room"),
                                   (str(HISTORY.parent), "ro", "mount that file system writable")):
        subprocess.run(["mount", "-t", "tmpfs", "-o", options + ",mode=755", "none", place], check=True)
        said = report(1, "apply", mtu, "--confirm-within", "1h")["error"]
        expect(advice in str(said) and "--snapshot" not in str(said), place, options, said)
        expect(mtu_of("veth0") == 1500, place, options, "and it was written")
        subprocess.run(["umount", place], check=True)


def test_a_value_that_no_run_read_is_not_put_back():
    shutil.rmtree(HISTORY.parent, ignore_errors=True)
    mtu = profile(HEAD + RAIL + "mtu: 1400\n")
    written_again(mtu)
    (kept,) = (HISTORY.parent / "snapshots").glob("*.json")
    text = kept.read_text()
    kept.write_text(text.replace('"mtu": 1500', '"mtu": 1300'))
    for arguments in (["restore"], ["restore", "--dry-run"], ["snapshot", "diff"]):
        said = json.loads(run(*arguments, "--format", "json").stdout)
        expect("not as it was written" in said["error"]["message"], arguments, said)
    expect(mtu_of("veth0") == 1400, "it was put back")
    kept.write_text(json.dumps(json.loads(text)))
    expect(report(0, "restore")["changed"] and mtu_of("veth0") == 1500, "other spaces are no other values")


def test_a_keeper_that_is_gone_is_not_said_to_undo_anything():
    shutil.rmtree(HISTORY.parent, ignore_errors=True)
    mtu = profile(HEAD + RAIL + "mtu: 1400\n")
    identity = written_again(mtu, "--confirm-within", "1h")["confirm"]["id"]
    waiting = keeper()
    os.kill(waiting, signal.SIGKILL)
    until(lambda: state_of(waiting) in ("", "Z"))
    for arguments in (["check", mtu], ["plan", mtu], ["status"]):
        told = {f["id"]: f["summary"] for f in json.loads(run(*arguments, "--format", "json").stdout)["findings"]}
        expect(identity in told.get("confirm.not-armed", "") and "confirm.pending" not in told, arguments, told)
    refused = report(4, "apply", mtu)["error"]["message"]
    expect("nothing is undone by itself" in refused and identity in refused, "and to whoever would write", refused)
    other = report(1, "restore", "20260101T000000Z-000001", "--unconfirmed")
    expect(identity in other["error"]["message"] + other["error"].get("advice", "") and mtu_of("veth0") != 1500, "only what waits is undone so", other)
    expect(report(0, "restore", identity, "--unconfirmed")["changed"] and mtu_of("veth0") == 1500, "by hand it is undone")
    report(0, "apply", mtu)


def test_a_damaged_record_keeps_nothing_from_being_undone_at_the_deadline():
    shutil.rmtree(HISTORY.parent, ignore_errors=True)
    mtu = profile(HEAD + RAIL + "mtu: 1400\n")
    written_again(mtu, "--confirm-within", "10s")
    waiting = keeper()
    RECORD.write_text("{")
    expect("confirm-within" in report(1, "confirm")["error"]["fix"], "what may still be armed is told")
    until(lambda: state_of(waiting) in ("", "Z"))
    expect(mtu_of("veth0") == 1500, "nobody confirmed it")
    RECORD.unlink()
    report(0, "apply", mtu)


def test_what_could_not_be_read_is_not_promised_to_be_undone():
    shutil.rmtree(HISTORY.parent, ignore_errors=True)
    subprocess.run("ip link set veth0 mtu 1500".split(), check=True)
    subprocess.run("ip addr add 192.0.2.1/24 dev veth0".split(), check=True)
    arp = profile(HEAD + RAIL + "mtu: 1400\narp: {}\n")
    with mounted("tmpfs", "size=64k", "/etc/sysctl.d") as folder:
        pathlib.Path(folder, "99-zz-fabricctl.conf").symlink_to("/dev/null")
        refused = report(1, "apply", arp, "--confirm-within", "1h")["error"]
        expect("could not be read" in refused["message"] and "99-zz-fabricctl.conf" in refused["message"], refused)
        expect(mtu_of("veth0") == 1500 and not RECORD.exists(), "nothing was written, and nobody waits")
        report(3, "apply", arp)
        undone = report(6, "restore")
        expect(mtu_of("veth0") == 1500 and "unreadable" in [r["outcome"] for r in undone["resources"]], undone)
        report(0, "restore", "--accept-gone")
    subprocess.run("ip addr del 192.0.2.1/24 dev veth0".split(), check=True)


def test_what_was_undone_without_a_record_cannot_be_kept():
    shutil.rmtree(HISTORY.parent, ignore_errors=True)
    mtu = profile(HEAD + RAIL + "mtu: 1400\n")
    written_again(mtu, "--confirm-within", "1h")
    waiting = keeper()
    os.kill(waiting, signal.SIGKILL)
    until(lambda: state_of(waiting) in ("", "Z"))
    subprocess.run(["ip", "link", "set", "veth0", "mtu", "1500"], check=True)
    expect("it was undone" in report(1, "confirm")["error"]["message"], "kept would be a lie")
    expect(not RECORD.exists() and mtu_of("veth0") == 1500, "and nobody waits")
    report(0, "apply", mtu)


def test_what_is_undone_by_hand_leaves_nobody_waiting():
    shutil.rmtree(HISTORY.parent, ignore_errors=True)
    identity = written_again(profile(HEAD + RAIL + "mtu: 1400\n"), "--confirm-within", "1h")["confirm"]["id"]
    waiting = keeper()
    expect(report(0, "restore", identity, "--unconfirmed")["changed"], "it is undone")
    expect(state_of(waiting) in ("", "Z"), "a process waits for a deadline that means nothing", state_of(waiting))


def test_a_confirm_that_cannot_forget_says_that_nothing_will_be_undone():
    shutil.rmtree(HISTORY.parent, ignore_errors=True)
    written_again(profile(HEAD + RAIL + "mtu: 1400\n"), "--confirm-within", "1h")
    waiting, store = keeper(), str(RECORD.parent)
    subprocess.run(["mount", "--bind", store, store], check=True)
    subprocess.run(["mount", "-o", "remount,bind,ro", store], check=True)
    said = report(1, "confirm")["error"]["message"]
    expect("nothing will be undone" in said and state_of(waiting) in ("", "Z"), said, state_of(waiting))
    subprocess.run(["umount", store], check=True)
    report(0, "confirm")
    expect(not RECORD.exists() and mtu_of("veth0") == 1400, "and the next one forgets it")


def test_a_record_that_somebody_else_could_write_ends_no_process():
    shutil.rmtree(HISTORY.parent, ignore_errors=True)
    mtu = profile(HEAD + RAIL + "mtu: 1400\n")
    written_again(mtu, "--confirm-within", "1h")
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as bystander:
        start = int(pathlib.Path(f"/proc/{bystander.pid}/stat").read_text().rsplit(")", 1)[1].split()[19])
        record = RECORD.read_text()
        RECORD.write_text(json.dumps({**json.loads(record), "process": bystander.pid, "process_start": start}))
        os.chown(RECORD, 65534, 65534)
        for arguments in (["confirm"], ["apply", mtu]):
            expect("65534" in report(1, *arguments)["error"]["message"], arguments, "believes a stranger")
        expect(state_of(bystander.pid) == "S", "somebody else's process was ended")
        os.chown(RECORD, 0, 0)
        RECORD.write_text(record)
        report(0, "confirm")


sys.exit(private_host.main(globals()))
