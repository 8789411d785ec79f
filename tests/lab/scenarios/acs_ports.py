"""ACS on sixteen root ports, on a host that writes 0x001d by hand: masks, scopes, look-alikes, and ports that cannot be written."""
import os

import witness
from fabricctl import Run, apply, check, profile
from host import LAB, RAILS, ports, write
from witness import CLEARED, equal

# Both kernels: configuration space is theirs. On 6.12 within the units' sandbox, on 6.1 as root of the host.
BOOT = {"sandboxed": ["6.12"]}

ACS = """\
version: 1
name: acs
acs:
  clear: redirect
  on-guest: proceed
"""


def control_of(port):
    return "acs/%s/control" % port.bdf


def test_redirect_bits_are_cleared_and_the_others_kept():
    profile(ACS)
    done = apply().expect(0)
    witness.acs_is(CLEARED)
    for port in ports():
        entry = done.resources[control_of(port)]
        equal((entry["outcome"], entry["found"], entry["after"]), ("changed", "0x001d", "0x0011"))
    for rail in RAILS:
        witness.rail_is_untouched(rail)


def test_clear_all_and_clear_none():
    profile(ACS.replace("redirect", "all"))
    apply().expect(0)
    witness.acs_is(0)
    for port in ports()[:1]:
        port.set_control(0x1D)
    profile(ACS.replace("redirect", "none"))
    apply().expect(0)
    equal(ports()[0].control(), 0x1D)


def test_A09_egress_control_is_cleared_with_request_redirect():
    port = ports()[0]
    port.set_control(0x3D)
    profile(ACS)
    apply().expect(0)
    equal(port.control(), 0x11)


def test_bits_that_do_not_redirect_are_preserved():
    port = ports()[0]
    port.set_control(0x5F)
    profile(ACS)
    equal(apply().expect(0).resources[control_of(port)]["after"], "0x0053")
    equal(port.control(), 0x53)


def test_A08_lookalikes_of_a_gpu_are_not_counted():
    try:
        for index, role in ((8, "nvswitch"), (9, "audio"), (10, "vga"), (11, "none")):
            write(LAB + "/roles", "%d %s" % (index, role))
        profile(ACS)
        done = apply().expect(0)
        untouched = ports()[8:12]
        witness.acs_is(CLEARED, {p.bdf: 0x1D for p in untouched})
        assert not [p for p in untouched if control_of(p) in done.resources], done.resources.keys()
    finally:
        for index in range(8, 12):
            write(LAB + "/roles", "%d gpu" % index)


def test_amd_gpus_count():
    try:
        write(LAB + "/roles", "15 gpu_amd")
        profile(ACS)
        apply().expect(0)
        equal(ports()[15].control(), CLEARED)
    finally:
        write(LAB + "/roles", "15 gpu")


def test_a_host_without_a_gpu_is_skipped_unless_told():
    try:
        for index in range(8, 16):
            write(LAB + "/roles", "%d none" % index)
        profile(ACS)
        done = apply().expect(0)
        witness.acs_is(0x1D)
        assert set(r["outcome"] for r in done.resources.values()) <= {"skipped", "not-applicable"}, done.resources
        profile(ACS + "  without-gpu: clear\n")
        apply().expect(0)
        witness.acs_is(CLEARED, {p.bdf: 0x1D for p in ports()[8:]})
    finally:
        for index in range(8, 16):
            write(LAB + "/roles", "%d gpu" % index)


def test_A12_in_a_guest_it_is_written_with_a_finding_or_refused():
    profile(ACS.replace("proceed", "warn"))
    done = apply().expect(0)
    equal([f["severity"] for i, f in done.findings().items() if i == "acs.guest"], ["warn"])
    witness.acs_is(CLEARED)
    ports()[0].set_control(0x1D)
    profile(ACS.replace("proceed", "refuse"))
    apply().expect(3)
    equal(ports()[0].control(), 0x1D)


def test_A03_one_read_only_port_fails_and_the_others_are_done():
    port = ports()[5]
    profile(ACS)
    config = os.path.realpath("/sys/bus/pci/devices/%s/config" % port.bdf)
    done = Run(["unshare", "-m", "sh", "-c", "mount --bind %s %s && mount -o remount,ro,bind %s && exec fabricctl apply --format json"
                % (config, config, config)]).expect(3)
    equal(done.with_outcome("failed"), [control_of(port)])
    assert "read-only" in done.resources[control_of(port)]["reason"].lower(), done.resources[control_of(port)]
    witness.acs_is(CLEARED, {port.bdf: 0x1D})


def test_A03_a_read_only_sys_is_not_a_host_without_acs():
    profile(ACS)
    done = Run(["unshare", "-m", "sh", "-c", "mount -o remount,ro,bind /sys && exec fabricctl apply --format json"])
    assert done.code in (1, 3), done.code
    assert "read-only" in (done.stdout + done.stderr).lower(), done.stdout + done.stderr
    if done.report and "resources" in done.report:
        equal({done.outcome(control_of(p)) for p in ports()}, {"failed"})
    witness.acs_is(0x1D)


def test_scope_paths_leaves_ports_without_a_common_switch_alone():
    profile(ACS + "  scope: paths\n")
    apply().expect(0)
    witness.acs_is(0x1D)  # every function has a root port of its own: no pair lies below one switch


def test_A02_unprivileged_check_says_unreadable():
    profile(ACS)
    done = Run(["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "fabricctl", "check", "--format", "json"]).expect(6)
    equal({done.outcome(control_of(p)) for p in ports()}, {"unreadable"})
