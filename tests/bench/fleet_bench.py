#!/usr/bin/python3
"""How `fleet check` grows: hosts per second, peak memory and slope over fleets of 8 rails with 64
neighbours on each, from standard input and from files. Nothing is asserted but what the program
says and how much memory it takes.

Usage: fleet_bench.py FABRICCTL [HOSTS...]. Needs about 150 kB of $TMPDIR per host."""
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
from fleet_simulator import Fleet, name_of  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
SIZES = [int(size) for size in sys.argv[2:]] or [1000, 3000, 10000]
MOST_MEMORY = 1 << 30


def cost(arguments, stdin):
    """Wall time, time of the processor, peak memory; the fault that is planted must be found."""
    began = time.monotonic()
    process = subprocess.Popen([PROGRAM, "fleet", "check", "--quiet", *arguments], stdin=stdin, stdout=subprocess.PIPE)
    said = process.stdout.read().decode()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 2 and said.startswith("fail pfc: ") and name_of(5) in said, (process.returncode, said[:500])
    return time.monotonic() - began, usage.ru_utime + usage.ru_stime, usage.ru_maxrss << 10


def measure(hosts, scratch):
    stream = scratch / "fleet.jsonl"
    with stream.open("w") as out:
        for _, text in Fleet(hosts, plants=["pfc:5"]).documents():
            out.write(text + "\n")
    with stream.open() as source:
        wall, processor, memory = cost(["-"], source)
    size = stream.stat().st_size
    stream.unlink()
    print(f"{hosts:6}  {size >> 20:6}  {wall:7.1f}  {processor:7.1f}  {hosts / processor:7.0f}  {memory >> 20:6}", flush=True)
    assert memory < MOST_MEMORY, "more than 1 GiB"
    return hosts, processor, memory


def slope(first, last, which):
    return math.log(last[which] / first[which]) / math.log(last[0] / first[0])


print(" hosts     MiB   wall s    CPU s  hosts/s  peak MiB")
with tempfile.TemporaryDirectory() as folder:
    rows = [measure(hosts, pathlib.Path(folder)) for hosts in SIZES]
if len(rows) > 1:
    print(f"slope (1 is linear): time {slope(rows[0], rows[-1], 1):.2f}, memory {slope(rows[0], rows[-1], 2):.2f}")
