"""Packages, boots, hotplug and drift under a real systemd: what runs by itself, and what must not."""
import json
import os
import re
import shutil
import time

import server
import witness
from fabricctl import BOOT_UNITS as UNITS, LOSSLESS, STAGE, Run, apply, check, end_units, profile
from host import RAILS, Skip, after_reboot, dcb_set, output, read, run, until, write
from witness import CLEARED, equal, rails_are_lossless

# One kernel: systemd and udev are the same under both, and it reboots. 6.1, the one that Debian 12 boots; service_drop_in is on 6.12 for that.
BOOT = {"kernels": ["6.1"], "alone": True}

DEB = STAGE + "/fabricctl.deb"
MODULES = "modules: [ib_core, ib_uverbs, rdma_cm]\n"
SITE = LOSSLESS + MODULES + 'service:\n  unit: minio.service\n  environment: { MINIO_RDMA_INTERNODE: "on" }\n'
REPORT, METRICS = "/var/lib/fabricctl/last-report.json", "/var/lib/fabricctl/fabricctl.prom"
STATE = "/var/lib/fabricctl"
TIMER_DROP_IN = "/etc/systemd/system/fabricctl-check.timer.d/lab.conf"
DRIFTING = "dcb/rail5/pfc"
WITNESS, WITNESS_DROP_IN = "/usr/local/sbin/lab-witness", server.DROP_INS + "/10-lab-witness.conf"
SEEN_AT_START = "/run/lab-at-server-start"
WITNESS_TEXT = """#!/bin/sh
# One line per rail: its name, the priorities with PFC, whether priority 3 has ECN.
for rail in 0 1 2 3 4 5 6 7; do
    pfc=$(dcb pfc show dev rail$rail prio-pfc | tr ' ' '\\n' | sed -n 's/:on$//p' | tr -d '\\n')
    echo "rail$rail:$pfc:$(cat /sys/class/net/rail$rail/ecn/roce_np/enable/3)"
done >%s
""" % SEEN_AT_START
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
    dcb_set("pfc", RAILS[2].name, "prio-pfc", "3:off")
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
    assert "keeps its settings" in told and "/etc/fabricctl" in told and "LEAVING" in told, told
    equal(witness_counters(), [{}] * len(RAILS))
    rails_are_lossless()
    equal(read("/etc/fabricctl/profile.yaml"), LOSSLESS)
    assert not os.path.exists("/var/lib/fabricctl")
    install(DEB)
    equal(os.stat("/var/lib/fabricctl").st_mode & 0o777, 0o755)


# drift

def check_runs_since(began):
    """The run of the check unit that ended last, when it began after `began` (monotonic seconds): (invocation, result), else None."""
    shown = properties("fabricctl-check.service", "InvocationID", "Result", "ActiveState", "InactiveExitTimestampMonotonic",
                       "InactiveEnterTimestampMonotonic")
    started, ended = (int(shown[n + "TimestampMonotonic"]) for n in ("InactiveExit", "InactiveEnter"))
    over = shown["ActiveState"] in ("inactive", "failed") and ended >= started > began * 1e6
    return (shown["InvocationID"], shown["Result"]) if over else None


def next_check():
    """Waits for a whole run that the timer starts from now on."""
    began = time.monotonic()
    return until(lambda: check_runs_since(began), seconds=240, what="a run of fabricctl-check.service by its timer")


def test_the_timer_finds_drift_by_hand_once_and_the_run_after_apply_is_clean():
    """The real timer, its 15 minutes shortened by a drop-in; nobody starts the check but the timer."""
    profile()
    apply().expect(0)
    # each of two intervals that a person may have set alone would run the check; the empty line takes out those of the unit
    server.put(TIMER_DROP_IN, "[Timer]\nOnBootSec=\nOnActiveSec=1\nOnUnitActiveSec=5\nRandomizedDelaySec=0\nAccuracySec=100ms\n")
    output("systemctl", "daemon-reload")
    output("systemctl", "start", "fabricctl-check.timer")
    try:
        equal(next_check()[1], "success")
        assert "fabricctl_exit_code 0\n" in read(METRICS), read(METRICS)
        drift_is_told_once()
        # on a slow machine a run of the timer follows the other
        apply("--lock-wait", "120s").expect(0)
        equal(next_check()[1], "success")
        equal([e["FABRICCTL_STATE"] for e in journal("FABRICCTL_RESOURCE=" + DRIFTING)], ["drifted", "in-sync"])
        assert "fabricctl_exit_code 0\n" in read(METRICS), read(METRICS)
        # the next run may have begun on a slow machine
        assert state("fabricctl-check.service") in ("inactive", "activating")
    finally:
        run("systemctl", "stop", "fabricctl-check.timer")
        os.unlink(TIMER_DROP_IN)
        output("systemctl", "daemon-reload")


def drift_is_told_once():
    dcb_set("pfc", RAILS[5].name, "prio-pfc", "3:off")
    seen = {next_check(), next_check()}
    equal([result for _, result in seen], ["exit-code", "exit-code"], "two runs")
    entries = journal("FABRICCTL_RESOURCE=" + DRIFTING)
    equal([(e["FABRICCTL_STATE"], e["PRIORITY"]) for e in entries], [("drifted", "4")])
    equal(entries[0]["_SYSTEMD_UNIT"], "fabricctl-check.service")
    assert DRIFTING in entries[0]["MESSAGE"], entries
    print("after two runs of the timer the journal has 1 line: " + entries[0]["MESSAGE"])
    told = read(METRICS)
    assert 'fabricctl_resources{kind="dcb",outcome="drifted"} 1\n' in told and "fabricctl_exit_code 2\n" in told, told
    drifted = [r["id"] for r in json.loads(read(REPORT))["resources"] if r["outcome"] == "drifted"]
    equal(drifted, [DRIFTING])
    equal(os.stat(REPORT).st_mode & 0o777, 0o644)
    equal(RAILS[5].pfc(), [])  # looking repairs nothing


def test_S11_check_boot_says_that_no_unit_configured_this_boot():
    profile()
    apply().expect(0)
    end_units()
    done = check("--boot").expect(2)
    equal(done.outcome("boot/fabricctl.service"), "drifted")
    assert "never started in this boot" in done.resources["boot/fabricctl.service"]["reason"], done.resources


# hotplug

def unbind_and_bind(rail):
    """As a reload of one adapter's driver does it: the network device is a new one, and so is the RDMA device."""
    driver, address = os.path.realpath("/sys/bus/pci/devices/%s/driver" % rail.pci), rail.pci
    write(driver + "/unbind", address)
    began = time.monotonic()
    write(driver + "/bind", address)
    until(lambda: os.path.exists("/sys/class/net/" + rail.name), what="the net device")
    output("rdma", "link", "add", rail.rdma, "type", "rxe", "netdev", rail.name)
    return began


def configured_by_event(rail, began):
    """Waits for the unit that the RDMA device's event starts; seconds from udev's first sight of the device to the end of the unit."""
    unit = "fabricctl-rail@rdma:%s.service" % rail.rdma

    def ended():
        shown = properties(unit, "ActiveState", "InactiveExitTimestampMonotonic", "InactiveEnterTimestampMonotonic")
        over = shown["ActiveState"] in ("inactive", "failed") and int(shown["InactiveExitTimestampMonotonic"]) > began * 1e6
        return over and int(shown["InactiveEnterTimestampMonotonic"]) / 1e6
    end = until(ended, seconds=240, what="the end of " + unit)
    shown = properties(unit, "Result", "TriggeredBy")
    equal(shown, {"Result": "success", "TriggeredBy": ""}, unit)
    seen = re.search(r"^USEC_INITIALIZED=(\d+)", output("udevadm", "info", "--query=property", "/sys/class/infiniband/" + rail.rdma), re.M)
    return end - int(seen.group(1)) / 1e6


def no_timer_of_ours_runs():
    equal([line for line in output("systemctl", "list-timers", "--no-legend", "--no-pager").splitlines() if "fabricctl" in line], [])


def test_all_rails_of_a_reloaded_module_are_configured_by_their_events():
    profile()
    output("systemctl", "restart", "fabricctl.service")
    rails_are_lossless()
    no_timer_of_ours_runs()
    once = witness_counters()
    output("modprobe", "--remove", "fabric_lab")
    assert not os.path.exists("/sys/class/net/rail0")
    began = time.monotonic()
    output("modprobe", "fabric_lab")
    until(lambda: os.path.exists("/sys/class/net/rail7"), what="the net devices")
    output("/usr/lib/lab/rdma-links")
    seconds = [configured_by_event(rail, began) for rail in RAILS]
    rails_are_lossless()
    equal(witness_counters(), once, "setter calls: those of one apply, on each rail")
    witness.acs_is(CLEARED)
    print("from device to done, 8 rails at once: %s s; all after %.1f s" % (", ".join("%.1f" % s for s in seconds), time.monotonic() - began))
    end_units()


def test_one_rail_that_appears_again_is_configured_by_its_event_and_the_others_are_untouched():
    profile()
    output("systemctl", "restart", "fabricctl.service")
    rails_are_lossless()
    no_timer_of_ours_runs()
    witness.clear_all_witnesses()
    gone, kept = RAILS[3], [r for r in RAILS if r is not RAILS[3]]
    seconds = configured_by_event(gone, unbind_and_bind(gone))
    print("from device to done, 1 rail: %.1f s" % seconds)
    witness.mlx5_rail_is_lossless(gone)
    for rail in kept:
        witness.rail_is_untouched(rail)
    end_units()


def test_the_run_for_an_event_waits_on_events_and_neither_sleeps_nor_sets_a_timer():
    """Its links bounce meanwhile, so there is something to wait for."""
    profile()
    apply().expect(0)
    rail = RAILS[4]
    rail.reset()
    rail.up()
    rail.flag(bounce_ms=6000)  # longer than the rest of the run, which --seccomp-bpf stops for these calls only
    trace = "/tmp/trace"
    waits = ("nanosleep", "clock_nanosleep", "timerfd_create", "timer_create", "setitimer", "alarm", "pause")
    Run(["strace", "-f", "--seccomp-bpf", "-o", trace, "-e", "trace=poll,ppoll," + ",".join(waits), "/usr/bin/fabricctl", "apply", "--rail",
         "rdma:" + rail.rdma, "--format", "json"]).expect(0)
    text = read(trace)
    equal([line for line in text.splitlines() if re.search(r"\b(%s)\(" % "|".join(waits), line)], [])
    assert re.search(r"\bp?poll\(", text), text
    witness.mlx5_rail_is_lossless(rail)


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
    unbind_and_bind(RAILS[1])
    output("udevadm", "settle")
    equal(rail_runs() - before, set())
    witness.nothing_was_written()


# boots

def test_S11_what_every_boot_needs_is_enabled():
    """Beside it a witness that looks at the rails when the server is about to start: other programs than ours, no later than that."""
    server.install()
    server.put(WITNESS, WITNESS_TEXT, 0o755)
    server.put(WITNESS_DROP_IN, "[Service]\nExecStartPre=+%s\n" % WITNESS)
    profile(SITE)
    shutil.rmtree(STATE, ignore_errors=True)  # as on a host on which nothing ran yet
    output("systemctl", "daemon-reload")
    output("systemctl", "enable", *UNITS, server.UNIT)


@after_reboot
def test_S11_every_boot_configures_eight_rails_before_the_server_starts():
    done = check("--boot").expect(0)
    for identity in ("boot/fabricctl.service", "boot/minio.service", "service/minio.service/process", "module/rdma_cm"):
        equal(done.outcome(identity), "in-sync")
    rails_are_lossless()
    equal({port: control & ~CLEARED for port, control in witness.host.all_controls().items() if control & ~CLEARED}, {})
    equal(read(SEEN_AT_START).split(), ["rail%d:%s:1" % (n, "3") for n in range(len(RAILS))], "PFC and ECN when the server was about to start")
    ours = properties("fabricctl.service", "ActiveEnterTimestampMonotonic", "Result", "UnitFileState")
    theirs = properties(server.UNIT, "InactiveExitTimestampMonotonic", "ActiveState", "DropInPaths")
    equal((ours["Result"], ours["UnitFileState"], theirs["ActiveState"], theirs["DropInPaths"]), ("success", "enabled", "active", WITNESS_DROP_IN + " " + server.OURS))
    assert int(ours["ActiveEnterTimestampMonotonic"]) <= int(theirs["InactiveExitTimestampMonotonic"]), (ours, theirs)
    equal(server.process_limit(), ("unlimited", "unlimited"))
    equal(server.process_program(), server.RDMA)
    equal(state("fabricctl-early.service"), "active")
    equal(os.stat(STATE).st_mode & 0o777, 0o755)
    kept = json.loads(read(STATE + "/baseline.json"))
    early, full = ({item["kind"] for item in kept["items"] if item["from"].endswith(run)} for run in ("-000001", "-000002"))
    assert "module" in early and "dcb" in full, "the first boot keeps what both units found: %s, %s" % (early, full)
    blamed = [line.split() for line in output("systemd-analyze", "blame", "--no-pager").splitlines() if "fabricctl" in line]
    for unit in ("fabricctl-early.service", "fabricctl.service"):
        times = [words[:-1] for words in blamed if words[-1] == unit]
        assert times, blamed
        print("systemd-analyze blame: %s %s" % (" ".join(times[0]), unit))
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
    output("sh", "-ec", finding["fix"].split(": ", 1)[1])
    assert "legacy.guide-units" not in check().findings(), "its own commands retire them"
