"""Times the product against one process per setting, in one run on one machine, and prints ratios. Nothing is asserted by time.

The links are up and come back at once (bounce_ms=0): how long a real link stays away is the hardware's and not the program's.
"""
import os
import re
import statistics
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, os.path.join(os.path.dirname(HERE), "guest"))
import fabricctl  # noqa: E402
import host  # noqa: E402
import witness  # noqa: E402

FABRICCTL = "/usr/bin/fabricctl"


def timed(argv, **options):
    """(seconds, peak KiB, exit status) of one process."""
    began = time.perf_counter()
    child = subprocess.Popen(argv, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, **options)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    return time.perf_counter() - began, usage.ru_maxrss, child.returncode


def repeated(argv, times=9):
    return statistics.median(timed(argv)[0] for _ in range(times))


def start():
    host.fresh()
    for rail in host.RAILS:
        rail.up()
        rail.flag(bounce_ms=0)
    fabricctl.profile()


def by_processes(how):
    start()
    environment = dict(os.environ, RAILS=" ".join(r.name for r in host.RAILS), PORTS=" ".join(p.bdf for p in host.ports()), MAP=how)
    seconds, _, status = timed(["sh", os.path.join(HERE, "settings-by-process.sh")], env=environment)
    assert status == 0, "the baseline failed"
    witness.rails_are_lossless()
    witness.acs_is(witness.CLEARED)
    return seconds


def system_calls(*arguments):
    """({call: count}, table) of one run."""
    path = "/tmp/strace-count"
    subprocess.run(["strace", "-f", "-c", "-S", "calls", "-o", path, FABRICCTL, *arguments], stdout=subprocess.DEVNULL,
                   stderr=subprocess.DEVNULL)
    with open(path) as f:
        table = f.read()
    # "% time seconds usecs/call calls [errors] syscall"
    return {m[1]: int(m[0]) for m in re.findall(r"^\s*[\d.]+\s+[\d.]+\s+\d+\s+(\d+)\s+(?:\d+\s+)?([a-z]\w*)$", table, re.M) if m[1] != "total"}, table


def main():
    fabricctl.install_stage()
    each, one = by_processes("each"), by_processes("one")
    start()
    first, first_peak, status = timed([FABRICCTL, "apply"])
    assert status == 0, "apply ended with %d" % status
    witness.rails_are_lossless()
    witness.acs_is(witness.CLEARED)
    second = repeated([FABRICCTL, "apply"])
    peak = max(first_peak, timed([FABRICCTL, "apply"])[1])
    check = repeated([FABRICCTL, "check"])
    show = repeated(["dcb", "pfc", "show", "dev", host.RAILS[0].name])
    version = repeated([FABRICCTL, "--version"])

    print("settings by one process each          %8.0f ms" % (each * 1000))
    print("the same, a rail's map in one command %8.0f ms" % (one * 1000))
    print("first apply                           %8.0f ms   %.1f times faster than one process each, %.1f than the careful script"
          % (first * 1000, each / first, one / first))
    print("second apply                          %8.0f ms   %.2f times `dcb pfc show` on one rail (%.0f ms)"
          % (second * 1000, second / show, show * 1000))
    print("check                                 %8.0f ms   %.2f times" % (check * 1000, check / show))
    print("program start alone (--version)       %8.0f ms" % (version * 1000))
    print("peak memory                           %8.1f MiB" % (peak / 1024))

    base = sum(system_calls("--version")[0].values())
    dcb, _ = system_calls("apply", "--only", "dcb,ecn")
    acs, _ = system_calls("apply", "--only", "acs")
    print("system calls of a second apply: %.1f per rail for DCB and ECN, %.1f per PCI function for ACS (start of the program: %d)"
          % ((sum(dcb.values()) - base) / len(host.RAILS), (sum(acs.values()) - base) / len(host.all_controls()), base))
    start()
    counts, table = system_calls("apply")
    print("first apply: %d system calls; where they go:" % sum(counts.values()))
    print("\n".join(table.splitlines()[:16]))


main()
