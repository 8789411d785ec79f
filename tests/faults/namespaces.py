"""Two hosts with two rails each on the real kernel, in network and mount namespaces of the test's own, and the files that
runs of the program keep there."""
import ctypes
import fcntl
import json
import os
import pathlib
import shutil
import subprocess

LIBC = ctypes.CDLL(None, use_errno=True)
CLONE_NEWNET, CLONE_NEWNS = 0x40000000, 0x00020000
RAILS = {"a1": ("10.0.1.1/24", "10.0.1.2", "02:00:00:00:0b:01"), "a2": ("10.0.2.1/24", "10.0.2.2", "02:00:00:00:0b:02")}
WRONG_MAC = "02:00:00:00:0b:ff"
SYSCTL_FILE = pathlib.Path("/etc/sysctl.d/99-zz-fabricctl.conf")
LOCK = pathlib.Path("/run/fabricctl/lock")
KEPT = ("/etc/sysctl.d", "/etc/modules-load.d", "/run", "/var/lib")
PROFILE = """\
version: 1
name: killed
rails: { match: [{ interface: "a?" }] }
mtu: 1400
arp: { ignore: 1, announce: 2, persist: true }
neighbours:
  flush: when-changed
  peers:
""" + "".join(f'    - {{ host: b, rail: b, address: {peer}, mac: "{mac}" }}\n' for _, peer, mac in RAILS.values())


def command(*argv, text=None):
    done = subprocess.run(argv, capture_output=True, text=True, timeout=60, check=False, input=text)
    assert done.returncode == 0, (argv, done.stdout, done.stderr)
    return done.stdout


def prepare():
    """Namespaces with a1-b1 and a2-b2; the peers live in a namespace of their own. "" or why it cannot be done."""
    if os.geteuid() != 0:
        return "needs root"
    for directory in KEPT:
        if not pathlib.Path(directory).is_dir():
            return "there is no " + directory + " to cover"
    if LIBC.unshare(CLONE_NEWNS | CLONE_NEWNET) != 0:
        return "no namespaces of its own: " + os.strerror(ctypes.get_errno())
    peers = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
    command("mount", "--make-rprivate", "/")
    for directory in KEPT:
        command("mount", "-t", "tmpfs", "-o", "mode=755", "none", directory)
    if LIBC.unshare(CLONE_NEWNET) != 0:
        return "no second namespace: " + os.strerror(ctypes.get_errno())
    lines = "link set lo up\n"
    for number, (name, (address, _, _)) in enumerate(RAILS.items(), 1):
        lines += f"link add {name} type veth peer name b{number} netns /proc/{os.getpid()}/fd/{peers}\n"
        lines += f"link set {name} up\naddr add {address} dev {name}\n"
    command("ip", "-batch", "-", text=lines)
    own = os.open("/proc/thread-self/ns/net", os.O_RDONLY)
    LIBC.setns(peers, CLONE_NEWNET)
    lines = "".join(f"link set b{n} address {mac}\nlink set b{n} up\naddr add {peer}/24 dev b{n}\n"
                    for n, (_, peer, mac) in enumerate(RAILS.values(), 1))
    command("ip", "-batch", "-", text=lines)
    LIBC.setns(own, CLONE_NEWNET)
    return ""


def reset():
    """Nothing is as PROFILE wants it, and no run ever was."""
    lines = ""
    for name, (_, peer, _) in RAILS.items():
        for key in ("arp_ignore", "arp_announce"):
            pathlib.Path(f"/proc/sys/net/ipv4/conf/{name}/{key}").write_text("0")
        lines += f"link set {name} mtu 1500\nneigh flush dev {name}\n"
        lines += f"neigh replace {peer} lladdr {WRONG_MAC} dev {name} nud stale\n"
    command("ip", "-batch", "-", text=lines)
    SYSCTL_FILE.unlink(missing_ok=True)
    for directory in ("/run/fabricctl", "/var/lib/fabricctl"):
        shutil.rmtree(directory, ignore_errors=True)


def wrong():
    """What is not as PROFILE wants it, by /proc, /sys and iproute2."""
    found = []
    text = SYSCTL_FILE.read_text() if SYSCTL_FILE.exists() else ""
    for name, (_, peer, mac) in RAILS.items():
        for key, value in (("arp_ignore", 1), ("arp_announce", 2)):
            if int(pathlib.Path(f"/proc/sys/net/ipv4/conf/{name}/{key}").read_text()) != value:
                found.append(f"{name} {key}")
            if f"net/ipv4/conf/{name}/{key} = {value}\n" not in text:
                found.append(f"{name} {key} at boot")
        if json.loads(command("ip", "-j", "link", "show", name))[0]["mtu"] != 1400:
            found.append(f"{name} mtu")
        entries = json.loads(command("ip", "-j", "neigh", "show", peer, "dev", name) or "[]")
        if entries and entries[0].get("lladdr") not in (None, mac):
            found.append(f"{name} neighbour {entries}")
    return found


def temporary_files():
    return [str(path) for directory in KEPT for path in pathlib.Path(directory).rglob(".*") if "fabricctl-" in path.name]


def lock_is_free():
    if not LOCK.exists():
        return True
    with open(LOCK, "rb") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except BlockingIOError:
            return False
