#!/usr/bin/python3
"""The recipes of docs/recipes: read by the tools' own readers where Debian has them, field by field where it has none, and every
command line of fabricctl in them run by the built program on a host of its own.

Usage: recipes_test.py FABRICCTL"""
import os
import pathlib
import re
import shlex
import subprocess
import sys

import yaml

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "cli"))
import private_host  # noqa: E402
from private_host import PROGRAM, expect  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
RECIPES = ROOT / "docs/recipes"
UNPACKED = ROOT / ".cache/unpacked/usr"
PROFILE = "version: 1\nname: recipe\nrails: { match: [{ interface: veth0 }] }\narp: { ignore: 1, announce: 2, persist: false }\n"
UNITS = {path.name.removesuffix(".in") for path in (ROOT / "units").iterdir()}

# The fields of the kinds that the manifest uses, as Kubernetes names them; a dictionary of one "*" is of any keys.
ANY, TEXT, NUMBER, TRUTH = object(), str, int, bool
LABELS = {"*": TEXT}
MOUNT = {"name": TEXT, "mountPath": TEXT, "subPath": TEXT, "readOnly": TRUTH}
CONTAINER = {"name": TEXT, "image": TEXT, "command": [TEXT], "args": [TEXT], "volumeMounts": [MOUNT],
             "securityContext": {"privileged": TRUTH, "runAsUser": NUMBER},
             "readinessProbe": {"exec": {"command": [TEXT]}, "periodSeconds": NUMBER, "timeoutSeconds": NUMBER, "failureThreshold": NUMBER},
             "resources": {"requests": LABELS, "limits": LABELS}}
VOLUME = {"name": TEXT, "configMap": {"name": TEXT, "defaultMode": NUMBER}, "hostPath": {"path": TEXT, "type": TEXT}}
POD = {"nodeSelector": LABELS, "automountServiceAccountToken": TRUTH, "hostNetwork": TRUTH, "hostPID": TRUTH, "priorityClassName": TEXT,
       "tolerations": [{"key": TEXT, "operator": TEXT, "value": TEXT, "effect": TEXT}], "initContainers": [CONTAINER],
       "containers": [CONTAINER], "volumes": [VOLUME]}
META = {"name": TEXT, "namespace": TEXT, "labels": LABELS}
KINDS = {
    "Namespace": {"apiVersion": TEXT, "kind": TEXT, "metadata": META},
    "ConfigMap": {"apiVersion": TEXT, "kind": TEXT, "metadata": META, "data": LABELS},
    "DaemonSet": {"apiVersion": TEXT, "kind": TEXT, "metadata": META, "spec": {
        "selector": {"matchLabels": LABELS}, "updateStrategy": {"type": TEXT, "rollingUpdate": {"maxUnavailable": NUMBER}},
        "template": {"metadata": {"labels": LABELS}, "spec": POD}}},
}
# The arguments of Salt's states that the recipe uses.
STATES = {"pkg.installed": set(), "file.managed": {"source", "user", "group", "mode", "makedirs", "check_cmd", "require"},
          "cmd.run": {"name", "unless", "success_retcodes", "timeout", "require", "onchanges"}, "service.enabled": {"names", "require"}}


def fits(value, shape, where):
    if isinstance(shape, dict):
        expect(isinstance(value, dict), where, "is no mapping")
        for key, item in value.items():
            expect(key in shape or "*" in shape, where, "has no field", key)
            fits(item, shape.get(key, shape.get("*", ANY)), f"{where}.{key}")
    elif isinstance(shape, list):
        expect(isinstance(value, list), where, "is no list")
        for number, item in enumerate(value):
            fits(item, shape[0], f"{where}[{number}]")
    else:
        expect(shape is ANY or (isinstance(value, shape) and (shape is TRUTH) == isinstance(value, bool)), where, "is", value)


def manifest():
    return {one["kind"]: one for one in yaml.safe_load_all((RECIPES / "kubernetes/daemonset.yaml").read_text())}


def run_as_written(words, profile):
    """The command on this host: as it stands, but that nothing is written and that it ends."""
    assert words[0] in ("fabricctl", "/usr/bin/fabricctl"), words
    os.makedirs("/var/lib/fabricctl", exist_ok=True)  # the package's
    verb, words = words[1], [word.replace("%", profile) for word in words[1:]]
    if verb in ("apply", "check"):
        words += ["--dry-run"] * (verb == "apply") + [profile]
    elif words[:2] == ["profile", "validate"] and profile not in words:
        words.append(profile)
    elif verb == "watch":
        words += ["--rail", "veth0", "--count", "1", "--interval", "100ms"]
        words = [word for at, word in enumerate(words) if word != "--interval" or at == len(words) - 2]
        words.remove("60s")
    done = private_host.run(*words, text=True)
    meant = {"apply": (0, 2), "check": (0, 2), "profile": (0,), "facts": (0, 6), "watch": (0, 6)}[verb]
    expect(done.returncode in meant and "usage" not in done.stderr.lower(), words, "ends with", done.returncode, done.stdout[-300:], done.stderr)
    return verb


def test_kubernetes():
    kinds = manifest()
    expect(set(kinds) == set(KINDS), "kinds", set(kinds))
    for kind, document in kinds.items():
        fits(document, KINDS[kind], kind)
    pod = kinds["DaemonSet"]["spec"]["template"]["spec"]
    expect(kinds["DaemonSet"]["spec"]["selector"]["matchLabels"].items() <= kinds["DaemonSet"]["spec"]["template"]["metadata"]["labels"].items(),
           "the selector selects the pods")
    volumes = {one["name"] for one in pod["volumes"]}
    text = kinds["ConfigMap"]["data"]["profile.yaml"]
    profile = private_host.profile(text, "kubernetes.yaml")
    expect(private_host.run("profile", "validate", profile).returncode == 0, "its profile")
    expect("service" not in yaml.safe_load(text), "a pod has no systemd unit to set up")
    verbs = []
    for container in pod["initContainers"] + pod["containers"]:
        expect({one["name"] for one in container["volumeMounts"]} <= volumes, container["name"], "mounts what there is not")
        verbs.append(run_as_written(container["command"], profile))
        if "readinessProbe" in container:
            verbs.append(run_as_written(container["readinessProbe"]["exec"]["command"], profile))
    expect(verbs == ["apply", "watch", "check"], verbs)
    # The directory of a ConfigMap as kubelet makes it, which anybody may write, is why the file is mounted by itself.
    folder = pathlib.Path("configmap")
    (folder / "..data").mkdir(parents=True)
    folder.chmod(0o777)
    private_host.profile(PROFILE, folder / "..data/profile.yaml")
    (folder / "profile.yaml").symlink_to("..data/profile.yaml")
    done = private_host.run("check", str(folder / "profile.yaml"), text=True)
    expect(done.returncode == 5 and "symbolic link" in done.stderr, "a whole ConfigMap", done)


def test_kubernetes_directories_are_those_that_are_written():
    named = {one["hostPath"]["path"] for one in manifest()["DaemonSet"]["spec"]["template"]["spec"]["volumes"] if "hostPath" in one}
    listed = set(re.findall(r"`(/[a-z/.-]+)`(?:, `(/[a-z/.-]+)`)? \|", (RECIPES / "README.md").read_text()))
    expect({path for pair in listed for path in pair if path} == named, named, listed)


def test_puppet():
    puppet = UNPACKED / "bin/puppet"
    if not puppet.exists():
        expect(False, "there is no puppet; run scripts/setup")
        return
    path = RECIPES / "puppet/manifests/init.pp"
    env = dict(os.environ, RUBYLIB=str(UNPACKED / "lib/ruby/vendor_ruby"), HOME=os.getcwd())
    checked = ["ruby", puppet, "parser", "validate", "--confdir", "conf", "--vardir", "var"]
    done = subprocess.run([*checked, path], env=env, capture_output=True, text=True, timeout=100, check=False)
    expect(done.returncode == 0 and not done.stdout + done.stderr, "puppet parser validate", done)
    broken = pathlib.Path("broken.pp")
    broken.write_text(path.read_text().replace("=>", "=", 1))
    expect(subprocess.run([*checked, broken], env=env, capture_output=True, timeout=100, check=False).returncode == 1, "it finds nothing")
    text = path.read_text()
    commands = re.findall(r"=> '(/usr/bin/fabricctl[^']*)'", text)
    profile = private_host.profile(PROFILE)
    verbs = [run_as_written(shlex.split(line), profile) for line in commands]
    expect(verbs == ["profile", "apply", "check", "facts"], verbs)
    expect(set(re.findall(r"'([\w-]+\.(?:service|timer))'", text)) <= UNITS, "units")


def test_salt():
    states = yaml.safe_load((RECIPES / "salt/fabricctl/init.sls").read_text())
    profile = private_host.profile(PROFILE)
    verbs = []
    names = set(states)
    for name, state in states.items():
        (function, given), = state.items()
        expect(function in STATES, name, "is", function)
        options = {key: value for option in given for key, value in option.items()}
        expect(set(options) <= STATES[function], name, "has", set(options) - STATES[function])
        verbs += [run_as_written(shlex.split(options[key]), profile) for key in ("check_cmd", "name", "unless") if key in options]
        for other in options.get("require", []) + options.get("onchanges", []):
            (kind, needed), = other.items()
            expect(needed in names and next(iter(states[needed])).startswith(kind + "."), name, "requires", other)
        expect(set(options.get("names", [])) <= UNITS, "units", options.get("names"))
    expect(verbs == ["profile", "apply", "check", "facts"], verbs)


def test_commands_of_the_text():
    """What stands after the -- of kubectl exec."""
    lines = [line.strip() for line in (RECIPES / "README.md").read_text().splitlines() if line.startswith("    ")]
    profile = private_host.profile(PROFILE)
    commands = [line.split(" -- ")[1].split(" > ")[0] for line in lines if " -- " in line]
    expect([run_as_written(shlex.split(line), profile) for line in commands] == ["check", "facts"], commands)
    for line in lines:
        for word in re.findall(r"(?:puppet|salt|kubernetes)/[\w./]+", line):
            expect((RECIPES / word).exists(), line, "names what there is not")


sys.exit(private_host.main(globals()))
