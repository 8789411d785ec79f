"""A boot with a translating IOMMU: clearing ACS there is wrong, and refused unless the profile says otherwise."""
import witness
from fabricctl import LOSSLESS, apply, profile
from host import RAILS, acs_at_boot, ports, read
from witness import CLEARED, equal

# 6.12 only: the product reads what both show in the same file, and this machine is one more boot.
BOOT = {"cmdline": "net.ifnames=0 intel_iommu=on", "iommu": True, "kernels": ["6.12"]}


def test_A12_a_translating_iommu_is_refused_with_the_reason():
    equal(list(acs_at_boot().values()), [0x1D] * 16)
    assert read("/sys/bus/pci/devices/%s/iommu_group/type" % RAILS[0].pci).startswith("DMA")
    profile()
    done = apply().expect(3)
    for port in ports():
        entry = done.resources["acs/%s/control" % port.bdf]
        equal(entry["outcome"], "failed")
        assert "iommu" in entry["reason"].lower(), entry
    witness.acs_is(0x1D)
    witness.rails_are_lossless()


def test_A12_proceed_clears_under_a_translating_iommu():
    profile(LOSSLESS + "  on-translating-iommu: proceed\n")
    apply().expect(0)
    witness.acs_is(CLEARED)
