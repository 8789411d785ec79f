"""Which capabilities a run needs, found by taking them away one by one, against what the units leave it."""
import os
import re

import host
import server
from fabricctl import PROGRAM, Run, profile
from host import RAILS, output, read, run, write
from witness import equal

BOOT = {"kernels": ["6.12"]}

UNIT_DIRECTORIES = ("/usr/lib/systemd/system/", "/usr/local/lib/systemd/system/")
HEAD = "version: 1\nname: privilege\nrails: { match: [{ rdma: \"mlx5_*\" }], expect: 8 }\n"
NETWORK = HEAD + "mtu: 4200\npause: { rx: off, tx: off }\ndcb: { lossless: { priority: 3, dscp: 26, buffer: 1 } }\necn: {}\n"
ARP = HEAD + "arp: { persist: true }\nneighbours: { flush: when-changed, announce: true }\n"
ACS = "version: 1\nname: privilege\nacs: { clear: redirect, on-guest: proceed }\n"
MODULE = "version: 1\nname: privilege\nmodules: [dummy]\n"
PERSISTENT = "/etc/sysctl.d/99-zz-fabricctl.conf"


def bounding_set(unit):
    for directory in UNIT_DIRECTORIES:
        if os.path.exists(directory + unit):
            line = re.search(r"^CapabilityBoundingSet=(.*)$", read(directory + unit), re.M)
            return {word[len("CAP_"):].lower() for word in line.group(1).split()}
    raise AssertionError("no unit " + unit)


def without(capabilities, verb):
    """One run whose bounding set lacks these; root gets no other at its start."""
    drop = ",".join("-" + name for name in sorted(capabilities))
    argv = ["setpriv", "--bounding-set", drop, PROGRAM] if capabilities else [PROGRAM]
    return Run([*argv, verb, "--format", "json"])


def said(done):
    assert done.report is not None, (done.argv, done.code, done.stdout[-500:], done.stderr[-1500:])
    outcomes = {r["id"]: r["outcome"] for r in done.report["resources"]}
    return done.code, outcomes, sorted(f["id"] for f in done.report["findings"])


def everything():
    last = int(read("/proc/sys/kernel/cap_last_cap"))
    names = [line.split()[0] for line in output("setpriv", "--list-caps").splitlines()]
    return set(names[:last + 1])


def needed(name, verb, text, prepare, granted, known):
    """The capabilities among the granted ones, but for those known to be needed, without which a run says something else; all
    others are taken away at once first."""
    def attempt(capabilities):
        prepare()
        profile(text)
        return said(without(capabilities, verb))
    whole = attempt(set())
    others = everything() - granted
    equal(attempt(others), whole, "%s %s with no others" % (verb, name))
    found = {one for one in granted - known if attempt(others | {one}) != whole}
    print("privilege: %-6s %-8s needs %s; not %s" % (verb, name, " ".join(sorted(found)) or "nothing more",
                                                    " ".join(sorted(granted - known - found))), flush=True)
    return found


def union(verb, granted, tasks):
    """What all of these need together; each is asked only for what the ones before it did not need."""
    found = set()
    for name, text, prepare in tasks:
        found |= needed(name, verb, text, prepare, granted, found)
    return found


def fresh_arp():
    host.fresh()
    if os.path.exists(PERSISTENT):
        os.unlink(PERSISTENT)
    batch = ""
    for rail in RAILS:
        for key in ("arp_ignore", "arp_announce"):
            write("/proc/sys/net/ipv4/conf/%s/%s" % (rail.name, key), "0")
        batch += "addr replace 10.0.%d.1/24 dev %s\n" % (rail.index + 1, rail.name)
    run("ip", "-force", "-batch", "-", input=batch)


def fresh_module():
    run("modprobe", "-r", "dummy")
    if os.path.exists("/etc/modules-load.d/fabricctl.conf"):
        os.unlink("/etc/modules-load.d/fabricctl.conf")


def fresh_service():
    server.install()
    # Only the service's user may read what it reads by itself.
    server.put(server.LATE, "MINIO_RDMA_INTERNODE=on\n", 0o600)
    run("chown", "minio-user", server.LATE)
    os.chmod(server.LATE, 0o600)
    run("rm", "-rf", "/run/fabricctl/program-version")


TASKS = (("network", NETWORK, host.fresh), ("arp", ARP, fresh_arp), ("acs", ACS, host.fresh), ("module", MODULE, fresh_module),
         ("service", server.RESTARTING, fresh_service))


def test_apply_needs_what_its_unit_leaves_it_and_nothing_else():
    granted = bounding_set("fabricctl.service")
    found = union("apply", granted, TASKS)
    equal(found, granted, "what apply needs, and CapabilityBoundingSet of fabricctl.service")


def test_the_early_apply_needs_what_its_unit_leaves_it_and_nothing_else():
    granted = bounding_set("fabricctl-early.service")
    early = [task for task in TASKS if task[0] in ("acs", "module")]
    found = union("apply", granted, early)
    equal(found, granted, "what the early apply needs, and CapabilityBoundingSet of fabricctl-early.service")


def test_check_needs_what_its_unit_leaves_it_and_nothing_else():
    granted = bounding_set("fabricctl-check.service")
    found = union("check", granted, TASKS)
    equal(found, granted, "what check needs, and CapabilityBoundingSet of fabricctl-check.service")
