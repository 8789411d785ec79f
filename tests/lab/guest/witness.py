"""What independent programs must say about a host that the lossless profile has configured."""
import host
from host import RAILS

CLEARED = host.KERNEL_ACS & ~0x2C  # redirect bits gone, source validation and upstream forwarding kept
DSCP_MAP = {d: [3 if d == 26 else d >> 3] for d in range(64)}


def equal(found, wanted, what=""):
    assert found == wanted, "%s: found %r, wanted %r" % (what, found, wanted)


def mlx5_rail_is_lossless(rail):
    equal(rail.pfc(), [3], "%r pfc" % rail)
    equal(rail.dscp_list(), DSCP_MAP, "%r dscp list" % rail)
    hardware = rail.hardware()
    equal(hardware["trust"], "dscp", "%r trust in hardware" % rail)
    equal(hardware["dscp"], [DSCP_MAP[d][0] for d in range(64)], "%r dscp map in hardware" % rail)
    equal(rail.show("buffer")["prio_buffer"], [0, 0, 0, 1, 0, 0, 0, 0], "%r priority to buffer" % rail)
    equal(rail.show("dcbx"), {"host": True, "cee": True, "ieee": True}, "%r dcbx" % rail)
    equal((rail.ecn("rp"), rail.ecn("np")), ([3], [3]), "%r ecn" % rail)


def rails_are_lossless(*exceptions):
    for rail in RAILS:
        if rail not in exceptions:
            mlx5_rail_is_lossless(rail)


def rail_is_untouched(rail):
    equal(rail.setter_calls(), {}, "%r setter calls" % rail)


def nothing_was_written():
    for rail in RAILS:
        rail_is_untouched(rail)
    acs_is(host.KERNEL_ACS)


def acs_is(value, exceptions=None):
    wanted = {p.bdf: value for p in host.ports()}
    wanted.update(exceptions or {})
    equal(host.all_controls(), wanted, "ACS control as lspci shows it")


def clear_all_witnesses():
    for rail in RAILS:
        rail.clear_witness()
