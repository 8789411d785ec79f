"""A boot in which udev renames the rails, on a machine where one port has no ACS."""
import witness
from fabricctl import apply, check, profile
from host import RAILS, all_controls, ports
from witness import CLEARED, equal

# One kernel: names come from udev, and a port without ACS is QEMU's. 6.12, where there is more time left.
BOOT = {"cmdline": "", "without_acs": [15], "kernels": ["6.12"]}


def test_rails_renamed_by_udev_are_configured_under_their_new_names():
    names = [r.name for r in RAILS]
    assert not [n for n in names if n.startswith("rail")], names
    profile()
    done = apply().expect(0)
    for rail in RAILS:
        equal(done.resources["dcb/%s/pfc" % rail.name]["rdma"], rail.rdma)
    witness.rails_are_lossless()
    check().expect(0)


def test_A06_a_port_that_really_has_no_acs_is_not_applicable():
    port = ports()[15]
    assert port.bdf not in all_controls() and len(all_controls()) == 15, all_controls()
    profile()
    done = apply().expect(0)
    equal(done.outcome("acs/%s/control" % port.bdf), "not-applicable")
    equal(set(all_controls().values()), {CLEARED})
