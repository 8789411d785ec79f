"""One thing is broken at a time, and doctor names that one first: no other rule fails beside it. A healthy host has no alarm."""
import contextlib
import json
import os
import re
import subprocess

import dcbnl
import server
from fabricctl import LOSSLESS, PROFILE, Run, apply, fabricctl, profile
from host import RAILS, output, ports, read, run, write
from witness import equal

# One kernel: nothing that is broken here depends on it. Alone, because modules and lockdown are touched.
BOOT = {"kernels": ["6.12"], "alone": True, "as_long_as": 60}

SERVICE = server.PROFILE.split("name: lab-service\n")[1]
PEER = {rail.index: "02:00:00:00:aa:%02x" % rail.index for rail in RAILS}
HEALTHY = LOSSLESS + """\
modules: [ib_core, ib_uverbs, rdma_cm]
mtu: 9000
pause: { rx: off, tx: off }
arp: { ignore: 1, announce: 2 }
neighbours:
  flush: when-changed
  static: report
  announce: false
  peers:
""" + "".join("    - { host: node2, rail: rail%d, address: 10.0.%d.2, mac: '%s' }\n" % (n, n + 1, mac) for n, mac in PEER.items()) + SERVICE
VARIABLES = ("MINIO_RDMA_POOL_COUNT=4\nMINIO_RDMA_POOL_BUF_SIZE=67108864\n")  # less than the guest's memory
HUGE = "/sys/kernel/mm/transparent_hugepage/enabled"
LATER = server.DROP_INS + "/99-late.conf"
REGISTRATION = "RDMA: sender buffer registration failed (falling back to per-write reg): ENOMEM"
DISABLED = "RDMA: GPU-Direct S3 server disabled (cuObjServer init failed)"


def doctor(*arguments):
    done = fabricctl("doctor", *arguments)
    assert done.report is not None and done.report["schema"] == "fabricctl/doctor/1", (done.code, done.stdout[-500:], done.stderr[-500:])
    return done


def named(done, *verdicts):
    return [rule["id"] for rule in done.report["rules"] if rule["verdict"] in verdicts]


def reasons(done):
    return ["%s %s: %s (found %s)" % (rule["verdict"], rule["id"], rule["reason"], json.dumps(rule["found"])[:200]) for rule in done.report["rules"]
            if rule["verdict"] in ("fail", "warn", "unreadable")]


def make_healthy():
    write(HUGE, "madvise")
    for path in (LATER, server.COPY):
        if os.path.exists(path):
            os.unlink(path)
    server.install()
    with open(server.ENVIRONMENT, "a") as f:
        f.write(VARIABLES)
    batch = "".join("addr flush dev %s\naddr replace 10.0.%d.1/24 dev %s\nneigh flush dev %s nud all\n" % (r.name, r.index + 1, r.name, r.name) for r in RAILS)
    run("ip", "-force", "-batch", "-", input=batch)
    profile(HEALTHY)
    apply()
    server.restart()
    done = doctor()
    assert not named(done, "fail", "warn", "unreadable") and done.code == 0, "not healthy: exit %d\n%s" % (done.code, "\n".join(reasons(done)))
    return done


@contextlib.contextmanager
def changed(path, text):
    """A file with other content, restored afterwards; not there before: not there afterwards."""
    before = read(path) if os.path.exists(path) else None
    server.put(path, text)
    try:
        yield
    finally:
        if before is None:
            os.unlink(path)
        else:
            server.put(path, before)


@contextlib.contextmanager
def unit_file(path, text, restart=False):
    with changed(path, text):
        server.reload()
        if restart:
            server.restart()
        yield
    server.reload()
    if restart:
        server.restart()


@contextlib.contextmanager
def environment(*lines, without=None):
    text = read(server.ENVIRONMENT)
    if without:
        text = "".join(line + "\n" for line in text.splitlines() if not line.startswith(without))
    with changed(server.ENVIRONMENT, text + "".join(line + "\n" for line in lines)):
        server.restart()
        yield
    server.restart()


@contextlib.contextmanager
def ours(old, new):
    """Another word in the product's own drop-in."""
    text = read(server.OURS)
    assert old in text, text
    with unit_file(server.OURS, text.replace(old, new), restart=True):
        yield


@contextlib.contextmanager
def attribute(path, text):
    before = read(path).strip()
    write(path, text)
    try:
        yield
    finally:
        write(path, re.sub(r".*\[(\w+)\].*", r"\1", before))


def sysctl(interface, key):
    return "/proc/sys/net/ipv4/conf/%s/%s" % (interface, key)


@contextlib.contextmanager
def command(*argv, undo=None):
    output(*argv)
    try:
        yield
    finally:
        if undo:
            output(*undo)


@contextlib.contextmanager
def both(*managers):
    with contextlib.ExitStack() as stack:
        for manager in managers:
            stack.enter_context(manager)
        yield


# the server

@contextlib.contextmanager
def other_build():
    server.place("minio", server.RDMA)
    server.restart()
    yield
    server.place("minio.rdma", server.RDMA)
    server.restart()


@contextlib.contextmanager
def no_build():
    os.rename(server.RDMA, server.RDMA + ".away")
    yield
    os.rename(server.RDMA + ".away", server.RDMA)


@contextlib.contextmanager
def replaced_program():
    server.place("minio.rdma", server.RDMA)
    yield
    server.restart()


@contextlib.contextmanager
def symlink():
    os.rename(server.STANDARD, server.STANDARD + ".away")
    os.symlink("minio.rdma", server.STANDARD)
    yield
    os.rename(server.STANDARD + ".away", server.STANDARD)


@contextlib.contextmanager
def unread_drop_in():
    text = read(server.OURS)
    os.unlink(server.OURS)
    server.reload()
    server.put(server.OURS, text)
    yield
    server.reload()


@contextlib.contextmanager
def low_process_limit():
    output("prlimit", "--pid", str(server.pid()), "--memlock=8388608:8388608")
    yield
    server.restart()


@contextlib.contextmanager
def little_memory():
    output("systemctl", "set-property", "--runtime", server.UNIT, "MemoryMax=100M")
    yield
    output("systemctl", "set-property", "--runtime", server.UNIT, "MemoryMax=infinity")
    server.remove("/run/systemd/system.control/" + server.UNIT + ".d/*")
    server.reload()


def server_faults():
    late = "MINIO_RDMA_INTERNODE=on\n"
    return [
        ("the standard program runs", "unit.execstart", "fail", ours(server.RDMA, server.STANDARD)),
        ("the RDMA build is another program", "bin.rdma_build", "fail", other_build()),
        ("the RDMA build is gone", "bin.rdma_build", "fail", no_build()),
        ("the standard program is a link", "unit.symlink_hack", "warn", symlink()),
        ("a later drop-in sets the limit again", "unit.dropin_state", "fail", unit_file(LATER, "[Service]\nLimitMEMLOCK=infinity\n")),
        ("a second ExecStart", "unit.dropin_state", "fail", unit_file(LATER, "[Service]\nExecStart=/usr/local/bin/minio.rdma\n")),
        ("a drop-in that systemd has not read", "unit.dropin_state", "fail", unread_drop_in()),
        ("a low limit of locked memory", "mem.limit", "fail", ours("LimitMEMLOCK=infinity", "LimitMEMLOCK=8388608")),
        ("a finite limit of locked memory", "mem.limit", "warn", ours("LimitMEMLOCK=infinity", "LimitMEMLOCK=1073741824")),
        ("the process keeps its old limit", "mem.limit_proc", "fail", low_process_limit()),
        ("the program was replaced under the process", "proc.stale_exe", "fail", replaced_program()),
        ("the switch in capitals", "env.internode", "fail", environment("MINIO_RDMA_INTERNODE=ON")),
        ("the switch in config.env only", "env.internode", "fail", both(changed(server.LATE, late), environment(without="MINIO_RDMA_INTERNODE="))),
        ("the switch nowhere", "env.internode", "fail", environment(without="MINIO_RDMA_INTERNODE=")),
        ("a setting that nobody knows", "env.internode", "warn", environment("MINIO_RDMA_INTERNODES=on")),
        ("a receive queue larger than the adapter's", "srq.size", "fail", environment("MINIO_RDMA_INTERNODE_SRQ_SIZE=99999999")),
        ("a long timeout", "timeout.masking", "warn", environment("MINIO_RDMA_TIMEOUT=20")),
        ("a full copy of the unit", "unit.shadow", "warn", unit_file(server.COPY, server.PACKAGED_UNIT)),
        ("an assertion that does not hold", "unit.assert", "fail", unit_file(LATER, "[Unit]\nAssertPathExists=/not/there\n")),
        ("a control group with little memory", "mem.headroom", "fail",
         little_memory()),
        ("huge pages always", "hugepages", "warn", attribute(HUGE, "always")),
        ("device nodes of root", "dev.access", "fail", command("chmod", "600", "/dev/infiniband/uverbs3", undo=("chmod", "666", "/dev/infiniband/uverbs3"))),
    ]


# rails

@contextlib.contextmanager
def pfc_off(rail):
    dcbnl.set_pfc(rail.name, [])
    rail.up()
    yield
    dcbnl.set_pfc(rail.name, [3])
    rail.up()


@contextlib.contextmanager
def mapped(rail, dscp, priority, undo):
    dcbnl.set_app(rail.name, dscp, priority)
    yield
    dcbnl.set_app(rail.name, dscp, undo)


@contextlib.contextmanager
def links_down(rails):
    for rail in rails:
        output("ip", "link", "set", rail.name, "down")
    yield
    for rail in rails:
        rail.up()


@contextlib.contextmanager
def devices_gone():
    for rail in RAILS:
        output("rdma", "link", "delete", rail.rdma)
    yield
    for rail in RAILS:
        output("rdma", "link", "add", rail.rdma, "type", "rxe", "netdev", rail.name)
    output("udevadm", "settle")


def planted(rail, mac, *state):
    return command("ip", "neigh", "replace", "10.0.%d.2" % (rail.index + 1), "lladdr", mac, "dev", rail.name, *(state or ("nud", "stale")),
                   undo=("ip", "neigh", "del", "10.0.%d.2" % (rail.index + 1), "dev", rail.name))


def one_subnet(key):
    """Two rails in one subnet, and a setting on both."""
    first, second = RAILS[4], RAILS[5]
    return both(command("ip", "addr", "add", "10.0.%d.9/24" % (first.index + 1), "dev", second.name,
                        undo=("ip", "addr", "del", "10.0.%d.9/24" % (first.index + 1), "dev", second.name)),
                attribute(sysctl(first.name, key), "1"), attribute(sysctl(second.name, key), "1"))


def rail_faults():
    rail = RAILS[2]
    ecn = "/sys/class/net/%s/ecn/roce_np/enable/3" % rail.name
    vlan = command("ip", "link", "add", "link", rail.name, "name", rail.name + ".100", "type", "vlan", "id", "100", undo=("ip", "link", "del", rail.name + ".100"))
    return [
        ("PFC off", "dcb.host", "fail", pfc_off(rail)),
        ("DSCP 26 on another priority", "dcb.host", "fail", mapped(rail, 26, 0, 3)),
        ("a second DSCP on the lossless priority", "dcb.host", "fail", mapped(rail, 46, 3, 5)),
        ("ECN off", "dcb.host", "fail", attribute(ecn, "0")),
        ("global pause", "dcb.host", "fail", command("ethtool", "-A", rail.name, "rx", "on", "tx", "on", undo=("ethtool", "-A", rail.name, "rx", "off", "tx", "off"))),
        ("one link down", "verbs.port", "warn", links_down([RAILS[6]])),
        ("every link down", "verbs.port", "fail", links_down(RAILS)),
        ("no RDMA device", "verbs.port", "fail", devices_gone()),
        ("arp_ignore 0", "arp.sysctl", "fail", attribute(sysctl(rail.name, "arp_ignore"), "0")),
        ("arp_ignore 4 for all", "arp.sysctl", "fail", attribute(sysctl("all", "arp_ignore"), "4")),
        ("arp_announce 3", "arp.sysctl", "fail", attribute(sysctl(rail.name, "arp_announce"), "3")),
        ("strict filtering in one subnet", "rp.strict", "fail", one_subnet("rp_filter")),
        ("strict filtering", "rp.strict", "warn", attribute(sysctl(rail.name, "rp_filter"), "1")),
        ("arp_filter in one subnet", "arp.filter", "fail", one_subnet("arp_filter")),
        ("the MAC of another rail", "arp.wrong_rail", "fail", planted(rail, PEER[5])),
        ("a static entry", "arp.static", "warn", planted(rail, PEER[2], "nud", "permanent")),
        ("another file wins at boot", "sysctl.loser", "warn", changed("/etc/sysctl.d/99-zzz.conf", "net.ipv4.conf.%s.arp_ignore = 0\n" % rail.name)),
        ("a dotted name that is skipped", "sysctl.dotname", "warn",
         both(vlan, changed("/etc/sysctl.d/99-zzz.conf", "net.ipv4.conf.%s.100.arp_ignore = 1\n" % rail.name))),
        ("a small MTU", "mtu.mismatch", "warn", command("ip", "link", "set", rail.name, "mtu", "1500", undo=("ip", "link", "set", rail.name, "mtu", "9000"))),
    ]


# machine

@contextlib.contextmanager
def module_gone():
    output("modprobe", "--remove", "rdma_ucm", "rdma_cm")
    yield
    output("modprobe", "rdma_cm")


@contextlib.contextmanager
def redirecting():
    before = ports()[0].control()
    ports()[0].set_control(0x1D)
    yield
    ports()[0].set_control(before)


@contextlib.contextmanager
def unit_that_never_ran():
    with unit_file("/etc/systemd/system/disable-pcie-acs.service", "[Service]\nType=oneshot\nExecStart=/bin/true\n[Install]\nWantedBy=multi-user.target\n"):
        output("systemctl", "enable", "disable-pcie-acs.service")
        yield
        output("systemctl", "disable", "disable-pcie-acs.service")


def machine_faults():
    return [
        ("a module is not loaded", "mod.loaded", "fail", module_gone()),
        ("ACS redirects", "acs.redirect", "warn", redirecting()),
        ("a unit that never ran", "acs.boot", "fail", unit_that_never_ran()),
    ]


def wrong_about(what, rule, level, fault):
    """What doctor said amiss while the fault was there, "" nothing."""
    with fault:
        done = doctor()
    failing, warning = named(done, "fail"), named(done, "warn")
    expected_code = 2 if level == "fail" else 0
    if level == "fail" and failing == [rule] and done.code == expected_code:
        return ""
    if level == "warn" and failing == [] and warning == [rule] and done.code == expected_code:
        return ""
    return "%s: wanted %s at %s, exit %d:\n    %s" % (what, rule, level, done.code, "\n    ".join(reasons(done)) or "nothing")


def each_is_named(faults):
    make_healthy()
    wrong = [text for text in (wrong_about(*fault) for fault in faults) if text]
    done = doctor()
    left = reasons(done) if named(done, "fail", "warn", "unreadable") else []
    assert not wrong and not left, "%d of %d:\n%s\nleft over: %s" % (len(wrong), len(faults), "\n".join(wrong), left)


def test_a_healthy_host_with_eight_rails_has_no_warning_and_no_alarm():
    done = make_healthy()
    equal(done.report["result"], "healthy")
    equal([entry["service_level"] for entry in done.report["auto_class"]], [3] * len(RAILS))
    for rail, entry in zip(RAILS, done.report["auto_class"]):
        equal(entry["dscp_candidates"], sorted(dscp for dscp, priorities in rail.dscp_list().items() if 3 in priorities))
    with open("/tmp/facts.json", "w") as f:
        f.write(fabricctl("facts").expect(0).stdout)
    replayed = doctor("--host", "/tmp/facts.json", "--profile", PROFILE)
    equal(named(replayed, "fail", "warn", "unreadable"), [])
    equal(replayed.code, 0)


def test_each_fault_of_the_server_is_named_first_and_alone():
    each_is_named(server_faults())


def test_each_fault_of_a_rail_is_named_first_and_alone():
    each_is_named(rail_faults())


def test_each_fault_of_the_machine_is_named_first_and_alone():
    each_is_named(machine_faults())


def verdicts(done, *ids):
    return [rule["verdict"] for rule in done.report["rules"] if rule["id"] in ids]


def test_what_the_server_wrote_is_read_from_the_journal():
    done = make_healthy()
    equal(verdicts(done, "log.internode", "log.pool", "log.gpudirect", "reg.per_write"), ["pass"] * 4)
    wrong = [wrong_about("a line about GPU-Direct", "log.gpudirect", "fail", environment("LAB_SAYS=" + DISABLED)),
             wrong_about("a line about registration", "reg.per_write", "warn", environment("LAB_SAYS=" + REGISTRATION))]
    assert not any(wrong), "\n".join(wrong)
    # Restarted since: those lines are of a former process.
    equal(verdicts(doctor(), "log.internode", "log.pool", "log.gpudirect", "reg.per_write"), ["pass"] * 4)


def test_without_rights_it_says_what_it_could_not_see():
    make_healthy()
    done = Run(["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "/usr/bin/fabricctl", "doctor", "--format", "json"])
    equal(done.code, 6)
    unread = {rule["id"]: rule["reason"] for rule in done.report["rules"] if rule["verdict"] == "unreadable"}
    assert "acs.redirect" in unread and "root" in unread["acs.redirect"], unread
    # Who the process belongs to may not even be asked; the journal would be refused after it.
    assert "log.gpudirect" in unread, unread
    text = subprocess.run(["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "/usr/bin/fabricctl", "doctor"],
                          stdout=subprocess.PIPE, text=True).stdout
    assert "run it as root" in text, text


def test_lockdown_is_named_with_what_it_keeps_from_being_cleared():
    make_healthy()
    ports()[0].set_control(0x1D)
    write("/sys/kernel/security/lockdown", "integrity")  # cannot be taken back: the last test
    done = doctor("status-11")
    equal(sorted(named(done, "warn")), ["acs.redirect", "lockdown"])
    # its line in the server's log first, then the causes in the order of the page
    equal([rule["id"] for rule in done.report["rules"]][:3], ["log.status_11", "acs.redirect", "acs.boot"])
