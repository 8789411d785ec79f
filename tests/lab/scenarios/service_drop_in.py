"""The storage server's unit under a real systemd: drop-in, effective properties, running process, and every way to lose them."""
import os

import server
from fabricctl import PROFILE as PROFILE_PATH
from fabricctl import Run, apply, check, end_units, fabricctl, profile
from host import output, read, run, until
from server import OURS, RDMA, STANDARD, UNIT
from witness import equal

# One kernel: neither kernel nor rails have a part in it. 6.12, since on 6.1 link events come later and the other sets take longer there.
BOOT = {"kernels": ["6.12"]}
RESETS_RAILS = False


def identity(name):
    return "service/%s/%s" % (UNIT, name)


def fresh(text=server.PROFILE):
    server.install()
    profile(text)


def settled(text=server.PROFILE):
    """Configured, and the server started since."""
    fresh(text)
    apply()
    server.restart()
    check().expect(0)


def reason(done, name):
    return done.resources[identity(name)]["reason"]


def fix(done, name):
    return done.resources[identity(name)]["fix"]


# the whole path

def test_S04_apply_configures_the_unit_and_says_that_the_process_is_old():
    fresh()
    old = server.pid()
    done = apply().expect(2)
    equal(done.report["result"], "differs")
    equal(done.with_outcome("changed"), [identity(n) for n in ("drop-in", "exec-start", "limit-memlock")])
    equal(done.with_outcome("drifted"), [identity("process")])
    assert "systemctl restart minio.service" in fix(done, "process"), fix(done, "process")
    equal(server.program(), RDMA)
    equal(server.arguments(), "/usr/local/bin/minio.rdma server $MINIO_OPTS $MINIO_VOLUMES")
    equal(server.shown("LimitMEMLOCK", "LimitMEMLOCKSoft", "NeedDaemonReload", "LoadState"),
          {"LimitMEMLOCK": "infinity", "LimitMEMLOCKSoft": "infinity", "NeedDaemonReload": "no", "LoadState": "loaded"})
    equal(server.shown("DropInPaths"), {"DropInPaths": OURS})
    equal(server.pid(), old)
    server.restart()
    equal(server.process_limit(), ("unlimited", "unlimited"))
    equal(server.process_program(), RDMA)
    equal(check().expect(0).with_outcome("in-sync"),
          sorted(identity(n) for n in ("drop-in", "exec-start", "limit-memlock", "environment", "process")))


def test_a_second_apply_writes_nothing_and_reloads_nothing():
    settled()
    before = (os.stat(OURS), server.reload_count(), server.pid())
    done = apply().expect(0)
    equal(done.report["changed"], False)
    equal((os.stat(OURS), server.reload_count(), server.pid()), before)


def test_plan_and_check_write_nothing():
    fresh()
    before = server.reload_count()
    fabricctl("plan").expect(2)
    check().expect(2)
    equal(os.path.exists(OURS), False)
    equal(server.reload_count(), before)


def test_restart_if_needed_restarts_once():
    fresh(server.RESTARTING)
    old = server.pid()
    done = apply().expect(0)
    equal(done.outcome(identity("process")), "changed")
    new = server.pid()
    assert new and new != old
    equal((server.process_limit(), server.process_program()), (("unlimited", "unlimited"), RDMA))
    apply().expect(0)
    equal(server.pid(), new)


def test_S14_a_restart_that_fails_is_told_with_the_result_of_its_job():
    settled(server.RESTARTING)
    output("prlimit", "--pid", str(server.pid()), "--memlock=1000000:1000000")
    # the next start ends before it is ready
    server.put(server.DROP_INS + "/20-broken.conf", "[Service]\nExecStartPre=/bin/false\n")
    server.reload()
    done = apply().expect(3)
    equal(done.outcome(identity("process")), "failed")
    assert "ended as 'failed'" in reason(done, "process"), reason(done, "process")


def test_the_version_is_asked_as_the_services_user_and_remembered():
    run("rm", "-rf", "/run/fabricctl/program-version")
    fresh()
    check().expect(2)
    kept = read("/run/fabricctl/program-version/-usr-local-bin-minio.rdma")
    uid = output("id", "-u", "minio-user").strip()
    assert "Runtime: uid %s\n" % uid in kept, kept
    trace = "/tmp/trace"
    Run(["strace", "-f", "-o", trace, "-e", "trace=execve", "/usr/bin/fabricctl", "check", "--format", "json"]).expect(2)
    equal(read(trace).count("execve("), 1)  # the product itself


# each way to lose it, with its fix

def test_S01_a_later_drop_in_that_wins_is_named():
    fresh()
    winner = server.PACKAGED + ".d/zz-vendor.conf"
    server.put(winner, "[Service]\nExecStart=\nExecStart=/usr/local/bin/minio server\nLimitMEMLOCK=1M\n")
    server.reload()
    done = apply().expect(3)
    for name in ("exec-start", "limit-memlock"):
        equal(done.outcome(identity(name)), "failed")
        assert winner in reason(done, name) and winner in fix(done, name), (reason(done, name), fix(done, name))
    equal(server.program(), STANDARD)
    os.unlink(winner)
    server.reload()
    equal(server.program(), RDMA)
    equal(apply().expect(2).with_outcome("failed"), [])


def test_S02_a_full_copy_of_the_unit_in_etc_is_found():
    settled()
    server.put(server.COPY, read(server.PACKAGED))
    server.reload()
    found = check().findings()["service.shadowed-unit"]
    assert server.PACKAGED in found["evidence"], found
    os.unlink(server.COPY)
    server.reload()
    equal("service.shadowed-unit" in check().findings(), False)


def test_S03_a_unit_that_systemd_refuses_gets_its_former_drop_in_back():
    settled()
    before = read(OURS)
    server.put(server.DROP_INS + "/95-second.conf", "[Service]\nExecStart=/bin/true\n")
    profile(server.PROFILE + "  limit-memlock: 64GiB\n")
    done = apply().expect(3)
    assert "bad-setting" in reason(done, "limit-memlock"), reason(done, "limit-memlock")
    equal(read(OURS), before)
    # Once the other file is gone, a restart works as if nothing had been: what was refused left no failed state that would have to be reset.
    os.unlink(server.DROP_INS + "/95-second.conf")
    profile(server.RESTARTING + "  limit-memlock: 64GiB\n")
    apply().expect(0)
    equal(server.process_limit(), (str(64 << 30), str(64 << 30)))


def test_S04_a_program_that_was_replaced_under_the_process_is_found():
    settled()
    server.place("minio.rdma", RDMA)
    done = check().expect(2)
    equal(done.with_outcome("drifted"), [identity("process")])
    assert "replaced or deleted" in reason(done, "process"), reason(done, "process")
    server.restart()
    check().expect(0)


def test_S04_a_program_that_is_gone_is_found():
    settled()
    os.unlink(RDMA)
    done = check().expect(3)
    # the drop-in stands as it was written; it is the program that the unit starts which is gone
    equal(done.with_outcome("failed"), [identity("exec-start")])
    assert "does not exist" in reason(done, "exec-start") and "install" in fix(done, "exec-start"), done.resources
    server.place("minio.rdma", RDMA)
    server.restart()
    check().expect(0)


def test_S04_a_lower_limit_in_the_running_process_is_found_and_cured_by_a_restart():
    settled(server.RESTARTING)
    output("prlimit", "--pid", str(server.pid()), "--memlock=8388608:8388608")
    done = check().expect(2)
    equal(done.with_outcome("drifted"), [identity("process")])
    equal(done.resources[identity("process")]["found"]["memlock"], 8388608)
    apply().expect(0)
    equal(server.process_limit(), ("unlimited", "unlimited"))


def test_S05_a_low_soft_limit_below_an_unlimited_hard_one_fails():
    fresh()
    server.put("/run/systemd/system/minio.service.d/99-soft.conf", "[Service]\nLimitMEMLOCK=8M:infinity\n")
    server.reload()
    done = apply().expect(3)
    equal(done.outcome(identity("limit-memlock")), "failed")
    equal(server.shown("LimitMEMLOCK", "LimitMEMLOCKSoft"), {"LimitMEMLOCK": "infinity", "LimitMEMLOCKSoft": "8388608"})


def test_S06_a_host_with_only_the_rdma_program_starts():
    fresh(server.RESTARTING)
    os.unlink(STANDARD)
    assert run("systemctl", "restart", UNIT).returncode, "the packaged assertion holds"
    apply().expect(0)
    output("systemctl", "start", UNIT)
    equal(server.process_program(), RDMA)
    asserts = output("busctl", "get-property", "org.freedesktop.systemd1", "/org/freedesktop/systemd1/unit/minio_2eservice",
                     "org.freedesktop.systemd1.Unit", "Asserts")
    assert "/usr/local/bin/minio.rdma" in asserts and "/etc/default/minio" in asserts and '/minio"' not in asserts.replace(
        '/etc/default/minio"', ""), asserts


def test_S07_a_fresh_drop_in_that_systemd_has_not_read_is_reloaded():
    settled()
    text = read(OURS)
    os.unlink(OURS)
    server.reload()
    server.put(OURS, text)
    equal(server.shown("DropInPaths"), {"DropInPaths": ""})
    done = apply()
    equal(done.outcome(identity("drop-in")), "changed")
    equal(server.program(), RDMA)


def test_S08_a_program_that_is_not_the_rdma_build_is_refused():
    fresh()
    server.place("minio", RDMA)
    done = apply().expect(3)
    assert "GPU-Direct RDMA" in reason(done, "drop-in"), reason(done, "drop-in")
    equal(os.path.exists(OURS), False)
    equal(server.program(), STANDARD)


def test_S08_a_program_that_hangs_is_ended():
    fresh()
    server.put(RDMA, "#!/bin/sh\nexec sleep 1000\n", 0o755)
    done = apply().expect(3)
    assert "was killed" in reason(done, "drop-in"), reason(done, "drop-in")
    equal(run("pgrep", "-f", "sleep 1000").stdout, "")


def test_S09_a_repointed_standard_program_is_found():
    fresh()
    os.unlink(STANDARD)
    os.symlink(RDMA, STANDARD)
    assert "service.repointed-program" in check().findings()
    apply()
    # the upgrade that undoes the link finds the drop-in in place
    os.unlink(STANDARD)
    server.place("minio", STANDARD)
    server.restart()
    equal(server.process_program(), RDMA)
    equal("service.repointed-program" in check().expect(0).findings(), False)


def test_S10_a_key_in_the_wrong_file_and_a_value_in_capitals_are_named():
    settled()
    base = read(server.ENVIRONMENT).replace("MINIO_RDMA_INTERNODE=on\n", "")
    server.put(server.ENVIRONMENT, base)
    server.put(server.LATE, "MINIO_RDMA_INTERNODE=on\n")
    server.restart()
    done = check().expect(2)
    equal(done.with_outcome("drifted"), [identity("environment"), identity("process")])
    assert server.LATE in reason(done, "environment") and server.ENVIRONMENT in fix(done, "environment"), done.resources
    server.put(server.ENVIRONMENT, base + "MINIO_RDMA_INTERNODE=ON\n")
    assert "only the exact text" in reason(check(), "environment")
    server.put(server.ENVIRONMENT, base + "MINIO_RDMA_INTERNODE=on\n")
    server.restart()
    check().expect(0)


def test_managed_environment_reaches_the_process():
    fresh(server.RESTARTING + "  manage-environment: true\n")
    server.put(server.ENVIRONMENT, read(server.ENVIRONMENT).replace("INTERNODE=on", "INTERNODE=off"))
    apply().expect(0)
    assert b"MINIO_RDMA_INTERNODE=on\0" in open("/proc/%d/environ" % server.pid(), "rb").read()
    check().expect(0)


def test_an_upgrade_that_adds_an_argument_reaches_the_command():
    settled()
    server.put(server.PACKAGED, server.PACKAGED_UNIT.replace("$MINIO_OPTS", "--new-flag $MINIO_OPTS"))
    server.reload()
    equal(check().expect(2).with_outcome("drifted"), [identity("drop-in"), identity("exec-start")])
    apply().expect(0)
    equal(server.arguments(), "/usr/local/bin/minio.rdma server --new-flag $MINIO_OPTS $MINIO_VOLUMES")


def unit_with(command):
    server.install()
    server.put(server.PACKAGED, server.PACKAGED_UNIT.replace("/usr/local/bin/minio server", command))
    server.reload()


def test_a_program_behind_a_wrapper_is_replaced_there_and_reaches_the_process():
    unit_with("/usr/bin/nice -n 5 /usr/bin/env A=minio /usr/local/bin/minio server")
    profile(server.RESTARTING)
    server.restart()
    equal(server.process_program(), STANDARD)
    apply().expect(0)
    equal(server.arguments(), "/usr/bin/nice -n 5 /usr/bin/env A=minio /usr/local/bin/minio.rdma server $MINIO_OPTS $MINIO_VOLUMES")
    equal((server.process_program(), os.getpriority(os.PRIO_PROCESS, server.pid())), (RDMA, 5))
    equal(check().expect(0).resources[identity("exec-start")]["found"], RDMA)


def test_a_shell_that_starts_the_program_is_refused():
    unit_with("/bin/sh -c \"exec /usr/local/bin/minio server $MINIO_VOLUMES\"")
    profile(server.PROFILE)
    done = apply().expect(3)
    equal(done.with_outcome("failed"), [identity(n) for n in ("drop-in", "exec-start", "limit-memlock")])
    assert "runs the shell /bin/sh" in reason(done, "exec-start") and "10-command.conf" in fix(done, "exec-start"), done.resources
    equal(os.path.exists(OURS), False)


def test_a_managed_environment_is_for_root_only_and_told_when_it_is_left():
    path = "/etc/fabricctl/minio.service.env"
    fresh(server.PROFILE + "  manage-environment: true\n")
    apply()
    equal(os.stat(path).st_mode & 0o777, 0o600)
    os.chmod(path, 0o644)
    assert "mode 0644" in reason(check(), "environment"), reason(check(), "environment")
    equal(apply().outcome(identity("environment")), "changed")
    equal(os.stat(path).st_mode & 0o777, 0o600)
    profile(server.PROFILE)
    done = apply()
    assert "EnvironmentFile" not in read(OURS), read(OURS)
    assert "rm " + path in done.findings()["service.left-over-environment"]["fix"], done.findings()
    os.unlink(path)


def test_a_drop_in_that_a_former_profile_left_is_told_and_the_commands_remove_it():
    settled()
    profile("version: 1\nname: none\n")
    found = check().expect(0).findings()["service.left-over-drop-in"]
    command = found["fix"].split(";")[0]
    equal(command, "rm %s && systemctl daemon-reload" % OURS)
    output("sh", "-c", command)
    equal(check().findings().get("service.left-over-drop-in"), None)
    equal(server.program(), STANDARD)


def test_the_order_of_drop_ins_in_an_image_is_that_of_systemd():
    """--root / reads the files of this machine; systemd, which has loaded them, says what they give."""
    server.install()
    units, unit = "/usr/lib/systemd/system/", "mi-nio@1.service"
    made = [units + "mi-nio@.service"]
    server.put(made[0], server.PACKAGED_UNIT)
    profile(server.PROFILE.replace("minio.service", unit))
    # Each is more particular than those before, or hides the namesake before it.
    names = ("service", "mi-@.service", "mi-@1.service", "mi-nio@.service", "mi-nio@1.service")
    places = [base + name + ".d" for name in names for base in (units, "/etc/systemd/system/")]
    try:
        for limit, directory in enumerate(places, 11):
            made.append(directory)
            server.put(directory + "/95-limit.conf", "[Service]\nLimitMEMLOCK=%dM\n" % limit)
            server.reload()
            found = check("--root", "/").resources["service/%s/limit-memlock" % unit]
            shown = [output("systemctl", "show", "--value", "-p", p, unit).split() for p in ("LimitMEMLOCK", "DropInPaths")]
            equal(str(found["found"]), shown[0][0])
            assert shown[1][-1] in found["reason"], (shown, found)
    finally:
        run("rm", "-rf", *made)
        server.reload()


# bad surroundings: a clear error, nothing half-written, the old drop-in intact

def refused(prepare, undo, text):
    settled()
    before = read(OURS)
    profile(server.PROFILE + "  limit-memlock: 64GiB\n")
    prepare()
    try:
        done = apply().expect(3)
        equal(done.outcome(identity("limit-memlock")), "failed")
        assert text in reason(done, "limit-memlock"), reason(done, "limit-memlock")
        equal(read(OURS), before)
        equal(sorted(os.listdir(server.DROP_INS)), ["90-fabricctl.conf"])
    finally:
        undo()
    equal(server.shown("LimitMEMLOCK"), {"LimitMEMLOCK": "infinity"})


def test_a_read_only_etc_is_said():
    def prepare():
        output("mount", "--bind", "/etc/systemd/system", "/etc/systemd/system")
        output("mount", "-o", "remount,bind,ro", "/etc/systemd/system")

    refused(prepare, lambda: output("umount", "/etc/systemd/system"), "Read-only file system")


def test_a_file_that_may_not_be_replaced_is_said():
    refused(lambda: output("chattr", "+i", OURS), lambda: output("chattr", "-i", OURS), "Operation not permitted")


def test_a_full_disk_is_said():
    text = {}

    def prepare():
        text["ours"] = read(OURS)
        output("mount", "-t", "tmpfs", "-o", "size=4k,mode=755", "none", server.DROP_INS)
        server.put(OURS, text["ours"])

    refused(prepare, lambda: output("umount", server.DROP_INS), "No space left on device")


def test_without_a_bus_and_on_a_bus_without_systemd_nothing_is_written():
    fresh()
    environment = dict(os.environ, DBUS_SYSTEM_BUS_ADDRESS="unix:path=/nowhere")
    done = Run(["/usr/bin/fabricctl", "apply", "--format", "json"], env=environment).expect(6)
    assert "no system bus" in reason(done, "drop-in"), reason(done, "drop-in")
    bus = output("dbus-daemon", "--session", "--fork", "--print-address=1", "--print-pid=1").split()
    try:
        done = Run(["/usr/bin/fabricctl", "apply", "--format", "json"], env=dict(os.environ, DBUS_SYSTEM_BUS_ADDRESS=bus[0])).expect(6)
        equal(done.outcome(identity("drop-in")), "unreadable")
    finally:
        os.kill(int(bus[1]), 15)
    equal(os.path.exists(OURS), False)


def test_a_unit_that_does_not_exist_is_named():
    fresh(server.PROFILE.replace("minio.service", "minnio.service"))
    done = apply().expect(3)
    assert "knows no unit minnio.service" in done.resources["service/minnio.service/drop-in"]["reason"]
    equal(os.path.exists("/etc/systemd/system/minnio.service.d"), False)


def test_an_interrupted_apply_is_completed_by_the_next():
    """Killed after the file, before the reload: the state that a crash leaves."""
    fresh()
    os.makedirs(server.DROP_INS, exist_ok=True)
    apply()
    text = read(OURS)
    os.unlink(OURS)
    server.reload()
    server.put(OURS, text)
    assert os.path.exists(PROFILE_PATH)
    equal(apply().outcome(identity("exec-start")), "changed")
    until(lambda: server.program() == RDMA, what="the RDMA program in the unit")


def test_a_restart_by_apply_neither_waits_for_the_boot_unit_nor_starts_it():
    server.install()
    profile(server.RESTARTING)
    output("systemctl", "enable", "fabricctl.service")
    try:
        output("systemctl", "restart", "fabricctl.service")
        for by_hand in (False, True):
            process = server.pid()
            output("prlimit", "--pid", str(process), "--memlock=65536:65536")
            if by_hand:
                output("systemctl", "stop", "fabricctl.service")
                apply().expect(0)
                equal(run("systemctl", "is-active", "fabricctl.service").stdout.strip(), "inactive")
            else:
                output("systemctl", "restart", "fabricctl.service")
            assert server.pid() not in (0, process), process
            equal(server.process_limit(), ("unlimited", "unlimited"))
    finally:
        end_units()


def test_a_server_that_does_not_come_back_is_named_by_every_later_run():
    server.install()
    profile(server.PROFILE)
    apply()
    server.restart()
    check().expect(0)
    server.put(server.DROP_INS + "/50-broken.conf", "[Service]\nExecStartPre=/bin/false\nRestart=no\n")
    server.reload()
    assert run("systemctl", "restart", server.UNIT).returncode
    (down,) = [f for f in check().report["findings"] if f["id"] == "service.down"]
    assert down["severity"] == "fail" and "ActiveState=failed" in down["evidence"], down
