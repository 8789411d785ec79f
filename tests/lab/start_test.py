#!/usr/bin/python3
"""A machine whose virtual processor stalls while it boots, or whose kernel panics before anything of ours has run, is started
again, and no other one is."""
import importlib.machinery
import importlib.util
import os
import sys

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import machine  # noqa: E402

loader = importlib.machinery.SourceFileLoader("lab", os.path.join(HERE, "lab"))
lab = importlib.util.module_from_spec(importlib.util.spec_from_loader("lab", loader))
loader.exec_module(lab)


class FakeMachine:
    def __init__(self, stalls):
        self.stalls = stalls  # per boot: whether it stalls, or the error it ends with
        self.boots = 0
        self.stopped = False

    def connect(self, deadline):
        pass

    def wait_until_running(self, timeout, give_up_when_stalled):
        stalls = self.stalls[self.boots]
        self.boots += 1
        if isinstance(stalls, Exception):
            raise stalls
        if stalls and give_up_when_stalled:
            raise machine.Stalled("stalled")
        if stalls:
            raise machine.Dead("no answer")
        return "running"

    def start_again(self):
        pass

    def qemu_log(self):
        return "what QEMU said"

    def console_tail(self):
        return "what the kernel said"

    def stop(self):
        self.stopped = True


def started(*stalls):
    vm = FakeMachine(stalls)
    try:
        return vm, lab.start(lambda: vm, 5)[1]
    except machine.Dead as error:
        return vm, str(error)


vm, text = started(False)
assert (text, vm.boots, vm.stopped) == ("running", 1, False)

vm, text = started(True, False)
assert (text, vm.boots, vm.stopped) == ("running", 2, False)

# It is not hidden that a machine never comes up: the last attempt fails, with what both logs say.
vm, text = started(True, True, True)
assert "no answer" in text and "what the kernel said" in text and vm.stopped and vm.boots == 3

# A panic on the fresh disk: nothing of ours has run.
panic = machine.Crashed("the machine ended: BUG: unable to handle page fault\nKernel panic - not syncing")
vm, text = started(panic, False)
assert (text, vm.boots, vm.stopped) == ("running", 2, False)
vm, text = started(panic, panic, panic)
assert "Kernel panic" in text and vm.stopped and vm.boots == 3

# On a later boot, the product's unit has run: it is told.
vm = FakeMachine((panic, False))
try:
    lab.wait_for_boot(vm, 5)
    raise AssertionError("a panic after a reboot was started again")
except machine.Crashed:
    assert vm.boots == 1

# An emulator that ends without a word of the kernel is no panic.
vm, text = started(machine.Dead("the machine ended"), False)
assert "the machine ended" in text and vm.boots == 1


class Console(machine.Machine):
    """The real reading of the console, without an emulator."""

    def __init__(self, said):
        self.said = said
        self.connection = self

    def call(self, argv, timeout, on_silence):
        raise machine.Dead("the machine ended during " + " ".join(argv))

    def console_tail(self, lines=40):
        return "\n".join(self.said.splitlines()[-lines:])


PANICKED = "noise\n[1.0] BUG: kernel NULL pointer dereference\n[1.1] Call Trace:\n" + "[1.2] ? frame\n" * 60 + "[1.3] Kernel panic - not syncing: Fatal\n"
for said, kind in ((PANICKED, machine.Crashed), ("noise\n", machine.Dead)):
    try:
        Console(said).wait_until_running(5, True)
    except machine.Dead as error:
        assert type(error) is kind, type(error)
        assert kind is machine.Dead or "NULL pointer" in str(error) and "noise" not in str(error)
print("ok")
