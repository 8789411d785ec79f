"""The product as a scenario uses it: installed, given a profile, run, and its JSON report taken apart."""
import collections
import functools
import json
import os
import re
import subprocess
import time

PROFILE = "/etc/fabricctl/profile.yaml"
STAGE = "/lab/stage"

# What a MinIO AIStor host asks of DCB, ECN and ACS; the lab is a guest, where ACS is written with a finding.
LOSSLESS = """\
version: 1
name: lab
rails:
  match:
    - { rdma: "mlx5_*" }
  expect: 8
dcb:
  dcbx: host
  trust: dscp
  lossless: { priority: 3, dscp: 26, buffer: 1 }
ecn:
  when-uncontrollable: report
acs:
  clear: redirect
  on-guest: proceed
"""


def install_stage():
    """The staged tree becomes part of the guest's root, owned by root."""
    if not os.path.isdir(STAGE) or not os.listdir(STAGE):
        return
    subprocess.run(["cp", "-a", "--no-preserve=ownership", STAGE + "/.", "/"], check=True)
    # A prefix of /usr/local leaves the program where a unit file would not look for it.
    if not os.path.exists("/usr/bin/fabricctl") and os.path.exists("/usr/local/bin/fabricctl"):
        os.symlink("/usr/local/bin/fabricctl", "/usr/bin/fabricctl")
    subprocess.run(["systemctl", "daemon-reload"], check=True)


# Where the product runs: as root of the guest, or within the properties of the units that run it in the field (lab run --sandboxed).
SANDBOXED = False
PROGRAM = "/usr/bin/fabricctl"
UNITS = "/usr/lib/systemd/system/"
# What a unit says of its start; all else in its [Service] section is the sandbox.
ABOUT_THE_START = ("Type", "NotifyAccess", "RemainAfterExit", "ExecStart", "TimeoutStartSec")
A_PERSONS = {"--probe", "--probe-l2", "--audit", "--host"}  # no unit sends frames or replays a file
A_UNITS = {"apply", "check", "plan", "status"}


@functools.lru_cache
def sandbox(unit):
    """The options of systemd-run that take over what the unit's file, as installed, says of its process."""
    with open(UNITS + unit) as f:
        section = f.read().split("[Service]\n")[1].split("\n[")[0]
    lines = [line for line in section.splitlines() if re.match(r"\w+=", line) and line.split("=")[0] not in ABOUT_THE_START]
    assert any(line.startswith("ProtectSystem=strict") for line in lines), "%s has no sandbox: %s" % (unit, lines)
    return ["--property=" + line for line in lines]


def sandboxed(argv, options):
    """The same command as the boot unit runs it; a command that writes nothing, as the check unit. An environment of its own is a person's."""
    if not SANDBOXED or argv[0] != PROGRAM or argv[1] not in A_UNITS or "env" in options or A_PERSONS.intersection(argv):
        return argv
    unit = "fabricctl.service" if argv[1] == "apply" else "fabricctl-check.service"
    return ["systemd-run", "--quiet", "--wait", "--pipe", "--collect", *sandbox(unit), "--", *argv]


# What booted stays booted: since then every device that appears is configured by a unit of its own (90-fabricctl.rules).
BOOT_UNITS = ("fabricctl-early.service", "fabricctl.service", "fabricctl-check.timer")
BOOTED = "/run/fabricctl/boot.json"


def end_units():
    """As on a host where the product never ran at boot: a test that makes rails appear would share them with a unit otherwise."""
    subprocess.run(["systemctl", "disable", "--now", *BOOT_UNITS], stderr=subprocess.DEVNULL)
    subprocess.run(["systemctl", "reset-failed"])
    if os.path.exists(BOOTED):
        os.unlink(BOOTED)


class Run:
    """One run of the program: exit code, report, and how long it took."""

    latest = collections.deque(maxlen=3)  # told with a failure: the run that a test did not judge may be its cause

    def __init__(self, argv, timeout=120, **options):
        began = time.monotonic()
        self.argv = argv
        done = subprocess.run(sandboxed(argv, options), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=timeout, **options)
        self.seconds = time.monotonic() - began
        self.code, self.stdout, self.stderr = done.returncode, done.stdout, done.stderr
        try:
            self.report = json.loads(self.stdout)
        except ValueError:
            self.report = None
        Run.latest.append(self)

    def wrong(self):
        """A line for each resource that is not as wanted."""
        return [] if self.report is None else ["%s: %s: wanted %s, found %s, after %s: %s" % (
            r["id"], r["outcome"], r.get("wanted"), r.get("found"), r.get("after"), r.get("reason"))
            for r in self.report.get("resources", []) if r["outcome"] not in ("in-sync", "changed", "not-applicable", "skipped")]

    def told(self):
        """What it said, short enough for a test's log."""
        lines = ["exit %d after %.1f s from %s" % (self.code, self.seconds, " ".join(self.argv))]
        return "\n".join(lines + (self.wrong()[:8] if self.report else [self.stdout[-300:]]) + [self.stderr[-500:]])

    @property
    def resources(self):
        assert self.report is not None, "no JSON on standard output of %s: exit %d\n%s\n%s" % (self.argv, self.code, self.stdout[-2000:],
                                                                                              self.stderr[-2000:])
        return {r["id"]: r for r in self.report["resources"]}

    def outcome(self, identity):
        assert identity in self.resources, "no resource %s; there are: %s" % (identity, ", ".join(sorted(self.resources)))
        return self.resources[identity]["outcome"]

    def with_outcome(self, *outcomes):
        return sorted(i for i, r in self.resources.items() if r["outcome"] in outcomes)

    def of_rail(self, rail):
        return {i: r for i, r in self.resources.items() if r.get("device") == rail.name}

    def findings(self):
        return {f["id"]: f for f in self.report["findings"]}

    def expect(self, code):
        assert self.code == code, "exit %d and not %d from %s\n%s\n%s" % (
            self.code, code, " ".join(self.argv), "\n".join(self.wrong()[:30]) or self.stdout[-2000:], self.stderr[-2000:])
        if self.report is not None and "exit_code" in self.report:
            assert self.report["exit_code"] == code, "the report says exit_code %s" % self.report["exit_code"]
        return self


def profile(text=LOSSLESS):
    os.makedirs(os.path.dirname(PROFILE), exist_ok=True)
    with open(PROFILE, "w") as f:
        f.write(text)
    return PROFILE


def fabricctl(*arguments, **options):
    return Run([PROGRAM, *arguments, "--format", "json"], **options)


def apply(*arguments, **options):
    return fabricctl("apply", *arguments, **options)


def check(*arguments, **options):
    return fabricctl("check", *arguments, **options)


def plan(*arguments, **options):
    return fabricctl("plan", *arguments, **options)
