"""The storage server as its package installs it, with a stand-in for the program, and what systemd and /proc say of it."""
import glob
import os
import re
import shutil
import signal

from host import output, read, run

UNIT = "minio.service"
PACKAGED = "/usr/lib/systemd/system/" + UNIT
COPY = "/etc/systemd/system/" + UNIT
DROP_INS = COPY + ".d"
OURS = DROP_INS + "/90-fabricctl.conf"
STANDARD = "/usr/local/bin/minio"
RDMA = "/usr/local/bin/minio.rdma"
ENVIRONMENT = "/etc/default/minio"
LATE = "/etc/minio/config.env"

PROFILE = """\
version: 1
name: lab-service
service:
  unit: minio.service
  environment: { MINIO_RDMA_INTERNODE: "on" }
"""
RESTARTING = PROFILE + "  restart: if-needed\n"

PACKAGED_UNIT = """\
[Unit]
Description=MinIO
AssertFileIsExecutable=/usr/local/bin/minio
AssertFileNotEmpty=/etc/default/minio
Wants=network-online.target
After=network-online.target

[Service]
Type=notify
WorkingDirectory=/usr/local
User=minio-user
Group=minio-user
ProtectProc=invisible
AmbientCapabilities=CAP_NET_BIND_SERVICE CAP_SYS_ADMIN CAP_DAC_OVERRIDE
EnvironmentFile=/etc/default/minio
ExecStart=/usr/local/bin/minio server $MINIO_OPTS $MINIO_VOLUMES
Restart=always
LimitNOFILE=1048576
TasksMax=infinity
TimeoutSec=infinity
SendSIGKILL=no

[Install]
WantedBy=multi-user.target
"""


def put(path, text, mode=0o644):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w") as f:
        f.write(text)
    os.chmod(path, mode)


def place(source, target):
    """As a package manager does it: a new file takes the name, a running program keeps the old one."""
    shutil.copy("/usr/lib/lab/" + source, target + ".new")
    os.chmod(target + ".new", 0o755)
    os.rename(target + ".new", target)


def remove(*patterns):
    for pattern in patterns:
        for path in glob.glob(pattern):
            os.unlink(path)


def install():
    """The package is freshly installed and its service runs; nothing of the product's and of earlier tests' is left."""
    if "minio-user:" not in read("/etc/passwd"):
        output("useradd", "--system", "--no-create-home", "--shell", "/usr/sbin/nologin", "minio-user")
    remove("/etc/fabricctl/*.env", COPY, DROP_INS + "/*", PACKAGED + ".d/*", "/run/systemd/system/" + UNIT + ".d/*", LATE)
    if os.path.isdir(DROP_INS):
        os.rmdir(DROP_INS)
    place("minio", STANDARD)
    place("minio.rdma", RDMA)
    put(PACKAGED, PACKAGED_UNIT)
    put(ENVIRONMENT, 'MINIO_VOLUMES="/data{1...4}"\nMINIO_OPTS="--console-address :9001"\nMINIO_CONFIG_ENV_FILE=%s\n'
                     'MINIO_RDMA_INTERNODE=on\n' % LATE)
    output("systemctl", "daemon-reload")
    restart()


def reload():
    output("systemctl", "daemon-reload")


def restart():
    # A unit that is started more than five times in ten seconds is refused (systemd.unit(5), StartLimitBurst=), which the tests
    # do on a fast host; reset-failed forgets the count, and fails where nothing is loaded yet.
    run("systemctl", "reset-failed", UNIT)
    output("systemctl", "restart", UNIT)


def shown(*names):
    """Properties as `systemctl show` prints them."""
    text = output("systemctl", "show", UNIT, *["--property=" + n for n in names])
    return dict(line.split("=", 1) for line in text.splitlines())


def program():
    return re.search(r"path=(\S+)", shown("ExecStart")["ExecStart"]).group(1)


def arguments():
    return re.search(r"argv\[\]=(.*?) ;", shown("ExecStart")["ExecStart"]).group(1)


def pid():
    return int(shown("MainPID")["MainPID"])


def process_limit():
    """(soft, hard) of the running process."""
    return tuple(re.search(r"^Max locked memory\s+(\S+)\s+(\S+)", read("/proc/%d/limits" % pid()), re.M).groups())


def process_program():
    return os.readlink("/proc/%d/exe" % pid())


def reload_count():
    return len(re.findall(r"^Reloading\.?", output("journalctl", "--no-pager", "-b", "-o", "cat", "_PID=1"), re.M))


def end_process():
    os.kill(pid(), signal.SIGTERM)
