"""Runs the built program under ptrace and kills it before a given system call of those that could change something: netlink
messages, writes, creations, renames, removals. What it forks is let go on, and is detached when the program has ended."""
import ctypes
import os
import platform
import signal
import struct
import sys

from namespaces import LIBC

PROGRAM = os.path.abspath(sys.argv[1])
PTRACE_TRACEME, PTRACE_CONT, PTRACE_DETACH, PTRACE_SETOPTIONS = 0, 7, 17, 0x4200
PTRACE_O_TRACEFORK, WALL = 0x2, 0x40000000
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
    LIBC.ptrace(PTRACE_SETOPTIONS, child, None, PTRACE_O_TRACESECCOMP | PTRACE_O_EXITKILL | PTRACE_O_TRACEFORK)
    LIBC.ptrace(PTRACE_CONT, child, None, None)
    return child


def cannot():
    """"" or why nothing can be killed here."""
    return "" if platform.machine() == "x86_64" else "the numbers of the system calls are those of x86-64"


def let_go(forked):
    """Detaches what the program left running."""
    for child in forked:
        try:
            os.kill(child, signal.SIGSTOP)
            while os.WIFSTOPPED(status := os.waitpid(child, WALL)[1]):
                if os.WSTOPSIG(status) == signal.SIGSTOP and status >> 16 == 0:
                    LIBC.ptrace(PTRACE_DETACH, child, None, None)
                    os.kill(child, signal.SIGCONT)
                    break
                LIBC.ptrace(PTRACE_CONT, child, None, None)
        except (ProcessLookupError, ChildProcessError):
            pass


def run_until(arguments, last):
    """Kills the program before its call number `last` that may change something; None lets it end. What it did: how many such
    calls it came to, and its exit code, negative when it was killed."""
    child, calls, forked = start(arguments), 0, set()
    while True:
        who, status = os.waitpid(-1, WALL)
        if not os.WIFSTOPPED(status):
            forked.discard(who)
            if who == child:
                let_go(forked)
                return calls, os.waitstatus_to_exitcode(status)
            continue
        deliver = 0
        if who != child:
            deliver = 0 if who not in forked or os.WSTOPSIG(status) == signal.SIGTRAP else os.WSTOPSIG(status)
            forked.add(who)
        elif status >> 8 == signal.SIGTRAP | (PTRACE_EVENT_SECCOMP << 8):
            calls += 1
            if calls == last:
                os.kill(child, signal.SIGKILL)
                continue
        elif os.WSTOPSIG(status) != signal.SIGTRAP:
            deliver = os.WSTOPSIG(status)
        LIBC.ptrace(PTRACE_CONT, who, None, deliver)
