#!/usr/bin/python3
"""Runs promtool with the arguments; fails where there is none, since a check that was left out is not a passed one.

Usage: promtool_test.py ARGUMENT..."""
import os
import pathlib
import shutil
import sys

unpacked = pathlib.Path(__file__).resolve().parent.parent.parent / ".cache/unpacked/usr/bin/promtool"
promtool = str(unpacked) if unpacked.exists() else shutil.which("promtool")
if not promtool:
    sys.exit("there is no promtool: scripts/setup unpacks it from Debian's prometheus")
os.execv(promtool, [promtool, *sys.argv[1:]])
