"""apply --confirm-within: undone when nobody confirms, whatever becomes of the process, and kept when somebody does."""
import glob
import hashlib
import json
import os
import signal
import subprocess
import time

import host
from fabricctl import LOSSLESS, PROGRAM, apply, check, fabricctl, profile
from host import RAILS, after_reboot, output, read, run, until
from witness import CLEARED, acs_is, equal, rails_are_lossless

# One kernel: it is about systemd, processes and clocks; all of it was seen on 6.1 too. Alone: it reboots, and while an apply waits nobody else writes.
# Each of the long ones waits for a deadline of half a minute or for a boot.
BOOT = {"kernels": ["6.12"], "alone": True,
        "soak": ["test_killed_when_all_was_written_files_go_back_to_their_owners_too",
                 "test_without_a_bus_a_process_of_its_own_undoes_it_when_the_session_is_gone",
                 "test_a_boot_will_come_while_it_waits",
                 "test_after_that_boot_nothing_undoes_it_by_itself_and_a_person_is_told"]}

EVERYTHING = LOSSLESS + "modules: [ib_core]\nmtu: 4200\narp: { ignore: 1, announce: 2, persist: true }\n"
RECORD = "/var/lib/fabricctl/confirm.json"
BUS = "/run/dbus/system_bus_socket"
SYSCTL_FILE = "/etc/sysctl.d/99-zz-fabricctl.conf"


def digest(path):
    status = os.lstat(path)
    with open(path, "rb") as f:
        return hashlib.sha256(f.read()).hexdigest(), status.st_mode, status.st_uid, status.st_gid


def hardware(rail):
    registers = rail.hardware()
    registers.pop("dscp")  # without listed entries packets do not meet this map, and no interface of the kernel reads it
    registers.pop("bounces")
    return registers


def of_rail(rail):
    """Registers, what dcb and ethtool say, and each file below the rail's ECN and IPv4 settings."""
    files = glob.glob("/sys/class/net/%s/ecn/*/enable/*" % rail.name) + glob.glob("/proc/sys/net/ipv4/conf/%s/*" % rail.name)
    return {"hardware": hardware(rail), "pause": rail.pause(), "mtu": rail.link()["mtu"],
            "dcb": {what: rail.show(what) for what in ("pfc", "ets", "buffer", "app", "dcbx", "maxrate")},
            "files": {path: read(path) for path in sorted(files) if os.access(path, os.R_OK)}}


def state():
    """Everything that the profile changes, as other programs see it. Nothing in it is a counter or a time."""
    files = [os.path.join(top, name) for top, _, names in os.walk("/etc") for name in names]
    return {"rails": {rail.name: of_rail(rail) for rail in RAILS}, "acs": host.all_controls(),
            "files": {path: digest(path) for path in sorted(files) if os.path.isfile(path) and not os.path.islink(path)
                      and not path.startswith("/etc/fabricctl/")}}


def is_as(before):
    now = state()
    for part in before["rails"]:
        for what, value in before["rails"][part].items():
            equal(now["rails"][part][what], value, "%s %s" % (part, what))
    equal(now["acs"], before["acs"], "ACS")
    equal({p: d for p, d in now["files"].items() if before["files"].get(p) != d}, {}, "files that changed or came")
    equal(sorted(set(before["files"]) - set(now["files"])), [], "files that went")


def someones_file():
    """In the place of one that apply writes; its owner and mode come back too."""
    with open(SYSCTL_FILE, "w", encoding="ascii") as f:
        f.write("# somebody's own words\n")
    os.chmod(SYSCTL_FILE, 0o640)
    os.chown(SYSCTL_FILE, 1234, 12)


def given_addresses():
    for rail in RAILS:
        output("ip", "address", "add", "10.0.%d.1/24" % rail.index, "dev", rail.name)
    profile(EVERYTHING)


def record():
    return json.loads(read(RECORD))


def undone(seconds):
    until(lambda: record()["state"] == "restored", seconds=seconds, what="the restore")
    equal(record()["exit_code"], 0, "the restore's exit code")


def timers():
    return [line for line in output("systemctl", "list-units", "--all", "--plain", "--no-legend", "fabricctl-confirm-*").splitlines() if line]


def set_clock(seconds):
    output("date", "--set", "@%d" % (time.time() + seconds))


def settle():
    if os.path.exists(RECORD):
        run(PROGRAM, "confirm")


def kill_when(reached, what):
    """An apply with 30 s to confirm, killed as soon as it got there; what it is undone to, and when it began."""
    settle()
    given_addresses()
    someones_file()
    before = state()
    began = time.monotonic()
    child = subprocess.Popen([PROGRAM, "apply", "--confirm-within", "30s"], stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        until(lambda: reached(before), seconds=120, what=what)
    finally:
        child.send_signal(signal.SIGKILL)
        child.communicate()
    equal((child.returncode, record()["state"]), (-signal.SIGKILL, "pending"))
    equal(len(timers()) >= 1, True, "the timer outlives the process")
    return before, began


def is_undone(before, began):
    undone(seconds=150)
    assert time.monotonic() - began >= 30, "undone before its time"
    is_as(before)
    last = [json.loads(line) for line in read("/var/lib/fabricctl/history.jsonl").splitlines()]
    equal(sorted({line["event"] for line in last if line["run"] == record()["id"]}), ["begin", "write"], "the history of the killed run")
    equal([(line["command"], line["event"]) for line in last][-1], ("restore", "end"))
    equal(fabricctl("confirm").code, 1, "confirm comes too late")
    os.unlink(SYSCTL_FILE)


def test_killed_in_the_middle_of_the_writes_everything_is_as_it_was_30_s_later():
    before, began = kill_when(lambda then: hardware(RAILS[3]) != then["rails"][RAILS[3].name]["hardware"], "a write on the fourth rail")
    assert RAILS[0].pfc() == [3] and RAILS[7].pfc() != [3], "it was not killed in the middle"
    output("systemctl", "daemon-reload")
    output("systemctl", "daemon-reexec")
    equal(len(timers()) >= 1, True, "and systemd's own new start")
    is_undone(before, began)


def test_killed_when_all_was_written_files_go_back_to_their_owners_too():
    before, began = kill_when(lambda then: digest(SYSCTL_FILE) != then["files"][SYSCTL_FILE], "the file for every boot")
    rails_are_lossless()
    equal(digest(SYSCTL_FILE)[2:], (0, 0), "it was root's for a while")
    is_undone(before, began)


def test_confirmed_in_time_it_stays_and_until_then_nobody_else_writes():
    settle()
    given_addresses()
    done = apply("--confirm-within", "600s").expect(0)
    identity = done.report["confirm"]["id"]
    for arguments in (["apply"], ["restore"], ["restore", identity]):
        refused = fabricctl(*arguments)
        equal(refused.code, 4, " ".join(arguments))
        assert identity in refused.report["error"]["message"], refused.report["error"]
    assert identity in check().findings()["confirm.pending"]["summary"], "whoever looks is told"
    set_clock(7200)
    equal((record()["state"], len(timers()) >= 1), ("pending", True), "a clock that is set brings no deadline")
    kept = fabricctl("confirm").expect(0)
    set_clock(-7200)
    equal(kept.report["confirm"]["id"], identity)
    equal(timers(), [], "the timer is gone")
    equal(os.path.exists(RECORD), False, "and the record")
    rails_are_lossless()
    acs_is(CLEARED)
    equal(fabricctl("confirm").code, 1, "nothing is pending")
    again = apply("--confirm-within", "600s").expect(0)
    equal(("confirm" in again.report, "confirm.not-needed" in again.findings()), (False, True), "a run that writes nothing arms nothing")
    equal((timers(), os.path.exists(RECORD)), ([], False))


def test_without_a_bus_a_process_of_its_own_undoes_it_when_the_session_is_gone():
    settle()
    given_addresses()
    before = state()
    script = "mount --bind /dev/null %s && exec %s apply --confirm-within 10s" % (BUS, PROGRAM)
    child = subprocess.Popen(["unshare", "--mount", "sh", "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True)
    try:
        until(lambda: hardware(RAILS[3]) != before["rails"][RAILS[3].name]["hardware"], seconds=120, what="a write on the fourth rail")
    finally:
        os.killpg(child.pid, signal.SIGHUP)
        os.killpg(child.pid, signal.SIGKILL)
        child.communicate()
    equal((record()["timer"], record()["process"] > 0), ("", True))
    undone(seconds=150)
    is_as(before)


def test_a_boot_will_come_while_it_waits():
    settle()
    given_addresses()
    equal(os.path.exists(SYSCTL_FILE), False)
    apply("--confirm-within", "24h").expect(0)
    equal((os.path.exists(SYSCTL_FILE), len(timers()) >= 1), (True, True))


@after_reboot
def test_after_that_boot_nothing_undoes_it_by_itself_and_a_person_is_told():
    equal((timers(), record()["state"], os.path.exists(SYSCTL_FILE)), ([], "pending", True))
    identity = record()["id"]
    told = check().findings()["confirm.cut-off"]
    assert identity in told["summary"] and "fabricctl restore " + identity in told["fix"], told
    equal([f["id"] for f in fabricctl("status").report["findings"]], ["confirm.cut-off"])
    equal(fabricctl("restore", identity, "--unconfirmed").report["changed"], False, "a timer of another boot undoes nothing")
    fabricctl("restore", identity).expect(0)
    equal((os.path.exists(SYSCTL_FILE), os.path.exists(RECORD)), (False, False))
    equal(fabricctl("confirm").code, 1, "nothing is pending")
