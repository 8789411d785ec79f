#!/usr/bin/python3
"""What the documents tell an operator to write is read by the program: each YAML block is a whole profile, each piece of one in a
table of docs/from-mlnx_qos.md is valid, and that table leaves out no option of mlnx_qos that sets something.

Usage: documents_test.py FABRICCTL SOURCE_ROOT"""
import pathlib
import re
import subprocess
import sys
import tempfile

program, root = sys.argv[1], pathlib.Path(sys.argv[2])
SETTERS = ("-d", "--dcbx", "--cable_len", "-P", "-F", "-f", "--pfc", "--dscp2prio set", "--dscp2prio del", "flush", "--trust", "--prio2buffer",
           "--buffer_size", "-r", "--ratelimit", "-s", "--tsa", "-t", "--tcbw", "-p", "--prio_tc")
KEY = re.compile(r"^(dcb|ecn|pause|mtu|rdma-cm-tos|acs|arp|neighbours|modules|service|rails|overrides):")


def refused(text):
    """What the program says of a profile that it does not take, else ""."""
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as profile:
        profile.write(text)
        profile.flush()
        done = subprocess.run([program, "profile", "validate", profile.name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    return "" if done.returncode == 0 else done.stdout


def rows(text):
    """Cells of each row; a bar within a code span is none."""
    return [[cell.strip() for cell in line.strip().strip("|").split(" | ")] for line in text.splitlines() if line.startswith("|")]


assert "dcbb" in refused("version: 1\nname: x\ndcbb: {}\n")
wrong, blocks, pieces = [], 0, 0
for document in [root / "README.md", *sorted((root / "docs").glob("*.md"))]:
    for block in re.findall(r"```yaml\n(version: 1\n.*?)```", document.read_text(), re.S):
        blocks += 1
        wrong.append(refused(block))
table = re.sub(r"```.*?```", "", (root / "docs/from-mlnx_qos.md").read_text(), flags=re.S)
options = set()
for row in rows(table):
    if "mlnx_qos" not in row[0]:
        options.update(setter for setter in SETTERS if any(re.match(re.escape(setter) + "([ ,]|$)", code) for code in re.findall("`([^`]+)`", row[0])))
for code in re.findall("`([^`]+)`", table):
    if KEY.match(code) and not code.startswith("other-dscp"):
        pieces += 1
        wrong.append(refused("version: 1\nname: piece\n" + code + "\n"))
assert not any(wrong), "\n".join(text for text in wrong if text)
assert blocks >= 2 and pieces >= 20, (blocks, pieces)
assert options == set(SETTERS), "not in the table: %s" % (set(SETTERS) - options)
print(f"{blocks} profiles and {pieces} pieces of one are valid")
