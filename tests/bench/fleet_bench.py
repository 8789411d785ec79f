#!/usr/bin/python3
"""How `fleet check` grows: hosts per second, peak memory and slope over fleets of 8 rails with 64
neighbours on each, from standard input and from a directory with a file per host. Nothing is asserted but what the program
says and how much memory it takes.

Usage: fleet_bench.py FABRICCTL [HOSTS...]. Needs about 170 kB of $TMPDIR per host."""
import contextlib
import math
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import threading
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


def poured(folder, pipe):
    """The documents into the pipe, as `ssh HOST fabricctl facts` in a loop would."""
    with pipe, contextlib.suppress(BrokenPipeError):
        for file in sorted(folder.iterdir()):
            pipe.write(file.read_bytes())


def measure(hosts, scratch):
    """Both ways over the same documents."""
    folder, size, rows = scratch / str(hosts), 0, {}
    folder.mkdir()
    for name, text in Fleet(hosts, plants=["pfc:5"]).documents():
        size += (folder / f"{name}.json").write_text(text + "\n")
    for way in ("files", "stdin"):
        if way == "files":
            wall, processor, memory = cost([folder], subprocess.DEVNULL)
        else:
            out, into = os.pipe()
            writer = threading.Thread(target=poured, args=(folder, open(into, "wb")))
            writer.start()
            wall, processor, memory = cost(["-"], out)
            os.close(out)
            writer.join()
        print(f"{way}  {hosts:6}  {size >> 20:6}  {wall:7.1f}  {processor:7.1f}  {hosts / processor:7.0f}  {memory >> 20:6}", flush=True)
        assert memory < MOST_MEMORY, "more than 1 GiB"
        rows[way] = hosts, processor, memory
    shutil.rmtree(folder)
    return rows


def slope(first, last, which):
    return math.log(last[which] / first[which]) / math.log(last[0] / first[0])


print("from    hosts     MiB   wall s    CPU s  hosts/s  peak MiB")
with tempfile.TemporaryDirectory() as folder:
    rows = [measure(hosts, pathlib.Path(folder)) for hosts in SIZES]
if len(rows) > 1:
    for way in rows[0]:
        first, last = rows[0][way], rows[-1][way]
        print(f"slope from {way} (1 is linear): time {slope(first, last, 1):.2f}, memory {slope(first, last, 2):.2f}")
