"""The collection as a user has it: built by ansible-galaxy from the source tree and installed."""
import os
import pathlib
import subprocess
import sys

SOURCE = pathlib.Path(__file__).resolve().parent.parent.parent / "ansible"


def require(program):
    """Ends the test as failed: scripts/setup installs these, and a test that did not look has not passed."""
    if subprocess.run(["which", program], stdout=subprocess.DEVNULL, check=False).returncode != 0:
        sys.exit(f"there is no {program}; run scripts/setup")


def command(*argv, code=0, **options):
    done = subprocess.run(list(map(str, argv)), capture_output=True, text=True, timeout=280, check=False, **options)
    assert done.returncode == code, (argv, done.returncode, done.stdout[-6000:], done.stderr[-3000:])
    return done.stdout


def environment(folder):
    """Of Ansible's programs: nothing of the user's, and nothing left in the home directory."""
    (folder / "ansible.cfg").touch()
    return dict(os.environ, HOME=str(folder), ANSIBLE_HOME=str(folder / "home"), ANSIBLE_COLLECTIONS_PATH=str(folder / "collections"),
                ANSIBLE_NOCOLOR="1", ANSIBLE_LOCALHOST_WARNING="0", ANSIBLE_CONFIG=str(folder / "ansible.cfg"), NO_COLOR="1", LC_ALL="C.UTF-8",
                ANSIBLE_CONNECTION_PLUGINS=str(pathlib.Path(__file__).resolve().parent / "connection"))


def install(folder):
    """Builds and installs; gives where it lies."""
    require("ansible-galaxy")
    env = environment(folder)
    command("ansible-galaxy", "collection", "build", "--output-path", folder, SOURCE, env=env)
    archives = list(folder.glob("fabricctl-fabric-*.tar.gz"))
    assert len(archives) == 1, archives
    command("ansible-galaxy", "collection", "install", "--offline", "-p", folder / "collections", archives[0], env=env)
    return folder / "collections" / "ansible_collections" / "fabricctl" / "fabric"
