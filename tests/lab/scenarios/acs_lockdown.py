"""Under lockdown, raised after the lab's unsigned module is in: configuration space can be read and not written."""
import json

import witness
from fabricctl import LOSSLESS, apply, check, profile
from host import kernel, lockdown, ports, write
from witness import equal, rails_are_lossless

# Both kernels: the parameter that helps exists only in the second. Alone, because lockdown cannot be taken back.
BOOT = {"alone": True}


def raise_lockdown():
    if lockdown() == "none":
        write("/sys/kernel/security/lockdown", "integrity")
    equal(lockdown(), "integrity")


def test_A01_a_write_refused_by_lockdown_fails_with_the_parameter_for_this_kernel():
    raise_lockdown()
    ports()[0].set_control(0)  # setpci says nothing
    equal(ports()[0].control(), 0x1D)
    profile()
    done = apply().expect(3)
    for port in ports():
        entry = done.resources["acs/%s/control" % port.bdf]
        equal((entry["outcome"], entry["found"]), ("failed", "0x001d"))
        assert "lockdown" in entry["reason"].lower(), entry
    advice = json.dumps(done.report)
    assert "pci=disable_acs_redir=" in advice or (kernel() >= (6, 11) and "pci=config_acs=" in advice), "no kernel parameter is named"
    assert "pci=noacs" not in advice
    witness.acs_is(0x1D)
    rails_are_lossless()  # DCB and ECN do not care


def test_A01_check_under_lockdown_still_reads():
    raise_lockdown()
    profile()
    done = check().expect(2)
    equal({done.outcome("acs/%s/control" % p.bdf) for p in ports()}, {"drifted"})


def test_A01_a_port_that_is_already_right_is_in_sync_under_lockdown():
    raise_lockdown()
    profile(LOSSLESS.replace("clear: redirect", "clear: none"))
    apply().expect(0)
