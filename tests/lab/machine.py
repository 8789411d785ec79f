"""One virtual machine: its topology, its start, its conversation, its end."""
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time

import image

RAILS = 8
GPUS = 8
HERE = image.HERE


def topology(iommu, without_acs):
    """Every function behind a root port of its own; the ports carry ACS, which QEMU's switch ports do not. `without_acs`: those that do not."""
    devices = []
    if iommu:
        devices += ["intel-iommu"]
    for n in range(RAILS + GPUS):
        devices += ["pcie-root-port,id=port%d,chassis=%d,slot=%d,bus=pcie.0,addr=0x%x,disable-acs=%s" % (
                        n, n + 1, n + 1, n + 2, "on" if n in without_acs else "off"),
                    "edu,bus=port%d,addr=0" % n]
    return devices


class Dead(Exception):
    """The machine ended, or did not answer in time."""


class Stalled(Dead):
    """A virtual processor lost its timer while the guest booted: nothing of ours has run yet."""


class Crashed(Dead):
    """The guest's kernel gave up (kernel/panic.c), and QEMU ended with it."""


# What the guest's kernel prints when an emulated processor gets no timer interrupts any more (kernel/rcu/tree_stall.h).
STALL = "kthread timer wakeup didn't happen"
PANIC = "Kernel panic - not syncing"


class Machine:
    def __init__(self, kernel, cmdline="", iommu=False, without_acs=(), stage=None, results=None, directory=None):
        disk, kernels = image.build()
        vmlinuz, initrd = kernels[kernel]
        self.directory = directory or tempfile.mkdtemp(prefix="lab-")
        self.temporary = directory is None
        self.socket_path = os.path.join(self.directory, "agent")
        self.console = os.path.join(self.directory, "console.log")
        overlay = os.path.join(self.directory, "root.qcow2")
        empty = os.path.join(self.directory, "empty")
        os.makedirs(empty, exist_ok=True)
        subprocess.run(["qemu-img", "create", "-q", "-f", "qcow2", "-b", os.path.abspath(disk), "-F", "raw", overlay], check=True)
        # no_timer_check: a host that stops the emulator for the length of ten jiffies otherwise looks like a broken timer
        # (arch/x86/kernel/apic/io_apic.c, timer_irq_works), which is a panic where interrupts are remapped.
        command = ["qemu-system-x86_64", "-nodefaults", "-no-user-config", "-display", "none", "-accel", "tcg,thread=multi",
                   "-M", "q35", "-cpu", "max,-cx16", "-m", "1536M", "-smp", "2", "-nic", "none", "-no-reboot",
                   "-kernel", vmlinuz, "-initrd", initrd,
                   "-append", "console=ttyS0 quiet loglevel=4 systemd.show_status=0 mitigations=off audit=0 panic=-1 no_timer_check " + cmdline,
                   "-chardev", "file,id=console,append=on,path=" + self.console, "-serial", "chardev:console",
                   "-drive", "if=none,id=root,format=qcow2,cache=unsafe,file=" + overlay,
                   "-device", "virtio-blk-pci,drive=root,addr=0x18",
                   "-device", "virtio-rng-pci,addr=0x19",
                   "-device", "virtio-serial-pci,addr=0x1a",
                   "-chardev", "socket,id=agent,server=on,wait=off,path=" + self.socket_path,
                   "-device", "virtserialport,chardev=agent,name=lab"]
        shares = (("source", HERE, ",readonly=on"), ("stage", stage or empty, ",readonly=on"), ("results", results or empty, ""))
        for n, (tag, path, mode) in enumerate(shares):
            command += ["-fsdev", "local,id=%s,path=%s,security_model=none,multidevs=remap%s" % (tag, os.path.abspath(path), mode),
                        "-device", "virtio-9p-pci,fsdev=%s,mount_tag=%s,addr=0x%x" % (tag, tag, 0x1b + n)]
        for device in topology(iommu, without_acs):
            command += ["-device", device]
        self.command = command
        self.log = open(os.path.join(self.directory, "qemu.log"), "wb")
        self.connection = None
        self.launch()

    running = set()  # every emulator of this process, whichever thread waits for it
    ended = False

    @classmethod
    def end_all(cls):
        """Ends all machines, also those that are between two boots: who waits for one gets Dead."""
        cls.ended = True
        for process in list(cls.running):
            process.kill()

    def launch(self):
        """A boot on the disk as it is. The console's file keeps what earlier boots said."""
        if Machine.ended:
            raise Dead("the machines were ended from outside")
        self.console_start = os.path.getsize(self.console) if os.path.exists(self.console) else 0
        self.process = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=self.log, stderr=subprocess.STDOUT, start_new_session=True)
        Machine.running.add(self.process)
        if Machine.ended:
            self.process.kill()
        with open(os.path.join(self.directory, "pid"), "w") as f:
            f.write(str(self.process.pid))

    def reboot(self, timeout):
        """The guest reboots; QEMU ends with it and the next boot gets a new one. (In the same process a second boot takes ten times as
        long: the emulator watches every page that ever held code.)"""
        self.call(["/usr/bin/systemd-run", "--quiet", "--on-active=0", "/usr/bin/systemctl", "reboot"])
        try:
            self.process.wait(timeout)
        except subprocess.TimeoutExpired:
            raise Dead("the guest did not shut down within %d s" % timeout)
        self.start_again()

    def start_again(self):
        """Another boot on the same disk; after a stall as after a power cut."""
        self.connection.close()
        if self.alive():
            self.process.kill()
            self.process.wait()
        if os.path.exists(self.socket_path):  # QEMU removes it when it ends by itself
            os.unlink(self.socket_path)
        self.launch()

    def connect(self, deadline):
        """QEMU creates the socket when it starts; what is sent waits there until the guest opens its end."""
        self.connection = Connection(self.socket_path, deadline, self.alive)

    def alive(self):
        return self.process.poll() is None

    def call(self, argv, timeout=60, on_output=None):
        return self.connection.call(argv, timeout, on_output)

    def wait_until_running(self, timeout, give_up_when_stalled):
        """What systemd calls the state of the system once the boot is over."""
        give_up = self.raise_when_stalled if give_up_when_stalled else None
        try:
            return self.connection.call(["/usr/bin/systemctl", "is-system-running", "--wait"], timeout, on_silence=give_up)[1].strip()
        except Dead as error:
            if PANIC in self.console_tail(400):
                raise Crashed("%s: %s" % (error, self.crash())) from None
            raise

    def crash(self):
        """What the kernel said of it, from the first complaint on: the call trace is in the console."""
        lines = self.console_tail(400).splitlines()
        begin = next((n for n, line in enumerate(lines) if any(word in line for word in ("BUG:", "Oops", "WARNING:", PANIC))), 0)
        return "\n".join(lines[begin:begin + 30])

    def raise_when_stalled(self):
        if STALL in self.console_tail(200):
            raise Stalled("a virtual processor of the guest stalled during the boot")

    def console_tail(self, lines=40):
        try:
            with open(self.console, errors="replace") as f:
                f.seek(self.console_start)
                return "".join(f.readlines()[-lines:])
        except OSError:
            return ""

    def qemu_log(self):
        with open(self.log.name, errors="replace") as f:
            return f.read()

    def stop(self):
        if self.connection:
            self.connection.close()
        if self.alive():
            self.process.kill()
        self.process.wait()
        self.log.close()
        if self.temporary:
            shutil.rmtree(self.directory, ignore_errors=True)


class Connection:
    def __init__(self, path, deadline, alive=lambda: True):
        self.alive = alive
        self.buffered = b""
        self.number = time.monotonic_ns() % 10**9  # not that of a request somebody else left behind
        while True:
            self.socket = socket.socket(socket.AF_UNIX)
            try:
                self.socket.connect(path)
                return
            except OSError:
                self.socket.close()
                if not alive() or time.monotonic() > deadline:
                    raise Dead("no machine at " + path)
                time.sleep(0.05)

    def close(self):
        self.socket.close()

    def call(self, argv, timeout=60, on_output=None, on_silence=None):
        """Runs argv in the guest; returns (exit status, output). `on_silence` is called after every five seconds without a word."""
        self.number += 1
        self.socket.sendall((json.dumps({"id": self.number, "run": argv, "timeout": timeout}) + "\n").encode())
        deadline = time.monotonic() + timeout + 10
        output = []
        while True:
            left = deadline - time.monotonic()
            if left <= 0:
                raise Dead("no answer within %d s to %s" % (timeout + 10, " ".join(argv)))
            self.socket.settimeout(min(left, 5))
            try:
                block = self.socket.recv(65536)
            except socket.timeout:
                if on_silence:
                    on_silence()
                continue
            except ConnectionError:
                block = b""
            if not block:
                raise Dead("the machine ended during " + " ".join(argv))
            self.buffered += block
            while b"\n" in self.buffered:
                line, self.buffered = self.buffered.split(b"\n", 1)
                try:
                    event = json.loads(line)
                except ValueError:
                    continue
                if event.get("id") != self.number:
                    continue
                if "exit" in event:
                    return event["exit"], "".join(output)
                output.append(event["out"])
                if on_output:
                    on_output(event["out"])
