"""Builds what the lab boots: a root file system from Debian packages, and per kernel an initial RAM disk and the fabric_lab module.

Every product lies in a cache directory under a name that is a hash of its inputs, so a second run does nothing. Only the first step, the
packages, needs a network. Nothing is mounted.
"""
import fcntl
import glob
import hashlib
import lzma
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
KERNELS = ("6.1", "6.12")
RELEASE = "bookworm"
PACKAGES = """systemd-sysv udev dbus kmod pciutils iproute2 ethtool rdma-core ibverbs-utils ibverbs-providers procps python3 jq strace tcpdump
    libnl-3-200 libnl-route-3-200 libnl-genl-3-200 libpci3 libyaml-cpp0.7 libsdbus-c++1 libspdlog1.10 libfmt9 libkmod2 libsystemd0 libibverbs1
    libcurl4 libarchive13""".split()
# What the root disk needs before it is there.
DISK_MODULES = ["virtio_pci", "virtio_blk", "ext4"]
# Real NIC and GPU drivers stay away: they would probe the lab's functions for minutes.
GUEST_MODULES = """9p 9pnet_virtio virtio_console virtio_rng rdma_rxe ib_core ib_uverbs rdma_cm rdma_ucm 8021q bonding veth bridge dummy
    macvlan vfio_pci vfio_iommu_type1 configfs overlay crc32_generic""".split()
MASKED_UNITS = """apt-daily.timer apt-daily-upgrade.timer dpkg-db-backup.timer e2scrub_all.timer e2scrub_reap.service fstrim.timer
    getty@tty1.service serial-getty@ttyS0.service systemd-logind.service""".split()


def cache_directory():
    return os.environ.get("LAB_CACHE") or os.path.join(HERE, "..", "..", "build-lab", "cache")


def digest(*parts):
    h = hashlib.sha256()
    for part in parts:
        data = part if isinstance(part, bytes) else str(part).encode()
        h.update(b"%d:" % len(data) + data)
    return h.hexdigest()[:16]


def file_bytes(*path):
    with open(os.path.join(HERE, *path), "rb") as f:
        return f.read()


def guest_files():
    return sorted(f for f in os.listdir(os.path.join(HERE, "guest")) if f.endswith((".service", ".c")) or f in ("agent", "rdma-links"))


def say(text):
    print("# " + text, file=sys.stderr, flush=True)


def run(*command, **options):
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, **options)
    if done.returncode:
        raise SystemExit("lab: %s failed with %d:\n%s" % (" ".join(command), done.returncode, done.stdout[-4000:]))
    return done.stdout


def release_of(kernel):
    """6.1 -> the installed release of that series for which headers are installed too."""
    found = [os.path.basename(p) for p in glob.glob("/lib/modules/%s.*" % kernel)
             if os.path.exists(p + "/build") and os.path.exists("/boot/vmlinuz-" + os.path.basename(p))]
    if not found:
        raise SystemExit("lab: no kernel %s with headers here; install linux-image-%s and linux-headers-%s"
                         % ((kernel,) + ({"6.1": "amd64"}.get(kernel, kernel + "-amd64"),) * 2))
    return max(found, key=lambda r: [int(n) for n in re.findall(r"\d+", r)])


def module_files(release, names):
    """Paths in loading order, dependencies first."""
    paths = []
    for name in names:
        listing = run("modprobe", "-C", "/dev/null", "-S", release, "-D", name)
        for line in listing.splitlines():
            word = line.split()
            if word[0] == "insmod" and word[1] not in paths:
                paths.append(word[1])
    return paths


def packages_tar(cache):
    path = os.path.join(cache, "packages-%s.tar" % digest(RELEASE, *PACKAGES))
    if not os.path.exists(path):
        say("image: Debian packages (mmdebstrap)")
        options = ["--dpkgopt=path-exclude=/usr/share/%s/*" % d for d in ("man", "doc", "locale", "info")]
        run("mmdebstrap", "--quiet", "--format=tar", "--variant=minbase", "--aptopt=APT::Install-Recommends \"false\"", *options,
            "--include=" + ",".join(PACKAGES), RELEASE, path + ".part")
        os.rename(path + ".part", path)
    return path


def lab_module(cache, release):
    """The built fabric_lab.ko."""
    key = digest(release, file_bytes("module", "fabric_lab.c"), file_bytes("module", "Kbuild"), file_bytes("module", "Makefile"))
    directory = os.path.join(cache, "module-%s-%s" % (release, key))
    path = os.path.join(directory, "fabric_lab.ko")
    if not os.path.exists(path):
        say("image: fabric_lab for " + release)
        with tempfile.TemporaryDirectory() as work:
            run("make", "-C", os.path.join(HERE, "module"), "KVER=" + release, "OUT=" + work)
            os.makedirs(directory, exist_ok=True)
            run("strip", "--strip-debug", os.path.join(work, "fabric_lab.ko"))
            shutil.copy(os.path.join(work, "fabric_lab.ko"), path)
    return path


def cpio(entries):
    """A newc archive of (name, mode, content)."""
    out = bytearray()

    def add(name, mode, data):
        fields = [0, mode, 0, 0, 1, 0, len(data), 0, 0, 0, 0, len(name) + 1, 0]
        header = b"070701" + b"".join(b"%08x" % f for f in fields) + name.encode() + b"\0"
        out.extend(header + b"\0" * (-len(header) % 4) + data + b"\0" * (-len(data) % 4))

    for name, mode, data in entries:
        add(name, mode, data)
    add("TRAILER!!!", 0, b"")
    return bytes(out)


def ram_disk(cache, release):
    path = os.path.join(cache, "initrd-%s-%s" % (release, digest(file_bytes("guest", "init.c"), *DISK_MODULES)))
    if os.path.exists(path):
        return path
    with tempfile.TemporaryDirectory() as work:
        init = os.path.join(work, "init")
        run("gcc", "-static", "-O2", "-o", init, os.path.join(HERE, "guest", "init.c"))
        with open(init, "rb") as f:
            entries = [("init", 0o100755, f.read())]
    entries += [(d, 0o040755, b"") for d in ("dev", "root", "m")]
    order = []
    for source in module_files(release, DISK_MODULES):
        with open(source, "rb") as f:
            data = f.read()
        if source.endswith(".xz"):
            data = lzma.decompress(data)
        name = "m/" + os.path.basename(source).split(".ko")[0] + ".ko"
        entries.append((name, 0o100644, data))
        order.append("/" + name + "\n")
    entries.append(("modules", 0o100644, "".join(order).encode()))
    with open(path + ".part", "wb") as f:
        f.write(cpio(entries))
    os.rename(path + ".part", path)
    return path


def install_modules(root, release, lab_ko):
    base = "/lib/modules/" + release
    target = os.path.join(root, "usr/lib/modules", release)
    for source in module_files(release, DISK_MODULES + GUEST_MODULES):
        destination = os.path.join(target, os.path.relpath(os.path.realpath(source), os.path.realpath(base)))
        os.makedirs(os.path.dirname(destination), exist_ok=True)
        shutil.copy(source, destination)
    os.makedirs(os.path.join(target, "extra"), exist_ok=True)
    shutil.copy(lab_ko, os.path.join(target, "extra", "fabric_lab.ko"))
    for name in ("modules.builtin", "modules.builtin.modinfo", "modules.order"):
        shutil.copy(os.path.join(base, name), target)
    run("depmod", "-b", os.path.join(root, "usr") if not os.path.exists(os.path.join(root, "lib")) else root, release)
    os.makedirs(os.path.join(root, "boot"), exist_ok=True)
    shutil.copy("/boot/config-" + release, os.path.join(root, "boot"))


def write(root, path, text, mode=0o644):
    path = os.path.join(root, path)
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)
    os.chmod(path, mode)


def configure(root):
    write(root, "etc/hostname", "lab\n")
    write(root, "etc/hosts", "127.0.0.1 localhost lab\n")
    write(root, "etc/machine-id", "1ab0000000000000000000000000fab1\n")
    write(root, "etc/fstab", "/dev/vda / ext4 rw,noatime 0 0\n" + "".join(
        "%s /lab/%s 9p trans=virtio,version=9p2000.L,msize=262144,%s,nofail,x-systemd.after=systemd-modules-load.service 0 0\n" % (tag, tag, mode)
        for tag, mode in (("source", "ro"), ("stage", "ro"), ("results", "rw"))))
    for tag in ("source", "stage", "results"):
        os.makedirs(os.path.join(root, "lab", tag), exist_ok=True)
    write(root, "etc/modules-load.d/lab.conf", "9pnet_virtio\n9p\nfabric_lab\nrdma_rxe\nib_uverbs\n")
    # An emulated processor on a busy host is slow, which is no failure.
    write(root, "etc/systemd/system/systemd-modules-load.service.d/lab.conf", "[Service]\nTimeoutSec=infinity\n")
    write(root, "etc/systemd/system.conf.d/lab.conf", "[Manager]\nDefaultTimeoutStartSec=600s\nDefaultDeviceTimeoutSec=600s\n")
    # rdma-core would load these for every RDMA device; they are not in this image.
    write(root, "etc/modprobe.d/lab.conf", "".join("blacklist %s\n" % m for m in ("mlx5_core", "mlx5_ib", "bnxt_en", "ice", "nouveau")))
    for name in guest_files():
        if name.endswith(".service"):
            shutil.copy(os.path.join(HERE, "guest", name), os.path.join(root, "etc/systemd/system", name))
            wants = os.path.join(root, "etc/systemd/system/multi-user.target.wants")
            os.makedirs(wants, exist_ok=True)
            os.symlink("../" + name, os.path.join(wants, name))
        elif not name.endswith(".c"):
            write(root, "usr/lib/lab/" + name, file_bytes("guest", name).decode(), 0o755)
    for name, flags in (("minio", []), ("minio.rdma", ["-DRDMA_BUILD"])):
        run("gcc", "-static", "-O2", *flags, "-o", os.path.join(root, "usr/lib/lab", name), os.path.join(HERE, "guest", "stand_in_server.c"))
    for unit in MASKED_UNITS:
        link = os.path.join(root, "etc/systemd/system", unit)
        if not os.path.lexists(link):
            os.symlink("/dev/null", link)
    # Nothing is out of date, so that the boot rebuilds neither the linker cache nor the hardware database.
    for d in ("etc", "var"):
        write(root, d + "/.updated", "")


def root_disk(cache):
    releases = [release_of(k) for k in KERNELS]
    modules = [lab_module(cache, r) for r in releases]
    tar = packages_tar(cache)
    key = digest(os.path.basename(tar), *modules, file_bytes("image.py"), *[file_bytes("guest", f) for f in guest_files()])
    path = os.path.join(cache, "root-%s.ext4" % key)
    if not os.path.exists(path):
        say("image: root file system")
        with tempfile.TemporaryDirectory(dir=cache) as root:
            os.chmod(root, 0o755)
            run("tar", "-C", root, "--exclude=./dev/*", "-xf", tar)
            for release, ko in zip(releases, modules):
                install_modules(root, release, ko)
            configure(root)
            run("mkfs.ext4", "-q", "-F", "-d", root, "-O", "^metadata_csum_seed", "-m", "0", path + ".part", "2G")
        os.rename(path + ".part", path)
    os.utime(path)
    forget_unused(cache)
    return path


def forget_unused(cache):
    """Disks that no run has wanted for a day; each is some hundred megabytes."""
    for old in glob.glob(os.path.join(cache, "root-*.ext4")):
        if time.time() - os.path.getmtime(old) > 86400:
            os.unlink(old)


def build():
    """Everything a machine boots from: (disk, {kernel: (vmlinuz, initrd)})."""
    cache = cache_directory()
    os.makedirs(cache, exist_ok=True)
    # Two labs that start at once must not write one image over each other.
    with open(os.path.join(cache, "lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        disk = root_disk(cache)
        return disk, {k: ("/boot/vmlinuz-" + release_of(k), ram_disk(cache, release_of(k))) for k in KERNELS}
