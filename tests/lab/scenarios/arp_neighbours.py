"""ARP settings and neighbour entries of the rails: live, at the next boot against other files, on VLANs and bonds, and flushed."""
import json
import os
import re
import signal
import subprocess

from fabricctl import apply, check, fabricctl, plan, profile
from host import RAILS, after_reboot, output, read, run, until
from witness import equal

# Both kernels: neighbour flags and address events are theirs. Alone, because it reboots.
BOOT = {"alone": True}

ARP = """\
version: 1
name: lab-arp
rails:
  match:
    - { rdma: "mlx5_*" }
  expect: 8
arp: { ignore: 1, announce: 2 }
neighbours: { flush: when-changed, static: report, announce: true }
"""
OURS = "/etc/sysctl.d/99-zz-fabricctl.conf"
RIVAL = "/etc/sysctl.d/99-sysctl.conf"
LAST = "/etc/sysctl.d/99-zzz.conf"
PENDING = "/run/fabricctl/flush-pending"
PLANTED = "02:00:00:00:0d:01"


def sysctl(interface, key):
    return int(read("/proc/sys/net/ipv4/conf/%s/%s" % (interface, key)))


def is_right(interface):
    equal((sysctl(interface, "arp_ignore"), sysctl(interface, "arp_announce")), (1, 2), interface)


def forget():
    """Settings, entries and files as on a host that has never seen the product; each rail with an address of its own."""
    for path in (OURS, LAST):
        if os.path.exists(path):
            os.unlink(path)
    batch = ""
    for rail in RAILS:
        for key in ("arp_ignore", "arp_announce"):
            with open("/proc/sys/net/ipv4/conf/%s/%s" % (rail.name, key), "w") as f:
                f.write("0")
        batch += "neigh flush dev %s nud all\naddr replace 10.0.%d.1/24 dev %s\n" % (rail.name, rail.index + 1, rail.name)
    run("ip", "-force", "-batch", "-", input=batch)
    profile(ARP)


def neighbours(rail):
    """{address: states} as `ip -j neigh` tells."""
    return {e["dst"]: e.get("state", []) for e in json.loads(output("ip", "-j", "-4", "neigh", "show", "dev", rail.name, "nud", "all"))}


def plant(rail, address, *more):
    output("ip", "neigh", "replace", address, "lladdr", PLANTED, "dev", rail.name, *more)


def write_file(path, text):
    if os.path.islink(path):
        os.unlink(path)
    with open(path, "w") as f:
        f.write(text)


class Listener:
    """A program that prints what it hears, line by line, into a file."""

    def __init__(self, argv, greeting=None):
        self.path = "/tmp/%s-heard" % argv[0]
        with open(self.path, "w") as heard:
            self.process = subprocess.Popen(argv, stdout=heard, stderr=subprocess.PIPE if greeting else subprocess.DEVNULL, text=True)
        while greeting and greeting not in self.process.stderr.readline():
            pass

    def until_heard(self, word, provoke):
        """Provokes until the word is there: a listener may need a while to listen."""
        def heard():
            provoke()
            return word in read(self.path)
        until(heard, seconds=30, what="%s in the output of %s" % (word, self.process.args))

    def end(self):
        self.process.send_signal(signal.SIGINT)
        self.process.wait(timeout=30)
        return [line for line in read(self.path).splitlines() if line.strip()]


# the rails themselves

def test_apply_sets_every_rail_and_a_second_one_touches_nothing():
    forget()
    plan().expect(2)
    equal(sysctl("rail0", "arp_ignore"), 0)
    done = apply().expect(0)
    for rail in RAILS:
        is_right(rail.name)
        equal(done.outcome("arp/%s/arp-ignore" % rail.name), "changed")
    equal([line for line in read(OURS).splitlines() if "rail3/" in line],
          ["net/ipv4/conf/rail3/arp_announce = 2", "net/ipv4/conf/rail3/arp_ignore = 1"])
    before = os.stat(OURS)
    frames, events = Listener(["tcpdump", "-l", "-n", "-i", "any", "arp"], "listening on"), Listener(["ip", "monitor", "link", "neigh"])
    events.until_heard("rail7", lambda: output("ip", "link", "set", "rail7", "alias", "begin"))
    second = apply().expect(0)
    equal(second.report["changed"], False)
    # What was sent comes before what is provoked now: the listeners are alive, and heard nothing else.
    events.until_heard("10.0.8.77", lambda: plant(RAILS[7], "10.0.8.77", "nud", "stale"))
    frames.until_heard("10.0.8.78", lambda: run("ip", "neigh", "replace", "10.0.8.78", "dev", "rail7", "use"))
    after = os.stat(OURS)
    equal((after.st_mtime_ns, after.st_ino), (before.st_mtime_ns, before.st_ino))
    equal([line for line in events.end() if not re.search("^ |rail7", line)], [])
    equal([line for line in frames.end() if "10.0.8.78" not in line], [])


def test_H06_a_rebuilt_rail_has_lost_its_settings_and_check_says_so():
    forget()
    apply().expect(0)
    RAILS[5].become("mlx5")
    RAILS[5].up()
    output("ip", "addr", "replace", "10.0.6.1/24", "dev", RAILS[5].name)
    if sysctl(RAILS[5].name, "arp_ignore") == 1:  # udev has replayed our file, which is what it is for
        equal(check().expect(0).outcome("arp/%s/arp-ignore" % RAILS[5].name), "in-sync")
    with open("/proc/sys/net/ipv4/conf/%s/arp_ignore" % RAILS[5].name, "w") as f:
        f.write("0")
    # What was learned meanwhile may be wrong: the flush follows from the setting.
    equal(check().expect(2).with_outcome("drifted"), ["arp/%s/arp-ignore" % RAILS[5].name, "neighbour/%s" % RAILS[5].name])
    apply().expect(0)
    is_right(RAILS[5].name)


def test_H01_all_four_over_a_rail_with_one_is_failed_and_named():
    forget()
    try:
        with open("/proc/sys/net/ipv4/conf/all/arp_ignore", "w") as f:
            f.write("4")
        done = apply().expect(3)
        entry = done.resources["arp/rail0/arp-ignore"]
        equal((entry["outcome"], sysctl("rail0", "arp_ignore"), sysctl("all", "arp_ignore")), ("failed", 1, 4))
        assert "all" in entry["reason"], entry
    finally:
        with open("/proc/sys/net/ipv4/conf/all/arp_ignore", "w") as f:
            f.write("0")


# neighbour entries

def test_H07_H08_a_change_flushes_learned_entries_and_announces_the_rail():
    forget()
    rail = RAILS[0]
    plant(rail, "10.0.1.10", "nud", "stale")
    plant(rail, "10.0.1.11", "nud", "permanent")
    plant(rail, "10.0.1.12", "nud", "noarp")
    plant(rail, "10.0.1.13", "nud", "stale", "extern_learn")
    listener = Listener(["tcpdump", "-l", "-n", "-e", "-i", rail.name, "arp"], "listening on")
    done = apply().expect(0)
    frames = listener.end()
    announced = re.compile(r"%s > ff:ff:ff:ff:ff:ff.*(Announcement 10\.0\.1\.1|who-has 10\.0\.1\.1 .*tell 10\.0\.1\.1)," % rail.link()["address"])
    assert [line for line in frames if announced.search(line)], frames
    shown = neighbours(rail)
    assert shown.get("10.0.1.10", ["FAILED"]) in (["FAILED"], ["INCOMPLETE"]), shown
    equal([shown["10.0.1.%d" % n] for n in (11, 12, 13)], [["PERMANENT"], ["NOARP"], ["STALE"]])
    findings = done.findings()
    for identity in ("neighbour.static", "neighbour.foreign", "neighbour.not-back"):
        assert identity in findings, findings.keys()
    assert not os.path.exists("%s/%d" % (PENDING, rail.ifindex))
    run("ip", "neigh", "flush", "dev", rail.name, "nud", "all")


def test_H15_a_run_killed_before_its_flush_is_done_is_completed_by_the_next():
    forget()
    plant(RAILS[0], "10.0.1.10", "nud", "stale")
    # The first file that a run takes away is the mark of the first rail's flush.
    killed = run("strace", "-f", "-o", "/tmp/kill-trace", "-e", "trace=unlink,unlinkat", "-e", "inject=unlink,unlinkat:error=EIO:signal=KILL:when=1",
                 "/usr/bin/fabricctl", "apply", timeout=120)
    assert killed.returncode in (-signal.SIGKILL, 128 + signal.SIGKILL), (killed.returncode, read("/tmp/kill-trace"))
    assert os.path.exists("%s/%d" % (PENDING, RAILS[0].ifindex)), "the run was not killed in time"
    equal(sysctl("rail0", "arp_ignore"), 1)
    plant(RAILS[0], "10.0.1.10", "nud", "stale")
    found = check().expect(2)
    equal(found.outcome("neighbour/rail0"), "drifted")
    equal(found.outcome("arp/rail0/arp-ignore"), "in-sync")
    equal(apply().expect(0).outcome("neighbour/rail0"), "changed")
    assert neighbours(RAILS[0]).get("10.0.1.10", ["FAILED"]) in (["FAILED"], ["INCOMPLETE"]), neighbours(RAILS[0])
    assert not os.listdir(PENDING), os.listdir(PENDING)
    equal(apply().expect(0).report["changed"], False)


def test_probe_tells_rails_that_hear_each_other_from_those_that_do_not():
    forget()
    apply().expect(0)
    RAILS[0].flag(wire=1)
    seen = fabricctl("status", "--probe-l2").expect(0).report
    text = json.dumps(seen)
    assert '"shared"' in text and '"not observed"' in text, text[:2000]
    found = check("--probe").expect(0)
    shared = [f for f in found.report["findings"] if f["id"] == "arp.shared-l2"]
    assert any("rail0" in f["evidence"] and "rail1" in f["evidence"] and f["summary"].startswith("shared") for f in shared), shared
    asked = fabricctl("status", "--audit", "10.0.1.99").expect(0).report["audit"]["answers"]
    equal([(a["interface"], a["macs"], a["error"]) for a in asked], [("rail0", [], "")])
    own = fabricctl("peers", "export").expect(0)
    assert "10.0.1.1" in own.stdout and RAILS[0].link()["address"] in own.stdout, own.stdout


# interfaces above a rail

def test_H05_the_addresses_of_a_vlan_get_the_settings_there():
    forget()
    rail = RAILS[1]
    output("ip", "addr", "flush", "dev", rail.name)
    output("ip", "link", "add", "link", rail.name, "name", "rail1.100", "type", "vlan", "id", "100")
    try:
        output("ip", "link", "set", "rail1.100", "up")
        output("ip", "addr", "add", "10.1.1.1/24", "dev", "rail1.100")
        done = apply().expect(0)
        equal(done.outcome("arp/rail1.100/arp-ignore"), "changed")
        is_right("rail1.100")
        equal(sysctl("rail1", "arp_ignore"), 0)
        assert "net/ipv4/conf/rail1.100/arp_ignore = 1\n" in read(OURS), read(OURS)
        check().expect(0)
    finally:
        run("ip", "link", "del", "rail1.100")


def test_the_addresses_of_a_bond_get_the_settings_there():
    forget()
    members = RAILS[6:8]
    output("ip", "link", "add", "bond7", "type", "bond", "mode", "active-backup", "miimon", "100")
    try:
        for rail in members:
            output("ip", "addr", "flush", "dev", rail.name)
            output("ip", "link", "set", rail.name, "down")
            output("ip", "link", "set", rail.name, "master", "bond7")
        output("ip", "link", "set", "bond7", "up")
        output("ip", "addr", "add", "10.1.7.1/24", "dev", "bond7")
        until(lambda: "LOWER_UP" in json.loads(output("ip", "-j", "link", "show", "dev", "bond7"))[0]["flags"], what="the carrier of bond7")
        equal(apply().expect(0).outcome("arp/bond7/arp-ignore"), "changed")
        is_right("bond7")
        check().expect(0)
    finally:
        run("ip", "link", "del", "bond7")
        for rail in members:
            rail.up()


# the next boot

def test_H04_a_later_file_is_named_before_the_boot_and_left_alone():
    forget()
    write_file(LAST, "net.ipv4.conf.rail2.arp_ignore = 0\n")
    done = apply().expect(3)
    entry = done.resources["arp/rail2/persist"]
    equal(entry["outcome"], "failed")
    assert LAST in entry["reason"], entry
    is_right("rail2")
    equal(read(LAST), "net.ipv4.conf.rail2.arp_ignore = 0\n")
    found = check()
    assert found.code != 0 and LAST in found.resources["arp/rail2/persist"]["reason"], found.stdout
    os.unlink(LAST)
    check().expect(0)


def test_H04_settings_are_there_before_a_reboot_with_a_file_that_says_the_opposite():
    forget()
    write_file(RIVAL, "".join("net.ipv4.conf.%s.%s = %d\n" % (rail.name, key, value) for rail in RAILS
                              for key, value in (("arp_ignore", 0), ("arp_announce", 0), ("log_martians", 1))))
    apply().expect(0)
    for rail in RAILS:
        is_right(rail.name)


@after_reboot
def test_H04_settings_survive_a_reboot_with_a_file_that_says_the_opposite():
    for rail in RAILS:
        until(lambda: sysctl(rail.name, "log_martians") == 1, what="the other file's settings on " + rail.name)
        is_right(rail.name)
        output("ip", "addr", "add", "10.0.%d.1/24" % (rail.index + 1), "dev", rail.name)
    check().expect(0)
    os.unlink(RIVAL)
