"""Rails that refuse, lie, lack something or are of another make: the right outcome for each, and all the others done all the same."""
import json

import dcbnl
import witness
from fabricctl import LOSSLESS, apply, check, profile
from host import RAILS, Skip, dcb_set, kernel, most_down, output, until
from witness import equal, rails_are_lossless

# Both kernels: 6.12 has app trust and other answers to a refused message.
# The kernel with more setters each time, the other in scripts/soak: the rails of main_job are on both.
BOOT = {"soak_kernels": ["6.1"]}

BAD = RAILS[2]


def bad(what):
    return "dcb/%s/%s" % (BAD.name, what)


def applied(code, text=LOSSLESS):
    profile(text)
    return apply().expect(code)


# refusals and lies, on an mlx5 rail

def test_D01_a_refusal_inside_an_ordinary_reply_is_a_failure():
    for error, words in (("EIO", ("EIO", "Input/output")), ("EBUSY", ("EBUSY", "busy")), ("EINVAL", ("EINVAL", "Invalid"))):
        BAD.flag(setpfc=error)
        done = applied(3)
        equal(done.outcome(bad("pfc")), "failed")
        assert any(w in done.resources[bad("pfc")]["reason"] for w in words), done.resources[bad("pfc")]
        equal(BAD.pfc(), [])
        equal(done.with_outcome("failed"), [bad("pfc")])
    rails_are_lossless(BAD)
    equal(BAD.dscp_list(), witness.DSCP_MAP)  # the rest of the same rail is done too


def test_D05_byte_244_names_both_errors():
    BAD.flag(setets="ENOTSUPP", setpfc="ENOMEM")
    reason = applied(3).resources[bad("pfc")]["reason"]
    assert "ENOMEM" in reason and "ENOTSUPP" in reason, reason


def test_D13_pfc_that_moved_although_the_message_failed_is_said():
    BAD.flag(setpfc="change+ENOMEM")
    done = applied(3)
    entry = done.resources[bad("pfc")]
    equal((entry["outcome"], entry["after"]), ("failed", [3]))
    equal(BAD.pfc(), [3])
    rails_are_lossless(BAD)


def test_D14_a_setter_that_answers_zero_and_changes_nothing_is_a_failure():
    for setter, what in (("setpfc", "pfc"), ("setapp", "dscp-map"), ("setbuffer", "priority-to-buffer")):
        BAD.reset()
        BAD.up()
        BAD.flag(**{setter: "lie"})
        done = applied(3)
        equal(done.outcome(bad(what)), "failed")
        assert set(done.with_outcome("failed")) <= {bad(what), bad("trust")}, done.with_outcome("failed")
    rails_are_lossless(BAD)


def test_D14_a_dcbx_that_is_not_given_is_a_failure():
    BAD.flag(firmware_dcbx=1, setdcbx="lie")
    equal(applied(3).outcome(bad("dcbx")), "failed")
    BAD.flag(setdcbx="EIO")
    equal(applied(3).outcome(bad("dcbx")), "failed")
    rails_are_lossless(BAD)


def test_one_at_a_time_a_rail_that_misbehaves_is_the_last_that_is_touched():
    profile()
    BAD.flag(setpfc="lie")
    done = apply("--one-at-a-time").expect(3)
    equal(done.outcome(bad("pfc")), "failed")
    for rail in RAILS[:BAD.index]:
        witness.mlx5_rail_is_lossless(rail)
    assert "setpfc" in BAD.setter_calls(), BAD.setter_calls()
    for rail in RAILS[BAD.index + 1:]:
        witness.rail_is_untouched(rail)
        equal(rail.statistics()["link_bounces"], 0)
        reasons = {r["reason"] for r in done.of_rail(rail).values() if r["outcome"] == "failed"}
        equal(reasons, {"not attempted: %s failed, --one-at-a-time" % BAD.name})
    BAD.reset()
    BAD.up()
    apply("--one-at-a-time").expect(0)
    rails_are_lossless()


def test_within_a_limit_the_rails_whose_link_would_go_down_get_no_write():
    profile()
    ready = RAILS[5]
    dcb_set("pfc", ready.name, "prio-pfc", "3:on")
    until(ready.carrier, what="the carrier of %r" % ready)
    witness.clear_all_witnesses()
    done = apply("--max-disruption", "traffic").expect(3)
    for rail in RAILS:
        if rail is not ready:
            witness.rail_is_untouched(rail)
            assert done.resources["dcb/%s/pfc" % rail.name]["reason"].startswith("not attempted: --max-disruption traffic"), rail
    witness.mlx5_rail_is_lossless(ready)
    equal(ready.statistics()["link_bounces"], 0)


def test_D20_eperm_from_a_driver_is_a_failure_of_that_rail():
    BAD.flag(setpfc="EPERM")
    done = applied(3)
    equal(done.with_outcome("failed"), [bad("pfc")])
    rails_are_lossless(BAD)


def test_one_refused_entry_fails_the_map_and_names_it():
    BAD.flag(setapp="EIO", fault_dscp=26)
    done = applied(3)
    equal(done.outcome(bad("dscp-map")), "failed")
    assert "26" in done.resources[bad("dscp-map")]["reason"], done.resources[bad("dscp-map")]
    rails_are_lossless(BAD)


def test_a_refused_ecn_store_is_a_failure():
    BAD.flag(ecn_store="EIO")
    done = applied(3)
    equal(done.outcome("ecn/%s/reaction-point" % BAD.name), "failed")
    BAD.flag(ecn_store="lie")
    equal(applied(3).outcome("ecn/%s/reaction-point" % BAD.name), "failed")
    rails_are_lossless(BAD)


def test_a_refused_mtu_is_a_failure_and_the_rest_goes_on():
    BAD.flag(change_mtu="EINVAL")
    done = applied(3, LOSSLESS + "mtu: 9000\n")
    equal(done.with_outcome("failed"), ["mtu/%s" % BAD.name])
    rails_are_lossless()
    equal([r.link()["mtu"] for r in RAILS], [1500 if r is BAD else 9000 for r in RAILS])


def test_a_pause_that_lies_is_a_failure():
    BAD.flag(setpfc="lie", setpauseparam="lie")
    done = applied(3, LOSSLESS + "pause: { rx: off, tx: off }\n")
    equal(done.outcome("pause/%s" % BAD.name), "failed")


def test_a_lossless_buffer_that_is_too_small_names_the_refusal():
    BAD.flag(lossless_min=500000)
    done = applied(3)
    equal(done.outcome(bad("priority-to-buffer")), "failed")
    rails_are_lossless(BAD)


# a link that does not come back

def test_a_rail_that_does_not_come_back_stops_link_steps_on_the_others():
    RAILS[0].flag(carrier_returns=0)
    done = applied(3)
    equal(done.outcome("dcb/%s/pfc" % RAILS[0].name) in ("changed", "failed"), True)
    for rail in RAILS[1:]:
        entry = done.resources["dcb/%s/pfc" % rail.name]
        equal((entry["outcome"], rail.pfc()), ("failed", []))
        assert "did not come back" in entry["reason"] and RAILS[0].name in entry["reason"], entry
        equal(rail.dscp_list(), witness.DSCP_MAP)  # all other steps go on
        equal(rail.ecn("rp"), [3])
    equal(most_down(), 1)
    witness.acs_is(witness.CLEARED)
    RAILS[0].flag(carrier=1, carrier_returns=1)
    applied(0)
    rails_are_lossless()


def test_a_rail_that_is_down_anyway_is_not_waited_for():
    for rail in RAILS:
        output("ip", "link", "set", rail.name, "down")
    done = applied(0)
    assert done.seconds < 15, done.seconds
    rails_are_lossless()


# missing from the answer

def test_D07_missing_attribute_is_not_off():
    BAD.flag(getpfc="EIO")
    profile()
    for done in (apply(), check()):
        assert done.code in (3, 6), done.code
        assert done.outcome(bad("pfc")) in ("unsupported", "unreadable"), done.resources[bad("pfc")]
        assert done.resources[bad("pfc")].get("after") != [], done.resources[bad("pfc")]
    rails_are_lossless(BAD)


def test_D07_missing_buffer_attribute_is_not_zero():
    BAD.flag(getbuffer="EIO")
    profile(LOSSLESS.replace("trust: dscp", "trust: dscp\n  priority-to-buffer: { 3: 1 }"))
    done = apply()
    assert done.code in (3, 6) and done.outcome(bad("priority-to-buffer")) in ("unsupported", "unreadable"), done.resources
    rails_are_lossless(BAD)


# ECN

def test_D26_an_empty_enable_file_is_unreadable_and_not_zero():
    BAD.flag(ecn="empty")
    profile()
    done = check()
    equal(done.outcome("ecn/%s/reaction-point" % BAD.name), "unreadable")
    done = apply().expect(6)
    equal(done.outcome("ecn/%s/reaction-point" % BAD.name), "unreadable")
    rails_are_lossless(BAD)


def test_D27_no_ecn_directory_is_reported_or_failed_as_the_profile_says():
    for mode in ("absent", "inbox"):
        BAD.flag(ecn=mode)
        done = applied(0)
        equal(done.outcome("ecn/%s/reaction-point" % BAD.name), "not-applicable")
        assert any(i.startswith("ecn.uncontrollable") for i in done.findings()), done.findings()
        done = applied(3, LOSSLESS.replace("report", "fail"))
        equal(done.outcome("ecn/%s/reaction-point" % BAD.name), "unsupported")
        done = applied(3, LOSSLESS.replace("when-uncontrollable: report", "reaction-point: [3]"))
        equal(done.outcome("ecn/%s/reaction-point" % BAD.name), "unsupported")
    rails_are_lossless(BAD)


# other makes

def lossless_at_heart(rail):
    equal(rail.pfc(), [3])
    equal(rail.dscp_list()[26], [3])
    equal(rail.hardware()["dscp"][26], 3)


def test_D22_bnxt_gets_ets_before_pfc():
    BAD.become("bnxt")
    BAD.up()
    done = applied(0)
    lossless_at_heart(BAD)
    setters = [e[0] for e in BAD.log()]
    assert setters.index("setets") < setters.index("setpfc"), setters
    equal([e for e in BAD.log() if e[2] != 0], [])
    equal(done.outcome(bad("priority-to-buffer")), "not-applicable")
    equal(done.outcome("ecn/%s/reaction-point" % BAD.name), "not-applicable")
    assert any(i.startswith("dcb.uncontrollable") for i in done.findings()), done.findings()
    rails_are_lossless(BAD)
    BAD.clear_witness()
    applied(0)
    witness.rail_is_untouched(BAD)


def test_D02_an_explicit_value_without_an_operation_is_unsupported():
    BAD.become("bnxt")
    BAD.up()
    done = applied(3, LOSSLESS.replace("trust: dscp", "trust: dscp\n  max-rate: { 3: 100Gbit }\n  buffer-size: { 1: 256KiB }"))
    equal(done.outcome(bad("max-rate")), "unsupported")
    equal(done.outcome(bad("buffer-size")), "unsupported")
    lossless_at_heart(BAD)


def test_D08_an_entry_in_the_list_that_the_firmware_refused_is_a_failure():
    BAD.become("bnxt")
    BAD.up()
    BAD.flag(setapp="EIO", fault_dscp=26)
    done = applied(3)
    assert ("setapp", "5,26:3", -5) in BAD.log(), BAD.log()
    equal(BAD.hardware()["dscp"][26], 0)
    equal(done.outcome(bad("dscp-map")), "failed")
    assert BAD.dscp_list().get(26) is None, "the list still claims what the firmware refused"
    rails_are_lossless(BAD)


def test_D12_one_dscp_with_two_priorities_is_drift_and_both_are_shown():
    BAD.become("bnxt")
    BAD.up()
    applied(0)
    dcbnl.set_app(BAD.name, 26, 5)
    done = check().expect(2)
    equal(done.with_outcome("drifted"), [bad("dscp-map")])
    found = json.dumps(done.resources[bad("dscp-map")]["found"])
    assert "3" in found and "5" in found, found
    applied(0)
    equal(BAD.dscp_list()[26], [3])
    equal(BAD.hardware()["dscp"][26], 3)


def test_bnxt_under_its_firmware_agent_fails_and_names_the_owner():
    BAD.become("bnxt")
    BAD.up()
    BAD.flag(firmware_dcbx=1)
    done = applied(3)
    equal(done.outcome(bad("pfc")), "failed")
    assert "firmware" in json.dumps(done.of_rail(BAD)).lower(), done.of_rail(BAD)
    rails_are_lossless(BAD)


def test_D22_ice_gets_a_delete_before_a_remap():
    BAD.become("ice")
    BAD.up()
    dcbnl.set_app(BAD.name, 26, 4)
    BAD.clear_witness()
    applied(0)
    lossless_at_heart(BAD)
    equal([e for e in BAD.log() if e[2] < 0], [])
    rails_are_lossless(BAD)


def test_D06_a_positive_code_is_neither_success_nor_an_errno():
    BAD.become("ice")
    BAD.up()
    BAD.flag(setpfc="change+2")
    applied(0)
    equal(BAD.pfc(), [3])
    BAD.reset()
    BAD.up()
    BAD.flag(setpfc="2")
    equal(applied(3).outcome(bad("pfc")), "failed")


def test_D17_a_dcbx_answer_of_1_is_decided_by_reading_back():
    BAD.become("ice")
    BAD.up()
    applied(0)
    equal(check().expect(0).outcome(bad("dcbx")), "in-sync")
    BAD.become("mlx5")
    BAD.up()
    BAD.flag(firmware_dcbx=1, setdcbx="change+1")
    equal(applied(0).outcome(bad("dcbx")), "changed")


def test_ice_under_its_lldp_agent_fails_and_names_the_private_flag():
    BAD.become("ice")
    BAD.up()
    BAD.flag(firmware_dcbx=1)
    done = applied(3)
    equal(done.outcome(bad("pfc")), "failed")
    assert "fw-lldp-agent" in json.dumps(done.of_rail(BAD)) + json.dumps(done.report["findings"])
    equal(BAD.hardware()["pfc"], 0)
    rails_are_lossless(BAD)


def test_a_rail_without_dcb_is_unsupported():
    BAD.become("nodcb")
    BAD.up()
    done = applied(3)
    for what in ("pfc", "trust", "dscp-map"):
        equal(done.outcome(bad(what)), "unsupported")
    rails_are_lossless(BAD)


def test_D04_app_trust_is_used_where_it_exists_and_unsupported_where_it_is_ignored():
    BAD.become("apptrust")
    BAD.up()
    profile()
    done = apply()
    if kernel() >= (6, 2):
        done.expect(0)
        equal(BAD.hardware()["apptrust"][0], dcbnl.SELECTOR_DSCP)
        equal([e[0] for e in BAD.log()].count("setapptrust"), 1)
        lossless_at_heart(BAD)
        BAD.clear_witness()
        apply().expect(0)
        witness.rail_is_untouched(BAD)
    else:
        equal(done.code, 3)
        equal(done.outcome(bad("trust")), "unsupported")
    rails_are_lossless(BAD)


def test_D14_an_app_trust_that_lies_is_a_failure():
    if kernel() < (6, 2):
        raise Skip("kernel %d.%d has no app trust" % kernel())
    BAD.become("apptrust")
    BAD.up()
    BAD.flag(setapptrust="lie")
    equal(applied(3).outcome(bad("trust")), "failed")


def test_a_list_that_no_hardware_has_seen_is_never_a_lossless_rail():
    BAD.become("softapp")
    BAD.up()
    done = applied(3)
    assert done.outcome(bad("trust")) in ("unsupported", "failed"), done.of_rail(BAD)
    rails_are_lossless(BAD)


def test_every_misfortune_at_once_hides_nothing():
    RAILS[0].flag(setpfc="EIO")
    RAILS[1].flag(setapp="lie")
    RAILS[3].become("nodcb")
    RAILS[3].up()
    RAILS[4].flag(ecn="empty")
    RAILS[5].flag(setbuffer="ENOMEM")
    done = applied(3)
    equal(done.report["result"], "partial")
    equal(done.outcome("dcb/%s/pfc" % RAILS[0].name), "failed")
    equal(done.outcome("dcb/%s/dscp-map" % RAILS[1].name), "failed")
    equal(done.outcome("dcb/%s/pfc" % RAILS[3].name), "unsupported")
    equal(done.outcome("ecn/%s/reaction-point" % RAILS[4].name), "unreadable")
    equal(done.outcome("dcb/%s/priority-to-buffer" % RAILS[5].name), "failed")
    for rail in (RAILS[2], RAILS[6], RAILS[7]):
        witness.mlx5_rail_is_lossless(rail)
    witness.acs_is(witness.CLEARED)
