#!/usr/bin/python3
"""The built program is killed before every system call that could change something, on the real kernel: netlink messages,
writes, creations, renames, removals. After each the lock is free, the next run converges and leaves no temporary file, and a third
changes nothing.

Usage: killed_test.py FABRICCTL. FABRIC_FAULT_STRIDE=N takes every N-th call. Runs as root in namespaces of its own."""
import ctypes
import json
import os
import pathlib
import platform
import signal
import struct
import subprocess
import sys

import namespaces
from namespaces import LIBC

PROGRAM = os.path.abspath(sys.argv[1])
SKIPPED = 77  # what meson takes for a test that could not be run
PTRACE_TRACEME, PTRACE_CONT, PTRACE_SETOPTIONS = 0, 7, 0x4200
PTRACE_O_TRACESECCOMP, PTRACE_O_EXITKILL, PTRACE_EVENT_SECCOMP = 0x80, 0x100000, 7
PR_SET_SECCOMP, SECCOMP_MODE_FILTER, PR_SET_NO_NEW_PRIVS = 22, 2, 38
LOAD, EQUAL, GREATER, ANY_BIT, RETURN = 0x20, 0x15, 0x25, 0x45, 0x06  # linux/bpf_common.h
ALLOW, TRACE = 0x7FFF0000, 0x7FF00000
# x86-64: sendto, sendmsg, pwrite64, rename, mkdir, unlink, fsync, ftruncate, mkdirat, unlinkat, renameat, linkat, renameat2, fchmod
CHANGING = (44, 46, 18, 82, 83, 87, 74, 77, 258, 263, 264, 265, 316, 91)
WRITE, OPENAT, O_CREAT = 1, 257, 0o100
LIBC.ptrace.restype = ctypes.c_long
LIBC.ptrace.argtypes = [ctypes.c_long, ctypes.c_long, ctypes.c_void_p, ctypes.c_void_p]


def instruction(code, value, if_true=0, if_false=0):
    return struct.pack("HBBI", code, if_true, if_false, value)


def only_changing_calls():
    """A seccomp filter that stops for the tracer at calls that may change something, and lets all others pass."""
    lines = [instruction(LOAD, 0)]
    for number in CHANGING:
        lines += [instruction(EQUAL, number, 0, 1), instruction(RETURN, TRACE)]
    lines += [instruction(EQUAL, WRITE, 0, 4), instruction(LOAD, 16), instruction(GREATER, 2, 0, 1),
              instruction(RETURN, TRACE), instruction(RETURN, ALLOW)]
    lines += [instruction(EQUAL, OPENAT, 0, 4), instruction(LOAD, 32), instruction(ANY_BIT, O_CREAT, 0, 1),
              instruction(RETURN, TRACE), instruction(RETURN, ALLOW)]
    lines.append(instruction(RETURN, ALLOW))
    return lines


LINES = only_changing_calls()
CODE = ctypes.create_string_buffer(b"".join(LINES))
FILTER = ctypes.create_string_buffer(struct.pack("HxxxxxxQ", len(LINES), ctypes.addressof(CODE)))


def start(arguments):
    child = os.fork()
    if child == 0:
        null = os.open("/dev/null", os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(null, stream)
        LIBC.ptrace(PTRACE_TRACEME, 0, None, None)
        os.kill(os.getpid(), signal.SIGSTOP)
        LIBC.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
        if LIBC.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, FILTER, 0, 0) != 0:
            os._exit(99)
        os.execv(PROGRAM, [PROGRAM, *arguments])
    os.waitpid(child, 0)
    LIBC.ptrace(PTRACE_SETOPTIONS, child, None, PTRACE_O_TRACESECCOMP | PTRACE_O_EXITKILL)
    LIBC.ptrace(PTRACE_CONT, child, None, None)
    return child


def run_until(arguments, last):
    """Kills the program before its call number `last` that may change something; None lets it end. What it did: how many such
    calls it came to, and its exit code, negative when it was killed."""
    child, calls = start(arguments), 0
    while True:
        _, status = os.waitpid(child, 0)
        if os.WIFEXITED(status):
            return calls, os.WEXITSTATUS(status)
        if os.WIFSIGNALED(status):
            return calls, -os.WTERMSIG(status)
        deliver = 0
        if status >> 8 == signal.SIGTRAP | (PTRACE_EVENT_SECCOMP << 8):
            calls += 1
            if calls == last:
                os.kill(child, signal.SIGKILL)
                continue
        elif os.WSTOPSIG(status) != signal.SIGTRAP:
            deliver = os.WSTOPSIG(status)
        LIBC.ptrace(PTRACE_CONT, child, None, deliver)


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
    if platform.machine() != "x86_64":
        print("the numbers of the system calls are those of x86-64")
        return SKIPPED
    if reason := namespaces.prepare():
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
