"""A host of its own for the built program: network and mount namespaces with the pair veth0 and veth1, with
empty /run and /var/lib, and a working directory that goes afterwards."""
import os
import pathlib
import subprocess
import sys
import tempfile

SKIPPED = 77  # what meson takes for a test that could not be run
RAIL = "rails: { match: [{ interface: veth0 }] }\n"
PROGRAM = os.path.abspath(sys.argv[1])
_failures = []


def expect(holds, what, *more):
    """Notes and prints a failure, and goes on."""
    if not holds:
        _failures.append(what)
        print("FAILED:", what, *more)


def run(*arguments, **options):
    """The program with these arguments; its streams are captured, as bytes unless text=True."""
    return subprocess.run([PROGRAM, *arguments], capture_output=True, timeout=60, check=False, **options)


def profile(text, name="p.yaml"):
    """A profile (text or bytes) that a unit would trust; gives its path."""
    path = pathlib.Path(name)
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    path.chmod(0o644)
    return name


def _enter():
    subprocess.run(["mount", "-t", "tmpfs", "none", "/run"], check=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", "mode=0755", "none", "/var/lib"], check=True)
    # /sys shows the interfaces of the network namespace it was mounted in.
    subprocess.run(["mount", "-t", "sysfs", "none", "/sys"], check=True)
    subprocess.run(["ip", "link", "add", "veth0", "type", "veth", "peer", "name", "veth1"], check=True)


def main(names):
    """Runs every test_ function among `names` (a module's globals()) there; gives the exit code."""
    if os.geteuid() != 0:
        print("needs root: namespaces, and a program that changes the host")
        return SKIPPED
    if "PRIVATE_HOST" not in os.environ:
        os.environ["PRIVATE_HOST"] = "1"
        os.execvp("unshare", ["unshare", "--net", "--mount", sys.executable, *sys.argv])
    _enter()
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        os.chmod(folder, 0o755)
        for name, test in list(names.items()):
            if name.startswith("test_"):
                before = len(_failures)
                test()
                print("ok" if len(_failures) == before else "not ok", name)
        os.chdir("/")
    return 1 if _failures else 0
