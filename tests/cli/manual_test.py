#!/usr/bin/python3
"""Holds the manual to the program: every option that --help of a verb prints stands in
fabricctl(8), and every exit status of the program's footer does; every key of the profile
stands in fabricctl-profile(5). Pages must be clean under man --warnings."""
import pathlib
import re
import subprocess
import sys

program, build = sys.argv[1], pathlib.Path(sys.argv[2])
VERBS = [["apply"], ["plan"], ["check"], ["status"], ["doctor"], ["watch"], ["confirm"], ["history"], ["facts"], ["fleet", "check"], ["switch", "render"], ["switch", "verify"], ["profile", "validate"], ["profile", "show"], ["profile", "init"],
         ["profile", "schema"], ["profile", "explain"], ["restore"], ["snapshot", "list"], ["snapshot", "show"], ["snapshot", "diff"]]


def run(*argv):
    done = subprocess.run(argv, capture_output=True, text=True, env={"PATH": "/usr/bin:/bin", "MANWIDTH": "200", "LC_ALL": "C.UTF-8"})
    assert done.returncode == 0, (argv, done.stderr)
    return done


def page(name):
    done = run("man", "--warnings", "-l", str(build / name))
    assert not done.stderr.strip(), (name, done.stderr)
    return re.sub(r"[\u2010\u2011\u2212]", "-", done.stdout)


manual = page("fabricctl.8")
page("fabricctl-report.5")
page("fabricctl.service.8")
missing = []
for verb in VERBS:
    for option in set(re.findall(r"(?<![\w-])--[a-z][a-z-]+", run(program, *verb, "--help").stdout)):
        if option not in manual:
            missing.append(f"{' '.join(verb)} {option}")
for code in range(7):
    if not re.search(rf"\b{code}\b", manual[manual.index("EXIT STATUS"):manual.index("SIGNALS")]):
        missing.append(f"exit status {code}")
keys = page("fabricctl-profile.5")
listed = [line.split()[0] for line in run(program, "profile", "explain").stdout.splitlines() if line and line[0] != " "]
assert len(listed) > 50, listed
missing += [key for key in listed if key not in keys]
for what in missing:
    print("not in the manual:", what)
print(f"{len(listed)} keys, {len(VERBS)} verbs: {len(missing)} missing")
sys.exit(1 if missing else 0)
