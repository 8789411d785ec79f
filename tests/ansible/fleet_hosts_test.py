#!/usr/bin/python3
"""The collection brings three hosts from nothing to the state of a profile: network namespaces on one bridge, each with two
rails and a root directory of its own, over which this machine's lies unchanged. Then one rail of one host is broken.

Usage: fleet_hosts_test.py FABRICCTL UNITS. Needs root."""
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import collection
from collection import command

PROGRAM = pathlib.Path(sys.argv[1]).resolve()
UNITS = pathlib.Path(sys.argv[2]).resolve()
SKIPPED = 77  # what meson takes for a test that could not be run
HOSTS = ["node1", "node2", "node3"]
RAILS = ["rail0", "rail1"]
MTU = 4200
PROFILE = f"""
version: 1
name: lab
rails:
  match: [{{interface: "rail?"}}]
  expect: 2
mtu: {MTU}
arp: {{ignore: 1, announce: 2}}
neighbours: {{flush: when-changed}}
"""
# A root directory over this machine's: what a host writes goes to memory.
ROOT = """set -e
mount --make-rprivate /
mount -t tmpfs none "$1"
mkdir "$1/upper" "$1/work" "$1/root"
mount -t overlay none "$1/root" -o "lowerdir=/,upperdir=$1/upper,workdir=$1/work"
cd "$1/root"
mount -t proc none proc
mount -t sysfs none sys
mount --rbind /dev dev
mount -t tmpfs -o mode=755 none run
mount -t tmpfs -o mode=1777 none tmp
rm -rf etc/fabricctl var/lib/fabricctl usr/bin/fabricctl etc/sysctl.d/99-zz-fabricctl.conf
mkdir -p var/lib/systemctl
hostname "$2"
ip link set lo up
exec chroot . sleep infinity
"""
# No systemd runs in the hosts: what would be asked of it is kept in files.
SYSTEMCTL = """#!/bin/sh
kept=/var/lib/systemctl
verb=$1 unit=$2
case $verb in
    show)
        [ -e "/lib/systemd/system/$unit" ] && load=loaded || load=not-found
        [ -e "$kept/$unit.start" ] && active=active || active=inactive
        printf 'Id=%s\\nLoadState=%s\\nActiveState=%s\\n' "$unit" "$load" "$active" ;;
    is-enabled) [ -e "$kept/$unit.enable" ] && echo enabled || { echo disabled; exit 1; } ;;
    enable|start) touch "$kept/$unit.$verb" ;;
    *) echo "systemctl $*: not expected" >&2; exit 1 ;;
esac
"""


def until(holds, what):
    deadline = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < deadline, what + " did not come"
        time.sleep(0.01)


class Host:
    def __init__(self, folder, name):
        self.name = name
        where = folder / name
        where.mkdir()
        self.process = subprocess.Popen(["unshare", "--net", "--mount", "--uts", "/bin/sh", "-c", ROOT, "sh", where, name])
        self.root = pathlib.Path(f"/proc/{self.process.pid}/root")
        until(lambda: self.process.poll() is None and self.comm() == "sleep", name)
        systemctl = self.root / "usr/local/bin/systemctl"
        systemctl.write_text(SYSTEMCTL)
        systemctl.chmod(0o755)

    def comm(self):
        return pathlib.Path(f"/proc/{self.process.pid}/comm").read_text().strip()

    def run(self, *argv, code=0):
        return command("nsenter", "--target", self.process.pid, "--net", "--mount", "--uts", "--root", "--wd=/", *argv, code=code)

    def sysctl(self, rail, key):
        return self.run("cat", f"/proc/sys/net/ipv4/conf/{rail}/{key}").strip()

    def mtu(self, rail):
        return json.loads(self.run("ip", "-j", "link", "show", rail))[0]["mtu"]


class Lab:
    """The hosts and the bridge between them, which is a network namespace too."""

    def __init__(self, folder):
        self.folder = folder
        self.switch = subprocess.Popen(["unshare", "--net", "sleep", "infinity"])
        until(lambda: pathlib.Path(f"/proc/{self.switch.pid}/comm").read_text().strip() == "sleep", "the switch")
        self.at_switch("ip", "link", "add", "br0", "mtu", str(MTU), "type", "bridge", "forward_delay", "0")
        self.at_switch("ip", "link", "set", "br0", "up")
        self.hosts = [Host(folder, name) for name in HOSTS]
        for number, host in enumerate(self.hosts, 1):
            for rail, name in enumerate(RAILS):
                port = f"p{number}{rail}"
                self.at_switch("ip", "link", "add", port, "mtu", str(MTU), "type", "veth", "peer", "name", name,
                               "address", f"02:00:00:00:0{number}:0{rail}", "netns", str(host.process.pid))
                self.at_switch("ip", "link", "set", port, "master", "br0", "up")
                host.run("ip", "link", "set", name, "up", "mtu", "1500")
                host.run("ip", "addr", "add", f"10.0.{rail}.{number}/24", "dev", name)

    def at_switch(self, *argv):
        command("nsenter", "--target", self.switch.pid, "--net", *argv)

    def end(self):
        for process in [host.process for host in getattr(self, "hosts", [])] + [self.switch]:
            process.kill()
            process.wait()


def package(folder):
    """A package of the program of this build with its units; the real one is tried by tests/package."""
    tree = folder / "tree"
    (tree / "DEBIAN").mkdir(parents=True)
    (tree / "DEBIAN/control").write_text("Package: fabricctl\nVersion: 0.0.1\nArchitecture: all\nMaintainer: nobody <nobody@localhost>\n"
                                         "Description: the program of this build\n")
    (tree / "usr/bin").mkdir(parents=True)
    shutil.copy2(PROGRAM, tree / "usr/bin/fabricctl")
    units = tree / "lib/systemd/system"
    units.mkdir(parents=True)
    for unit in [*UNITS.glob("*.service"), *UNITS.glob("*.timer")]:
        shutil.copy2(unit, units)
    # As dpkg has it on a system where /lib is a link.
    (tree / "usr/lib").mkdir(exist_ok=True)
    shutil.move(tree / "lib/systemd", tree / "usr/lib/systemd")
    (tree / "lib").rmdir()
    for path in tree.rglob("*"):
        path.chmod(0o755 if path.is_dir() or path.name == "fabricctl" else 0o644)
    command("dpkg-deb", "--root-owner-group", "-Znone", "--build", tree, folder / "fabricctl.deb")
    return folder / "fabricctl.deb"


class Controller:
    def __init__(self, lab):
        self.folder = lab.folder
        collection.install(self.folder)
        self.facts = self.folder / "facts"
        profile = self.folder / "site.yaml"
        profile.write_text(PROFILE)
        profile.chmod(0o644)
        hosts = {host.name + ".lab": {"lab_process": host.process.pid} for host in lab.hosts}
        self.inventory = self.folder / "hosts.json"
        self.inventory.write_text(json.dumps({"fabric": {"hosts": hosts, "vars": {
            "ansible_connection": "labhost", "ansible_become": False, "ansible_python_interpreter": "/usr/bin/python3",
            "fabricctl_package_file": str(package(self.folder)), "fabricctl_profile": PROFILE, "fabricctl_confirm_within": "120s",
            "fabricctl_max_disruption": "link"}}, "all": {"vars": {
                "fabricctl_facts_directory": str(self.facts), "fabricctl_controller_executable": str(PROGRAM),
                "fabricctl_fleet_profile": str(profile),
                "ansible_python_interpreter": "/usr/bin/python3"}}}))

    def play(self, name, *more, code=0):
        began = time.monotonic()
        env = dict(collection.environment(self.folder), ANSIBLE_PIPELINING="1", ANSIBLE_FORKS="3")
        out = command("ansible-playbook", "-i", self.inventory, "fabricctl.fabric." + name, *more, code=code, env=env)
        print(f"{name} {' '.join(more)}: {time.monotonic() - began:.1f} s", flush=True)
        recap = {host: {word: int(count) for word, count in re.findall(r"(\w+)=(\d+)", counts)}
                 for host, counts in re.findall(r"^(\S+) +: (ok=.*)$", out, re.M)}
        return out, recap


def changes(recap):
    return {host: counts["changed"] for host, counts in recap.items() if host != "localhost"}


def as_wanted(host):
    return all(host.mtu(rail) == MTU and host.sysctl(rail, "arp_ignore") == "1" and host.sysctl(rail, "arp_announce") == "2"
               for rail in RAILS)


def with_variables(**variables):
    return "-e", json.dumps(variables)


AT_ONCE = with_variables(fabricctl_serial="100%")


def only_the_profile(text):
    """A play that only deploys and applies this one."""
    return with_variables(fabricctl_serial="100%", fabricctl_install=False, fabricctl_enable_units=False, fabricctl_profile=text)


def from_nothing_to_a_fleet(lab):
    control = Controller(lab)
    # A dry run of a host without the program writes nothing and says what it cannot say.
    out, recap = control.play("site", "--check", "--limit", "node1.lab", *AT_ONCE)
    assert "is not on this host" in out and changes(recap)["node1.lab"] == 1, out
    first = lab.hosts[0]
    assert not (first.root / "etc/fabricctl").exists() and first.mtu("rail0") == 1500
    # One host, then the others; then the facts are compared.
    out, recap = control.play("site", *with_variables(fabricctl_serial=[1, "100%"]))
    assert len(recap) == 4 and all(count > 0 for count in changes(recap).values()), out
    assert all(map(as_wanted, lab.hosts)), out
    assert re.findall(r"^(node\d)\.lab +: ok", out, re.M) == HOSTS
    for host in lab.hosts:
        assert (host.root / "etc/fabricctl/profile.yaml").read_text().strip() == PROFILE.strip()
        kept = {path.name for path in (host.root / "var/lib/systemctl").iterdir()}
        assert kept == {"fabricctl-early.service.enable", "fabricctl.service.enable", "fabricctl-check.timer.enable",
                        "fabricctl-check.timer.start"}, kept
        assert not (host.root / "var/lib/fabricctl/confirm.json").exists(), "it waits to be undone"
        assert not pathlib.Path("/etc/fabricctl/profile.yaml").exists() or PROFILE not in pathlib.Path("/etc/fabricctl/profile.yaml").read_text()
    assert sorted(path.name for path in control.facts.glob("*.json")) == [name + ".lab.json" for name in HOSTS]
    # Again: nothing is changed, and a dry run says so.
    out, recap = control.play("site", *AT_ONCE)
    assert changes(recap) == {name + ".lab": 0 for name in HOSTS}, out
    # A dry run with another profile tells what it would change, and changes nothing: neither the rails nor the profile.
    out, recap = control.play("site", "--check", "--diff", "--limit", "node2.lab", *only_the_profile(PROFILE.replace(str(MTU), "4300")))
    assert changes(recap)["node2.lab"] == 2 and re.search(r"^-4200$", out, re.M) and re.search(r"^\+4300$", out, re.M), out
    assert "mtu/rail0" in out and as_wanted(lab.hosts[1]), out
    assert "4300" not in (lab.hosts[1].root / "etc/fabricctl/profile.yaml").read_text()
    # A profile that is wrong does not take the place of the one that is right.
    out, _ = control.play("site", "--limit", "node3.lab", *only_the_profile(PROFILE.replace("mtu:", "mut:")), code=2)
    assert "mut" in out and (lab.hosts[2].root / "etc/fabricctl/profile.yaml").read_text().strip() == PROFILE.strip(), out
    # One rail of one host differs, and one host cannot be reached: its old facts do not stand for it.
    lab.hosts[1].run("ip", "link", "set", "rail1", "mtu", "1500")
    lab.hosts[2].process.kill()
    lab.hosts[2].process.wait()
    out, recap = control.play("fleet", code=2)
    assert re.search(r"fail mtu: .*1500 .*node2.*rail1", out), out
    assert re.search(r"fail host.missing: .*node3", out), out
    assert not any(changes(recap).values()), recap


def main():
    if os.geteuid() != 0:
        print("needs root: namespaces, and programs that change the host")
        return SKIPPED
    for program in ("ansible-playbook", "ansible-galaxy", "nsenter", "dpkg-deb"):
        collection.require(program)
    with tempfile.TemporaryDirectory() as folder:
        lab = Lab(pathlib.Path(folder))
        try:
            from_nothing_to_a_fleet(lab)
        finally:
            lab.end()
    print("ok")
    return 0


sys.exit(main())
