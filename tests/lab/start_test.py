#!/usr/bin/python3
"""A machine whose virtual processor stalls while it boots is started again, and no other one is."""
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
        self.stalls = stalls  # per boot: whether it stalls
        self.boots = 0
        self.stopped = False

    def connect(self, deadline):
        pass

    def wait_until_running(self, timeout, give_up_when_stalled):
        stalls = self.stalls[self.boots]
        self.boots += 1
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
print("ok")
