#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The schema and the reader judge the same profiles alike (Debian: python3-jsonschema)."""
import json
import subprocess
import sys

import jsonschema

document = json.loads(subprocess.run([sys.argv[1]], check=True, capture_output=True).stdout)
jsonschema.Draft202012Validator.check_schema(document["schema"])
validator = jsonschema.Draft202012Validator(document["schema"])
wrong = 0
for case in document["cases"]:
    found = validator.is_valid(case["instance"])
    if found != case["valid"]:
        wrong += 1
        print(f"{case['name']}: schema says {found}, reader says {case['valid']}")
print(f"{len(document['cases'])} profiles, {wrong} judged differently")
sys.exit(1 if wrong or not document["cases"] else 0)
