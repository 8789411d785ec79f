#!/usr/bin/python3
"""Validates the golden snapshot against docs/snapshot-schema.json, and proves that the schema
refuses what it must."""
import copy
import json
import pathlib

import jsonschema

here = pathlib.Path(__file__).resolve().parent
schema = json.loads((here.parent.parent / "docs" / "snapshot-schema.json").read_text())
validator = jsonschema.Draft202012Validator(schema)
snapshot = json.loads((here / "golden" / "one-of-each.json").read_text())
validator.validate(snapshot)
assert snapshot["items"], "a golden snapshot without items proves nothing"
broken = 0


def refuses(change, why):
    global broken
    other = copy.deepcopy(snapshot)
    change(other)
    assert not validator.is_valid(other), why
    broken += 1


refuses(lambda s: s.update(schema="fabricctl/snapshot/2"), "another version")
refuses(lambda s: s.pop("sha256"), "values without their digest")
refuses(lambda s: s.update(id="../x"), "an id that is a path")
for number in range(len(snapshot["items"])):
    refuses(lambda s: s["items"][number].pop("kind"), "an item without a kind")
    thing = next(key for key in ("mtu", "pause", "dcb", "attributes", "ipv4_conf", "file", "register", "in_force") if key in snapshot["items"][number])
    refuses(lambda s: s["items"][number].pop(thing), "an item without its thing")
    refuses(lambda s: s["items"][number].update({thing: "text"}), "a thing of another type")
print(f"{len(snapshot['items'])} items agree with the schema, {broken} broken documents do not")
