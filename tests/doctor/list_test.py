#!/usr/bin/python3
"""docs/doctor.md is made from the table of rules: `list_test.py FABRICCTL DOCS --write` writes it, without --write
it is compared. What doctor prints agrees with docs/doctor-schema.json.

Usage: list_test.py FABRICCTL DOCS HEALTHY [--write]"""
import json
import pathlib
import subprocess
import sys

import jsonschema

program, docs, healthy = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
HEAD = """# What `fabricctl doctor` looks for

Made from the table of rules by `tests/doctor/list_test.py`; do not edit. `fabricctl doctor` goes through every rule,
`fabricctl doctor SYMPTOM` through those of a symptom in the order in which the vendor's page works through them, stopping for none.

| verdict | meaning | exit |
|---|---|---|
| fail | it is the cause of a fault | 2 |
| unreadable | the rule was kept from looking: mostly root is missing | 6 |
| warn | it can be the cause of a fault, or will be | 0 |
| inconclusive | this look cannot tell: counters need two looks under load (`--interval`), a failure follows from another one, or this version does not look at what tells | 0 |
| pass, not-applicable | nothing is wrong, or there is no such thing here | 0 |

6 is worse than 2. Sources are sections of MinIO's pages "Troubleshoot RDMA" and "Configure the RDMA fabric", or experience: public reports
of others and own measurements. Restart is that of the storage server, on this node or on all nodes, unless it says reboot. What a rule does not observe in this version stands with it; a rule that observes nothing is inconclusive.
"""


def doctor(*arguments, codes=(0,)):
    done = subprocess.run([program, "doctor", *arguments, "--format", "json"], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode in codes, (arguments, done.returncode, done.stderr)
    return done.returncode, json.loads(done.stdout)


def page(listed):
    lines = [HEAD, "## Symptoms", ""]
    for symptom in listed["symptoms"]:
        lines += [f"**{symptom['name']}**: {symptom['what']} ({symptom['entry']})", ""]
        lines += [f"{number}. `{rule}`" for number, rule in enumerate(symptom["rules"], 1)] + [""]
    lines += ["## Rules", ""]
    for rule in listed["rules"]:
        lines += [f"### {rule['id']}", "", f"{rule['cause'][0].upper()}{rule['cause'][1:]}.", "",
                  f"- says at worst: {rule['worst']}", f"- source: {rule['source']}", f"- see it: `{rule['look']}`",
                  f"- repair: {rule['fix']}"]
        lines += [f"- or: `{rule['action']}`"] if rule["action"] else []
        lines += [f"- restart: {rule['restart'].replace('-', ' ')}"]
        lines += [f"- not observed by this version: {rule['unobserved']}"] if rule["unobserved"] else []
        lines += [""]
    return "\n".join(lines)


_, listed = doctor("--list")
text = page(listed)
path = docs / "doctor.md"
if "--write" in sys.argv:
    path.write_text(text)
assert path.read_text() == text, f"{path} is not what the table says; run this with --write"

validator = jsonschema.Draft202012Validator(json.loads((docs / "doctor-schema.json").read_text()))
for arguments in ([], ["--host", healthy], ["tcp-fallback"], ["stuck", "--host", healthy]):
    code, report = doctor(*arguments, codes=(0, 2, 6))
    validator.validate(report)
    assert report["exit_code"] == code, (arguments, code)
code, report = doctor("--host", healthy)
assert (code, report["result"]) == (0, "healthy"), (code, [r for r in report["rules"] if r["verdict"] in ("fail", "warn", "unreadable")])
broken = dict(report, rules=[dict(report["rules"][0], verdict="fine")])
assert not validator.is_valid(broken), "an unknown verdict must be refused"
known = {rule["id"] for rule in listed["rules"]}
assert {rule["id"] for rule in report["rules"]} == known
print(f"{len(known)} rules, {len(listed['symptoms'])} symptoms: {path.name} and the schema agree with the program")
