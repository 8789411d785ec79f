"""The guest as a scenario sees it: rails and ACS ports, their steering, and the witnesses that judge the product."""
import functools
import glob
import json
import os
import re
import subprocess
import time

LAB = "/sys/kernel/fabric_lab"
RAIL_COUNT = 8
SETTERS = ("setpfc", "setets", "setmaxrate", "setbuffer", "setapp", "delapp", "setdcbx", "setapptrust", "setpauseparam", "change_mtu", "ecn_store")
KERNEL_ACS = 0x1D  # what the kernel writes when an IOMMU is on: SV, RR, CR, UF


class Skip(Exception):
    """This test cannot run here; the reason is the message."""


def after_reboot(test):
    """The host reboots the guest before this test, and nothing is reset."""
    return test


def read(path):
    with open(path) as f:
        return f.read()


def write(path, text):
    fd = os.open(path, os.O_WRONLY)
    try:
        os.write(fd, text.encode())
    finally:
        os.close(fd)


def run(*argv, timeout=300, **options):
    return subprocess.run(argv, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=timeout, **options)


def output(*argv):
    done = run(*argv)
    assert done.returncode == 0, "%s: %d: %s%s" % (" ".join(argv), done.returncode, done.stdout, done.stderr)
    return done.stdout


def dcb_set(what, name, *settings):
    """`dcb WHAT set`. It numbers its requests by the time of day in seconds (iproute2, mnlu_msg_prepare) and sends two, one to
    read and one to write: where a second ends between them it takes the acknowledgement of the first for a foreign one and
    reports EPROTO after the write was made. The same write once more is then no other one."""
    command = ("dcb", what, "set", "dev", name) + settings
    done = run(*command)
    if (done.returncode, done.stderr) == (1, "Attribute write: Protocol error\n"):
        return output(*command)
    assert done.returncode == 0, "%s: %d: %s%s" % (" ".join(command), done.returncode, done.stdout, done.stderr)
    return done.stdout


def until(condition, seconds=10, what="the condition"):
    """Waits for a condition to become true; a deadline that passes is a failure."""
    deadline = time.monotonic() + seconds
    while True:
        value = condition()
        if value:
            return value
        assert time.monotonic() < deadline, "%s did not come within %s s" % (what, seconds)
        time.sleep(0.02)


@functools.lru_cache
def kernel():
    """(6, 1) or (6, 12)."""
    return tuple(int(n) for n in os.uname().release.split(".")[:2])


class Rail:
    """A NIC function. Steering goes through the lab module; the show_* and read methods are witnesses of other makers."""

    def __init__(self, index):
        self.index = index
        self.directory = "%s/rail%d" % (LAB, index)
        self.rdma = "mlx5_%d" % index

    def __repr__(self):
        return "rail%d" % self.index

    @property
    def name(self):
        return read(self.directory + "/interface").strip()

    @property
    def pci(self):
        return [line.split()[1] for line in read(LAB + "/roles").splitlines() if line.split()[0] == str(self.index)][0]

    @property
    def ifindex(self):
        return int(read("/sys/class/net/%s/ifindex" % self.name))

    # steering
    def flag(self, **flags):
        write(self.directory + "/flags", " ".join("%s=%s" % item for item in flags.items()))

    def count(self, **statistics):
        """What `ethtool -S` tells beside the module's own."""
        write(self.directory + "/flags", " ".join("count.%s=%d" % item for item in statistics.items()))

    def trigger(self, text):
        write(self.directory + "/trigger", text)

    def reset(self):
        write(self.directory + "/reset", "1")

    def clear_witness(self):
        """Counters and log, not the registers."""
        write(self.directory + "/log", "1")

    def become(self, role):
        """Another kind of adapter: the function is unbound and bound again, so the net device is a new one.

        udev replays sysctl.d for a new device (99-systemd.rules), possibly long after it is there: only when its queue is
        empty do the device's settings belong to the scenario."""
        write(LAB + "/roles", "%d %s" % (self.index, role))
        if os.path.exists(self.directory):
            until(lambda: os.path.exists("/sys/class/net/" + self.name), what="the net device of %r" % self)
            run("rdma", "link", "delete", self.rdma)
            output("rdma", "link", "add", self.rdma, "type", "rxe", "netdev", self.name)
            output("udevadm", "settle")

    # witnesses
    def hardware(self):
        """What the registers hold, whatever the kernel's lists say."""
        return json.loads(read(self.directory + "/hardware"))

    def log(self):
        """[(setter, argument, result)] in order."""
        lines = [line.split(" ") for line in read(self.directory + "/log").splitlines()]
        return [(words[1], " ".join(words[2:-1]), int(words[-1])) for words in lines]

    def statistics(self):
        return {k: int(v) for k, v in re.findall(r"^\s+(\w+): (\d+)$", output("ethtool", "-S", self.name), re.M)}

    def setter_calls(self):
        """{setter: number of calls}, only those that were called."""
        s = self.statistics()
        return {name: s["calls_" + name] for name in SETTERS if s["calls_" + name]}

    def show(self, what):
        """`dcb -j WHAT show`, or None where dcb says that there is nothing to show."""
        done = run("dcb", "-j", what, "show", "dev", self.name)
        return json.loads(done.stdout) if done.returncode == 0 and done.stdout.strip() else None

    def pfc(self):
        """The priorities with PFC on, or None."""
        shown = self.show("pfc")
        return None if shown is None else [p for p, on in enumerate(shown["prio_pfc"]) if on]

    def dscp_list(self):
        """{dscp: [priorities]} as the kernel lists them."""
        shown = self.show("app")
        if shown is None:
            return None
        listed = {}
        for dscp, priority in shown.get("dscp_prio", []):
            listed.setdefault(dscp, []).append(priority)
        return listed

    def ecn(self, side):
        """The priorities with ECN on at "rp" or "np"."""
        base = "/sys/class/net/%s/ecn/roce_%s/enable/" % (self.name, side)
        return [p for p in range(8) if read(base + str(p)).strip() == "1"]

    def link(self):
        return json.loads(output("ip", "-j", "link", "show", "dev", self.name))[0]

    def carrier(self):
        return "LOWER_UP" in self.link()["flags"]

    def up(self):
        output("ip", "link", "set", self.name, "up")
        until(self.carrier, what="the carrier of %r" % self)

    def pause(self):
        text = output("ethtool", "-a", self.name)
        return {side: re.search(r"^%s:\s+(\w+)" % side, text, re.M).group(1) == "on" for side in ("RX", "TX")}


RAILS = [Rail(n) for n in range(RAIL_COUNT)]


class Port:
    """A root port with ACS, read and written by setpci."""

    def __init__(self, bdf):
        self.bdf = bdf

    def __repr__(self):
        return self.bdf

    def control(self):
        return int(output("setpci", "-s", self.bdf, "ECAP_ACS+6.w"), 16)

    def set_control(self, value):
        run("setpci", "-s", self.bdf, "ECAP_ACS+6.w=%04x" % value)

    def lspci_control(self):
        """The ACSCtl line of lspci -vv, as {"SrcValid": True, ...}."""
        line = re.search(r"ACSCtl:\s*(.*)", output("lspci", "-vv", "-s", self.bdf)).group(1)
        return {word[:-1]: word[-1] == "+" for word in line.split()}


def ports():
    """The root ports of the topology, in the order of the functions behind them."""
    return [Port(os.path.basename(os.path.dirname(os.path.realpath("/sys/bus/pci/devices/" + line.split()[1]))))
            for line in read(LAB + "/roles").splitlines()]


def all_controls():
    """{bdf: control} of every function with ACS, in two processes and not in sixteen."""
    found = {}
    for device in re.split(r"\n\n", output("lspci", "-D", "-vv")):
        match = re.search(r"ACSCtl:\s*(.*)", device)
        if match:
            bits = ("SrcValid", "TransBlk", "ReqRedir", "CmpltRedir", "UpstreamFwd", "EgressCtrl", "DirectTrans")
            state = {w[:-1]: w[-1] == "+" for w in match.group(1).split()}
            found[device.split()[0]] = sum(1 << n for n, b in enumerate(bits) if state.get(b))
    return found


BOOT_CONTROLS = "/run/lab-acs-at-boot.json"


def acs_at_boot():
    """all_controls() as it was before the first test of this boot: what the kernel wrote, and no scenario."""
    return json.loads(read(BOOT_CONTROLS))


def remember_boot():
    if not os.path.exists(BOOT_CONTROLS):
        with open(BOOT_CONTROLS, "w") as f:
            json.dump(all_controls(), f)


def most_down():
    """How many rails were without carrier at one time, since the test began, because of PFC changes."""
    return int(read(LAB + "/most_down"))


def lockdown():
    try:
        return re.search(r"\[(\w+)\]", read("/sys/kernel/security/lockdown")).group(1)
    except OSError:
        return "none"


def restore_roles():
    for line in read(LAB + "/roles").splitlines():
        index, _, role = line.split()
        wanted = "mlx5" if int(index) < RAIL_COUNT else "gpu"
        if role != wanted:
            Rail(int(index)).become(wanted)


def fresh():
    """Every rail and port as after boot on a host with an IOMMU, links up, nothing of the product's on disk."""
    restore_roles()
    for rail in RAILS:
        rail.reset()
    batch = "".join("link set %s up\naddr flush dev %s\n" % (r.name, r.name) for r in RAILS)
    run("ip", "-force", "-batch", "-", input=batch)
    if lockdown() == "none":
        slots = [a for p in ports() for a in ("-s", p.bdf, "ECAP_ACS+6.w=%04x" % KERNEL_ACS)]
        run("setpci", *slots)
    for path in glob.glob("/etc/fabricctl/*.yaml") + glob.glob("/etc/fabricctl/*.env") + glob.glob("/etc/sysctl.d/*fabricctl*") + glob.glob("/etc/modules-load.d/*fabricctl*"):
        os.unlink(path)
    for rail in RAILS:
        rail.clear_witness()
    write(LAB + "/most_down", "0")
