#!/usr/bin/python3
"""Every metric that an alert asks for is one that the program writes, and each alert says what to do.

Usage: names_test.py SOURCE_ROOT"""
import pathlib
import re
import sys

root = pathlib.Path(sys.argv[1])
written = set(re.findall(r'"(fabricctl_[a-z_]+)"', (root / "src/report/metrics.cpp").read_text()))
rules = (root / "docs/fabricctl.rules.yml").read_text().split("- alert: ")[1:]
assert len(rules) > 5 and len(written) > 5, (rules, written)
for rule in rules:
    asked = set(re.findall(r"fabricctl_[a-z_]+", re.search(r"expr: (.*)", rule)[1]))
    assert asked and asked <= written, (rule, asked - written)
    assert re.search(r'summary: "..*"', rule) and re.search(r'action: "..*"', rule), rule
print(f"{len(rules)} alerts ask for what is written")
