#!/usr/bin/python3
"""The dashboard for Grafana: each query asks for what the program writes and is one that Prometheus reads, each panel has its
place, and every metric is shown somewhere.

Usage: dashboard_test.py SOURCE_ROOT"""
import itertools
import json
import pathlib
import re
import subprocess
import sys
import tempfile

here = pathlib.Path(__file__).resolve().parent
root = pathlib.Path(sys.argv[1])
board = json.loads((root / "docs/fabricctl-dashboard.json").read_text())
written = set(re.findall(r'"(fabricctl_[a-z_]+)"', (root / "src/report/metrics.cpp").read_text()))
outcomes = set(re.findall(r'"([a-z-]+)"', (root / "src/engine/report.cpp").read_text()))


def cells(panel):
    place = panel["gridPos"]
    return {(x, y) for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])}


panels = board["panels"]
assert len(panels) > 8, len(panels)
assert len({panel["id"] for panel in panels}) == len({panel["title"] for panel in panels}) == len(panels)
for panel in panels:
    assert panel["description"] and all(0 <= x < 24 for x, _ in cells(panel)), panel["title"]
for one, other in itertools.combinations(panels, 2):
    assert not cells(one) & cells(other), (one["title"], other["title"])

variables = {variable["name"] for variable in board["templating"]["list"]}
queries = [target["expr"] for panel in panels for target in panel["targets"]]
asked = set()
for query in queries:
    names = set(re.findall(r"fabricctl_[a-z_]+", query))
    assert names and names <= written, (query, names - written)
    assert set(re.findall(r"\$(\w+)", query)) <= variables, query
    for listed in re.findall(r'outcome=~"([a-z|-]+)"', query):
        assert set(listed.split("|")) <= outcomes, (query, set(listed.split("|")) - outcomes)
    asked |= names
assert asked == written, "shown nowhere: %s" % sorted(written - asked)

with tempfile.NamedTemporaryFile("w", suffix=".yml") as rules:
    # JSON is YAML, and a recorded query is read as any other
    json.dump({"groups": [{"name": "dashboard", "rules": [{"record": "query:%d" % n, "expr": query.replace("$instance", ".*")}
                                                          for n, query in enumerate(queries)]}]}, rules)
    rules.flush()
    done = subprocess.run([here / "promtool_test.py", "check", "rules", rules.name], stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert done.returncode == 0 and "%d rules found" % len(queries) in done.stdout, done.stdout
print(f"{len(queries)} queries of {len(panels)} panels show all {len(written)} metrics")
