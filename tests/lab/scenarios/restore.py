"""What a run found before it wrote comes back, byte for byte, on eight rails and sixteen ACS ports; the witnesses are dcb, a bare DCB client, the lab
module's registers, lspci, ip, ethtool, sysctl and the files themselves."""
import glob
import json
import os

import dcbnl
import witness
from fabricctl import LOSSLESS, apply, fabricctl, profile
from host import RAILS, all_controls, output, read, run
from witness import equal

BOOT = {"kernels": ["6.12"]}

STORE = "/var/lib/fabricctl"
SYSCTL_FILE = "/etc/sysctl.d/99-zz-fabricctl.conf"
WHOLE = LOSSLESS + """\
mtu: 4200
pause: { rx: off, tx: off }
arp: { persist: true }
"""


def forget_snapshots():
    for path in glob.glob(STORE + "/snapshots/*") + [STORE + "/baseline.json"]:
        if os.path.exists(path):
            os.unlink(path)


def rail_state(rail):
    hardware = rail.hardware()
    # Without listed entries packets do not meet this map, and no interface of the kernel reads it.
    hardware.pop("dscp")
    hardware.pop("bounces")
    name = rail.name
    return {
        "hardware": hardware,
        "dcb": {what: rail.show(what) for what in ("pfc", "ets", "buffer", "maxrate", "dcbx", "app")},
        "app table in the kernel's order": dcbnl.get(name).get(dcbnl.APP_TABLE, b"").hex(),
        "ecn": {side: rail.ecn(side) for side in ("rp", "np")},
        "mtu": rail.link()["mtu"],
        "pause": rail.pause(),
        "sysctl": {key: read("/proc/sys/net/ipv4/conf/%s/%s" % (name, key)) for key in ("arp_ignore", "arp_announce", "rp_filter", "arp_filter")},
    }


def etc():
    found = {}
    for top in ("/etc/sysctl.d", "/etc/modules-load.d", "/etc/systemd/system"):
        for directory, _, files in os.walk(top):
            for name in files:
                path = os.path.join(directory, name)
                status = os.lstat(path)
                content = os.readlink(path) if os.path.islink(path) else open(path, "rb").read().hex()
                found[path] = (content, oct(status.st_mode), status.st_uid, status.st_gid)
    return found


def host_state():
    state = {repr(rail): rail_state(rail) for rail in RAILS}
    state["acs"] = all_controls()
    state["etc"] = etc()
    state["conf.all"] = {key: read("/proc/sys/net/ipv4/conf/all/" + key) for key in ("arp_ignore", "arp_announce", "rp_filter")}
    return state


def same(found, wanted, where=""):
    """Says which leaf is not the same."""
    if isinstance(found, dict) and isinstance(wanted, dict):
        equal(sorted(found), sorted(wanted), where)
        for key in wanted:
            same(found[key], wanted[key], "%s/%s" % (where, key))
    else:
        equal(found, wanted, where)


def make_it_a_host_with_a_past():
    """No two rails alike, so that a value that comes from another rail or from a default shows."""
    equal(dcbnl.set_pfc(RAILS[3].name, [5]), 0)
    for dscp, priority in ((46, 6), (10, 1), (26, 0)):
        equal(dcbnl.set_app(RAILS[4].name, dscp, priority), 0)
    equal(dcbnl.set_buffer(RAILS[5].name, (0, 1, 0, 0, 0, 0, 0, 0), (100000, 90000, 0, 0, 0, 0, 0, 0)), 0)
    output("ip", "link", "set", RAILS[6].name, "mtu", "2000")
    output("ethtool", "-A", RAILS[7].name, "rx", "on", "tx", "on")
    output("sysctl", "-w", "net/ipv4/conf/%s/arp_ignore=3" % RAILS[2].name)
    with open(SYSCTL_FILE, "wb") as f:
        f.write(b"# somebody's own words \xff\n")
    os.chmod(SYSCTL_FILE, 0o640)
    os.chown(SYSCTL_FILE, 0, 12)
    for rail in RAILS:
        rail.up()


def restored(*arguments):
    return fabricctl("restore", *arguments)


def test_restore_brings_back_every_register_sysctl_and_file():
    forget_snapshots()
    make_it_a_host_with_a_past()
    before = host_state()
    profile(WHOLE)
    done = apply().expect(0)
    assert host_state() != before
    assert "snapshot.saved" in done.findings(), done.findings()
    shown = restored("--dry-run").expect(2)
    assert shown.report["steps"]
    witness.clear_all_witnesses()
    back = restored().expect(0)
    equal(back.report["result"], "converged")
    same(host_state(), before)
    for rail in RAILS:
        # Rail 3 had PFC before, for another priority: off before its buffers change, on after.
        equal(rail.statistics()["link_bounces"], 2 if rail is RAILS[3] else 1, repr(rail))
    # Once more: nothing to do, nothing written.
    identity = [i for i in (os.path.basename(p)[:-5] for p in sorted(glob.glob(STORE + "/snapshots/*.json")))][0]
    witness.clear_all_witnesses()
    again = restored(identity).expect(0)
    equal(again.report["changed"], False)
    for rail in RAILS:
        witness.rail_is_untouched(rail)


def test_the_baseline_undoes_two_applies_and_a_rename():
    forget_snapshots()
    before = host_state()
    profile(LOSSLESS)
    apply().expect(0)
    profile(WHOLE)
    apply().expect(0)
    first, second = RAILS[0].name, RAILS[1].name
    for old, new in ((first, "swap0"), (second, first), ("swap0", second)):
        output("ip", "link", "set", old, "down")
        output("ip", "link", "set", old, "name", new)
        output("ip", "link", "set", new, "up")
    try:
        RAILS[0].up()
        RAILS[1].up()
        restored("baseline").expect(0)
        after = host_state()
    finally:
        for old, new in ((second, "swap0"), (first, second), ("swap0", first)):
            output("ip", "link", "set", old, "down")
            output("ip", "link", "set", old, "name", new)
            output("ip", "link", "set", new, "up")
    for key in ("acs", "etc"):
        same(after[key], before[key], key)
    for rail in RAILS:
        same(after[repr(rail)], before[repr(rail)], repr(rail))


def test_a_snapshot_that_cannot_be_kept_stops_the_run_unless_it_may_not():
    forget_snapshots()
    output("mount", "-t", "tmpfs", "-o", "size=4k,nr_inodes=8,mode=0755", "tmpfs", STORE) if os.path.isdir(STORE) else None
    try:
        with open(STORE + "/filler", "wb") as f:
            f.write(b"x" * 4096)
        profile()
        stopped = apply().expect(1)
        assert "No space left" in json.dumps(stopped.report["error"]), stopped.report["error"]
        witness.nothing_was_written()
        went_on = apply("--snapshot", "try").expect(0)
        equal(went_on.findings()["snapshot.not-saved"]["severity"], "warn")
        equal(glob.glob(STORE + "/**/*.json", recursive=True), [])
    finally:
        run("umount", STORE)
