"""Facts of the eight-rail host: their replay says what the host says, their readable part what other programs say."""
import json
import os

import server
from fabricctl import LOSSLESS, PROFILE, Run, apply, check, fabricctl, plan, profile
from host import RAILS, all_controls, output, run
from witness import equal

BOOT = {"kernels": ["6.12"]}
FILE = "/tmp/facts.json"
SECRET = "S3CR3Tofthelab"
SERVICE = server.PROFILE.split("name: lab-service\n")[1]


def taken(*arguments, code=0):
    done = fabricctl("facts", *arguments).expect(code)
    with open(FILE, "w") as f:
        f.write(done.stdout)
    return done.report


def without_time(run_):
    report = dict(run_.report)
    for member in ("started", "duration_ms"):
        report.pop(member)
    # The second one depends on how long the process has been running.
    report["findings"] = [finding for finding in report["findings"]
                          if finding["id"] not in ("facts.origin", "service.nothing-pinned")]
    return report


def same(verb, *arguments):
    live = verb(*arguments)
    replayed = verb("--host", FILE, *arguments)
    assert "facts.origin" in replayed.findings(), replayed.findings()
    equal(without_time(replayed), without_time(live))
    equal(replayed.code, live.code)
    return live.code


def test_check_and_plan_of_the_facts_say_what_the_host_says_before_and_after_apply():
    server.install()
    with open(server.ENVIRONMENT, "a") as f:
        f.write("MINIO_ROOT_PASSWORD=%s\n" % SECRET)
    profile(LOSSLESS + SERVICE)
    taken()
    assert same(check) != 0
    same(plan)
    apply("--only", "acs,dcb,ecn,mtu,pause,arp").expect(0)
    facts = taken()
    same(check)
    equal(same(check, "--only", "dcb,acs,ecn"), 0)
    equal(facts["host"]["unreadable"], [])
    assert SECRET not in json.dumps(facts), "a secret left the host"


def test_status_of_the_facts_is_the_status_of_the_host():
    taken()
    # A person's, as the facts are: within a unit's sandbox /home is another one.
    live = Run(["/usr/bin/env", "/usr/bin/fabricctl", "status", "--format", "json"])
    replayed = Run(["/usr/bin/fabricctl", "status", "--host", FILE, "--format", "json"])
    report = dict(replayed.report)
    equal(report.pop("origin")["file"], FILE)
    equal(report, live.report)


def test_readable_facts_agree_with_dcb_and_ip_and_lspci():
    profile()
    apply().expect(0)
    host = taken()["host"]
    rails = {rail["name"]: rail["ports"][0] for rail in host["rails"]}
    equal(sorted(rails), sorted(rail.name for rail in RAILS))
    for rail in RAILS:
        port = rails[rail.name]
        equal(port["dcb"]["pfc"]["priorities"], rail.pfc())
        listed = {}
        for entry in port["dcb"]["apps"]:
            if entry["selector"] == 5:
                listed.setdefault(entry["protocol"], []).append(entry["priority"])
        equal(listed, rail.dscp_list())
        equal(port["ecn"]["reaction_point"], rail.ecn("rp"))
        equal(port["ecn"]["notification_point"], rail.ecn("np"))
        equal({"RX": port["pause"]["rx"], "TX": port["pause"]["tx"]}, rail.pause())
        equal(port["mtu"], rail.link()["mtu"])
    found = {bridge["pci"]: int(bridge["acs"]["control"], 16) for bridge in host["pci"]["bridges"] if bridge["acs"]}
    witnesses = all_controls()
    equal({bdf: witnesses[bdf] for bdf in found}, found)
    addresses = sorted((entry["ifindex"], info["local"]) for entry in json.loads(output("ip", "-j", "addr", "show"))
                       for info in entry["addr_info"])
    equal(sorted((entry["link"], entry["address"]) for entry in host["network"]["addresses"]), addresses)
    equal({link["name"]: link["mtu"] for link in host["network"]["links"]},
          {link["ifname"]: link["mtu"] for link in json.loads(output("ip", "-j", "link", "show"))})
    neighbours = sorted(entry["dst"] for entry in json.loads(output("ip", "-j", "neigh", "show", "nud", "all")))
    equal(sorted(entry["address"] for entry in host["network"]["neighbours"] if not entry.get("proxy")), neighbours)


def test_without_rights_facts_say_part_by_part_what_they_could_not_see():
    done = Run(["setpriv", "--reuid", "65534", "--regid", "65534", "--clear-groups", "/usr/bin/fabricctl", "facts", "--format", "json"]).expect(6)
    parts = {entry["part"]: entry["reason"] for entry in done.report["host"]["unreadable"]}
    assert any("ACS" in part and "root" in reason for part, reason in parts.items()), parts
    with open(FILE, "w") as f:
        f.write(done.stdout)
    profile()
    replayed = check("--host", FILE)
    equal(replayed.outcome("acs/%s/control" % sorted(all_controls())[-1]) in ("unreadable", "failed"), True)
    assert replayed.code in (3, 6), replayed.code


def test_a_file_is_private_and_apply_refuses_facts():
    profile()
    path = "/tmp/private.json"
    run("rm", "-f", path)
    done = Run(["/usr/bin/env", "/usr/bin/fabricctl", "facts", "--output", path]).expect(0)
    assert "facts of " in done.stdout, done.stdout
    equal(os.stat(path).st_mode & 0o777, 0o600)
    refused = Run(["/usr/bin/fabricctl", "apply", PROFILE, "--host", path])
    equal(refused.code, 1)
    assert "nothing can be written there" in refused.stderr, refused.stderr
