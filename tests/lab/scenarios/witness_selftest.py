"""Proves with no product at all that the lab's rails and ports behave: every kind of adapter and every fault, as dcb, ip, ethtool and setpci see it."""
import errno
import os
import time

import dcbnl
import witness
from host import KERNEL_ACS, RAILS, all_controls, dcb_set, fresh, kernel, most_down, output, ports, read, run, until, write

# Both kernels: the lab's module is built against each.
BOOT = {"product": False, "soak_kernels": ["6.1"]}

RAIL = RAILS[0]
OTHER = RAILS[1]


def refused(error):
    return -error


def equal(found, wanted):
    assert found == wanted, "found %r, wanted %r" % (found, wanted)


# identity

def test_sixteen_functions_have_the_identity_of_their_role():
    devices = {line.split()[0]: line for line in output("lspci", "-Dnn").splitlines()}
    for rail in RAILS:
        assert "[0200]" in devices[rail.pci] and "[15b3:1021]" in devices[rail.pci], devices[rail.pci]
        equal(os.path.basename(os.readlink("/sys/bus/pci/devices/%s/driver" % rail.pci)), "mlx5_core")
        equal(os.path.realpath("/sys/class/net/%s/device" % rail.name).split("/")[-1], rail.pci)
        assert "driver: mlx5_core" in output("ethtool", "-i", rail.name)
        assert "Speed: 100000Mb/s" in output("ethtool", rail.name)
    equal(sum("[0302]" in line and "[10de:2330]" in line for line in devices.values()), 8)


def test_every_rail_has_an_rdma_device_with_an_ethernet_port():
    listing = output("ibv_devinfo")
    for rail in RAILS:
        assert rail.rdma in listing, listing
    equal(listing.count("link_layer:\t\tEthernet"), 8)


def test_roles_give_the_identity_of_other_adapters_and_of_gpu_lookalikes():
    for role, identity, driver in (("bnxt", "[14e4:1750]", "bnxt_en"), ("ice", "[8086:1592]", "ice"), ("nodcb", "[1dd8:1002]", "fabric_lab")):
        RAIL.become(role)
        assert identity in output("lspci", "-nn", "-s", RAIL.pci)
        assert "driver: " + driver in output("ethtool", "-i", RAIL.name)
    for role, identity in (("gpu_amd", "[1200]"), ("nvswitch", "[10de:22a3]"), ("audio", "[0403]"), ("vga", "[102b:0538]")):
        write("/sys/kernel/fabric_lab/roles", "8 " + role)
        assert identity in output("lspci", "-nn", "-s", "0000:09:00.0"), role
    write("/sys/kernel/fabric_lab/roles", "8 gpu_bare")
    assert "[10de:2330]" in output("lspci", "-nn", "-s", "0000:09:00.0")
    assert not os.path.exists("/sys/bus/pci/devices/0000:09:00.0/driver")
    write("/sys/kernel/fabric_lab/roles", "8 none")
    assert "[1234:11e8]" in output("lspci", "-nn", "-s", "0000:09:00.0")


# like mlx5

def test_mlx5_fresh_state():
    equal(RAIL.pfc(), [])
    equal(RAIL.dscp_list(), {})
    equal(RAIL.show("dcbx"), {"host": True, "cee": True, "ieee": True})
    equal(RAIL.hardware()["trust"], "pcp")
    equal(RAIL.hardware()["dscp"], [d >> 3 for d in range(64)])
    equal(RAIL.pause(), {"RX": True, "TX": True})
    equal(RAIL.ecn("rp"), [])
    equal(RAIL.setter_calls(), {})


def test_mlx5_pfc_change_bounces_carrier_and_an_equal_rewrite_does_not():
    RAIL.up()
    RAIL.flag(bounce_ms=3000)
    dcb_set("pfc", RAIL.name, "prio-pfc", "3:on")
    assert not RAIL.carrier()
    until(RAIL.carrier)
    equal(RAIL.pfc(), [3])
    equal(RAIL.statistics()["link_bounces"], 1)
    dcb_set("pfc", RAIL.name, "prio-pfc", "3:on")
    assert RAIL.carrier()
    equal(RAIL.statistics()["link_bounces"], 1)
    equal(RAIL.setter_calls(), {"setpfc": 2})


def test_mlx5_pfc_change_turns_global_pause_off():
    equal(dcbnl.set_pfc(RAIL.name, [3]), 0)
    equal(RAIL.pause(), {"RX": False, "TX": False})


def test_mlx5_carrier_that_never_returns():
    RAIL.up()
    RAIL.flag(bounce_ms=1, carrier_returns=0)
    equal(dcbnl.set_pfc(RAIL.name, [3]), 0)
    time.sleep(0.3)  # an absence has no event
    assert not RAIL.carrier()
    RAIL.flag(carrier=1)
    assert RAIL.carrier()


def test_a_port_that_is_down_has_no_carrier_and_does_not_bounce():
    output("ip", "link", "set", RAIL.name, "down")
    equal(dcbnl.set_pfc(RAIL.name, [3]), 0)
    assert not RAIL.carrier()
    equal(most_down(), 0)
    RAIL.up()


def test_rails_that_bounce_together_are_counted():
    for rail in RAILS[:3]:
        rail.up()
        rail.flag(bounce_ms=3000)
        equal(dcbnl.set_pfc(rail.name, [3]), 0)
    equal(most_down(), 3)
    until(RAILS[2].carrier)


def test_a_setter_can_take_its_time():
    RAIL.flag(delay_ms=300)
    began = time.monotonic()
    equal(dcbnl.set_app(RAIL.name, 26, 3), 0)
    assert time.monotonic() - began >= 0.3


def test_mlx5_cable_length_is_kept_only_between_1_and_999():
    equal(dcbnl.set_pfc(RAIL.name, [3], delay=5), 0)
    equal(RAIL.show("pfc")["delay"], 5)
    equal(dcbnl.set_pfc(RAIL.name, [3], delay=1000), 0)
    equal(RAIL.show("pfc")["delay"], 5)


def test_mlx5_first_entry_flips_trust_set_replaces_and_delete_writes_zero():
    equal(dcbnl.set_app(RAIL.name, 26, 4), 0)
    equal(RAIL.hardware()["trust"], "dscp")
    equal(RAIL.dscp_list(), {26: [4]})
    equal(dcbnl.set_app(RAIL.name, 26, 3), 0)
    equal(dcbnl.set_app(RAIL.name, 26, 3), 0)
    equal(RAIL.dscp_list(), {26: [3]})
    equal(RAIL.hardware()["dscp"][46], 5)  # in hardware, although not listed
    equal(dcbnl.del_app(RAIL.name, 26, 4), refused(errno.ENOENT))
    equal(dcbnl.del_app(RAIL.name, 26, 3), 0)
    equal(RAIL.hardware()["dscp"][26], 0)
    equal(RAIL.hardware()["trust"], "pcp")
    equal(RAIL.setter_calls(), {"setapp": 3, "delapp": 2})


def test_mlx5_app_accepts_dscp_only():
    equal(dcbnl.set_app(RAIL.name, 64, 3), refused(errno.EINVAL))
    equal(dcbnl.result(dcbnl.transact(dcbnl.RTM_SETDCB, dcbnl.IEEE_SET, RAIL.name, dcbnl.attribute(
        dcbnl.ATTR_IEEE, dcbnl.attribute(dcbnl.APP_TABLE, dcbnl.attribute(1, bytes([1, 3, 0x15, 0x89])))))), refused(errno.EINVAL))


def test_mlx5_dcbx_value_is_stored_verbatim():
    equal(dcbnl.set_dcbx(RAIL.name, 0x01), 0)
    equal(RAIL.show("dcbx"), {"host": True})
    equal(dcbnl.set_dcbx(RAIL.name, 0x0D), 0)
    equal(dcbnl.set_dcbx(RAIL.name, 0x0C), 1)
    equal(dcbnl.set_dcbx(RAIL.name, 0x0F), 1)
    equal(dcbnl.set_dcbx(RAIL.name, 0), 0)
    equal(RAIL.show("dcbx"), {"cee": True, "ieee": True})


def test_mlx5_dcbx_owned_by_firmware_does_not_block_setters():
    RAIL.flag(firmware_dcbx=1)
    equal(RAIL.show("dcbx"), {"cee": True, "ieee": True})
    equal(dcbnl.set_pfc(RAIL.name, [3]), 0)
    RAIL.trigger("pfc=0")
    equal(RAIL.pfc(), [])


def test_mlx5_ets_must_sum_to_100_and_has_no_credit_shaper():
    ets = (dcbnl.TSA_ETS,) * 2 + (dcbnl.TSA_STRICT,) * 6
    equal(dcbnl.set_ets(RAIL.name, ets, (50, 40) + (0,) * 6), refused(errno.EINVAL))
    equal(dcbnl.set_ets(RAIL.name, (1,) + (0,) * 7), refused(errno.EOPNOTSUPP))
    equal(dcbnl.set_ets(RAIL.name, ets, (50, 50) + (0,) * 6), 0)
    shown = RAIL.show("ets")
    equal(shown["tc_tsa"][:3], ["ets", "ets", "strict"])
    equal(shown["tc_bw"][:2], [50, 50])


def test_mlx5_maxrate_is_rounded_refused_above_255_gbit_and_wraps_when_flagged():
    def rate(kbps):
        return dcbnl.set_maxrate(RAIL.name, [0, 0, 0, kbps, 0, 0, 0, 0])
    equal(rate(25_450_000), 0)
    equal(RAIL.show("maxrate")["tc_maxrate"][3], 25_400_000)
    equal(rate(99_900_000), 0)
    equal(RAIL.show("maxrate")["tc_maxrate"][3], 99_000_000)
    equal(rate(300_000_000), refused(errno.EINVAL))
    RAIL.flag(maxrate_wrap=1)
    equal(rate(300_000_000), 0)
    equal(RAIL.show("maxrate")["tc_maxrate"][3], 44_000_000)


def test_mlx5_lossless_buffer_too_small_or_empty():
    sizes = [20016, 156096, 0, 0, 0, 0, 0, 0]
    equal(dcbnl.set_pfc(RAIL.name, [3]), 0)
    equal(dcbnl.set_buffer(RAIL.name, [0, 0, 0, 1, 0, 0, 0, 0], sizes), 0)
    equal(RAIL.show("buffer")["prio_buffer"][3], 1)
    equal(dcbnl.set_buffer(RAIL.name, [0] * 8, sizes), refused(errno.ENOMEM))
    equal(dcbnl.set_buffer(RAIL.name, [0, 0, 0, 2, 0, 0, 0, 0], sizes), refused(errno.EINVAL))
    equal(dcbnl.set_buffer(RAIL.name, [0, 0, 0, 1, 0, 0, 0, 0], [20016, 262144] + [0] * 6), 0)
    equal(RAIL.show("buffer")["buffer_size"][1], 262144 // 144 * 144)
    equal(dcbnl.set_buffer(RAIL.name, [0, 0, 0, 1, 0, 0, 0, 0], [20016, 2_000_000] + [0] * 6), refused(errno.EINVAL))


def test_mlx5_pfc_moves_although_its_buffer_step_fails():
    RAIL.flag(pfc_buffers=1)
    equal(dcbnl.set_pfc(RAIL.name, [3]), refused(errno.ENOMEM))
    equal(RAIL.pfc(), [3])


# like bnxt

def test_bnxt_needs_ets_before_pfc_and_limits_lossless_classes():
    RAIL.become("bnxt")
    equal(dcbnl.set_pfc(RAIL.name, [3]), refused(errno.EINVAL))
    equal(dcbnl.set_ets(RAIL.name), 0)
    equal(dcbnl.set_pfc(RAIL.name, [3]), 0)
    equal(RAIL.pfc(), [3])
    equal(dcbnl.set_pfc(RAIL.name, [3, 4, 5]), refused(errno.EINVAL))
    equal(RAIL.show("buffer"), None)
    equal(RAIL.statistics()["link_bounces"], 0)


def test_bnxt_without_buffer_and_maxrate_operation_answers_zero():
    RAIL.become("bnxt")
    equal(dcbnl.set_buffer(RAIL.name, [1] * 8, [0] * 8), 0)
    equal(dcbnl.set_maxrate(RAIL.name, [100_000] * 8), 0)
    equal(RAIL.setter_calls(), {})
    assert dcbnl.BUFFER not in dcbnl.get(RAIL.name) and dcbnl.MAXRATE not in dcbnl.get(RAIL.name)


def test_bnxt_has_no_replace_and_edits_the_list_before_the_firmware_refuses():
    RAIL.become("bnxt")
    equal(dcbnl.set_app(RAIL.name, 26, 3), 0)
    equal(dcbnl.set_app(RAIL.name, 26, 3), refused(errno.EEXIST))
    equal(dcbnl.set_app(RAIL.name, 26, 4), 0)
    equal(RAIL.dscp_list(), {26: [3, 4]})
    RAIL.flag(setapp="EIO")
    equal(dcbnl.set_app(RAIL.name, 30, 3), refused(errno.EIO))
    equal(RAIL.dscp_list()[30], [3])
    equal(RAIL.hardware()["dscp"][30], 0)


def test_bnxt_refuses_everything_while_firmware_owns_dcbx():
    RAIL.become("bnxt")
    RAIL.flag(firmware_dcbx=1)
    assert not dcbnl.get_dcbx(RAIL.name) & 0x01
    equal(dcbnl.set_dcbx(RAIL.name, 0x09), 1)
    equal(dcbnl.set_ets(RAIL.name), refused(errno.EINVAL))
    equal(dcbnl.set_app(RAIL.name, 26, 3), refused(errno.EINVAL))


def test_bnxt_refuses_a_vendor_class_with_a_byte_that_reads_as_enomem():
    RAIL.become("bnxt")
    equal(dcbnl.set_ets(RAIL.name, (dcbnl.TSA_VENDOR,) * 8), -12)


# like ice

def test_ice_wants_delete_before_remap():
    RAIL.become("ice")
    equal(dcbnl.set_app(RAIL.name, 26, 4), 0)
    equal(dcbnl.set_app(RAIL.name, 26, 3), refused(errno.EINVAL))
    equal(dcbnl.del_app(RAIL.name, 26, 4), 0)
    equal(dcbnl.set_app(RAIL.name, 26, 3), 0)
    equal(RAIL.dscp_list(), {26: [3]})
    equal(RAIL.hardware()["trust"], "dscp")


def test_ice_leaks_positive_codes():
    RAIL.become("ice")
    equal(dcbnl.set_pfc(RAIL.name, [3]), 0)
    equal(dcbnl.set_pfc(RAIL.name, [3]), 1)
    RAIL.flag(setpfc="change+2")
    equal(dcbnl.set_pfc(RAIL.name, [4]), 2)
    equal(RAIL.pfc(), [4])
    equal(dcbnl.set_dcbx(RAIL.name, dcbnl.get_dcbx(RAIL.name)), 1)


def test_ice_refuses_while_its_lldp_agent_runs_and_takes_the_private_flag():
    RAIL.become("ice")
    RAIL.flag(firmware_dcbx=1)
    assert "fw-lldp-agent: on" in output("ethtool", "--show-priv-flags", RAIL.name).replace("  ", " ").replace(" :", ":")
    equal(dcbnl.set_pfc(RAIL.name, [3]), refused(errno.EINVAL))
    equal(dcbnl.set_app(RAIL.name, 26, 3), refused(errno.EINVAL))
    output("ethtool", "--set-priv-flags", RAIL.name, "fw-lldp-agent", "off")
    equal(dcbnl.set_pfc(RAIL.name, [3]), 0)


def test_ice_hides_and_refuses_pause_while_pfc_is_on():
    RAIL.become("ice")
    equal(dcbnl.set_pfc(RAIL.name, [3]), 0)
    assert run("ethtool", "-A", RAIL.name, "rx", "on").returncode != 0
    equal(RAIL.pause(), {"RX": False, "TX": False})


# others

def test_a_rail_without_dcb():
    RAIL.become("nodcb")
    equal(RAIL.show("pfc"), None)
    try:
        dcbnl.get(RAIL.name)
        raise AssertionError("an answer from a device without DCB")
    except OSError as error:
        equal(error.errno, errno.EOPNOTSUPP)


def test_app_trust_exists_from_6_12_on_and_is_ignored_with_zero_before():
    RAIL.become("apptrust")
    equal(dcbnl.set_apptrust(RAIL.name, [dcbnl.SELECTOR_DSCP, dcbnl.SELECTOR_PCP]), 0)
    if kernel() >= (6, 2):
        equal(RAIL.hardware()["apptrust"], [5, 255])
        equal(RAIL.log(), [("setapptrust", "05 ff", 0)])
        assert dcbnl.APP_TRUST in dcbnl.get(RAIL.name)
        RAIL.flag(setapptrust="lie")
        equal(dcbnl.set_apptrust(RAIL.name, [dcbnl.SELECTOR_PCP]), 0)
        equal(RAIL.hardware()["apptrust"], [5, 255])
        RAIL.flag(getapptrust="EIO")
        assert dcbnl.APP_TRUST not in dcbnl.get(RAIL.name)
    else:
        equal(RAIL.log(), [])
        assert dcbnl.APP_TRUST not in dcbnl.get(RAIL.name)


def test_app_trust_on_a_driver_without_it_is_refused_from_6_12_on():
    equal(dcbnl.set_apptrust(RAIL.name, [dcbnl.SELECTOR_DSCP]), refused(errno.EOPNOTSUPP) if kernel() >= (6, 2) else 0)


def test_a_list_that_no_hardware_has_seen():
    RAIL.become("softapp")
    equal(dcbnl.set_app(RAIL.name, 26, 3), 0)
    equal(RAIL.dscp_list(), {26: [3]})
    equal(RAIL.log(), [])
    equal(RAIL.hardware()["dscp"][26], 0)


# faults

def test_every_setter_can_lie():
    RAIL.flag(**{s: "lie" for s in ("setpfc", "setets", "setmaxrate", "setbuffer", "setapp", "setdcbx", "setpauseparam", "change_mtu")})
    before = RAIL.hardware()
    equal(dcbnl.set_pfc(RAIL.name, [3]), 0)
    equal(dcbnl.set_ets(RAIL.name), 0)
    equal(dcbnl.set_maxrate(RAIL.name, [100_000] * 8), 0)
    equal(dcbnl.set_buffer(RAIL.name, [1] * 8, [20016, 156096] + [0] * 6), 0)
    equal(dcbnl.set_app(RAIL.name, 26, 3), 0)
    equal(dcbnl.set_dcbx(RAIL.name, 0x01), 0)
    output("ethtool", "-A", RAIL.name, "rx", "off", "tx", "off")
    output("ip", "link", "set", RAIL.name, "mtu", "9000")
    equal(RAIL.hardware(), before)
    equal(RAIL.link()["mtu"], 1500)
    equal(RAIL.dscp_list(), {})
    equal(sorted(RAIL.setter_calls().values()), [1] * 8)


def test_every_setter_can_fail_with_a_chosen_error():
    for name, number in (("EIO", errno.EIO), ("EPERM", errno.EPERM), ("ENOMEM", errno.ENOMEM)):
        RAIL.flag(**{s: name for s in ("setpfc", "setets", "setmaxrate", "setbuffer", "setapp", "delapp", "setdcbx", "setpauseparam", "change_mtu")})
        equal(dcbnl.set_pfc(RAIL.name, [3]), -number)
        equal(dcbnl.set_ets(RAIL.name), -number)
        equal(dcbnl.set_maxrate(RAIL.name, [100_000] * 8), -number)
        equal(dcbnl.set_buffer(RAIL.name, [1] * 8, [20016, 156096] + [0] * 6), -number)
        equal(dcbnl.set_app(RAIL.name, 26, 3), -number)
        equal(dcbnl.del_app(RAIL.name, 26, 3), -number)
        equal(dcbnl.set_dcbx(RAIL.name, 0x01), 1)
        assert run("ethtool", "-A", RAIL.name, "rx", "off", "tx", "off").returncode != 0
        assert run("ip", "link", "set", RAIL.name, "mtu", "9000").returncode != 0
    s = RAIL.statistics()
    equal([s["refused_" + n] for n in ("setpfc", "setapp", "setdcbx", "change_mtu")], [3] * 4)
    equal(RAIL.pfc(), [])


def test_a_fault_can_concern_one_dscp_only():
    RAIL.flag(setapp="EIO", fault_dscp=26)
    equal(dcbnl.set_app(RAIL.name, 25, 3), 0)
    equal(dcbnl.set_app(RAIL.name, 26, 3), refused(errno.EIO))


def test_every_attribute_can_be_missing_from_the_answer():
    RAIL.flag(getpfc="EIO", getets="EOPNOTSUPP", getmaxrate="EPERM", getbuffer="EIO")
    for kind in (dcbnl.PFC, dcbnl.ETS, dcbnl.MAXRATE, dcbnl.BUFFER):
        assert kind not in dcbnl.get(RAIL.name)
    equal(RAIL.show("pfc"), None)
    assert dcbnl.PFC in dcbnl.get(OTHER.name)


def test_values_change_by_themselves_at_once_and_later():
    equal(dcbnl.set_pfc(RAIL.name, [3]), 0)
    equal(dcbnl.set_app(RAIL.name, 26, 3), 0)
    RAIL.trigger("pfc=0x10 dcbx=0x0c app=26:5 pause=1 ecn_rp=0x08")
    equal(RAIL.pfc(), [4])
    equal(RAIL.show("dcbx"), {"cee": True, "ieee": True})
    equal(RAIL.dscp_list(), {26: [5]})
    equal(RAIL.pause(), {"RX": True, "TX": True})
    equal(RAIL.ecn("rp"), [3])
    RAIL.trigger("after=200 pfc=0")
    equal(RAIL.pfc(), [4])
    until(lambda: RAIL.pfc() == [])


# ECN

def test_ecn_files_are_switches_per_priority_and_count_their_stores():
    base = "/sys/class/net/%s/ecn/" % RAIL.name
    write(base + "roce_rp/enable/3", "1")
    write(base + "roce_np/enable/5", "1")
    write(base + "roce_np/cnp_dscp", "46")
    equal((RAIL.ecn("rp"), RAIL.ecn("np")), ([3], [5]))
    equal(read(base + "roce_np/cnp_dscp"), "46\n")
    equal(RAIL.setter_calls(), {"ecn_store": 3})


def test_ecn_files_can_be_empty_absent_refusing_or_inbox():
    base = "/sys/class/net/%s/ecn" % RAIL.name
    RAIL.flag(ecn="empty")
    equal(read(base + "/roce_rp/enable/3"), "")
    RAIL.flag(ecn="absent")
    assert not os.path.exists(base)
    RAIL.flag(ecn="inbox")
    assert not os.path.exists(base)
    equal(read("/sys/kernel/debug/mlx5/%s/cc_params/np_cnp_dscp" % RAIL.pci), "48\n")
    RAIL.flag(ecn="present", ecn_store="EIO")
    try:
        write(base + "/roce_rp/enable/3", "1")
        raise AssertionError("a store that should fail did not")
    except OSError as error:
        equal(error.errno, errno.EIO)
    RAIL.flag(ecn_store="lie")
    write(base + "/roce_rp/enable/3", "1")
    equal(RAIL.ecn("rp"), [])


# links

def test_mtu_reaches_jumbo_size_and_counts():
    output("ip", "link", "set", RAIL.name, "mtu", "9216")
    equal(RAIL.link()["mtu"], 9216)
    equal(RAIL.setter_calls(), {"change_mtu": 1})


def test_the_permanent_address_survives_another_one():
    output("ip", "link", "set", RAIL.name, "down")
    output("ip", "link", "set", RAIL.name, "address", "02:00:00:00:00:77")
    try:
        assert "b8:ce:f6:00:00:00" in output("ethtool", "-P", RAIL.name)
    finally:
        output("ip", "link", "set", RAIL.name, "address", "b8:ce:f6:00:00:00")


def test_two_wired_rails_answer_each_other_across_namespaces():
    a, b = RAILS[2], RAILS[3]
    a.flag(wire=3)
    b.flag(wire=2)
    output("ip", "netns", "add", "far")
    name = b.name
    try:
        output("ip", "link", "set", name, "netns", "far")
        output("ip", "-n", "far", "addr", "add", "192.0.2.2/24", "dev", name)
        output("ip", "-n", "far", "link", "set", name, "up")
        output("ip", "addr", "add", "192.0.2.1/24", "dev", a.name)
        # a datagram to a closed port makes the kernel resolve the neighbour
        with open("/dev/null") as quiet:
            run("python3", "-c", "import socket; socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.2', 9))", stdin=quiet)
        until(lambda: "REACHABLE" in output("ip", "neigh", "show", "dev", a.name), what="the answer to ARP")
        assert "b8:ce:f6:00:00:03" in output("ip", "neigh", "show", "dev", a.name)
    finally:
        output("ip", "-n", "far", "link", "set", name, "netns", "1")
        output("ip", "netns", "del", "far")


def test_a_rename_is_followed():
    output("ip", "link", "set", RAIL.name, "down")
    output("ip", "link", "set", RAIL.name, "name", "ens1f0np0")
    try:
        equal(RAIL.name, "ens1f0np0")
        equal(RAIL.pfc(), [])
        equal(RAIL.ecn("rp"), [])
    finally:
        output("ip", "link", "set", "ens1f0np0", "name", "rail0")


# ACS

def test_sixteen_ports_have_acs_as_setpci_and_lspci_agree():
    found = ports()
    equal(len(found), 16)
    equal([p.control() for p in found], [KERNEL_ACS] * 16)
    equal(all_controls(), {p.bdf: KERNEL_ACS for p in found})
    found[0].set_control(0x11)
    equal(found[0].control(), 0x11)
    shown = found[0].lspci_control()
    assert shown["SrcValid"] and shown["UpstreamFwd"] and not shown["ReqRedir"] and not shown["CmpltRedir"], shown


def test_acs_bits_that_the_port_lacks_cannot_be_set():
    port = ports()[0]
    port.set_control(0xFFFF)
    equal(port.control(), 0x5F)


# the witnesses of a whole host

def fails(function, *arguments):
    try:
        function(*arguments)
    except AssertionError:
        return
    raise AssertionError("%s(%r) was content" % (function.__name__, arguments))


def test_a_host_made_lossless_by_a_script_satisfies_the_witnesses_and_every_change_offends_them():
    fails(witness.rails_are_lossless)
    environment = dict(os.environ, RAILS=" ".join(r.name for r in RAILS), PORTS=" ".join(p.bdf for p in ports()), MAP="one")
    done = run("sh", "/lab/source/bench/settings-by-process.sh", env=environment, timeout=120)
    equal((done.returncode, done.stderr), (0, ""))
    witness.rails_are_lossless()
    witness.acs_is(witness.CLEARED)
    for change in ("pfc=0", "pfc=0x18", "dcbx=0x0c", "app=26:4", "trust=pcp", "buffer_of=3:0", "ecn_rp=0", "ecn_np=0x18"):
        RAIL.trigger(change)
        fails(witness.mlx5_rail_is_lossless, RAIL)
        RAIL.trigger("pfc=8 dcbx=0x0d app=26:3 trust=dscp buffer_of=3:1 ecn_rp=8 ecn_np=8")
        witness.mlx5_rail_is_lossless(RAIL)
    ports()[7].set_control(0x15)
    fails(witness.acs_is, witness.CLEARED)


# reset and reload

def test_reset_gives_back_the_fresh_state():
    equal(dcbnl.set_pfc(RAIL.name, [3]), 0)
    equal(dcbnl.set_app(RAIL.name, 26, 3), 0)
    RAIL.flag(setets="EIO", getbuffer="EIO", ecn="absent")
    fresh()
    test_mlx5_fresh_state()
    equal(dcbnl.set_ets(RAIL.name), 0)
    assert dcbnl.BUFFER in dcbnl.get(RAIL.name)


def test_the_module_can_be_reloaded_with_other_roles_and_flags():
    try:
        output("modprobe", "-r", "fabric_lab")
        assert "[1234:11e8]" in output("lspci", "-nn", "-s", "0000:01:00.0")
        output("modprobe", "fabric_lab", "roles=bnxt,ice,nodcb", "flags=3:setpfc=EIO")
        until(lambda: os.path.exists("/sys/class/net/rail7"))
        assert "driver: bnxt_en" in output("ethtool", "-i", "rail0")
        assert "driver: ice" in output("ethtool", "-i", "rail1")
        equal(dcbnl.set_pfc("rail3", [3]), refused(errno.EIO))
    finally:
        run("modprobe", "-r", "fabric_lab")
        output("modprobe", "fabric_lab")
        until(lambda: os.path.exists("/sys/class/net/rail7"))
        output("/usr/lib/lab/rdma-links")


def test_a_function_removed_and_rescanned_comes_back_with_its_role():
    pci = RAIL.pci
    write("/sys/bus/pci/devices/%s/remove" % pci, "1")
    assert not os.path.exists("/sys/class/net/rail0")
    write("/sys/bus/pci/rescan", "1")
    until(lambda: os.path.exists("/sys/class/net/rail0"))
    assert "[15b3:1021]" in output("lspci", "-nn", "-s", pci)
    output("rdma", "link", "add", RAIL.rdma, "type", "rxe", "netdev", "rail0")
