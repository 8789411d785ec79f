#!/usr/bin/python3
"""Plan files through the built program: what is written, what is carried out, what is refused.

Usage: plan_file_test.py FABRICCTL PLAN_SCHEMA. Runs as root in network and mount namespaces of its own."""
import hashlib
import json
import os
import pathlib
import stat
import sys

import jsonschema

import private_host
from private_host import PROGRAM, RAIL, expect

SCHEMA = os.path.abspath(sys.argv[2])
VALIDATOR = jsonschema.Draft202012Validator(json.loads(pathlib.Path(SCHEMA).read_text()))
MTU = pathlib.Path("/sys/class/net/veth0/mtu")


def run(*arguments, **options):
    return private_host.run(*arguments, text=True, **options)


def profile(mtu=1400, name="p.yaml", more=""):
    return private_host.profile(f"version: 1\nname: planned\n{RAIL}mtu: {mtu}\n{more}", name)


def planned(*options, mtu=1400, found=1500, out="plan.json"):
    """A host with MTU `found`, and a plan that makes it `mtu`."""
    MTU.write_text(f"{found}\n")
    done = run("plan", profile(mtu), "--out", out, *options)
    expect(done.returncode == (0 if mtu == found else 2), "plan --out ends with", done)
    return json.loads(pathlib.Path(out).read_text())


def refused(what, *words, arguments=("apply", "plan.json"), code=1):
    """Nothing is written, and the reason has these words; as text and as JSON."""
    before = MTU.read_text()
    for form in ("text", "json"):
        done = run(*arguments, "--format", form)
        told = done.stderr if form == "text" else done.stdout
        expect(done.returncode == code and all(word in told for word in words), what, form, done)
        # B9: nothing was read back.
        expect("read-back" not in told, what, "in its own words", form, done)
        if form == "json":
            expect(json.loads(done.stdout)["exit_code"] == code, what, "as JSON", done)
    expect(MTU.read_text() == before, what, "writes nothing")


def edited(plan, **changes):
    """A plan that says something else, as if it had been written so."""
    other = {**plan, **changes}
    said = json.dumps({key: other[key] for key in other if key != "sha256"}, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    other["sha256"] = hashlib.sha256(said.encode()).hexdigest()
    pathlib.Path("plan.json").write_text(json.dumps(other, indent=2))


def test_a_plan_takes_no_other_files_place():
    planned()
    mine = profile(1400)
    text = pathlib.Path(mine).read_text()
    pathlib.Path("hosts").write_text("127.0.0.1 localhost\n")
    pathlib.Path("empty").write_text("")
    for option in ("--out", "--report", "--metrics"):
        done = run("check" if option != "--out" else "plan", mine, option, f"./{mine}")
        expect(done.returncode == 1 and "the profile itself" in done.stderr, option, "of the profile is refused:", done)
    expect(pathlib.Path(mine).read_text() == text, "the profile is as it was")
    done = run("plan", mine, "--out", "hosts")
    told = " ".join(done.stdout.split())
    expect(done.returncode == 1 and "is no plan" in told and "another file" in told, "a foreign file is refused:", done)
    expect(pathlib.Path("hosts").read_text() == "127.0.0.1 localhost\n", "and is as it was")
    for name in ("plan.json", "empty", "new.json"):
        expect(run("plan", mine, "--out", name).returncode == 2 and "fabricctl/plan/1" in pathlib.Path(name).read_text(), name, "is written")


def test_a_plan_that_was_edited_is_not_what_somebody_read():
    plan = planned()
    edited(plan)
    expect(run("apply", "plan.json").returncode == 0 and MTU.read_text() == "1400\n", "other spaces are no edit")
    for changes in ({"steps": [{**plan["steps"][0], "disturbs": "none", "summary": "look at veth0"}]},
                    {"options": {**plan["options"], "one_at_a_time": True}}, {"made": "2036-01-01T00:00:00Z"}, {"more": 1}):
        MTU.write_text("1500\n")
        pathlib.Path("plan.json").write_text(json.dumps({**plan, **changes}))
        refused(f"edited: {changes}", "not as it was written", "plan --out")


def test_a_plan_is_written_carried_out_once_and_then_refused():
    plan = planned()
    errors = [error.message for error in VALIDATOR.iter_errors(plan)]
    expect(not errors, "the plan breaks its schema:", errors)
    expect(stat.S_IMODE(os.stat("plan.json").st_mode) == 0o600, "only its maker reads it")
    text = pathlib.Path("p.yaml").read_bytes()
    expect(plan["profile"] == [{"path": os.path.abspath("p.yaml"), "sha256": hashlib.sha256(text).hexdigest()}],
           "the profile by its path and hash", plan["profile"])
    expect([step["resources"] for step in plan["steps"]] == [["mtu/veth0"]], "its steps", plan["steps"])
    done = run("apply", "plan.json", "--format", "json")
    report = json.loads(done.stdout)
    expect(done.returncode == 0 and report["changed"] and MTU.read_text() == "1400\n", "it is carried out", done)
    expect(report["profile"]["path"] == os.path.abspath("p.yaml"), "the report names the profile", report["profile"])
    refused("what is done already", "nothing of the plan is left to do", "mtu/veth0: was 1500, is 1400", "make the plan again")


def test_a_host_that_moved_on_is_left_as_it_is():
    planned()
    MTU.write_text("1450\n")
    refused("a changed host", "the host moved on", "mtu/veth0: was 1500, is 1450")
    MTU.write_text("1500\n")
    expect(run("apply", "plan.json").returncode == 0, "back where it was, it is carried out")


def test_another_host_boot_or_profile_is_refused():
    plan = planned()
    edited(plan, host="other")
    refused("another host", "it was made on other, this is")
    edited(plan, boot_id="00000000-0000-0000-0000-000000000000")
    refused("another boot", "before this host was booted")
    edited(plan)
    profile(1400, more="# a word\n")
    refused("a changed profile", "the profile changed", "p.yaml")
    profile(1300)
    refused("another wish", "the profile changed", "p.yaml")
    os.unlink("p.yaml")
    refused("no profile", "p.yaml", code=5)


def test_what_a_profile_extends_belongs_to_it():
    profile(1400, "base.yaml")
    pathlib.Path("child.yaml").write_text("version: 1\nname: child\nextends: base.yaml\n")
    expect(run("plan", "child.yaml", "--out", "plan.json").returncode == 2, "a plan of two files")
    plan = json.loads(pathlib.Path("plan.json").read_text())
    expect([os.path.basename(each["path"]) for each in plan["profile"]] == ["child.yaml", "base.yaml"],
           "both files", plan["profile"])
    profile(1400, "base.yaml", more="# a word\n")
    refused("a changed parent", "the profile changed", "base.yaml")


def test_a_plan_of_nothing_is_a_plan():
    plan = planned(mtu=1500)
    expect(plan["steps"] == [] and VALIDATOR.is_valid(plan), "no steps", plan)
    done = run("apply", "plan.json", "--format", "json")
    expect(done.returncode == 0 and not json.loads(done.stdout)["changed"], "nothing is done", done)


def test_options_come_from_the_plan_only():
    plan = planned("--only", "mtu", "--rail", "veth0", "--one-at-a-time")
    expect(plan["options"] == {"only": ["mtu"], "rail": "veth0", "max_disruption": None, "one_at_a_time": True},
           "the options are kept", plan["options"])
    for option in (["--only", "mtu"], ["--rail", "veth0"], ["--max-disruption", "link"], ["--forbid-disruptive"],
                   ["--one-at-a-time"]):
        refused(f"{option} beside a plan", option[0] + " belongs to the plan", arguments=("apply", "plan.json", *option))
    expect(run("apply", "plan.json", "--lock-wait", "1s", "--wait", "0", "--detailed-exitcode").returncode == 2,
           "how it is told is the run's own")
    MTU.write_text("1500\n")
    planned("--only", "mtu")
    pathlib.Path("whole.prom").write_text("of the whole\n")
    refused("a plan of a part beside metrics", "--metrics with --only", arguments=("apply", "plan.json", "--metrics", "whole.prom"))
    expect(pathlib.Path("whole.prom").read_text() == "of the whole\n", "which stay as they are")
    done = run("plan", profile(1400), "--max-disruption", "none", "--out", "plan.json")
    expect(done.returncode == 3, "a plan that leaves a rail alone", done)
    done = run("apply", "plan.json")
    expect(done.returncode == 3 and MTU.read_text() == "1500\n", "and so does its run", done)


def test_a_file_that_is_no_whole_plan_is_told_from_a_profile():
    plan = planned()
    whole = pathlib.Path("plan.json").read_text()
    for length in (60, 200, len(whole) // 2, len(whole) - 3):
        pathlib.Path("plan.json").write_text(whole[:length])
        refused(f"{length} bytes of a plan", "broken or incomplete", "plan --out")
    for key in plan:
        if key != "schema":
            pathlib.Path("plan.json").write_text(json.dumps({k: v for k, v in plan.items() if k != key}))
            refused(f"without {key}", "broken or incomplete")
    edited(plan, profile=[])
    refused("of no profile", "names no profile")
    edited(plan, options={**plan["options"], "only": ["nix"]})
    refused("of an unknown kind", "nix")
    edited(plan, schema="fabricctl/plan/7")
    refused("of the future", "fabricctl/plan/7", "fabricctl/plan/1")
    edited(plan, steps=[{**plan["steps"][0], "sha256": "0" * 64}])
    refused("with another step", "would be done now", "is new")
    pathlib.Path("plan.json").write_text(whole[:-3] + " " * (17 << 20))
    refused("of 17 MiB", "larger than", code=5)
    nested = '{"schema": "fabricctl/plan/1", "made": ' + "[" * 100000
    pathlib.Path("plan.json").write_text(nested)
    refused("of brackets", "broken or incomplete")


def test_a_plan_is_no_profile():
    planned()
    for verb in (["check"], ["profile", "validate"]):
        done = run(*verb, "plan.json")
        expect(done.returncode == 5 and "fabricctl apply plan.json" in done.stderr and "fabricctl plan plan.json" in done.stderr, verb, done)


def test_a_plan_file_can_be_looked_at():
    planned("--only", "mtu")
    for verb in (["plan"], ["apply", "--dry-run"]):
        done = run(*verb, "plan.json")
        expect(done.returncode == 2 and "apply would, in this order" in done.stdout and "veth0" in done.stdout, verb, done)
        expect("[plan.holds]" in done.stdout and "fabricctl apply plan.json" in done.stdout and "--only mtu" in done.stdout, verb, done)
    shown = json.loads(run("plan", "plan.json", "--format", "json").stdout)
    (step,) = shown["steps"]
    expect(step["resources"] == ["mtu/veth0"] and step["rail"] == "veth0", "its steps", shown["steps"])
    expect([(r["id"], r["kind"], r["device"], r["wanted"], r["found"]) for r in shown["resources"]] == [("mtu/veth0", "mtu", "veth0", 1400, 1500)],
           "and what they are for", shown["resources"])
    report = jsonschema.Draft202012Validator(json.loads(pathlib.Path(SCHEMA).with_name("report-schema.json").read_text()))
    expect(report.is_valid(shown), "it is a report", [error.message for error in report.iter_errors(shown)])
    MTU.write_text("1450\n")
    done = run("plan", "plan.json")
    expect("[plan.outdated]" in done.stdout and "was 1500, is 1450" in done.stdout, "the host moved on", done)
    edited(json.loads(pathlib.Path("plan.json").read_text()), host="other")
    done = run("plan", "plan.json")
    expect("made on other, this is" in done.stdout and "set MTU" in done.stdout, "of another host", done)
    for option in (["--only", "mtu"], ["--forbid-disruptive"], ["--out", "more.json"]):
        done = run("plan", "plan.json", *option)
        expect(done.returncode == 1 and option[0] + " belongs to the plan" in done.stderr, option, done)


def test_where_a_plan_is_written():
    before = pathlib.Path("/etc/passwd").read_bytes()
    os.symlink("/etc/passwd", "link")
    for name in ("link", ".", "no/such/place", ""):
        done = run("plan", profile(1300), "--out", name)
        expect(done.returncode == 1, "no place for a plan:", name, done)
    expect(pathlib.Path("/etc/passwd").read_bytes() == before, "the link's target is untouched")
    for mtu in (1300, 1500):  # with differences and without
        done = run("plan", profile(mtu), "--out", "no/such/place")
        told = json.loads(run("plan", profile(mtu), "--out", "no/such/place", "--format", "json").stdout)
        expect(done.returncode == 1 and "(exit 1)" in done.stdout and "--out could not be written" in done.stdout, "one truth as text", done)
        expect(told["exit_code"] == 1 and "record.not-written" in [f["id"] for f in told["findings"]], "and as JSON", told)
    done = run("plan", profile(1300) + "x", "--out", "none.json")
    expect(done.returncode == 5 and not os.path.exists("none.json"), "no profile, no plan", done)
    expect(run("plan", "p.yaml", "--out", "x", "--root", "/").returncode == 1, "an image has no plan file")
    done = run("plan", "p.yaml", "--out", "x", "--host", "facts.json")
    expect(done.returncode == 1 and "--host and --out" in done.stderr and not os.path.exists("x"), "nor have facts", done)


def test_a_plan_can_wait_to_be_confirmed():
    planned()
    done = run("apply", "plan.json", "--confirm-within", "1h", "--format", "json")
    identity = json.loads(done.stdout)["confirm"]["id"]
    expect(done.returncode == 0 and MTU.read_text() == "1400\n", "it is carried out", done)
    refused("while another waits", identity, code=4)
    keeper = json.loads(pathlib.Path("/var/lib/fabricctl/confirm.json").read_text())["process"]
    done = run("restore", identity, "--unconfirmed")
    stat = pathlib.Path(f"/proc/{keeper}/stat")
    expect(not stat.exists() or ") Z " in stat.read_text(), "nobody waits for a deadline that means nothing")
    expect(done.returncode == 0 and MTU.read_text() == "1500\n", "it is undone", done)
    expect(run("apply", "plan.json").returncode == 0, "and the host is as the plan saw it")


def test_a_plan_that_others_may_write_is_not_believed_by_a_unit():
    planned()
    os.chmod("plan.json", 0o666)
    refused_by_unit = run("apply", "plan.json", env={**os.environ, "INVOCATION_ID": "1"})
    expect(refused_by_unit.returncode == 1 and "not trusted" in refused_by_unit.stderr, "a unit", refused_by_unit)
    done = run("apply", "plan.json")
    expect(done.returncode == 0 and "warning" in done.stderr, "a person is warned", done)


os.environ.pop("INVOCATION_ID", None)
sys.exit(private_host.main(globals()))
