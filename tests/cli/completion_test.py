#!/usr/bin/python3
"""Asks bash what it would offer, and compares it with what the program's help says.

Usage: completion_test.py FABRICCTL COMPLETION"""
import os
import re
import shlex
import subprocess
import sys

PROGRAM, COMPLETION = (os.path.abspath(argument) for argument in sys.argv[1:3])
# What bash-completion brings, as far as ours calls it.
SURROUNDINGS = """
_init_completion() {
    words=("${COMP_WORDS[@]}"); cword=$COMP_CWORD
    cur=${words[cword]}; prev=${words[cword-1]}
}
_filedir() { COMPREPLY=("FILES $*"); }
"""
failures = 0


def expect(holds, what, *more):
    global failures
    if not holds:
        failures += 1
        print("FAILED:", what, *more)


def offered(line):
    """What TAB offers at the end of the line."""
    words = line.split(" ")
    script = (f"{SURROUNDINGS}\nPATH={shlex.quote(os.path.dirname(PROGRAM))}:$PATH\nsource {shlex.quote(COMPLETION)}\n"
              f"COMP_WORDS=({' '.join(map(shlex.quote, words))}); COMP_CWORD={len(words) - 1}\n"
              "_fabricctl\nprintf '%s\\n' \"${COMPREPLY[@]}\"")
    done = subprocess.run(["bash", "-u", "-c", script], capture_output=True, text=True, timeout=60, check=True)
    expect(not done.stderr, line, done.stderr)
    return set(done.stdout.split("\n")) - {""}


def help_of(*verb):
    return subprocess.run([PROGRAM, *verb, "--help"], capture_output=True, text=True, timeout=60, check=True).stdout


def verbs_in(text):
    listed = re.search(r"^Subcommands:\n((?:  .*\n)+)", text, re.MULTILINE)
    return set(re.findall(r"^  (\w\S*)", listed.group(1), re.MULTILINE)) if listed else set()


def options_in(text):
    return set(re.findall(r"^  (?:-\w,)?(--[\w-]+)", text, re.MULTILINE))


def same(line, wanted):
    seen = offered(line)
    expect(seen == wanted, repr(line), "offers too much:", sorted(seen - wanted), "too little:", sorted(wanted - seen))


def verbs_and_options(*verb):
    text = help_of(*verb)
    inner = verbs_in(text)
    line = " ".join(["fabricctl", *verb])
    if not inner:
        same(f"{line} --", options_in(text))
    else:
        same(f"{line} ", inner | options_in(text) - {"--help-all"})
    for word in inner:
        verbs_and_options(*verb, word)


def kinds():
    every = offered("fabricctl check --only ")
    expect({"dcb", "acs", "service"} <= every, "kinds are offered:", every)
    expect(offered("fabricctl check --only d") == {"dcb"}, "one kind by its letter")
    left = offered("fabricctl check --only dcb,")
    expect(left == {f"dcb,{kind}" for kind in every - {"dcb"}}, "what is named is not offered again:", left)
    left = offered("fabricctl check --only dcb,acs,a")
    expect(left == {"dcb,acs,arp"}, "what is named is not offered again:", left)


verbs_and_options()
kinds()
expect({"tcp-fallback", "s3-501", "status-11", "slow"} <= offered("fabricctl doctor "), "symptoms are offered")
expect(offered("fabricctl doctor tim") == {"timeout"}, "one symptom by its letters")
expect("arp.ignore" in offered("fabricctl profile explain arp."), "keys are offered")
expect(offered("fabricctl check ") == {"FILES @(yaml|yml)"}, "profiles are offered")
sys.exit(1 if failures else 0)
