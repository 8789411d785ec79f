"""Packages, boots, hotplug and drift under a real systemd: what runs by itself, and what must not."""
import json
import os
import re
import shutil
import time

import server
import witness
from fabricctl import LOSSLESS, STAGE, apply, check, profile
from host import RAILS, Skip, after_reboot, output, read, run, until, write
from witness import CLEARED, equal, rails_are_lossless

BOOT = {"kernels": ["6.1"], "alone": True}

DEB = STAGE + "/fabricctl.deb"
MODULES = "modules: [ib_core, ib_uverbs, rdma_cm]\n"
SITE = LOSSLESS + MODULES + 'service:\n  unit: minio.service\n  environment: { MINIO_RDMA_INTERNODE: "on" }\n'
UNITS = ("fabricctl-early.service", "fabricctl.service", "fabricctl-check.timer")
REPORT, METRICS = "/var/lib/fabricctl/last-report.json", "/var/lib/fabricctl/fabricctl.prom"
CYCLE = "/etc/systemd/system/lab-cycle.service"


def properties(unit, *names):
    text = output("systemctl", "show", unit, *["--property=" + n for n in names])
    return dict(line.split("=", 1) for line in text.splitlines())


def state(unit):
    return properties(unit, "ActiveState")["ActiveState"]


def journal(*matches):
    """Entries of this boot as dictionaries."""
    lines = output("journalctl", "--no-pager", "-b", "-o", "json", *matches).splitlines()
    return [json.loads(line) for line in lines]


def need_package():
    if not os.path.exists(DEB):
        raise Skip("the stage has no fabricctl.deb")


def install(package):
    return output("dpkg", "--force-depends", "--install", package)


def next_version():
    """The same package with a higher version."""
    work = "/tmp/next"
    shutil.rmtree(work, ignore_errors=True)
    output("dpkg-deb", "--raw-extract", DEB, work)
    control = work + "/DEBIAN/control"
    write_text(control, re.sub(r"^Version: .*", "Version: 99.0", read(control), flags=re.M))
    output("dpkg-deb", "-Znone", "--build", work, "/tmp/next.deb")  # compressing takes minutes on an emulated processor
    return "/tmp/next.deb"


def write_text(path, text):
    with open(path, "w") as f:
        f.write(text)


def end_units():
    run("systemctl", "disable", "--now", *UNITS)
    run("systemctl", "reset-failed")
    if os.path.exists("/run/fabricctl/boot.json"):
        os.unlink("/run/fabricctl/boot.json")


# packages

def test_S17_a_package_that_is_installed_or_upgraded_starts_and_changes_nothing():
    need_package()
    profile(SITE)
    before = witness_counters()
    for package in (DEB, next_version()):
        install(package)
        for unit in UNITS:
            equal(state(unit), "inactive", unit)
            assert run("systemctl", "is-enabled", unit).stdout.strip() != "enabled", unit
        witness.nothing_was_written()
        equal(witness_counters(), before)
    equal(read("/etc/fabricctl/profile.yaml"), SITE)


def witness_counters():
    return [rail.setter_calls() for rail in RAILS]


def test_S17_an_upgrade_of_enabled_units_applies_nothing_on_a_host_with_drift():
    need_package()
    install(DEB)
    profile()
    output("systemctl", "enable", *UNITS)
    output("systemctl", "restart", "fabricctl.service")
    rails_are_lossless()
    output("dcb", "pfc", "set", "dev", RAILS[2].name, "prio-pfc", "3:off")
    witness.clear_all_witnesses()
    entered = properties("fabricctl.service", "ActiveEnterTimestampMonotonic")
    install(next_version())
    equal(witness_counters(), [{}] * len(RAILS))
    equal(properties("fabricctl.service", "ActiveEnterTimestampMonotonic"), entered)
    equal(RAILS[2].pfc(), [])
    for unit in UNITS:
        equal(run("systemctl", "is-enabled", unit).stdout.strip(), "enabled", unit)
    end_units()


def test_purge_leaves_the_hosts_state_alone_and_says_so():
    need_package()
    install(DEB)
    profile()
    apply().expect(0)
    witness.clear_all_witnesses()
    told = output("dpkg", "--purge", "fabricctl")
    assert "keeps its settings" in told and "/etc/fabricctl" in told, told
    equal(witness_counters(), [{}] * len(RAILS))
    rails_are_lossless()
    equal(read("/etc/fabricctl/profile.yaml"), LOSSLESS)
    assert not os.path.exists("/var/lib/fabricctl")
    install(DEB)


# drift

def test_timer_run_after_drift_by_hand_fails_and_says_which_once():
    profile()
    apply().expect(0)
    output("systemctl", "start", "fabricctl-check.service")
    assert 'fabricctl_exit_code 0\n' in read(METRICS), read(METRICS)
    output("dcb", "pfc", "set", "dev", RAILS[5].name, "prio-pfc", "3:off")
    identity = "dcb/%s/pfc" % RAILS[5].name
    for _ in range(2):
        assert run("systemctl", "start", "fabricctl-check.service").returncode != 0
        equal(state("fabricctl-check.service"), "failed")
    entries = journal("FABRICCTL_RESOURCE=" + identity)
    equal([(e["FABRICCTL_STATE"], e["PRIORITY"]) for e in entries], [("drifted", "4")])
    assert identity in entries[0]["MESSAGE"], entries
    assert 'fabricctl_resources{kind="dcb",outcome="drifted"} 1\n' in read(METRICS), read(METRICS)
    drifted = [r["id"] for r in json.loads(read(REPORT))["resources"] if r["outcome"] == "drifted"]
    equal(drifted, [identity])
    equal(os.stat(REPORT).st_mode & 0o777, 0o644)
    apply().expect(0)
    output("systemctl", "start", "fabricctl-check.service")
    equal([e["FABRICCTL_STATE"] for e in journal("FABRICCTL_RESOURCE=" + identity)], ["drifted", "in-sync"])
    assert 'fabricctl_exit_code 0\n' in read(METRICS), read(METRICS)


def test_S11_check_boot_says_that_no_unit_configured_this_boot():
    profile()
    apply().expect(0)
    end_units()
    done = check("--boot").expect(2)
    equal(done.outcome("boot/fabricctl.service"), "drifted")
    assert "never started in this boot" in done.resources["boot/fabricctl.service"]["reason"], done.resources


# hotplug

def test_rails_that_appear_again_are_configured_by_udev_and_others_are_untouched():
    profile()
    output("systemctl", "restart", "fabricctl.service")
    rails_are_lossless()
    witness.clear_all_witnesses()
    gone, kept = RAILS[3], [r for r in RAILS if r is not RAILS[3]]
    driver = os.path.realpath("/sys/bus/pci/devices/%s/driver" % gone.pci)
    address = gone.pci
    write(driver + "/unbind", address)
    began = time.monotonic()
    write(driver + "/bind", address)
    until(lambda: os.path.exists("/sys/class/net/" + gone.name), what="the net device")
    output("rdma", "link", "add", gone.rdma, "type", "rxe", "netdev", gone.name)
    until(lambda: gone.pfc() == [3] and gone.ecn("np") == [3], seconds=60, what="the configuration of %r" % gone)
    print("from device to done: %.1f s" % (time.monotonic() - began))
    unit = "fabricctl-rail@rdma:%s.service" % gone.rdma
    until(lambda: state(unit) == "inactive", seconds=30, what="the end of " + unit)
    equal(properties(unit, "Result")["Result"], "success")
    witness.mlx5_rail_is_lossless(gone)
    for rail in kept:
        witness.rail_is_untouched(rail)
    end_units()


def test_A13_acs_is_cleared_again_after_a_pci_rescan():
    profile()
    output("systemctl", "restart", "fabricctl.service")
    witness.acs_is(CLEARED)
    port = witness.host.ports()[12]
    below = os.path.realpath("/sys/bus/pci/devices/%s" % port.bdf)
    write(below + "/remove", "1")
    write("/sys/bus/pci/rescan", "1")
    until(lambda: os.path.exists(below), what="the port")
    port.set_control(0x1D)  # what the kernel does on a host with an IOMMU
    run("udevadm", "trigger", "--action=add", below)
    until(lambda: port.control() == CLEARED, seconds=60, what="ACS of %r" % port)
    end_units()


def rail_runs():
    """Every start of a unit of a rail that systemd still knows of; those of earlier events stay listed as long as their device does."""
    text = output("systemctl", "show", "--property=Id,InvocationID,InactiveExitTimestampMonotonic", "fabricctl-rail@*")
    return {tuple(sorted(block.splitlines())) for block in text.split("\n\n") if block.strip()}


def test_a_host_that_has_not_enabled_us_is_left_alone_by_device_events():
    profile()
    end_units()
    before = rail_runs()
    gone = RAILS[1]
    driver = os.path.realpath("/sys/bus/pci/devices/%s/driver" % gone.pci)
    address = gone.pci
    write(driver + "/unbind", address)
    write(driver + "/bind", address)
    until(lambda: os.path.exists("/sys/class/net/" + gone.name), what="the net device")
    output("rdma", "link", "add", gone.rdma, "type", "rxe", "netdev", gone.name)
    output("udevadm", "settle")
    equal(rail_runs() - before, set())
    witness.nothing_was_written()


# boots

def test_S11_what_every_boot_needs_is_enabled():
    server.install()
    profile(SITE)
    output("systemctl", "daemon-reload")
    output("systemctl", "enable", *UNITS, server.UNIT)


@after_reboot
def test_S11_every_boot_configures_eight_rails_before_the_server_starts():
    done = check("--boot").expect(0)
    for identity in ("boot/fabricctl.service", "boot/minio.service", "service/minio.service/process", "module/rdma_cm"):
        equal(done.outcome(identity), "in-sync")
    rails_are_lossless()
    equal({port: control & ~CLEARED for port, control in witness.host.all_controls().items() if control & ~CLEARED}, {})
    ours = properties("fabricctl.service", "ActiveEnterTimestampMonotonic", "Result", "UnitFileState")
    theirs = properties(server.UNIT, "InactiveExitTimestampMonotonic", "ActiveState", "DropInPaths")
    equal((ours["Result"], ours["UnitFileState"], theirs["ActiveState"], theirs["DropInPaths"]), ("success", "enabled", "active", server.OURS))
    assert int(ours["ActiveEnterTimestampMonotonic"]) <= int(theirs["InactiveExitTimestampMonotonic"]), (ours, theirs)
    equal(server.process_limit(), ("unlimited", "unlimited"))
    equal(server.process_program(), server.RDMA)
    equal(state("fabricctl-early.service"), "active")
    print("\n".join(line for line in output("systemd-analyze", "blame", "--no-pager").splitlines() if "fabricctl" in line))
    # nothing ran twice: device events of the boot itself start no unit of their own
    witness.clear_all_witnesses()
    equal(apply().expect(0).report["changed"], False)


def test_S12_a_unit_that_makes_a_circle_with_ours_is_prepared():
    """Ordered after us and before what we wait for."""
    write_text(CYCLE, "[Unit]\nDescription=Lab: circle\nAfter=fabricctl.service\nBefore=network-online.target\n"
                      "[Service]\nType=oneshot\nRemainAfterExit=yes\nExecStart=/bin/true\n"
                      "[Install]\nWantedBy=multi-user.target\n")
    output("systemctl", "daemon-reload")
    output("systemctl", "enable", "lab-cycle.service")


@after_reboot
def test_S12_the_circle_is_detected_after_the_boot_and_explained():
    done = check("--boot")
    found = done.findings().get("boot.cycle")
    assert found, (done.code, done.stdout[-3000:], output("journalctl", "-b", "-p", "warning", "--no-pager"))
    assert "lab-cycle.service" in found["evidence"] and "systemd-analyze verify" in found["fix"], found
    started = int(properties("fabricctl.service", "InactiveExitTimestampMonotonic")["InactiveExitTimestampMonotonic"])
    if not started:
        equal(found["severity"], "fail")
        equal(done.outcome("boot/fabricctl.service"), "drifted")
        assert "ordering cycle" in done.resources["boot/fabricctl.service"]["reason"], done.resources["boot/fabricctl.service"]
        equal(done.code, 2)
    os.unlink(CYCLE)
    os.unlink("/etc/systemd/system/multi-user.target.wants/lab-cycle.service")


def test_S16_the_units_of_the_guide_run_before_ours_and_are_named():
    for name in ("roce-lossless", "disable-pcie-acs"):
        write_text("/etc/systemd/system/%s.service" % name,
                   "[Unit]\nDescription=%s\n[Service]\nType=oneshot\nRemainAfterExit=yes\n"
                   "ExecStart=/bin/sh -c 'setpci -s %s ECAP_ACS+6.w=0000; setpci -s %s ECAP_ACS+6.w=001d'\n"
                   "[Install]\nWantedBy=multi-user.target\n" % (name, witness.host.ports()[0].bdf, witness.host.ports()[1].bdf))
    output("systemctl", "daemon-reload")
    output("systemctl", "enable", "roce-lossless.service", "disable-pcie-acs.service")


@after_reboot
def test_S16_after_a_boot_beside_them_the_host_is_as_the_profile_says():
    done = check("--boot").expect(0)
    witness.equal(witness.host.ports()[1].control(), CLEARED)
    finding = done.findings()["legacy.guide-units"]
    assert "systemctl disable disable-pcie-acs.service" in finding["fix"], finding
    for name in ("roce-lossless", "disable-pcie-acs"):
        ours = int(properties("fabricctl.service", "InactiveExitTimestampMonotonic")["InactiveExitTimestampMonotonic"])
        theirs = int(properties(name + ".service", "ActiveEnterTimestampMonotonic")["ActiveEnterTimestampMonotonic"])
        assert theirs and theirs <= ours, (name, theirs, ours)
        assert os.path.exists("/etc/systemd/system/%s.service" % name)
