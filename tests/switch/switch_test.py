#!/usr/bin/python3
"""Runs `switch render` and `switch verify` of the built program: golden files, a healthy host by its facts, each fault alone.

Usage: switch_test.py FABRICCTL SCHEMA FACTS"""
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import jsonschema

PROGRAM = os.path.abspath(sys.argv[1])
VALIDATOR = jsonschema.Draft202012Validator(json.loads(pathlib.Path(sys.argv[2]).read_text()))
FACTS = os.path.abspath(sys.argv[3])
GOLDEN = pathlib.Path(__file__).resolve().parent / "golden"
PROFILE = "version: 1\nname: site\ndcb: { trust: dscp, lossless: { priority: 3, dscp: 26, buffer: 1 } }\n"
OUTPUTS = [GOLDEN / "roce.txt", GOLDEN / "congestion.txt"]
failures = 0


def expect(holds, *what):
    global failures
    if not holds:
        failures += 1
        print("not as expected:", *what)


def run(*arguments, **options):
    return subprocess.run([PROGRAM, "switch", *map(str, arguments)], capture_output=True, text=True, timeout=60, check=False, **options)


def document(code, *arguments, **options):
    done = run(*arguments, "--format", "json", **options)
    expect(done.returncode == code, arguments, "ends with", done.returncode, "not", code, done.stdout[-1500:], done.stderr)
    told = json.loads(done.stdout)
    expect(told["exit_code"] == code, arguments, "says", told["exit_code"])
    if code != 1:
        errors = [error.message for error in VALIDATOR.iter_errors(told)]
        expect(not errors, arguments, "breaks the schema", errors[:3])
    return told


def verify(code, *outputs, host=FACTS, **options):
    return document(code, "verify", "--os", "cumulus", "--profile", "p.yaml", "--host", host, *outputs, **options)


def wrong(told):
    return {(check["id"], check["where"]): check["agreement"] for check in told["checks"] if check["agreement"] != "agrees"}


def test_render():
    done = run("render", "--os", "cumulus", "p.yaml")
    expect(done.returncode == 0 and done.stdout == (GOLDEN / "render.txt").read_text(), done.stdout, done.stderr)
    told = document(0, "render", "--os", "cumulus", "p.yaml")
    lines = done.stdout.splitlines()
    expect(all(line in lines for line in told["commands"] + told["verify"]), told)
    # A shell of the switch takes it as it is.
    syntax = subprocess.run(["bash", "-n"], input=done.stdout, text=True, capture_output=True, check=False)
    expect(syntax.returncode == 0, syntax.stderr)
    pathlib.Path("other.yaml").write_text(PROFILE.replace("3, dscp: 26", "5, dscp: 46"))
    expect("switch priority 3" in document(1, "render", "--os", "cumulus", "other.yaml")["error"]["message"], "another priority")
    for arguments in (["render", "p.yaml"], ["render", "--os", "sonic", "p.yaml"], ["verify", "--os", "cumulus", "--profile", "p.yaml"]):
        expect(run(*arguments).returncode == 1, arguments)
    pathlib.Path("broken.yaml").write_text("version: 1\nname: x\nmut: 1\n")
    expect(run("render", "--os", "cumulus", "broken.yaml").returncode == 5, "an invalid profile")


def test_a_host_that_agrees():
    for outputs in (OUTPUTS, [GOLDEN / "roce.json", GOLDEN / "congestion.json"], [GOLDEN / "roce.txt", GOLDEN / "congestion-all.txt"]):
        told = verify(0, *outputs)
        places = {check["where"] for check in told["checks"]}
        expect({"switch", "rail0", "rail1", "AIStor on rail0", "AIStor on rail1"} == places, places)
    stream = (GOLDEN / "roce.txt").read_text()
    told = verify(0, "-", GOLDEN / "congestion.txt", input=stream)
    text = run("verify", "--os", "cumulus", "--profile", "p.yaml", "--host", FACTS, *OUTPUTS)
    expect(text.returncode == 0 and re.fullmatch(r"(\d+) of \1 agree with profile site\n", text.stdout), text.stdout)


def test_each_side_that_disagrees_is_named():
    text = (GOLDEN / "roce.txt").read_text()
    shifted = pathlib.Path("shifted.txt")
    # The switch keeps DSCP 26 and its loss-free priority 4, in itself consistent.
    shifted.write_text(text.replace("pfc-priority      3", "pfc-priority      4"))
    told = verify(2, shifted, GOLDEN / "congestion.txt")
    found = set(wrong(told))
    expect({("pfc-priority", "switch"), ("pfc-priority", "rail0"), ("auto-class", "AIStor on rail0")} <= found, found)
    shifted.write_text(text.replace("24,25,26,27,28,29,30,31  3", "24,25,26,27,28,29,30,31  2"))
    found = set(wrong(verify(2, shifted, GOLDEN / "congestion.txt")))
    expect({("dscp-26", "switch"), ("dscp-26", "rail1"), ("auto-class", "AIStor on rail1")} <= found, found)
    found = wrong(verify(2, GOLDEN / "roce.txt"))
    expect(found == {("min-threshold", "switch"): "disagrees", ("max-threshold", "switch"): "disagrees"}, "the default thresholds", found)
    facts = json.loads(pathlib.Path(FACTS).read_text())
    text = run("verify", "--os", "cumulus", "--profile", "p.yaml", "--host", FACTS, GOLDEN / "roce.txt").stdout
    expect("found 146.48 KB" in text and "switch render" in text, text)
    # A host whose rails have no PFC: the server is left with best effort.
    bare = pathlib.Path("bare.json")
    facts["observed"]["dcb"] = {key: {"error": {"kind": "unsupported", "errno": 95}} for key in facts["observed"]["dcb"]}
    bare.write_text(json.dumps(facts))
    done = run("verify", "--os", "cumulus", "--profile", "p.yaml", "--host", bare, *OUTPUTS)
    expect(done.returncode in (2, 6) and "rail0" in done.stdout, done.stdout, done.stderr)


def test_what_cannot_be_read_is_unknown():
    told = verify(6, GOLDEN / "congestion.txt")
    expect(wrong(told).get(("pfc-priority", "switch")) == "unknown", told)
    # What is missing is the switch's word: nothing on the host mends that.
    fixes = {check["fix"] for check in told["checks"] if check["id"] == "auto-class"}
    expect(fixes and all("nv show qos roce" in fix for fix in fixes), "the next step of auto-class without the switch:", fixes)
    told = verify(6, *OUTPUTS, "nowhere.txt")
    expect(any("nowhere.txt" in problem for problem in told["problems"]), told["problems"])
    junk = pathlib.Path("junk")
    for content in (b"", b"\x1b[2Jhello\n", b"{\"a\": ", b"\xff\xfe\x00", b"=====\n=====\n-----\n", b"operational applied\n"):
        junk.write_bytes(content)
        told = verify(6, junk)
        expect(told["problems"], content)
        done = run("verify", "--os", "cumulus", "--profile", "p.yaml", "--host", FACTS, junk)
        expect("\x1b" not in done.stdout, content)
    told = verify(6, *OUTPUTS, host="nowhere.json")
    expect(any("nowhere.json" in problem for problem in told["problems"]), told["problems"])


def test_a_host_of_which_nothing_was_compared_agrees_with_nothing():
    pathlib.Path("nobody.yaml").write_text(PROFILE + "rails: { match: [{ interface: nosuch }] }\n")
    told = document(6, "verify", "--os", "cumulus", "--profile", "nobody.yaml", "--host", FACTS, *OUTPUTS)
    expect(any("nothing of the host was compared" in problem and "--host" in problem for problem in told["problems"]), told["problems"])


with tempfile.TemporaryDirectory() as folder:
    os.chdir(folder)
    pathlib.Path("p.yaml").write_text(PROFILE)
    for name, test in list(globals().items()):
        if name.startswith("test_"):
            before = failures
            test()
            print("ok" if failures == before else "not ok", name)
    os.chdir("/")
sys.exit(1 if failures else 0)
