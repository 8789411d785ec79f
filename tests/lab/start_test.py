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
        self.stalls = stalls
        self.stopped = False

    def connect(self, deadline):
        pass

    def wait_until_running(self, timeout, give_up_when_stalled):
        if self.stalls and give_up_when_stalled:
            raise machine.Stalled("stalled")
        if self.stalls:
            raise machine.Dead("no answer")
        return "running"

    def qemu_log(self):
        return "what QEMU said"

    def console_tail(self):
        return "what the kernel said"

    def stop(self):
        self.stopped = True


def started(*stalls):
    left = list(stalls)
    made = []

    def make():
        made.append(FakeMachine(left.pop(0)))
        return made[-1]
    try:
        vm, text = lab.start(make, 5)
    except machine.Dead as error:
        return made, str(error)
    assert vm is made[-1], "another machine was returned"
    return made, text


made, text = started(False)
assert text == "running" and len(made) == 1 and not made[0].stopped

made, text = started(True, False)
assert text == "running" and made[0].stopped and not made[1].stopped

# It is not hidden that a machine never comes up: the last attempt fails, with what both logs say.
made, text = started(True, True, True)
assert "no answer" in text and "what the kernel said" in text and all(one.stopped for one in made) and len(made) == 3
print("ok")
