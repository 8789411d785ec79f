"""Kernel modules on a real kernel: loaded now, listed for every boot, and every way in which that is not so."""
import glob
import os

from fabricctl import apply, check, plan, profile
from host import Skip, output, read, run
from witness import equal

# Both kernels: libkmod and the module files of each.
BOOT = {}
RESETS_RAILS = False

LIST = "/etc/modules-load.d/fabricctl.conf"
SITE = "/etc/modprobe.d/site.conf"
RAN = "/tmp/install-line-ran"


def fresh(*names, site=""):
    for path in (LIST, SITE, RAN):
        if os.path.exists(path):
            os.unlink(path)
    if site:
        with open(SITE, "w") as f:
            f.write(site)
    run("modprobe", "-r", "dummy", "veth")
    profile("version: 1\nname: modules\nmodules: [%s]\n" % ", ".join(names))


def test_a_module_is_loaded_now_and_listed_for_every_boot():
    fresh("dummy")
    check().expect(2)
    done = apply().expect(0)
    equal(done.outcome("module/dummy"), "changed")
    equal(read("/sys/module/dummy/initstate"), "live\n")
    assert "dummy\n" in read(LIST), read(LIST)
    check().expect(0)
    equal(apply().expect(0).report["changed"], False)
    output("modprobe", "-r", "dummy")
    equal(check().expect(2).outcome("module/dummy"), "drifted")


def test_a_soft_dependency_is_told_in_the_plan_and_comes_with_the_module():
    fresh("dummy", site="softdep dummy pre: veth\n")
    steps = [s["summary"] for s in plan().expect(2).report["steps"]]
    assert "load module dummy, where there: veth (softdep)" in steps, steps
    apply().expect(0)
    equal(read("/sys/module/veth/initstate"), "live\n")
    fresh("dummy")


def test_an_install_line_is_refused_with_file_and_line_and_never_run():
    fresh("dummy", site="# site\ninstall dummy /bin/touch %s\n" % RAN)
    done = apply().expect(3)
    equal(done.outcome("module/dummy"), "failed")
    assert SITE + ":2" in done.resources["module/dummy"]["reason"], done.resources["module/dummy"]
    assert not os.path.exists(RAN) and not os.path.exists("/sys/module/dummy")
    fresh("dummy")


def test_S13_a_blacklisted_module_is_named_and_not_loaded():
    fresh("dummy", site="blacklist dummy\n")
    done = apply().expect(3)
    assert SITE + ":1" in done.resources["module/dummy"]["reason"], done.resources["module/dummy"]
    assert not os.path.exists("/sys/module/dummy")
    fresh("dummy")


def test_S13_a_module_that_is_built_into_the_kernel_counts_as_loaded():
    release = os.uname().release
    built_in = os.path.basename(read("/lib/modules/%s/modules.builtin" % release).split()[0])[:-len(".ko")].replace("-", "_")
    fresh(built_in)
    apply().expect(0)
    equal(check().expect(0).resources["module/" + built_in]["found"]["now"], "built in")


def test_S13_a_module_of_another_kernel_says_so():
    release = os.uname().release
    others = [p for p in glob.glob("/lib/modules/*/kernel/drivers/net/dummy.ko*") if release not in p]
    if not others:
        raise Skip("the image has one kernel")
    name = os.path.basename(others[0]).replace("dummy", "lab_foreign")
    target = "/lib/modules/%s/extra/%s" % (release, name)
    output("cp", others[0], target)
    output("depmod")
    fresh("lab_foreign")
    done = apply().expect(3)
    reason = done.resources["module/lab_foreign"]["reason"]
    assert "another kernel" in reason and release in reason, reason
    os.unlink(target)
    output("depmod")


def test_a_module_that_does_not_exist_is_a_difference_and_not_listed():
    fresh("ib_cor", "dummy")
    done = apply().expect(3)
    equal((done.outcome("module/ib_cor"), done.outcome("module/dummy")), ("failed", "changed"))
    assert "ib_cor" not in read(LIST), read(LIST)


def test_a_module_that_the_profile_names_no_more_goes_from_the_list():
    fresh("dummy", "veth")
    apply().expect(0)
    profile("version: 1\nname: modules\nmodules: [dummy]\n")
    done = check().expect(2)
    equal(done.with_outcome("drifted"), ["module/boot-list"])
    assert "veth" in done.resources["module/boot-list"]["reason"], done.resources
    equal(apply().expect(0).with_outcome("changed"), ["module/boot-list"])
    assert "veth" not in read(LIST) and "dummy" in read(LIST), read(LIST)
    equal(apply().expect(0).report["changed"], False)
    profile("version: 1\nname: modules\n")
    done = check().expect(0)
    assert "rm " + LIST in done.findings()["module.left-over-list"]["fix"], done.findings()
    fresh("dummy")
