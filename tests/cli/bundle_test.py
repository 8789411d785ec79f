#!/usr/bin/python3
"""facts --bundle and --anonymise of the built program, read by another program's tar.

Usage: bundle_test.py FABRICCTL"""
import json
import os
import pathlib
import re
import socket
import subprocess
import sys
import tarfile
import time

from private_host import expect, main, profile, run

SECRET = "S3CR3T-of-this-host"
HEAD = "version: 1\nname: test\n"
RAIL = "rails: { match: [{ interface: \"acme*\" }], expect: 1 }\n"


def members(path):
    with tarfile.open(path, "r:gz") as archive:
        return {m.name: archive.extractfile(m).read().decode() for m in archive.getmembers() if m.isfile()}


def plant():
    subprocess.run(["ip", "link", "set", "veth0", "name", "acme0"], check=True)
    subprocess.run(["ip", "address", "add", "10.77.1.2/24", "dev", "acme0"], check=True)
    subprocess.run(["ip", "link", "set", "acme0", "up"], check=True)
    state = pathlib.Path("/var/lib/fabricctl")
    state.mkdir(exist_ok=True)
    (state / "last-report.json").write_text(json.dumps({"host": os.uname().nodename, "x": f"A_PASSWORD={SECRET}", "on": "acme0 has 10.77.1.2"}))
    (state / "history.jsonl").write_text(f'{{"event":"begin","wrote":"MINIO_ROOT_PASSWORD={SECRET}\\n"}}\nnot json\n')
    (state / "snapshots").mkdir(exist_ok=True)
    (state / "snapshots/x.json").write_text(f'"{SECRET}"')
    return profile(f"# {SECRET}\n" + HEAD + RAIL + f"mtu: 1400\nneighbours: {{ peers-from: {os.path.abspath('peers.yaml')} }}\n"
                   f"service: {{ environment: {{ MINIO_ROOT_PASSWORD: \"{SECRET}\" }} }}\n")


def peers():
    pathlib.Path("peers.yaml").write_text('peers: [{ host: acme-b7, rail: r, address: 10.77.1.9, mac: "02:00:00:00:00:09" }]\n')


def test_a_bundle_holds_what_helps_and_no_secret():
    peers()
    path = plant()
    done = run("facts", path, "--bundle", "out.tar.gz")
    expect(done.returncode in (0, 6) and b"out.tar.gz" in done.stdout, done)
    expect(os.stat("out.tar.gz").st_mode & 0o777 == 0o600, "it is private")
    with tarfile.open("out.tar.gz") as archive:
        names = archive.getnames()
        expect({n.split("/")[0] for n in names} == {"fabricctl-bundle"}, "one folder on top:", names)
        expect(all(m.isfile() and m.mode == 0o600 or m.isdir() and m.mode == 0o700 for m in archive), "all is private")
    found = {n.removeprefix("fabricctl-bundle/"): t for n, t in members("out.tar.gz").items()}
    expect(list(found) == ["fabricctl.txt", "facts.json", "devices.txt", "journal.txt", "report/last-report.json",
                           "report/history.json", "profile/profile.yaml", "profile/effective.yaml", "profile/files/1-p.yaml"], list(found))
    for name, text in found.items():
        expect(SECRET not in text, name, "holds a secret:", text[max(0, text.find(SECRET) - 80):][:160])
    expect("left-out" in found["profile/profile.yaml"] and "10.77.1.9" in found["profile/profile.yaml"], found["profile/profile.yaml"])
    expect("acme0 has 10.77.1.2" in found["report/last-report.json"], "without --anonymise names stay")
    expect(f"fabricctl {run('--version').stdout.decode().split()[1]}" in found["fabricctl.txt"], found["fabricctl.txt"])


def test_an_anonymous_bundle_holds_no_name_and_says_the_same():
    plain = members("out.tar.gz")
    done = run("facts", "p.yaml", "--bundle", "anonymous.tar.gz", "--anonymise")
    expect(done.returncode in (0, 6), done)
    found = members("anonymous.tar.gz")
    expect(list(found) == list(plain), "the same members:", list(found))
    mac = pathlib.Path("/sys/class/net/acme0/address").read_text().strip()
    boot = pathlib.Path("/proc/sys/kernel/random/boot_id").read_text().strip()
    host = os.uname().nodename
    for name, text in found.items():
        for word in (r"acme", r"10\.77\.1\.", mac, host + r"\b", boot, SECRET):
            seen = re.search(r"\b" + word, text)
            expect(not seen, name, "holds", word, seen and text[max(0, seen.start() - 80):][:160])
    for prefix, source in (("plain", plain), ("anonymous", found)):
        for member in ("facts.json", "profile/profile.yaml"):
            pathlib.Path(prefix + "-" + member.split("/")[-1]).write_text(source["fabricctl-bundle/" + member])
    outcomes = []
    for prefix in ("plain", "anonymous"):
        done = run("check", "--host", f"{prefix}-facts.json", f"{prefix}-profile.yaml", "--format", "json")
        told = json.loads(done.stdout)
        outcomes.append((done.returncode, sorted((r["kind"], r["property"], r["outcome"]) for r in told["resources"]),
                         sorted((f["id"], f["severity"]) for f in told["findings"])))
    expect(outcomes[0] == outcomes[1] and len(outcomes[0][1]) > 2, "the same outcomes:", *outcomes)
    again = run("facts", "--anonymise", "--format", "json").stdout.decode()
    expect("acme0" not in again and "10.77.1.2" not in again, "the facts alone can be anonymous too")
    first = json.loads(found["fabricctl-bundle/facts.json"])["observed"]["addresses"]
    expect(first != json.loads(again)["observed"]["addresses"], "each time by another salt")


def gone_and_former():
    """What earlier runs left: of a profile and of interfaces that are no more."""
    state = pathlib.Path("/var/lib/fabricctl")
    names = {"rail": "storage1", "profile": {"name": "emca-old", "path": "/etc/fabricctl/emca-old.yaml"}}
    (state / "last-report.json").write_text(json.dumps(names | {
        "resources": [{"id": "mtu/storage2", "kind": "mtu", "device": "storage2", "rdma": "storage_7", "reason": "storage2 of emca-old"}],
        "findings": [{"id": "arp.stricter", "device": "storage3", "evidence": "storage8 and storage*"}]}))
    (state / "history.jsonl").write_text("".join(json.dumps(entry) + "\n" for entry in (
        {"event": "begin", "profile": {"path": "/etc/fabricctl/emca-older.yaml", "extends": [{"path": "/etc/fabricctl/emca-base.yaml"}]}},
        {"event": "write", "rail": "storage4", "changes": [{"id": "dcb/storage5/pfc"}],
         "wrote": {"path": "/proc/sys/net/ipv4/conf/storage6/arp_ignore"}})))


def test_an_anonymous_bundle_holds_no_name_of_what_is_gone_and_no_profile():
    gone_and_former()
    rails = 'rails: { match: [{ interface: acme0 }, { interface: "storage*" }, { interface: storage8 }], expect: 1 }\n'
    profile("version: 1\nname: emca-prod\ndescription: All that EMCA has\n" + rails, "emca-site.yaml")
    path = profile("version: 1\nextends: emca-site.yaml\nname: emca-prod-west\nmtu: 1400\n", "emca-west.yaml")
    expect(run("facts", path, "--bundle", "plain.tar.gz").returncode in (0, 6), "it is made")
    expect(run("facts", path, "--bundle", "gone.tar.gz", "--anonymise").returncode in (0, 6), "it is made")
    found = {n.removeprefix("fabricctl-bundle/"): t for n, t in members("gone.tar.gz").items()}
    expect(len(found) == len(members("plain.tar.gz")), list(found))
    for word in ("storage", "emca"):
        expect(any(word in text for text in members("plain.tar.gz").values()), word, "was there")
        for name, text in found.items():
            seen = text.lower().find(word)
            expect(seen < 0 and word not in name, name, "holds", text[max(0, seen - 80):][:160])
    expect("/etc/fabricctl/profile-" in found["report/history.json"], found["report/history.json"])
    pathlib.Path("gone-facts.json").write_text(found["facts.json"])
    pathlib.Path("gone.yaml").write_text(found["profile/profile.yaml"])
    done = run("check", "--host", "gone-facts.json", "gone.yaml", "--format", "json")
    wanted = run("check", path, "--format", "json")
    outcomes = [sorted((r["kind"], r["property"], r["outcome"]) for r in json.loads(d.stdout)["resources"] if r["kind"] == "mtu")
                for d in (done, wanted)]
    expect(outcomes[0] == outcomes[1] and outcomes[0], *outcomes)


def journald():
    """The real one, for the journal of this private host alone."""
    subprocess.run(["mount", "-t", "tmpfs", "none", "/var/log"], check=True)
    subprocess.run(["mount", "-t", "cgroup2", "none", "/sys/fs/cgroup"], check=True)
    if not os.path.exists("/etc/machine-id") or not os.path.getsize("/etc/machine-id"):
        pathlib.Path("/run/machine-id").write_text("0123456789abcdef0123456789abcdef\n")
        pathlib.Path("/etc/machine-id").touch()
        subprocess.run(["mount", "--bind", "/run/machine-id", "/etc/machine-id"], check=True)
    os.makedirs("/run/systemd/journal", exist_ok=True)
    daemon = subprocess.Popen(["/lib/systemd/systemd-journald"], stdin=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    deadline = time.monotonic() + 30
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as log:
        while log.connect_ex("/run/systemd/journal/socket") != 0 and time.monotonic() < deadline and daemon.poll() is None:
            time.sleep(0.02)
    return daemon


def test_the_journal_of_this_boot_is_in_it_without_secrets():
    daemon = journald()
    try:
        with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as log:
            for name, message in (("fabricctl", f"first of acme0 MINIO_ROOT_PASSWORD={SECRET}"), ("stranger", "nobody asked for me"),
                                  *(("fabricctl", f"number {n} " + "x" * 200) for n in range(3000)), ("fabricctl", "last of 10.77.1.2")):
                log.sendto(f"SYSLOG_IDENTIFIER={name}\nMESSAGE={message}\n".encode(), "/run/systemd/journal/socket")
        subprocess.run(["journalctl", "--sync"], check=True, timeout=60)
        expect(run("facts", "--bundle", "j.tar.gz", "--anonymise").returncode in (0, 6), "it is made")
        text = members("j.tar.gz")["fabricctl-bundle/journal.txt"]
    finally:
        daemon.terminate()
        daemon.wait(30)
    ours = [line for line in text.splitlines() if " fabricctl: " in line]
    expect(ours and "last of 10." in ours[-1] and "10.77.1.2" not in text, "the newest is the last:", ours[-1:])
    expect(1000 < len(ours) <= 2000 and "first of" not in text and text.startswith("# older lines were left out"), len(ours), text[:200])
    expect("nobody asked" not in text and SECRET not in text, "others' lines and secrets are not in it")


def test_a_bundle_is_whole_or_not_there():
    os.symlink("elsewhere.tar.gz", "link.tar.gz")
    done = run("facts", "--bundle", "link.tar.gz")
    expect(done.returncode == 1 and not os.path.exists("elsewhere.tar.gz"), "no link is followed:", done)
    os.mkdir("small")
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=4k,mode=0755", "none", "small"], check=True)
    done = run("facts", "--bundle", "small/out.tar.gz")
    expect(done.returncode == 1 and b"No space left" in done.stderr and os.listdir("small") == [], done, os.listdir("small"))
    subprocess.run(["umount", "small"], check=True)
    pathlib.Path("out.tar.gz").write_text("old")
    expect(run("facts", "--bundle", "out.tar.gz").returncode in (0, 6) and members("out.tar.gz"), "the one before is replaced")
    done = run("facts", "--bundle", "a.tar.gz", "--output", "b.json")
    expect(done.returncode == 1 and not os.path.exists("a.tar.gz"), "one of the two:", done)
    expect(run("facts", "--bundle", "").returncode == 1, "a name is needed")


sys.exit(main(globals()))
