#!/usr/bin/python3
"""The collection as Ansible's own tools see it: it can be built and installed, its documentation is whole, yamllint and
ansible-lint find nothing, and what is written twice is the same.

Usage: collection_test.py FABRICCTL"""
import json
import pathlib
import re
import subprocess
import sys
import tempfile

import yaml

import collection
from collection import SOURCE, command

PROGRAM = sys.argv[1]


def test_it_is_built_from_all_that_belongs_to_it(installed, env):
    there = {str(path.relative_to(installed)) for path in installed.rglob("*") if path.is_file()} - {"MANIFEST.json", "FILES.json"}
    here = {str(path.relative_to(SOURCE)) for path in SOURCE.rglob("*") if path.is_file() and "__pycache__" not in path.parts}
    assert there == here - {"galaxy.yml"}, there ^ here


def test_lint(installed, env):
    for program in ("yamllint", "ansible-lint"):
        collection.require(program)
    command("yamllint", "--strict", ".", cwd=installed, env=env)
    # By their names: below a directory of installed collections it looks at nothing by itself.
    told = subprocess.run(["ansible-lint", "--offline", "--nocolor", "--profile", "production", "-p", *sorted(
        str(path.relative_to(installed)) for folder in ("playbooks", "roles") for path in (installed / folder).iterdir())],
        cwd=installed, env=env, capture_output=True, text=True, timeout=280, check=False)
    assert told.returncode == 0 and re.search(r"0 failure\(s\), 0 warning\(s\) on [1-9]\d files", told.stderr), (told.stdout, told.stderr)


def test_the_documentation_of_the_module_is_its_options(installed, env):
    doc = json.loads(command("ansible-doc", "--json", "fabricctl.fabric.fabricctl", env=env))["fabricctl.fabric.fabricctl"]
    source = (installed / "plugins/modules/fabricctl.py").read_text()
    spec = source[source.index("argument_spec=dict("):source.index("mutually_exclusive=")]
    options = dict(re.findall(r"^ +(\w+)=dict\((.*)\),$", spec, re.M))
    assert set(options) == set(doc["doc"]["options"]), (options, doc["doc"]["options"])
    for name, text in options.items():
        told = doc["doc"]["options"][name]
        assert f'type="{told["type"]}"' in text, (name, told, text)
        default = re.search(r"default=([^,)]+)", text)
        assert repr(told.get("default")).replace("'", '"') == (default[1] if default else "None"), (name, told, text)
        if name != "only" and told.get("choices"):
            assert re.findall(r'"(\w+)"', text.split("choices=")[1].split("]")[0]) == told["choices"], (name, told, text)
    assert doc["examples"] and doc["return"]["report"], doc.keys()


def test_what_the_command_line_has_the_module_has(installed, env):
    """An option of apply that nobody can reach by the module is one that was forgotten."""
    words = set(re.findall(r"--[a-z-]+", command(PROGRAM, "apply", "--help")))
    source = (installed / "plugins/modules/fabricctl.py").read_text()
    offered = set(re.findall(r'"(--[a-z-]+)"', source))
    # Of a person, of a unit, or of a program that reads exit statuses only.
    elsewhere = {"--help", "--color", "--quiet", "--verbose", "--explain", "--dry-run", "--detailed-exitcode", "--boot", "--report", "--metrics"}
    assert offered >= words - elsewhere, words - elsewhere - offered
    assert offered <= words | {"--format"}, offered - words
    kinds = re.search(r"kinds = (\[.*\])", source)[1]
    told = re.search(r"kinds of resource[^:]*:(.*?)--", command(PROGRAM, "apply", "--help"), re.S)[1]
    assert set(json.loads(kinds)) == set(re.findall(r"[a-z][a-z-]+", told)), (kinds, told)


def test_defaults_are_those_of_the_specification(installed, env):
    role = installed / "roles/fabricctl"
    defaults = yaml.safe_load((role / "defaults/main.yml").read_text())
    specs = yaml.safe_load((role / "meta/argument_specs.yml").read_text())["argument_specs"]
    for point, spec in specs.items():
        assert (role / "tasks" / (point + ".yml")).exists(), point
        assert set(spec["options"]) == set(defaults), set(spec["options"]) ^ set(defaults)
        for name, option in spec["options"].items():
            assert "default" not in option or option["default"] == defaults[name], name


def test_the_readme_builds_what_there_is(installed, env):
    version = yaml.safe_load((SOURCE / "galaxy.yml").read_text())["version"]
    readme = (SOURCE / "README.md").read_text()
    assert f"fabricctl-fabric-{version}.tar.gz" in readme and f"## {version}" in (SOURCE / "CHANGELOG.md").read_text()
    for name in re.findall(r"fabricctl\.fabric\.(\w+) ", readme):
        assert (installed / "playbooks" / (name + ".yml")).exists() or name == "fabricctl", name


def test_the_list_of_hosts_is_one_that_the_program_reads(installed, env):
    line = next(line.strip() for line in (SOURCE / "README.md").read_text().splitlines() if "--list-hosts" in line)
    done = subprocess.run(line.replace("inventory/hosts.yml", str(installed / "playbooks/inventory/hosts.yml")).replace(
        "hosts.txt", "/dev/stdout"), shell=True, env=env, capture_output=True, text=True, timeout=60, check=False)
    assert [name.strip() for name in done.stdout.splitlines()] == [f"node{n}.storage.example" for n in (1, 2, 3)], done


def test_the_profile_of_the_example_is_valid(installed, env):
    profile = yaml.safe_load((installed / "playbooks/inventory/hosts.yml").read_text())["fabric"]["vars"]["fabricctl_profile"]
    profile["extends"] = str(SOURCE.parent / "profiles" / pathlib.Path(profile["extends"]).name)
    with tempfile.NamedTemporaryFile("w", suffix=".yaml") as file:
        yaml.safe_dump(profile, file)
        file.flush()
        command(PROGRAM, "profile", "validate", file.name)


def main():
    failures = 0
    with tempfile.TemporaryDirectory() as folder:
        installed = collection.install(pathlib.Path(folder))
        env = collection.environment(pathlib.Path(folder))
        for name, test in list(globals().items()):
            if name.startswith("test_"):
                try:
                    test(installed, env)
                    print("ok", name)
                except AssertionError as error:
                    failures += 1
                    print("not ok", name, error)
    return 1 if failures else 0


sys.exit(main())
