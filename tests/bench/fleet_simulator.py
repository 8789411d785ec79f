#!/usr/bin/python3
"""Makes the facts of a fleet from those of one healthy host (tests/hosts/doctor-healthy.json):
hosts with RAILS rails that know PEERS neighbours on each, the same bytes every time. Faults are
planted by name; FAULTS lists them.

Usage: fleet_simulator.py [--hosts N] [--rails R] [--peers P] [--plant FAULT:HOST...] [--out DIR]
Without --out one document per line on standard output."""
import argparse
import copy
import json
import pathlib
import re
import sys

BASE = pathlib.Path(__file__).resolve().parent.parent / "hosts" / "doctor-healthy.json"
FIRST_LINK = 10  # of rail0 in the base document
ALIKE = re.compile(r"rail1|mlx5_1|0000:11:00\.0|uverbs1")


def renamed(text, rail):
    return (text.replace("rail1", f"rail{rail}").replace("mlx5_1", f"mlx5_{rail}")
            .replace("0000:11:00.0", f"0000:{0x10 + rail:02x}:00.0").replace("uverbs1", f"uverbs{rail}"))


def copies(tree, rails):
    """What names the second rail of the base, once more for each further rail."""
    if isinstance(tree, dict):
        whole = {}
        for key, value in tree.items():
            whole[key] = copies(value, rails)
            if ALIKE.search(key):
                for rail in range(2, rails):
                    whole[renamed(key, rail)] = json.loads(renamed(json.dumps(value), rail))
        return whole
    if isinstance(tree, list):
        whole = []
        for item in tree:
            whole.append(copies(item, rails))
            if ALIKE.search(json.dumps(item)):
                whole += [json.loads(renamed(json.dumps(item), rail)) for rail in range(2, rails)]
        return whole
    return tree


def link_of(rail):
    return FIRST_LINK + rail


def base(rails):
    """The facts of a host with so many rails and no address yet."""
    document = json.loads(BASE.read_text())
    seen = document["observed"]
    for part in ("files", "functions", "config", "links", "rdma_ports", "rdma_attributes"):
        seen[part] = copies(seen[part], rails)
    for rail in range(2, rails):
        for part in ("pauses", "statistics", "drivers"):
            seen[part][str(link_of(rail))] = copy.deepcopy(seen[part][str(link_of(1))])
        seen["drivers"][str(link_of(rail))]["value"]["bus"] = f"0000:{0x10 + rail:02x}:00.0"
        seen["dcb"][f"{link_of(rail)}/21/"] = dict(seen["dcb"][f"{link_of(1)}/21/"])
        seen["ipv4"]["value"].append(dict(seen["ipv4"]["value"][1], link=link_of(rail)))
    for part in ("links", "rdma_ports"):
        for entry in seen[part]["value"]:
            name = entry.get("name", entry.get("device"))
            entry["index" if part == "links" else "link"] = link_of(int(name[4:] if part == "links" else name[5:]))
    for index in range(rails):
        seen["files"][f"/sys/class/net/rail{index}/speed"] = {"text": {"value": "400000\n"}}
    return document


def mac_of(host, rail):
    return f"b8:ce:f6:{host >> 8:02x}:{host & 255:02x}:{rail:02x}"


def address_of(host, rail):
    return f"10.{rail}.{(host + 1) >> 8}.{(host + 1) & 255}"


def name_of(host):
    return f"node{host:05d}"


class Host:
    """One host before its facts are written: what differs between hosts, and what a fault changes."""

    def __init__(self, number, fleet):
        self.number, self.fleet = number, fleet
        self.name = name_of(number)
        self.macs = [mac_of(number, rail) for rail in range(fleet.rails)]
        self.addresses = [address_of(number, rail) for rail in range(fleet.rails)]
        self.changes = []  # functions of the facts

    def neighbours(self):
        entries = []
        for rail in range(self.fleet.rails):
            for step in range(1, self.fleet.peers + 1):
                peer = (self.number + step) % self.fleet.hosts
                if peer == self.number:
                    break
                entries.append({"address": address_of(peer, rail), "link": link_of(rail),
                                "mac": self.fleet.learned(self.number, peer, rail), "state": "reachable"})
        return entries

    def document(self):
        whole = copy.deepcopy(self.fleet.base)
        seen = whole["observed"]
        whole["host_name"] = self.name
        seen["files"]["/proc/sys/kernel/hostname"] = {"text": {"value": self.name + "\n"}}
        seen["links"] = {"value": [dict(link, mac=self.macs[link["index"] - FIRST_LINK])
                                   for link in seen["links"]["value"]]}
        seen["addresses"] = {"value": [{"address": address, "link": link_of(rail), "prefix_length": 16}
                                       for rail, address in enumerate(self.addresses)]}
        seen["neighbours"] = {"value": self.neighbours()}
        for change in self.changes:
            change(whole)
        return whole


def dcb(host, change):
    """Changes the hexadecimal answer of dcbnl on rail 2."""
    def apply(whole):
        answer = whole["observed"]["dcb"][f"{link_of(2)}/21/"]
        changed = change(answer["value"])
        assert changed != answer["value"]
        answer["value"] = changed
    host.changes.append(apply)


def pfc(host):
    """Attribute 2 (struct ieee_pfc): no priority instead of the fourth."""
    dcb(host, lambda text: text.replace("8c0002000808", "8c0002000800", 1))


def dscp(host):
    """DSCP 26 on priority 2."""
    dcb(host, lambda text: text.replace("08000100" + "05031a", "08000100" + "05021a", 1))


def buffer(host):
    """Attribute 10 (struct dcbnl_buffer): every priority in buffer 0."""
    dcb(host, lambda text: text.replace("30000a0000000001", "30000a0000000000", 1))


def ecn(host):
    def apply(whole):
        path = "/sys/class/net/rail3/ecn/roce_np/enable/3"
        assert path in whole["observed"]["files"], "the base has no such file"
        whole["observed"]["files"][path] = {"text": {"value": "0\n"}}
    host.changes.append(apply)


def mtu(host):
    def apply(whole):
        for link in whole["observed"]["links"]["value"]:
            link["mtu"] = 1500
    host.changes.append(apply)


def kernel(host):
    def apply(whole):
        whole["observed"]["files"]["/proc/sys/kernel/osrelease"] = {"text": {"value": "5.15.0-91-generic\n"}}
    host.changes.append(apply)


def firmware(host):
    def apply(whole):
        whole["observed"]["drivers"][str(link_of(0))]["value"]["firmware"] = "28.31.1014"
    host.changes.append(apply)


def release(host):
    def apply(whole):
        for version in whole["observed"]["program_versions"].values():
            version["value"]["text"] = "minio version RELEASE.2024\nFeatures: GPU-Direct RDMA\n"
    host.changes.append(apply)


def swapped(host):
    """The addresses of two rails, as if their cables were swapped."""
    host.addresses[0], host.addresses[1] = host.addresses[1], host.addresses[0]


def duplicate(host):
    """The address of the host before it."""
    host.addresses[4] = address_of(host.number - 1, 4)


def clone(host):
    """The MAC of the host before it."""
    host.macs[5] = mac_of(host.number - 1, 5)


def flux(host):
    """Half of its peers have learned the MAC of rail 7 for its rail 6."""
    host.fleet.flux.add(host.number)


def queue(host):
    def apply(whole):
        whole["observed"]["rdma_attributes"]["mlx5_2/1"]["value"]["max_srq_wr"] = 16383
    host.changes.append(apply)


def arp(host):
    def apply(whole):
        for entry in whole["observed"]["ipv4"]["value"]:
            entry["values"]["arp_ignore"] = 0
    host.changes.append(apply)


def pause(host):
    def apply(whole):
        whole["observed"]["pauses"][str(link_of(1))]["value"]["rx"] = True
    host.changes.append(apply)


def port(host):
    def apply(whole):
        for entry in whole["observed"]["rdma_ports"]["value"]:
            if entry["device"] == "mlx5_7":
                entry["state"] = "down"
    host.changes.append(apply)


def rail(host):
    """Its last rail is not there."""
    def apply(whole):
        seen, last = whole["observed"], host.fleet.rails - 1
        for part, member in (("links", "index"), ("rdma_ports", "link"), ("addresses", "link"), ("neighbours", "link")):
            seen[part]["value"] = [entry for entry in seen[part]["value"] if entry[member] != link_of(last)]
    host.changes.append(apply)


def missing(host):
    host.fleet.left_out.add(host.number)


def unreadable(host):
    """dcbnl refused: the facts were taken without root."""
    def apply(whole):
        whole["observed"]["dcb"][f"{link_of(0)}/21/"] = {"error": {"kind": "permission", "action": "read DCB of", "subject": "rail0", "errno": 1}}
    host.changes.append(apply)


# The fault by its name, and the cause that names it.
FAULTS = {"pfc": (pfc, "pfc"), "dscp": (dscp, "dscp-map"), "buffer": (buffer, "buffer"), "ecn": (ecn, "ecn"),
          "mtu": (mtu, "mtu"), "kernel": (kernel, "kernel"), "firmware": (firmware, "firmware"),
          "release": (release, "release"), "swapped": (swapped, "subnet.rail"), "duplicate": (duplicate, "address.duplicate"),
          "clone": (clone, "mac.duplicate"), "flux": (flux, "neighbour.wrong-rail"), "queue": (queue, "srq.size"),
          "arp": (arp, "arp"), "pause": (pause, "pause"), "port": (port, "state"), "rail": (rail, "rails"),
          "missing": (missing, "host.missing"), "unreadable": (unreadable, "pfc")}


class Fleet:
    def __init__(self, hosts, rails=8, peers=64, plants=()):
        self.hosts, self.rails, self.peers = hosts, rails, peers
        self.base = base(rails)
        self.text = None
        self.flux, self.left_out, self.plants = set(), set(), {}
        for plant in plants:
            fault, _, number = plant.partition(":")
            self.plants.setdefault(int(number), []).append(FAULTS[fault][0])
        self.changed = {number: self.changed_host(number) for number in self.plants}

    def changed_host(self, number):
        host = Host(number, self)
        for change in self.plants[number]:
            change(host)
        return host

    def host(self, number):
        return self.changed.get(number) or Host(number, self)

    def learned(self, asker, peer, rail):
        if peer in self.flux and rail == 6 and asker % 2 == 0:
            return mac_of(peer, 7)
        changed, address = self.changed.get(peer), address_of(peer, rail)
        if changed and address in changed.addresses:
            return changed.macs[changed.addresses.index(address)]
        return mac_of(peer, rail)

    def constant(self):
        """What every host says alike, as text: ten thousand hosts take minutes otherwise."""
        if self.text is None:
            seen = dict(self.base["observed"], files=dict(self.base["observed"]["files"]))
            del seen["files"]["/proc/sys/kernel/hostname"]
            for part in ("links", "addresses", "neighbours"):
                del seen[part]
            files = json.dumps(seen.pop("files"), separators=(",", ":"))
            rest = json.dumps(seen, separators=(",", ":"))
            whole = {key: value for key, value in self.base.items() if key not in ("observed", "host_name")}
            self.text = json.dumps(whole, separators=(",", ":"))[:-1], files[:-1], rest[:-1]
        return self.text

    def text_of(self, host):
        if host.changes:
            return json.dumps(host.document(), separators=(",", ":"))
        head, files, rest = self.constant()
        links = [dict(link, mac=host.macs[link["index"] - FIRST_LINK]) for link in self.base["observed"]["links"]["value"]]
        addresses = [{"address": address, "link": link_of(rail), "prefix_length": 16} for rail, address in enumerate(host.addresses)]
        parts = (json.dumps({"value": part}, separators=(",", ":")) for part in (links, addresses, host.neighbours()))
        return (f'{head},"host_name":"{host.name}","observed":{rest},"files":{files},"/proc/sys/kernel/hostname":'
                '{"text":{"value":"%s\\n"}}},"links":%s,"addresses":%s,"neighbours":%s}}' % (host.name, *parts))

    def documents(self):
        for number in range(self.hosts):
            if number not in self.left_out:
                host = self.host(number)
                yield host.name, self.text_of(host)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--hosts", type=int, default=100)
    parser.add_argument("--rails", type=int, default=8)
    parser.add_argument("--peers", type=int, default=64)
    parser.add_argument("--plant", action="append", default=[], metavar="FAULT:HOST", help=", ".join(FAULTS))
    parser.add_argument("--out", type=pathlib.Path)
    given = parser.parse_args()
    for name, text in Fleet(given.hosts, given.rails, given.peers, given.plant).documents():
        if given.out:
            given.out.mkdir(parents=True, exist_ok=True)
            (given.out / f"{name}.json").write_text(text + "\n")
        else:
            sys.stdout.write(text + "\n")


if __name__ == "__main__":
    main()
