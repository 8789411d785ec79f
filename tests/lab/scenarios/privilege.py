"""Which capabilities and system calls a run needs, against what the units leave it: capabilities by taking them away one by one,
sets of system calls by what the run calls."""
import os
import re

import host
import server
from fabricctl import PROGRAM, Run, profile
from host import RAILS, output, read, run, write
from witness import equal

# What takes minutes is left to scripts/soak: a run for each capability and each thing that is written.
BOOT = {"kernels": ["6.12"], "soak": ["test_each_set_of_system_calls_that_a_unit_leaves_is_called_and_no_other",
                                      "test_apply_needs_what_its_unit_leaves_it_and_nothing_else",
                                      "test_restore_needs_what_it_puts_back_and_nothing_else"]}

UNIT_DIRECTORIES = ("/usr/lib/systemd/system/", "/usr/local/lib/systemd/system/")
HEAD = "version: 1\nname: privilege\nrails: { match: [{ rdma: \"mlx5_*\" }], expect: 8 }\n"
NETWORK = HEAD + "mtu: 4200\npause: { rx: off, tx: off }\ndcb: { lossless: { priority: 3, dscp: 26, buffer: 1 } }\necn: {}\n"
ARP = HEAD + "arp: { persist: true }\nneighbours: { flush: when-changed, announce: true }\n"
ACS = "version: 1\nname: privilege\nacs: { clear: redirect, on-guest: proceed }\n"
EVERYTHING = NETWORK + "arp: { persist: true }\nacs: { clear: redirect, on-guest: proceed }\n"
MODULE = "version: 1\nname: privilege\nmodules: [dummy]\n"
PERSISTENT = "/etc/sysctl.d/99-zz-fabricctl.conf"
COUNTS = "/tmp/system-calls"


def settings_of(unit, key):
    """The values of all lines of the unit's file that set this."""
    for directory in UNIT_DIRECTORIES:
        if os.path.exists(directory + unit):
            return re.findall(r"^%s=(.*)$" % key, read(directory + unit), re.M)
    raise AssertionError("no unit " + unit)


def bounding_set(unit):
    (line,) = settings_of(unit, "CapabilityBoundingSet")
    return {word[len("CAP_"):].lower() for word in line.split()}


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


def something_to_put_back():
    """Of everything that a restore writes; the file was another user's, whom alone it is readable by."""
    run("rm", "-rf", "/var/lib/fabricctl/snapshots", "/var/lib/fabricctl/baseline.json")
    fresh_arp()
    with open(PERSISTENT, "w") as f:
        f.write("# another's\n")
    os.chown(PERSISTENT, 65534, 65534)
    os.chmod(PERSISTENT, 0o600)
    profile(EVERYTHING)
    Run([PROGRAM, "apply", "--format", "json"]).expect(0)


def test_restore_needs_what_it_puts_back_and_nothing_else():
    granted = bounding_set("fabricctl.service") | {"chown", "fowner"}
    found = needed("everything", "restore", EVERYTHING, something_to_put_back, granted, set())
    equal(found, {"net_admin", "sys_admin", "chown", "fowner", "dac_read_search"}, "what restore needs")


def call_sets():
    """Each set of system calls that systemd knows, with the calls and sets in it."""
    sets, name = {}, None
    for line in output("systemd-analyze", "syscall-filter").splitlines():
        words = line.split("#")[0].split()
        if words and line.startswith("@"):
            name = words[0]
            sets[name] = set()
        elif words and name:
            sets[name].add(words[0])
    return sets


def calls_of(word, sets):
    return set().union(*(calls_of(each, sets) for each in sets[word])) if word.startswith("@") else {word}


def left_by(unit, sets):
    """The words of SystemCallFilter= that allow, with the larger sets taken apart, but for those that it forbids again."""
    words = [line.split() for line in settings_of(unit, "SystemCallFilter")]
    allowed = {word for line in words if not line[0].startswith("~") for word in line}
    forbidden = {word.lstrip("~") for line in words if line[0].startswith("~") for word in line}
    parts = {part for word in allowed for part in sets[word] if part.startswith("@")}
    return allowed | parts, forbidden


def called(unit, tasks):
    """Every system call of the unit's command, its children's too, on machines that need all that it does."""
    (command,) = settings_of(unit, "ExecStart")
    calls = set()
    for _, text, prepare in tasks:
        prepare()
        profile(text)
        run("strace", "-f", "-c", "-S", "name", "-o", COUNTS, *command.split(), timeout=600)
        rows = [line.split() for line in read(COUNTS).splitlines()]
        calls |= {row[-1] for row in rows if len(row) > 4 and row[0][0].isdigit() and row[-1] != "total"}
    assert "recvmsg" in calls, calls
    return calls


AWAITED = {"@io-event"}  # a run that waits for the lock or for a rail polls, and most do not wait


def compared(unit, tasks):
    """Calls that the unit's filter forbids and its command makes, and sets that it allows and nothing needs."""
    sets = call_sets()
    words, forbidden = left_by(unit, sets)
    calls = called(unit, tasks)
    allowed = set().union(*(calls_of(word, sets) for word in words - forbidden)) - \
        set().union(*(calls_of(word, sets) for word in forbidden))
    used = {word for word in words if word.startswith("@") and calls_of(word, sets) & calls}
    print("system calls: %s calls %s; not %s" % (unit, " ".join(sorted(used)),
                                                " ".join(sorted(word for word in words - used if word.startswith("@")))), flush=True)
    superfluous = {word for word in words - forbidden if word.startswith("@") and word not in used | AWAITED}
    return sorted(calls - allowed), sorted(superfluous)


def test_each_set_of_system_calls_that_a_unit_leaves_is_called_and_no_other():
    early = [task for task in TASKS if task[0] in ("acs", "module")]
    units = {"fabricctl.service": TASKS, "fabricctl-early.service": early, "fabricctl-check.service": TASKS}
    equal({unit: compared(unit, tasks) for unit, tasks in units.items()}, {unit: ([], []) for unit in units},
          "calls that SystemCallFilter= forbids and a unit makes, sets that it allows and nothing calls")
