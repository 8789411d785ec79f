#!/usr/bin/python3
"""Runs fabricctl watch on veth devices: lines, JSON and a terminal, what ends it, rails that go while they are watched.

Usage: watch_test.py FABRICCTL SCHEMA. Runs as root in network and mount namespaces of its own."""
import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import time

import jsonschema

PROGRAM, SCHEMA = (os.path.abspath(argument) for argument in sys.argv[1:3])
SKIPPED = 77  # what meson takes for a test that could not be run
VALIDATOR = jsonschema.Draft202012Validator(json.loads(pathlib.Path(SCHEMA).read_text()))
HOSTILE = "a\x1b[2Jb"
FAST = ["--interval", "100ms"]
failures = 0


def expect(holds, what, *more):
    global failures
    if not holds:
        failures += 1
        print("FAILED:", what, *more)


def watch(*arguments, **options):
    return subprocess.run([PROGRAM, "watch", *arguments], capture_output=True, timeout=60, check=False, **options)


def started(*arguments, **options):
    return subprocess.Popen([PROGRAM, "watch", *FAST, *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)


def documents(text):
    lines = [json.loads(line) for line in text.decode().splitlines()]
    for line in lines:
        errors = [error.message for error in VALIDATOR.iter_errors(line)]
        expect(not errors, "a line breaks the schema:", errors[:3], line)
    return lines


def test_a_device_without_known_counters_is_unknown_and_never_fine():
    done = watch(*FAST, "--rail", "veth0", "--count", "2", "--format", "json")
    lines = documents(done.stdout)
    expect(done.returncode == 6, "exit", done.returncode, done.stderr)
    expect([line["rail"] for line in lines] == ["veth0", "veth0"], lines)
    expect(all(line["verdict"] == "unknown" and line["reason"] and line["driver"] == "veth" for line in lines), lines)
    expect(all(line["rises"]["packet_seq_err"] is None for line in lines), "absent is not 0", lines)
    expect(all(0.05 < line["seconds"] < 30 for line in lines), lines)


def test_lines_for_a_log_carry_no_control_characters():
    for name in ("veth0", HOSTILE):
        done = watch(*FAST, "--rail", name, "--count", "2")
        expect(done.returncode == 6 and done.stdout.count(b"\n") == 2 and b"\x1b" not in done.stdout, done)
        expect(b"unknown: no counter tells" in done.stdout, done.stdout)
    done = watch(*FAST, "--rail", HOSTILE, "--count", "1", "--format", "json")
    expect([line["rail"] for line in documents(done.stdout)] == [HOSTILE] and b"\x1b" not in done.stdout, done.stdout)


def on_terminal(kind, *arguments):
    ours, theirs = os.openpty()
    with subprocess.Popen([PROGRAM, "watch", *FAST, *arguments], stdout=theirs, env={**os.environ, "TERM": kind}) as child:
        os.close(theirs)
        text = b""
        while select.select([ours], [], [], 30)[0]:
            try:
                text += os.read(ours, 65536)
            except OSError:  # nobody holds the other end any more
                break
        child.wait(timeout=20)
    os.close(ours)
    return text


def test_a_terminal_is_refreshed_in_place():
    text = on_terminal("xterm", "--rail", HOSTILE, "--count", "3", "--color", "never")
    expect(text.count(b"UTC, every 0.1s") == 3 and text.count(b"A\r") == 2, text)
    expect(text.endswith(b"\x1b[J\x1b[?7h"), "the terminal is left as it was", text)
    expect(b"a\\x1b[2Jb" in text and b"\x1b[2J" not in text, "a name steers the terminal", text)
    plain = on_terminal("dumb", "--rail", "veth0", "--count", "2", "--color", "never")
    expect(plain.count(b"veth0 unknown") == 2 and b"\x1b" not in plain, plain)


def test_a_signal_ends_it_between_two_looks():
    for number in (signal.SIGTERM, signal.SIGINT):
        with started("--rail", "veth0", "--format", "json") as child:
            first = child.stdout.readline()
            child.send_signal(number)
            rest, error = child.communicate(timeout=20)
            expect(child.returncode == 6 and not error, number, child.returncode, error)
            documents(first + rest)
    with subprocess.Popen([PROGRAM, "watch", "--rail", "veth0", "--interval", "1h"], stdout=subprocess.PIPE) as child:
        held = pathlib.Path(f"/proc/{child.pid}/status")
        deadline = time.monotonic() + 20  # it holds its signals before it looks
        while "SigBlk:\t0000000000004002" not in held.read_text() and time.monotonic() < deadline:
            pass
        child.send_signal(signal.SIGTERM)
        out, _ = child.communicate(timeout=20)
        expect(child.returncode == 6 and out == b"", "nothing was seen yet", child.returncode, out)


def test_a_rail_that_goes_is_told_and_one_that_comes_back_goes_on():
    subprocess.run("ip link add gone0 type veth peer name gone1".split(), check=True)
    with started("--rail", "gone0", "--format", "json") as child:
        documents(child.stdout.readline())
        subprocess.run("ip link del gone0".split(), check=True)
        until(child, lambda line: not line["present"] and "not there" in line["reason"])
        subprocess.run("ip link add gone0 type veth peer name gone1".split(), check=True)
        until(child, lambda line: line["present"])
        child.terminate()
        child.communicate(timeout=20)
    subprocess.run("ip link del gone0".split(), check=True)


def until(child, holds):
    for line in child.stdout:
        if any(map(holds, documents(line))):
            return
    expect(False, "it ended before that", child.stderr.read())


def test_what_cannot_be_meant_or_printed_is_refused():
    for arguments in (["--interval", "99ms"], ["--interval", "0"], ["--interval", "61m"], ["--interval", "x"], ["--count", "0"],
                      ["--count", "-1"], ["--count", "x"], ["--rail", ""], ["--rail", "ifindex:0"], ["--rail", "veth9"], ["--host", "x"]):
        done = watch("--count", "1", *arguments) if "--count" not in arguments else watch(*arguments)
        expect(done.returncode == 1 and not done.stdout and done.stderr, arguments, done)
    done = watch("--count", "1")
    expect(done.returncode == 1 and b"no RDMA port" in done.stderr, "without a rail there is nothing to watch", done)
    expect(json.loads(watch("--format", "json").stdout)["error"]["message"], "and JSON says so")
    with open("/dev/full", "wb") as full:
        done = subprocess.run([PROGRAM, "watch", *FAST, "--rail", "veth0"], stdout=full, stderr=subprocess.PIPE, timeout=60, check=False)
        expect(done.returncode == 1 and b"standard output" in done.stderr, "a full disk ends it", done)


def test_quiet_shows_what_is_wrong():
    expect(watch(*FAST, "--rail", "veth0", "--count", "1", "--quiet").stdout.count(b"\n") == 1, "unknown is wrong")


def main():
    if os.geteuid() != 0:
        print("needs root: veth devices in a network namespace")
        return SKIPPED
    if "WATCH_NAMESPACE" not in os.environ:
        os.environ["WATCH_NAMESPACE"] = "1"
        os.execvp("unshare", ["unshare", "--net", "--mount", sys.executable, *sys.argv])
    subprocess.run(["mount", "-t", "sysfs", "none", "/sys"], check=True)
    subprocess.run(["ip", "link", "add", "veth0", "type", "veth", "peer", "name", "veth1"], check=True)
    subprocess.run(["ip", "link", "add", "name", HOSTILE, "type", "veth", "peer", "name", "veth2"], check=True)
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            before = failures
            test()
            print("ok" if failures == before else "not ok", name)
    return 1 if failures else 0


sys.exit(main())
