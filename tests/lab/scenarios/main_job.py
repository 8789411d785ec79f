"""The main job on eight healthy rails and sixteen ACS ports: plan, apply, check, one drift; and what must not be touched."""
import json
import os
import signal
import subprocess

import dcbnl
import witness
from fabricctl import LOSSLESS, PROFILE, Run, apply, check, fabricctl, plan, profile
from host import RAILS, dcb_set, most_down, output, ports, read, run, until
from witness import CLEARED, equal, rails_are_lossless

# Both kernels: what DCB setters answer and when links come back is theirs. On 6.12 within the units' sandbox, on 6.1 as root of the host.
BOOT = {"sandboxed": ["6.12"]}


def configured(text=LOSSLESS):
    """Applied once, and the setter counters at zero again."""
    profile(text)
    apply().expect(0)
    witness.clear_all_witnesses()


def modification_times():
    found = {}
    for top in ("/etc", "/var/lib", "/usr/lib/systemd"):
        for directory, _, files in os.walk(top):
            for name in files:
                path = os.path.join(directory, name)
                found[path] = os.lstat(path).st_mtime_ns
    return found


# plan, apply, check

def test_plan_shows_the_differences_and_writes_nothing():
    profile()
    shown = plan().expect(2)
    for rail in RAILS:
        equal(shown.outcome("dcb/%s/pfc" % rail.name), "drifted")
        equal(shown.resources["dcb/%s/pfc" % rail.name]["wanted"], [3])
        equal(shown.resources["dcb/%s/pfc" % rail.name]["disturbs"], "link")
    for port in ports():
        equal(shown.outcome("acs/%s/control" % port.bdf), "drifted")
    witness.nothing_was_written()


def test_a_plan_file_is_carried_out_on_the_host_that_it_saw_and_on_no_other():
    person = {"env": dict(os.environ)}  # no unit writes or carries out plan files
    profile()
    path = "/root/lab-plan.json"
    plan("--out", path, **person).expect(2)
    moved = RAILS[5]
    for state, code in (("on", 1), ("off", 0)):
        dcb_set("pfc", moved.name, "prio-pfc", "5:" + state)
        until(moved.carrier, what="the carrier of %r" % moved)
        witness.clear_all_witnesses()
        done = fabricctl("apply", path, **person).expect(code)
        if code:
            message = done.report["error"]["message"]
            assert "the host moved on" in message and "dcb/%s/pfc: was [], is [5]" % moved.name in message, message
            witness.nothing_was_written()
    rails_are_lossless()
    witness.acs_is(CLEARED)
    os.unlink(path)


def test_apply_converges_a_fresh_host_and_every_witness_agrees():
    profile()
    done = apply().expect(0)
    equal(done.report["schema"], "fabricctl/report/1")
    equal(done.report["result"], "converged")
    equal(done.report["changed"], True)
    rails_are_lossless()
    witness.acs_is(CLEARED)
    for port in ports():
        equal(port.control(), CLEARED)
    for rail in RAILS:
        statistics = rail.statistics()
        equal({k: v for k, v in statistics.items() if k.startswith("refused_") and v}, {})
        equal(statistics["link_bounces"], 1)
        entry = done.resources["dcb/%s/pfc" % rail.name]
        equal((entry["rdma"], entry["pci"], entry["outcome"], entry["after"]), (rail.rdma, rail.pci, "changed", [3]))


def test_D24_second_apply_calls_no_setter_and_leaves_every_file_alone():
    configured()
    before = modification_times()
    trace = "/tmp/trace"
    done = Run(["strace", "-f", "-y", "-o", trace, "-e", "trace=pwrite64", "/usr/bin/fabricctl", "apply", "--format", "json"]).expect(0)
    equal(done.report["changed"], False)
    equal(done.with_outcome("changed"), [])
    for rail in RAILS:
        witness.rail_is_untouched(rail)
        equal(rail.carrier(), True)
    equal(modification_times(), before)
    registers = [line for line in read(trace).splitlines() if "/config>" in line]  # how a configuration register is written
    assert not registers, registers


def test_check_exits_0_when_converged_and_2_when_fresh():
    profile()
    check().expect(2)
    witness.nothing_was_written()
    apply().expect(0)
    equal(check().expect(0).with_outcome("drifted"), [])


def test_plan_after_apply_has_nothing_to_do():
    configured()
    plan().expect(0)


def test_rails_never_lose_their_carrier_together():
    for rail in RAILS:
        rail.flag(bounce_ms=400)
    profile()
    apply().expect(0)
    equal(most_down(), 1)


# drift: each is found, named, and put right with the smallest change

DRIFTS = [
    ("pfc", lambda r: r.trigger("pfc=0"), {"setpfc": 1}),
    ("dscp-map", lambda r: r.trigger("app=26:5"), {"setapp": 1}),
    ("priority-to-buffer", lambda r: r.trigger("buffer_of=3:0"), {"setbuffer": 1}),
    ("dcbx", lambda r: r.trigger("dcbx=0x0c"), {"setdcbx": 1}),
]


def test_one_rail_drifts_and_check_names_exactly_that():
    configured()
    rail = RAILS[3]
    for which, drift, calls in DRIFTS:
        drift(rail)
        found = check().expect(2)
        equal(found.with_outcome("drifted"), ["dcb/%s/%s" % (rail.name, which)])
        witness.rail_is_untouched(rail)
        equal(apply().expect(0).with_outcome("changed"), ["dcb/%s/%s" % (rail.name, which)])
        equal(rail.setter_calls(), calls)
        witness.mlx5_rail_is_lossless(rail)
        rail.clear_witness()
    for other in RAILS:
        witness.rail_is_untouched(other)


def test_one_ecn_switch_drifts_and_check_names_exactly_that():
    configured()
    rail = RAILS[6]
    rail.trigger("ecn_rp=0")
    equal(check().expect(2).with_outcome("drifted"), ["ecn/%s/reaction-point" % rail.name])
    apply().expect(0)
    equal(rail.setter_calls(), {"ecn_store": 1})
    rail.trigger("ecn_np=0x28")  # one priority too many
    equal(check().expect(2).with_outcome("drifted"), ["ecn/%s/notification-point" % rail.name])
    apply().expect(0)
    equal(rail.ecn("np"), [3])


def test_one_acs_port_drifts_and_check_names_exactly_that():
    configured()
    port = ports()[11]
    port.set_control(0x1D)
    found = check().expect(2)
    equal(found.with_outcome("drifted"), ["acs/%s/control" % port.bdf])
    equal(found.resources["acs/%s/control" % port.bdf]["found"], "0x001d")
    apply().expect(0)
    witness.acs_is(CLEARED)


def test_D15_value_that_changes_back_later_is_drift_at_the_next_check():
    configured()
    rail = RAILS[1]
    rail.flag(firmware_dcbx=0)
    rail.trigger("after=300 pfc=0 dcbx=0x0c")
    until(lambda: rail.pfc() == [])
    found = check().expect(2)
    equal(found.with_outcome("drifted"), ["dcb/%s/dcbx" % rail.name, "dcb/%s/pfc" % rail.name])
    assert "firmware" in json.dumps(found.report).lower(), "the likely owner is not named"


# how DCB is written

def test_D09_all_64_entries_are_written_when_the_map_is_owned():
    profile()
    apply().expect(0)
    written = {int(argument.split(",")[1].split(":")[0]) for setter, argument, _ in RAILS[0].log() if setter == "setapp"}
    equal(written, set(range(64)))


def test_D11_a_wrong_entry_is_replaced_and_not_deleted():
    dcbnl.set_app(RAILS[0].name, 26, 5)
    profile()
    apply().expect(0)
    equal([entry for entry in RAILS[0].log() if entry[0] == "delapp"], [])
    witness.mlx5_rail_is_lossless(RAILS[0])


def test_D10_trust_flips_with_an_explicit_trust_only():
    profile(LOSSLESS.replace("trust: dscp", "trust: keep"))
    done = apply().expect(3)
    for rail in RAILS:
        equal(done.outcome("dcb/%s/dscp-map" % rail.name), "failed")
        assert "setapp" not in rail.setter_calls(), rail.log()
        equal(rail.hardware()["trust"], "pcp")
        equal(rail.pfc(), [3])


def test_D16_taking_dcbx_keeps_the_version_bits():
    rail = RAILS[2]
    rail.flag(firmware_dcbx=1)
    profile()
    equal(apply().expect(0).outcome("dcb/%s/dcbx" % rail.name), "changed")
    equal([e for e in rail.log() if e[0] == "setdcbx"], [("setdcbx", "0x0d", 0)])
    equal(rail.show("dcbx"), {"host": True, "cee": True, "ieee": True})


def test_order_on_mlx5_is_dcbx_pfc_buffer_then_the_map():
    rail = RAILS[0]
    rail.flag(firmware_dcbx=1)
    profile(LOSSLESS.replace("lossless: {", "max-rate: { 3: 100Gbit }\n  ets: { tsa: { 0: ets, 3: ets }, bandwidth: { 0: 50, 3: 50 } }\n  lossless: {"))
    apply().expect(0)
    order = []
    for setter, _, _ in rail.log():
        if not order or order[-1] != setter:
            order.append(setter)
    equal(order, ["setdcbx", "setets", "setmaxrate", "setpfc", "setbuffer", "setapp", "ecn_store"])


def test_fields_that_the_profile_does_not_name_are_kept():
    rail = RAILS[0]
    ets = (dcbnl.TSA_ETS,) * 2 + (dcbnl.TSA_STRICT,) * 6
    dcbnl.set_ets(rail.name, ets, (30, 70) + (0,) * 6)
    dcbnl.set_pfc(rail.name, [], delay=42)
    rail.clear_witness()
    profile()
    apply().expect(0)
    assert "setets" not in rail.setter_calls() and "setmaxrate" not in rail.setter_calls()
    equal(rail.show("pfc")["delay"], 42)
    equal(rail.show("ets")["tc_bw"][:2], [30, 70])


def test_cable_length_goes_with_pfc_in_one_message():
    profile(LOSSLESS.replace("trust: dscp", "trust: dscp\n  cable-length: 5m"))
    apply().expect(0)
    for rail in RAILS[:2]:
        equal([e[1] for e in rail.log() if e[0] == "setpfc"], ["pfc_en=0x08,delay=5"])
    apply().expect(0)


def test_D23_max_rate_above_the_hardware_is_never_wrapped():
    rail = RAILS[0]
    for r in RAILS:
        r.flag(maxrate_wrap=1)
    profile(LOSSLESS.replace("trust: dscp", "trust: dscp\n  max-rate: { 3: 300Gbit }"))
    done = apply()
    assert done.code in (3, 5), done.code
    if done.code == 3:
        assert done.outcome("dcb/%s/max-rate" % rail.name) in ("failed", "unsupported")
        rails_are_lossless()
    equal({r.hardware()["maxrate"][3] for r in RAILS}, {0})


def test_max_rate_and_buffer_size_are_equal_within_one_hardware_step():
    profile(LOSSLESS.replace("trust: dscp", "trust: dscp\n  max-rate: { 3: 20Gbit }\n  buffer-size: { 1: 256KiB }"))
    apply().expect(0)
    equal(RAILS[0].show("maxrate")["tc_maxrate"][3], 20_000_000)
    equal(RAILS[0].show("buffer")["buffer_size"][1], 262144 // 144 * 144)
    witness.clear_all_witnesses()
    apply().expect(0)
    for rail in RAILS:
        witness.rail_is_untouched(rail)


def test_D28_the_rest_of_the_block_is_a_finding_unless_exclusive():
    profile()
    ambiguous = [f for i, f in apply().expect(0).findings().items() if i.startswith("dcb.auto-ambiguous")]
    equal([f["severity"] for f in ambiguous][:1], ["info"])
    profile(LOSSLESS.replace("trust: dscp", "trust: dscp\n  other-dscp: exclusive"))
    done = apply().expect(0)
    equal([i for i in done.findings() if i.startswith("dcb.auto-ambiguous")], [])
    equal(RAILS[0].dscp_list(), {d: [3 if d == 26 else 0 if d >> 3 == 3 else d >> 3] for d in range(64)})


# pause and MTU

def test_D25_global_pause_beside_pfc_is_a_finding_or_set_when_owned():
    configured()
    RAILS[5].trigger("pause=1")
    found = check()
    assert [i for i in found.findings() if "pause" in i], found.findings()
    profile(LOSSLESS + "pause: { rx: off, tx: off }\n")
    equal(check().expect(2).with_outcome("drifted"), ["pause/%s" % RAILS[5].name])
    apply().expect(0)
    equal(RAILS[5].pause(), {"RX": False, "TX": False})
    equal(RAILS[5].setter_calls(), {"setpauseparam": 1})


def test_mtu_is_set_on_every_rail_once():
    profile(LOSSLESS + "mtu: 9000\n")
    apply().expect(0)
    for rail in RAILS:
        equal(rail.link()["mtu"], 9000)
        equal(rail.setter_calls()["change_mtu"], 1)
    apply().expect(0)
    equal(RAILS[0].setter_calls()["change_mtu"], 1)


# what must not be touched

def test_a_rail_that_carries_the_default_route_stays_untouched():
    rail = RAILS[4]
    rail.up()
    output("ip", "addr", "add", "10.9.0.2/24", "dev", rail.name)
    output("ip", "route", "add", "default", "via", "10.9.0.1", "dev", rail.name)
    try:
        rail.clear_witness()
        profile()
        done = apply().expect(3)
        witness.rail_is_untouched(rail)
        equal(rail.hardware()["trust"], "pcp")
        equal({r["outcome"] for r in done.of_rail(rail).values()}, {"failed"})
        assert all("carries the default route" in r["reason"] for r in done.of_rail(rail).values()), done.of_rail(rail)
        rails_are_lossless(rail)
        witness.acs_is(CLEARED)
    finally:
        output("ip", "route", "del", "default")


def test_an_excluded_rail_is_neither_touched_nor_listed():
    profile(LOSSLESS.replace("expect: 8", "expect: 7\n  exclude:\n    - { interface: \"%s\" }" % RAILS[7].name))
    done = apply().expect(0)
    equal(done.of_rail(RAILS[7]), {})
    witness.rail_is_untouched(RAILS[7])
    rails_are_lossless(RAILS[7])


def test_too_many_rails_and_no_rail_is_written():
    profile(LOSSLESS.replace("expect: 8", "expect: 4"))
    done = apply().expect(3)
    equal(done.outcome("rails/expect"), "failed")
    for rail in RAILS:
        witness.rail_is_untouched(rail)
    witness.acs_is(CLEARED)  # host-wide resources go on


def test_too_few_rails_and_those_present_are_configured():
    profile(LOSSLESS.replace("expect: 8", "expect: 9"))
    equal(apply().expect(3).outcome("rails/expect"), "failed")
    rails_are_lossless()
    equal(check().expect(2).with_outcome("drifted"), ["rails/expect"])


def test_only_and_rail_limit_what_is_done_and_listed():
    profile()
    done = apply("--only", "dcb", "--rail", RAILS[0].name).expect(0)
    equal({r["device"] for r in done.resources.values()}, {RAILS[0].name})
    equal({r["kind"] for r in done.resources.values()}, {"dcb"})
    equal(RAILS[0].pfc(), [3])
    equal(RAILS[0].ecn("rp"), [])
    for rail in RAILS[1:]:
        witness.rail_is_untouched(rail)
    witness.acs_is(0x1D)


# bad input, missing rights, interruption

def test_an_invalid_profile_lists_all_errors_and_touches_nothing():
    profile(LOSSLESS.replace("trust: dscp", "trust: dscq").replace("clear: redirect", "cleer: redirect").replace("priority: 3", "priority: 9"))
    done = apply().expect(5)
    errors = done.report["errors"]
    assert len(errors) >= 3, errors
    assert all(e["line"] > 0 and e["column"] > 0 and e["file"] == PROFILE for e in errors), errors
    witness.nothing_was_written()


def test_no_rails_says_what_was_looked_for():
    profile(LOSSLESS.replace("mlx5_*", "nothing_*"))
    done = apply().expect(3)
    assert "nothing_" in done.stdout + done.stderr
    for rail in RAILS:
        witness.rail_is_untouched(rail)


def test_A02_without_root_nothing_is_guessed():
    configured()
    done = Run(["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "/usr/bin/fabricctl", "check", "--format", "json"]).expect(6)
    equal({done.outcome("acs/%s/control" % p.bdf) for p in ports()}, {"unreadable"})
    equal({done.outcome("dcb/%s/pfc" % r.name) for r in RAILS}, {"in-sync"})  # netlink answers everybody
    refused = Run(["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "/usr/bin/fabricctl", "apply", "--format", "json"])
    equal(refused.code, 1)
    assert "CAP_" in refused.stdout + refused.stderr
    for rail in RAILS:
        witness.rail_is_untouched(rail)


def test_D20_root_of_a_user_namespace_could_not_run():
    profile()
    refused = Run(["unshare", "-Ur", "/usr/bin/fabricctl", "apply", "--format", "json"])
    equal(refused.code, 1)
    said = refused.stdout + refused.stderr
    assert "CAP_NET_ADMIN" in said and "namespace" in said, said
    witness.nothing_was_written()


def started(*arguments):
    return subprocess.Popen(["/usr/bin/fabricctl", *arguments, "--format", "json"], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def any_setter_called():
    return any(rail.log() for rail in RAILS)


def test_an_interrupted_run_reports_and_a_later_one_converges():
    for sign in (signal.SIGTERM, signal.SIGINT):
        for rail in RAILS:
            rail.reset()
            rail.up()
            rail.flag(delay_ms=50)
        witness.clear_all_witnesses()
        profile()
        child = started("apply")
        until(any_setter_called, seconds=30)
        child.send_signal(sign)
        text, _ = child.communicate(timeout=60)
        equal(child.returncode, 3)
        reasons = [r["reason"] for r in json.loads(text)["resources"] if r["outcome"] == "failed"]
        assert any("not attempted: " + sign.name in r for r in reasons), reasons
        for rail in RAILS:
            rail.flag(delay_ms=0)
        apply().expect(0)
        rails_are_lossless()


def test_a_killed_run_leaves_no_lock_and_a_later_one_converges():
    for rail in RAILS:
        rail.flag(delay_ms=50)
    profile()
    child = started("apply")
    until(any_setter_called, seconds=30)
    child.kill()
    child.wait()
    for rail in RAILS:
        rail.flag(delay_ms=0)
    apply().expect(0)
    rails_are_lossless()


def test_a_second_run_waits_for_the_lock_or_exits_4():
    for rail in RAILS:
        rail.flag(delay_ms=50)
    profile()
    child = started("apply")
    until(any_setter_called, seconds=30)
    equal(apply().code, 4)
    equal(check().code, 4)
    for rail in RAILS:
        rail.flag(delay_ms=0)
    apply("--lock-wait", "60s").expect(0)
    child.communicate(timeout=60)
    equal(child.returncode, 0)


# devices above and beside a port

def test_D21_a_vlan_resolves_to_its_port():
    rail = RAILS[0]
    output("ip", "link", "add", "link", rail.name, "name", "storage7", "type", "vlan", "id", "7")
    try:
        profile(LOSSLESS.replace('- { rdma: "mlx5_*" }', '- { interface: storage7 }').replace("expect: 8", "expect: 1"))
        done = apply().expect(0)
        equal(done.outcome("dcb/%s/pfc" % rail.name), "changed")
        witness.mlx5_rail_is_lossless(rail)
    finally:
        output("ip", "link", "del", "storage7")


def test_D19_a_namespace_move_that_flushed_the_list_is_drift():
    configured()
    rail = RAILS[0]
    name = rail.name
    output("ip", "netns", "add", "elsewhere")
    try:
        output("ip", "link", "set", name, "netns", "elsewhere")
        output("ip", "-n", "elsewhere", "link", "set", name, "netns", "1")
    finally:
        output("ip", "netns", "del", "elsewhere")
    run("rdma", "link", "delete", rail.rdma)
    output("rdma", "link", "add", rail.rdma, "type", "rxe", "netdev", name)
    rail.up()
    equal(rail.dscp_list(), {})
    equal(rail.hardware()["dscp"][26], 3)
    assert "dcb/%s/dscp-map" % name in check().expect(2).with_outcome("drifted")
    apply().expect(0)
    equal(rail.dscp_list(), witness.DSCP_MAP)


def test_D18_a_rail_renamed_during_the_run_is_written_by_its_index():
    rail = RAILS[7]
    for r in RAILS:
        output("ip", "link", "set", r.name, "down")
    RAILS[0].flag(delay_ms=50)
    profile()
    child = started("apply")
    try:
        until(lambda: RAILS[0].log(), seconds=30, what="the first write to rail0")
        output("ip", "link", "set", rail.name, "name", "ens1f0np0")
        RAILS[0].flag(delay_ms=0)
        text, _ = child.communicate(timeout=60)
        # DCB goes by index. Files of sysfs go by name: those of the old name are gone, which is said and never
        # written to whatever has that name now.
        resources = {r["id"]: r for r in json.loads(text)["resources"]}
        wrong = {name for name, r in resources.items() if r["outcome"] not in ("changed", "in-sync", "not-applicable")}
        assert wrong <= {i for i in resources if i.startswith("ecn/rail7/")}, wrong
        equal(resources["dcb/rail7/pfc"]["outcome"], "changed")
        equal(rail.hardware()["dscp"][26], 3)
    finally:
        output("ip", "link", "set", "ens1f0np0", "name", "rail7")
    apply().expect(0)
    rails_are_lossless()


def test_status_needs_no_profile_and_gives_a_verdict_per_rail():
    configured()
    os.unlink(PROFILE)
    done = fabricctl("status")
    equal(done.code, 0)
    text = json.dumps(done.report)
    for rail in RAILS:
        assert '"%s"' % rail.name in text, text[:2000]
        witness.rail_is_untouched(rail)
