"""A boot with the IOMMU in passthrough mode: the kernel itself has written 0x001d on all ports, and writes it again."""
import os

import witness
from fabricctl import apply, check, profile
from host import RAILS, acs_at_boot, kernel, output, ports, read, until, write
from witness import CLEARED, equal

# Both kernels: it is the kernel that writes these bits.
BOOT = {"cmdline": "net.ifnames=0 intel_iommu=on iommu=pt", "iommu": True}


def test_the_kernel_has_written_0x1d_and_apply_clears_it():
    assert "intel_iommu=on" in read("/proc/cmdline")
    equal(list(acs_at_boot().values()), [0x1D] * 16)
    equal({read("/sys/bus/pci/devices/%s/iommu_group/type" % r.pci).strip() for r in RAILS}, {"identity"})
    profile()
    apply().expect(0)
    witness.acs_is(CLEARED)
    witness.rails_are_lossless()


def test_A13_the_kernel_writes_it_again_after_a_rescan_and_the_next_check_finds_it():
    profile()
    apply().expect(0)
    port = ports()[3]
    rail = RAILS[3]
    write("/sys/bus/pci/devices/%s/remove" % port.bdf, "1")
    write("/sys/bus/pci/rescan", "1")
    until(lambda: os.path.exists("/sys/class/net/rail3"))
    output("rdma", "link", "add", rail.rdma, "type", "rxe", "netdev", rail.name)
    rail.up()
    equal(port.control(), 0x1D)
    drifted = check().expect(2).with_outcome("drifted")
    assert "acs/%s/control" % port.bdf in drifted and "dcb/%s/pfc" % rail.name in drifted, drifted
    assert not [d for d in drifted if port.bdf not in d and rail.name not in d], drifted
    apply().expect(0)
    witness.acs_is(CLEARED)
    witness.mlx5_rail_is_lossless(rail)


def test_A12_a_device_bound_to_vfio_below_a_port_is_refused():
    gpu = "0000:10:00.0"
    write("/sys/kernel/fabric_lab/roles", "15 gpu_bare")
    output("modprobe", "vfio-pci")
    try:
        write("/sys/bus/pci/devices/%s/driver_override" % gpu, "vfio-pci")
        write("/sys/bus/pci/drivers_probe", gpu)
        equal(os.path.basename(os.readlink("/sys/bus/pci/devices/%s/driver" % gpu)), "vfio-pci")
        port = ports()[15]
        profile()
        done = apply().expect(3)
        entry = done.resources["acs/%s/control" % port.bdf]
        equal(entry["outcome"], "failed")
        assert "vfio-pci" in entry["reason"], entry
        witness.acs_is(CLEARED, {port.bdf: 0x1D})
    finally:
        write("/sys/bus/pci/devices/%s/driver_override" % gpu, "\n")
        write("/sys/kernel/fabric_lab/roles", "15 gpu")
