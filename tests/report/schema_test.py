#!/usr/bin/python3
"""Validates the golden reports against docs/report-schema.json, and proves that the schema
refuses what it must."""
import copy
import json
import pathlib
import sys

import jsonschema

here = pathlib.Path(__file__).resolve().parent
schema = json.loads((here.parent.parent / "docs" / "report-schema.json").read_text())
validator = jsonschema.Draft202012Validator(schema)
goldens = sorted((here / "golden").glob("*.json"))
assert goldens, "no golden reports"
for path in goldens:
    report = json.loads(path.read_text())
    validator.validate(report)
    broken = copy.deepcopy(report)
    broken["resources"][0]["outcome"] = "fine"
    assert not validator.is_valid(broken), "an unknown outcome must be refused"
    broken = copy.deepcopy(report)
    del broken["exit_code"]
    assert not validator.is_valid(broken), "a missing exit code must be refused"
print(f"{len(goldens)} reports agree with the schema")
sys.exit(0)
