#!/usr/bin/python3
"""The module against a program that says anything, and against the built one on a host of its own.

Usage: module_test.py FABRICCTL"""
import json
import os
import pathlib
import stat
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import private_host  # noqa: E402
from private_host import PROGRAM, expect  # noqa: E402

MODULE = pathlib.Path(__file__).resolve().parent.parent.parent / "ansible/plugins/modules/fabricctl.py"
FAKE = pathlib.Path("fake")
REPORT = {"schema": "fabricctl/report/1", "command": "apply", "result": "converged", "exit_code": 0, "changed": False,
          "profile": {"name": "p", "path": "/p"}, "host": "h", "boot_id": "b", "started": "2026-12-01T00:00:00Z", "duration_ms": 1.0,
          "resources": [], "findings": [], "steps": [], "diff": {"before": "", "after": ""}}
RESOURCE = {"id": "mtu/r0", "kind": "mtu", "device": "r0", "rdma": "", "pci": "", "rail": "r0", "property": "mtu", "outcome": "in-sync",
            "wanted": 9000, "found": 1500, "after": None, "disturbs": "link", "reason": "it is smaller", "fix": "fabricctl apply",
            "explanation": ""}
PROCESS = dict(RESOURCE, id="service/minio.service/process", kind="service", property="process", outcome="drifted", reason="it is old",
               fix="systemctl restart minio")
PROFILE = {"version": 1, "name": "inline", "rails": {"match": [{"interface": "veth0"}]}, "mtu": 1400, 
           "arp": {"ignore": 1, "announce": 2, "persist": False}}


def module(check=False, diff=False, **arguments):
    """What the module answers Ansible, as Ansible would run it."""
    arguments.setdefault("executable", os.path.abspath(FAKE))
    arguments.update(_ansible_check_mode=check, _ansible_diff=diff, _ansible_remote_tmp=os.getcwd(), _ansible_keep_remote_files=False)
    done = subprocess.run([sys.executable, MODULE], input=json.dumps({"ANSIBLE_MODULE_ARGS": arguments}), capture_output=True, text=True,
                          timeout=120, check=False)
    assert done.stdout, done
    answer = json.loads(done.stdout)
    expect((done.returncode != 0) == bool(answer.get("failed")), "exit status", done.returncode, answer)
    return answer


def fake(script):
    FAKE.write_text("#!/bin/sh\nprintf '%s\\n' \"$@\" >words\n" + script)
    FAKE.chmod(FAKE.stat().st_mode | stat.S_IXUSR)


def says(exit_code=0, **more):
    pathlib.Path("said").write_text(json.dumps(dict(REPORT, exit_code=exit_code, **more)))
    fake(f"cat said; exit {exit_code}\n")


def words():
    return pathlib.Path("words").read_text().splitlines()


def test_options_are_those_of_the_command_line():
    says()
    module(profile="/p", only=["mtu", "arp"], rail="r0", max_disruption="traffic", one_at_a_time=True, confirm_within="120s", wait="5s",
           lock_wait="7s", snapshot="try", root="/image")
    expect(words() == ["apply", "--format", "json", "--only", "mtu,arp", "--rail", "r0", "--root", "/image", "--lock-wait", "7s",
                       "--max-disruption", "traffic", "--confirm-within", "120s", "--wait", "5s", "--snapshot", "try",
                       "--one-at-a-time", "--", "/p"], "apply", words())
    module(check=True, profile="/p", forbid_disruptive=True, confirm_within="120s", wait="5s", snapshot="none")
    expect(words() == ["plan", "--format", "json", "--forbid-disruptive", "--", "/p"], "check mode is a plan", words())
    module(state="check", only=["mtu"], max_disruption="none", confirm_within="9s")
    expect(words() == ["check", "--format", "json", "--only", "mtu"], "check", words())
    module(state="confirmed", lock_wait="3s")
    expect(words() == ["confirm", "--format", "json", "--lock-wait", "3s"], "confirm", words())
    for wrong in ({"profile": "/p", "content": "x"}, {"max_disruption": "none", "forbid_disruptive": True}, {"only": ["mtuu"]},
                  {"state": "applied"}):
        expect(module(**wrong).get("failed"), wrong, "was taken")


def test_changed_is_the_word_of_the_report():
    says()
    expect(module()["changed"] is False, "nothing was written")
    says(changed=True, resources=[dict(RESOURCE, outcome="changed", after=9000), dict(RESOURCE, id="mtu/r1")])
    answer = module()
    expect(answer["changed"] is True and not answer.get("failed"), "something was", answer)
    expect(answer["diff"] == [{"before_header": "mtu/r0", "after_header": "mtu/r0", "before": "1500\n", "after": "9000\n"}], answer["diff"])
    step = {"rail": "r0", "summary": "set the MTU of r0 to 9000", "disturbs": "link", "resources": ["mtu/r0"]}
    says(2, command="plan", result="differs", resources=[dict(RESOURCE, outcome="drifted")], steps=[step])
    answer = module(check=True)
    expect(answer["changed"] is True and not answer.get("failed") and answer["steps"] == [step["summary"]], "planned", answer)
    expect(answer["diff"][0]["after"] == "9000\n", answer["diff"])
    says(2, command="plan", result="differs", resources=[PROCESS])
    answer = module(check=True)
    expect(answer["changed"] is False and answer["restart_pending"], "only a restart is due: nothing would be written", answer)


def test_failures_have_the_words_of_the_report():
    failed = dict(RESOURCE, outcome="failed", after=1500, reason="the driver refused it", fix="look at dmesg")
    finding = {"id": "acs.lockdown", "severity": "fail", "summary": "lockdown", "evidence": "[integrity]", "fix": "boot without", "device": ""}
    says(3, result="partial", changed=True, resources=[failed, dict(RESOURCE, id="mtu/r1", outcome="changed", after=9000)], findings=[finding])
    answer = module()
    expect(answer["failed"] and answer["changed"] is True, "it fails and says what it changed", answer)
    for text in ("exit status 3", "mtu/r0", "wanted 9000, found 1500", "the driver refused it", "look at dmesg", "acs.lockdown", "boot without"):
        expect(text in answer["msg"], text, "is not told:", answer["msg"])
    for code, text in ((1, "could not run"), (4, "holds the lock"), (5, "profile is invalid"), (6, "could not be verified")):
        says(code, result="failed", error={"kind": "io", "errno": 5, "message": "read x: broken", "fix": "mend it"})
        answer = module()
        expect(answer["failed"] and text in answer["msg"] and "read x: broken; mend it" in answer["msg"], code, answer["msg"])
    says(2, command="check", result="differs", resources=[dict(RESOURCE, outcome="drifted")])
    answer = module(state="check")
    expect(answer["failed"] and answer["changed"] is False and "mtu/r0: drifted" in answer["msg"], "drift fails a check", answer)
    says(2, result="differs", resources=[dict(RESOURCE, outcome="drifted"), PROCESS])
    expect(module()["failed"], "an apply that leaves a difference")


def test_a_pending_restart_is_said_and_fails_nothing():
    says(2, result="differs", changed=True, resources=[PROCESS])
    answer = module()
    expect(not answer.get("failed") and answer["restart_pending"] and "it is old" in answer["warnings"][0], answer)
    finding = {"id": "neighbour.restart-pending", "severity": "warn", "summary": "restart everywhere", "evidence": "", "fix": "", "device": ""}
    says(findings=[finding])
    answer = module()
    expect(answer["restart_pending"] and "restart everywhere" in answer["warnings"][0], answer)


def test_what_is_no_report_is_a_failure():
    whole = json.dumps(REPORT)
    cases = {
        "nothing": ("", "printed nothing"),
        "text": ("echo all is well", "no report"),
        "a cut report": (f"printf %s '{whole[:-40]}'", "no report"),
        "two reports": (f"echo '{whole}{whole}'", "no report"),
        "something before it": (f"echo hello; echo '{whole}'", "no report"),
        "another schema": ("echo '{\"schema\": \"fabricctl/report/2\", \"changed\": true}'", "not a fabricctl/report/1"),
        "a list": ("echo '[]'", "not a fabricctl/report/1"),
        "no changed": (f"echo '{whole.replace('changed', 'chnaged')}'", "no usable changed"),
        "resources of another kind": ("echo '" + whole.replace('"resources": []', '"resources": [1]') + "'", "no usable resources"),
        "another exit status": (f"echo '{whole}'; exit 3", "but its report says 0"),
        "killed": (f"echo '{whole}'; kill -9 $$", "killed by SIGKILL"),
        "a refusal on standard error": ("echo 'no such library' >&2; exit 127", "no such library"),
        "bytes that are no text": ("printf '\\377\\376'", "no report"),
    }
    for name, (script, text) in cases.items():
        fake(script + "\n")
        answer = module()
        expect(answer.get("failed") and not answer.get("changed") and text in answer["msg"], name, answer)
        expect("fabricctl history" in answer["msg"], name, "does not say where to look", answer["msg"])
    fake("exec sleep 60\n")
    answer = module(timeout=1)
    expect(answer.get("failed") and "within 1 seconds" in answer["msg"], "too late", answer)
    answer = module(executable="/nowhere/fabricctl")
    expect(answer.get("failed") and "no such program" in answer["msg"], "no program", answer)
    expect(module(executable="fabricctl-that-is-nowhere").get("failed"), "no program of that name")


def real(**arguments):
    return module(executable=PROGRAM, **arguments)


def mtu():
    return json.loads(subprocess.run(["ip", "-j", "link", "show", "veth0"], capture_output=True, check=True).stdout)[0]["mtu"]


def test_an_inline_profile_is_applied_once():
    subprocess.run(["ip", "link", "set", "veth0", "up"], check=True)
    before = set(os.listdir())
    planned = real(check=True, diff=True, content=PROFILE)
    expect(planned.get("changed") and not planned.get("failed") and mtu() == 1500, "check mode", planned)
    expect({"before_header": "mtu/veth0", "after_header": "mtu/veth0", "before": "1500\n", "after": "1400\n"} in planned["diff"], planned)
    done = real(content=PROFILE)
    expect(done.get("changed") and mtu() == 1400, "apply", done)
    expect([one["before_header"] for one in done["diff"]] == [one["before_header"] for one in planned["diff"]], "planned and done", done["diff"])
    again = real(content=json.dumps(PROFILE))
    expect(again.get("changed") is False and not again.get("failed") and again["diff"] == [], "again, as text", again)
    expect(real(check=True, content=PROFILE).get("changed") is False, "check mode afterwards")
    expect(not real(state="check", content=PROFILE).get("failed"), "a check afterwards")
    subprocess.run(["ip", "link", "set", "veth0", "mtu", "1500"], check=True)
    drift = real(state="check", content=PROFILE)
    expect(drift.get("failed") and "mtu/veth0: drifted, wanted 1400, found 1500" in drift["msg"], "drift", drift)
    expect(set(os.listdir()) == before, "left behind", set(os.listdir()) - before)


def test_numbers_are_keys_of_an_inline_profile():
    """Ansible's arguments are JSON, in which a key is always text."""
    profile = {"version": 1, "name": "keys", "dcb": {"trust": "dscp", "pfc": [3], "dscp-to-priority": {"26": 3}}}
    answer = real(check=True, content=profile, only=["dcb"])
    expect("errors" not in answer.get("report", {}), "the keys", answer)


def test_an_invalid_profile_is_told_with_its_line():
    answer = real(content="version: 1\nname: x\nmut: 9000\n")
    expect(answer.get("failed") and answer["exit_code"] == 5 and ":3:1: " in answer["msg"] and "mtu" in answer["msg"], answer)
    path = private_host.profile("version: 1\nname: x\nmut: 9000\n")
    expect(path in real(profile=os.path.abspath(path))["msg"], "its path")


def test_what_waits_is_confirmed_once():
    subprocess.run(["ip", "link", "set", "veth0", "mtu", "1500"], check=True)
    done = real(content=dict(PROFILE, mtu=1300), confirm_within="10m")
    expect(done.get("changed") and mtu() == 1300, "apply", done)
    expect(real(content=PROFILE)["exit_code"] == 4, "nobody else writes meanwhile")
    kept = real(state="confirmed")
    expect(kept.get("changed") is True and not kept.get("failed"), "confirm", kept)
    again = real(state="confirmed")
    expect(again.get("changed") is False and not again.get("failed"), "nothing waits", again)


sys.exit(private_host.main(globals()))
