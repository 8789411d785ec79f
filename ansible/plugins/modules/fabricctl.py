#!/usr/bin/python
# SPDX-License-Identifier: Apache-2.0
"""Runs fabricctl on the host and tells Ansible what its report says, and nothing else."""
from __future__ import absolute_import, division, print_function

__metaclass__ = type

DOCUMENTATION = r"""
---
module: fabricctl
short_description: Bring a host of an RDMA fabric into the state of a profile, and prove it
description:
  - Runs C(fabricctl) on the host. What the task says (changed, failed, the difference) is what the program's own
    report says, which it reads back from the kernel.
  - In check mode I(state=apply) runs C(fabricctl plan), which writes nothing, and is I(changed) when it plans a step.
  - With C(--diff) every resource that was or would be changed is shown with its value before and after.
version_added: 1.0.0
author: fabricctl maintainers (@fabricctl)
options:
  profile:
    description:
      - The profile on the host.
      - Without I(profile) and I(content) the program takes C(/etc/fabricctl/profile.yaml).
    type: path
  content:
    description:
      - The profile itself, as a mapping or as text in YAML. Nothing is kept of it on the host.
      - Paths in it that are relative have no meaning, use absolute ones.
      - Write values such as C("on") in quotes, YAML makes a truth value of them otherwise.
    type: raw
  state:
    description:
      - C(apply) writes what differs and looks again. It fails when anything is not as the profile wants it then, but for a
        storage server that must be restarted, which is a warning and I(restart_pending).
      - C(check) writes nothing and fails when something differs.
      - C(confirmed) keeps what an earlier task with I(confirm_within) wrote.
    type: str
    choices: [apply, check, confirmed]
    default: apply
  only:
    description: Kinds of resource; others are not looked at. As C(--only).
    type: list
    elements: str
    choices: [module, acs, mtu, pause, dcb, ecn, rdma-cm, arp, neighbour, service]
  rail:
    description: One rail, by interface, RDMA device or C(ifindex:N). As C(--rail).
    type: str
  max_disruption:
    description: A rail whose steps disturb more is left alone, and the task fails. As C(--max-disruption).
    type: str
    choices: [none, traffic, link]
  forbid_disruptive:
    description: The same as I(max_disruption=none).
    type: bool
  one_at_a_time:
    description: Prove each rail before the next is touched; the first failure ends the run. As C(--one-at-a-time).
    type: bool
    default: false
  confirm_within:
    description:
      - Undo everything after this time, such as C(120s), unless a task with I(state=confirmed) comes. As C(--confirm-within).
    type: str
  wait:
    description: How long to wait for rails, such as C(60s). As C(--wait).
    type: str
  lock_wait:
    description: How long to wait for another run of fabricctl, such as C(120s). As C(--lock-wait).
    type: str
  snapshot:
    description: What to do when what is there cannot be kept before the first write. As C(--snapshot).
    type: str
    choices: [require, try, none]
  root:
    description: Prepare the files of an image in this directory and touch nothing of the host. As C(--root).
    type: path
  executable:
    description: The program, by its path or by a name on the search path.
    type: str
    default: fabricctl
  timeout:
    description: Seconds after which the program is ended and the task fails.
    type: int
    default: 900
attributes:
  check_mode:
    description: Runs C(fabricctl plan).
    support: full
  diff_mode:
    description: Shows every resource with its values.
    support: full
notes:
  - Needs root on the host.
  - Only one run of fabricctl writes at a time; another one that holds the lock fails the task (exit status 4) after I(lock_wait).
"""

EXAMPLES = r"""
- name: Everything as the deployed profile wants it
  fabricctl.fabric.fabricctl:
    profile: /etc/fabricctl/profile.yaml
    lock_wait: 120s

- name: Settings that disturb nobody, from the inventory
  fabricctl.fabric.fabricctl:
    content:
      version: 1
      name: arp
      arp: {ignore: 1, announce: 2}
    forbid_disruptive: true

- name: Undone after two minutes unless the next task is reached
  fabricctl.fabric.fabricctl:
    confirm_within: 120s

- name: The host can still be reached
  fabricctl.fabric.fabricctl:
    state: confirmed

- name: Fail when something drifted
  fabricctl.fabric.fabricctl:
    state: check
    only: [dcb, ecn]
"""

RETURN = r"""
exit_code:
  description: Exit status of the program.
  returned: when the program ran to its end
  type: int
  sample: 0
result:
  description: One of converged, differs, partial, failed and unverifiable.
  returned: when there is a report
  type: str
  sample: converged
restart_pending:
  description: A process runs with what it was started with and must be restarted.
  returned: when there is a report
  type: bool
messages:
  description: One line for each finding, each resource that is not as wanted and each error of the profile.
  returned: when there is a report
  type: list
  elements: str
steps:
  description: What was written, or would be, in order.
  returned: when there is a report
  type: list
  elements: str
report:
  description: The report itself, docs/report-schema.json of fabricctl.
  returned: when there is a report
  type: dict
"""

import errno
import json
import os
import re
import signal
import subprocess
import tempfile

from ansible.module_utils.basic import AnsibleModule
from ansible.module_utils.common.text.converters import to_bytes, to_native, to_text

SCHEMA = "fabricctl/report/1"
MEANING = {
    0: "as wanted",
    1: "it could not run",
    2: "something differs",
    3: "some resources failed or are not supported, all others were done",
    4: "another run holds the lock",
    5: "the profile is invalid, nothing was touched",
    6: "something could not be verified",
}
WRONG = ("drifted", "failed", "unsupported", "unreadable")
SHOWN = 600  # characters of output that is not a report
GRACE = 60  # seconds for a run that was told to end: it says what it wrote


class Unusable(Exception):
    """What the program printed is no report."""


def number_or_text(key):
    """A key as YAML has it: JSON, and so Ansible, makes text of the numbers that a profile has for keys."""
    return key if re.match(r"^(0|[1-9][0-9]*)$", key) else json.dumps(key, ensure_ascii=False)


def yaml_of(value):
    """YAML in flow style; JSON but for the keys."""
    if isinstance(value, dict):
        return "{" + ", ".join(number_or_text(to_text(key)) + ": " + yaml_of(item) for key, item in value.items()) + "}"
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(yaml_of(item) for item in value) + "]"
    return json.dumps(value, ensure_ascii=False)


def profile_text(content):
    if isinstance(content, dict):
        return yaml_of(content) + "\n"
    return to_text(content)


def arguments(params, verb, profile):
    """The command line after the name of the program."""
    words = [verb, "--format", "json"]
    if verb == "confirm":
        return words + (["--lock-wait", params["lock_wait"]] if params["lock_wait"] else [])
    writes = verb in ("apply", "plan")
    for option, value, belongs in (
        ("--only", ",".join(params["only"] or []), True),
        ("--rail", params["rail"], True),
        ("--root", params["root"], True),
        ("--lock-wait", params["lock_wait"], True),
        ("--max-disruption", params["max_disruption"], writes),
        ("--confirm-within", params["confirm_within"], verb == "apply"),
        ("--wait", params["wait"], verb == "apply"),
        ("--snapshot", params["snapshot"], verb == "apply"),
    ):
        if value and belongs:
            words += [option, value]
    if params["forbid_disruptive"] and writes:
        words.append("--forbid-disruptive")
    if params["one_at_a_time"] and writes:
        words.append("--one-at-a-time")
    return words + (["--", profile] if profile else [])


def shortened(data):
    text = to_text(data, errors="surrogate_or_replace").strip()
    text = "".join(one if one.isprintable() or one == "\n" else "?" for one in text)
    return text if len(text) <= SHOWN else text[:SHOWN] + " [...]"


def run(command, timeout):
    """Exit status, standard output and standard error."""
    environment = dict(os.environ, LC_ALL="C")
    with open(os.devnull, "rb") as nothing:
        process = subprocess.Popen(command, stdin=nothing, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment)
    late = False
    try:
        out, err = process.communicate(timeout=timeout)
    except subprocess.TimeoutExpired:
        late = True
        process.terminate()
        try:
            out, err = process.communicate(timeout=GRACE)
        except subprocess.TimeoutExpired:
            process.kill()
            # What it started may hold the pipes still.
            out, err = b"", b""
            process.wait()
    if late:
        raise Unusable("did not end within {0} seconds and was ended; {1}".format(timeout, shortened(err) or "it said nothing"))
    return process.returncode, out, err


def how_it_ended(status):
    if status >= 0:
        return "exit status {0}".format(status)
    names = {int(value): name for name, value in vars(signal).items() if re.match(r"^SIG[A-Z0-9]+$", name)}
    return "killed by {0}".format(names.get(-status, "signal {0}".format(-status)))


def report_of(status, out, err):
    """The report; Unusable when there is none, or one that is not of this run."""
    said = shortened(err) or shortened(out) or "it printed nothing"
    if status < 0:
        raise Unusable("{0}: {1}".format(how_it_ended(status), said))
    try:
        report = json.loads(to_text(out, errors="strict"))
    except (ValueError, UnicodeError) as error:
        raise Unusable("{0}, and what it printed is no report ({1}): {2}".format(how_it_ended(status), error, said))
    if not isinstance(report, dict) or report.get("schema") != SCHEMA:
        raise Unusable("{0}, and what it printed is not a {1}: {2}".format(how_it_ended(status), SCHEMA, said))
    for name, kind in (("exit_code", int), ("changed", bool), ("result", str), ("resources", list), ("findings", list),
                       ("steps", list)):
        if not isinstance(report.get(name), kind):
            raise Unusable("{0}, and its report has no usable {1}".format(how_it_ended(status), name))
    for name in ("resources", "findings", "steps"):
        if not all(isinstance(item, dict) for item in report[name]):
            raise Unusable("{0}, and its report has no usable {1}".format(how_it_ended(status), name))
    if report["exit_code"] != status:
        raise Unusable("{0}, but its report says {1}: {2}".format(how_it_ended(status), report["exit_code"], said))
    return report


def value_text(value):
    return json.dumps(value, sort_keys=True, ensure_ascii=False)


def line_of(resource):
    line = "{0}: {1}".format(resource.get("id"), resource.get("outcome"))
    if resource.get("outcome") in ("drifted", "failed"):
        line += ", wanted {0}, found {1}".format(value_text(resource.get("wanted")), value_text(resource.get("found")))
    for name, before in (("reason", ": "), ("fix", "; ")):
        if resource.get(name):
            line += before + resource[name]
    return line


def messages_of(report):
    """What a person has to know, the worst first."""
    lines = []
    if isinstance(report.get("error"), dict):
        error = report["error"]
        lines.append("; ".join(text for text in (error.get("message"), error.get("fix")) if text))
    for error in report.get("errors", []):
        line = "{0}:{1}:{2}: {3}".format(error.get("file"), error.get("line"), error.get("column"), error.get("message"))
        lines.append(line + ("; " + error["suggestion"] if error.get("suggestion") else ""))
    lines += [line_of(resource) for resource in report["resources"] if resource.get("outcome") in WRONG]
    for severity in ("fail", "warn", "info"):
        for finding in report["findings"]:
            if finding.get("severity") == severity:
                parts = [finding.get(name) for name in ("summary", "evidence", "fix")]
                lines.append("{0} {1}: {2}".format(severity, finding.get("id"), "; ".join(part for part in parts if part)))
    return lines


def is_old_process(resource):
    """A process that has what it was started with: no apply changes that, a restart does."""
    return resource.get("kind") == "service" and resource.get("property") == "process" and resource.get("outcome") == "drifted"


def restart_pending(report):
    return any(is_old_process(one) for one in report["resources"]) or any(
        str(one.get("id")).endswith(".restart-pending") for one in report["findings"])


def difference(report):
    """Before and after of each resource that was, or would be, changed."""
    parts = []
    for resource in sorted(report["resources"], key=lambda one: str(one.get("id"))):
        outcome = resource.get("outcome")
        if outcome not in ("changed", "drifted") and not (outcome == "failed" and resource.get("after") is not None):
            continue
        after = resource.get("wanted" if outcome == "drifted" else "after")
        parts.append({
            "before_header": resource.get("id"),
            "after_header": resource.get("id"),
            "before": value_text(resource.get("found")) + "\n",
            "after": value_text(after) + "\n",
        })
    return parts


def failed(report, state, planned):
    """Whether this report fails the task."""
    status = report["exit_code"]
    if status == 0:
        return False
    if status != 2:
        return True
    if state == "check":
        return True
    if planned:
        return False
    return not all(is_old_process(one) for one in report["resources"] if one.get("outcome") in WRONG)


def nothing_waits(report):
    """confirm without anything to confirm: as wanted already."""
    error = report.get("error")
    return isinstance(error, dict) and error.get("kind") == "not found"


def answer(module, report, verb):
    state = module.params["state"]
    planned = verb == "plan"
    changed = bool(report["steps"]) if planned else report["changed"]
    messages = messages_of(report)
    result = dict(
        changed=changed,
        exit_code=report["exit_code"],
        result=report["result"],
        restart_pending=restart_pending(report),
        messages=messages,
        steps=[to_text(step.get("summary", "")) for step in report["steps"]],
        report=report,
        diff=difference(report) if verb in ("apply", "plan") else [],
    )
    if failed(report, state, planned):
        head = "fabricctl {0}: {1} (exit status {2})".format(
            verb, MEANING.get(report["exit_code"], "unknown to this module"), report["exit_code"])
        restart = ["a restart is pending"] if result["restart_pending"] else []
        module.fail_json(msg="\n".join([head] + messages + restart), **result)
    if result["restart_pending"]:
        module.warn("fabricctl: a restart is pending: " + "; ".join(
            line for line in messages if "/process: " in line or ".restart-pending: " in line))
    module.exit_json(msg="fabricctl {0}: {1}".format(verb, report["result"]), **result)


def confirm(module, program):
    if module.check_mode:
        module.exit_json(changed=False, msg="fabricctl confirm is not run in check mode: whether something waits is not known")
    report = report_of(*run([program] + arguments(module.params, "confirm", None), module.params["timeout"]))
    if nothing_waits(report):
        module.exit_json(changed=False, exit_code=0, msg="fabricctl confirm: " + messages_of(report)[0])
    if report["exit_code"] != 0:
        answer(module, report, "confirm")
    module.exit_json(changed=True, exit_code=0, msg="fabricctl confirm: kept")


def inline_profile(module):
    """A file that only this user can read, of this task alone."""
    descriptor, path = tempfile.mkstemp(prefix="profile-", suffix=".yaml", dir=module.tmpdir)
    module.add_cleanup_file(path)
    with os.fdopen(descriptor, "wb") as profile:
        profile.write(to_bytes(profile_text(module.params["content"])))
    return path


def main():
    kinds = ["module", "acs", "mtu", "pause", "dcb", "ecn", "rdma-cm", "arp", "neighbour", "service"]
    module = AnsibleModule(
        argument_spec=dict(
            profile=dict(type="path"),
            content=dict(type="raw"),
            state=dict(type="str", choices=["apply", "check", "confirmed"], default="apply"),
            only=dict(type="list", elements="str", choices=kinds),
            rail=dict(type="str"),
            max_disruption=dict(type="str", choices=["none", "traffic", "link"]),
            forbid_disruptive=dict(type="bool"),
            one_at_a_time=dict(type="bool", default=False),
            confirm_within=dict(type="str"),
            wait=dict(type="str"),
            lock_wait=dict(type="str"),
            snapshot=dict(type="str", choices=["require", "try", "none"]),
            root=dict(type="path"),
            executable=dict(type="str", default="fabricctl"),
            timeout=dict(type="int", default=900),
        ),
        mutually_exclusive=[("profile", "content"), ("max_disruption", "forbid_disruptive")],
        supports_check_mode=True,
    )
    name = module.params["executable"]
    program = name if os.path.isabs(name) else module.get_bin_path(name, required=True)
    state = module.params["state"]
    verb = "plan" if state == "apply" and module.check_mode else {"confirmed": "confirm"}.get(state, state)
    try:
        if verb == "confirm":
            confirm(module, program)
        inline = module.params["content"] is not None
        profile = inline_profile(module) if inline else module.params["profile"]
        answer(module, report_of(*run([program] + arguments(module.params, verb, profile), module.params["timeout"])), verb)
    except Unusable as error:
        module.fail_json(
            msg="{0} {1}: {2}\nWhat was written is not known: 'fabricctl history' and 'fabricctl check' on the host say".format(
                program, verb, error) if verb == "apply" else "{0} {1}: {2}".format(program, verb, error))
    except OSError as error:
        what = "there is no such program; install fabricctl or set executable" if error.errno == errno.ENOENT else to_native(error)
        module.fail_json(msg="{0}: {1}".format(program, what))


if __name__ == "__main__":
    main()
