#!/usr/bin/python3
"""The built program on two hosts with two rails each, all four on one bridge, on the real kernel. Judged by /proc/sys,
`ip -j neigh`, `ip monitor` and packet sockets.

Usage: whole_program_test.py FABRICCTL. Runs as root in network and mount namespaces of its own."""
import ctypes
import json
import os
import pathlib
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time

PROGRAM = os.path.abspath(sys.argv[1])
SKIPPED = 77  # what meson takes for a test that could not be run
CLONE_NEWNET, CLONE_NEWNS = 0x40000000, 0x00020000
LIBC = ctypes.CDLL(None, use_errno=True)
ARP, ANY_PROTOCOL = 0x0806, 0x0003
MACS = {"a1": "02:00:00:00:0a:01", "a2": "02:00:00:00:0a:02", "b1": "02:00:00:00:0b:01", "b2": "02:00:00:00:0b:02"}
SEPARATE = {"a1": "10.0.1.1/24", "a2": "10.0.2.1/24", "b1": "10.0.1.2/24", "b2": "10.0.2.2/24"}
TRIES = 8
PROFILE = """\
version: 1
name: two-hosts
rails:
  match: [{ interface: "a?" }, { interface: "b?" }]
arp: { ignore: 1, announce: 2 }
neighbours: { flush: when-changed }
"""
OURS = pathlib.Path("/etc/sysctl.d/99-zz-fabricctl.conf")


def cannot(what):
    raise OSError(ctypes.get_errno(), what)


def command(*argv):
    done = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, (argv, done.stdout, done.stderr)
    return done.stdout


def until(holds, what):
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline, what + " did not come"


class Host:
    """A network namespace with a folder for its inventory and profile."""

    def __init__(self, folder):
        if LIBC.unshare(CLONE_NEWNET) != 0:
            cannot("unshare the network")
        self.fd = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
        command("ip", "link", "set", "lo", "up")
        self.profile = folder / ("p%d.yaml" % self.fd)
        self.peers = folder / "peers"
        self.peers.mkdir(exist_ok=True)
        self.profile.write_text(PROFILE)
        self.profile.chmod(0o644)

    def enter(self):
        if LIBC.setns(self.fd, CLONE_NEWNET) != 0:
            cannot("enter a network namespace")
        return self

    def fabricctl(self, code, *arguments):
        self.enter()
        done = subprocess.run([PROGRAM, *arguments, "--format", "json"], capture_output=True, text=True, timeout=60, check=False)
        assert done.returncode == code, (arguments, done.returncode, done.stdout[-3000:], done.stderr)
        return json.loads(done.stdout)

    def run(self, code, verb, *more):
        report = self.fabricctl(code, verb, str(self.profile), "--only", "arp,neighbour", *more)
        return report, {entry["id"]: entry for entry in report["resources"]}

    def sysctl(self, interface, key, value=None):
        self.enter()
        path = pathlib.Path("/proc/sys/net/ipv4/conf/%s/%s" % (interface, key))
        if value is not None:
            path.write_text(str(value))
        return int(path.read_text())

    def cached(self, interface, address):
        self.enter()
        entries = json.loads(command("ip", "-j", "neigh", "show", address, "dev", interface) or "[]")
        return entries[0].get("lladdr") if entries else None

    def resolve(self, interface, address):
        self.enter()
        subprocess.run(["ip", "neigh", "del", address, "dev", interface], capture_output=True, check=False)
        command("ip", "neigh", "replace", address, "dev", interface, "use")
        until(lambda: self.cached(interface, address), "an answer of " + address)
        return self.cached(interface, address)


class Pair:
    """Hosts A and B and the switch between them."""

    def __init__(self, folder, addresses):
        self.switch = Host(folder)
        command("ip", "link", "add", "br0", "type", "bridge")
        command("ip", "link", "set", "br0", "up")
        self.a, self.b = Host(folder), Host(folder)
        for name in MACS:
            host = self.a if name[0] == "a" else self.b
            self.switch.enter()
            command("ip", "link", "add", "p" + name, "type", "veth", "peer", "name", name, "address", MACS[name])
            command("ip", "link", "set", name, "netns", "/proc/%d/fd/%d" % (os.getpid(), host.fd))
            command("ip", "link", "set", "p" + name, "master", "br0", "up")
            host.enter()
            command("ip", "link", "set", name, "up")
            command("ip", "addr", "add", addresses[name], "dev", name)
        self.address = {name: text.split("/")[0] for name, text in addresses.items()}
        until(lambda: self.answers("a1", "b1") and self.answers("a2", "b2"), "the bridge")

    def answers(self, own, peer):
        self.a.enter()
        command("ip", "neigh", "replace", self.address[peer], "dev", own, "use")
        return self.a.cached(own, self.address[peer])

    def wrong(self):
        """How often A, asking anew, keeps the MAC of B's other rail."""
        pairs = [("a1", "b1"), ("a2", "b2")] * TRIES
        return sum(self.a.resolve(own, self.address[peer]) != MACS[peer] for own, peer in pairs)

    def wrong_now(self):
        return [peer for own, peer in (("a1", "b1"), ("a2", "b2")) if self.a.cached(own, self.address[peer]) != MACS[peer]]


def test_an_apply_on_b_ends_the_flux_and_heals_the_cache_of_a(folder):
    pair = Pair(folder, SEPARATE)
    assert pair.wrong() > 0, "no flux to cure"
    for _ in range(4 * TRIES):
        if pair.wrong_now():
            break
        pair.wrong()
    assert pair.wrong_now(), "no wrong entry to heal"
    _, before = pair.b.run(2, "plan")
    assert before["arp/b1/arp-ignore"]["outcome"] == "drifted", before
    report, after = pair.b.run(0, "apply")
    assert after["arp/b1/arp-ignore"]["outcome"] == "changed" and report["changed"], report
    assert not [f for f in report["findings"] if f["id"] == "neighbour.not-back"], report["findings"]
    for name in ("b1", "b2"):
        assert (pair.b.sysctl(name, "arp_ignore"), pair.b.sysctl(name, "arp_announce")) == (1, 2)
        assert "net/ipv4/conf/%s/arp_ignore = 1\n" % name in OURS.read_text()
    until(lambda: not pair.wrong_now(), "the right MACs in the cache of A, which ran nothing,")
    assert pair.wrong() == 0


def test_a_wrong_entry_is_proven_by_the_inventory_and_corrected(folder):
    pair = Pair(folder, SEPARATE)
    pair.b.run(0, "apply")
    pair.a.run(0, "apply")
    for name in ("b1", "b2"):
        export = pair.b.fabricctl(0, "peers", "export", "--rail", name)
        (pair.a.peers / (name + ".json")).write_text(json.dumps(export))
    pair.a.profile.write_text(PROFILE.replace("when-changed", "when-changed, peers-from: %s" % pair.a.peers))
    pair.a.enter()
    command("ip", "neigh", "replace", pair.address["b1"], "lladdr", MACS["b2"], "dev", "a1", "nud", "stale")
    _, seen = pair.a.run(2, "check")
    entry = seen["neighbour/a1/" + pair.address["b1"]]
    assert entry["outcome"] == "drifted" and "b1 of" in entry["reason"] and "b2 of" in entry["reason"], entry
    _, done = pair.a.run(0, "apply")
    assert done[entry["id"]]["outcome"] == "changed", done
    assert pair.a.cached("a1", pair.address["b1"]) == MACS["b1"]


def test_a_second_apply_sends_nothing_and_leaves_files_alone(folder):
    pair = Pair(folder, SEPARATE)
    pair.b.run(0, "apply")
    before = OURS.stat()
    pair.switch.enter()
    taps = []
    for port in ("pb1", "pb2"):
        tap = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(ANY_PROTOCOL))
        tap.bind((port, ANY_PROTOCOL))
        taps.append(tap)
    pair.b.enter()
    with subprocess.Popen(["ip", "monitor", "link", "neigh"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as monitor:
        heard = b""
        while b"begin" not in heard:  # until it listens
            command("ip", "link", "set", "lo", "alias", "begin")
            if select.select([monitor.stdout], [], [], 0.1)[0]:
                heard += os.read(monitor.stdout.fileno(), 65536) + b"begin"
        report, _ = pair.b.run(0, "apply")
        assert report["changed"] is False, report
        frames = [frame for tap in taps for frame in received(tap) if int.from_bytes(frame[12:14], "big") == ARP]
        assert not frames, frames
        command("ip", "link", "set", "lo", "alias", "end")
        heard = b""
        while b": lo:" not in heard:  # everything that the run caused comes before this
            heard += os.read(monitor.stdout.fileno(), 65536)
        monitor.send_signal(signal.SIGINT)
    foreign = [line for line in heard.decode().splitlines() if "b1" in line or "b2" in line]
    assert not foreign, foreign
    after = OURS.stat()
    assert (after.st_mtime_ns, after.st_ino) == (before.st_mtime_ns, before.st_ino)


def received(tap):
    tap.setblocking(False)
    frames = []
    try:
        while True:
            frames.append(tap.recv(2048))
    except BlockingIOError:
        return frames


def test_an_audit_counts_two_macs_before_the_peer_is_right_and_one_after(folder):
    pair = Pair(folder, SEPARATE)
    asked = lambda: pair.a.fabricctl(0, "status", "--audit", pair.address["b1"], "--rail", "a1")["audit"]["answers"][0]["macs"]
    assert sorted(asked()) == [MACS["b1"], MACS["b2"]]
    pair.b.run(0, "apply")
    assert asked() == [MACS["b1"]]


def test_a_probe_hears_rails_on_one_bridge_and_not_off_it(folder):
    pair = Pair(folder, SEPARATE)
    pair.a.run(0, "apply")
    told = lambda: [f["summary"].split(":")[0] for f in pair.a.run(0, "check", "--probe")[0]["findings"] if f["id"] == "arp.shared-l2"]
    assert told() == ["shared"], told()
    pair.switch.enter()
    command("ip", "link", "set", "pa2", "nomaster")
    assert told() == ["not observed"], told()


def test_the_peers_port_is_asked_from_each_rail(folder):
    pair = Pair(folder, SEPARATE)
    inventory = folder / "asked.yaml"
    inventory.write_text("peers:\n" + "".join(f'  - {{ host: B, rail: {name}, address: {pair.address[name]}, mac: "{MACS[name]}" }}\n'
                                              for name in ("a1", "b1", "b2")))

    def asked():
        pair.a.enter()
        done = subprocess.run([PROGRAM, "doctor", "--profile", str(pair.a.profile), "--peers", str(inventory), "--format", "json"],
                              capture_output=True, text=True, timeout=60, check=False)
        answer = json.loads(done.stdout)
        verdicts = [rule["verdict"] for rule in answer["rules"] if rule["id"] == "peer.port"]
        return verdicts, {one["to"]: one for one in answer["peers"]["pairs"]}

    pair.b.enter()
    with socket.create_server((pair.address["b1"], 5555)) as first:
        verdicts, pairs = asked()
        assert sorted(pairs) == [pair.address["b1"], pair.address["b2"]], pairs  # its own address is no peer
        assert pairs[pair.address["b1"]]["open"] and pairs[pair.address["b1"]]["from"] == pair.address["a1"], pairs
        assert not pairs[pair.address["b2"]]["open"] and "refused" in pairs[pair.address["b2"]]["error"], pairs
        assert verdicts == ["fail"], verdicts
        assert first.accept()[1][0] == pair.address["a1"], "it came from the rail"
        pair.b.enter()
        with socket.create_server((pair.address["b2"], 5555)):
            assert asked()[0] == ["pass"]
        pair.switch.enter()
        command("ip", "link", "set", "pb1", "down")
        pair.a.enter()
        command("ip", "neigh", "flush", "dev", "a1")
        verdicts, pairs = asked()
        assert verdicts == ["fail"] and not pairs[pair.address["b1"]]["open"], (verdicts, pairs)


def prepare():
    if os.geteuid() != 0:
        return "needs root"
    if not pathlib.Path("/etc/sysctl.d").is_dir():
        return "there is no /etc/sysctl.d to cover"
    if LIBC.unshare(CLONE_NEWNS | CLONE_NEWNET) != 0:
        return "no namespaces of its own: " + os.strerror(ctypes.get_errno())
    command("mount", "--make-rprivate", "/")
    command("mount", "-t", "tmpfs", "none", "/run")
    command("mount", "-t", "tmpfs", "-o", "mode=0755", "none", "/var/lib")
    command("mount", "-t", "tmpfs", "none", "/etc/sysctl.d")
    return ""


def main():
    if reason := prepare():
        print(reason)
        return SKIPPED
    failures = 0
    for name, test in list(globals().items()):
        if not name.startswith("test_"):
            continue
        with tempfile.TemporaryDirectory() as folder:
            try:
                test(pathlib.Path(folder))
                print("ok", name)
            except AssertionError as error:
                failures += 1
                print("not ok", name, error)
        OURS.unlink(missing_ok=True)
    return 1 if failures else 0


sys.exit(main())
