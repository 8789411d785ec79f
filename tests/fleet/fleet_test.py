#!/usr/bin/python3
"""Runs the built program over simulated fleets: 1,000 hosts of which fourteen have a fault each;
documents that are none, streams and directories, every exit code, the schema.

Usage: fleet_test.py FABRICCTL SCHEMA"""
import json
import os
import pathlib
import subprocess
import sys
import tarfile
import tempfile
import time

import jsonschema

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "bench"))
from fleet_simulator import FAULTS, Fleet, name_of  # noqa: E402

PROGRAM = os.path.abspath(sys.argv[1])
VALIDATOR = jsonschema.Draft202012Validator(json.loads(pathlib.Path(sys.argv[2]).read_text()))
FOURTEEN = ["pfc", "dscp", "buffer", "ecn", "mtu", "kernel", "firmware", "release", "swapped", "duplicate", "clone",
            "flux", "queue", "missing"]
FIRST_SCREEN = 24
failures = 0


def expect(holds, *what):
    global failures
    if not holds:
        failures += 1
        print("not as expected:", *what)


def run(*arguments, stdin=b""):
    return subprocess.run([PROGRAM, "fleet", "check", *map(str, arguments)], input=stdin, capture_output=True, timeout=170)


def verdict(code, *arguments, stdin=b""):
    """Runs with --format json and expects one valid document that says `code` as well."""
    done = run("--format", "json", *arguments, stdin=stdin)
    expect(done.returncode == code, arguments, "ends with", done.returncode, "not", code, done.stderr[:300], done.stdout[:600])
    document = json.loads(done.stdout)
    errors = [error.message for error in VALIDATOR.iter_errors(document)]
    expect(not errors, arguments, "breaks the schema:", errors[:3])
    expect(document["exit_code"] == code, arguments, "says", document["exit_code"])
    return document


def lines_of(fleet):
    return "".join(text + "\n" for _, text in fleet.documents()).encode()


def blamed(document):
    """The hosts of each cause."""
    return {cause["id"]: {place["host"] for side in cause["sides"] for place in side["places"]} for cause in document["causes"]}


def fourteen(hosts):
    """A fleet with a fault of each kind on a host of its own, and where they are."""
    host_of = {fault: 7 + hosts // 16 * number for number, fault in enumerate(FOURTEEN)}
    return host_of, Fleet(hosts, rails=8, peers=4, plants=[f"{fault}:{number}" for fault, number in host_of.items()])


def expected(scratch, hosts):
    names = scratch / "hosts.txt"
    names.write_text("# every host\n" + "".join(name_of(number) + "\n" for number in range(hosts)))
    return names


def thousand_hosts(scratch):
    """One screen names each of the fourteen with its host, and nothing else."""
    host_of, fleet = fourteen(1000)
    stream = lines_of(fleet)
    began = time.monotonic()
    done = run("--expect", expected(scratch, 1000), "-", stdin=stream)
    print(f"1,000 hosts, {len(stream) >> 20} MiB: {time.monotonic() - began:.1f} s")
    expect(done.returncode == 2 and not done.stderr, done.returncode, done.stderr[:300])
    lines = done.stdout.decode().splitlines()
    screen = lines[:FIRST_SCREEN]
    for fault in FOURTEEN:
        cause, host = FAULTS[fault][1], name_of(host_of[fault])
        expect(any(f" {cause}: " in line and host in line for line in screen), cause, host, "is not on the first screen", screen)
    told = {line.split()[1].rstrip(":") for line in lines if line.startswith(("fail ", "warn ", "unreadable "))}
    expect(told == {FAULTS[fault][1] for fault in FOURTEEN}, "other causes:", told)


def all_hosts_of_each_cause(scratch):
    host_of, fleet = fourteen(112)
    document = verdict(2, "--expect", expected(scratch, 112), "-", stdin=lines_of(fleet))
    found = blamed(document)
    expect(set(found) == {FAULTS[fault][1] for fault in FOURTEEN}, "other causes:", sorted(found))
    for fault, number in host_of.items():
        cause = FAULTS[fault][1]
        hosts = {name_of(number)}
        if fault == "flux":
            sides = next(one["sides"] for one in document["causes"] if one["id"] == cause)
            expect(all(f"of {name_of(number)} rail6 as rail7" in side["value"] for side in sides), "flux of", sides)
            hosts = {name_of(number - step) for step in range(1, 5) if (number - step) % 2 == 0}
        elif fault in ("duplicate", "clone"):
            hosts.add(name_of(number - 1))
        expect(found.get(cause) == hosts, cause, "on", found.get(cause))


def every_fault():
    """Each kind alone, in a small fleet: that cause and no other."""
    for fault, (_, cause) in FAULTS.items():
        if fault == "missing":
            continue
        document = verdict(6 if fault == "unreadable" else 2, "-", stdin=lines_of(Fleet(12, 8, 4, [f"{fault}:5"])))
        ids = [one["id"] for one in document["causes"]]
        expect(cause in ids and set(ids) <= {cause, "auto-class", "trust", "dscp-map", "buffer", "ets", "arp"}, fault, "is told as", ids)
        expect(name_of(5) in json.dumps(document["causes"]), fault, "without its host")


def documents_that_are_none(scratch):
    good = [text for _, text in Fleet(3, 2, 1).documents()]
    expect(verdict(0, "-", stdin="".join(good).encode())["hosts"] == 3, "one after another")
    pretty = "\n".join(json.dumps(json.loads(text), indent=2) for text in good)
    expect(verdict(0, "-", stdin=pretty.encode())["hosts"] == 3, "over several lines")
    cut = "\n".join([good[0], good[1][:5000], good[2]])
    document = verdict(6, "-", stdin=cut.encode())
    expect(document["hosts"] == 2 and len(document["unusable"]) == 1, "one cut off", document["unusable"])
    expect(document["unusable"][0]["origin"] == "standard input, document 2", document["unusable"])
    document = verdict(6, "-", stdin=(good[0] + "\nssh: no route to host\n" + good[1]).encode())
    expect(document["hosts"] == 2 and len(document["unusable"]) == 1, "a line that is none", document["unusable"])
    expect(verdict(6, "-")["unusable"][0]["problem"] == "it is empty", "an empty stream")
    hostile = json.loads(good[1])
    hostile["host_name"] = "\x1b[2Jnode\u202e"
    hostile["observed"]["files"]["/proc/sys/kernel/osrelease"]["text"]["value"] = "6\x1b[31m\n"
    done = run("-", "-v", stdin=(good[0] + json.dumps(hostile) + good[2]).encode())
    expect(b"\x1b" not in done.stdout and "\u202e".encode() not in done.stdout, done.stdout[:500])
    folder = scratch / "facts"
    (folder / "below").mkdir(parents=True)
    (folder / "a.json").write_text(good[0])
    (folder / "below" / "b.jsonl").write_text(good[1] + "\n" + good[2])
    (folder / "README").write_text("not facts")
    document = verdict(0, folder)
    expect(document["hosts"] == 3 and document["passed_over"] == 1, "a directory", document)
    (folder / "c.json").write_text(good[0])
    document = verdict(6, folder)
    expect(document["hosts"] == 3 and "once more" in document["unusable"][0]["problem"], document["unusable"])
    document = verdict(6, folder / "a.json", scratch / "nowhere.json", folder / "below" / "b.jsonl")
    expect(document["hosts"] == 3 and "nowhere.json" in document["unusable"][0]["origin"], document["unusable"])


def what_is_no_file(scratch):
    """A device may never end, and a directory may have a way to one."""
    folder = scratch / "devices"
    folder.mkdir()
    (folder / "zero.json").symlink_to("/dev/zero")
    (folder / "self").symlink_to(".")
    os.mkfifo(folder / "pipe.json")
    for place in (folder, folder / "zero.json", "/dev/zero"):
        document = verdict(6, place)
        expect(any("neither a file nor a pipe" in one["problem"] for one in document["unusable"]), place, document["unusable"])


def nothing_to_compare(scratch):
    """What to do next is said."""
    (scratch / "nothing").mkdir()
    for place in (scratch / "nothing", scratch / "not-there"):
        done = run(place)
        text = done.stdout.decode()
        expect(done.returncode == 6 and "0 hosts: 0 rails, no facts\n" in text and "fabricctl facts --output FILE" in text, place, text)
    done = run("--expect", scratch / "not-there", scratch / "nothing")
    expect(done.returncode == 1 and b"one host name per line" in done.stderr, done.stderr)


def rails_of_nobody_are_not_consistent():
    """Where no rail was compared nothing was proved, and what to do next is said."""
    documents = [json.loads(text) for _, text in Fleet(3, 2, 1).documents()]
    for document in documents:
        document["observed"].update(links={"value": []}, rdma_ports={"value": []})
    stream = "".join(map(json.dumps, documents)).encode()
    told = verdict(6, "-", stdin=stream)
    expect(told["hosts"] == 3 and told["rails"] == 0 and told["result"] == "unverifiable", told)
    text = run("-", stdin=stream).stdout.decode()
    expect("next: no host has a rail" in text and "--profile" in text, text)


def a_host_without_a_name_or_with_an_endless_one_is_named():
    texts = [text for _, text in Fleet(3, 2, 1, ["mtu:1"]).documents()]
    for name, shown in (("", "on (no name);"), ("n" * 5000, "n" * 100 + "... (SHA-256 ")):
        odd = json.dumps(dict(json.loads(texts[1]), host_name=name))
        text = run("-", stdin=(texts[0] + odd + texts[2]).encode()).stdout.decode()
        expect(shown in text and len(text) < 2000, name[:9], text[:600])


def archives(scratch):
    good = [text for _, text in Fleet(3, 2, 1).documents()]
    files = scratch / "node"
    files.mkdir()
    for number, text in enumerate(good):
        (files / f"n{number}.json").write_text(text)
    (files / "boot.json").write_text('{"schema": "fabricctl/boot/1"}')
    (files / "notes.txt").write_text("{}")
    for name, mode in (("a.tar", "w"), ("a.tar.gz", "w:gz")):
        with tarfile.open(scratch / name, mode) as archive:
            archive.add(files, arcname="some/where")
        document = verdict(0, scratch / name)
        expect(document["hosts"] == 3 and document["passed_over"] == 2, name, document)
        document = verdict(0, "-", stdin=(scratch / name).read_bytes())
        expect(document["hosts"] == 3, name, "as a stream")
        # Within the last file: an archive ends with zeros, more than there must be.
        document = verdict(6, "-", stdin=(scratch / name).read_bytes().rstrip(b"\0")[:-50])
        expect("cut off" in document["unusable"][-1]["problem"], name, document["unusable"])


def rails_of_a_profile(scratch):
    """Which interfaces are rails is the profile's word, and so is whether there is a server."""
    stream = lines_of(Fleet(3, 4, 1, ["mtu:1", "release:2"]))
    site = scratch / "site.yaml"
    site.write_text("version: 1\nname: site\nrails: { match: [{ interface: rail0 }] }\nservice: { unit: minio.service }\n")
    document = verdict(2, "--profile", site, "-", stdin=stream)
    expect(document["rails"] == 3 and "release" in blamed(document), "rails of a profile", document)
    site.write_text("version: 1\nname: site\nrails: { match: [{ interface: 'rail?' }] }\n")
    document = verdict(2, "--profile", site, "-", stdin=stream)
    expect(document["rails"] == 12 and set(blamed(document)) == {"mtu"}, "a profile without a server", document)
    site.write_text("version: 1\nname: site\nrails: { match: [{ interface: lo }] }\n")
    document = verdict(6, "--profile", site, "-", stdin=stream)
    expect(document["rails"] == 0, "a profile that selects no rail", document)
    site.write_text("version: 1\nname: site\nrials: {}\n")
    done = run("--format", "json", "--profile", site, "-", stdin=stream)
    expect(done.returncode == 5 and json.loads(done.stdout)["errors"], "an invalid profile", done)
    expect(run("--profile", scratch / "nowhere.yaml", "-", stdin=stream).returncode == 5, "no profile")


def bad_command_lines(scratch):
    expect(run().returncode == 1, "no FACTS")
    expect(run("--expect", scratch / "nowhere", "-").returncode == 1, "no list of hosts")
    (scratch / "empty").write_text("# nobody\n")
    expect(run("--expect", scratch / "empty", "-").returncode == 1, "an empty list of hosts")
    done = subprocess.run([PROGRAM, "fleet", "check", "-"], input=b"{}", capture_output=True, env={"TMPDIR": "/nowhere"})
    expect(done.returncode == 1 and b"TMPDIR" in done.stderr, "no directory of temporary files", done.stderr)


with tempfile.TemporaryDirectory() as folder:
    thousand_hosts(pathlib.Path(folder))
    all_hosts_of_each_cause(pathlib.Path(folder))
    every_fault()
    documents_that_are_none(pathlib.Path(folder))
    what_is_no_file(pathlib.Path(folder))
    nothing_to_compare(pathlib.Path(folder))
    rails_of_nobody_are_not_consistent()
    a_host_without_a_name_or_with_an_endless_one_is_named()
    archives(pathlib.Path(folder))
    rails_of_a_profile(pathlib.Path(folder))
    bad_command_lines(pathlib.Path(folder))
print(f"{failures} failures")
sys.exit(1 if failures else 0)
